/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cuts a measured phase into windows of about a second.
 *
 * Rates are those of each thread by its own stamps, percentiles those of the records that came in
 * between, fairness that of the ops done in between.
 */
#include "src/flow/window.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/flow/round.h"

/*
 * Ticks come once a refresh, and one of them may come a little early: it still ends a window that
 * is a whole number of refreshes long.
 */
static const double window_short = 0.02;

int window_layout(struct window *w, unsigned threads)
{
	struct window_thread *thread = calloc(threads ? threads : 1, sizeof(*thread));

	if (!thread)
		return -ENOMEM;
	free(w->thread);
	w->thread = thread;
	w->thread_count = threads;
	w->begun = false;
	return 0;
}

void window_fini(struct window *w)
{
	free(w->thread);
	w->thread = NULL;
	w->thread_count = 0;
	w->begun = false;
}

void window_drop(struct window *w)
{
	w->begun = false;
}

/* True if all threads are in their measured phase and none has ended. */
static bool all_run(const struct window *w, const struct snap *s)
{
	if (!w->thread_count || s->thread_count != w->thread_count)
		return false;
	for (unsigned i = 0; i < s->thread_count; i++) {
		const struct snap_thread *t = &s->thread[i];

		if (!t->row_count || !t->row[0].valid || t->phase != PAGE_PHASE_MEASURED ||
		    !t->begin_ticks || t->end_ticks || t->state != PAGE_SLOT_RUNNING)
			return false;
	}
	return true;
}

static void window_begin(struct window *w, const struct window_input *in)
{
	for (unsigned i = 0; i < w->thread_count; i++) {
		const struct snap_thread *t = &in->snap->thread[i];

		w->thread[i] = (struct window_thread){.ops = t->row[0].ops,
						      .ticks = t->taken_ticks,
						      .gen = t->gen};
	}
	hist_clear(&w->wait);
	hist_clear(&w->hold);
	hist_merge(&w->wait, in->wait);
	hist_merge(&w->hold, in->hold);
	w->begun = true;
}

/* True if no thread is another one than before, or has gone back in time or work. */
static bool goes_on(const struct window *w, const struct snap *s)
{
	for (unsigned i = 0; i < w->thread_count; i++) {
		const struct snap_thread *t = &s->thread[i];

		if (t->gen != w->thread[i].gen || t->taken_ticks < w->thread[i].ticks ||
		    t->row[0].ops < w->thread[i].ops)
			return false;
	}
	return true;
}

/* Throughput and fairness. R. Jain, D. Chiu, W. Hawe, DEC-TR-301, 1984. */
static void ops_make(const struct window *w, const struct window_input *in, struct ab_window *out)
{
	double rate = 0, sum = 0, squares = 0;

	for (unsigned i = 0; i < w->thread_count; i++) {
		const struct snap_thread *t = &in->snap->thread[i];
		double ops = (double)(t->row[0].ops - w->thread[i].ops);
		double ticks = (double)(t->taken_ticks - w->thread[i].ticks);

		rate += ticks > 0 ? ops * in->tick_hz / ticks : 0;
		sum += ops;
		squares += ops * ops;
	}
	out->value[AB_OPS_PER_S] = value_of(rate);
	out->value[AB_FAIRNESS] =
		value_ratio(value_of(sum * sum), value_of(squares * w->thread_count));
}

/* What came in between, as figures. Returns false if a counter ran backwards. */
static bool dist_make(struct window *w, const struct window_input *in, enum round_hist_kind kind,
		      struct round_dist *d)
{
	bool wait = kind == ROUND_WAIT;

	if (hist_diff(&w->scratch, wait ? &w->wait : &w->hold, wait ? in->wait : in->hold) != 0)
		return false;
	if (in->no_times == WHY_OK)
		round_dist_make(d, &w->scratch, in->tick_hz, in->floor_ns);
	else
		round_dist_missing(d, in->no_times);
	return true;
}

static bool window_end(struct window *w, const struct window_input *in, struct ab_window *out)
{
	struct round_dist wait, hold;

	if (!goes_on(w, in->snap) || !dist_make(w, in, ROUND_WAIT, &wait) ||
	    !dist_make(w, in, ROUND_HOLD, &hold))
		return false;
	ops_make(w, in, out);
	out->value[AB_WAIT_P50] = wait.p50_ns;
	out->value[AB_WAIT_P99] = wait.p99_ns;
	out->value[AB_HOLD_P50] = hold.p50_ns;
	return true;
}

/* Mean time since the window began; threads are read one after the other. */
static double age_s(const struct window *w, const struct window_input *in)
{
	double ticks = 0;

	for (unsigned i = 0; i < w->thread_count; i++)
		ticks += (double)(int64_t)(in->snap->thread[i].taken_ticks - w->thread[i].ticks);
	return ticks / w->thread_count / in->tick_hz;
}

bool window_update(struct window *w, const struct window_input *in, struct ab_window *out)
{
	bool made = false;
	double age;

	if (!(in->tick_hz > 0) || !all_run(w, in->snap)) {
		w->begun = false;
		return false;
	}
	if (!w->begun) {
		window_begin(w, in);
		return false;
	}
	age = age_s(w, in);
	if (age >= 0 && age < in->window_s * (1 - window_short))
		return false;
	if (age >= 0 && age <= in->window_s + 2 * in->interval_s)
		made = window_end(w, in, out);
	window_begin(w, in);
	return made;
}
