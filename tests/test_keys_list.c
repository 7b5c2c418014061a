/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of the other modes: lists, search, editing, questions, help.
 */
#include "tests/keyboard.h"

static void unsupported_variant_expect_why(void **state)
{
	struct fixture *f = *state;
	struct ui_action a;

	type(f, "v/dec");
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

	type(f, "v/pth");
	assert_int_equal(ui_variant_nth(&f->s, &f->model, 0), 9);
	assert_int_equal(ui_variant_nth(&f->s, &f->model, 1), 10);
	assert_int_equal(ui_variant_nth(&f->s, &f->model, 2), f->model.variant_count);
	press(f, KEYCODE_END);
	assert_int_equal(f->s.cursor, 1);
	press(f, BACKSPACE);
	assert_string_equal(f->s.filter, "pt");
	a = press(f, ENTER);
	assert_int_equal(a.index, 9);

	type(f, "v/nosuch");
	a = press(f, ENTER);
	assert_int_equal(a.kind, ACT_BEEP);
	assert_non_null(strstr(a.text, "nosuch"));
	press(f, ESC);
	assert_int_equal(f->s.mode, UI_VARIANTS);
	assert_string_equal(f->s.filter, "");
	press(f, ESC);
	assert_int_equal(f->s.mode, UI_MAIN);
}

static void digits_in_list_expect_choice_or_search_text(void **state)
{
	struct fixture *f = *state;
	struct ui_action a;

	a = type(f, "v4");
	assert_int_equal(a.kind, ACT_VARIANT);
	assert_int_equal(a.index, 3);
	type(f, "v/4q");
	assert_string_equal(f->s.filter, "4q");
}

static void search_longer_than_buffer_expect_cut(void **state)
{
	struct fixture *f = *state;

	type(f, "v/");
	for (unsigned i = 0; i < 100; i++)
		press(f, 'a');
	assert_int_equal(strlen(f->s.filter), sizeof(f->s.filter) - 1);
	for (unsigned i = 0; i < 100; i++)
		press(f, KEYCODE_BACKSPACE);
	assert_string_equal(f->s.filter, "");
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
	static const unsigned openers[] = {'v', 'k', 'l', '?', 'c'};
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
		WITH_MODEL(digits_in_list_expect_choice_or_search_text),
		WITH_MODEL(search_longer_than_buffer_expect_cut),
		WITH_MODEL(knobs_expect_edit_apply_cancel),
		WITH_MODEL(knob_of_other_variants_expect_reason),
		WITH_MODEL(overlays_expect_q_goes_back_f10_quits),
		WITH_MODEL(help_scroll_expect_last_line_reached),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
