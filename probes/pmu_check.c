/* SPDX-License-Identifier: MIT */
/*
 * The self-test of the counters on the calling thread.
 *
 * Every event is opened alone first: that tells of privileges, whatever the numbers in /proc/sys
 * say. Then each group runs the known loop by itself. A counter is believed unless the loop proves
 * it wrong: a virtual machine may be given a PMU that counts next to nothing.
 */
#include "probes/pmu_check.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/pmu_count.h"
#include "probes/pmu_group.h"
#include "probes/pmu_proc.h"
#include "probes/pmu_why.h"

/* What the loop allows. */
static const double instructions = PMU_LOOP_INSTRUCTIONS;
static const double user_max_ratio = 1.2;   /* the walk, and skid */
static const double kernel_max_ratio = 1.5; /* and page faults, and a tick */
static const double kernel_slack = 1e6;     /* and an interrupt or two that take long */
static const double per_cycle_max = 16;     /* instructions; above what any core retires */
static const double scaled_leniency = 2;    /* an extrapolated count may be this far off */

/* One run of the self-test. */
struct check {
	struct pmu_list *l;
	struct pmu_host host; /* with the limits of now */
	struct pmu_spot at;
	unsigned user_only; /* events that lost the kernel's part here */
	struct pmu_cell cell[PMU_EVENTS];
	struct pmu_delta delta[PMU_EVENTS];
};

/* A part of an event's name that is a privilege level: "u", "k", "uk", "u=1". */
static bool is_level(const char *part, size_t n)
{
	size_t letters = strspn(part, "ukh");

	return n > 0 && letters > 0 && (letters == n || (letters < n && part[letters] == '='));
}

/* The user chose what to count: nothing is left out behind his back. */
static bool level_given(const struct pmu_event *ev)
{
	const char *part = strchr(ev->id, ':');

	if (ev->attr->exclude_user || ev->attr->exclude_kernel)
		return true;
	for (; part; part = strchr(part, ':')) {
		part++;
		if (is_level(part, strcspn(part, ":")))
			return true;
	}
	return false;
}

/* Opens event @i alone and closes it again. Returns 0 or -errno. */
static int open_alone(const struct check *c, unsigned i)
{
	const struct pmu_sys *sys = c->l->sys;
	struct perf_event_attr attr;
	int fd;

	pmu_event_attr(&c->l->event[i], &c->host, c->at.core, &attr);
	attr.disabled = 1;
	fd = pmu_open_one(sys, &attr, 0, -1);
	if (fd < 0)
		return fd;
	sys->close(sys->ctx, fd);
	return 0;
}

static bool id_taken(const struct pmu_list *l, const char *id)
{
	for (unsigned i = 0; i < l->count; i++) {
		if (strcmp(l->event[i].id, id) == 0)
			return true;
	}
	return false;
}

/* The same without the kernel's part, unless the user has named that himself. */
static int open_user_only(struct check *c, unsigned i)
{
	struct pmu_event *ev = &c->l->event[i];
	char id[sizeof(ev->id) + 2];
	int rc;

	snprintf(id, sizeof(id), "%s:u", ev->id);
	if (strlen(id) >= sizeof(ev->id) || id_taken(c->l, id))
		return -EACCES;
	ev->attr->exclude_kernel = 1;
	ev->attr->exclude_hv = 1;
	rc = open_alone(c, i);
	if (rc == 0) {
		ev->user_only = true;
		memcpy(ev->id, id, sizeof(ev->id));
		c->user_only++;
	}
	return rc;
}

static void fail(struct pmu_event *ev, enum reason why, const char *what)
{
	char id[sizeof(ev->id)];

	memcpy(id, ev->id, sizeof(id));
	snprintf(ev->note, sizeof(ev->note), "%s: %s", id, what);
	ev->why = why;
}

/* Event @i does not open: /proc has it too, or it has its reason. */
static void give_up(struct check *c, unsigned i, const struct pmu_cell *cell)
{
	struct pmu_event *ev = &c->l->event[i];

	if (ev->source == PMU_SOFTWARE && pmu_proc_has(ev->role)) {
		ev->source = PMU_PROC;
		free(ev->attr);
		ev->attr = NULL;
		return;
	}
	ev->why = pmu_cell_why(&c->at, i, cell, ev->note, sizeof(ev->note));
}

/* What may be opened at all, and with which privilege. */
static void events_try(struct check *c)
{
	for (unsigned i = 0; i < c->l->count; i++) {
		const struct pmu_event *ev = &c->l->event[i];
		int rc = pmu_event_opens(ev) ? open_alone(c, i) : 0;

		if (rc == -EACCES && ev->source == PMU_HARDWARE && !level_given(ev))
			rc = open_user_only(c, i);
		if (rc)
			give_up(c, i, &(struct pmu_cell){.fd = -1, .code = -rc});
	}
}

/*
 * Opens a group, and moves what it did not take to groups of their own at the end of the list.
 * Returns how many are open, @hardware: there are any to run the loop for.
 */
static unsigned group_take(struct check *c, unsigned group, bool *hardware)
{
	struct pmu_list *l = c->l;
	unsigned open = 0;

	*hardware = false;
	for (unsigned i = 0; i < l->count; i++)
		c->cell[i] = pmu_cell_closed(WHY_OK);
	pmu_group_open(&c->at, group, c->cell);
	for (unsigned i = 0; i < l->count; i++) {
		struct pmu_event *ev = &l->event[i];
		struct pmu_cell *cell = &c->cell[i];

		if (cell->fd >= 0 && cell->leader == i && open) {
			l->sys->close(l->sys->ctx, cell->fd);
			*cell = pmu_cell_closed(WHY_OK);
			ev->group = l->group_count++;
		} else if (cell->fd >= 0) {
			*hardware = *hardware || ev->source == PMU_HARDWARE;
			open++;
		} else if (cell->why != WHY_OK) {
			give_up(c, i, cell);
		}
	}
	return open;
}

/* The first open event stays in the group, the others leave it. */
static void group_split(struct check *c)
{
	bool first = true;

	for (unsigned i = 0; i < c->l->count; i++) {
		if (c->cell[i].fd < 0)
			continue;
		if (!first)
			c->l->event[i].group = c->l->group_count++;
		first = false;
	}
}

static void not_scheduled(struct check *c, unsigned i)
{
	struct pmu_event *ev = &c->l->event[i];
	const struct pmu_try t = {.event = ev->id, .hardware = true, .cpu = -1, .group = 1};

	ev->why = WHY_NOT_SCHEDULED;
	pmu_why_not_scheduled(&c->host, &t, ev->note, sizeof(ev->note));
}

/* Takes the readings of a group of @open events. Returns false if it never ran and can be split. */
static bool group_look(struct check *c, unsigned open, const bool *was_open,
		       const struct pmu_count *reading)
{
	static const struct pmu_count nothing = {0};

	for (unsigned i = 0; i < c->l->count; i++) {
		struct pmu_event *ev = &c->l->event[i];

		if (!was_open[i])
			continue;
		if (reading[i].why != WHY_OK) {
			fail(ev, (enum reason)reading[i].why, "the kernel gave no reading");
		} else if (reading[i].running_ns == 0) {
			if (open > 1)
				return false;
			not_scheduled(c, i);
		} else {
			c->delta[i] = pmu_delta(&nothing, &reading[i]);
		}
	}
	return true;
}

/* Runs one group. Returns false if it was split and is to run again. */
static bool group_run(struct check *c, unsigned group)
{
	struct pmu_list *l = c->l;
	struct pmu_count reading[PMU_EVENTS];
	bool was_open[PMU_EVENTS];
	bool hardware, done;
	unsigned open = group_take(c, group, &hardware);

	for (unsigned i = 0; i < l->count; i++)
		was_open[i] = c->cell[i].fd >= 0;
	pmu_cells_control(l, c->cell, PMU_ENABLE);
	if (hardware)
		pmu_loop_run();
	pmu_cells_control(l, c->cell, PMU_DISABLE);
	pmu_cells_read(l, c->cell, reading);
	done = group_look(c, open, was_open, reading);
	if (!done)
		group_split(c);
	pmu_cells_close(l, c->cell, WHY_OK);
	return done;
}

/* Reads what /proc gives; @from: an earlier look. */
static void proc_run(struct check *c, const struct pmu_proc *from)
{
	struct pmu_proc to;

	pmu_proc_read((int)getpid(), (int)gettid(), &to);
	for (unsigned i = 0; i < c->l->count; i++) {
		struct pmu_event *ev = &c->l->event[i];
		struct pmu_count a, b;

		if (ev->source != PMU_PROC || ev->why != WHY_OK)
			continue;
		a = pmu_proc_count(from, ev->role);
		b = pmu_proc_count(&to, ev->role);
		c->delta[i] = pmu_delta(&a, &b);
		if (b.why != WHY_OK)
			fail(ev, (enum reason)b.why, "not in this kernel's /proc");
	}
}

/* The loop contradicts event @i, and so what the whole PMU says. */
static bool lies(const struct pmu_event *ev, const struct pmu_delta *d, char *note, size_t size)
{
	double loose = d->count.why == WHY_SCALED ? scaled_leniency : 1;
	double v = d->count.v;
	double max = ev->attr->exclude_kernel ? user_max_ratio * instructions
					      : kernel_max_ratio * instructions + kernel_slack;

	if (ev->attr->exclude_user)
		return false;
	if (ev->role == PMU_INSTRUCTIONS && (v < instructions / loose || v > max * loose)) {
		snprintf(note, size,
			 "counted %.0f of %.0f instructions of a known loop: not believed", v,
			 instructions);
		return true;
	}
	if (ev->role == PMU_CYCLES && v * loose < instructions / per_cycle_max) {
		snprintf(note, size,
			 "counted %.0f cycles in a loop of %.0f instructions: not believed", v,
			 instructions);
		return true;
	}
	return false;
}

/* A count of 0 that the loop rules out: it takes time, and misses the first cache. */
static bool stuck(const struct pmu_event *ev, const struct pmu_delta *d)
{
	bool first_cache = (ev->role == PMU_MISSES || ev->role == PMU_REFERENCES) &&
			   strncmp(ev->label, "L1", 2) == 0;

	return d->count.v == 0 && !ev->attr->exclude_user &&
	       (ev->role == PMU_BUS_CYCLES || first_cache);
}

/* Judges what has counted. */
static void events_judge(struct check *c)
{
	char lie[PMU_NOTE_BYTES] = "";

	for (unsigned i = 0; i < c->l->count; i++) {
		struct pmu_event *ev = &c->l->event[i];

		if (ev->source != PMU_HARDWARE || ev->why != WHY_OK)
			continue;
		if (!lie[0])
			lies(ev, &c->delta[i], lie, sizeof(lie));
		if (stuck(ev, &c->delta[i]))
			fail(ev, WHY_IMPLAUSIBLE,
			     "counted 0 in a loop that has some: not believed");
	}
	for (unsigned i = 0; i < c->l->count && lie[0]; i++) {
		struct pmu_event *ev = &c->l->event[i];

		if (ev->source != PMU_HARDWARE || (ev->why != WHY_OK && ev->why != WHY_IMPLAUSIBLE))
			continue;
		ev->why = WHY_IMPLAUSIBLE;
		memcpy(ev->note, lie, sizeof(ev->note));
	}
}

/* The first hardware event that was opened in vain for @why; WHY_OK = for any reason. */
static const struct pmu_event *failed_find(const struct pmu_list *l, enum reason why)
{
	for (unsigned i = 0; i < l->count; i++) {
		const struct pmu_event *ev = &l->event[i];

		if (ev->source == PMU_HARDWARE && ev->attr && ev->why != WHY_OK &&
		    (why == WHY_OK || ev->why == why))
			return ev;
	}
	return NULL;
}

/* One sentence on the whole: the worst that befell it. */
static void list_note(const struct check *c)
{
	struct pmu_list *l = c->l;
	const struct pmu_event *failed = failed_find(l, WHY_OK);
	const struct pmu_event *unscheduled = failed_find(l, WHY_NOT_SCHEDULED);
	unsigned counting = 0;

	for (unsigned i = 0; i < l->count; i++)
		counting += l->event[i].source == PMU_HARDWARE && l->event[i].why == WHY_OK;
	l->note[0] = '\0';
	if (!counting && failed && failed->why == WHY_IMPLAUSIBLE)
		snprintf(l->note, sizeof(l->note), "Hardware counters %.200s", failed->note);
	else if (!counting && failed)
		memcpy(l->note, failed->note, sizeof(l->note));
	else if (c->user_only)
		snprintf(l->note, sizeof(l->note),
			 "Counters ending in :u are of user mode only: the kernel's part needs "
			 "kernel.perf_event_paranoid <= 1 or CAP_PERFMON");
	else if (unscheduled)
		memcpy(l->note, unscheduled->note, sizeof(l->note));
	else if (counting && !l->host.pfm_name[0])
		snprintf(l->note, sizeof(l->note),
			 "libpfm4 does not know this CPU's PMU: generic events only");
}

static void results_give(const struct check *c, struct pmu_checked *out)
{
	for (unsigned i = 0; i < c->l->count; i++) {
		const struct pmu_event *ev = &c->l->event[i];

		out[i].count = c->delta[i].count;
		if (ev->why != WHY_OK)
			out[i].count.why = ev->why;
		out[i].running_ratio = pmu_delta_running(&c->delta[i]).v;
	}
}

void pmu_check(struct pmu_list *l, struct pmu_checked *out)
{
	struct check c = {.l = l, .host = l->host};
	struct pmu_proc from;
	int cpu = sched_getcpu();

	l->sys->fd_limits(l->sys->ctx, &c.host.fd_soft, &c.host.fd_hard, &c.host.fd_used);
	c.at = (struct pmu_spot){
		.list = l,
		.host = &c.host,
		.core = pmu_host_hybrid(&l->host) ? pmu_host_core(&l->host, cpu) : NULL,
		.cpu = -1,
		.fds_needed = c.host.fd_used + l->count,
	};
	for (unsigned i = 0; i < l->count; i++)
		c.delta[i].count = value_missing(WHY_NOT_YET);
	events_try(&c);
	pmu_proc_read((int)getpid(), (int)gettid(), &from);
	for (unsigned g = 0; g < l->group_count; g++) {
		while (!group_run(&c, g))
			continue;
	}
	proc_run(&c, &from);
	events_judge(&c);
	list_note(&c);
	if (out)
		results_give(&c, out);
}
