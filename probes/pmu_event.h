/* SPDX-License-Identifier: MIT */
/*
 * One event: what is counted, how it is called, why it is not counted here.
 */
#ifndef HOTLINE_PROBES_PMU_EVENT_H
#define HOTLINE_PROBES_PMU_EVENT_H

#include "probes/err.h"
#include "probes/pmu_host.h"
#include "probes/pmu_table.h"
#include "probes/value.h"

enum { PMU_NOTE_BYTES = 224 };

enum pmu_source {
	PMU_HARDWARE, /* core PMU: generic, cache, raw, native */
	PMU_SOFTWARE, /* the kernel's own counters, by perf_event_open */
	PMU_PROC,     /* the same from /proc: where perf_event_open would count 0 or is denied */
	PMU_NOWHERE,  /* no event of this CPU answers the role */
};

/* One column. Written by pmu_list.c and pmu_check.c, const for all others. */
struct pmu_event {
	char id[112];	/* column of the files; "cycles", "spr::...", ":u" = user mode only */
	char full[224]; /* fully qualified by libpfm4; "" = not encoded */
	char label[16]; /* of the screen */
	char means[PMU_NOTE_BYTES]; /* what exactly it counts here, where that needs words */
	enum pmu_role role;
	enum pmu_source source;
	unsigned group;	/* events of one group are counted together; software ones in group 0 */
	bool optional;	/* dropped first when descriptors are short */
	bool user_only; /* the kernel's part is not counted: ":u" was named, or no permission */
	bool native;
	struct perf_event_attr *attr; /* owned; NULL where source is PMU_PROC or PMU_NOWHERE */
	enum reason why; /* WHY_OK: it counts here */
	char note[PMU_NOTE_BYTES]; /* why not, and what to do */
};

/*
 * The best event of a role: its row of the table, else a generic one, else none of this CPU.
 * @stand_in: cache misses may stand in for the role. @ev: in no group yet; the caller frees its
 * attr.
 * Returns 0 or -ENOMEM.
 */
int pmu_event_of_role(const struct pmu_sys *sys, const struct pmu_host *h, enum pmu_role role,
		      bool stand_in, struct pmu_event *ev);

/*
 * The event of a name that fits into its id, with no role. @ev: as above.
 * Errors: those of pmu_list_add_event(); @ev has no attr then.
 */
int pmu_event_of_name(const struct pmu_sys *sys, const struct pmu_host *h, const char *name,
		      struct pmu_event *ev, struct err *e);

/* Both are encoded, and count the same in the same modes. */
bool pmu_event_same(const struct pmu_event *a, const struct pmu_event *b);

/*
 * The attr of an event for a thread on @cpu: on hybrid machines the PMU's type is put in.
 * @core: from pmu_host_core(), NULL on others. Source: Documentation of perf_event_open(2) and
 * kernel commit 55bcf6ef314a ("perf: Extend PERF_TYPE_HARDWARE and PERF_TYPE_HW_CACHE").
 */
void pmu_event_attr(const struct pmu_event *ev, const struct pmu_host *h,
		    const struct pmu_core *core, struct perf_event_attr *out);

#endif
