/* SPDX-License-Identifier: MIT */
/*
 * Copies numbers out of struct perf_event_attr.
 */
#include "probes/pmu_attr.h"

#include <linux/perf_event.h>

bool pmu_attr_read(struct pmu_attr *out, const struct pmu_event *ev, const struct pmu_host *h,
		   const struct pmu_core *core)
{
	struct perf_event_attr a;

	if (!ev->attr)
		return false;
	if (core)
		pmu_event_attr(ev, h, core, &a);
	else
		a = *ev->attr;
	*out = (struct pmu_attr){
		.type = a.type,
		.config = a.config,
		.config1 = a.config1,
		.config2 = a.config2,
		.user = !a.exclude_user,
		.kernel = !a.exclude_kernel,
		.hypervisor = !a.exclude_hv,
		.guest = !a.exclude_guest,
		.host = !a.exclude_host,
	};
	return true;
}

const char *pmu_attr_type_name(uint32_t type)
{
	static const char *const name[] = {
		[PERF_TYPE_HARDWARE] = "hardware",
		[PERF_TYPE_SOFTWARE] = "software",
		[PERF_TYPE_TRACEPOINT] = "tracepoint",
		[PERF_TYPE_HW_CACHE] = "cache",
		[PERF_TYPE_RAW] = "raw",
		[PERF_TYPE_BREAKPOINT] = "breakpoint",
	};

	return type < sizeof(name) / sizeof(name[0]) ? name[type] : NULL;
}
