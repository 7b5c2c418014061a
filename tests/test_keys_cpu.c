/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of the CPU table: sorting, search, filter, and the screen of one CPU.
 */
#include "tests/keyboard.h"

#include <stdio.h>

#include "ui/columns.h"

static int setup_counted(void **state)
{
	struct fixture *f;

	setup(state);
	f = *state;
	fixture_counters(&f->model, COUNTERS_LIVE);
	return 0;
}

#define COUNTED(test) cmocka_unit_test_setup_teardown(test, setup_counted, teardown)

/* The kernel id in row @nth of what is shown. */
static int cpu_at(const struct fixture *f, unsigned nth)
{
	struct rows r;

	ui_rows(&f->s, &f->model, &r);
	assert_true(nth < r.count);
	return f->model.cpu[r.at[nth]].cpu;
}

static void sort_expect_all_columns_and_back_to_order(void **state)
{
	struct fixture *f = *state;
	unsigned counters = ui_counter_columns(&f->model);

	assert_true(counters > 3);
	press(f, 's');
	assert_string_equal(f->s.sort[ROWS_CPUS].id, "cpu");
	press(f, 's');
	assert_string_equal(f->s.sort[ROWS_CPUS].id, "ops_per_s");
	for (unsigned i = 0; i < counters; i++) {
		struct layout l;
		struct columns c;

		press(f, 's');
		l = ui_layout(&f->s, &f->model);
		c = columns_make(&f->model, &f->s, l.pane[LAYOUT_CPU].cols);
		assert_string_equal(f->s.sort[ROWS_CPUS].id, c.field[i]->id);
		/* What is sorted by can be seen. */
		assert_in_range(i, c.first, c.first + c.shown - 1);
	}
	press(f, 's');
	assert_string_equal(f->s.sort[ROWS_CPUS].id, "");
	assert_int_equal(f->s.column, 0);
}

static void sort_elsewhere_expect_reason(void **state)
{
	struct fixture *f = *state;

	f->s.pane = PANE_WAIT;
	assert_int_equal(press(f, 's').kind, ACT_BEEP);
	assert_int_equal(press(f, '/').kind, ACT_BEEP);
	f->s.pane = PANE_VARIANTS;
	press(f, 's');
	assert_string_equal(f->s.sort[ROWS_VARIANTS].id, "ops_per_s");
	press(f, '\\');
	assert_int_equal(f->s.mode, UI_VARIANTS);
	assert_int_equal(f->s.typing, TYPING_FILTER);
}

static void sort_by_an_event_of_elsewhere_expect_first_column_next(void **state)
{
	struct fixture *f = *state;

	snprintf(f->s.sort[ROWS_CPUS].id, sizeof(f->s.sort[ROWS_CPUS].id), "other_per_op");
	assert_int_equal(cpu_at(f, 0), f->model.cpu[0].cpu);
	press(f, 's');
	assert_string_equal(f->s.sort[ROWS_CPUS].id, "cpu");
}

static void filter_expect_rows_counted_and_scrolled(void **state)
{
	struct fixture *f = *state;
	struct rows r;

	type(f, "\\n1");
	assert_int_equal(f->s.typing, TYPING_FILTER);
	ui_rows(&f->s, &f->model, &r);
	assert_true(r.count > 0 && r.count < 16);
	press(f, KEYCODE_END);
	assert_int_equal(f->s.row, r.count - 1);
	assert_int_equal(f->s.scroll[PANE_CPU], 0);
	/* Enter keeps it, and means what it meant before. */
	press(f, ENTER);
	assert_int_equal(f->s.typing, TYPING_NOTHING);
	assert_string_equal(f->s.cpus.filter, "n1");
	press(f, ENTER);
	assert_int_equal(f->s.mode, UI_CPU);
	press(f, ESC);
	assert_string_equal(f->s.cpus.filter, "n1");
	press(f, ESC);
	assert_string_equal(f->s.cpus.filter, "");
}

static void filter_that_nothing_passes_expect_reason_and_way_back(void **state)
{
	struct fixture *f = *state;

	type(f, "\\9999");
	assert_int_equal(press(f, TAB).kind, ACT_BEEP);
	press(f, ENTER);
	assert_int_equal(press(f, KEYCODE_DOWN).kind, ACT_BEEP);
	assert_int_equal(press(f, ENTER).kind, ACT_BEEP);
	assert_int_equal(f->s.mode, UI_MAIN);
	type(f, "\\");
	assert_string_equal(f->s.cpus.filter, "9999");
	press(f, BACKSPACE);
	assert_string_equal(f->s.cpus.filter, "999");
	press(f, ESC);
	assert_string_equal(f->s.cpus.filter, "");
}

static void letters_while_typing_expect_no_keys(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(type(f, "\\qevkaS ").kind, ACT_REDRAW);
	assert_string_equal(f->s.cpus.filter, "qevkaS ");
	assert_int_equal(f->s.mode, UI_MAIN);
	assert_int_equal(press(f, KEYCODE_F10).kind, ACT_QUIT);
	assert_int_equal(press(f, CTRL_L).kind, ACT_REPAINT);
}

static void search_expect_mark_on_matches_in_shown_order(void **state)
{
	struct fixture *f = *state;
	struct rows r;
	unsigned first;

	type(f, "ss"); /* by op/s */
	type(f, "/n1");
	ui_rows(&f->s, &f->model, &r);
	assert_int_equal(r.count, 16);
	first = f->s.row;
	assert_int_equal(f->model.cpu[r.at[first]].numa_node, 1);
	press(f, KEYCODE_DOWN);
	assert_int_equal(f->model.cpu[r.at[f->s.row]].numa_node, 1);
	assert_int_not_equal(f->s.row, first);
	press(f, KEYCODE_UP);
	assert_int_equal(f->s.row, first);
	assert_int_equal(type(f, "77").kind, ACT_BEEP);
	press(f, ENTER);
	assert_string_equal(f->s.cpus.search, "");
	assert_int_equal(f->s.row, first);
}

static void one_cpu_expect_the_marked_one_whatever_the_order(void **state)
{
	struct fixture *f = *state;
	unsigned orders = 3 + ui_counter_columns(&f->model);

	for (unsigned i = 0; i < orders; i++) {
		int want;

		press(f, KEYCODE_HOME);
		for (unsigned k = 0; k < 5; k++)
			press(f, KEYCODE_DOWN);
		want = cpu_at(f, 5);
		press(f, ENTER);
		assert_int_equal(f->s.mode, UI_CPU);
		assert_int_equal(f->s.cpu, want);
		press(f, KEYCODE_DOWN);
		assert_int_equal(f->s.cpu, cpu_at(f, 6));
		press(f, KEYCODE_END);
		assert_int_equal(f->s.cpu, cpu_at(f, 15));
		assert_int_equal(press(f, KEYCODE_DOWN).kind, ACT_BEEP);
		press(f, ESC);
		assert_int_equal(f->s.mode, UI_MAIN);
		assert_int_equal(f->s.row, 15);
		assert_true(f->s.scroll[PANE_CPU] > 0);
		press(f, 's');
	}
}

static void one_cpu_when_order_changes_expect_same_cpu(void **state)
{
	struct fixture *f = *state;
	int cpu;

	type(f, "ss");
	press(f, ENTER);
	cpu = f->s.cpu;
	for (unsigned i = 0; i < f->model.cpu_count; i++) {
		if (f->model.cpu[i].cpu == cpu)
			f->model.cpu[i].ops_per_s = value_of(1);
	}
	press(f, KEYCODE_UP);
	/* It went to the end of the order: the one above it there. */
	assert_int_not_equal(f->s.cpu, cpu);
	press(f, KEYCODE_DOWN);
	assert_int_equal(f->s.cpu, cpu);
}

static void one_cpu_expect_counters_scroll_within_them(void **state)
{
	struct fixture *f = *state;
	unsigned n = ui_counter_columns(&f->model);

	press(f, ENTER);
	assert_int_equal(press(f, '[').kind, ACT_BEEP);
	for (unsigned i = 1; i < n; i++)
		assert_int_equal(press(f, ']').kind, ACT_REDRAW);
	assert_int_equal(press(f, ']').kind, ACT_BEEP);
	assert_int_equal(f->s.top, n - 1);
	assert_int_equal(f->s.column, 0);
	assert_int_equal(press(f, 'x').kind, ACT_BEEP);
	press(f, 'q');
	assert_int_equal(f->s.mode, UI_MAIN);
}

static void one_cpu_that_left_the_trial_expect_no_crash(void **state)
{
	struct fixture *f = *state;

	press(f, KEYCODE_END);
	press(f, ENTER);
	f->model.cpu_count = f->model.live.cpu_count = 2;
	assert_int_equal(mouse(f, MOUSE_WHEEL_DOWN, 5, 5).kind, ACT_REDRAW);
	assert_int_equal(f->s.cpu, f->model.cpu[1].cpu);
	assert_int_equal(press(f, KEYCODE_UP).kind, ACT_REDRAW);
	assert_int_equal(f->s.cpu, f->model.cpu[0].cpu);
	f->model.cpu_count = f->model.live.cpu_count = 0;
	assert_int_equal(press(f, KEYCODE_UP).kind, ACT_BEEP);
	press(f, ESC);
	assert_int_equal(f->s.mode, UI_MAIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		COUNTED(sort_expect_all_columns_and_back_to_order),
		COUNTED(sort_elsewhere_expect_reason),
		COUNTED(sort_by_an_event_of_elsewhere_expect_first_column_next),
		COUNTED(filter_expect_rows_counted_and_scrolled),
		COUNTED(filter_that_nothing_passes_expect_reason_and_way_back),
		COUNTED(letters_while_typing_expect_no_keys),
		COUNTED(search_expect_mark_on_matches_in_shown_order),
		COUNTED(one_cpu_expect_the_marked_one_whatever_the_order),
		COUNTED(one_cpu_when_order_changes_expect_same_cpu),
		COUNTED(one_cpu_expect_counters_scroll_within_them),
		COUNTED(one_cpu_that_left_the_trial_expect_no_crash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
