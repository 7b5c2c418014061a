/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hop 3: what happened between two snapshots. Ticks become nanoseconds here and in round.c only.
 *
 * Pure: no clock, no page. What cannot be told (a new generation, a counter that ran backwards, no
 * time between the two) is a reason, not a number.
 */
#ifndef HOTLINE_FLOW_INTERVAL_H
#define HOTLINE_FLOW_INTERVAL_H

#include "probes/value.h"
#include "src/flow/counts.h"
#include "src/flow/snap.h"

#include <stdbool.h>
#include <stdint.h>

struct interval_thread {
	int tid, cpu;
	uint64_t ops;		/* in the interval */
	double dt_s;		/* of this thread: between its two stamps */
	struct value ops_per_s;
	struct pmu_delta *count; /* one an event; points into the interval's counts */
};

struct interval {
	double dt_s;		/* mean over the threads that have a rate; 0 if none */
	bool warming;		/* the figures belong to the warm-up */
	unsigned thread_count;
	struct value ops_per_s; /* sum over threads */
	uint64_t ops;		/* sum */
	struct interval_thread *thread;
	unsigned event_count;
	struct pmu_delta *counts; /* thread_count * event_count */
};

/* Returns 0 or -ENOMEM. */
int interval_init(struct interval *iv, unsigned threads, unsigned events);
void interval_fini(struct interval *iv);

/*
 * @iv = @cur - @prev. @tick_hz: ticks per second (0 = not known yet: everything is WHY_NOT_YET).
 * Reasons: WHY_NOT_YET (no earlier snapshot of this phase, zero time), WHY_LOST (rows that are
 * gone, another generation, a counter ran backwards).
 * Cost: O(threads); touches no histogram.
 */
void interval_make(struct interval *iv, const struct snap *prev, const struct snap *cur,
		   double tick_hz);

#endif
