/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A and B are named by what they differ in, and by nothing else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/ab_text.h"

struct side {
	const char *variant;
	unsigned threads;
	enum place_policy place;
	const char *cpus, *hold, *pad; /* knobs: NULL = unset */
};

static struct config config_of(const struct side *s)
{
	struct config c = {.workload = "spinlock", .threads = s->threads, .place = s->place};
	struct err e;

	snprintf(c.variant, sizeof(c.variant), "%s", s->variant);
	snprintf(c.cpus, sizeof(c.cpus), "%s", s->cpus);
	if (s->hold)
		config_knob_set(&c, "hold_ns", s->hold, &e);
	if (s->pad)
		config_knob_set(&c, "pad", s->pad, &e);
	return c;
}

static void two_sides_expect_named_by_what_differs(void **state)
{
	static const struct {
		struct side a, b;
		const char *want_a, *want_b;
	} cases[] = {
		{{"mcs", 2, PLACE_SPREAD, "", "100", NULL},
		 {"clh", 2, PLACE_SPREAD, "", "100", NULL},
		 "mcs",
		 "clh"},
		{{"mcs", 1, PLACE_SPREAD, "", "100", NULL},
		 {"mcs", 2, PLACE_PACK, "", "100", NULL},
		 "1 thread spread",
		 "2 threads pack"},
		{{"mcs", 2, PLACE_SPREAD, "", "100", NULL},
		 {"ttas", 2, PLACE_SPREAD, "0,2", "100", NULL},
		 "mcs cpus all",
		 "ttas cpus 0,2"},
		{{"mcs", 2, PLACE_SPREAD, "", "100", "64"},
		 {"mcs", 2, PLACE_SPREAD, "", "5000", NULL},
		 "hold_ns=100 pad=64",
		 "hold_ns=5000 pad unset"},
		{{"mcs", 2, PLACE_SPREAD, "", "100", NULL},
		 {"mcs", 2, PLACE_SPREAD, "", "100", NULL},
		 "the same",
		 "the same"},
	};
	struct ab *ab = calloc(1, sizeof(*ab));

	(void)state;
	assert_non_null(ab);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct config a = config_of(&cases[i].a), b = config_of(&cases[i].b);
		char text[AB_TEXT];

		ab_set(ab, AB_A, &a);
		ab_set(ab, AB_B, &b);
		ab_text_differs(ab, AB_A, text, sizeof(text));
		assert_string_equal(text, cases[i].want_a);
		ab_text_differs(ab, AB_B, text, sizeof(text));
		assert_string_equal(text, cases[i].want_b);
	}
	free(ab);
}

static void one_side_expect_its_variant(void **state)
{
	const struct side side = {"mcs", 2, PLACE_SPREAD, "", "100", NULL};
	struct ab *ab = calloc(1, sizeof(*ab));
	struct config c = config_of(&side);
	char text[AB_TEXT];

	(void)state;
	assert_non_null(ab);
	ab_set(ab, AB_B, &c);
	assert_false(ab_text_both(ab));
	ab_text_differs(ab, AB_A, text, sizeof(text));
	assert_string_equal(text, "not set");
	ab_text_differs(ab, AB_B, text, sizeof(text));
	assert_string_equal(text, "mcs");
	ab_text_whole(&ab->side[AB_B], text, sizeof(text));
	assert_string_equal(text, "spinlock mcs, 2 threads, place spread, hold_ns=100");
	free(ab);
}

static void small_buffer_expect_cut_and_ended(void **state)
{
	const struct side a = {"mcs", 2, PLACE_SPREAD, "0-127", "100", "1"};
	const struct side b = {"clh", 3, PLACE_PACK, "", "200", NULL};
	struct ab *ab = calloc(1, sizeof(*ab));
	struct config ca = config_of(&a), cb = config_of(&b);
	char text[8];

	(void)state;
	assert_non_null(ab);
	ab_set(ab, AB_A, &ca);
	ab_set(ab, AB_B, &cb);
	ab_text_differs(ab, AB_A, text, sizeof(text));
	assert_string_equal(text, "mcs 2 t");
	free(ab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_sides_expect_named_by_what_differs),
		cmocka_unit_test(one_side_expect_its_variant),
		cmocka_unit_test(small_buffer_expect_cut_and_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
