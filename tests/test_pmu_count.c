/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Differences of readings: what is a number, what is scaled, what is missing and why.
 */
#include "probes/pmu_count.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#define AT(value, enabled, running)                      \
	{                                                \
		(value), (enabled), (running), WHY_OK, 0 \
	}

static const struct pmu_count lost = {.why = WHY_LOST};

static void assert_near(double a, double b)
{
	if (!(fabs(a - b) <= 1e-9 * (1 + fabs(b))))
		fail_msg("%.17g is not %.17g", a, b);
}

static void two_readings_when_subtracted_expect_count_or_reason(void **state)
{
	static const struct {
		struct pmu_count from, to;
		enum reason why;
		double count, running; /* running < 0: the reason's */
	} row[] = {
		/* All of the time. */
		{AT(100, 50, 50), AT(350, 80, 80), WHY_OK, 250, 1},
		{{0}, AT(7, 3, 3), WHY_OK, 7, 1},
		/* It ran and nothing happened. */
		{AT(100, 50, 50), AT(100, 80, 80), WHY_OK, 0, 1},
		/* A thread that slept. */
		{AT(100, 50, 50), AT(100, 50, 50), WHY_OK, 0, 1},
		{AT(100, 50, 20), AT(100, 50, 20), WHY_OK, 0, 1},
		/* Half of the time; the half before the first reading does not count. */
		{AT(100, 50, 50), AT(200, 150, 100), WHY_SCALED, 200, 0.5},
		{AT(100, 1000, 10), AT(200, 1100, 110), WHY_OK, 100, 1},
		/* A quarter, with a count of nothing. */
		{AT(100, 50, 50), AT(100, 90, 60), WHY_SCALED, 0, 0.25},
		/* cadvisor issue 2629: enabled, never running, and a division by it. */
		{{0}, AT(0, 500, 0), WHY_NOT_SCHEDULED, 0, -1},
		{AT(100, 50, 50), AT(100, 90, 50), WHY_NOT_SCHEDULED, 0, -1},
		/* Backwards: each of the three. */
		{AT(100, 50, 50), AT(99, 80, 80), WHY_LOST, 0, -1},
		{AT(100, 50, 50), AT(101, 49, 80), WHY_LOST, 0, -1},
		{AT(100, 50, 50), AT(101, 80, 49), WHY_LOST, 0, -1},
		/* Running longer than enabled: two clocks that were read apart, no less. */
		{AT(100, 50, 50), AT(200, 60, 61), WHY_OK, 100, 1},
		/* Either reading is missing. */
		{{.why = WHY_DENIED}, AT(1, 1, 1), WHY_DENIED, 0, -1},
		{AT(1, 1, 1), {.why = WHY_LOST}, WHY_LOST, 0, -1},
		{{.why = WHY_UNSUPPORTED}, {.why = WHY_LOST}, WHY_UNSUPPORTED, 0, -1},
		/* As large as they get. */
		{{0}, AT(UINT64_MAX, UINT64_MAX, UINT64_MAX), WHY_OK, 0x1p64, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct pmu_delta d = pmu_delta(&row[i].from, &row[i].to);
		struct value running = pmu_delta_running(&d);

		assert_int_equal(d.count.why, row[i].why);
		assert_near(d.count.v, row[i].count);
		if (row[i].running < 0) {
			assert_int_equal(running.why, row[i].why);
			assert_near(d.enabled_ns, 0);
			assert_near(d.running_ns, 0);
		} else {
			assert_int_equal(running.why, WHY_OK);
			assert_near(running.v, row[i].running);
		}
	}
}

static void deltas_when_added_expect_counts_and_times_to_add_up(void **state)
{
	struct pmu_delta sum = {.count = {0}};
	const struct pmu_delta a = {{10, WHY_OK}, 100, 100}, b = {{40, WHY_SCALED}, 100, 50};

	(void)state;
	pmu_delta_add(&sum, &a);
	assert_int_equal(sum.count.why, WHY_OK);
	assert_near(sum.count.v, 10);
	pmu_delta_add(&sum, &b);
	assert_int_equal(sum.count.why, WHY_SCALED);
	assert_near(sum.count.v, 50);
	assert_near(sum.enabled_ns, 200);
	assert_near(sum.running_ns, 150);
	assert_near(pmu_delta_running(&sum).v, 0.75);
	/* Scaled it stays. */
	pmu_delta_add(&sum, &a);
	assert_int_equal(sum.count.why, WHY_SCALED);
	assert_near(sum.count.v, 60);
}

static void deltas_when_one_is_missing_expect_no_sum(void **state)
{
	const struct pmu_count from = {0}, never = AT(0, 500, 0), well = AT(9, 500, 500);
	const struct pmu_delta good = pmu_delta(&from, &well);
	const struct pmu_delta bad = pmu_delta(&from, &never), gone = pmu_delta(&from, &lost);
	struct pmu_delta sum = good;

	(void)state;
	pmu_delta_add(&sum, &bad);
	assert_int_equal(sum.count.why, WHY_NOT_SCHEDULED);
	/* The first reason stays, and no number comes back. */
	pmu_delta_add(&sum, &good);
	pmu_delta_add(&sum, &gone);
	assert_int_equal(sum.count.why, WHY_NOT_SCHEDULED);
	assert_near(sum.count.v, 0);
	assert_near(sum.enabled_ns, 0);
	assert_near(sum.running_ns, 0);
	assert_int_equal(pmu_delta_running(&sum).why, WHY_NOT_SCHEDULED);
}

static void sum_of_threads_that_slept_expect_zero_and_full_running(void **state)
{
	const struct pmu_count at = AT(9, 500, 400);
	const struct pmu_delta slept = pmu_delta(&at, &at);
	struct pmu_delta sum = {.count = {0}};

	(void)state;
	pmu_delta_add(&sum, &slept);
	pmu_delta_add(&sum, &slept);
	assert_int_equal(sum.count.why, WHY_OK);
	assert_near(sum.count.v, 0);
	assert_near(pmu_delta_running(&sum).v, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_readings_when_subtracted_expect_count_or_reason),
		cmocka_unit_test(deltas_when_added_expect_counts_and_times_to_add_up),
		cmocka_unit_test(deltas_when_one_is_missing_expect_no_sum),
		cmocka_unit_test(sum_of_threads_that_slept_expect_zero_and_full_running),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
