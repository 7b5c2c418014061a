/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the dashboard refreshes, and what a refresh that came late is in the history.
 */
#include "src/refresh.h"

#include <math.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/fixture.h"

static void interval_by_cost_expect_ten_times_it(void **state)
{
	static const struct {
		double asked_s, cost_s, now_s, next_s;
	} rows[] = {
		{0.25, 0.001, 0.25, 0.25},
		{0.25, 0.0625, 0.25, 0.25}, /* 25 %: not more */
		{0.25, 0.063, 0.25, 0.75},
		{0.25, 0.19, 0.25, 2},
		{0.25, 0.19, 2, 2},
		{0.25, 0.45, 0.25, 4.5},
		{0.25, 0.6, 0.25, 5},
		{0.25, 12, 0.25, 5}, /* 5 s at most */
		{0.25, 12, 5, 5},
		{0.25, 0.12, 2, 2}, /* 1.25 s would do: not yet half */
		{0.25, 0.1, 2, 1},  /* half */
		{0.25, 0.026, 0.75, 0.75},
		{0.25, 0.025, 0.75, 0.25},
		{0.25, 0.001, 5, 0.25}, /* cheap again */
		{0.02, 0.004, 0.02, 0.02},
		{0.02, 0.006, 0.02, 0.06},
		{0.3, 2, 0.3, 4.8}, /* a multiple of what was asked */
		{5, 2, 5, 5},
		{10, 3, 10, 10}, /* the user's own is never made shorter */
		{60, 50, 60, 60},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double next_s = refresh_interval(rows[i].asked_s, rows[i].cost_s, rows[i].now_s);

		if (fabs(next_s - rows[i].next_s) > 1e-9)
			fail_msg("%g s, cost %g s, now %g s: %g s, not %g s", rows[i].asked_s,
				 rows[i].cost_s, rows[i].now_s, next_s, rows[i].next_s);
	}
}

static void interval_at_one_cost_expect_it_to_stay(void **state)
{
	(void)state;
	for (double cost_s = 1e-5; cost_s < 20; cost_s *= 1.1) {
		double first = refresh_interval(0.25, cost_s, 0.25);
		double lowered = refresh_interval(0.25, cost_s, 5);

		assert_true(refresh_interval(0.25, cost_s, first) == first);
		assert_true(refresh_interval(0.25, cost_s, lowered) == lowered);
	}
}

static struct model *model_new(void)
{
	struct model *m = malloc(sizeof(*m));

	assert_non_null(m);
	fixture_model(m, 4);
	m->message_count = 0;
	return m;
}

static void model_end(struct model *m)
{
	fixture_free(m);
	free(m);
}

static const char *newest(const struct model *m)
{
	return m->message_count ? m->message[m->message_count - 1].text : "";
}

static void costly_refreshes_expect_slower_and_back(void **state)
{
	struct model *m = model_new();
	struct refresh r;

	(void)state;
	assert_int_equal(refresh_open(&r, 0.25), 0);
	m->config.threads = 1024;
	/* One that was held up by others changes nothing. */
	assert_false(refresh_took(&r, 0.01, m));
	assert_false(refresh_took(&r, 0.9, m));
	assert_false(refresh_took(&r, 0.2, m));
	assert_int_equal(m->message_count, 0);
	assert_true(refresh_took(&r, 0.19, m));
	assert_true(r.now_s == 2);
	assert_string_equal(newest(m), "refresh slowed to 2 s: one takes 190 ms with 1024 threads");
	for (int i = 0; i < 10; i++)
		assert_false(refresh_took(&r, 0.19, m));
	assert_int_equal(m->message_count, 1); /* said once */
	for (int i = 0; i < REFRESH_COSTS - 1; i++)
		assert_false(refresh_took(&r, 0.002, m));
	assert_true(refresh_took(&r, 0.002, m));
	assert_true(r.now_s == 0.25);
	refresh_close(&r);
	model_end(m);
}

static void other_thread_count_expect_interval_as_asked(void **state)
{
	struct model *m = model_new();
	struct refresh r;

	(void)state;
	assert_int_equal(refresh_open(&r, 0.25), 0);
	m->config.threads = 1024;
	for (int i = 0; i < REFRESH_COSTS; i++)
		refresh_took(&r, 0.4, m);
	assert_true(r.now_s == 4);
	m->config.threads = 2;
	assert_true(refresh_took(&r, 0.4, m));
	assert_true(r.now_s == 0.25);
	refresh_close(&r);
	model_end(m);
}

static void timer_expect_times_asked_that_passed(void **state)
{
	struct refresh r;
	uint64_t passed;

	(void)state;
	assert_int_equal(refresh_open(&r, 0.02), 0);
	r.now_s = 0.06; /* each tick of the timer stands for three */
	assert_int_equal(poll(&(struct pollfd){.fd = r.timer, .events = POLLIN}, 1, 5000), 1);
	passed = refresh_due(&r);
	assert_true(passed >= 3 && passed % 3 == 0);
	refresh_close(&r);
	assert_int_equal(refresh_due(&r), 0);
}

static void repeated_sample_expect_same_height_and_divided_heat(void **state)
{
	struct model *m = model_new();
	uint64_t at = m->sample_count - 1, count = 0;
	float newest_ops = m->history[at % MODEL_HISTORY];
	float cpu_ops = m->cpu[1].history[at % MODEL_CPU_HISTORY];
	struct model_heat *heat = &m->heat[at % MODEL_HISTORY];

	(void)state;
	*heat = (struct model_heat){.known = true, .count = {[3] = 10, [5] = 2}};
	model_repeat(m, 1);
	assert_int_equal(m->sample_count, at + 1);
	model_repeat(m, 4);
	assert_int_equal(m->sample_count, at + 4);
	for (uint64_t i = at; i < at + 4; i++) {
		assert_true(m->history[i % MODEL_HISTORY] == newest_ops);
		assert_true(m->cpu[1].history[i % MODEL_CPU_HISTORY] == cpu_ops);
		assert_true(m->heat[i % MODEL_HISTORY].known);
		assert_in_range(m->heat[i % MODEL_HISTORY].count[3], 2, 3);
		assert_in_range(m->heat[i % MODEL_HISTORY].count[5], 0, 1);
		count += m->heat[i % MODEL_HISTORY].count[3] + m->heat[i % MODEL_HISTORY].count[5];
	}
	assert_int_equal(count, 12);
	m->sample_count = 0;
	model_repeat(m, 4);
	assert_int_equal(m->sample_count, 0);
	model_end(m);
}

static void time_without_samples_expect_gap_in_front_of_next_mark(void **state)
{
	struct model *m = model_new();
	uint64_t at = m->sample_count, old = m->mark[0].sample;

	(void)state;
	m->mark_count = 2;
	m->mark[1].sample = at; /* of the trial whose first sample comes next */
	model_gap(m, 3);
	assert_int_equal(m->sample_count, at + 3);
	for (uint64_t i = at; i < at + 3; i++) {
		assert_true(isnan(m->history[i % MODEL_HISTORY]) != 0);
		assert_true(isnan(m->cpu[1].history[i % MODEL_CPU_HISTORY]) != 0);
		assert_false(m->heat[i % MODEL_HISTORY].known);
	}
	assert_true(m->history[(at - 1) % MODEL_HISTORY] > 0);
	assert_int_equal(m->mark[0].sample, old);
	assert_int_equal(m->mark[1].sample, at + 3);
	model_end(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interval_by_cost_expect_ten_times_it),
		cmocka_unit_test(interval_at_one_cost_expect_it_to_stay),
		cmocka_unit_test(costly_refreshes_expect_slower_and_back),
		cmocka_unit_test(other_thread_count_expect_interval_as_asked),
		cmocka_unit_test(timer_expect_times_asked_that_passed),
		cmocka_unit_test(repeated_sample_expect_same_height_and_divided_heat),
		cmocka_unit_test(time_without_samples_expect_gap_in_front_of_next_mark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
