/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line of segments: what is left out first, what goes with what, where text is broken.
 */
#include "ui/line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { COLS = 40, ROWS = 4 };

/* The first @rows rows of a grid, without blanks at their ends, joined by '|'. */
static const char *text_of(struct grid *g, char *buf, size_t size)
{
	assert_true(grid_to_text(g, buf, size) < size);
	for (char *p = buf; *p; p++)
		*p = *p == '\n' ? '|' : *p;
	for (size_t n = strlen(buf); n && (buf[n - 1] == '|' || buf[n - 1] == ' '); n--)
		buf[n - 1] = '\0';
	return buf;
}

static void segments_that_do_not_fit_expect_left_out_by_rank(void **state)
{
	static const struct {
		int width;
		const char *text;
	} rows[] = {
		{40, "total 5  disturbed: gap  mean 4  wait 9"},
		{36, "total 5  disturbed  mean 4  wait 9"},
		{34, "total 5  disturbed  mean 4  wait 9"},
		{33, "total 5  mean 4  wait 9"},
		{17, "total 5  mean 4"},
		{9, "total 5"},
		{5, "tota\xe2\x80\xa6"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct grid g;
		struct line l;
		char text[512];

		assert_int_equal(grid_init(&g, COLS, 1, TIER_UTF8), 0);
		line_start(&l);
		line_add(&l, 0, ROLE_DIM, "total ");
		line_join(&l, ROLE_TITLE, "5");
		line_add(&l, 3, ROLE_WARNING, "disturbed");
		line_tail(&l, 4, ROLE_WARNING, ": gap");
		line_add(&l, 1, ROLE_TEXT, "mean 4");
		line_add(&l, 2, ROLE_TEXT, "wait 9");
		line_draw(&l, &g, (struct grid_rect){0, 0, 1, rows[i].width}, 2, "");
		assert_string_equal(text_of(&g, text, sizeof(text)), rows[i].text);
		grid_fini(&g);
	}
}

static void tail_of_what_is_left_out_expect_left_out(void **state)
{
	struct line l;

	(void)state;
	line_start(&l);
	line_tail(&l, 0, ROLE_TEXT, "of nothing");
	assert_int_equal(l.count, 0);
	line_add(&l, 0, ROLE_TEXT, "ab");
	line_add(&l, 1, ROLE_TEXT, "a long one");
	line_tail(&l, 2, ROLE_TEXT, "x");
	assert_int_equal(line_fit(&l, 6, 1), 2);
	assert_int_equal(l.count, 1);
}

static void text_broken_at_blanks_expect_nothing_lost(void **state)
{
	static const struct {
		int rows, cols, used;
		const char *text;
	} rows[] = {
		{4, 12, 3, "one two|  three four|  five"},
		{2, 12, 2, "one two|  three fou\xe2\x80\xa6"},
		{1, 40, 1, "one two three four five"},
		{4, 4, 4, "one|  tw|  o|  t\xe2\x80\xa6"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct grid_rect r = {0, 0, rows[i].rows, rows[i].cols};
		char text[512], *blank;
		struct grid g;

		assert_int_equal(grid_init(&g, COLS, ROWS, TIER_UTF8), 0);
		assert_int_equal(line_wrap(&g, r, 2, ROLE_TEXT, "one two three four five"),
				 rows[i].used);
		text_of(&g, text, sizeof(text));
		while ((blank = strstr(text, " |")))
			memmove(blank, blank + 1, strlen(blank));
		assert_string_equal(text, rows[i].text);
		grid_fini(&g);
	}
}

static void rule_expect_note_where_it_fits(void **state)
{
	(void)state;
	for (int cols = 1; cols <= COLS; cols++) {
		bool fits = cols >= 4 + 3 + LINE_RULE_CELLS;
		char text[512];
		struct grid g;

		assert_int_equal(grid_init(&g, COLS, 1, TIER_ASCII), 0);
		line_rule(&g, (struct grid_rect){0, 0, 1, cols}, false, "wait", "n 5");
		text_of(&g, text, sizeof(text));
		assert_true(fits == !!strstr(text, " n 5 -"));
		assert_true(line_cells(text) <= cols);
		grid_fini(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(segments_that_do_not_fit_expect_left_out_by_rank),
		cmocka_unit_test(tail_of_what_is_left_out_expect_left_out),
		cmocka_unit_test(text_broken_at_blanks_expect_nothing_lost),
		cmocka_unit_test(rule_expect_note_where_it_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
