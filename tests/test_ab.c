/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A and B: which windows go where, and what is said of them.
 */
#include "src/flow/ab.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/made_trial.h"

static struct config config_of(const char *variant)
{
	struct config c = {.threads = 4, .place = PLACE_SPREAD};

	snprintf(c.workload, sizeof(c.workload), "spinlock");
	snprintf(c.variant, sizeof(c.variant), "%s", variant);
	return c;
}

/* A window whose throughput is @v and whose other figures follow from it. */
static struct ab_window window_of(double v)
{
	struct ab_window w;

	for (int i = 0; i < AB_METRICS; i++)
		w.value[i] = value_of(v * (i + 1));
	return w;
}

static int setup(void **state)
{
	static struct ab ab;
	struct config a = config_of("mcs"), b = config_of("ttas");

	memset(&ab, 0, sizeof(ab));
	ab_set(&ab, AB_A, &a);
	ab_set(&ab, AB_B, &b);
	*state = &ab;
	return 0;
}

static void add(struct ab *ab, const char *variant, double v, unsigned took)
{
	struct config c = config_of(variant);
	struct ab_window w = window_of(v);

	assert_int_equal(ab_add(ab, &c, &w), took);
}

static void windows_expect_at_the_side_that_is_their_configuration(void **state)
{
	struct ab *ab = *state;

	add(ab, "mcs", 10, 1);
	add(ab, "ttas", 20, 1);
	add(ab, "ttas", 30, 1);
	add(ab, "clh", 40, 0);
	assert_int_equal(ab->side[AB_A].count, 1);
	assert_int_equal(ab->side[AB_B].count, 2);
	assert_number(ab_stat(&ab->side[AB_A], AB_OPS_PER_S).mean, 10);
	assert_number(ab_stat(&ab->side[AB_B], AB_OPS_PER_S).mean, 25);
	assert_number(ab_stat(&ab->side[AB_B], AB_FAIRNESS).mean, 5 * 25);
}

/* Measured against itself: a check of the method that people do make. */
static void same_configuration_on_both_sides_expect_windows_at_both(void **state)
{
	struct ab *ab = *state;
	struct config a = config_of("mcs");

	ab_set(ab, AB_B, &a);
	add(ab, "mcs", 10, 2);
	assert_number(ab_change(ab, AB_OPS_PER_S), 0);
	assert_int_equal(ab->switches, 1);
}

static void nothing_set_expect_no_window_taken(void **state)
{
	static struct ab none;

	(void)state;
	add(&none, "mcs", 1, 0);
	assert_int_equal(none.switches, 0);
	assert_int_equal(ab_stat(&none.side[AB_A], AB_WAIT_P50).mean.why, WHY_NOT_YET);
	assert_int_equal(ab_change(&none, AB_WAIT_P50).why, WHY_NOT_YET);
}

static void set_again_expect_windows_kept_only_if_it_is_the_same(void **state)
{
	struct ab *ab = *state;
	struct config same = config_of("mcs"), other = config_of("mcs");

	add(ab, "mcs", 10, 1);
	add(ab, "ttas", 20, 1);
	ab_set(ab, AB_A, &same);
	assert_int_equal(ab->side[AB_A].count, 1);
	other.threads = 5;
	ab_set(ab, AB_A, &other);
	assert_int_equal(ab->side[AB_A].count, 0);
	assert_int_equal(ab->side[AB_A].config.threads, 5);
	assert_int_equal(ab->side[AB_B].count, 1);
	add(ab, "mcs", 10, 0);
}

static void clear_expect_windows_gone_and_configurations_kept(void **state)
{
	struct ab *ab = *state;

	add(ab, "mcs", 10, 1);
	ab_clear(ab);
	assert_true(ab->side[AB_A].set && ab->side[AB_B].set);
	assert_int_equal(ab->side[AB_A].count, 0);
	assert_int_equal(ab->switches, 0);
	assert_int_equal(ab_stat(&ab->side[AB_A], AB_OPS_PER_S).n, 0);
	/* The trial that runs on is counted again. */
	add(ab, "mcs", 20, 1);
	assert_int_equal(ab->switches, 1);
}

static void trials_expect_those_counted_whose_windows_were_taken(void **state)
{
	struct ab *ab = *state;
	static const char *const order[] = {"mcs", "ttas", "clh", "ttas", "mcs"};

	for (unsigned i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		ab_trial(ab);
		for (int k = 0; k < 3; k++)
			add(ab, order[i], 1, strcmp(order[i], "clh") != 0);
	}
	assert_int_equal(ab->switches, 4);
	ab_trial(ab);
	assert_int_equal(ab->switches, 4);
}

/* Of 1..n the mean is (n + 1) / 2 and the variance n (n + 1) / 12. */
static void known_windows_expect_exact_mean_and_spread(void **state)
{
	struct ab *ab = *state;
	static const double offsets[] = {0, -40, 1e6, 1e9, 1e12};

	for (unsigned k = 0; k < sizeof(offsets) / sizeof(offsets[0]); k++) {
		struct ab_stat st;
		const unsigned n = 200;

		ab_clear(ab);
		for (unsigned i = 1; i <= n; i++)
			add(ab, "mcs", offsets[k] + i, 1);
		st = ab_stat(&ab->side[AB_A], AB_OPS_PER_S);
		assert_int_equal(st.n, n);
		assert_int_equal(st.missing, 0);
		assert_number(st.mean, offsets[k] + (n + 1) / 2.0);
		assert_number(st.sd, sqrt(n * (n + 1) / 12.0));
		assert_number(st.min, offsets[k] + 1);
		assert_number(st.max, offsets[k] + n);
	}
}

static void equal_windows_expect_spread_of_zero(void **state)
{
	struct ab *ab = *state;

	for (int i = 0; i < 7; i++)
		add(ab, "mcs", 0.1, 1);
	assert_number(ab_stat(&ab->side[AB_A], AB_OPS_PER_S).mean, 0.1);
	assert_true(ab_stat(&ab->side[AB_A], AB_OPS_PER_S).sd.v < 1e-15);
	assert_int_equal(ab_stat(&ab->side[AB_A], AB_OPS_PER_S).sd.why, WHY_OK);
}

static void more_windows_than_fit_expect_the_newest(void **state)
{
	struct ab *ab = *state;
	const unsigned more = 40;
	struct ab_stat st;

	for (unsigned i = 1; i <= AB_WINDOWS + more; i++)
		add(ab, "mcs", i, 1);
	st = ab_stat(&ab->side[AB_A], AB_OPS_PER_S);
	assert_int_equal(ab->side[AB_A].count, AB_WINDOWS + more);
	assert_int_equal(st.n, AB_WINDOWS);
	assert_number(st.min, more + 1);
	assert_number(st.max, AB_WINDOWS + more);
	assert_number(st.mean, more + (AB_WINDOWS + 1) / 2.0);
	assert_number(st.sd, sqrt(AB_WINDOWS * (AB_WINDOWS + 1) / 12.0));
}

static void one_window_expect_mean_without_spread(void **state)
{
	struct ab *ab = *state;
	struct ab_stat st;

	add(ab, "mcs", 10, 1);
	st = ab_stat(&ab->side[AB_A], AB_WAIT_P50);
	assert_int_equal(st.n, 1);
	assert_number(st.mean, 20);
	assert_number(st.min, 20);
	assert_number(st.max, 20);
	assert_int_equal(st.sd.why, WHY_NOT_YET);
}

static void missing_values_expect_left_out_and_counted(void **state)
{
	struct ab *ab = *state;
	struct config c = config_of("mcs");
	struct ab_window w = window_of(0);
	struct ab_stat st;

	w.value[AB_WAIT_P99] = (struct value){20, WHY_UNRESOLVED};
	ab_add(ab, &c, &w);
	w.value[AB_WAIT_P99] = value_missing(WHY_NOT_YET);
	ab_add(ab, &c, &w);
	/* None at all: the first reason, and its bound. */
	st = ab_stat(&ab->side[AB_A], AB_WAIT_P99);
	assert_int_equal(st.n, 0);
	assert_int_equal(st.missing, 2);
	assert_int_equal(st.mean.why, WHY_UNRESOLVED);
	assert_true(st.mean.v == 20);
	assert_int_equal(st.min.why, WHY_UNRESOLVED);
	assert_int_equal(st.sd.why, WHY_NOT_YET);
	w.value[AB_WAIT_P99] = value_of(30);
	ab_add(ab, &c, &w);
	w.value[AB_WAIT_P99] = (struct value){50, WHY_SCALED};
	ab_add(ab, &c, &w);
	w.value[AB_WAIT_P99] = value_missing(WHY_LOST);
	ab_add(ab, &c, &w);
	st = ab_stat(&ab->side[AB_A], AB_WAIT_P99);
	assert_int_equal(st.n, 2);
	assert_int_equal(st.missing, 3);
	assert_number(st.mean, 40);
	assert_number(st.sd, sqrt(200));
	assert_number(st.min, 30);
	assert_number(st.max, 50);
	/* Past the end the first one is the oldest that is kept. */
	for (unsigned i = 0; i < AB_WINDOWS; i++) {
		w.value[AB_WAIT_P50] = value_missing(i ? WHY_LOST : WHY_OFFLINE);
		ab_add(ab, &c, &w);
	}
	assert_int_equal(ab_stat(&ab->side[AB_A], AB_WAIT_P50).mean.why, WHY_OFFLINE);
	/* The other metrics of these windows are not touched. */
	assert_int_equal(ab_stat(&ab->side[AB_A], AB_OPS_PER_S).n, AB_WINDOWS);
}

static void change_expect_ratio_of_means_or_the_reason(void **state)
{
	struct ab *ab = *state;
	struct config b = config_of("ttas");
	struct ab_window w = window_of(30);

	add(ab, "mcs", 15, 1);
	add(ab, "mcs", 25, 1);
	assert_int_equal(ab_change(ab, AB_OPS_PER_S).why, WHY_NOT_YET);
	w.value[AB_HOLD_P50] = value_missing(WHY_UNSUPPORTED);
	ab_add(ab, &b, &w);
	assert_number(ab_change(ab, AB_OPS_PER_S), 0.5);
	assert_int_equal(ab_change(ab, AB_HOLD_P50).why, WHY_UNSUPPORTED);
	/* Nothing can be so many per cent of nothing. */
	ab_clear(ab);
	add(ab, "mcs", 0, 1);
	add(ab, "ttas", 5, 1);
	assert_int_equal(ab_change(ab, AB_OPS_PER_S).why, WHY_NOT_YET);
}

static void metrics_expect_names_and_units(void **state)
{
	static const char *const expected[AB_METRICS][2] = {
		{"throughput", "op/s"}, {"wait p50", "ns"}, {"wait p99", "ns"},
		{"hold p50", "ns"},     {"fairness", ""},
	};

	(void)state;
	for (int i = 0; i < AB_METRICS; i++) {
		assert_string_equal(ab_metric_name((enum ab_metric)i), expected[i][0]);
		assert_string_equal(ab_metric_unit((enum ab_metric)i), expected[i][1]);
	}
}

#define AB(test) cmocka_unit_test_setup(test, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		AB(windows_expect_at_the_side_that_is_their_configuration),
		AB(same_configuration_on_both_sides_expect_windows_at_both),
		AB(nothing_set_expect_no_window_taken),
		AB(set_again_expect_windows_kept_only_if_it_is_the_same),
		AB(clear_expect_windows_gone_and_configurations_kept),
		AB(trials_expect_those_counted_whose_windows_were_taken),
		AB(known_windows_expect_exact_mean_and_spread),
		AB(equal_windows_expect_spread_of_zero),
		AB(more_windows_than_fit_expect_the_newest),
		AB(one_window_expect_mean_without_spread),
		AB(missing_values_expect_left_out_and_counted),
		AB(change_expect_ratio_of_means_or_the_reason),
		AB(metrics_expect_names_and_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
