/* SPDX-License-Identifier: MIT */
/*
 * How an event was encoded, in plain numbers: for those who print it and may not include the
 * kernel's header.
 */
#ifndef HOTLINE_PROBES_PMU_ATTR_H
#define HOTLINE_PROBES_PMU_ATTR_H

#include "probes/pmu_list.h"

/* The part of struct perf_event_attr that says what is counted. */
struct pmu_attr {
	uint32_t type;
	uint64_t config, config1, config2;
	bool user, kernel, hypervisor; /* levels that are counted */
	bool guest, host;
};

/*
 * What perf_event_open(2) is asked for.
 * @core: the kind of core, NULL = as encoded, before a hybrid machine's type is put in.
 * Returns false if the event has no encoding (PMU_PROC, PMU_NOWHERE).
 */
bool pmu_attr_read(struct pmu_attr *out, const struct pmu_event *ev, const struct pmu_host *h,
		   const struct pmu_core *core);

/*
 * What a type is: "hardware", "software", "tracepoint", "cache", "raw", "breakpoint"; NULL for one
 * that the kernel gave out at boot, the type of a PMU of /sys.
 */
const char *pmu_attr_type_name(uint32_t type);

#endif
