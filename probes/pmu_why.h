/* SPDX-License-Identifier: MIT */
/*
 * What an errno of perf_event_open(2) means, in one sentence that says what to do.
 *
 * Decided by a trial open, never by parsing a number of the kernel: distributions disagree on what
 * those mean.
 */
#ifndef HOTLINE_PROBES_PMU_WHY_H
#define HOTLINE_PROBES_PMU_WHY_H

#include "probes/pmu_host.h"
#include "probes/value.h"

/* What was tried. */
struct pmu_try {
	const char *event;   /* its id */
	bool hardware;
	int cpu;	     /* -1 = any */
	unsigned group;	     /* events in the group */
	uint64_t fds_needed; /* for EMFILE */
};

/*
 * The reason of an error, and its sentence.
 * @code: errno, positive. @buf: @size bytes, PMU_NOTE_BYTES is enough for all.
 * Pure. Source: perf_event_open(2); kernel/events/core.c; observed, see doc/counters.
 */
enum reason pmu_why(const struct pmu_host *h, const struct pmu_try *t, int code, char *buf,
		    size_t size);

/* The sentence for a group that was opened but never ran. */
void pmu_why_not_scheduled(const struct pmu_host *h, const struct pmu_try *t, char *buf,
			   size_t size);

#endif
