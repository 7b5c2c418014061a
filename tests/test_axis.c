/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From buckets to columns: no record is lost, none is drawn finer than it was measured.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/axis.h"

static struct hist *hist_of(const uint64_t *value, size_t count)
{
	struct hist *h = calloc(1, sizeof(*h));

	assert_non_null(h);
	for (size_t i = 0; i < count; i++)
		hist_add(h, value[i]);
	return h;
}

static int first_cell(const struct axis *a)
{
	for (int i = 0; i < a->cells; i++) {
		if (a->count[i])
			return i;
	}
	return -1;
}

static int cells_used(const struct axis *a)
{
	int n = 0;

	for (int i = 0; i < a->cells; i++)
		n += a->count[i] != 0;
	return n;
}

static void powers_of_two_expect_their_own_cell(void **state)
{
	struct axis_request rq = {.cells = 44, .octave = 4, .octaves = 22, .unit = 1};

	(void)state;
	for (unsigned k = 4; k < 26; k++) {
		uint64_t v = 1ull << k;
		struct hist *h = hist_of(&v, 1);
		struct axis a;

		axis_make(&a, &rq, h);
		assert_int_equal(a.octave, 4);
		assert_int_equal(first_cell(&a), (int)(k - 4) * 2);
		assert_true(axis_begin(&a, first_cell(&a)) == (double)v);
		free(h);
	}
}

static void any_values_expect_every_record_counted_once(void **state)
{
	struct axis_request rq = {.cells = 38, .octave = 4, .octaves = 18, .unit = 1 / 2.6};
	uint64_t v[1000];
	uint32_t seed = 1;

	(void)state;
	for (size_t i = 0; i < 1000; i++) {
		seed = seed * 1664525u + 1013904223u;
		v[i] = (uint64_t)seed << (seed % 13) >> (seed / 7 % 40);
	}

	struct hist *h = hist_of(v, 1000);
	struct axis a;
	uint64_t sum = 0;

	axis_make(&a, &rq, h);
	for (int i = 0; i < a.cells; i++)
		sum += a.count[i];
	assert_int_equal(a.total, 1000);
	assert_int_equal(sum + a.under + a.over, 1000);
	free(h);
}

static void runs_of_one_expect_whole_octave_wide(void **state)
{
	static const uint64_t v[] = {1, 1, 1, 2, 3};
	struct axis_request rq = {.cells = 64,
				  .octave = 0,
				  .octaves = 16,
				  .unit = 1,
				  .resolution = 1};
	struct hist *h = hist_of(v, 5);
	struct axis a;

	(void)state;
	axis_make(&a, &rq, h);
	assert_int_equal(a.per_octave, 4);
	/* 1 fills its octave; 2 and 3 half of theirs each. */
	for (int i = 0; i < 4; i++)
		assert_int_equal(a.count[i], 3);
	for (int i = 4; i < 8; i++)
		assert_int_equal(a.count[i], 1);
	assert_int_equal(cells_used(&a), 8);
	free(h);
}

static void coarse_clock_expect_no_gaps_between_its_steps(void **state)
{
	/* A clock of 10 ns steps, 2.6 ticks a ns: 20, 30, .. 80 ns. */
	static const uint64_t v[] = {52, 78, 104, 130, 156, 182, 208};
	struct axis_request rq = {.cells = 72,
				  .octave = 4,
				  .octaves = 18,
				  .unit = 1 / 2.6,
				  .resolution = 10};
	struct hist *h = hist_of(v, 7);
	struct axis a;
	int first;

	(void)state;
	axis_make(&a, &rq, h);
	first = first_cell(&a);
	for (int i = first; i < first + cells_used(&a); i++)
		assert_true(a.count[i] > 0);
	/* 20 ns stands at 16 to 19 ns or later, 80 ns below 95. */
	assert_true(axis_begin(&a, first) >= 16);
	assert_true(axis_begin(&a, first + cells_used(&a)) <= 95.2);
	free(h);
}

static void records_far_right_expect_axis_follows(void **state)
{
	static const uint64_t v[] = {1ull << 30, 1ull << 31};
	struct axis_request rq = {.cells = 38, .octave = 4, .octaves = 18, .unit = 1};
	struct hist *h = hist_of(v, 2);
	struct axis a;

	(void)state;
	axis_make(&a, &rq, h);
	assert_int_equal(a.over, 0);
	assert_int_equal(a.under, 0);
	assert_int_equal(a.octave % 2, 0);
	assert_int_equal(cells_used(&a), 2);
	free(h);
}

static void records_too_wide_expect_counted_outside(void **state)
{
	static const uint64_t v[] = {2, 1ull << 39};
	struct axis_request rq = {.cells = 20, .octave = 4, .octaves = 10, .unit = 1};
	struct hist *h = hist_of(v, 2);
	struct axis a;

	(void)state;
	axis_make(&a, &rq, h);
	assert_int_equal(a.over, 1);
	assert_int_equal(cells_used(&a), 1);
	free(h);
}

static void zeroes_expect_under(void **state)
{
	static const uint64_t v[] = {0, 0, 100};
	struct axis_request rq = {.cells = 44,
				  .octave = 4,
				  .octaves = 22,
				  .unit = 1,
				  .resolution = 10};
	struct hist *h = hist_of(v, 3);
	struct axis a;

	(void)state;
	axis_make(&a, &rq, h);
	assert_int_equal(a.under, 2);
	free(h);
}

static void nothing_or_absurd_sizes_expect_empty_axis(void **state)
{
	static const int cells[] = {-5, 0, 1, AXIS_CELLS, 100000};
	struct hist *h = hist_of(NULL, 0);

	(void)state;
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		struct axis_request rq = {.cells = cells[i], .octaves = 22, .unit = 1};
		struct axis a;

		axis_make(&a, &rq, h);
		assert_in_range(a.cells, 1, AXIS_CELLS);
		assert_int_equal(a.total, 0);
		assert_int_equal(a.peak, 0);
	}
	free(h);
}

static bool is_round(double v)
{
	double digit = v / pow(10, floor(log10(v * (1 + 1e-9))));

	return fabs(digit - 1) < 1e-6 || fabs(digit - 2) < 1e-6 || fabs(digit - 5) < 1e-6;
}

static void scale_at_every_height_expect_round_labels_from_0(void **state)
{
	char label[16];

	(void)state;
	for (int rows = 1; rows <= 80; rows++) {
		for (double v = 0.02; v < 3e10; v *= 1.07) {
			struct axis_scale a = axis_scale_make(v, rows);
			int labels = 0;

			assert_int_equal(a.rows, rows);
			assert_true(is_round(a.step));
			assert_true(fabs(a.top / (a.step * rows / a.every) - 1) < 1e-9);
			/* All of it is inside, and not less than 2 of 5 of the height used. */
			assert_true(v <= a.top * (1 + 1e-6) && v >= 0.39 * a.top);
			for (int i = 0; i < rows; i++)
				labels += *axis_scale_label(&a, i, label, sizeof(label)) != 0;
			assert_in_range(labels, rows < 2 ? 1 : rows > 6 ? 3 : 2, 6);
		}
	}
}

static void scale_expect_these_labels(void **state)
{
	static const struct {
		double highest;
		int rows;
		const char *label[6];
	} rows[] = {
		{3.67e6, 5, {"0", "1M", "2M", "3M", "4M", NULL}},
		{1.2e6, 5, {"0", "", "500k", "", "1M", NULL}},
		{4.2e6, 2, {"0", "5M", NULL}},
		{0.4, 4, {"0", "0.1", "0.2", "0.3", NULL}},
		{37, 1, {"50", NULL}},
	};
	char label[16];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct axis_scale a = axis_scale_make(rows[i].highest, rows[i].rows);

		for (int k = 0; k < rows[i].rows; k++)
			assert_string_equal(axis_scale_label(&a, k, label, sizeof(label)),
					    rows[i].label[k]);
	}
}

static void number_expect_no_zeros_behind_the_dot(void **state)
{
	static const struct {
		double v;
		const char *text;
	} rows[] = {{0, "0"},       {10, "10"},        {100, "100"},  {1000, "1k"},
		    {2500, "2.5k"}, {1.25e6, "1.25M"}, {20e9, "20G"}, {0.5, "0.5"}};
	char text[16];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(axis_number(rows[i].v, text, sizeof(text)), rows[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(powers_of_two_expect_their_own_cell),
		cmocka_unit_test(any_values_expect_every_record_counted_once),
		cmocka_unit_test(runs_of_one_expect_whole_octave_wide),
		cmocka_unit_test(coarse_clock_expect_no_gaps_between_its_steps),
		cmocka_unit_test(records_far_right_expect_axis_follows),
		cmocka_unit_test(records_too_wide_expect_counted_outside),
		cmocka_unit_test(zeroes_expect_under),
		cmocka_unit_test(nothing_or_absurd_sizes_expect_empty_axis),
		cmocka_unit_test(scale_at_every_height_expect_round_labels_from_0),
		cmocka_unit_test(scale_expect_these_labels),
		cmocka_unit_test(number_expect_no_zeros_behind_the_dot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
