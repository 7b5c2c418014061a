/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The heat map of the waits: rows, columns, gaps.
 */
#include "src/flow/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/made_run.h"

static int setup(void **state)
{
	static struct made_run r;

	*state = &r;
	made_run_init(&r, 2);
	return 0;
}

static int teardown(void **state)
{
	made_run_fini(*state);
	return 0;
}

static const struct model_heat *newest(const struct model *m)
{
	return &m->heat[(m->sample_count - 1) % MODEL_HISTORY];
}

static uint64_t sum(const struct model_heat *h)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < MODEL_HEAT_ROWS; i++)
		n += h->count[i];
	return n;
}

/* One refresh later: @n waits of @ns. */
static void step(struct made_run *r, uint64_t n, double ns)
{
	made_run_work(r, 0, n, n, (struct made_op){ns, 20, 20});
	made_run_time(r, 0.25);
	made_run_refresh(r);
}

static void waits_expect_the_octave_they_lie_in(void **state)
{
	static const struct {
		double ns;
		unsigned row;
	} cases[] = {
		{0, 0},    {1, 0},       {15, 0},      {16.5, 0}, {31, 0},     {32, 1},
		{63, 1},   {64, 2},      {127, 2},     {129, 3},  {1023, 5},   {1030, 6},
		{1e6, 15}, {1.04e6, 15}, {1.06e6, 16}, {1e9, 23}, {100e9, 23},
	};
	struct made_run *r = *state;

	step(r, 1, 50);
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		step(r, 3, cases[i].ns);
		assert_true(newest(&r->model)->known);
		assert_int_equal(newest(&r->model)->count[cases[i].row], 3);
		assert_int_equal(sum(newest(&r->model)), 3);
	}
}

/* The octave that a bucket's middle lies in, at a clock that is no power of two. */
static void rows_expect_their_bounds_at_any_clock(void **state)
{
	struct made_run *r = *state;
	const double hz = 2.6e9;

	r->made.in.tick_hz = hz;
	step(r, 1, 50);
	for (int octave = 5; octave < 27; octave++) {
		for (int side = -1; side <= 1; side += 2) {
			/* 4 % off the bound: buckets are 3.1 % wide at most. */
			double ns = ldexp(1 + 0.04 * side, octave);

			step(r, 1, ns * hz / MADE_HZ);
			assert_int_equal(newest(&r->model)->count[octave - 4 - (side < 0)], 1);
		}
	}
}

static void columns_expect_what_came_in_between(void **state)
{
	struct made_run *r = *state;
	const struct model *m = &r->model;

	step(r, 1000, 100);
	for (unsigned i = 0; i < 2 * MODEL_HISTORY + 5; i++) {
		step(r, i, 100);
		step(r, 2 * i, 5000);
		assert_int_equal(newest(m)->count[8], 2 * i);
		assert_int_equal(newest(m)->count[2], 0);
		assert_int_equal(m->heat[(m->sample_count - 2) % MODEL_HISTORY].count[2], i);
	}
	/* A look at the screen takes nothing away from the next column. */
	made_run_work(r, 0, 7, 7, (struct made_op){100, 20, 20});
	made_run_look(r);
	step(r, 0, 100);
	assert_int_equal(newest(m)->count[2], 7);
}

/* All columns together are the histogram that is drawn, but for the first look at it. */
static void sum_of_columns_expect_that_of_the_histogram(void **state)
{
	struct made_run *r = *state;
	uint64_t n = 0;

	step(r, 10, 100);
	for (unsigned i = 0; i < 300; i++) {
		step(r, i % 7, 20 * pow(1.07, i % 200));
		n += sum(newest(&r->model));
	}
	assert_int_equal(n + 10, hist_count(&r->model.wait[0].hist));
}

static void quiet_refresh_expect_known_and_empty(void **state)
{
	struct made_run *r = *state;

	step(r, 10, 100);
	step(r, 0, 100);
	assert_true(newest(&r->model)->known);
	assert_int_equal(sum(newest(&r->model)), 0);
}

static void gaps_expect_as_in_the_history(void **state)
{
	struct made_run *r = *state;
	const struct model *m = &r->model;

	step(r, 10, 100);
	assert_false(newest(m)->known); /* nothing to take it from */
	step(r, 10, 100);
	assert_true(newest(m)->known);
	made_run_trial(r);
	assert_true(isnan(m->history[(m->sample_count - 1) % MODEL_HISTORY]));
	assert_false(newest(m)->known);
	assert_int_equal(sum(newest(m)), 0);
	/* The next trial starts at 0 again, and is soon above what the last one had. */
	step(r, 50, 100);
	assert_false(newest(m)->known);
	step(r, 6, 100);
	assert_true(newest(m)->known);
	assert_int_equal(sum(newest(m)), 6);
	for (unsigned i = 0; i < m->sample_count; i++)
		if (isnan(m->history[i]))
			assert_false(m->heat[i].known);
}

static void rate_that_is_lost_expect_a_gap_in_both(void **state)
{
	struct made_run *r = *state;
	const struct model *m = &r->model;

	step(r, 10, 100);
	step(r, 10, 100);
	made_run_work(r, 0, 10, 10, (struct made_op){100, 20, 20});
	made_run_refresh(r); /* no time has passed */
	assert_true(isnan(m->history[(m->sample_count - 1) % MODEL_HISTORY]));
	assert_false(newest(m)->known);
	assert_int_equal(sum(newest(m)), 0);
}

static void warm_up_expect_a_gap_where_it_ends(void **state)
{
	struct made_run *r = *state;
	const struct model *m = &r->model;

	r->interval.warming = true;
	step(r, 10, 100);
	step(r, 20, 100);
	assert_true(newest(m)->known);
	assert_int_equal(newest(m)->count[2], 20);
	/* More than the warm-up had, but of another phase. */
	r->interval.warming = false;
	step(r, 50, 100);
	assert_false(newest(m)->known);
	step(r, 3, 100);
	assert_int_equal(newest(m)->count[2], 3);
}

static void thaw_expect_no_column_of_what_was_not_shown(void **state)
{
	struct made_run *r = *state;

	step(r, 10, 100);
	made_run_work(r, 0, 100000, 100000, (struct made_op){100, 20, 20});
	made_run_time(r, 60);
	r->since_s = 0; /* the trial was looked at meanwhile, the model was not told */
	step(r, 10, 100);
	assert_false(newest(&r->model)->known);
	assert_int_equal(sum(newest(&r->model)), 0);
	step(r, 4, 100);
	assert_int_equal(sum(newest(&r->model)), 4);
}

/* A refresh that costs much comes later: its sample stands for more time, so does the column. */
static void slow_refresh_expect_its_column(void **state)
{
	struct made_run *r = *state;

	step(r, 10, 100);
	made_run_time(r, 4);
	step(r, 9, 100);
	assert_true(newest(&r->model)->known);
	assert_int_equal(sum(newest(&r->model)), 9);
}

static void counter_backwards_expect_unknown(void **state)
{
	struct made_run *r = *state;

	step(r, 10, 100);
	step(r, 10, 3000);
	memset(&r->made.snap.thread[0].row[1].a, 0, sizeof(struct hist));
	step(r, 12, 100);
	assert_false(newest(&r->model)->known);
	assert_int_equal(sum(newest(&r->model)), 0);
	step(r, 2, 100);
	assert_true(newest(&r->model)->known);
}

static void nothing_stamped_expect_unknown(void **state)
{
	struct made_run *r = *state;

	r->made.plan.measure = PAGE_MEASURE_OFF;
	made_run_trial(r);
	for (int i = 0; i < 4; i++) {
		made_run_work(r, 0, 10, 0, (struct made_op){0});
		made_run_time(r, 0.25);
		made_run_refresh(r);
		assert_false(newest(&r->model)->known);
		assert_true(!isnan(r->model.history[r->model.sample_count - 1]));
	}
}

static void too_many_for_a_cell_expect_the_largest_number(void **state)
{
	struct made_run *r = *state;

	step(r, 1, 100);
	step(r, 1ull << 33, 100);
	assert_true(newest(&r->model)->known);
	assert_true(newest(&r->model)->count[2] == UINT32_MAX);
}

static void clear_expect_no_column_and_the_next_one_whole(void **state)
{
	struct made_run *r = *state;
	const struct model *m = &r->model;

	step(r, 10, 100);
	step(r, 10, 100);
	model_clear(&r->model);
	for (unsigned i = 0; i < MODEL_HISTORY; i++)
		assert_false(m->heat[i].known);
	step(r, 8, 100);
	assert_int_equal(m->sample_count, 1);
	assert_int_equal(m->heat[0].count[2], 8);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN(waits_expect_the_octave_they_lie_in),
		RUN(rows_expect_their_bounds_at_any_clock),
		RUN(columns_expect_what_came_in_between),
		RUN(sum_of_columns_expect_that_of_the_histogram),
		RUN(quiet_refresh_expect_known_and_empty),
		RUN(gaps_expect_as_in_the_history),
		RUN(rate_that_is_lost_expect_a_gap_in_both),
		RUN(warm_up_expect_a_gap_where_it_ends),
		RUN(thaw_expect_no_column_of_what_was_not_shown),
		RUN(slow_refresh_expect_its_column),
		RUN(counter_backwards_expect_unknown),
		RUN(nothing_stamped_expect_unknown),
		RUN(too_many_for_a_cell_expect_the_largest_number),
		RUN(clear_expect_no_column_and_the_next_one_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
