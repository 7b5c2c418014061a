/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns of time: each sample that is kept has one, the newest stands at the right, and a column
 * never changes its samples.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ui/timeline.h"

static const uint64_t counts[] = {0, 1, 2, 59, 479, 480, 481, 1003, 1ull << 40};

static int setup(void **state)
{
	*state = calloc(1, sizeof(struct model));
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static void any_width_expect_samples_and_columns_to_agree(void **state)
{
	struct model *m = *state;

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		m->sample_count = counts[i];
		for (int cols = 1; cols <= 600; cols++) {
			struct timeline t = timeline_make(m, cols);

			assert_true(t.per >= 1 && t.lead >= 0 && t.lead <= cols);
			for (int c = t.lead; c < cols; c++)
				assert_int_equal(timeline_column(&t, timeline_sample(&t, c)), c);
			if (!counts[i])
				assert_int_equal(t.lead, cols);
			else
				assert_int_equal(timeline_column(&t, counts[i] - 1), cols - 1);
		}
	}
}

static void one_more_sample_expect_columns_move_left_or_stay(void **state)
{
	struct model *m = *state;
	const int cols = 73;

	for (uint64_t n = 1; n < 3000; n++) {
		struct timeline before, after;

		m->sample_count = n;
		before = timeline_make(m, cols);
		m->sample_count = n + 1;
		after = timeline_make(m, cols);
		for (int c = before.lead; c < cols; c++) {
			int to = timeline_column(&after, timeline_sample(&before, c));

			/* A column stays whole: its first sample stays the first. */
			assert_in_range(to + 1, (uint64_t)c, (uint64_t)c + 1);
			if (to >= after.lead)
				assert_int_equal(timeline_sample(&after, to),
						 timeline_sample(&before, c));
		}
	}
}

static void kept_expect_the_last_ones(void **state)
{
	struct model *m = *state;

	m->sample_count = 1000;
	assert_false(timeline_kept(m, 1000));
	assert_true(timeline_kept(m, 999));
	assert_true(timeline_kept(m, 1000 - MODEL_HISTORY));
	assert_false(timeline_kept(m, 1000 - MODEL_HISTORY - 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(any_width_expect_samples_and_columns_to_agree,
						setup, teardown),
		cmocka_unit_test_setup_teardown(one_more_sample_expect_columns_move_left_or_stay,
						setup, teardown),
		cmocka_unit_test_setup_teardown(kept_expect_the_last_ones, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
