/* SPDX-License-Identifier: MIT */
/*
 * Keeps the events of a run and puts them into groups.
 *
 * A preset fills groups of its own, so that its ratios are of counts taken together; events named
 * one by one fill others in the order given.
 */
#include "probes/pmu_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ID_ROOM = sizeof(":u") };

static const enum pmu_role software_roles[] = {PMU_TASK_CLOCK, PMU_SWITCHES, PMU_MIGRATIONS,
					       PMU_FAULTS};
enum { SOFTWARE_ROLES = sizeof(software_roles) / sizeof(software_roles[0]) };

void pmu_list_init(struct pmu_list *l, const struct pmu_sys *sys)
{
	memset(l, 0, sizeof(*l));
	l->sys = sys;
	l->group_count = 1;
	pmu_host_read(&l->host, sys);
}

void pmu_list_fini(struct pmu_list *l)
{
	for (unsigned i = 0; i < l->count; i++)
		free(l->event[i].attr);
	pmu_host_fini(&l->host);
	memset(l, 0, sizeof(*l));
}

static int full_refuse(struct err *e)
{
	return err_set(e, -ENOSPC, "counters: more than %d events (leave some out)", PMU_EVENTS);
}

static int memory_refuse(struct err *e)
{
	return err_set(e, -ENOMEM, "counters: out of memory");
}

static bool has_role(const struct pmu_list *l, enum pmu_role role)
{
	return pmu_list_find(l, role) >= 0;
}

/* Appends @ev. @open: the group its kind fills, 0 = none yet; a new one when it is full. */
static void append(struct pmu_list *l, const struct pmu_event *ev, unsigned *open)
{
	struct pmu_event *at = &l->event[l->count];
	unsigned members = 0;

	*at = *ev;
	if (at->source == PMU_HARDWARE) {
		for (unsigned i = 0; i < l->count; i++)
			members += *open && l->event[i].group == *open;
		if (!*open || members == PMU_GROUP)
			*open = l->group_count++;
		at->group = *open;
		at->optional = at->group > 1;
	}
	l->count++;
}

static int role_add(struct pmu_list *l, enum pmu_role role, bool stand_in, unsigned *open,
		    struct err *e)
{
	struct pmu_event ev;

	if (has_role(l, role))
		return 0;
	if (l->count == PMU_EVENTS)
		return full_refuse(e);
	if (pmu_event_of_role(l->sys, &l->host, role, stand_in, &ev) != 0)
		return memory_refuse(e);
	append(l, &ev, open);
	return 0;
}

int pmu_list_add_preset(struct pmu_list *l, const struct pmu_preset *p, struct err *e)
{
	bool misses = has_role(l, PMU_MISSES);
	unsigned open = 0, missing = 0, n;
	int rc = 0;

	for (n = 0; n < PMU_PRESET_ROLES && p->role[n] != PMU_OTHER; n++) {
		misses = misses || p->role[n] == PMU_MISSES;
		missing += !has_role(l, p->role[n]);
	}
	if (l->count + missing > PMU_EVENTS)
		return full_refuse(e);
	for (unsigned i = 0; i < n && !rc; i++) {
		if (i == p->split)
			open = 0;
		rc = role_add(l, p->role[i], p->role[i] == PMU_TRANSFERS && !misses, &open, e);
	}
	return rc;
}

/*
 * Gives @ev the role whose event it is, if it is one and the role is free: figures are derived from
 * what a user named as from what a preset has.
 */
static int role_recognise(const struct pmu_list *l, struct pmu_event *ev)
{
	int rc = 0;

	for (enum pmu_role role = PMU_OTHER + 1; role < PMU_ROLES && !ev->role && !rc; role++) {
		struct pmu_event best = {.attr = NULL};

		if (!has_role(l, role))
			rc = pmu_event_of_role(l->sys, &l->host, role, false, &best);
		if (!rc && pmu_event_same(ev, &best)) {
			ev->role = role;
			memcpy(ev->label, best.label, sizeof(ev->label));
			memcpy(ev->means, best.means, sizeof(ev->means));
		}
		free(best.attr);
	}
	return rc;
}

int pmu_list_add_event(struct pmu_list *l, const char *name, struct err *e)
{
	struct pmu_event ev;
	bool there = false;
	int rc;

	if (!name[0] || strlen(name) + ID_ROOM > sizeof(ev.id))
		return err_set(e, -EINVAL, "event \"%.60s\": a name has 1 to %d characters", name,
			       (int)sizeof(ev.id) - ID_ROOM);
	rc = pmu_event_of_name(l->sys, &l->host, name, &ev, e);
	if (!rc && role_recognise(l, &ev) != 0)
		rc = memory_refuse(e);
	for (unsigned i = 0; i < l->count && !rc; i++)
		there = there || pmu_event_same(&l->event[i], &ev) ||
			strcasecmp(l->event[i].id, name) == 0;
	if (!rc && !there && l->count == PMU_EVENTS)
		rc = full_refuse(e);
	if (rc || there)
		free(ev.attr);
	else
		append(l, &ev, &l->open_group);
	return rc;
}

int pmu_list_finish(struct pmu_list *l, struct err *e)
{
	unsigned open = 0;
	int rc = 0;

	for (unsigned i = 0; i < SOFTWARE_ROLES && !rc; i++)
		rc = role_add(l, software_roles[i], false, &open, e);
	return rc;
}

int pmu_list_find(const struct pmu_list *l, enum pmu_role role)
{
	int first = -1;

	for (unsigned i = 0; i < l->count; i++) {
		if (l->event[i].role != role)
			continue;
		if (l->event[i].why == WHY_OK)
			return (int)i;
		if (first < 0)
			first = (int)i;
	}
	return first;
}
