/* SPDX-License-Identifier: MIT */
/*
 * The start-up self-test: opens every group on the calling thread, runs a known loop, looks at what
 * was counted.
 *
 * What fails to open gets its reason; a kernel part that is denied is left out (":u" joins the id);
 * software counters that would be 0 without the kernel come from /proc instead; a group that never
 * runs is split into single events; a count that the loop contradicts marks its event
 * implausible, and instructions or cycles that lie mark the whole PMU.
 */
#ifndef HOTLINE_PROBES_PMU_CHECK_H
#define HOTLINE_PROBES_PMU_CHECK_H

#include "probes/pmu_list.h"
#include "probes/pmu_loop.h"

/* What the self-test read of one event. */
struct pmu_checked {
	struct value count; /* with its reason */
	double running_ratio;
};

/*
 * Runs the self-test and brings @l up to date: why, note, id, source, group of each event, and the
 * list's note.
 * @out: what was read, l->count entries; NULL = not wanted.
 * Threads: any one, not moved meanwhile. Cost: about 2 ms on a machine with a PMU, 0.3 ms without.
 */
void pmu_check(struct pmu_list *l, struct pmu_checked *out);

#endif
