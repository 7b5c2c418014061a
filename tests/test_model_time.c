/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the threads' time goes: made-up trials whose wait, hold and time outside are known.
 */
#include "src/flow/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/made_run.h"

enum { THREADS = 4 };

static int setup(void **state)
{
	static struct made_run r;

	*state = &r;
	made_run_init(&r, THREADS);
	return 0;
}

static int teardown(void **state)
{
	made_run_fini(*state);
	return 0;
}

static bool near(struct value v, double expected, double tolerance)
{
	return v.why == WHY_OK && fabs(v.v - expected) <= tolerance;
}

/* Every thread does nothing but @op for @s seconds; one op in @sample_n is stamped. */
static void run(struct made_run *r, double s, unsigned sample_n, struct made_op op)
{
	double op_ns = op.wait_ns + op.hold_ns + op.gap_ns;
	uint64_t ops = (uint64_t)llround(s * 1e9 / op_ns);
	struct made_op stamped = op;

	/* Between two stamped ops lie the plain ones as well. */
	stamped.gap_ns += (sample_n - 1) * op_ns;
	for (unsigned i = 0; i < THREADS; i++)
		made_run_work(r, i, ops, ops / sample_n, stamped);
	made_run_time(r, s);
	r->made.snap.lab.sample_n = sample_n;
}

static const struct made_op known[] = {
	{600, 100, 300}, {0, 100, 900}, {5000, 50, 0}, {10, 10, 10}, {64000, 1000, 35000},
};

static void every_op_stamped_expect_three_measurements_that_add_up(void **state)
{
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct made_run *r;
		double op_ns = known[i].wait_ns + known[i].hold_ns + known[i].gap_ns;

		assert_int_equal(setup(state), 0);
		r = *state;
		run(r, 2, 1, known[i]);
		made_run_refresh(r);
		assert_true(r->model.outside_measured);
		assert_true(near(r->model.wait_ratio, known[i].wait_ns / op_ns, 1e-4));
		assert_true(near(r->model.hold_ratio, known[i].hold_ns / op_ns, 1e-4));
		assert_true(near(r->model.outside_ratio, known[i].gap_ns / op_ns, 1e-4));
		made_run_assert_sum(&r->model);
		teardown(state);
	}
}

static void some_ops_stamped_expect_outside_as_the_remainder(void **state)
{
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct made_run *r;
		double op_ns = known[i].wait_ns + known[i].hold_ns + known[i].gap_ns;

		assert_int_equal(setup(state), 0);
		r = *state;
		r->made.plan.measure = i % 2 ? PAGE_MEASURE_AUTO : PAGE_MEASURE_SAMPLED;
		made_run_trial(r);
		run(r, 2, 64, known[i]);
		made_run_refresh(r);
		assert_false(r->model.outside_measured);
		assert_true(near(r->model.wait_ratio, known[i].wait_ns / op_ns, 1e-4));
		assert_true(near(r->model.hold_ratio, known[i].hold_ns / op_ns, 1e-4));
		assert_true(near(r->model.outside_ratio, known[i].gap_ns / op_ns, 1e-4));
		made_run_assert_sum(&r->model);
		teardown(state);
	}
}

/* The remainder and the measurement are two ways to the same number. */
static void sampling_of_every_op_expect_outside_measured(void **state)
{
	struct made_run *r = *state;
	double measured;

	r->made.plan.measure = PAGE_MEASURE_AUTO;
	made_run_trial(r);
	run(r, 1, 1, known[0]);
	made_run_refresh(r);
	assert_true(r->model.outside_measured);
	measured = r->model.outside_ratio.v;
	r->made.snap.lab.sample_n = 2;
	made_run_look(r);
	assert_false(r->model.outside_measured);
	assert_true(near(r->model.outside_ratio, measured, 1e-4));
}

/* An inner lock's wait and hold lie inside the outer hold. */
static void nested_roles_expect_them_counted_once(void **state)
{
	struct made_run *r = *state;
	const double tick = MADE_HZ / 1e9;
	struct model alone;

	run(r, 1, 1, (struct made_op){200, 700, 100});
	made_run_refresh(r);
	alone = r->model;
	r->made.snap.role_count = r->made.snap.lab.role_count = r->model.role_count = 2;
	for (unsigned i = 0; i < THREADS; i++) {
		struct snap_thread *t = &r->made.snap.thread[i];
		uint64_t ops = t->row[0].ops;

		t->row_count = 3;
		t->row[2].valid = 1;
		made_hist(&t->row[2].a, (uint64_t)(300 * tick), ops);
		made_hist(&t->row[2].b, (uint64_t)(350 * tick), ops);
	}
	made_run_look(r);
	assert_number(r->model.wait[1].stat.mean_ns, 300);
	assert_number(r->model.hold[1].stat.mean_ns, 350);
	assert_number(r->model.wait_ratio, alone.wait_ratio.v);
	assert_number(r->model.hold_ratio, alone.hold_ratio.v);
	assert_number(r->model.outside_ratio, alone.outside_ratio.v);
	made_run_assert_sum(&r->model);
}

/* An op that takes the lock three times waits three times. */
static void several_acquisitions_an_op_expect_all_of_them_counted(void **state)
{
	struct made_run *r = *state;

	r->made.snap.lab.role[0].acquires_per_op = 3;
	for (unsigned i = 0; i < THREADS; i++)
		made_run_work(r, i, 1000000, 3000000, (struct made_op){100, 50, 150});
	made_run_time(r, 0.9);
	made_run_refresh(r);
	assert_true(near(r->model.wait_ratio, 1 / 3.0, 1e-9));
	assert_true(near(r->model.hold_ratio, 1 / 6.0, 1e-9));
	assert_true(near(r->model.outside_ratio, 1 / 2.0, 1e-9));
	assert_false(r->model.sums_disagree);
}

static void more_than_all_time_expect_it_said_not_clamped(void **state)
{
	struct made_run *r = *state;
	const struct model *m = &r->model;

	/* The stamped ops waited 1.5 times as long as all can have done. */
	r->made.plan.measure = PAGE_MEASURE_AUTO;
	made_run_trial(r);
	for (unsigned i = 0; i < THREADS; i++)
		made_run_work(r, i, 1000000, 10000, (struct made_op){1000, 500, 0});
	made_run_time(r, 1);
	r->made.snap.lab.sample_n = 100;
	made_run_refresh(r);
	assert_number(m->wait_ratio, 1);
	assert_number(m->hold_ratio, 0.5);
	assert_true(m->sums_disagree);
	assert_int_equal(m->outside_ratio.why, WHY_UNRESOLVED);
}

static void ops_shorter_than_their_stamps_expect_shares_unresolved(void **state)
{
	struct made_run *r = *state;

	r->made.plan.measure = PAGE_MEASURE_AUTO;
	made_run_trial(r);
	for (unsigned i = 0; i < THREADS; i++)
		made_run_work(r, i, 100000000, 1000, (struct made_op){20, 25, 0});
	made_run_time(r, 1);
	r->made.snap.lab.sample_n = 100000;
	made_run_refresh(r);
	assert_true(r->model.sums_disagree);
	assert_int_equal(r->model.wait_ratio.why, WHY_UNRESOLVED);
	assert_int_equal(r->model.hold_ratio.why, WHY_UNRESOLVED);
	assert_int_equal(r->model.outside_ratio.why, WHY_UNRESOLVED);
	assert_true(r->model.wait_ratio.v == 1); /* the bound */
}

/* Stamps take a little time of their own. */
static void little_more_than_all_time_expect_nothing_outside(void **state)
{
	struct made_run *r = *state;

	r->made.plan.measure = PAGE_MEASURE_AUTO;
	made_run_trial(r);
	for (unsigned i = 0; i < THREADS; i++)
		made_run_work(r, i, 1000000, 10000, (struct made_op){530, 500, 0});
	made_run_time(r, 1);
	r->made.snap.lab.sample_n = 100;
	made_run_refresh(r);
	assert_false(r->model.sums_disagree);
	assert_number(r->model.outside_ratio, 0);
	made_run_assert_sum(&r->model);
}

/* A machine that is busy: one thread began late and ended late. */
static void threads_of_unlike_time_expect_shares_of_their_own_time(void **state)
{
	struct made_run *r = *state;
	struct snap_thread *t = &r->made.snap.thread[1];

	run(r, 1, 1, known[0]);
	t->begin_ticks += MADE_HZ / 2;
	t->taken_ticks += MADE_HZ / 2;
	made_run_refresh(r);
	assert_true(near(r->model.wait_ratio, 0.6, 1e-4));
	assert_true(near(r->model.hold_ratio, 0.1, 1e-4));
	assert_true(near(r->model.outside_ratio, 0.3, 1e-4));
	assert_false(r->model.sums_disagree);
}

static void measured_shares_that_leave_a_hole_expect_it_said(void **state)
{
	struct made_run *r = *state;

	run(r, 1, 1, (struct made_op){200, 300, 500});
	made_run_time(r, 1); /* and then nobody finished anything for as long again */
	made_run_refresh(r);
	assert_true(r->model.sums_disagree);
	assert_true(near(r->model.outside_ratio, 0.25, 1e-3));
	assert_true(near(r->model.wait_ratio, 0.1, 1e-3));
}

/* N is chosen at the end of the warm-up: its gaps are of another N, its means of another rate. */
static void warm_up_expect_a_remainder_and_no_verdict(void **state)
{
	struct made_run *r = *state;

	r->made.plan.measure = PAGE_MEASURE_AUTO;
	made_run_trial(r);
	r->interval.warming = true;
	run(r, 0.2, 1, (struct made_op){200, 300, 500});
	made_run_refresh(r);
	assert_false(r->model.outside_measured);
	assert_true(near(r->model.outside_ratio, 0.5, 1e-3));
	r->made.plan.measure = PAGE_MEASURE_EVERY;
	made_run_trial(r);
	r->interval.warming = true;
	run(r, 0.2, 1, (struct made_op){200, 300, 500});
	made_run_time(r, 0.2);
	made_run_refresh(r);
	assert_true(r->model.outside_measured);
	assert_true(near(r->model.outside_ratio, 0.25, 1e-3));
	assert_false(r->model.sums_disagree);
}

static void starved_thread_expect_it_counted(void **state)
{
	struct made_run *r = *state;

	run(r, 1, 1, known[0]);
	made_run_refresh(r);
	assert_int_equal(r->model.threads_idle, 0);
	made_run_trial(r);
	assert_int_equal(r->model.threads_idle, 0);
	for (unsigned i = 0; i < THREADS - 2; i++)
		made_run_work(r, i, 1000, 1000, known[0]);
	/* Ops are published in batches: a stamped one is told earlier. */
	made_run_work(r, 2, 0, 1, known[0]);
	made_run_time(r, 0.25);
	made_run_refresh(r);
	assert_int_equal(r->model.threads_idle, 0); /* too early to tell */
	made_run_time(r, 0.25);
	made_run_refresh(r);
	assert_int_equal(r->model.threads_idle, 1);
	/* Rows of the warm-up say nothing of the measured phase. */
	r->made.snap.thread[3].phase = PAGE_PHASE_WARM;
	made_run_look(r);
	assert_int_equal(r->model.threads_idle, 0);
}

static void nothing_stamped_expect_reason_for_all_three(void **state)
{
	struct made_run *r = *state;

	r->made.plan.measure = PAGE_MEASURE_OFF;
	made_run_trial(r);
	made_run_work(r, 0, 1000, 0, (struct made_op){0});
	made_run_time(r, 1);
	made_run_refresh(r);
	assert_int_equal(r->model.wait_ratio.why, WHY_UNSUPPORTED);
	assert_int_equal(r->model.hold_ratio.why, WHY_UNSUPPORTED);
	assert_int_equal(r->model.outside_ratio.why, WHY_UNSUPPORTED);
	assert_false(r->model.sums_disagree);
}

static void new_trial_expect_no_share_of_the_last(void **state)
{
	struct made_run *r = *state;

	run(r, 1, 1, known[2]);
	made_run_refresh(r);
	made_run_trial(r);
	assert_int_equal(r->model.outside_ratio.why, WHY_NOT_YET);
	assert_false(r->model.outside_measured);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_op_stamped_expect_three_measurements_that_add_up),
		cmocka_unit_test(some_ops_stamped_expect_outside_as_the_remainder),
		RUN(sampling_of_every_op_expect_outside_measured),
		RUN(nested_roles_expect_them_counted_once),
		RUN(several_acquisitions_an_op_expect_all_of_them_counted),
		RUN(more_than_all_time_expect_it_said_not_clamped),
		RUN(ops_shorter_than_their_stamps_expect_shares_unresolved),
		RUN(little_more_than_all_time_expect_nothing_outside),
		RUN(threads_of_unlike_time_expect_shares_of_their_own_time),
		RUN(measured_shares_that_leave_a_hole_expect_it_said),
		RUN(warm_up_expect_a_remainder_and_no_verdict),
		RUN(starved_thread_expect_it_counted),
		RUN(nothing_stamped_expect_reason_for_all_three),
		RUN(new_trial_expect_no_share_of_the_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
