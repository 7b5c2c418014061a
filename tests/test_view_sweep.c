/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every screen at every size, with figures and without; what the made-up figures must fulfil.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/fixture.h"
#include "ui/view.h"
#include "ui/views.h"

#ifdef __SANITIZE_ADDRESS__
enum { SWEEP_STEP = 13 };
#else
enum { SWEEP_STEP = 5 };
#endif

/* All panes, zooms and lists of one model at one size. */
static void render_all(struct model *m, struct grid *g)
{
	for (unsigned mode = UI_MAIN; mode <= UI_CONFIRM; mode++) {
		for (unsigned pane = 0; pane < PANE_COUNT; pane++) {
			struct ui_state s = ui_state_default();

			s.mode = mode;
			s.pane = pane;
			s.zoomed = true;
			for (unsigned p = 0; p < PANE_COUNT; p++)
				s.scroll[p] = pane * 1000;
			view_render(m, &s, g);
			if (mode != UI_MAIN)
				break;
		}
	}
	struct ui_state s = ui_state_default();

	view_render(m, &s, g);
}

static void every_screen_at_every_size_expect_no_crash(void **state)
{
	static const unsigned cpus[] = {1, 2, 7, 20, 64, 130, 257, 1024};
	struct model *m = malloc(sizeof(*m));
	struct grid g;

	(void)state;
	assert_non_null(m);
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		fixture_model(m, cpus[i]);
		fixture_counters(m, (enum fixture_counters)(i % 4));
		if (i % 2)
			fixture_missing(m);
		fixture_ab(m, i % 3 ? 300 : 0, i % 4 > 1 ? 5 : 0);
		for (unsigned cols = 1; cols <= 300; cols += cols < 60 ? SWEEP_STEP : 37) {
			for (unsigned rows = 1; rows <= 120;
			     rows += rows < 60 ? SWEEP_STEP : 3 * SWEEP_STEP) {
				assert_int_equal(grid_init(&g, cols, rows, TIER_UTF8), 0);
				render_all(m, &g);
				grid_fini(&g);
			}
		}
		fixture_free(m);
	}
	free(m);
}

/* Draws one view into a part of the grid. Returns false if a cell outside it was touched. */
static bool stays_inside(const struct view_ops *v, const struct model *m, struct grid *g,
			 struct grid_rect r)
{
	struct ui_state s = ui_state_default();

	grid_clear(g);
	s.zoomed = r.cols % 2;
	v->render(m, &s, g, r);
	for (int row = 0; row < (int)g->rows; row++) {
		for (int col = 0; col < (int)g->cols; col++) {
			const struct grid_cell *c = &g->cell[row * (int)g->cols + col];
			bool in = row >= r.row && row < r.row + r.rows && col >= r.col &&
				  col < r.col + r.cols;

			if (!in && c->glyph && c->glyph != ' ') {
				print_error("%s in %dx%d: cell %d,%d outside\n", v->name, r.cols,
					    r.rows, row - r.row, col - r.col);
				return false;
			}
		}
	}
	return true;
}

static void views_in_any_rectangle_expect_to_stay_inside(void **state)
{
	static const struct view_ops *const views[] = {
		&view_history, &view_strip, &view_cpu,      &view_wait,     &view_heat,
		&view_run,     &view_ab,    &view_variants, &view_messages, &view_keylist,
	};
	struct model *m = malloc(sizeof(*m));
	unsigned wrong = 0;
	struct grid g;

	(void)state;
	assert_non_null(m);
	assert_int_equal(grid_init(&g, 160, 44, TIER_ASCII), 0);
	for (unsigned twist = 0; twist < 3; twist++) {
		fixture_model(m, 257);
		fixture_counters(m, COUNTERS_LIVE);
		fixture_ab(m, 12, twist ? 9 : 0);
		if (twist == 2)
			fixture_missing(m);
		for (size_t v = 0; v < sizeof(views) / sizeof(views[0]); v++) {
			for (int cols = 1; cols <= 130; cols += cols < 40 ? 1 : SWEEP_STEP) {
				for (int rows = 1; rows <= 30; rows += rows < 12 ? 1 : SWEEP_STEP)
					wrong += !stays_inside(views[v], m, &g,
							       (struct grid_rect){5, 10, rows,
										  cols});
			}
		}
		fixture_free(m);
	}
	assert_int_equal(wrong, 0);
	grid_fini(&g);
	free(m);
}

static void empty_model_expect_no_crash(void **state)
{
	static const unsigned sizes[][2] = {{1, 1}, {20, 4}, {40, 10}, {80, 24}, {220, 60}};
	struct model *m = calloc(1, sizeof(*m));

	(void)state;
	assert_non_null(m);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct grid g;

		assert_int_equal(grid_init(&g, sizes[i][0], sizes[i][1], TIER_UTF8), 0);
		render_all(m, &g);
		grid_fini(&g);
	}
	free(m);
}

static void names_with_escapes_expect_none_on_screen(void **state)
{
	struct machine hostile = {.host = "a\x1b[31mb", .cpu_model = "x\x1b]0;t\x07", .cpus = 1};
	struct model *m = malloc(sizeof(*m));
	struct ui_state s = ui_state_default();
	char text[8192];
	struct grid g;

	(void)state;
	assert_non_null(m);
	fixture_model(m, 2);
	m->machine = &hostile;
	snprintf(m->config.variant, sizeof(m->config.variant), "v\x1b[0m");
	snprintf(m->message[1].text, sizeof(m->message[1].text), "m\x1b[2J\n");
	m->now_s = m->message[1].at_s;
	assert_int_equal(grid_init(&g, 80, 24, TIER_UTF8), 0);
	view_render(m, &s, &g);
	grid_to_text(&g, text, sizeof(text));
	assert_null(strchr(text, '\x1b'));
	assert_null(strchr(text, '\x07'));
	grid_fini(&g);
	fixture_free(m);
	free(m);
}

static void figures_of_fixture_expect_to_agree(void **state)
{
	static const unsigned cpus[] = {2, 7, 16, 64};
	struct model *m = malloc(sizeof(*m));

	(void)state;
	assert_non_null(m);
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		double sum = 0, share = 0, op_ns, parts_ns;

		fixture_model(m, cpus[i]);
		for (unsigned k = 0; k < m->cpu_count; k++) {
			sum += value_known(m->cpu[k].ops_per_s) ? m->cpu[k].ops_per_s.v : 0;
			share += value_known(m->cpu[k].share) ? m->cpu[k].share.v : 0;
		}
		assert_true(fabs(sum / m->ops_per_s.v - 1) < 1e-9);
		assert_true(fabs(share - 1) < 1e-9);
		/* threads / throughput = wait + hold + think */
		op_ns = m->config.threads * 1e9 / m->ops_per_s.v;
		parts_ns = m->wait_ratio.v * op_ns + m->hold_ratio.v * op_ns + 200;
		assert_true(fabs(parts_ns / op_ns - 1) < 0.01);
		assert_true(fabs(m->wait[0].stat.mean_ns.v / (m->wait_ratio.v * op_ns) - 1) < 0.05);
		fixture_free(m);
	}
	free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_screen_at_every_size_expect_no_crash),
		cmocka_unit_test(views_in_any_rectangle_expect_to_stay_inside),
		cmocka_unit_test(empty_model_expect_no_crash),
		cmocka_unit_test(names_with_escapes_expect_none_on_screen),
		cmocka_unit_test(figures_of_fixture_expect_to_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
