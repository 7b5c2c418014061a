/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock: how it is chosen, its rate between two anchors, and sane figures on this machine.
 */
#include "probes/tick.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#if defined(__x86_64__)
static const char native[] = "tsc";
#elif defined(__aarch64__)
static const char native[] = "cntvct";
#else
static const char native[] = "";
#endif

struct choice_row {
	bool invariant;
	const char *clocksource;
	enum tick_source source;
	const char *why; /* a part of it */
};

#if defined(__x86_64__)
static const struct choice_row choices[] = {
	{true, "tsc", TICK_COUNTER, "invariant"},
	{true, "kvm-clock", TICK_MONOTONIC, "kvm-clock"},
	{true, "hpet", TICK_MONOTONIC, "hpet"},
	{true, "tsc-early", TICK_MONOTONIC, "tsc-early"},
	{true, "", TICK_MONOTONIC, "unknown"},
	{true, "a_clocksource_whose_name_is_long_beyond_all_reason_and_then_some_more_of_it",
	 TICK_MONOTONIC, "a_clocksource"},
	{false, "tsc", TICK_MONOTONIC, "not invariant"},
	{false, "", TICK_MONOTONIC, "not invariant"},
};
#elif defined(__aarch64__)
static const struct choice_row choices[] = {
	{true, "arch_sys_counter", TICK_COUNTER, "invariant"},
	{true, "", TICK_COUNTER, "invariant"},
	{false, "arch_sys_counter", TICK_MONOTONIC, "not invariant"},
};
#else
static const struct choice_row choices[] = {
	{true, "timebase", TICK_MONOTONIC, "no cheap counter"},
	{false, "", TICK_MONOTONIC, "no cheap counter"},
};
#endif

static void facts_expect_the_choice_of_this_architecture(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		const struct choice_row *r = &choices[i];
		struct tick_choice c = tick_choose_from(r->invariant, r->clocksource);

		assert_int_equal(c.source, r->source);
		assert_string_equal(c.name, r->source == TICK_COUNTER ? native : "monotonic");
		assert_non_null(strstr(c.why, r->why));
	}
}

static void forced_words_expect_obeyed_and_unknown_ones_ignored(void **state)
{
	const struct tick_choice own = tick_choose(NULL);
	const struct {
		const char *word;
		enum tick_source source;
	} row[] = {
		{"monotonic", TICK_MONOTONIC},
		{"counter", *native ? TICK_COUNTER : own.source},
		{native, *native ? TICK_COUNTER : own.source},
		{"sundial", own.source},
		{"", own.source},
		/* The other architecture's counter is not here. */
		{strcmp(native, "tsc") == 0 ? "cntvct" : "tsc", own.source},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct tick_choice c = tick_choose(row[i].word);

		assert_int_equal(c.source, row[i].source);
		assert_string_equal(c.name, c.source == TICK_COUNTER ? native : "monotonic");
		assert_true(c.why[0]);
	}
	assert_non_null(strstr(tick_choose("monotonic").why, "asked for"));
	if (*native)
		assert_non_null(strstr(tick_choose(native).why, "asked for"));
}

static void anchors_expect_rate_or_zero(void **state)
{
	static const struct {
		struct tick_anchor a, b;
		double hz;
	} row[] = {
		{{0, 0}, {2600000, 1000000}, 2.6e9},
		{{7, 5}, {100007, 100005}, 1e9}, /* just far enough */
		{{7, 5}, {100007, 100004}, 0},
		{{0, 0}, {0, 1000000}, 0}, /* the tick stands still */
		{{9, 0}, {8, 1000000}, 0}, /* runs backwards */
		{{0, 1000000}, {9, 0}, 0},
		{{5, 5}, {5, 5}, 0},
		{{1ull << 63, 1ull << 62}, {(1ull << 63) + 24000, (1ull << 62) + 1000000}, 24e6},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		assert_true(fabs(tick_rate_hz(&row[i].a, &row[i].b) - row[i].hz) <=
			    row[i].hz * 1e-12);
}

/* The clocks of this machine: the counter only where it was found good. */
static unsigned sources(enum tick_source *out)
{
	out[0] = TICK_MONOTONIC;
	out[1] = tick_choose(NULL).source;
	return out[1] == TICK_MONOTONIC ? 1 : 2;
}

static void stamps_of_one_thread_expect_never_backwards(void **state)
{
	enum tick_source source[2];
	unsigned n = sources(source);

	(void)state;
	for (unsigned s = 0; s < n; s++) {
		uint64_t last = tick_now(source[s]);

		for (int i = 0; i < 100000; i++) {
			uint64_t now = tick_now(source[s]);

			assert_true(now >= last);
			last = now;
		}
	}
}

static void monotonic_expect_nanoseconds(void **state)
{
	struct tick_anchor a = tick_anchor_now(TICK_MONOTONIC), b = a;

	(void)state;
	while (b.ns < a.ns + 2000000)
		b = tick_anchor_now(TICK_MONOTONIC);
	assert_true(fabs(tick_rate_hz(&a, &b) / 1e9 - 1) < 0.1);
	assert_true(tick_now(TICK_MONOTONIC) >= b.ticks);
	assert_true(tick_monotonic_ns() >= b.ticks);
}

static void quality_expect_plausible_figures(void **state)
{
	enum tick_source source[2];
	unsigned n = sources(source);

	(void)state;
	for (unsigned s = 0; s < n; s++) {
		struct tick_quality q = tick_quality_measure(source[s], 0);

		/* From a 1 MHz board to far beyond any CPU. */
		assert_true(q.hz > 0.9e6 && q.hz < 1e11);
		assert_true(q.stamp_ns > 0.1 && q.stamp_ns < 50000);
		assert_true(q.resolution_ns > 0.01 && q.resolution_ns < 50000);
		/* The largest of what can go wrong, and no more. */
		assert_true(q.floor_ns >= q.resolution_ns && q.floor_ns >= q.bias_ns);
		assert_true(q.floor_ns >= 2 * q.stamp_ns);
		assert_true(q.floor_ns == q.resolution_ns || q.floor_ns == q.bias_ns ||
			    q.floor_ns == 2 * q.stamp_ns);
		assert_true(fabs(q.bias_ns) < 50000);
	}
}

static void quality_with_known_rate_expect_figures_in_its_unit(void **state)
{
	enum tick_source source = tick_choose(NULL).source;
	struct tick_quality q = tick_quality_measure(source, 0);
	struct tick_quality slow = tick_quality_measure(source, q.hz / 1000);

	(void)state;
	assert_true(slow.hz == q.hz / 1000);
	/* A clock said to be 1000 times slower: the same ticks are 1000 times longer. */
	assert_true(slow.stamp_ns > 100 * q.stamp_ns && slow.stamp_ns < 10000 * q.stamp_ns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_expect_the_choice_of_this_architecture),
		cmocka_unit_test(forced_words_expect_obeyed_and_unknown_ones_ignored),
		cmocka_unit_test(anchors_expect_rate_or_zero),
		cmocka_unit_test(stamps_of_one_thread_expect_never_backwards),
		cmocka_unit_test(monotonic_expect_nanoseconds),
		cmocka_unit_test(quality_expect_plausible_figures),
		cmocka_unit_test(quality_with_known_rate_expect_figures_in_its_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
