/* SPDX-License-Identifier: MIT */
/*
 * Which event of which microarchitecture answers which question, and what its name means there.
 *
 * Pure tables, sources in pmu_table.c. A count of one vendor is never called by a name that means
 * something else at another: labels carry the cache level.
 */
#ifndef HOTLINE_PROBES_PMU_TABLE_H
#define HOTLINE_PROBES_PMU_TABLE_H

#include <stdbool.h>

/* The question that an event answers; the derived columns are found by it. */
enum pmu_role {
	PMU_OTHER, /* an event that the user named */
	PMU_CYCLES,
	PMU_INSTRUCTIONS,
	PMU_TRANSFERS,	  /* a line that came from another core's cache */
	PMU_OWN,	  /* a core asked to own a line it wants to write */
	PMU_MISSES,	  /* cache misses, at the level the label says */
	PMU_REFERENCES,
	PMU_BUS_CYCLES,
	PMU_BUS_ACCESSES,
	PMU_DTLB_MISSES,
	PMU_ITLB_MISSES,
	PMU_WALK_CYCLES,  /* cycles in page walks */
	PMU_TASK_CLOCK,	  /* ns of CPU time */
	PMU_SWITCHES,
	PMU_MIGRATIONS,
	PMU_FAULTS,
	PMU_ROLES
};

/* One event of one PMU. All text is constant. */
struct pmu_row {
	const char *pmu;   /* libpfm4's name of the PMU, "spr"; a vendor, "intel"; "" = any CPU */
	enum pmu_role role;
	const char *event; /* what libpfm4 encodes, without PMU prefix for native ones */
	bool native;	   /* prefix with "PMU::" */
	const char *label; /* of the screen, at most 8 cells: "xfer", "LLC-miss" */
	const char *means; /* one sentence: what exactly is counted here */
};

/*
 * The best row for a role: that of @pmu, else that of @vendor, else the generic one, else NULL.
 * @pmu, @vendor: as in struct pmu_host, may be "".
 */
const struct pmu_row *pmu_table_find(const char *pmu, const char *vendor, enum pmu_role role);

/* All rows, for tests and for `hotline counters`. */
const struct pmu_row *pmu_table_all(unsigned *count);

/* A word for a role without an event here: "line-transfers", "own-requests", ... */
const char *pmu_role_name(enum pmu_role role);

/* The same for the screen, at most 8 cells. */
const char *pmu_role_label(enum pmu_role role);

/* A preset: roles, in groups of at most PMU_GROUP events that are counted together. */
enum { PMU_GROUP = 4, PMU_PRESET_ROLES = 8 };
struct pmu_preset {
	const char *name;
	const char *doc;
	enum pmu_role role[PMU_PRESET_ROLES]; /* PMU_OTHER ends it */
	unsigned split;			      /* a new group begins at this one; 0 = none */
};

const struct pmu_preset *pmu_presets(unsigned *count);
const struct pmu_preset *pmu_preset_find(const char *name);

#endif
