/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the model share: model.c binds them together, model_live.c rows of CPUs,
 * model_time.c where the threads' time goes, model_heat.c columns of the heat map, model_mark.c
 * marks of the history, model_ab.c windows for A and B.
 */
#ifndef HOTLINE_FLOW_MODEL_PARTS_H
#define HOTLINE_FLOW_MODEL_PARTS_H

#include "src/flow/model.h"

/*
 * Shares of wait, hold and outside, and threads that do nothing. The distributions of @m are up to
 * date. @ops_per_s: of the warm-up's last interval.
 */
void model_time_update(struct model *m, const struct snap *s, struct value ops_per_s);

/* The next column of the heat map, for history sample m->sample_count; wait[0] is up to date. */
void model_heat_add(struct model *m, const struct model_input *in);

/* The same where the history has a gap. */
void model_heat_gap(struct model *m);

/* A mark at the next sample if the configuration or the measuring mode is about to change. */
void model_mark_add(struct model *m, const struct config *to, const struct plan *plan);

/*
 * A new trial of @threads threads: no window is under way. Windows of A and B are forgotten if they
 * were measured in another mode than @plan's: stamps cost time.
 * Returns 0, or -ENOMEM, and then nothing has changed.
 */
int model_ab_trial(struct model *m, unsigned threads, const struct plan *plan);

/* Feeds A and B; wait[0] and hold[0] are up to date. */
void model_ab_update(struct model *m, const struct model_input *in);

/*
 * Time between the last two looks at the trial, at least the refresh that was asked for: refreshes
 * that cost much come later, a frozen screen is looked at as often as ever.
 */
static inline double model_look_s(const struct model *m, const struct model_input *in)
{
	double dt_s = in->interval->dt_s;

	return dt_s > m->plan.interval_s ? dt_s : m->plan.interval_s;
}

/* True if two trials are measured in the same way. */
static inline bool model_same_measure(const struct plan *a, const struct plan *b)
{
	return a->measure == b->measure &&
	       (a->measure != PAGE_MEASURE_SAMPLED || a->sample_n == b->sample_n);
}

#endif
