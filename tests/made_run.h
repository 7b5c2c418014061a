/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A made-up trial that runs, and the model that shows it: time and work come from the test.
 */
#ifndef HOTLINE_TESTS_MADE_RUN_H
#define HOTLINE_TESTS_MADE_RUN_H

#include "src/flow/model.h"
#include "tests/made_trial.h"

enum { MADE_RUN_THREADS = 8 }; /* at most */

/* Tests change what they are about: the snapshot, the plan, the configuration, the input. */
struct made_run {
	struct made_trial made;
	struct model fixture; /* lends its catalogue */
	struct interval interval;
	struct round round;
	struct model model;
	struct model_input in;
	int cpus[MADE_RUN_THREADS];
	uint64_t last_ops[MADE_RUN_THREADS]; /* at the last refresh */
	double since_s;			     /* the last refresh */
};

/* What an op takes; the time outside is counted from the release to the next request. */
struct made_op {
	double wait_ns, hold_ns, gap_ns;
};

/* One trial of @threads threads in its measured phase; nothing is done yet. Every op is stamped. */
void made_run_init(struct made_run *r, unsigned threads);
void made_run_fini(struct made_run *r);

/* The next trial of made.config and made.plan: threads stand at 0 again. */
void made_run_trial(struct made_run *r);

/* Thread @thread did @ops ops, @stamped of them were booked as @op in lock role 0. */
void made_run_work(struct made_run *r, unsigned thread, uint64_t ops, uint64_t stamped,
		   struct made_op op);

/* Time passes; the threads do what made_run_work() said, no more. */
void made_run_time(struct made_run *r, double s);

/* A refresh of the screen: a history sample. */
void made_run_refresh(struct made_run *r);

/* A look: no history sample. */
void made_run_look(struct made_run *r);

/*
 * Fails the test unless threads / throughput = mean wait + hold + outside, as the screen shows
 * them, within MODEL_SHARE_TOLERANCE.
 */
void made_run_assert_sum(const struct model *m);

#endif
