/* SPDX-License-Identifier: MIT */
/*
 * Events by microarchitecture and role, and the presets made of roles.
 *
 * Names of native events: libpfm4 4.13, which encodes all of them; tests/test_pmu_table.c pins the
 * codes. What they count: Intel SDM volume 3B chapter 20 and perfmon event lists; AMD PPR of family
 * 17h and 19h; Arm Neoverse N1, V1, N2, V2 and Cortex-A57 technical reference manuals.
 * What generic names become: arch/x86/events/intel/core.c, arch/x86/events/amd/core.c,
 * drivers/perf/arm_pmuv3.c of Linux.
 *
 * No core event tells a line that came from another core's cache from all others:
 * Intel: retired loads that hit a line modified elsewhere in the socket; plain stores are missed.
 * AMD: fills from the L3 or another L2; a plain L3 hit counts too. Zen 1: none that libpfm4 names.
 * Arm: refills from outside the cluster, memory among them; cores in the same cluster are missed.
 */
#include "probes/pmu_table.h"

#include <stddef.h>
#include <string.h>

#define NATIVE(pmu, role, event, label, means)       \
	{                                            \
		pmu, role, event, true, label, means \
	}

#define HITM(pmu, event)                             \
	NATIVE(pmu, PMU_TRANSFERS, event, "ld-HITM", \
	       "retired loads that found the line modified in another core of the socket")
/* The code of HITM under another name, which says more. */
#define FORWARDED(pmu, event)                                                                      \
	NATIVE(pmu, PMU_TRANSFERS, event, "ld-fwd",                                                \
	       "retired loads that got the line from another core of the socket: it was modified " \
	       "there, or the L3 did not have it")
#define RFO(pmu)                                              \
	NATIVE(pmu, PMU_OWN, "L2_RQSTS:RFO_MISS", "RFO-miss", \
	       "requests to own a line, for a store or a locked access, that missed the L2")
#define WALKS(pmu, event)                               \
	NATIVE(pmu, PMU_WALK_CYCLES, event, "walk-cyc", \
	       "cycles with a page walk for a load in progress")

#define FILLS(pmu, event)                                                                        \
	NATIVE(pmu, PMU_TRANSFERS, event, "L2x-fill",                                            \
	       "fills of the L1 from the L3, another L2 or another core complex; plain L3 hits " \
	       "count too")
#define TO_WRITE(pmu)                                                                 \
	NATIVE(pmu, PMU_OWN, "REQUESTS_TO_L2_GROUP1:RD_BLK_X:CHANGE_TO_X", "own-req", \
	       "requests to the L2 for a line to write, or to make a shared line writable")

#define OUTER(pmu)                                                      \
	NATIVE(pmu, PMU_TRANSFERS, "L1D_CACHE_REFILL_OUTER", "L1D-out", \
	       "refills of the L1 from outside the cluster: other cores, the system cache, memory")
#define TAKEN(pmu, event)                      \
	NATIVE(pmu, PMU_OWN, event, "L1D-inv", \
	       "L1 lines given up because another core asked to own them, or by cache maintenance")
#define BEATS(pmu)                                             \
	NATIVE(pmu, PMU_BUS_ACCESSES, "BUS_ACCESS", "bus-acc", \
	       "beats of data between the core and its cluster or interconnect")

/* Client and server parts of one generation have the same core events. */
#define HASWELL(pmu)                                                   \
	HITM(pmu, "MEM_LOAD_UOPS_L3_HIT_RETIRED:XSNP_HITM"), RFO(pmu), \
		WALKS(pmu, "DTLB_LOAD_MISSES:WALK_DURATION")
#define SKYLAKE(pmu)                                              \
	HITM(pmu, "MEM_LOAD_L3_HIT_RETIRED:XSNP_HITM"), RFO(pmu), \
		WALKS(pmu, "DTLB_LOAD_MISSES:WALK_ACTIVE")
#define NEOVERSE(pmu) OUTER(pmu), TAKEN(pmu, "L1D_CACHE_INVAL"), BEATS(pmu)

static const struct pmu_row rows[] = {
	HASWELL("hsw"),
	HASWELL("hsw_ep"),
	HASWELL("bdw"),
	HASWELL("bdw_ep"),
	SKYLAKE("skl"),
	SKYLAKE("skx"),
	SKYLAKE("clx"),
	SKYLAKE("icl"),
	SKYLAKE("icx"),
	FORWARDED("spr", "MEM_LOAD_L3_HIT_RETIRED:XSNP_FWD"),
	RFO("spr"),
	WALKS("spr", "DTLB_LOAD_MISSES:WALK_ACTIVE"),

	TO_WRITE("amd64_fam17h_zen1"),
	TO_WRITE("amd64_fam17h_zen2"),
	TO_WRITE("amd64_fam19h_zen3"),
	TO_WRITE("amd64_fam19h_zen4"),
	FILLS("amd64_fam17h_zen2",
	      "DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_LCL_CACHE:LS_MABRESP_RMT_CACHE"),
	FILLS("amd64_fam19h_zen3",
	      "ANY_DATA_CACHE_FILLS_FROM_SYSTEM:INT_CACHE:EXT_CACHE_LCL:EXT_CACHE_RMT"),
	FILLS("amd64_fam19h_zen4",
	      "ANY_DATA_CACHE_FILLS_FROM_SYSTEM:LOCAL_CCX:NEAR_CACHE_NEAR_FAR:FAR_CACHE_NEAR_FAR"),

	NEOVERSE("arm_n1"),
	NEOVERSE("arm_v1"),
	NEOVERSE("arm_n2"),
	NEOVERSE("arm_v2"),
	TAKEN("arm_ac57", "L1D_INVALIDATE"),
	BEATS("arm_ac57"),

	{"intel", PMU_MISSES, "cache-misses", false, "LLC-miss",
	 "requests that missed the last-level cache; a line from another core of the socket is a "
	 "hit"},
	{"intel", PMU_REFERENCES, "cache-references", false, "LLC-ref",
	 "requests to the last-level cache"},
	{"intel", PMU_BUS_CYCLES, "bus-cycles", false, "ref-bus",
	 "time the core was not halted, in cycles of the bus reference clock: not bus traffic"},
	{"intel", PMU_DTLB_MISSES, "dTLB-load-misses", false, "dTLBwalk",
	 "loads that missed both TLB levels and walked the page table"},
	{"intel", PMU_ITLB_MISSES, "iTLB-load-misses", false, "iTLBwalk",
	 "fetches that missed both TLB levels and walked the page table"},

	{"amd", PMU_MISSES, "cache-misses", false, "L2-miss",
	 "demand requests that missed the L2; a line from another core is a miss"},
	{"amd", PMU_REFERENCES, "cache-references", false, "L2-ref", "requests to the L2"},
	{"amd", PMU_BUS_CYCLES, "bus-cycles", false, "bus-cyc",
	 "the kernel has no such event for AMD Zen"},
	{"amd", PMU_DTLB_MISSES, "dTLB-load-misses", false, "dTLBwalk",
	 "accesses that missed both TLB levels and walked the page table"},
	{"amd", PMU_ITLB_MISSES, "iTLB-load-misses", false, "iTLBwalk",
	 "fetches that missed both TLB levels"},

	{"arm", PMU_MISSES, "cache-misses", false, "L1D-miss",
	 "refills of the L1 data cache: what the L2 answers counts too"},
	{"arm", PMU_REFERENCES, "cache-references", false, "L1D-ref",
	 "accesses to the L1 data cache"},
	{"arm", PMU_BUS_CYCLES, "bus-cycles", false, "bus-cyc",
	 "cycles of the core's bus interface: on Neoverse cores the same as cycles"},
	{"arm", PMU_DTLB_MISSES, "dTLB-load-misses", false, "L1DTLB-m",
	 "refills of the L1 data TLB: what the L2 TLB answers counts too"},
	{"arm", PMU_ITLB_MISSES, "iTLB-load-misses", false, "L1ITLB-m",
	 "refills of the L1 instruction TLB: what the L2 TLB answers counts too"},

	{"", PMU_CYCLES, "cycles", false, "cycles", "core clock cycles, not halted"},
	{"", PMU_INSTRUCTIONS, "instructions", false, "instr", "retired instructions"},
	{"", PMU_MISSES, "cache-misses", false, "misses",
	 "cache misses, at the level that the kernel chose for this CPU"},
	{"", PMU_REFERENCES, "cache-references", false, "refs",
	 "cache accesses, at the level that the kernel chose for this CPU"},
	{"", PMU_BUS_CYCLES, "bus-cycles", false, "bus-cyc",
	 "cycles of what the kernel calls the bus on this CPU: not bus traffic"},
	{"", PMU_DTLB_MISSES, "dTLB-load-misses", false, "dTLBmiss",
	 "loads that missed the data TLB, at the level that the kernel chose for this CPU"},
	{"", PMU_ITLB_MISSES, "iTLB-load-misses", false, "iTLBmiss",
	 "fetches that missed the instruction TLB, at the level that the kernel chose"},
	{"", PMU_TASK_CLOCK, "task-clock", false, "task-clk", "CPU time in ns"},
	{"", PMU_SWITCHES, "context-switches", false, "switches",
	 "times the thread gave up its CPU or lost it"},
	{"", PMU_MIGRATIONS, "cpu-migrations", false, "migrated",
	 "times the thread went to another CPU"},
	{"", PMU_FAULTS, "page-faults", false, "faults", "page faults, minor and major"},
};

static const char *const role_names[PMU_ROLES] = {
	[PMU_OTHER] = "other",
	[PMU_CYCLES] = "cycles",
	[PMU_INSTRUCTIONS] = "instructions",
	[PMU_TRANSFERS] = "line-transfers",
	[PMU_OWN] = "own-requests",
	[PMU_MISSES] = "cache-misses",
	[PMU_REFERENCES] = "cache-references",
	[PMU_BUS_CYCLES] = "bus-cycles",
	[PMU_BUS_ACCESSES] = "bus-accesses",
	[PMU_DTLB_MISSES] = "dTLB-misses",
	[PMU_ITLB_MISSES] = "iTLB-misses",
	[PMU_WALK_CYCLES] = "walk-cycles",
	[PMU_TASK_CLOCK] = "task-clock",
	[PMU_SWITCHES] = "context-switches",
	[PMU_MIGRATIONS] = "cpu-migrations",
	[PMU_FAULTS] = "page-faults",
};

/* Of the roles that no generic event has. */
static const char *const role_labels[PMU_ROLES] = {
	[PMU_OTHER] = "other",          [PMU_TRANSFERS] = "xfer",       [PMU_OWN] = "own-req",
	[PMU_BUS_ACCESSES] = "bus-acc", [PMU_WALK_CYCLES] = "walk-cyc",
};

/* A ratio of two counts is exact only if both were counted together: they share a group. */
static const struct pmu_preset presets[] = {
	{
		.name = "contention",
		.doc = "what contention costs: cycles, lines from other cores, misses",
		.role = {PMU_CYCLES, PMU_INSTRUCTIONS, PMU_TRANSFERS, PMU_OWN, PMU_MISSES,
			 PMU_BUS_CYCLES},
		.split = 4,
	},
	{
		.name = "cache",
		.doc = "cache accesses and misses, at the level that the label says",
		.role = {PMU_REFERENCES, PMU_MISSES},
	},
	{
		.name = "bus",
		.doc = "bus cycles, and beats of data where the core counts them",
		.role = {PMU_BUS_CYCLES, PMU_BUS_ACCESSES},
	},
	{
		.name = "tlb",
		.doc = "TLB misses, and cycles in page walks where the core counts them",
		.role = {PMU_DTLB_MISSES, PMU_ITLB_MISSES, PMU_WALK_CYCLES},
	},
	{
		.name = "switch",
		.doc = "what the scheduler did: context switches, migrations, page faults",
		.role = {PMU_SWITCHES, PMU_MIGRATIONS, PMU_FAULTS},
	},
};

static const struct pmu_row *row_of(const char *pmu, enum pmu_role role)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].role == role && strcmp(rows[i].pmu, pmu) == 0)
			return &rows[i];
	}
	return NULL;
}

const struct pmu_row *pmu_table_find(const char *pmu, const char *vendor, enum pmu_role role)
{
	/* "" is the name of the generic rows, not of a PMU. */
	const struct pmu_row *row = pmu[0] ? row_of(pmu, role) : NULL;

	if (!row)
		row = row_of(vendor, role);
	return row ? row : row_of("", role);
}

const struct pmu_row *pmu_table_all(unsigned *count)
{
	*count = sizeof(rows) / sizeof(rows[0]);
	return rows;
}

const char *pmu_role_name(enum pmu_role role)
{
	return role_names[role];
}

const char *pmu_role_label(enum pmu_role role)
{
	const struct pmu_row *row = row_of("", role);

	return row ? row->label : role_labels[role];
}

const struct pmu_preset *pmu_presets(unsigned *count)
{
	*count = sizeof(presets) / sizeof(presets[0]);
	return presets;
}

const struct pmu_preset *pmu_preset_find(const char *name)
{
	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		if (strcmp(presets[i].name, name) == 0)
			return &presets[i];
	}
	return NULL;
}
