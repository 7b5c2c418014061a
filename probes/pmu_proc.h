/* SPDX-License-Identifier: MIT */
/*
 * The kernel's own counters of a thread read from /proc, where perf_event_open is denied, absent,
 * or short of descriptors.
 */
#ifndef HOTLINE_PROBES_PMU_PROC_H
#define HOTLINE_PROBES_PMU_PROC_H

#include "probes/pmu_count.h"
#include "probes/pmu_table.h"

/* What one look at /proc told of a thread. */
struct pmu_proc {
	int rc;		 /* of osstat_read() */
	uint64_t now_ns; /* CLOCK_MONOTONIC: stands for both times of a counter */
	uint64_t run_ns, switches, migrations, faults;
	bool has_run_ns, has_migrations;
};

/* Task clock, context switches, migrations, page faults: the roles that /proc answers. */
bool pmu_proc_has(enum pmu_role role);

/* Reads all of a thread. Threads: any. Cost: about 60 us. */
void pmu_proc_read(int pid, int tid, struct pmu_proc *out);

/*
 * One of them as a counter's reading; enabled and running are the time of the reading, so that no
 * difference is ever scaled.
 * Reasons: WHY_LOST (the thread is gone), WHY_UNSUPPORTED (this kernel's /proc lacks it, or
 * pmu_proc_has() is false).
 */
struct pmu_count pmu_proc_count(const struct pmu_proc *p, enum pmu_role role);

#endif
