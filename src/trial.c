/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts, watches and ends one lab process.
 */
#include "src/trial.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/child.h"
#include "src/trial_parts.h"

static uint64_t seconds_ns(double s)
{
	return s > 0 ? (uint64_t)(s * 1e9 + 0.5) : 0;
}

static int place(struct trial *t, struct err *e)
{
	const struct topology *topo = t->env->topology;
	int *want = calloc(PAGE_SLOTS, sizeof(*want));
	struct place_request rq = {.policy = t->config.place,
				   .want = want,
				   .threads = t->config.threads};
	int rc = -ENOMEM, n = 0;

	t->cpu = calloc(t->config.threads, sizeof(*t->cpu));
	if (!want || !t->cpu) {
		err_set(e, rc, "no memory for %u threads", t->config.threads);
		goto out;
	}
	if (t->config.cpus[0])
		n = cpulist_parse(t->config.cpus, want, PAGE_SLOTS, e);
	if (n < 0) {
		rc = n;
		goto out;
	}
	rq.want_count = (unsigned)n;
	rq.keep_order = n > 0 && !t->config.place_given;
	rc = place_threads(topo, &rq, t->cpu, e);
out:
	free(want);
	return rc;
}

/* The trial's whole configuration, into the page; the lab reads it once. */
static void ctl_fill(struct trial *t)
{
	struct page_ctl *ctl = &t->page->ctl;
	const struct config *c = &t->config;

	memcpy(ctl->workload, c->workload, sizeof(ctl->workload));
	memcpy(ctl->variant, c->variant, sizeof(ctl->variant));
	ctl->threads = c->threads;
	ctl->measure = (uint32_t)t->plan.measure;
	ctl->sample_n = t->plan.sample_n;
	ctl->tick_source = (uint32_t)t->env->machine->tick.source;
	ctl->round = t->number;
	ctl->seed = t->plan.seed;
	ctl->warmup_ns = seconds_ns(t->plan.warmup_s);
	ctl->duration_ns = t->plan.ops ? 0 : seconds_ns(t->plan.duration_s);
	ctl->ops = t->plan.ops;
	ctl->limit_ns = t->plan.ops ? seconds_ns(t->plan.limit_s) : 0;
	ctl->delay_per_ns = t->env->delay_per_ns;
	ctl->knob_count = c->knob_count;
	for (unsigned i = 0; i < c->knob_count; i++) {
		memcpy(ctl->knob[i].name, c->knob[i].name, sizeof(ctl->knob[i].name));
		memcpy(ctl->knob[i].value, c->knob[i].value, sizeof(ctl->knob[i].value));
	}
	for (unsigned i = 0; i < c->threads; i++)
		ctl->cpu[i] = t->cpu[i];
}

int trial_start(struct trial *t, struct trial_env *env, const struct config *c,
		const struct plan *p, unsigned number, unsigned order, struct err *e)
{
	struct child_spec spec = {.path = env->lab_path,
				  .stdout_fd = -1,
				  .sync_fd = -1,
				  .mask = env->mask,
				  .mask_bytes = env->mask_bytes};
	unsigned events = env->events ? env->events->count : 0;
	int rc;

	memset(t, 0, sizeof(*t));
	t->env = env;
	t->config = *c;
	t->plan = *p;
	t->id = ++env->next_id;
	t->number = number;
	t->order = order;
	t->interleaved = order > 0;
	t->pidfd = t->page_fd = t->sync_fd = -1;
	t->cpu_gone = t->cpu_back = -1;
	rc = place(t, e);
	if (rc)
		goto out;
	t->os = calloc(c->threads, sizeof(*t->os));
	if (!t->os || snap_init(&t->snap[0], c->threads, events) ||
	    snap_init(&t->snap[1], c->threads, events) ||
	    interval_init(&t->interval, c->threads, events) || trial_counts_init(t) ||
	    trial_cpus_init(t)) {
		rc = err_set(e, -ENOMEM, "no memory for %u threads", c->threads);
		goto out;
	}
	rc = page_create(&t->page_fd, &t->page, e);
	if (rc)
		goto out;
	ctl_fill(t);
	spec.page_fd = t->page_fd;
	rc = trial_sync_open(t, &spec.sync_fd, e);
	if (rc)
		goto out;
	rc = child_start(&spec, &t->pid, &t->pidfd, e);
	if (spec.sync_fd >= 0)
		close(spec.sync_fd);
	if (rc) {
		t->pid = 0;
		goto out;
	}
	t->anchor = tick_anchor_now(env->machine->tick.source);
	t->progress_at_ns = tick_monotonic_ns();
out:
	if (rc)
		trial_fini(t);
	return rc;
}

/* The lab has exited: how? */
static void reap(struct trial *t, struct err *e)
{
	const struct page_lab *l = &trial_newest(t)->lab;
	char how[96];
	int status = 0;

	if (waitpid(t->pid, &status, WNOHANG) != t->pid)
		return;
	t->pid = 0;
	if (l->told == 1 && !t->stop_at_ns) {
		trial_failed(t, e, "was ended by a signal from elsewhere");
	} else if (l->state == PAGE_LAB_DONE && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		t->status = TRIAL_ENDED;
	} else if (l->state == PAGE_LAB_FAILED) {
		t->status = TRIAL_FAILED;
		err_set(e, -EIO, "%s:%s: %.*s", t->config.workload, t->config.variant,
			(int)sizeof(l->error), l->error);
	} else if (t->stop_at_ns) {
		/* Asked to end and killed because it hung: the figures so far stand. */
		t->status = TRIAL_ENDED;
	} else {
		trial_failed(t, e, child_status_format(status, how, sizeof(how)));
	}
}

static void status_update(struct trial *t)
{
	const struct page_lab *l = &trial_newest(t)->lab;

	switch ((enum page_lab_state)l->state) {
	case PAGE_LAB_NONE:
	case PAGE_LAB_STARTING:
		t->status = TRIAL_STARTING;
		break;
	case PAGE_LAB_WARMING:
		t->status = TRIAL_WARMING;
		break;
	case PAGE_LAB_RUNNING:
	case PAGE_LAB_CHECKING:
	case PAGE_LAB_DONE:
	case PAGE_LAB_FAILED:
		if (!t->running_since_ns)
			t->running_since_ns = tick_monotonic_ns();
		t->status = TRIAL_RUNNING;
		break;
	}
}

static void utc_now(char *buf, size_t size)
{
	time_t now = time(NULL);
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

enum trial_status trial_tick(struct trial *t, struct err *e)
{
	enum tick_source source = t->env->machine->tick.source;
	struct tick_anchor now;
	siginfo_t si = {0};
	bool exited;
	double hz;

	if (t->status == TRIAL_ENDED || t->status == TRIAL_FAILED)
		return t->status;
	/* Looked at first: the snapshot below is then the last word of a lab that is gone. */
	exited =
		waitid(P_PIDFD, (id_t)t->pidfd, &si, WEXITED | WNOHANG | WNOWAIT) == 0 && si.si_pid;
	t->cur ^= 1;
	snap_take(&t->snap[t->cur], t->page, source);
	trial_counts_tick(t);
	now = tick_anchor_now(source);
	hz = tick_rate_hz(&t->anchor, &now);
	if (hz > 0)
		t->tick_hz = hz;
	interval_make(&t->interval, &t->snap[t->cur ^ 1], &t->snap[t->cur], t->tick_hz);
	utc_now(t->utc, sizeof(t->utc));
	status_update(t);
	if (trial_newest(t)->lab.delay_per_ns > 0 && t->env->delay_per_ns <= 0)
		t->env->delay_per_ns = trial_newest(t)->lab.delay_per_ns;
	if (exited)
		reap(t, e);
	else
		trial_watch(t, e);
	trial_cpus_tick(t);
	return t->status;
}

void trial_stop(struct trial *t)
{
	if (t->pid <= 0 || t->stop_at_ns)
		return;
	t->stop_at_ns = tick_monotonic_ns();
	kill(t->pid, SIGTERM);
	kill(t->pid, SIGCONT);
}

void trial_os_read(struct trial *t)
{
	const struct snap *s = trial_newest(t);

	t->have_os = t->pid > 0;
	for (unsigned i = 0; i < s->thread_count; i++)
		if (t->pid <= 0 ||
		    osstat_read(t->pid, s->thread[i].tid, s->thread[i].cpu, &t->os[i]))
			t->have_os = false;
}

int trial_round(const struct trial *t, bool buckets, struct round *out)
{
	struct round_input in = {
		.snap = trial_newest(t),
		.config = &t->config,
		.plan = &t->plan,
		.topology = t->env->topology,
		.tick_hz = t->tick_hz,
		.source = t->env->machine->tick.source,
		.tick_is_clock = strcmp(t->env->machine->tick.name, "tsc") == 0,
		.utc = t->utc,
		.trial = t->id,
		.number = t->number,
		.order = t->order,
		.interleaved = t->interleaved,
		.now = t->have_os ? t->os : NULL,
		.events = t->env->events,
		.counts_from = t->have_from ? t->counts_from : NULL,
		.counts_to = trial_counts_newest(t),
		.moved = t->moved,
		.stopped = t->was_stopped,
		.buckets = buckets,
	};

	return round_make(out, &in);
}

void trial_fini(struct trial *t)
{
	if (!t->env)
		return;
	if (t->pid > 0) {
		kill(-t->pid, SIGKILL);
		kill(t->pid, SIGKILL);
		waitpid(t->pid, NULL, 0);
	}
	if (t->pidfd >= 0)
		close(t->pidfd);
	trial_counts_fini(t);
	trial_cpus_fini(t);
	if (t->page_fd >= 0)
		close(t->page_fd);
	page_unmap(t->page);
	interval_fini(&t->interval);
	snap_fini(&t->snap[0]);
	snap_fini(&t->snap[1]);
	free(t->os);
	free(t->cpu);
	memset(t, 0, sizeof(*t));
	t->pidfd = t->page_fd = t->sync_fd = -1;
}
