/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums the threads of an interval up by CPU: operations, rates, counters.
 */
#include "src/flow/model_live.h"

#include <errno.h>
#include <stdlib.h>

static unsigned event_count(const struct model *m)
{
	return m->events ? m->events->count : 0;
}

int model_live_layout(struct model *m, unsigned threads)
{
	const size_t events = event_count(m), rows = threads ? threads : 1;
	struct round fresh = {.events = m->events};

	fresh.cpu = calloc(rows, sizeof(*fresh.cpu));
	fresh.count_of_all = calloc((1 + rows) * events + 1, sizeof(*fresh.count_of_all));
	if (!fresh.cpu || !fresh.count_of_all) {
		round_free(&fresh);
		return -ENOMEM;
	}
	fresh.count = fresh.count_of_all;
	for (size_t i = 0; i < rows; i++)
		fresh.cpu[i].count = &fresh.count_of_all[(1 + i) * events];
	round_free(&m->live);
	m->live = fresh;
	return 0;
}

/* No figures yet; what will never be counted has its own reason. */
static void counts_begin(const struct model *m, struct pmu_delta *count, struct counts *figures)
{
	const struct value no = value_missing(WHY_NOT_YET);

	for (unsigned i = 0; i < event_count(m); i++) {
		enum reason why = m->events->event[i].why;

		counts_missing(&count[i], 1, why == WHY_OK ? WHY_NOT_YET : why);
	}
	counts_derive(figures, m->events, count, no, no);
}

void model_live_begin(struct model *m)
{
	m->live.cpu_count = m->cpu_count;
	m->live.ops = m->live.ops_per_s = value_missing(WHY_NOT_YET);
	counts_begin(m, m->live.count, &m->live.counts);
	for (unsigned i = 0; i < m->cpu_count; i++) {
		struct round_cpu *c = &m->live.cpu[i];

		c->cpu = m->cpu[i].cpu;
		c->core = m->cpu[i].core;
		c->package = m->cpu[i].package;
		c->numa_node = m->cpu[i].numa_node;
		c->threads_on_cpu = m->cpu[i].threads;
		c->ops_per_s = value_missing(WHY_NOT_YET);
		counts_begin(m, c->count, &c->counts);
	}
}

static unsigned row_of(const struct model *m, int cpu)
{
	unsigned i = 0;

	while (i < m->cpu_count && m->cpu[i].cpu != cpu)
		i++;
	return i;
}

/* Adds a thread to its CPU's row. */
static void row_add(struct round_cpu *c, const struct interval_thread *t, unsigned events)
{
	if (value_known(c->ops_per_s) && value_known(t->ops_per_s)) {
		c->ops_per_s.v += t->ops_per_s.v;
		c->ops += t->ops;
	} else if (value_known(c->ops_per_s)) {
		c->ops_per_s = t->ops_per_s;
	}
	counts_add(c->count, t->count, events);
}

static void sums_make(struct model *m, const struct model_input *in)
{
	const struct interval *iv = in->interval;
	const unsigned events = event_count(m);

	counts_zero(m->live.count, events);
	for (unsigned i = 0; i < m->cpu_count; i++) {
		m->cpu[i].offline = false;
		m->live.cpu[i].ops = 0;
		m->live.cpu[i].ops_per_s = value_of(0);
		counts_zero(m->live.cpu[i].count, events);
	}
	for (unsigned i = 0; i < iv->thread_count; i++) {
		const struct interval_thread *t = &iv->thread[i];
		unsigned row = row_of(m, t->cpu);

		counts_add(m->live.count, t->count, events);
		if (row == m->cpu_count)
			continue;
		m->cpu[row].offline = m->cpu[row].offline || (in->away && in->away[i]);
		row_add(&m->live.cpu[row], t, events);
	}
	for (unsigned i = 0; i < m->cpu_count; i++) {
		if (!m->cpu[i].offline)
			m->cpu[i].offline_since_s = -1;
		else if (m->cpu[i].offline_since_s < 0)
			m->cpu[i].offline_since_s = in->now_s;
	}
}

void model_live_update(struct model *m, const struct model_input *in)
{
	const unsigned events = event_count(m);
	const struct value dt_s =
		in->interval->dt_s > 0 ? value_of(in->interval->dt_s) : value_missing(WHY_NOT_YET);

	sums_make(m, in);
	m->ops_per_s = m->live.ops_per_s = in->interval->ops_per_s;
	m->live.ops = value_known(m->ops_per_s) ? value_of((double)in->interval->ops)
						: value_missing(m->ops_per_s.why);
	m->live.duration_s = dt_s;
	counts_derive(&m->live.counts, m->events, m->live.count, m->live.ops, dt_s);
	for (unsigned i = 0; i < m->cpu_count; i++) {
		struct round_cpu *c = &m->live.cpu[i];
		struct value ops = value_of((double)c->ops);

		/* Threads that float have a total, but no CPU. */
		if (c->cpu < 0)
			counts_missing(c->count, events, WHY_UNPINNED);
		if (m->cpu[i].offline) {
			counts_missing(c->count, events, WHY_OFFLINE);
			c->ops_per_s = value_missing(WHY_OFFLINE);
		}
		if (!value_known(c->ops_per_s))
			ops = value_missing(c->ops_per_s.why);
		counts_derive(&c->counts, m->events, c->count, ops, dt_s);
		m->cpu[i].ops_per_s = c->ops_per_s;
		m->cpu[i].share = c->cpu < 0 ? value_missing(WHY_UNPINNED)
					     : value_ratio(c->ops_per_s, m->ops_per_s);
	}
}
