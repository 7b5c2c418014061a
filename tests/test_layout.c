/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rectangles of all panes at all sizes: inside, no overlap, the last lines given up last.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/layout.h"

#ifdef __SANITIZE_ADDRESS__
enum { STEP = 7 };
#else
enum { STEP = 1 };
#endif

enum { COLS = 300, ROWS = 120, VARIANTS = 12 };

static const unsigned cpus[] = {1, 2, 7, 20, 64, 130, 257, 1024};

/* The main screen, with a strip of as many lines as @cpus need at two thirds of the width. */
static struct layout main_of(unsigned cols, unsigned rows, unsigned cpu_rows, bool have_ab)
{
	struct layout_input in = {
		.cols = cols,
		.rows = rows,
		.cpus = cpu_rows,
		.strip_lines = 2 + cpu_rows * 3 / 2 / cols,
		.variants = VARIANTS,
		.keys = 30,
		.have_ab = have_ab,
	};

	return layout_main(&in);
}

static const struct grid_rect *pane(const struct layout *l, enum layout_pane p)
{
	return &l->pane[p];
}

/* Marks every cell of every pane: once only, and none outside. */
static void check_cells(const struct layout *l, unsigned cols, unsigned rows)
{
	for (unsigned p = 0; p < LAYOUT_PANES; p++) {
		const struct grid_rect *r = &l->pane[p];

		if (!r->rows)
			continue;
		if (r->rows < 0 || r->cols < 1 || r->row < 0 || r->col < 0 ||
		    r->row + r->rows > (int)rows || r->col + r->cols > (int)cols)
			fail_msg("%ux%u: pane %u is outside: row %d col %d rows %d cols %d", cols,
				 rows, p, r->row, r->col, r->rows, r->cols);
		for (unsigned q = p + 1; q < LAYOUT_PANES; q++) {
			const struct grid_rect *o = &l->pane[q];

			if (o->rows && r->row < o->row + o->rows && o->row < r->row + r->rows &&
			    r->col < o->col + o->cols && o->col < r->col + r->cols)
				fail_msg("%ux%u: panes %u and %u overlap", cols, rows, p, q);
		}
	}
}

/* Every row belongs to some pane: no dead space in the left column. */
static void check_rows_used(const struct layout *l, unsigned cols, unsigned rows)
{
	for (int row = 0; row < (int)rows; row++) {
		bool used = false;

		for (unsigned p = 0; p < LAYOUT_PANES; p++)
			used |= l->pane[p].rows && l->pane[p].col == 0 && row >= l->pane[p].row &&
				row < l->pane[p].row + l->pane[p].rows;
		if (!used)
			fail_msg("%ux%u: row %d is nobody's", cols, rows, row);
	}
}

static void main_at_every_size_expect_inside_and_apart(void **state)
{
	(void)state;
	for (unsigned cols = 1; cols <= COLS; cols += STEP) {
		for (unsigned rows = 1; rows <= ROWS; rows += STEP) {
			for (size_t i = 0; i < 2 * sizeof(cpus) / sizeof(cpus[0]); i++) {
				struct layout l = main_of(cols, rows, cpus[i / 2], i % 2);

				check_cells(&l, cols, rows);
				check_rows_used(&l, cols, rows);
				/* The last two lines are never pushed off. */
				if (rows >= 3)
					assert_int_equal(pane(&l, LAYOUT_KEYS)->row, (int)rows - 1);
				if (!(i % 2))
					assert_int_equal(pane(&l, LAYOUT_AB)->rows, 0);
			}
		}
	}
}

static void zoom_at_every_size_expect_one_body_pane(void **state)
{
	(void)state;
	for (unsigned cols = 1; cols <= COLS; cols += STEP) {
		for (unsigned rows = 1; rows <= ROWS; rows += STEP) {
			struct layout l = layout_zoom(cols, rows, LAYOUT_RUN);

			check_cells(&l, cols, rows);
			check_rows_used(&l, cols, rows);
			assert_true(pane(&l, LAYOUT_RUN)->rows > 0);
			assert_int_equal(pane(&l, LAYOUT_CPU)->rows, 0);
		}
	}
}

static void title_message_keys_expect_kept_when_panes_go(void **state)
{
	(void)state;
	for (unsigned rows = 5; rows <= ROWS; rows++) {
		struct layout l = main_of(80, rows, 64, true);

		assert_true(pane(&l, LAYOUT_HEADER)->rows >= 1);
		assert_int_equal(pane(&l, LAYOUT_MESSAGE)->rows, 1);
		assert_int_equal(pane(&l, LAYOUT_KEYS)->row, (int)rows - 1);
	}
}

static void one_cell_expect_header_only(void **state)
{
	struct layout l = main_of(1, 1, 2, true);

	(void)state;
	assert_int_equal(l.size, LAYOUT_XS);
	assert_int_equal(pane(&l, LAYOUT_HEADER)->rows, 1);
	assert_int_equal(pane(&l, LAYOUT_KEYS)->rows, 0);
}

static void classes_expect_by_size(void **state)
{
	static const struct {
		unsigned cols, rows;
		enum layout_class want;
	} cases[] = {
		{200, 50, LAYOUT_XL}, {199, 50, LAYOUT_L}, {120, 36, LAYOUT_L},
		{119, 36, LAYOUT_M},  {80, 20, LAYOUT_M},  {79, 20, LAYOUT_S},
		{40, 10, LAYOUT_S},   {200, 9, LAYOUT_XS}, {39, 99, LAYOUT_XS},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(main_of(cases[i].cols, cases[i].rows, 2, false).size,
				 cases[i].want);
}

static void rows_expect_given_up_in_order(void **state)
{
	(void)state;
	for (unsigned rows = 10; rows <= 60; rows++) {
		struct layout l = main_of(80, rows, 64, true);
		int wait = pane(&l, LAYOUT_WAIT)->rows;
		int cpu = pane(&l, LAYOUT_CPU)->rows;
		int ab = pane(&l, LAYOUT_AB)->rows;

		/* A chart has three rows of columns, or only its percentiles are left. */
		assert_true(wait == 0 || wait == 2 || wait >= 6);
		/* Columns are given up before the third CPU. */
		assert_true(wait < 6 || cpu >= 4);
		/* Then the figures of A and B beyond the first, then the heat map. */
		assert_true(ab < 6 || wait >= 6);
		assert_true(ab >= (rows < 20 ? 1 : 2));
		assert_true(!pane(&l, LAYOUT_HEAT)->rows || ab >= 6);
	}
}

static void standard_sizes_expect_all_panes(void **state)
{
	static const struct {
		unsigned cols, rows, cpus;
	} cases[] = {{80, 24, 2},  {80, 24, 16},    {120, 40, 2},   {120, 40, 64},
		     {200, 60, 2}, {200, 60, 1024}, {200, 50, 1024}};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned cols = cases[i / 2].cols, rows = cases[i / 2].rows;
		bool have_ab = i % 2;
		struct layout l = main_of(cols, rows, cases[i / 2].cpus, have_ab);

		assert_true(pane(&l, LAYOUT_CPU)->rows >= 3);
		assert_true(pane(&l, LAYOUT_WAIT)->rows >= 6);
		assert_int_equal(pane(&l, LAYOUT_HOLD)->row, pane(&l, LAYOUT_WAIT)->row);
		assert_true(pane(&l, LAYOUT_RUN)->rows >= 2);
		assert_true(pane(&l, LAYOUT_VARIANTS)->rows >= 1);
		assert_int_equal(pane(&l, LAYOUT_HISTORY)->rows > 0, cols >= 120);
		assert_int_equal(pane(&l, LAYOUT_MESSAGES)->rows > 0, cols >= 200);
		assert_int_equal(pane(&l, LAYOUT_HEAT)->rows > 0, cols >= 200);
		assert_int_equal(pane(&l, LAYOUT_STRIP)->rows > 0, cols >= 200);
		assert_int_equal(pane(&l, LAYOUT_AB)->rows >= (cols >= 120 ? 6 : 2), have_ab);
	}
}

static void small_and_crowded_expect_a_cell_a_cpu(void **state)
{
	struct layout few = main_of(40, 10, 2, false), many = main_of(40, 10, 64, false);

	(void)state;
	assert_int_equal(pane(&few, LAYOUT_STRIP)->rows, 0);
	assert_int_equal(pane(&few, LAYOUT_CPU)->rows, 3);
	assert_true(pane(&many, LAYOUT_STRIP)->rows >= 4);
	many = main_of(40, 10, 64, true);
	assert_int_equal(pane(&many, LAYOUT_AB)->rows, 1);
	assert_true(pane(&many, LAYOUT_STRIP)->rows >= 4);
}

static void no_cpus_no_variants_expect_no_panes_for_them(void **state)
{
	const struct layout_input in = {.cols = 80, .rows = 24};
	struct layout l = layout_main(&in);

	(void)state;
	check_cells(&l, 80, 24);
	assert_int_equal(pane(&l, LAYOUT_CPU)->rows, 0);
	assert_int_equal(pane(&l, LAYOUT_VARIANTS)->rows, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(main_at_every_size_expect_inside_and_apart),
		cmocka_unit_test(zoom_at_every_size_expect_one_body_pane),
		cmocka_unit_test(title_message_keys_expect_kept_when_panes_go),
		cmocka_unit_test(one_cell_expect_header_only),
		cmocka_unit_test(classes_expect_by_size),
		cmocka_unit_test(rows_expect_given_up_in_order),
		cmocka_unit_test(small_and_crowded_expect_a_cell_a_cpu),
		cmocka_unit_test(standard_sizes_expect_all_panes),
		cmocka_unit_test(no_cpus_no_variants_expect_no_panes_for_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
