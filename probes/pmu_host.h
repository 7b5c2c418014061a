/* SPDX-License-Identifier: MIT */
/*
 * What the kernel says of this machine's counters before any is opened: PMUs, limits, privileges.
 */
#ifndef HOTLINE_PROBES_PMU_HOST_H
#define HOTLINE_PROBES_PMU_HOST_H

#include "probes/pmu_sys.h"

enum {
	PMU_CORES = 4,	     /* kinds of core a hybrid machine may have */
	PMU_UNKNOWN = -1000, /* a number that no file tells */
};

/* One core PMU of /sys/bus/event_source/devices: cpu, cpu_core, cpu_atom, armv8_*. */
struct pmu_core {
	char name[32];
	uint32_t type;	 /* of perf_event_attr.type */
	unsigned count;	 /* CPUs it lists; 0 = it lists none: all CPUs */
	int *cpu;	 /* kernel ids */
};

/* Filled by pmu_host_read(), const from then on. */
struct pmu_host {
	unsigned core_count; /* 0 = no hardware PMU */
	struct pmu_core core[PMU_CORES];
	char pfm_name[32];   /* libpfm4's name of the core PMU, "spr"; "" = it knows none */
	char vendor[16];     /* "intel", "amd", "arm", "" */
	int paranoid;	     /* kernel.perf_event_paranoid, or PMU_UNKNOWN */
	int nmi_watchdog;    /* 1 = it holds one counter; or PMU_UNKNOWN */
	int seccomp;	     /* mode of this process: 2 = a filter is on; or PMU_UNKNOWN */
	bool cap_perfmon;    /* CAP_PERFMON or CAP_SYS_ADMIN is effective */
	bool guest;	     /* x86 says that a hypervisor is present */
	uint64_t fd_soft, fd_hard, fd_used;
};

/* Reads it all; never fails: unknowns stay unknown. Free with pmu_host_fini(). */
void pmu_host_read(struct pmu_host *h, const struct pmu_sys *sys);
void pmu_host_fini(struct pmu_host *h);

/* More than one kind of core. */
static inline bool pmu_host_hybrid(const struct pmu_host *h)
{
	return h->core_count > 1;
}

/* The core PMU that counts on @cpu, or NULL if none lists it (@cpu -1 on a hybrid: NULL). */
const struct pmu_core *pmu_host_core(const struct pmu_host *h, int cpu);

#endif
