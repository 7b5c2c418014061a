/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What panes keep when there is little room, and what must never be missing from them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/fixture.h"
#include "ui/line.h"
#include "ui/timeline.h"
#include "ui/views.h"

enum { TEXT_BYTES = 1 << 16 };

struct screen {
	struct model m;
	struct ui_state s;
	char text[TEXT_BYTES];
};

static int setup(void **state)
{
	struct screen *sc = calloc(1, sizeof(*sc));

	assert_non_null(sc);
	fixture_model(&sc->m, 16);
	sc->s = ui_state_default();
	*state = sc;
	return 0;
}

static int teardown(void **state)
{
	struct screen *sc = *state;

	fixture_free(&sc->m);
	free(sc);
	return 0;
}

/* A view alone, filling @cols x @rows. Returns its text. */
static const char *draw(struct screen *sc, const struct view_ops *v, unsigned cols, unsigned rows)
{
	struct grid g;

	assert_int_equal(grid_init(&g, cols, rows, TIER_UTF8), 0);
	ui_resize(&sc->s, cols, rows);
	v->render(&sc->m, &sc->s, &g, (struct grid_rect){0, 0, (int)rows, (int)cols});
	assert_true(grid_to_text(&g, sc->text, TEXT_BYTES) < TEXT_BYTES);
	grid_fini(&g);
	return sc->text;
}

static void expect_all(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (!strstr(text, *words))
			fail_msg("'%s' is missing from:\n%s", *words, text);
}

static void expect_none(const char *text, const char *const *words)
{
	for (; *words; words++)
		if (strstr(text, *words))
			fail_msg("'%s' stands in:\n%s", *words, text);
}

static void header_at_80_columns_expect_shares_kept(void **state)
{
	static const char *const kept[] = {"total ",  "disturbed ", "mean ", "wait ", "hold ",
					   "15 thr ", "spread",     "mcs",   "1/310", NULL};
	static const char *const dropped[] = {"run-delay", "handovers", "clocks", "threads", NULL};
	struct screen *sc = *state;

	sc->m.disturbed_why = DISTURBED_RUN_DELAY;
	draw(sc, &view_header, 80, 3);
	expect_all(sc->text, kept);
	expect_none(sc->text, dropped);
}

static void header_when_work_is_long_expect_measure_to_go_before_place(void **state)
{
	static const char *const kept[] = {"spinlock", "mcs", "15 thr", "spread", NULL};
	static const char *const dropped[] = {"hold_ns", NULL};
	struct screen *sc = *state;

	snprintf(sc->m.config.knob[0].value, sizeof(sc->m.config.knob[0].value), "%s",
		 "123456789012345678901234567890");
	draw(sc, &view_header, 80, 3);
	expect_all(sc->text, kept);
	expect_none(sc->text, dropped);
	draw(sc, &view_header, 44, 3);
	expect_all(sc->text, (const char *const[]){"spread", NULL});
	expect_none(sc->text, (const char *const[]){"1/310", NULL});
}

static void header_when_figures_are_doubtful_expect_it_said(void **state)
{
	struct screen *sc = *state;

	expect_none(draw(sc, &view_header, 120, 3),
		    (const char *const[]){"no op", "sums off", "disturbed", NULL});
	sc->m.threads_idle = 3;
	sc->m.sums_disagree = true;
	sc->m.disturbed_why = DISTURBED_RUN_DELAY | DISTURBED_STOPPED;
	expect_all(draw(sc, &view_header, 120, 3),
		   (const char *const[]){"3 of 15 threads made no op", "sums off", "disturbed",
					 NULL});
	expect_all(draw(sc, &view_header, 80, 3),
		   (const char *const[]){"3 of 15 thr made no op", "sums off", "disturbed", NULL});
	expect_all(draw(sc, &view_header, 200, 3),
		   (const char *const[]){"disturbed: run-delay", "3 of 15 threads", "wait ", NULL});
}

static void header_with_room_expect_own_memory_and_counters(void **state)
{
	struct screen *sc = *state;

	fixture_counters(&sc->m, COUNTERS_LIVE);
	expect_all(draw(sc, &view_header, 200, 3),
		   (const char *const[]){"self 0.6% 9.00MB", "IPC 0.4", "xfer/op 3.",
					 "handovers/op", "outside ", NULL});
	expect_none(draw(sc, &view_header, 80, 3), (const char *const[]){"IPC", NULL});
	fixture_counters_free(&sc->m);
	fixture_counters(&sc->m, COUNTERS_NO_PMU);
	/* What no event counts has no place in the totals: the columns say why. */
	expect_none(draw(sc, &view_header, 200, 3), (const char *const[]){"IPC", NULL});
}

static void message_that_is_cut_expect_the_way_to_the_whole(void **state)
{
	static const char text[] = "spinlock:mcs made no progress for 2.2 s and was ended; thread "
				   "0, CPU 0, tid 20727, was at 0 ops";
	struct screen *sc = *state;

	expect_all(draw(sc, &view_message, 80, 1), (const char *const[]){"3 msgs: l", NULL});
	sc->m.now_s = 100;
	model_say(&sc->m, MODEL_ERROR, "%s", text);
	expect_all(draw(sc, &view_message, 80, 1),
		   (const char *const[]){"! spinlock:mcs made no progress", "…", "whole: l", NULL});
	expect_all(draw(sc, &view_message, 120, 1),
		   (const char *const[]){"was at 0 ops", "4 msgs: l", NULL});
	/* With a second line nothing is cut. */
	expect_all(draw(sc, &view_message, 80, 2),
		   (const char *const[]){"was at 0 ops", "4 msgs: l", NULL});
	sc->s.mode = UI_MESSAGES;
	expect_all(draw(sc, &view_messages, 40, 12),
		   (const char *const[]){"20727", "was at 0 ops", NULL});
}

static void failure_expect_its_reason_until_something_runs(void **state)
{
	struct screen *sc = *state;

	sc->m.now_s = 100;
	model_say(&sc->m, MODEL_ERROR, "the lab has died");
	sc->m.now_s = 101;
	model_say(&sc->m, MODEL_NOTE, "saved 2 rounds");
	sc->m.state = MODEL_FAILED;
	expect_all(draw(sc, &view_message, 80, 1), (const char *const[]){"saved", NULL});
	sc->m.now_s = 200;
	expect_all(draw(sc, &view_message, 80, 1), (const char *const[]){"died", NULL});
	expect_all(draw(sc, &view_keys, 80, 1), (const char *const[]){"Enter again", NULL});
	sc->m.state = MODEL_RUNNING;
	expect_none(draw(sc, &view_message, 80, 1), (const char *const[]){"died", NULL});
	expect_none(draw(sc, &view_keys, 80, 1), (const char *const[]){"Enter", NULL});
}

static void missing_figure_expect_its_reason_in_the_list(void **state)
{
	struct screen *sc = *state;

	sc->m.wait_ratio = value_missing(WHY_UNRESOLVED);
	sc->s.mode = UI_MESSAGES;
	draw(sc, &view_messages, 60, 10);
	expect_all(sc->text, (const char *const[]){"now", "wait n/a", NULL});
	sc->s.mode = UI_MAIN;
	draw(sc, &view_messages, 60, 10);
	expect_none(sc->text, (const char *const[]){"wait n/a", NULL});
}

static void long_value_being_typed_expect_its_end(void **state)
{
	static const struct {
		const char *edit, *shown, *hidden;
	} rows[] = {
		{"5", " 5_", "…"},
		{"123456789012", " 123456789012_", "…"},
		{"1234567890123", " …34567890123_", "234"},
		{"abcdefghijklmnopqrstuvwxyz", " …pqrstuvwxyz_", "opq"},
		{"µµµµµµµµµµµµµµ", " …µµµµµµµµµµµ_", "µµµµµµµµµµµµ"},
	};
	struct screen *sc = *state;

	sc->s.mode = UI_KNOBS;
	sc->s.editing = true;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(sc->s.edit, sizeof(sc->s.edit), "%s", rows[i].edit);
		draw(sc, &view_knobs, 80, 10);
		expect_all(sc->text, (const char *const[]){rows[i].shown, NULL});
		expect_none(sc->text, (const char *const[]){rows[i].hidden, NULL});
	}
}

static void marks_expect_letters_and_no_text_over_another(void **state)
{
	static const struct model_mark marks[] = {
		{.sample = 300, .kind = 'v', .text = "ttas>mcs"},
		{.sample = 304, .kind = 't', .text = "2>4 thr"},
		{.sample = 400, .kind = 'p', .text = "pack"},
		{.sample = 520, .kind = 'k', .text = "hold_ns=5"},
		{.sample = 521, .kind = 'm', .text = "every"},
	};
	struct screen *sc = *state;
	char row[TEXT_BYTES];

	sc->m.mark_count = sizeof(marks) / sizeof(marks[0]);
	memcpy(sc->m.mark, marks, sizeof(marks));
	draw(sc, &view_history, 160, 8);
	expect_all(sc->text, (const char *const[]){"t 2>4 thr ", "p pack ", "m every", "v variant",
						   "t threads", "p placement", NULL});
	/* The letter of a mark that is too near to the next stays, its text does not. */
	expect_none(sc->text, (const char *const[]){"ttas", "hold_ns", NULL});
	snprintf(row, sizeof(row), "%s", strchr(sc->text, '\n') + 1);
	*strchr(row, '\n') = '\0';
	assert_non_null(strstr(row, "vt 2>4 thr"));
	/* Two in one column: the later. Without room for words: letters. */
	draw(sc, &view_history, 24, 8);
	expect_none(sc->text, (const char *const[]){"every", NULL});
}

static void history_title_expect_unit_range_and_n(void **state)
{
	struct screen *sc = *state;

	expect_all(draw(sc, &view_history, 120, 8),
		   (const char *const[]){"op/s", "last 113 s", "n 570", "\n   4M ┤", "\n    0 ┤",
					 NULL});
}

static void distributions_expect_axes_and_n_in_every_title(void **state)
{
	static const struct view_ops *const views[] = {&view_wait, &view_hold, &view_run};
	static const unsigned cols[] = {39, 40, 50, 56, 60, 80, 120};
	struct screen *sc = *state;

	for (size_t v = 0; v < sizeof(views) / sizeof(views[0]); v++) {
		for (size_t i = 0; i < sizeof(cols) / sizeof(cols[0]); i++) {
			draw(sc, views[v], cols[i], 8);
			*strchr(sc->text, '\n') = '\0';
			expect_all(sc->text, (const char *const[]){" n ", "log2", "log",
								   v == 2 ? "ops" : "ns", NULL});
			assert_int_equal(line_cells(sc->text), cols[i]);
		}
	}
}

static void distribution_with_records_outside_expect_them_counted(void **state)
{
	struct screen *sc = *state;
	struct hist *h = &sc->m.wait[0].hist;

	expect_none(draw(sc, &view_wait, 39, 8), (const char *const[]){"over", "under", NULL});
	/* 0.4 ns and 7 s: more than 37 cells hold, and more than 53. */
	hist_add(h, 1);
	hist_add(h, 20000000000u);
	hist_add(h, 20000000000u);
	draw(sc, &view_wait, 39, 8);
	expect_all(sc->text, (const char *const[]){"p50", "p99", "over 2", NULL});
	draw(sc, &view_wait, 60, 8);
	expect_all(sc->text, (const char *const[]){"under range 1", NULL});
}

static void distribution_without_count_labels_expect_its_peak(void **state)
{
	struct screen *sc = *state;

	hist_clear(&sc->m.run.hist);
	for (int i = 0; i < 321; i++)
		hist_add(&sc->m.run.hist, 1);
	draw(sc, &view_run, 39, 8);
	expect_all(sc->text, (const char *const[]){"321", NULL});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(header_at_80_columns_expect_shares_kept, setup,
						teardown),
		cmocka_unit_test_setup_teardown(
			header_when_work_is_long_expect_measure_to_go_before_place, setup,
			teardown),
		cmocka_unit_test_setup_teardown(header_when_figures_are_doubtful_expect_it_said,
						setup, teardown),
		cmocka_unit_test_setup_teardown(header_with_room_expect_own_memory_and_counters,
						setup, teardown),
		cmocka_unit_test_setup_teardown(message_that_is_cut_expect_the_way_to_the_whole,
						setup, teardown),
		cmocka_unit_test_setup_teardown(failure_expect_its_reason_until_something_runs,
						setup, teardown),
		cmocka_unit_test_setup_teardown(missing_figure_expect_its_reason_in_the_list, setup,
						teardown),
		cmocka_unit_test_setup_teardown(long_value_being_typed_expect_its_end, setup,
						teardown),
		cmocka_unit_test_setup_teardown(marks_expect_letters_and_no_text_over_another,
						setup, teardown),
		cmocka_unit_test_setup_teardown(history_title_expect_unit_range_and_n, setup,
						teardown),
		cmocka_unit_test_setup_teardown(distributions_expect_axes_and_n_in_every_title,
						setup, teardown),
		cmocka_unit_test_setup_teardown(
			distribution_with_records_outside_expect_them_counted, setup, teardown),
		cmocka_unit_test_setup_teardown(distribution_without_count_labels_expect_its_peak,
						setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
