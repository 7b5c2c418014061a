/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One trial: one lab process with one configuration, from start to its round.
 *
 * The same for `hotline run` and the dashboard. A crash, a hang or a kill of the lab ends the trial
 * with a sentence in the caller's struct err, and nothing else.
 */
#ifndef HOTLINE_SRC_TRIAL_H
#define HOTLINE_SRC_TRIAL_H

#include "probes/err.h"
#include "probes/page.h"
#include "probes/pmu_set.h"
#include "probes/tick.h"
#include "src/catalog.h"
#include "src/config.h"
#include "src/flow/field.h"
#include "src/flow/interval.h"
#include "src/flow/round.h"
#include "src/flow/snap.h"
#include "src/machine.h"

#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

/* What does not change from trial to trial. Owned by the main or app; borrowed by trials. */
struct trial_env {
	const struct machine *machine;
	const struct topology *topology;
	const struct catalog *catalog;
	const struct pmu_list *events; /* NULL = nothing is counted */
	const struct fields *fields;   /* of these events */
	bool live_counters;	       /* read at each tick, not only at the ends of the phase */
	const char *lab_path; /* program to exec, from child_lab_path() */
	/* learnt from the first trial, passed on to later ones; 0 = none yet */
	double delay_per_ns;
	unsigned next_id;     /* numbers trials, 1.. */
	int watchdog_ms;      /* no progress for this long = stalled; 2000 */
	/* the affinity hotline was started with: workers that are not pinned */
	const cpu_set_t *mask;
	size_t mask_bytes;
};

enum trial_status {
	TRIAL_STARTING,
	TRIAL_WARMING,
	TRIAL_RUNNING,
	TRIAL_ENDED,	/* all rows are final, the lab has exited well */
	TRIAL_FAILED,	/* it crashed, was killed, stalled, or said why it could not run */
};

/* Written by the functions below only. */
struct trial {
	struct trial_env *env;
	struct config config;
	struct plan plan;
	unsigned id, number, order; /* trial id, round of its configuration, place in the run */
	bool interleaved;
	enum trial_status status;
	pid_t pid;
	int pidfd;	 /* readable when the lab has exited; -1 = none */
	int page_fd;
	int sync_fd;	 /* readable when the lab rings: trial_tick() answers; -1 = none */
	struct page *page;
	int *cpu;	 /* per thread, from place_threads() */
	struct snap snap[2];
	unsigned cur;	 /* snap[cur] is the newest */
	bool have_prev;
	struct interval interval;
	struct tick_anchor anchor; /* at the start: the rate is measured against it */
	double tick_hz;
	uint64_t progress_ops, progress_at_ns; /* watchdog: last total that differed, and when */
	uint32_t progress_state;
	uint64_t state_since_ns; /* the lab's state was seen to change then */
	bool stopped; /* by a signal: the watchdog stands still */
	bool was_stopped; /* at some time in this trial */
	uint64_t running_since_ns; /* CLOCK_MONOTONIC when RUNNING was first seen; 0 = not yet */
	uint64_t stop_at_ns;	/* trial_stop() was called then; 0 = not */
	char utc[32];
	struct osstat *os; /* of running threads, filled by trial_os_read() */
	bool have_os;

	/* counters, by trial_counts.c: opened when all threads exist */
	struct pmu_set counters;
	bool have_counters, have_from, have_to;
	bool counts_told; /* by trial_counts_news() */
	struct pmu_count *counts_from, *counts_to; /* at the ends of the measured phase */
	int *tid; /* per thread, those that are the lab's; -1 = not, or not known */

	/* hot-plug, by trial_cpus.c: per thread */
	bool *away;  /* its CPU is offline now: it runs elsewhere */
	bool *moved; /* its CPU was offline at some time in this trial */
	uint64_t cpus_at_ns; /* looked at then */
	int cpu_gone, cpu_back; /* CPU seen to go and come since the last look of the caller; -1 */
};

/*
 * Starts a trial. @c must have passed catalog_complete().
 * @number: round of its configuration (layout is drawn from seed and number), @order: its place in
 *   the run, 0 in the dashboard.
 * Errors: placement (-ENODEV, -ENOTSUP), -ENOENT (no lab program), -EAGAIN, page_create()'s.
 * Cost: about 1 ms; never waits for the lab.
 */
int trial_start(struct trial *t, struct trial_env *env, const struct config *c,
		const struct plan *p, unsigned number, unsigned order, struct err *e);

/*
 * One tick: takes a snapshot, makes the interval, looks at the watchdog and at whether the lab has
 * exited.
 * Returns the status; for TRIAL_FAILED @e says what happened, to which thread, on which CPU, at
 * which op count.
 */
enum trial_status trial_tick(struct trial *t, struct err *e);

/* Asks the lab to end: SIGTERM, and SIGKILL 300 ms later from trial_tick(). Never waits. */
void trial_stop(struct trial *t);

/* Reads the kernel's figures of the running threads, for trial_round() of a running trial. */
void trial_os_read(struct trial *t);

/*
 * The round so far, or the finished one. @buckets: with the -hist table. Free with round_free().
 * Returns 0 or -ENOMEM.
 */
int trial_round(const struct trial *t, bool buckets, struct round *out);

/*
 * What went wrong when the counters of this trial were opened (descriptors that did not suffice, a
 * thread that refused), once: the next call returns NULL, as does one without news.
 */
const char *trial_counts_news(struct trial *t);

/* Kills the lab if it still lives, reaps it, frees everything. @t may be zeroed. */
void trial_fini(struct trial *t);

#endif
