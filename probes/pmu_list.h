/* SPDX-License-Identifier: MIT */
/*
 * The events of a run: encoded once, tried once, const from then on.
 *
 *   pmu_list_init -> pmu_list_add... -> pmu_list_finish -> pmu_check -> any number of pmu_set_open
 *
 * An event that cannot be counted stays in the list with its reason: columns never vanish.
 */
#ifndef HOTLINE_PROBES_PMU_LIST_H
#define HOTLINE_PROBES_PMU_LIST_H

#include "probes/pmu_event.h"

enum { PMU_EVENTS = 32 };

/* Written by the functions below and pmu_check(); const for all readers. */
struct pmu_list {
	const struct pmu_sys *sys;
	struct pmu_host host;
	unsigned count, group_count;
	unsigned open_group; /* the hardware group that single events still fill; 0 = none */
	struct pmu_event event[PMU_EVENTS];
	char note[PMU_NOTE_BYTES]; /* one sentence on the whole: "" = all is well */
};

/* An empty list; reads the host. @sys: borrowed. Free with pmu_list_fini(). */
void pmu_list_init(struct pmu_list *l, const struct pmu_sys *sys);
void pmu_list_fini(struct pmu_list *l);

/*
 * Adds the events of a preset by role; those already there are not added twice. A role that no
 * event of this CPU answers falls back native -> generic -> PMU_NOWHERE, and means[] says so.
 * Errors: -ENOSPC (more than PMU_EVENTS), -ENOMEM.
 */
int pmu_list_add_preset(struct pmu_list *l, const struct pmu_preset *p, struct err *e);

/*
 * Adds one event by its libpfm4 name. A name that libpfm4 knows but this machine cannot count is no
 * error: it is added with its reason.
 * Errors: -ENOENT (no such event: the text names it), -EINVAL (libpfm4 does not like its umasks or
 * modifiers: the text says which), -ENOSPC, -ENOMEM.
 */
int pmu_list_add_event(struct pmu_list *l, const char *name, struct err *e);

/*
 * Adds the software group (task-clock, context-switches, cpu-migrations, page-faults) unless it is
 * there, and numbers the groups: software alone, hardware at most PMU_GROUP each.
 */
int pmu_list_finish(struct pmu_list *l, struct err *e);

/* The first event with a role that counts here, else the first one with it, else -1. */
int pmu_list_find(const struct pmu_list *l, enum pmu_role role);

#endif
