/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs trials one after the other and reports their rounds.
 */
#include "src/run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "src/flow/csv.h"
#include "src/report.h"

enum {
	TICK_MS = 100,
	LABEL_BYTES = 96,
};

/* One run. Lives in run_cmd(). */
struct run {
	const struct cli_options *o;
	struct trial_env *env;
	const struct spec_list *list;
	FILE *progress; /* NULL = none wanted */
	int signals;    /* signalfd */
	int signal;     /* that ended the run; 0 = none */
	bool failed;
	bool counts_told; /* what the counters lack was said */
	unsigned total;   /* trials of the whole run */
	unsigned started;
	uint64_t begin_ns;    /* CLOCK_MONOTONIC */
	uint64_t trial_ns;    /* when the running trial began */
	unsigned count;       /* finished rounds */
	struct round **round; /* in the order they were run; total entries */
	unsigned *config;     /* of each finished round */
};

unsigned run_order(unsigned configs, unsigned round, unsigned place)
{
	return (place + round) % configs;
}

static void __attribute__((format(printf, 2, 3))) complain(struct run *r, const char *fmt, ...)
{
	va_list ap;

	if (r->progress)
		report_progress_clear(r->progress);
	fputs("hotline: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	r->failed = true;
}

/* Seconds until the last trial ends, from those that have; before, from the plan. */
static double left_s(const struct run *r, uint64_t now)
{
	const struct plan *p = &r->o->plan;
	unsigned done = r->started - 1;
	double each = p->warmup_s + p->duration_s, left;

	if (done)
		each = (double)(r->trial_ns - r->begin_ns) / 1e9 / done;
	else if (p->ops)
		return -1;
	left = each * (r->total - done) - (double)(now - r->trial_ns) / 1e9;
	return left > 0 ? left : 0;
}

static void progress_show(const struct run *r, const char *label, enum trial_status status)
{
	static const char *const state[] = {
		[TRIAL_STARTING] = "starting", [TRIAL_WARMING] = "warming",
		[TRIAL_RUNNING] = "running",   [TRIAL_ENDED] = "ended",
		[TRIAL_FAILED] = "failed",
	};
	struct report_progress p = {
		.number = r->started,
		.total = r->total,
		.label = label,
		.state = state[status],
		.left_s = left_s(r, tick_monotonic_ns()),
	};

	if (r->progress)
		report_progress(r->progress, &p);
}

/* Waits for the trial's bell or end, a tick or a signal. Returns true if a signal came. */
static bool wait_event(struct run *r, const struct trial *t)
{
	struct pollfd fds[] = {{.fd = t->pidfd, .events = POLLIN},
			       {.fd = r->signals, .events = POLLIN},
			       {.fd = t->sync_fd, .events = POLLIN}};
	struct signalfd_siginfo si;

	if (poll(fds, 3, TICK_MS) > 0 && fds[1].revents &&
	    read(r->signals, &si, sizeof(si)) == (ssize_t)sizeof(si))
		r->signal = (int)si.ssi_signo;
	return r->signal != 0;
}

/* Keeps the round of a trial that has ended. */
static void round_keep(struct run *r, const struct trial *t, unsigned config, const char *label)
{
	struct round *round = calloc(1, sizeof(*round));

	if (!round || trial_round(t, r->o->output != NULL, round) != 0) {
		free(round);
		complain(r, "no memory for a round: it is left out");
		return;
	}
	if (!value_known(round->ops)) {
		complain(r, "%s ended before its round %u had begun (it is left out)", label,
			 t->number);
		round_free(round);
		free(round);
		return;
	}
	if (round->invariant == 2) {
		complain(r,
			 "%s broke mutual exclusion: the protected data counts %llu of %llu ops "
			 "(round %u is left out)",
			 label, (unsigned long long)round->invariant_found,
			 (unsigned long long)round->invariant_expected, t->number);
		round_free(round);
		free(round);
		return;
	}
	if (round->limit_hit)
		complain(r,
			 "%s reached the limit of %g s in round %u (raise --limit or lower --ops)",
			 label, r->o->plan.limit_s, t->number);
	r->config[r->count] = config;
	r->round[r->count++] = round;
}

/* Counters that are short of something are no failure: one line, once. */
static void counts_tell(struct run *r, const char *news)
{
	if (!news || r->counts_told)
		return;
	if (r->progress)
		report_progress_clear(r->progress);
	fprintf(stderr, "hotline: %s\n", news);
	r->counts_told = true;
}

static void trial_run(struct run *r, unsigned config, unsigned number)
{
	struct trial t = {0};
	struct err e = {0};
	char label[LABEL_BYTES];
	enum trial_status status = TRIAL_STARTING;

	spec_label(r->list, config, label, sizeof(label));
	r->trial_ns = tick_monotonic_ns();
	r->started++;
	if (trial_start(&t, r->env, &r->list->config[config], &r->o->plan, number, r->started,
			&e)) {
		complain(r, "%s", e.text);
		return;
	}
	while (status != TRIAL_ENDED && status != TRIAL_FAILED) {
		progress_show(r, label, status);
		if (wait_event(r, &t))
			break;
		status = trial_tick(&t, &e);
		counts_tell(r, trial_counts_news(&t));
	}
	if (status == TRIAL_ENDED)
		round_keep(r, &t, config, label);
	else if (status == TRIAL_FAILED)
		complain(r, "%s", e.text);
	trial_fini(&t);
}

static void trials_run(struct run *r)
{
	r->begin_ns = tick_monotonic_ns();
	for (unsigned round = 0; round < r->o->plan.rounds; round++) {
		for (unsigned place = 0; place < r->list->count && !r->signal; place++)
			trial_run(r, run_order(r->list->count, round, place), round + 1);
	}
	if (r->progress)
		report_progress_clear(r->progress);
}

/* Probes are compared within a configuration: another placement has another distance. */
static int disturbed_mark(const struct run *r)
{
	struct round **same = calloc(r->count + 1u, sizeof(struct round *));

	if (!same)
		return -ENOMEM;
	for (unsigned config = 0; config < r->list->count; config++) {
		unsigned n = 0;

		for (unsigned i = 0; i < r->count; i++) {
			if (r->config[i] == config)
				same[n++] = r->round[i];
		}
		round_series_disturbed(same, n);
	}
	free(same);
	return 0;
}

static int report(const struct run *r, bool ascii, struct err *e)
{
	const struct report_input in = {
		.machine = r->env->machine,
		.fields = r->env->fields,
		.catalog = r->env->catalog,
		.list = r->list,
		.plan = &r->o->plan,
		.round = (const struct round *const *)r->round,
		.config = r->config,
		.round_count = r->count,
		.ascii = ascii,
	};
	int rc = 0;

	if (disturbed_mark(r))
		return err_set(e, -ENOMEM, "no memory for the report");
	switch (r->o->format) {
	case FORMAT_TEXT:
		report_text(stdout, &in);
		break;
	case FORMAT_CSV:
		rc = report_csv(stdout, &in);
		break;
	case FORMAT_JSON:
		rc = report_json(stdout, &in);
		break;
	}
	if (rc == -ENOMEM)
		err_set(e, rc, "no memory for the report");
	/* -EIO: the caller checks stdout and says so. */
	if (r->o->output && r->count) {
		int written =
			csv_snapshot(r->o->output, in.fields, in.machine, in.round, r->count, e);

		rc = rc ? rc : written;
	}
	return rc;
}

/* A place that cannot be written is better known before the run than after it. */
static int output_check(const char *stem, struct err *e)
{
	char path[512], folder[512];
	char *slash;

	if ((size_t)snprintf(path, sizeof(path), "%s-rounds.csv", stem) >= sizeof(path))
		return err_set(e, -ENAMETOOLONG, "--output '%.40s...': too long", stem);
	if (access(path, F_OK) == 0)
		return err_set(e, -EEXIST, "writing %s: it exists (choose another stem)", path);
	snprintf(folder, sizeof(folder), "%s", path);
	slash = strrchr(folder, '/');
	snprintf(slash ? slash + (slash == folder) : folder, 2, "%s", slash ? "" : ".");
	if (access(folder, W_OK) != 0)
		return err_set(e, -errno, "writing %s: %s (choose another stem)", path,
			       strerror(errno));
	return 0;
}

static int run_open(struct run *r, struct err *e)
{
	sigset_t set;

	if (r->o->output && output_check(r->o->output, e))
		return e->code;
	r->total = r->list->count * r->o->plan.rounds;
	r->round = calloc(r->total, sizeof(struct round *));
	r->config = calloc(r->total, sizeof(*r->config));
	if (!r->round || !r->config)
		return err_set(e, -ENOMEM, "no memory for %u rounds", r->total);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	r->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (r->signals < 0)
		return err_set(e, -errno, "signalfd: %s", strerror(errno));
	return 0;
}

int run_cmd(const struct cli_options *o, struct trial_env *env, const struct spec_list *list,
	    bool ascii, struct err *e)
{
	struct run r = {
		.o = o,
		.env = env,
		.list = list,
		.progress = isatty(STDERR_FILENO) ? stderr : NULL,
		.signals = -1,
	};
	int rc = run_open(&r, e);

	if (!rc) {
		trials_run(&r);
		rc = report(&r, ascii, e);
	}
	for (unsigned i = 0; i < r.count; i++) {
		round_free(r.round[i]);
		free(r.round[i]);
	}
	free(r.round);
	free(r.config);
	if (r.signals >= 0)
		close(r.signals);
	return r.signal ? 128 + r.signal : rc || r.failed ? 1 : 0;
}
