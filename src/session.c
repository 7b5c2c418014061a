/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trials one after the other, and what is kept of them.
 */
#include "src/session.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double now_s(const struct session *s)
{
	return (double)(tick_monotonic_ns() - s->begin_ns) / 1e9;
}

int session_init(struct session *s, struct trial_env *env, const struct config *first,
		 const struct plan *p, const char *stem, struct err *e)
{
	memset(s, 0, sizeof(*s));
	s->env = env;
	s->config = *first;
	s->plan = *p;
	s->plan.duration_s = 0;
	s->begin_ns = s->cpu_at_ns = tick_monotonic_ns();
	snprintf(s->stem, sizeof(s->stem), "%s", stem ? stem : "");
	s->model = calloc(1, sizeof(*s->model));
	if (!s->model || model_init(s->model, env->machine, env->topology, env->catalog) != 0)
		return err_set(e, -ENOMEM, "no memory for the model");
	s->model->events = env->events;
	s->model->fields = env->fields;
	env->live_counters = true;
	model_configure(s->model, first, &s->plan);
	if (env->events && env->events->note[0])
		model_say(s->model, MODEL_NOTE, "%s", env->events->note);
	return 0;
}

static void shown_drop(struct session *s)
{
	if (s->have_shown)
		round_free(&s->shown);
	s->have_shown = false;
}

static void kept_count_show(struct session *s)
{
	s->model->rounds_kept = s->kept_count + (s->have_shown && value_known(s->shown.ops));
}

/* The trial is over, well or not: its round is kept, its mean listed. */
static void trial_close(struct session *s)
{
	struct round r;

	if (!s->have_trial)
		return;
	if (trial_round(&s->trial, true, &r) == 0) {
		if (r.invariant == 2)
			model_say(s->model, MODEL_ERROR,
				  "%s:%s broke mutual exclusion: %llu ops left %llu in the counter",
				  r.config.workload, r.config.variant,
				  (unsigned long long)r.invariant_expected,
				  (unsigned long long)r.invariant_found);
		if (value_known(r.ops)) {
			model_trial_ended(s->model, &r);
			session_keep(s, &r);
		} else {
			round_free(&r);
		}
	}
	trial_fini(&s->trial);
	s->have_trial = false;
	if (!s->frozen)
		shown_drop(s);
	kept_count_show(s);
}

/* Keeps the dashboard off the measured CPUs where one is free. */
static void self_place(struct session *s)
{
	const struct topology *t = s->env->topology;
	size_t bytes = CPU_ALLOC_SIZE((size_t)t->cpu[t->cpu_count - 1].cpu + 1);
	cpu_set_t *set = CPU_ALLOC((size_t)t->cpu[t->cpu_count - 1].cpu + 1);
	unsigned left = 0;
	int only = -1;

	if (!set)
		return;
	CPU_ZERO_S(bytes, set);
	for (unsigned i = 0; i < t->cpu_count; i++)
		if (t->cpu[i].allowed) {
			CPU_SET_S((size_t)t->cpu[i].cpu, bytes, set);
			only = t->cpu[i].cpu;
			left++;
		}
	for (unsigned i = 0; i < s->config.threads; i++) {
		int cpu = s->trial.cpu[i];

		if (cpu >= 0 && CPU_ISSET_S((size_t)cpu, bytes, set)) {
			CPU_CLR_S((size_t)cpu, bytes, set);
			left--;
		}
	}
	s->model->self_shares_cpu = left == 0 || s->config.place == PLACE_NONE;
	s->model->self_cpu = -1;
	if (left == 0)
		sched_setaffinity(0, s->env->mask_bytes, s->env->mask);
	else
		sched_setaffinity(0, bytes, set);
	if (left == 1)
		for (unsigned i = 0; i < t->cpu_count; i++)
			if (CPU_ISSET_S((size_t)t->cpu[i].cpu, bytes, set))
				only = t->cpu[i].cpu;
	if (left == 1)
		s->model->self_cpu = only;
	CPU_FREE(set);
}

void session_start(struct session *s)
{
	struct err e = {0};

	if (s->have_trial)
		return;
	if (s->have_next)
		s->config = s->next;
	s->have_next = false;
	if (trial_start(&s->trial, s->env, &s->config, &s->plan, s->env->next_id + 1, 0, &e) != 0) {
		s->model->config = s->config;
		s->model->state = MODEL_FAILED;
		model_say(s->model, MODEL_ERROR, "%s", e.text);
		return;
	}
	s->have_trial = true;
	self_place(s);
	if (model_trial(s->model, &s->config, &s->plan, s->trial.id, s->trial.cpu) != 0) {
		model_say(s->model, MODEL_ERROR, "no memory for %u threads", s->config.threads);
		trial_close(s);
	}
}

static enum model_state state_of(const struct trial *t, enum trial_status st)
{
	if (t->stopped && (st == TRIAL_WARMING || st == TRIAL_RUNNING))
		return MODEL_STALLED;
	switch (st) {
	case TRIAL_STARTING:
		return MODEL_STARTING;
	case TRIAL_WARMING:
		return MODEL_WARMING;
	case TRIAL_RUNNING:
		return MODEL_RUNNING;
	case TRIAL_ENDED:
		return MODEL_IDLE;
	case TRIAL_FAILED:
		break;
	}
	return MODEL_FAILED;
}

static void record(struct session *s)
{
	struct err e = {0};

	if (!s->recording || !s->have_shown || !value_known(s->shown.ops))
		return;
	if (csv_series_add(&s->series, s->env->machine, &s->shown, &e) != 0) {
		model_say(s->model, MODEL_ERROR, "recording ended: %s", e.text);
		s->recording = s->model->recording = false;
	}
}

static void self_cost(struct session *s)
{
	uint64_t now = tick_monotonic_ns(), used;
	struct rusage ru;
	long pages = 0;
	FILE *f;

	if (now - s->cpu_at_ns < 1000000000u)
		return;
	getrusage(RUSAGE_SELF, &ru);
	used = (uint64_t)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * 1000000u +
	       (uint64_t)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec);
	s->model->self_cpu_ratio =
		value_of((double)(used - s->cpu_used_us) * 1e3 / (double)(now - s->cpu_at_ns));
	s->cpu_at_ns = now;
	s->cpu_used_us = used;
	f = fopen("/proc/self/statm", "re");
	if (f) {
		if (fscanf(f, "%*d %ld", &pages) == 1)
			s->model->self_rss_bytes =
				value_of((double)pages * (double)sysconf(_SC_PAGESIZE));
		fclose(f);
	}
}

/*
 * The kernel's figures of the workers, for `disturbed`: once a second, seldom with many threads, at
 * every refresh of a recording. About 60 us a thread.
 */
static void os_refresh(struct session *s)
{
	uint64_t now = tick_monotonic_ns(), every = 60000000u * (uint64_t)s->config.threads;

	if (every < 1000000000u)
		every = 1000000000u;
	if (s->frozen || (now - s->os_at_ns < every && !s->recording))
		return;
	s->os_at_ns = now;
	trial_os_read(&s->trial);
}

/* Brings the model up to date with the trial. @add: a refresh is due, not just a look. */
static void model_refresh(struct session *s, enum trial_status st, bool add)
{
	struct model_input in = {
		.snap = &s->trial.snap[s->trial.cur],
		.interval = &s->trial.interval,
		.away = s->trial.away,
		.state = state_of(&s->trial, st),
		.now_s = now_s(s),
		.add_sample = add,
	};

	if (s->frozen)
		return;
	shown_drop(s);
	if (trial_round(&s->trial, false, &s->shown) != 0)
		return;
	s->have_shown = true;
	in.round = &s->shown;
	model_update(s->model, &in);
	kept_count_show(s);
}

/* What has happened to CPUs and counters since the last tick. */
static void news_say(struct session *s)
{
	struct trial *t = &s->trial;
	const char *news = trial_counts_news(t);

	if (t->cpu_gone >= 0)
		model_say(s->model, MODEL_WARNING,
			  "CPU %d went offline: its workers run elsewhere, its cells are missing",
			  t->cpu_gone);
	if (t->cpu_back >= 0)
		model_say(s->model, MODEL_NOTE,
			  "CPU %d is back: its workers are pinned to it again", t->cpu_back);
	t->cpu_gone = t->cpu_back = -1;
	if (news)
		model_say(s->model, MODEL_WARNING, "%s", news);
}

void session_tick(struct session *s, bool refresh)
{
	struct err e = {0};
	enum trial_status st;
	bool was_stopped;

	self_cost(s);
	if (!s->frozen)
		s->model->now_s = now_s(s);
	if (!s->have_trial) {
		if (s->have_next)
			session_start(s);
		return;
	}
	was_stopped = s->trial.stopped;
	st = trial_tick(&s->trial, &e);
	if (s->trial.stopped && !was_stopped)
		model_say(s->model, MODEL_WARNING,
			  "stopped by a signal: kill -CONT %d, or 1-9 for another variant",
			  (int)s->trial.pid);
	news_say(s);
	os_refresh(s);
	model_refresh(s, st, refresh && st != TRIAL_ENDED && st != TRIAL_FAILED);
	if (refresh)
		record(s);
	if (st == TRIAL_FAILED) {
		model_say(s->model, MODEL_ERROR, "%s (1-9: another variant, Enter: again)", e.text);
		trial_close(s);
		s->model->state = MODEL_FAILED;
	} else if (st == TRIAL_ENDED) {
		trial_close(s);
		s->model->state = MODEL_IDLE;
		/* Fixed work that is done starts again: the next round. */
		if (s->have_next || s->plan.ops)
			session_start(s);
	}
}

int session_hurry_ms(const struct session *s)
{
	return s->have_trial && s->trial.stop_at_ns ? 10 : -1;
}

void session_switch(struct session *s, const struct config *c)
{
	struct config next = *c;
	struct err e = {0};

	if (catalog_complete(s->env->catalog, &next, s->env->topology->allowed_count, &e) != 0) {
		model_say(s->model, MODEL_WARNING, "%s", e.text);
		return;
	}
	s->next = next;
	s->have_next = true;
	if (s->have_trial)
		trial_stop(&s->trial);
	else
		session_start(s);
}

void session_measure(struct session *s, enum page_measure mode)
{
	struct config same = s->have_next ? s->next : s->config;

	s->plan.measure = mode;
	session_switch(s, &same);
}

void session_place_next(struct session *s)
{
	struct config c = s->have_next ? s->next : s->config;
	struct err e = {0};

	for (int i = 0; i < PLACE_COUNT; i++) {
		struct place_request rq = {.threads = c.threads};
		int cpu[1];

		c.place = (enum place_policy)((c.place + 1) % PLACE_COUNT);
		c.place_given = true;
		rq.policy = c.place;
		if (place_order(s->env->topology, &rq, cpu, 1, &e) >= 0 || e.code == -ERANGE) {
			session_switch(s, &c);
			return;
		}
		model_say(s->model, MODEL_NOTE, "skipped: %s", e.text);
	}
}

void session_freeze(struct session *s, bool frozen)
{
	struct round full;

	/* The round that stands on the screen, with its buckets, so that a snapshot equals it. */
	if (frozen && s->have_trial) {
		trial_os_read(&s->trial);
		model_refresh(s, s->trial.status, false);
		if (s->have_shown && trial_round(&s->trial, true, &full) == 0) {
			round_free(&s->shown);
			s->shown = full;
		}
	}
	s->frozen = frozen;
}

void session_clear(struct session *s)
{
	while (s->kept_count)
		session_drop_oldest(s);
	model_clear(s->model);
	kept_count_show(s);
	model_say(s->model, MODEL_NOTE, "history and rounds cleared");
}

void session_pause(struct session *s)
{
	struct err e = {0};

	if (!s->have_trial)
		return;
	trial_stop(&s->trial);
	for (int i = 0; i < 40; i++) {
		struct pollfd p = {.fd = s->trial.pidfd, .events = POLLIN};
		enum trial_status st;

		poll(&p, 1, 10);
		st = trial_tick(&s->trial, &e);
		if (st == TRIAL_ENDED || st == TRIAL_FAILED)
			break;
	}
	trial_close(s);
	s->model->state = MODEL_IDLE;
}

void session_fini(struct session *s)
{
	if (s->recording)
		csv_series_close(&s->series);
	trial_fini(&s->trial);
	shown_drop(s);
	while (s->kept_count)
		session_drop_oldest(s);
	if (s->model)
		model_fini(s->model);
	free(s->model);
	s->model = NULL;
}
