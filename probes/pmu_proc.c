/* SPDX-License-Identifier: MIT */
/*
 * /proc as a counter: what osstat reads, in the form of a reading of perf_event_open.
 */
#include "probes/pmu_proc.h"

#include <time.h>

#include "probes/osstat.h"

bool pmu_proc_has(enum pmu_role role)
{
	return role == PMU_TASK_CLOCK || role == PMU_SWITCHES || role == PMU_MIGRATIONS ||
	       role == PMU_FAULTS;
}

void pmu_proc_read(int pid, int tid, struct pmu_proc *out)
{
	struct osstat st;
	struct timespec now;

	*out = (struct pmu_proc){.rc = osstat_read(pid, tid, -1, &st)};
	clock_gettime(CLOCK_MONOTONIC, &now);
	out->now_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	out->run_ns = st.run_ns;
	out->has_run_ns = st.has_run_delay;
	out->switches = st.voluntary_switches + st.involuntary_switches;
	out->migrations = st.migrations;
	out->has_migrations = st.has_migrations;
	out->faults = st.page_faults;
}

struct pmu_count pmu_proc_count(const struct pmu_proc *p, enum pmu_role role)
{
	struct pmu_count c = {.enabled_ns = p->now_ns, .running_ns = p->now_ns};
	bool have = pmu_proc_has(role);

	if (p->rc != 0)
		return (struct pmu_count){.why = WHY_LOST};
	if (role == PMU_TASK_CLOCK) {
		c.value = p->run_ns;
		have = p->has_run_ns;
	} else if (role == PMU_MIGRATIONS) {
		c.value = p->migrations;
		have = p->has_migrations;
	} else if (role == PMU_SWITCHES) {
		c.value = p->switches;
	} else if (role == PMU_FAULTS) {
		c.value = p->faults;
	}
	return have ? c : (struct pmu_count){.why = WHY_UNSUPPORTED};
}
