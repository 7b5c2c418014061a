/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the counters say of a thread, a CPU or a round: counts, and the figures made of them.
 *
 * Counts of threads add up to those of CPUs and rounds. A figure is found by the role of its
 * events, so that one column means the same question on every machine; what the answer is counted
 * with stands in the event's own columns.
 */
#ifndef HOTLINE_FLOW_COUNTS_H
#define HOTLINE_FLOW_COUNTS_H

#include "probes/pmu_count.h"
#include "probes/pmu_list.h"
#include "probes/value.h"

/* The derived figures. Missing ones carry the reason of the event that is missing. */
struct counts {
	struct value ipc;		/* instructions / cycles */
	struct value transfers_per_op;	/* lines from another core's cache, an operation */
	struct value misses_per_op;	/* at the level the event's label says */
	struct value bus_cycles_per_op;
	struct value switches_per_s;	/* context switches */
};

/* Counts of @n events that add up to nothing yet. */
void counts_zero(struct pmu_delta *sum, unsigned n);

/* All counts missing for one reason. */
void counts_missing(struct pmu_delta *out, unsigned n, enum reason why);

/* @to - @from for each of @n events. */
void counts_diff(struct pmu_delta *out, const struct pmu_count *from, const struct pmu_count *to,
		 unsigned n);

/* Adds each of @n events. */
void counts_add(struct pmu_delta *sum, const struct pmu_delta *x, unsigned n);

/*
 * The derived figures of the counts @c (l->count entries).
 * @ops: operations in the same time; @seconds: that time.
 * Reasons: those of the counts, of @ops and @seconds; WHY_UNSUPPORTED (no event of the list has the
 * role). @l NULL: all WHY_UNSUPPORTED.
 */
void counts_derive(struct counts *out, const struct pmu_list *l, const struct pmu_delta *c,
		   struct value ops, struct value seconds);

#endif
