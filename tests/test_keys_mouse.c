/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mouse without a terminal: from a cell to its meaning, and what a press or a notch of the
 * wheel does there.
 */
#include "tests/keyboard.h"

#include <stdio.h>

#include "ui/hit.h"

/* Draws, and finds where @text begins on the screen; fails if it is nowhere. */
static void find(struct fixture *f, const char *text, unsigned *row, unsigned *col)
{
	char *screen = malloc(1 << 18), *at, *line;
	struct grid g;

	assert_non_null(screen);
	assert_int_equal(grid_init(&g, f->s.cols, f->s.rows, TIER_ASCII), 0);
	view_render(&f->model, &f->s, &g);
	grid_to_text(&g, screen, 1 << 18);
	at = strstr(screen, text);
	if (!at)
		fail_msg("'%s' is not on the screen:\n%s", text, screen);
	*row = 0;
	line = screen;
	for (char *p = screen; p < at; p++) {
		if (*p != '\n')
			continue;
		++*row;
		line = p + 1;
	}
	*col = (unsigned)(at - line);
	grid_fini(&g);
	free(screen);
}

/* Presses on the first cell of @text, or on the one @right of it. */
static struct ui_action click(struct fixture *f, const char *text, unsigned right)
{
	unsigned row, col;

	find(f, text, &row, &col);
	return mouse(f, MOUSE_PRESS, row, col + right);
}

static void cells_expect_pane_row_variant_key(void **state)
{
	struct fixture *f = *state;
	struct grid g;
	unsigned row, col;
	struct hit h;

	assert_int_equal(grid_init(&g, 80, 24, TIER_ASCII), 0);
	view_render(&f->model, &f->s, &g);
	find(f, "- run length", &row, &col);
	h = hit_at(&f->s, &f->model, &g, row, col);
	assert_true(h.in_pane);
	assert_int_equal(h.pane, PANE_RUN);
	assert_int_equal(h.touch, TOUCH_NOTHING);
	h = hit_at(&f->s, &f->model, &g, 5, 30);
	assert_int_equal(h.pane, PANE_CPU);
	assert_int_equal(h.touch, TOUCH_ROW);
	assert_int_equal(h.number, 1);
	find(f, "5 tas", &row, &col);
	h = hit_at(&f->s, &f->model, &g, row, col + 2);
	assert_int_equal(h.touch, TOUCH_VARIANT);
	assert_int_equal(h.number, 4);
	find(f, "q quit", &row, &col);
	h = hit_at(&f->s, &f->model, &g, row, col + 3);
	assert_int_equal(h.touch, TOUCH_KEY);
	assert_int_equal(h.number, 'q');
	/* Header and what lies outside mean nothing. */
	assert_false(hit_at(&f->s, &f->model, &g, 0, 0).in_pane);
	assert_int_equal(hit_at(&f->s, &f->model, &g, 0, 0).touch, TOUCH_NOTHING);
	assert_int_equal(hit_at(&f->s, &f->model, &g, 24, 0).touch, TOUCH_NOTHING);
	assert_int_equal(hit_at(&f->s, &f->model, &g, 0, 80).touch, TOUCH_NOTHING);
	grid_fini(&g);
}

static void key_codes_in_cells_expect_the_same_back(void **state)
{
	static const unsigned keys[] = {1,          'q',        ESC,         ENTER,          0xe4,
					KEYCODE_UP, KEYCODE_F1, KEYCODE_F10, KEYCODE_BACKTAB};

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_int_equal(grid_touched_key(grid_touch_key(keys[i])), keys[i]);
}

static void press_on_key_bar_expect_that_key(void **state)
{
	static const struct {
		const char *text;
		unsigned right;
		enum ui_action_kind kind;
		enum ui_mode mode;
	} cases[] = {
		{"q quit", 0, ACT_QUIT, UI_MAIN},         {"q quit", 5, ACT_QUIT, UI_MAIN},
		{"? help", 0, ACT_REDRAW, UI_HELP},       {"+ - threads", 0, ACT_THREADS, UI_MAIN},
		{"+ - threads", 2, ACT_THREADS, UI_MAIN}, {"+ - threads", 6, ACT_NONE, UI_MAIN},
		{"a b A/B", 0, ACT_MARK_A, UI_MAIN},      {"a b A/B", 2, ACT_MARK_B, UI_MAIN},
		{"space pause", 8, ACT_FREEZE, UI_MAIN},  {"e CSV", 3, ACT_SNAPSHOT, UI_MAIN},
		{"1-9 lock", 5, ACT_REDRAW, UI_VARIANTS}, {"p place", 3, ACT_PLACE, UI_MAIN},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ui_action a;

		f->s = ui_state_default();
		a = click(f, cases[i].text, cases[i].right);
		if (a.kind != cases[i].kind || f->s.mode != cases[i].mode)
			fail_msg("'%s' + %u: action %d, mode %d", cases[i].text, cases[i].right,
				 (int)a.kind, (int)f->s.mode);
	}
	f->s = ui_state_default();
	assert_int_equal(click(f, "+ - threads", 0).number, f->model.config.threads + 1);
	assert_int_equal(click(f, "+ - threads", 2).number, f->model.config.threads - 1);
}

/* Whatever stands in a bar: a press on a key does what the key does. */
static void bars_of_all_modes_expect_press_equals_key(void **state)
{
	static const char *const modes[] = {"",  "v", "v/", "v\\", "w", "k", "k\r",
					    "l", "?", "\r", "c",   "/", "\\"};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		unsigned keys = 0;

		for (unsigned col = 0; col < 80; col++) {
			struct ui_state before, pressed;
			struct ui_action a, b;
			struct grid g;
			struct hit h;

			f->s = ui_state_default();
			type(f, modes[i]);
			before = f->s;
			assert_int_equal(grid_init(&g, 80, 24, TIER_UTF8), 0);
			view_render(&f->model, &f->s, &g);
			h = hit_at(&f->s, &f->model, &g, 23, col);
			grid_fini(&g);
			a = mouse(f, MOUSE_PRESS, 23, col);
			pressed = f->s;
			if (h.touch == TOUCH_NOTHING) {
				assert_int_equal(a.kind, ACT_NONE);
				continue;
			}
			keys++;
			assert_int_equal(h.touch, TOUCH_KEY);
			f->s = before;
			b = press(f, h.number);
			assert_int_equal(a.kind, b.kind);
			assert_string_equal(a.text, b.text);
			assert_memory_equal(&pressed, &f->s, sizeof(pressed));
		}
		assert_true(keys > 5);
	}
}

static void press_on_pane_expect_focus(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(click(f, "- run length", 4).kind, ACT_REDRAW);
	assert_int_equal(f->s.pane, PANE_RUN);
	click(f, "- hold", 1);
	assert_int_equal(f->s.pane, PANE_HOLD);
	ui_resize(&f->s, 200, 60);
	click(f, "variants, latest", 3);
	assert_int_equal(f->s.pane, PANE_VARIANTS);
}

static void press_on_variant_expect_it_runs(void **state)
{
	struct fixture *f = *state;
	struct ui_action a = click(f, "6 ttas", 3);

	assert_int_equal(a.kind, ACT_VARIANT);
	assert_int_equal(a.index, 5);
	a = click(f, "v all", 3);
	assert_int_equal(f->s.mode, UI_VARIANTS);
	press(f, ESC);
	/* In the table the first press marks the pane. */
	ui_resize(&f->s, 200, 60);
	a = click(f, "7 ticket", 3);
	if (a.kind == ACT_REDRAW)
		a = click(f, "7 ticket", 3);
	assert_int_equal(a.kind, ACT_VARIANT);
	assert_int_equal(a.index, 6);
}

static void press_on_row_of_list_expect_marked_then_run(void **state)
{
	struct fixture *f = *state;
	struct ui_action a;

	press(f, 'v');
	assert_int_equal(click(f, "ticket", 0).kind, ACT_REDRAW);
	assert_int_equal(f->s.cursor, 6);
	assert_int_equal(f->s.mode, UI_VARIANTS);
	a = click(f, "ticket", 0);
	assert_int_equal(a.kind, ACT_VARIANT);
	assert_int_equal(a.index, 6);
	assert_int_equal(f->s.mode, UI_MAIN);
	press(f, 'k');
	click(f, "think_ns  ", 0);
	assert_int_equal(f->s.cursor, 1);
	click(f, "think_ns  ", 0);
	assert_true(f->s.editing);
	/* While a value is typed rows are no buttons. */
	assert_int_equal(click(f, "hold_ns  ", 0).kind, ACT_NONE);
	assert_true(f->s.editing);
}

static void press_on_cpu_row_expect_marked_then_entered(void **state)
{
	struct fixture *f = *state;

	press(f, TAB);
	mouse(f, MOUSE_PRESS, 6, 20);
	assert_int_equal(f->s.pane, PANE_CPU);
	assert_int_equal(f->s.row, 2);
	assert_int_equal(f->s.mode, UI_MAIN);
	mouse(f, MOUSE_PRESS, 6, 20);
	assert_int_equal(f->s.mode, UI_CPU);
	assert_int_equal(f->s.cpu, f->model.cpu[2].cpu);
}

static void wheel_expect_pane_under_the_pointer_scrolls(void **state)
{
	struct fixture *f = *state;
	unsigned limit;

	f->s.pane = PANE_RUN;
	limit = ui_scroll_limit(&f->s, &f->model, PANE_CPU);
	assert_true(limit > 3);
	mouse(f, MOUSE_WHEEL_DOWN, 6, 20);
	assert_int_equal(f->s.scroll[PANE_CPU], 3);
	assert_int_equal(f->s.pane, PANE_RUN);
	/* The marked row stays in what is shown. */
	assert_int_equal(f->s.row, 3);
	for (unsigned i = 0; i < 9; i++)
		mouse(f, MOUSE_WHEEL_DOWN, 6, 20);
	assert_int_equal(f->s.scroll[PANE_CPU], limit);
	assert_int_equal(mouse(f, MOUSE_WHEEL_DOWN, 6, 20).kind, ACT_NONE);
	mouse(f, MOUSE_WHEEL_UP, 6, 20);
	assert_int_equal(f->s.scroll[PANE_CPU], limit - 3);
	/* Nothing to scroll: no sentence for every notch. */
	assert_int_equal(mouse(f, MOUSE_WHEEL_DOWN, 0, 0).kind, ACT_NONE);
	assert_int_equal(mouse(f, MOUSE_WHEEL_UP, 20, 5).kind, ACT_NONE);
}

static void wheel_in_lists_expect_moves(void **state)
{
	struct fixture *f = *state;

	press(f, 'v');
	press(f, KEYCODE_HOME);
	mouse(f, MOUSE_WHEEL_DOWN, 8, 8);
	assert_int_equal(f->s.cursor, 3);
	mouse(f, MOUSE_WHEEL_UP, 8, 8);
	assert_int_equal(f->s.cursor, 0);
	press(f, ESC);
	press(f, 'c');
	assert_int_equal(mouse(f, MOUSE_WHEEL_UP, 8, 8).kind, ACT_NONE);
	assert_int_equal(mouse(f, MOUSE_PRESS, 8, 8).kind, ACT_NONE);
	assert_int_equal(f->s.mode, UI_CONFIRM);
	assert_int_equal(click(f, "n no", 0).kind, ACT_REDRAW);
	assert_int_equal(f->s.mode, UI_MAIN);
	type(f, "k\r");
	assert_int_equal(mouse(f, MOUSE_WHEEL_UP, 8, 8).kind, ACT_NONE);
}

static void press_while_typing_expect_typing_ends(void **state)
{
	struct fixture *f = *state;

	type(f, "\\n1");
	mouse(f, MOUSE_PRESS, 5, 20);
	assert_int_equal(f->s.typing, TYPING_NOTHING);
	assert_string_equal(f->s.cpus.filter, "n1");
	press(f, '\\');
	click(f, "- run length", 3);
	assert_int_equal(f->s.typing, TYPING_NOTHING);
	assert_int_equal(f->s.pane, PANE_RUN);
}

static void every_cell_at_every_size_expect_no_crash(void **state)
{
	static const unsigned sizes[][2] = {{1, 1}, {20, 4}, {40, 10}, {80, 24}, {130, 40}};
	static const char *const modes[] = {"", "z", "v", "w", "k", "l", "?", "\r", "c", "/n"};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (unsigned cell = 0; cell < sizes[i][0] * sizes[i][1]; cell += 7) {
			f->s = ui_state_default();
			ui_resize(&f->s, sizes[i][0], sizes[i][1]);
			type(f, modes[cell % 10]);
			mouse(f, cell % 3, cell / sizes[i][0], cell % sizes[i][0]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_MODEL(cells_expect_pane_row_variant_key),
		WITH_MODEL(key_codes_in_cells_expect_the_same_back),
		WITH_MODEL(press_on_key_bar_expect_that_key),
		WITH_MODEL(bars_of_all_modes_expect_press_equals_key),
		WITH_MODEL(press_on_pane_expect_focus),
		WITH_MODEL(press_on_variant_expect_it_runs),
		WITH_MODEL(press_on_row_of_list_expect_marked_then_run),
		WITH_MODEL(press_on_cpu_row_expect_marked_then_entered),
		WITH_MODEL(wheel_expect_pane_under_the_pointer_scrolls),
		WITH_MODEL(wheel_in_lists_expect_moves),
		WITH_MODEL(press_while_typing_expect_typing_ends),
		WITH_MODEL(every_cell_at_every_size_expect_no_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
