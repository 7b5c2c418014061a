/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of the other modes: lists, search, editing, questions, help.
 */
#include "tests/keyboard.h"

#include <stdio.h>

enum { NOTHING = 0xffff };

/* The index that stands in row @nth of the list, NOTHING if it has none. */
static unsigned shown(const struct fixture *f, unsigned nth)
{
	struct rows r;

	ui_rows(&f->s, &f->model, &r);
	return nth < r.count ? r.at[nth] : NOTHING;
}

static void unsupported_variant_expect_why(void **state)
{
	struct fixture *f = *state;
	struct ui_action a;

	type(f, "v\\dec");
	a = press(f, ENTER);
	assert_int_equal(a.kind, ACT_BEEP);
	assert_non_null(strstr(a.text, "x86-64"));
	assert_int_equal(f->s.mode, UI_VARIANTS);
}

static void clear_expect_question_only_with_rounds(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(press(f, 'c').kind, ACT_REDRAW);
	assert_int_equal(f->s.mode, UI_CONFIRM);
	assert_non_null(strstr(f->s.question, "2 rounds"));
	assert_int_equal(press(f, 'x').kind, ACT_BEEP);
	assert_int_equal(f->s.mode, UI_CONFIRM);
	assert_int_equal(press(f, 'n').kind, ACT_REDRAW);
	assert_int_equal(f->s.mode, UI_MAIN);
	press(f, 'c');
	assert_int_equal(press(f, ESC).kind, ACT_REDRAW);
	press(f, 'c');
	assert_int_equal(press(f, 'y').kind, ACT_CLEAR);
	assert_int_equal(f->s.mode, UI_MAIN);
	f->model.rounds_kept = 0;
	assert_int_equal(press(f, 'c').kind, ACT_CLEAR);
}

static void variant_list_expect_cursor_search_choice(void **state)
{
	struct fixture *f = *state;
	struct ui_action a;

	press(f, 'v');
	assert_int_equal(f->s.cursor, 7);
	press(f, KEYCODE_UP);
	a = press(f, ENTER);
	assert_int_equal(a.kind, ACT_VARIANT);
	assert_int_equal(a.index, 6);
	assert_int_equal(f->s.mode, UI_MAIN);

	type(f, "v\\pth");
	assert_int_equal(shown(f, 0), 9);
	assert_int_equal(shown(f, 1), 10);
	assert_int_equal(shown(f, 2), NOTHING);
	press(f, KEYCODE_END);
	assert_int_equal(f->s.cursor, 1);
	press(f, BACKSPACE);
	assert_string_equal(f->s.list.filter, "pt");
	a = press(f, ENTER);
	assert_int_equal(a.index, 9);

	type(f, "v\\nosuch");
	a = press(f, ENTER);
	assert_int_equal(a.kind, ACT_BEEP);
	assert_non_null(strstr(a.text, "nosuch"));
	press(f, ESC);
	assert_int_equal(f->s.mode, UI_VARIANTS);
	assert_string_equal(f->s.list.filter, "");
	press(f, ESC);
	assert_int_equal(f->s.mode, UI_MAIN);
}

static void search_in_list_expect_all_rows_and_next_match(void **state)
{
	struct fixture *f = *state;

	type(f, "v/pth");
	assert_int_equal(shown(f, 12), 12);
	assert_int_equal(f->s.cursor, 9);
	press(f, KEYCODE_DOWN);
	assert_int_equal(f->s.cursor, 10);
	press(f, KEYCODE_DOWN);
	assert_int_equal(f->s.cursor, 9);
	press(f, KEYCODE_UP);
	assert_int_equal(f->s.cursor, 10);
	assert_int_equal(type(f, "x").kind, ACT_BEEP);
	assert_int_equal(f->s.cursor, 10);
	press(f, ESC);
	assert_int_equal(f->s.mode, UI_VARIANTS);
	assert_int_equal(f->s.cursor, 10);
}

static void sort_of_variants_expect_best_first_missing_last(void **state)
{
	static const char *const ids[] = {"ops_per_s", "wait_p99_ns", "fairness_jain", ""};
	struct fixture *f = *state;

	press(f, 'v');
	for (size_t i = 0; i < 4; i++) {
		struct rows r;

		press(f, 's');
		assert_string_equal(f->s.sort[ROWS_VARIANTS].id, ids[i]);
		ui_rows(&f->s, &f->model, &r);
		assert_int_equal(r.count, f->model.variant_count);
		for (unsigned n = 1; *ids[i] && n < r.count; n++) {
			struct rows_variant a =
				rows_variant_figures(&f->model, &f->model.variant[r.at[n - 1]]);
			struct rows_variant b =
				rows_variant_figures(&f->model, &f->model.variant[r.at[n]]);

			if (!value_known(b.ops_per_s) || !value_known(b.fairness))
				continue;
			assert_true(value_known(a.ops_per_s));
			if (i == 0)
				assert_true(a.ops_per_s.v >= b.ops_per_s.v);
			if (i == 1 && value_known(a.wait_p99_ns) && value_known(b.wait_p99_ns))
				assert_true(a.wait_p99_ns.v <= b.wait_p99_ns.v);
			if (i == 2)
				assert_true(a.fairness.v >= b.fairness.v);
		}
	}
}

static void marked_row_of_sorted_list_expect_that_variant_runs(void **state)
{
	struct fixture *f = *state;
	struct ui_action a;
	unsigned want;

	type(f, "vs");
	press(f, KEYCODE_HOME);
	press(f, KEYCODE_DOWN);
	want = shown(f, 1);
	a = press(f, ENTER);
	assert_int_equal(a.kind, ACT_VARIANT);
	assert_int_equal(a.index, want);
	/* And digits stay the catalogue's. */
	assert_int_equal(type(f, "4").index, 3);
}

static void workload_list_expect_choice_by_name(void **state)
{
	static const char *const names[] = {"spinlock", "pages", "gettimeofday", "queue"};
	struct fixture *f = *state;
	struct catalog_workload all[4];
	struct catalog catalog = {.workload_count = 4, .workload = all};
	struct ui_action a;

	for (size_t i = 0; i < 4; i++) {
		all[i] = f->model.catalog->workload[0];
		snprintf(all[i].name, sizeof(all[i].name), "%s", names[i]);
	}
	f->model.catalog = &catalog;
	press(f, 'w');
	assert_int_equal(f->s.mode, UI_WORKLOADS);
	assert_int_equal(f->s.cursor, 0);
	press(f, KEYCODE_END);
	assert_int_equal(f->s.cursor, 3);
	press(f, KEYCODE_PAGE_UP);
	press(f, KEYCODE_DOWN);
	a = press(f, ENTER);
	assert_int_equal(a.kind, ACT_WORKLOAD);
	assert_int_equal(a.index, 1);
	assert_int_equal(f->s.mode, UI_MAIN);
	a = type(f, "w\\time");
	assert_int_equal(shown(f, 0), 2);
	assert_int_equal(shown(f, 1), NOTHING);
	a = press(f, ENTER);
	assert_int_equal(a.index, 2);
	press(f, 'w');
	assert_int_equal(type(f, "/q").kind, ACT_REDRAW);
	assert_int_equal(f->s.cursor, 3);
	assert_int_equal(press(f, ESC).kind, ACT_REDRAW);
	assert_int_equal(press(f, 'w').kind, ACT_REDRAW);
	assert_int_equal(f->s.mode, UI_MAIN);
}

static void long_list_expect_window_moves_only_at_its_ends(void **state)
{
	struct fixture *f = *state;
	unsigned page;

	ui_resize(&f->s, 80, 14);
	press(f, 'v');
	press(f, KEYCODE_HOME);
	page = ui_list_page(ui_list_rows(&f->s) + 1);
	assert_true(page < f->model.variant_count);
	press(f, KEYCODE_END);
	assert_int_equal(f->s.top, f->model.variant_count - page);
	press(f, KEYCODE_UP);
	assert_int_equal(f->s.top, f->model.variant_count - page);
	press(f, KEYCODE_HOME);
	assert_int_equal(f->s.top, 0);
	press(f, KEYCODE_DOWN);
	assert_int_equal(f->s.top, 0);
}

static void digits_in_list_expect_choice_or_search_text(void **state)
{
	struct fixture *f = *state;
	struct ui_action a;

	a = type(f, "v4");
	assert_int_equal(a.kind, ACT_VARIANT);
	assert_int_equal(a.index, 3);
	type(f, "v\\4q");
	assert_string_equal(f->s.list.filter, "4q");
}

static void search_longer_than_buffer_expect_cut(void **state)
{
	struct fixture *f = *state;

	type(f, "v\\");
	for (unsigned i = 0; i < 100; i++)
		press(f, 'a');
	assert_int_equal(strlen(f->s.list.filter), sizeof(f->s.list.filter) - 1);
	for (unsigned i = 0; i < 100; i++)
		press(f, KEYCODE_BACKSPACE);
	assert_string_equal(f->s.list.filter, "");
}

static void knobs_expect_edit_apply_cancel(void **state)
{
	struct fixture *f = *state;
	struct ui_action a;

	press(f, 'k');
	press(f, KEYCODE_DOWN);
	press(f, ENTER);
	assert_true(f->s.editing);
	assert_string_equal(f->s.edit, "200");
	press(f, BACKSPACE);
	type(f, "5q");
	assert_string_equal(f->s.edit, "205q");
	press(f, BACKSPACE);
	assert_int_equal(press(f, KEYCODE_UP).kind, ACT_BEEP);
	a = press(f, ENTER);
	assert_int_equal(a.kind, ACT_KNOB);
	assert_string_equal(a.text, "think_ns=205");
	assert_false(f->s.editing);
	assert_int_equal(f->s.mode, UI_KNOBS);

	press(f, ENTER);
	press(f, ESC);
	assert_false(f->s.editing);
	press(f, ENTER);
	for (unsigned i = 0; i < 5; i++)
		press(f, BACKSPACE);
	assert_int_equal(press(f, ENTER).kind, ACT_BEEP);
	press(f, ESC);
	press(f, ESC);
	assert_int_equal(f->s.mode, UI_MAIN);
}

static void knob_of_other_variants_expect_reason(void **state)
{
	struct fixture *f = *state;
	struct ui_action a;

	press(f, 'k');
	press(f, KEYCODE_END);
	a = press(f, ENTER);
	assert_int_equal(a.kind, ACT_BEEP);
	assert_non_null(strstr(a.text, "old,new"));
	fixture_variant(&f->model, 1);
	assert_int_equal(press(f, ENTER).kind, ACT_REDRAW);
	assert_true(f->s.editing);
	press(f, ESC);
	fixture_variant(&f->model, 3); /* new-xchg is not new */
	assert_int_equal(press(f, ENTER).kind, ACT_BEEP);
}

static void overlays_expect_q_goes_back_f10_quits(void **state)
{
	static const unsigned openers[] = {'v', 'w', 'k', 'l', '?', 'c', ENTER};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(openers) / sizeof(openers[0]); i++) {
		press(f, openers[i]);
		assert_int_not_equal(f->s.mode, UI_MAIN);
		assert_int_equal(press(f, KEYCODE_F10).kind, ACT_QUIT);
		assert_int_equal(press(f, CTRL_L).kind, ACT_REPAINT);
		assert_int_equal(press(f, CTRL_Z).kind, ACT_SUSPEND);
		assert_int_equal(press(f, 'q').kind, ACT_REDRAW);
		assert_int_equal(f->s.mode, UI_MAIN);
	}
}

static void help_scroll_expect_last_line_reached(void **state)
{
	struct fixture *f = *state;

	press(f, '?');
	press(f, KEYCODE_END);
	assert_int_equal(f->s.cursor, ui_help_lines(&f->s) - ui_list_rows(&f->s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_MODEL(unsupported_variant_expect_why),
		WITH_MODEL(clear_expect_question_only_with_rounds),
		WITH_MODEL(variant_list_expect_cursor_search_choice),
		WITH_MODEL(search_in_list_expect_all_rows_and_next_match),
		WITH_MODEL(sort_of_variants_expect_best_first_missing_last),
		WITH_MODEL(marked_row_of_sorted_list_expect_that_variant_runs),
		WITH_MODEL(workload_list_expect_choice_by_name),
		WITH_MODEL(long_list_expect_window_moves_only_at_its_ends),
		WITH_MODEL(digits_in_list_expect_choice_or_search_text),
		WITH_MODEL(search_longer_than_buffer_expect_cut),
		WITH_MODEL(knobs_expect_edit_apply_cancel),
		WITH_MODEL(knob_of_other_variants_expect_reason),
		WITH_MODEL(overlays_expect_q_goes_back_f10_quits),
		WITH_MODEL(help_scroll_expect_last_line_reached),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
