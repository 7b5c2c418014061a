/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the counters say of a round: of each thread, of the CPUs they are pinned to, of all.
 */
#include "src/flow/round_parts.h"

#include <errno.h>
#include <stdlib.h>

/* Lays out room for the round, its CPUs and its threads. */
static int counts_alloc(struct round *r, unsigned events)
{
	size_t rows = 1 + (size_t)r->cpu_count + r->thread_count;
	struct pmu_delta *next = calloc(rows * events + 1, sizeof(*next));

	if (!next)
		return -ENOMEM;
	r->count_of_all = r->count = next;
	for (unsigned i = 0; i < r->cpu_count; i++)
		r->cpu[i].count = next += events;
	for (unsigned i = 0; i < r->thread_count; i++)
		r->thread[i].count = next += events;
	return 0;
}

/* Before the phase has begun: what will not be counted has its own reason. */
static void counts_not_yet(struct pmu_delta *out, const struct pmu_list *l)
{
	for (unsigned i = 0; i < l->count; i++) {
		enum reason why = l->event[i].why;

		counts_missing(&out[i], 1, why == WHY_OK ? WHY_NOT_YET : why);
	}
}

static struct round_cpu *cpu_of(struct round *r, int cpu)
{
	for (unsigned i = 0; i < r->cpu_count; i++)
		if (r->cpu[i].cpu == cpu)
			return &r->cpu[i];
	return NULL;
}

/* Adds a thread to its CPU, unless it ran elsewhere as well. */
static void cpu_add(struct round *r, const struct round_thread *t, bool moved, unsigned events)
{
	struct round_cpu *c = cpu_of(r, t->cpu);

	if (!c)
		return;
	if (c->cpu < 0)
		counts_missing(c->count, events, WHY_UNPINNED);
	else if (moved)
		counts_missing(c->count, events, WHY_OFFLINE);
	else
		counts_add(c->count, t->count, events);
}

int round_counts_make(struct round *r, const struct round_input *in)
{
	const unsigned events = in->events ? in->events->count : 0;

	r->events = in->events;
	if (counts_alloc(r, events) != 0)
		return -ENOMEM;
	counts_zero(r->count, events);
	for (unsigned i = 0; i < r->cpu_count; i++)
		counts_zero(r->cpu[i].count, events);
	for (unsigned i = 0; i < r->thread_count; i++) {
		struct round_thread *t = &r->thread[i];
		const size_t at = (size_t)t->slot * events;
		const bool moved = in->moved && in->moved[t->slot];

		if (in->counts_from && in->counts_to)
			counts_diff(t->count, &in->counts_from[at], &in->counts_to[at], events);
		else if (in->events)
			counts_not_yet(t->count, in->events);
		counts_add(r->count, t->count, events);
		cpu_add(r, t, moved, events);
		if (moved)
			r->disturbed_why |= DISTURBED_OFFLINE;
	}
	counts_derive(&r->counts, r->events, r->count, r->ops, r->duration_s);
	for (unsigned i = 0; i < r->cpu_count; i++) {
		struct round_cpu *c = &r->cpu[i];

		counts_derive(&c->counts, r->events, c->count, value_of((double)c->ops),
			      r->duration_s);
	}
	return 0;
}
