/* SPDX-License-Identifier: MIT */
/*
 * One reading of one counter, and the difference of two. Pure.
 */
#ifndef HOTLINE_PROBES_PMU_COUNT_H
#define HOTLINE_PROBES_PMU_COUNT_H

#include "probes/value.h"

#include <stdint.h>

/* Cumulative since the counter was opened: nothing is ever reset. */
struct pmu_count {
	uint64_t value;
	uint64_t enabled_ns, running_ns; /* while the thread ran; while it was also counted */
	uint32_t why;			 /* enum reason; WHY_OK: the three are valid */
	uint32_t reserved;
};

/* What happened between two readings. */
struct pmu_delta {
	struct value count;		/* scaled by enabled / running where running is shorter */
	double enabled_ns, running_ns;	/* of the interval; 0 if count is missing */
};

/*
 * @to - @from, scaled on the difference.
 * Reasons: that of either reading; WHY_LOST (a counter or a time ran backwards);
 * WHY_NOT_SCHEDULED (enabled, never running); WHY_SCALED (running less than enabled).
 * A thread that did not run in between counted 0, and that is a number.
 * Source: perf_event_open(2), PERF_FORMAT_TOTAL_TIME_*.
 */
struct pmu_delta pmu_delta(const struct pmu_count *from, const struct pmu_count *to);

/*
 * Adds @x to @sum: counts and times add up, one missing part makes the sum missing, one scaled
 * part makes it scaled.
 */
void pmu_delta_add(struct pmu_delta *sum, const struct pmu_delta *x);

/* running / enabled, 0..1; the reason of count if that is missing; 1 for a thread that slept. */
struct value pmu_delta_running(const struct pmu_delta *d);

#endif
