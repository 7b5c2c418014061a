/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which counters a user asked for: the words of -e and of `hotline counters`.
 *
 * LIST = WORD[,WORD...]; a WORD is a preset (contention, cache, bus, tlb, switch), or the name of
 * an event as libpfm4 has it.
 */
#ifndef HOTLINE_SRC_EVENTS_H
#define HOTLINE_SRC_EVENTS_H

#include "probes/err.h"
#include "probes/pmu_list.h"

/* What is counted if nobody says anything. */
#define EVENTS_DEFAULT "contention"

/*
 * Adds what a -e LIST names, and the software group; "none", alone, leaves @l empty: nothing is
 * counted then. What is named twice is there once.
 * @l: from pmu_list_init(), empty.
 * Errors: -EINVAL (bad usage: the text names the word, what is accepted, the nearest match),
 * -ENOSPC (more than PMU_EVENTS), -ENOMEM.
 */
int events_parse(struct pmu_list *l, const char *text, struct err *e);

/*
 * Adds the words of one LIST, and no software group. Not "none". Errors as events_parse().
 */
int events_add(struct pmu_list *l, const char *text, struct err *e);

/*
 * The event's note without its name in front: events that fail for one cause have one sentence
 * then, which need not be said for each. "" = it has none. Pure.
 */
const char *events_sentence(const struct pmu_event *ev);

#endif
