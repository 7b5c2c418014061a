/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A made-up model whose figures agree with one another: for screens and keys.
 *
 * One worker a CPU, all on one MCS lock: threads / throughput = mean wait + hold + think, shares
 * add up, percentiles are those of the histograms.
 */
#ifndef HOTLINE_TESTS_FIXTURE_H
#define HOTLINE_TESTS_FIXTURE_H

#include "src/flow/model.h"

/*
 * Fills @m for a machine of @cpus CPUs, @cpus >= 1; with 7 and more one of them went offline.
 * Aborts if there is no memory. Free with fixture_free().
 */
void fixture_model(struct model *m, unsigned cpus);

/*
 * The machine's CPUs: 128 of them, or as many as rows are wanted. Four nodes, second hardware
 * threads in the upper half of the ids. Called by fixture_model().
 */
void fixture_topology(struct model *m, unsigned cpus);
void fixture_topology_free(struct model *m);

/* CPUs that were offline, or outside the mask, when the program started. */
void fixture_offline(struct model *m, int first, int last);
void fixture_not_allowed(struct model *m, int first, int last);

/* Waits over time; @trial: the sample at which the present trial began. By fixture_model(). */
void fixture_heat(struct model *m, uint64_t trial);

/* A is the present configuration, B is clh: @a and @b windows of them, 0 = not set. */
void fixture_ab(struct model *m, unsigned a, unsigned b);

/* Takes every figure away, each for another reason. */
void fixture_missing(struct model *m);

/* Another variant by index, marked as running. */
void fixture_variant(struct model *m, unsigned index);

enum fixture_counters {
	COUNTERS_LIVE,	 /* all but bus cycles, which this CPU does not have */
	COUNTERS_NO_PMU, /* a virtual machine: software counters alone */
	COUNTERS_SCALED, /* multiplexed; misses never got a slot */
	COUNTERS_DENIED,
};

/* Gives the model the events of the preset contention, and counts of them. */
void fixture_counters(struct model *m, enum fixture_counters state);

void fixture_free(struct model *m);

/* Its part of the counters; called by fixture_free(). */
void fixture_counters_free(struct model *m);

#endif
