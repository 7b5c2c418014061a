/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What happened between two snapshots: a number, or the reason why there is none.
 */
#include "src/flow/interval.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* One thread in one snapshot. */
struct moment {
	uint32_t state, gen, phase, row_count;
	uint64_t begin, end, taken, ops;
};

#define WARM(taken, ops) PAGE_SLOT_WARMING, 1, PAGE_PHASE_WARM, 2, 0, 0, taken, ops
#define RUN(taken, ops) PAGE_SLOT_RUNNING, 1, PAGE_PHASE_MEASURED, 2, 100, 0, taken, ops
#define NEXT_OWNER(taken, ops) PAGE_SLOT_RUNNING, 2, PAGE_PHASE_MEASURED, 2, 100, 0, taken, ops
#define NO_ROWS(taken, ops) PAGE_SLOT_RUNNING, 1, PAGE_PHASE_MEASURED, 0, 100, 0, taken, ops
#define DONE(end, taken, ops) PAGE_SLOT_DONE, 1, PAGE_PHASE_MEASURED, 2, 100, end, taken, ops

static const double hz = 1e6;

static void moment_put(struct snap *s, unsigned i, const struct moment *m)
{
	struct snap_thread *t = &s->thread[i];

	t->state = m->state;
	t->gen = m->gen;
	t->phase = m->phase;
	t->row_count = m->row_count;
	t->begin_ticks = m->begin;
	t->end_ticks = m->end;
	t->taken_ticks = m->taken;
	t->row[0].ops = m->ops;
	t->tid = 100 + (int)i;
	t->cpu = (int)i;
}

/* The interval between two moments of each of @threads threads. */
static void interval_of(struct interval *iv, unsigned threads, const struct moment *prev,
			const struct moment *cur, double tick_hz)
{
	struct snap a, b;

	assert_int_equal(snap_init(&a, threads, 0), 0);
	assert_int_equal(snap_init(&b, threads, 0), 0);
	assert_int_equal(interval_init(iv, threads, 0), 0);
	for (unsigned i = 0; i < threads; i++) {
		moment_put(&a, i, &prev[i]);
		moment_put(&b, i, &cur[i]);
	}
	interval_make(iv, &a, &b, tick_hz);
	snap_fini(&a);
	snap_fini(&b);
}

static const struct {
	struct moment prev, cur;
	double hz;
	enum reason why;
	double ops, dt_s;
} rows[] = {
	{{RUN(1000, 50)}, {RUN(501000, 1050)}, 1e6, WHY_OK, 1000, 0.5},
	{{RUN(1000, 50)}, {RUN(501000, 50)}, 1e6, WHY_OK, 0, 0.5},
	{{WARM(1000, 50)}, {WARM(1001, 51)}, 1e6, WHY_OK, 1, 1e-6},
	/* No time between the two, or time that ran backwards. */
	{{RUN(1000, 50)}, {RUN(1000, 60)}, 1e6, WHY_NOT_YET, 0, 0},
	{{RUN(1000, 50)}, {RUN(999, 60)}, 1e6, WHY_NOT_YET, 0, 0},
	/* The counter ran backwards, or wrapped. */
	{{RUN(1000, 50)}, {RUN(2000, 49)}, 1e6, WHY_LOST, 0, 0},
	{{RUN(1000, UINT64_MAX)}, {RUN(2000, 3)}, 1e6, WHY_LOST, 0, 0},
	/* Another owner of the slot. */
	{{RUN(1000, 50)}, {NEXT_OWNER(2000, 60)}, 1e6, WHY_LOST, 0, 0},
	/* The first snapshot of a phase. */
	{{WARM(1000, 50)}, {RUN(2000, 60)}, 1e6, WHY_NOT_YET, 0, 0},
	{{0}, {RUN(2000, 60)}, 1e6, WHY_NOT_YET, 0, 0},
	{{0}, {0}, 1e6, WHY_NOT_YET, 0, 0},
	/* A slot that was alive and is no more; a row that is damaged now. */
	{{RUN(1000, 50)}, {0}, 1e6, WHY_LOST, 0, 0},
	{{RUN(1000, 50)}, {NO_ROWS(2000, 60)}, 1e6, WHY_LOST, 0, 0},
	/* The rate of the clock is not known yet. */
	{{RUN(1000, 50)}, {RUN(2000, 60)}, 0, WHY_NOT_YET, 0, 0},
	{{RUN(1000, 50)}, {RUN(2000, 60)}, -1, WHY_NOT_YET, 0, 0},
	{{RUN(1000, 50)}, {RUN(2000, 60)}, NAN, WHY_NOT_YET, 0, 0},
	/* It ended in between: nothing was done after the end. */
	{{RUN(1000, 50)}, {DONE(251000, 501000, 300)}, 1e6, WHY_OK, 250, 0.25},
	/* Not believed: an end before the begin, or after the reading. */
	{{RUN(1000, 50)}, {DONE(99, 501000, 300)}, 1e6, WHY_OK, 250, 0.5},
	{{RUN(1000, 50)}, {DONE(UINT64_MAX, 501000, 300)}, 1e6, WHY_OK, 250, 0.5},
	/* It had ended before. */
	{{DONE(900, 1000, 50)}, {DONE(900, 2000, 50)}, 1e6, WHY_NOT_YET, 0, 0},
};

static void one_thread_expect_rate_or_reason(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct interval iv;

		interval_of(&iv, 1, &rows[i].prev, &rows[i].cur, rows[i].hz);
		assert_int_equal(iv.ops_per_s.why, rows[i].why);
		assert_int_equal(iv.thread[0].ops_per_s.why, rows[i].why);
		assert_int_equal(iv.ops, (uint64_t)rows[i].ops);
		assert_int_equal(iv.thread[0].ops, (uint64_t)rows[i].ops);
		assert_true(fabs(iv.dt_s - rows[i].dt_s) < 1e-12);
		if (rows[i].why == WHY_OK)
			assert_true(fabs(iv.ops_per_s.v - rows[i].ops / rows[i].dt_s) < 1e-6);
		interval_fini(&iv);
	}
}

static void threads_expect_sum_of_rates_by_their_own_stamps(void **state)
{
	static const struct moment prev[] = {{RUN(1000, 0)}, {RUN(2000, 100)}};
	static const struct moment cur[] = {{RUN(101000, 500)}, {RUN(302000, 700)}};
	struct interval iv;

	(void)state;
	interval_of(&iv, 2, prev, cur, hz);
	assert_true(fabs(iv.thread[0].ops_per_s.v - 5000) < 1e-6);
	assert_true(fabs(iv.thread[1].ops_per_s.v - 2000) < 1e-6);
	assert_true(fabs(iv.ops_per_s.v - 7000) < 1e-6);
	assert_int_equal(iv.ops, 1100);
	assert_true(fabs(iv.dt_s - 0.2) < 1e-12);
	assert_int_equal(iv.thread[1].tid, 101);
	assert_int_equal(iv.thread[1].cpu, 1);
	interval_fini(&iv);
}

/* A sum that lacks a thread would look like a slower machine. */
static void one_thread_without_rate_expect_no_total(void **state)
{
	static const struct moment prev[] = {{RUN(1000, 0)}, {RUN(1000, 100)}, {RUN(1000, 0)}};
	static const struct moment cur[] = {{RUN(2000, 500)}, {RUN(2000, 99)}, {0}};
	struct interval iv;

	(void)state;
	interval_of(&iv, 3, prev, cur, hz);
	assert_int_equal(iv.ops_per_s.why, WHY_LOST);
	assert_int_equal(iv.thread[0].ops_per_s.why, WHY_OK);
	assert_int_equal(iv.ops, 500);
	interval_fini(&iv);
}

static void thread_that_ended_before_expect_total_of_the_others(void **state)
{
	static const struct moment prev[] = {{RUN(1000, 0)}, {DONE(900, 1000, 100)}};
	static const struct moment cur[] = {{RUN(2000, 500)}, {DONE(900, 2000, 100)}};
	struct interval iv;

	(void)state;
	interval_of(&iv, 2, prev, cur, hz);
	assert_int_equal(iv.ops_per_s.why, WHY_OK);
	assert_true(fabs(iv.ops_per_s.v - 500e3) < 1e-6);
	interval_fini(&iv);
}

static void warming_expect_said_while_any_thread_warms_up(void **state)
{
	static const struct {
		struct moment cur[2];
		bool warming;
	} row[] = {
		{{{WARM(2000, 1)}, {WARM(2000, 1)}}, true},
		{{{RUN(2000, 1)}, {WARM(2000, 1)}}, true},
		{{{RUN(2000, 1)}, {RUN(2000, 1)}}, false},
		{{{0}, {0}}, false},
	};
	static const struct moment prev[2] = {{0}, {0}};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct interval iv;

		interval_of(&iv, 2, prev, row[i].cur, hz);
		assert_int_equal(iv.warming, row[i].warming);
		interval_fini(&iv);
	}
}

static void interval_made_again_expect_nothing_of_the_old_one(void **state)
{
	static const struct moment early = {WARM(1000, 10)}, late = {WARM(2000, 20)};
	static const struct moment next = {RUN(3000, 30)};
	struct interval iv;
	struct snap a, b;

	(void)state;
	assert_int_equal(snap_init(&a, 1, 0), 0);
	assert_int_equal(snap_init(&b, 1, 0), 0);
	assert_int_equal(interval_init(&iv, 1, 0), 0);
	assert_int_equal(iv.ops_per_s.why, WHY_NOT_YET);
	moment_put(&a, 0, &early);
	moment_put(&b, 0, &late);
	interval_make(&iv, &a, &b, hz);
	assert_int_equal(iv.ops, 10);
	interval_make(&iv, &b, &b, hz);
	assert_int_equal(iv.ops, 0);
	assert_int_equal(iv.thread[0].ops, 0);
	assert_true(iv.dt_s == 0 && iv.thread[0].dt_s == 0);
	assert_int_equal(iv.ops_per_s.why, WHY_NOT_YET);
	assert_true(iv.warming);
	moment_put(&a, 0, &next);
	interval_make(&iv, &b, &a, hz);
	assert_false(iv.warming);
	interval_fini(&iv);
	interval_fini(&iv);
	snap_fini(&a);
	snap_fini(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_thread_expect_rate_or_reason),
		cmocka_unit_test(threads_expect_sum_of_rates_by_their_own_stamps),
		cmocka_unit_test(one_thread_without_rate_expect_no_total),
		cmocka_unit_test(thread_that_ended_before_expect_total_of_the_others),
		cmocka_unit_test(warming_expect_said_while_any_thread_warms_up),
		cmocka_unit_test(interval_made_again_expect_nothing_of_the_old_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
