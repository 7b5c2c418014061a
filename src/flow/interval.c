/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rates between two snapshots, each thread by its own stamps.
 */
#include "src/flow/interval.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int interval_init(struct interval *iv, unsigned threads, unsigned events)
{
	memset(iv, 0, sizeof(*iv));
	iv->thread = calloc(threads, sizeof(*iv->thread));
	iv->counts = calloc((size_t)threads * events + 1, sizeof(*iv->counts));
	if (!iv->thread || !iv->counts) {
		interval_fini(iv);
		return -ENOMEM;
	}
	iv->thread_count = threads;
	iv->event_count = events;
	iv->ops_per_s = value_missing(WHY_NOT_YET);
	for (unsigned i = 0; i < threads; i++) {
		iv->thread[i].ops_per_s = value_missing(WHY_NOT_YET);
		iv->thread[i].count = &iv->counts[(size_t)i * events];
		counts_missing(iv->thread[i].count, events, WHY_NOT_YET);
	}
	return 0;
}

void interval_fini(struct interval *iv)
{
	free(iv->thread);
	free(iv->counts);
	memset(iv, 0, sizeof(*iv));
}

/* A thread that has ended did nothing after its end; an end that cannot be is not believed. */
static uint64_t stamp_ticks(const struct snap_thread *t)
{
	if (t->end_ticks && t->end_ticks >= t->begin_ticks && t->end_ticks < t->taken_ticks)
		return t->end_ticks;
	return t->taken_ticks;
}

static void thread_make(struct interval_thread *out, const struct snap_thread *prev,
			const struct snap_thread *cur, double tick_hz)
{
	uint64_t from = stamp_ticks(prev), to = stamp_ticks(cur);

	out->tid = cur->tid;
	out->cpu = cur->cpu;
	out->ops = 0;
	out->dt_s = 0;
	out->ops_per_s = value_missing(WHY_NOT_YET);
	if (!prev->row_count)
		return;
	if (!cur->row_count || prev->gen != cur->gen) {
		out->ops_per_s.why = WHY_LOST;
		return;
	}
	if (prev->phase != cur->phase || !(tick_hz > 0) || to <= from)
		return;
	if (cur->row[0].ops < prev->row[0].ops) {
		out->ops_per_s.why = WHY_LOST;
		return;
	}
	out->ops = cur->row[0].ops - prev->row[0].ops;
	out->dt_s = (double)(to - from) / tick_hz;
	out->ops_per_s = value_of((double)out->ops / out->dt_s);
}

/* A thread that had ended before the interval began: it adds nothing, and hides nothing. */
static bool thread_over(const struct snap_thread *prev, const struct snap_thread *cur)
{
	return prev->state == PAGE_SLOT_DONE && cur->state == PAGE_SLOT_DONE &&
	       prev->gen == cur->gen;
}

void interval_make(struct interval *iv, const struct snap *prev, const struct snap *cur,
		   double tick_hz)
{
	enum reason why = WHY_OK;
	double rate = 0, dt_s = 0;
	unsigned rated = 0;

	assert(prev->thread_count == iv->thread_count && cur->thread_count == iv->thread_count);
	iv->ops = 0;
	iv->warming = false;
	for (unsigned i = 0; i < iv->thread_count; i++) {
		struct interval_thread *t = &iv->thread[i];

		thread_make(t, &prev->thread[i], &cur->thread[i], tick_hz);
		counts_diff(t->count, &prev->count[(size_t)i * iv->event_count],
			    &cur->count[(size_t)i * iv->event_count], iv->event_count);
		if (cur->thread[i].row_count && cur->thread[i].phase == PAGE_PHASE_WARM)
			iv->warming = true;
		if (value_known(t->ops_per_s)) {
			iv->ops += t->ops;
			rate += t->ops_per_s.v;
			dt_s += t->dt_s;
			rated++;
		} else if (why == WHY_OK && !thread_over(&prev->thread[i], &cur->thread[i])) {
			why = t->ops_per_s.why;
		}
	}
	if (!rated && why == WHY_OK)
		why = WHY_NOT_YET;
	/* A sum that lacks a thread would look like a slower machine: it is no number. */
	iv->ops_per_s = why == WHY_OK ? value_of(rate) : value_missing(why);
	iv->dt_s = rated ? dt_s / rated : 0;
}
