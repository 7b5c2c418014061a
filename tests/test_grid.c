/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells: clipping, glyphs of each tier, text from outside.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/grid.h"

static const enum grid_tier tiers[] = {TIER_UTF8, TIER_BLOCK, TIER_ASCII};

static void expect_text(const struct grid *g, const char *want)
{
	char buf[4096];
	size_t n = grid_to_text(g, buf, sizeof(buf));

	assert_string_equal(buf, want);
	assert_int_equal(n, strlen(want));
}

static void size_out_of_range_expect_einval(void **state)
{
	struct grid g;

	(void)state;
	assert_int_equal(grid_init(&g, 0, 1, TIER_UTF8), -EINVAL);
	assert_int_equal(grid_init(&g, 1, 0, TIER_UTF8), -EINVAL);
	assert_int_equal(grid_init(&g, 1001, 1, TIER_UTF8), -EINVAL);
	grid_fini(&g);
}

static void resize_expect_blank_cells_of_new_size(void **state)
{
	static const unsigned sizes[][2] = {{80, 24}, {200, 60}, {1, 1}, {90, 30}, {1000, 1000}};
	struct grid g;

	(void)state;
	assert_int_equal(grid_init(&g, 10, 2, TIER_UTF8), 0);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		assert_int_equal(grid_resize(&g, sizes[i][0], sizes[i][1]), 0);
		for (size_t k = 0; k < (size_t)g.cols * g.rows; k++)
			assert_int_equal(g.cell[k].glyph, 0);
		for (unsigned row = 0; row < g.rows; row++)
			grid_rule(&g, (int)row, 0, (int)g.cols);
	}
	grid_fini(&g);
}

static void drawing_outside_expect_nothing_happens(void **state)
{
	struct grid g;

	(void)state;
	assert_int_equal(grid_init(&g, 4, 2, TIER_UTF8), 0);
	grid_put(&g, -1, 0, 'x', ROLE_TEXT);
	grid_put(&g, 0, -1, 'x', ROLE_TEXT);
	grid_put(&g, 2, 0, 'x', ROLE_TEXT);
	grid_put(&g, 0, 4, 'x', ROLE_TEXT);
	grid_text(&g, 5, 0, 10, ROLE_TEXT, "abc");
	grid_rule(&g, -3, -5, 100);
	grid_bar(&g, 7, 0, 4, 1, ROLE_BAR);
	grid_column(&g, -1, 0, 9, 1, ROLE_BAR);
	grid_paint(&g, (struct grid_rect){-2, -2, 1, 1}, ROLE_SELECTED);
	expect_text(&g, "\n");
	grid_text(&g, 1, -1, 10, ROLE_TEXT, "abcdefgh");
	grid_column(&g, 0, 3, 9, 1, ROLE_BAR);
	expect_text(&g, "   █\nbcde");
	grid_fini(&g);
}

static void text_longer_than_width_expect_clipped_and_full_length(void **state)
{
	struct grid g;

	(void)state;
	assert_int_equal(grid_init(&g, 10, 1, TIER_UTF8), 0);
	assert_int_equal(grid_text(&g, 0, 0, 3, ROLE_TEXT, "4.1µs"), 5);
	expect_text(&g, "4.1");
	grid_clear(&g);
	assert_int_equal(grid_printf(&g, 0, 0, 10, ROLE_TEXT, "%dµ", 12), 3);
	expect_text(&g, "12µ");
	assert_int_equal(grid_text(&g, 0, 0, -5, ROLE_TEXT, "abc"), 3);
	expect_text(&g, "12µ");
	grid_fini(&g);
}

static void text_of_each_tier_expect_one_cell_for_one(void **state)
{
	static const char *const want[] = {"µ→●◌‖■▸─│┬┴┼├┤░▲▼×…", "u>****>─│┬┴┼├┤░^vx>",
					   "u>****>-|+++++:^vx>"};
	struct grid g;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(grid_init(&g, 40, 1, tiers[i]), 0);
		assert_int_equal(grid_text(&g, 0, 0, 40, ROLE_TEXT, want[0]), 19);
		expect_text(&g, want[i]);
		grid_fini(&g);
	}
}

static void text_with_rubbish_expect_question_marks(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{"a\x1b[2Jb", "a?[2Jb"},   /* escape */
		{"a\x7f\x01z", "a??z"},    /* control */
		{"\xc3", "?"},             /* cut short */
		{"\xff\xfe.", "??."},      /* never valid */
		{"\xe2\x82x", "?x"},       /* cut in the middle */
		{"\xe4\xb8\xad", "?"},     /* two cells wide */
		{"e\xcc\x81", "e?"},       /* combining: no cell */
		{"\xf0\x9f\x94\xa5", "?"}, /* emoji */
		{"\xc2\x9b", "?"},         /* C1 control */
	};
	struct grid g;

	(void)state;
	assert_int_equal(grid_init(&g, 10, 1, TIER_UTF8), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		grid_clear(&g);
		grid_text(&g, 0, 0, 10, ROLE_TEXT, cases[i].text);
		expect_text(&g, cases[i].want);
	}
	grid_fini(&g);
}

static void bar_expect_part_cell_of_tier(void **state)
{
	static const struct {
		double share;
		const char *want[3];
	} cases[] = {
		{0, {"", "", ""}},
		{NAN, {"", "", ""}},
		{-1, {"", "", ""}},
		{0.0001, {"▏", "▌", "."}},
		{0.25, {"█", "█", "#"}},
		{0.28125, {"█▏", "█", "#."}},
		{0.375, {"█▌", "█▌", "#:"}},
		{0.46875, {"█▉", "█▌", "#:"}},
		{1, {"████", "████", "####"}},
		{7, {"████", "████", "####"}},
		{INFINITY, {"████", "████", "####"}},
	};
	struct grid g;

	(void)state;
	for (size_t t = 0; t < 3; t++) {
		assert_int_equal(grid_init(&g, 8, 1, tiers[t]), 0);
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
			grid_clear(&g);
			grid_bar(&g, 0, 0, 4, cases[i].share, ROLE_BAR);
			expect_text(&g, cases[i].want[t]);
		}
		grid_bar(&g, 0, 0, -4, 1, ROLE_BAR);
		grid_fini(&g);
	}
}

static void spark_expect_eight_levels(void **state)
{
	static const char *const want[] = {"▁▂▃▄▅▆▇█▁█", "   ▄▄███ █", "_.-=+*%#_#"};
	struct grid g;

	(void)state;
	for (size_t t = 0; t < 3; t++) {
		assert_int_equal(grid_init(&g, 12, 1, tiers[t]), 0);
		for (int i = 0; i < 8; i++)
			grid_spark(&g, 0, i, (i + 0.5) / 8, ROLE_BAR);
		grid_spark(&g, 0, 8, -3, ROLE_BAR);
		grid_spark(&g, 0, 9, 3, ROLE_BAR);
		grid_spark(&g, 0, 10, NAN, ROLE_BAR);
		expect_text(&g, want[t]);
		grid_fini(&g);
	}
}

static void column_expect_smallest_step_visible(void **state)
{
	static const char *const want[] = {"     █\n   ▅██\n ▁████", "     █\n   ▄██\n ▄████",
					   "     #\n   :##\n .####"};
	static const double level[] = {0, 0.0001, 1.0 / 3, 1.625 / 3, 2.0 / 3, 1, NAN};
	struct grid g;

	(void)state;
	for (size_t t = 0; t < 3; t++) {
		assert_int_equal(grid_init(&g, 8, 3, tiers[t]), 0);
		for (int i = 0; i < 7; i++)
			grid_column(&g, 2, i, 3, level[i], ROLE_BAR);
		expect_text(&g, want[t]);
		grid_column(&g, 2, 7, 0, 1, ROLE_BAR);
		expect_text(&g, want[t]);
		grid_fini(&g);
	}
}

static void to_text_without_room_expect_length_needed(void **state)
{
	char buf[8];
	struct grid g;

	(void)state;
	assert_int_equal(grid_init(&g, 4, 2, TIER_UTF8), 0);
	grid_text(&g, 0, 0, 4, ROLE_TEXT, "µµµµ");
	grid_text(&g, 1, 0, 4, ROLE_TEXT, "ab");
	assert_int_equal(grid_to_text(&g, NULL, 0), 11);
	assert_int_equal(grid_to_text(&g, buf, sizeof(buf)), 11);
	assert_string_equal(buf, "µµµ");
	grid_fini(&g);
}

static void paint_expect_roles_changed_glyphs_kept(void **state)
{
	struct grid g;

	(void)state;
	assert_int_equal(grid_init(&g, 4, 2, TIER_UTF8), 0);
	grid_text(&g, 0, 0, 4, ROLE_TEXT, "abcd");
	grid_paint(&g, (struct grid_rect){0, 1, 9, 2}, ROLE_SELECTED);
	expect_text(&g, "abcd\n");
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(g.cell[i].role,
				 i % 4 == 1 || i % 4 == 2 ? ROLE_SELECTED : ROLE_TEXT);
	grid_fini(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(size_out_of_range_expect_einval),
		cmocka_unit_test(resize_expect_blank_cells_of_new_size),
		cmocka_unit_test(drawing_outside_expect_nothing_happens),
		cmocka_unit_test(text_longer_than_width_expect_clipped_and_full_length),
		cmocka_unit_test(text_of_each_tier_expect_one_cell_for_one),
		cmocka_unit_test(text_with_rubbish_expect_question_marks),
		cmocka_unit_test(bar_expect_part_cell_of_tier),
		cmocka_unit_test(spark_expect_eight_levels),
		cmocka_unit_test(column_expect_smallest_step_visible),
		cmocka_unit_test(to_text_without_room_expect_length_needed),
		cmocka_unit_test(paint_expect_roles_changed_glyphs_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
