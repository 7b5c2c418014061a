/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Knobs, comparison of configurations, measuring modes.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "src/config.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void knob_when_set_twice_expect_last_value(void **state)
{
	struct config c = {0};

	(void)state;
	assert_null(config_knob_get(&c, "pad"));
	assert_int_equal(config_knob_set(&c, "pad", "64", NULL), 0);
	assert_int_equal(config_knob_set(&c, "pad", "128", NULL), 0);
	assert_int_equal(c.knob_count, 1);
	assert_string_equal(config_knob_get(&c, "pad"), "128");
}

static void knob_when_too_many_or_long_expect_error(void **state)
{
	struct config c = {0};
	struct err e;
	char text[300];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(config_knob_set(&c, "pad", text, &e), -E2BIG);
	assert_int_equal(config_knob_set(&c, text, "1", &e), -E2BIG);
	assert_int_equal(config_knob_set(&c, "", "1", &e), -E2BIG);
	for (unsigned i = 0; i < PAGE_KNOBS; i++) {
		snprintf(text, sizeof(text), "k%u", i);
		assert_int_equal(config_knob_set(&c, text, "1", &e), 0);
	}
	assert_int_equal(config_knob_set(&c, "one-more", "1", &e), -ENOSPC);
	assert_int_equal(config_knob_set(&c, "k3", "2", &e), 0);
}

static void knobs_when_formatted_expect_sorted_by_name(void **state)
{
	struct config c = {0};
	char buf[64];

	(void)state;
	assert_string_equal(config_knobs_format(&c, buf, sizeof(buf)), "");
	config_knob_set(&c, "think_ns", "200", NULL);
	config_knob_set(&c, "hold_ns", "100", NULL);
	assert_string_equal(config_knobs_format(&c, buf, sizeof(buf)), "hold_ns=100,think_ns=200");
	config_knobs_format(&c, buf, 8);
	assert_string_equal(buf, "hold_ns");
}

static struct config sample(void)
{
	struct config c = {.workload = "w", .variant = "v", .threads = 2, .cpus = "0,1"};

	config_knob_set(&c, "a", "1", NULL);
	config_knob_set(&c, "b", "2", NULL);
	return c;
}

static void equal_when_knobs_in_other_order_expect_true(void **state)
{
	struct config a = sample(), b = a;

	(void)state;
	b.knob_count = 0;
	config_knob_set(&b, "b", "2", NULL);
	config_knob_set(&b, "a", "1", NULL);
	assert_true(config_equal(&a, &b));
}

static void equal_when_anything_differs_expect_false(void **state)
{
	const struct config a = sample();
	struct config b[8];

	(void)state;
	for (size_t i = 0; i < COUNT(b); i++)
		b[i] = a;
	b[0].workload[0] = 'x';
	b[1].variant[0] = 'x';
	b[2].threads = 3;
	b[3].place = PLACE_PACK;
	b[4].cpus[2] = '2';
	b[5].knob_count = 1;
	b[6].knob[1].value[0] = '3';
	b[7].place_given = true; /* the list is then ordered by the policy */
	for (size_t i = 0; i < COUNT(b); i++)
		assert_false(config_equal(&a, &b[i]));
}

static void measure_when_parsed_expect_same_text_back(void **state)
{
	static const struct {
		const char *text;
		enum page_measure mode;
		unsigned n;
	} rows[] = {
		{"auto", PAGE_MEASURE_AUTO, 0},
		{"off", PAGE_MEASURE_OFF, 0},
		{"every", PAGE_MEASURE_EVERY, 1},
		{"sampled:64", PAGE_MEASURE_SAMPLED, 64},
	};
	enum page_measure mode;
	unsigned n;
	char buf[32];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(measure_parse(rows[i].text, &mode, &n, NULL), 0);
		assert_int_equal(mode, rows[i].mode);
		assert_int_equal(n, rows[i].n);
		assert_string_equal(measure_format(mode, n, buf, sizeof(buf)), rows[i].text);
	}
}

static void measure_when_wrong_expect_word_and_nearest(void **state)
{
	static const char *const wrong[] =
		{"",           "of",          "sampled",   "sampled:",       "sampled:0",
		 "sampled:-1", "sampled:1.5", "sampled:1", "sampled:9999999"};
	enum page_measure mode;
	struct err e;
	unsigned n;

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++)
		assert_true(measure_parse(wrong[i], &mode, &n, &e) < 0);
	measure_parse("evry", &mode, &n, &e);
	assert_string_equal(e.text,
			    "unknown measuring mode 'evry' (nearest: every; accepted: auto, off, "
			    "sampled:N, every)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knob_when_set_twice_expect_last_value),
		cmocka_unit_test(knob_when_too_many_or_long_expect_error),
		cmocka_unit_test(knobs_when_formatted_expect_sorted_by_name),
		cmocka_unit_test(equal_when_knobs_in_other_order_expect_true),
		cmocka_unit_test(equal_when_anything_differs_expect_false),
		cmocka_unit_test(measure_when_parsed_expect_same_text_back),
		cmocka_unit_test(measure_when_wrong_expect_word_and_nearest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
