/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The watchdog of a trial: nothing moves, a phase does not end, an end was asked for in vain.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/child.h"
#include "src/trial_parts.h"

/* without progress, before a look at the state */
static const uint64_t stopped_look_ns = 1000000000;
static const uint64_t kill_after_ns = 300000000; /* between the request to end and the kill */

/* The thread that is behind all others: the one to name when nothing moves. */
static const struct snap_thread *slowest(const struct snap *s)
{
	const struct snap_thread *worst = &s->thread[0];

	for (unsigned i = 1; i < s->thread_count; i++) {
		const struct snap_thread *x = &s->thread[i];

		if (!x->row_count || !worst->row_count)
			continue;
		if (x->row[0].ops < worst->row[0].ops)
			worst = x;
	}
	return worst;
}

int trial_failed(struct trial *t, struct err *e, const char *what)
{
	const struct snap_thread *x = slowest(trial_newest(t));
	char where[32] = "unpinned";

	t->status = TRIAL_FAILED;
	if (x->cpu >= 0)
		snprintf(where, sizeof(where), "CPU %d", x->cpu);
	return err_set(e, -EIO, "%s:%s %s; thread %u, %s, tid %d, was at %llu ops",
		       t->config.workload, t->config.variant, what, x->thread, where, x->tid,
		       (unsigned long long)(x->row_count ? x->row[0].ops : 0));
}

static uint64_t total_ops(const struct snap *s)
{
	uint64_t ops = 0;

	for (unsigned i = 0; i < s->thread_count; i++)
		if (s->thread[i].row_count)
			ops += s->thread[i].row[0].ops;
	return ops;
}

/* An operation by its knobs: all that are times, as often as threads share a CPU. */
static double op_by_knobs_ns(const struct trial *t)
{
	const struct catalog_workload *w = catalog_find(t->env->catalog, t->config.workload);
	unsigned cpus = t->env->topology->allowed_count;
	double ns = 0;

	for (unsigned i = 0; w && i < w->knob_count; i++) {
		const char *set = config_knob_get(&t->config, w->knob[i].name);

		if (strcmp(w->knob[i].unit, "ns") == 0)
			ns += strtod(set ? set : w->knob[i].def, NULL);
	}
	return t->config.threads > cpus && cpus ? ns * t->config.threads / cpus : ns;
}

/*
 * How long nothing may move: the watchdog's time, ten turns of the scheduler for each thread that
 * has no CPU of its own, and ten operations, as seen or as planned.
 */
static uint64_t patience_ns(const struct trial *t)
{
	const uint64_t turns_ns = 10 * 4000000u;
	unsigned cpus = t->env->topology->allowed_count;
	uint64_t ns = (uint64_t)t->env->watchdog_ms * 1000000u +
		      (cpus ? t->config.threads / cpus * turns_ns : 0);
	double op_ns = op_by_knobs_ns(t);

	/* Up to the last that was seen: time without any must not buy more time. */
	if (t->progress_ops && t->progress_at_ns > t->running_since_ns && t->running_since_ns) {
		double seen =
			(double)(t->progress_at_ns - t->running_since_ns) / (double)t->progress_ops;

		op_ns = seen > op_ns ? seen : op_ns;
	}
	return ns + (uint64_t)(10 * op_ns);
}

/*
 * A phase that was to end and does not: its threads stand in a queue, most of them without a CPU.
 * Ten times its time, ten seconds at least, and ten operations.
 */
static bool overdue(const struct trial *t, uint32_t state, uint64_t now)
{
	const double least_s = 10, times = 10;
	double planned_s = state == PAGE_LAB_WARMING   ? t->plan.warmup_s
			   : state == PAGE_LAB_RUNNING ? t->plan.duration_s
						       : 0;
	double late_s = times * planned_s > least_s ? times * planned_s : least_s;

	if (planned_s <= 0 || (state == PAGE_LAB_RUNNING && t->plan.ops))
		return false;
	late_s += planned_s + 10 * op_by_knobs_ns(t) / 1e9;
	return (double)(now - t->state_since_ns) / 1e9 > late_s;
}

void trial_watch(struct trial *t, struct err *e)
{
	const struct snap *s = trial_newest(t);
	uint64_t now = tick_monotonic_ns(), ops = total_ops(s);
	char what[96];

	if (t->stop_at_ns) {
		if (now - t->stop_at_ns > kill_after_ns)
			kill(-t->pid, SIGKILL);
		return;
	}
	if (s->lab.state != t->progress_state) {
		t->state_since_ns = now;
	} else if (!t->was_stopped && overdue(t, s->lab.state, now)) {
		trial_failed(t, e, "was to end and did not: threads in a queue that hardly moves");
		kill(-t->pid, SIGKILL);
		return;
	}
	if (ops != t->progress_ops || s->lab.state != t->progress_state) {
		t->progress_ops = ops;
		t->progress_state = s->lab.state;
		t->progress_at_ns = now;
		t->stopped = false;
		return;
	}
	if (now - t->progress_at_ns > stopped_look_ns && child_is_stopped(t->pid)) {
		t->stopped = t->was_stopped = true;
		return;
	}
	if (t->stopped) { /* it goes on: all its patience again */
		t->stopped = false;
		t->progress_at_ns = now;
	}
	if (now - t->progress_at_ns <= patience_ns(t))
		return;
	snprintf(what, sizeof(what), "made no progress for %.1f s and was ended",
		 (double)(now - t->progress_at_ns) / 1e9);
	trial_failed(t, e, what);
	kill(-t->pid, SIGKILL);
}
