/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last interval, by CPU: what model.c keeps in model.live and model.cpu.
 */
#ifndef HOTLINE_FLOW_MODEL_LIVE_H
#define HOTLINE_FLOW_MODEL_LIVE_H

#include "src/flow/model.h"

/* Room for a trial of @threads threads. Returns 0 or -ENOMEM, and then nothing has changed. */
int model_live_layout(struct model *m, unsigned threads);

/* A trial begins: rows as in m->cpu, all figures WHY_NOT_YET. */
void model_live_begin(struct model *m);

/* The figures of the last interval. */
void model_live_update(struct model *m, const struct model_input *in);

#endif
