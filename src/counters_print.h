/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer of `hotline counters`, and its text.
 */
#ifndef HOTLINE_SRC_COUNTERS_PRINT_H
#define HOTLINE_SRC_COUNTERS_PRINT_H

#include "probes/pmu_check.h"

#include <stdio.h>

/* What was found out. Borrowed during the calls only. */
struct counters_answer {
	const struct pmu_list *list;	   /* finished and checked */
	const struct pmu_checked *checked; /* of each event */
	unsigned shown;			   /* events that were asked for: the first ones */
	uint64_t narrowed; /* bit an event: its kernel part was wanted, and is not permitted */
};

/* "yes", "scaled", "user-only" (not by choice) or "no". Pure. */
const char *counters_works(const struct counters_answer *a, unsigned i);

/* Why there is no plain number, WHY_OK if there is one. Pure. */
enum reason counters_why(const struct counters_answer *a, unsigned i);

/* What needs saying of an event, "" = nothing: why it does not work, what to do. Pure. */
const char *counters_note(const struct counters_answer *a, unsigned i);

/* Where counts come from: "hardware", "software", "proc", "nowhere". Pure. */
const char *counters_source(const struct pmu_event *ev);

/* Levels of privilege that are counted: "user", "user, kernel"; "" = it is not encoded. */
const char *counters_levels(const struct pmu_event *ev, const struct pmu_host *h);

/* Facts, the table of events, the sentences that belong to it. */
void counters_print_table(FILE *f, const struct counters_answer *a);

/* How each event was encoded, and whether it works. */
void counters_print_events(FILE *f, const struct counters_answer *a);

#endif
