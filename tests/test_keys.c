/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every key of the main screen, and random keys in every mode: what they ask for, what they change,
 * and that the state stays sound.
 */
#include "tests/keyboard.h"

static const struct {
	unsigned key;
	enum ui_action_kind kind;
	enum ui_mode mode;
} main_keys[] = {
	{'1', ACT_VARIANT, UI_MAIN},
	{'9', ACT_VARIANT, UI_MAIN},
	{'v', ACT_REDRAW, UI_VARIANTS},
	{'+', ACT_THREADS, UI_MAIN},
	{'-', ACT_THREADS, UI_MAIN},
	{'{', ACT_THREADS, UI_MAIN},
	{'}', ACT_THREADS, UI_MAIN},
	{'p', ACT_PLACE, UI_MAIN},
	{'k', ACT_REDRAW, UI_KNOBS},
	{'m', ACT_MEASURE, UI_MAIN},
	{'e', ACT_SNAPSHOT, UI_MAIN},
	{'E', ACT_RECORD, UI_MAIN},
	{' ', ACT_FREEZE, UI_MAIN},
	{'c', ACT_REDRAW, UI_CONFIRM},
	{TAB, ACT_REDRAW, UI_MAIN},
	{KEYCODE_BACKTAB, ACT_REDRAW, UI_MAIN},
	{'z', ACT_REDRAW, UI_MAIN},
	{CTRL_L, ACT_REPAINT, UI_MAIN},
	{'?', ACT_REDRAW, UI_HELP},
	{'h', ACT_REDRAW, UI_HELP},
	{KEYCODE_F1, ACT_REDRAW, UI_HELP},
	{'q', ACT_QUIT, UI_MAIN},
	{KEYCODE_F10, ACT_QUIT, UI_MAIN},
	{CTRL_Z, ACT_SUSPEND, UI_MAIN},
	{'l', ACT_REDRAW, UI_MESSAGES},
	{KEYCODE_UP, ACT_REDRAW, UI_MAIN},
	{KEYCODE_DOWN, ACT_REDRAW, UI_MAIN},
	{KEYCODE_PAGE_UP, ACT_REDRAW, UI_MAIN},
	{KEYCODE_PAGE_DOWN, ACT_REDRAW, UI_MAIN},
	{KEYCODE_HOME, ACT_REDRAW, UI_MAIN},
	{KEYCODE_END, ACT_REDRAW, UI_MAIN},
	{ENTER, ACT_REDRAW, UI_CPU},
	{ESC, ACT_NONE, UI_MAIN},
	{'r', ACT_BEEP, UI_MAIN},
	{'w', ACT_REDRAW, UI_WORKLOADS},
	{'a', ACT_MARK_A, UI_MAIN},
	{'b', ACT_MARK_B, UI_MAIN},
	{'s', ACT_REDRAW, UI_MAIN},
	{'/', ACT_REDRAW, UI_MAIN},
	{'\\', ACT_REDRAW, UI_MAIN},
	{'S', ACT_SAVE, UI_MAIN},
	{'[', ACT_BEEP, UI_MAIN}, /* no counters in this model */
	{']', ACT_BEEP, UI_MAIN},
	{KEYCODE_MOUSE, ACT_NONE, UI_MAIN},
};

static void main_screen_keys_expect_their_actions(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(main_keys) / sizeof(main_keys[0]); i++) {
		struct ui_action a;

		f->s = ui_state_default();
		a = press(f, main_keys[i].key);
		if (a.kind != main_keys[i].kind || f->s.mode != main_keys[i].mode)
			fail_msg("key %u: action %d mode %d, expected %d %d", main_keys[i].key,
				 (int)a.kind, (int)f->s.mode, (int)main_keys[i].kind,
				 (int)main_keys[i].mode);
	}
}

static void key_table_expect_every_line_answers_and_explains(void **state)
{
	struct fixture *f = *state;
	unsigned count;
	const struct ui_key_info *k = ui_keys(&count);

	assert_true(count > 10);
	for (unsigned i = 0; i < count; i++) {
		struct ui_action a;

		assert_true(*k[i].keys && *k[i].help && k[i].code[0]);
		f->s = ui_state_default();
		a = press(f, k[i].code[0]);
		/* Known keys say what they would do, never that they are unknown. */
		assert_null(a.kind == ACT_BEEP ? strstr(a.text, "does nothing") : NULL);
		for (unsigned j = 0; j < i; j++)
			assert_int_not_equal(k[i].code[0], k[j].code[0]);
	}
}

static void unknown_keys_expect_beep_that_names_them(void **state)
{
	static const struct {
		unsigned key;
		const char *name;
	} cases[] = {{'0', "0 "},        {'j', "j "},    {'P', "P "},
		     {'V', "V "},        {1, "Ctrl-A "}, {KEYCODE_LEFT, "Left "},
		     {0xe4, "this key "}};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ui_action a = press(f, cases[i].key);

		assert_int_equal(a.kind, ACT_BEEP);
		assert_int_equal(strncmp(a.text, cases[i].name, strlen(cases[i].name)), 0);
		assert_non_null(strstr(a.text, "? for help"));
	}
}

/* They are in the contract, but not in the program: no promise in the help, but a word. */
static void keys_not_there_yet_expect_one_line_and_no_help(void **state)
{
	static const struct {
		unsigned key;
		const char *word;
	} cases[] = {{'A', "autopilot"}, {'W', "presets"}, {'x', "matrix"}};
	struct fixture *f = *state;
	unsigned count;
	const struct ui_key_info *k = ui_keys(&count);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ui_action a = press(f, cases[i].key);

		assert_int_equal(a.kind, ACT_BEEP);
		assert_non_null(strstr(a.text, cases[i].word));
		assert_non_null(strstr(a.text, "yet"));
		assert_true(strlen(a.text) < 80);
		for (unsigned n = 0; n < count; n++)
			for (unsigned c = 0; c < 6; c++)
				assert_int_not_equal(k[n].code[c], cases[i].key);
	}
}

static void digit_expect_index_or_reason(void **state)
{
	struct fixture *f = *state;
	struct ui_action a = press(f, '3');

	assert_int_equal(a.kind, ACT_VARIANT);
	assert_int_equal(a.index, 2);
	f->model.variant_count = 4;
	a = press(f, '5');
	assert_int_equal(a.kind, ACT_BEEP);
	assert_non_null(strstr(a.text, "spinlock has 4"));
}

static void threads_expect_limits_of_workload(void **state)
{
	static const struct {
		unsigned now;
		unsigned key;
		long want; /* -1 = a reason */
	} cases[] = {
		{2, '+', 3},  {2, '-', 1}, {1, '-', -1},      {4096, '+', -1}, {5, '{', 2},
		{1, '{', -1}, {3, '}', 6}, {3000, '}', 4096}, {4096, '}', -1}, {4096, '{', 2048},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ui_action a;

		f->model.config.threads = cases[i].now;
		a = press(f, cases[i].key);
		if (cases[i].want < 0) {
			assert_int_equal(a.kind, ACT_BEEP);
			assert_non_null(strstr(a.text, "1 to 4096"));
		} else {
			assert_int_equal(a.kind, ACT_THREADS);
			assert_int_equal(a.number, cases[i].want);
		}
	}
}

static void fixed_placement_expect_reason(void **state)
{
	struct fixture *f = *state;
	struct catalog_workload fixed = *f->model.workload;

	fixed.place_free = false;
	f->model.workload = &fixed;
	assert_int_equal(press(f, 'p').kind, ACT_BEEP);
}

static void no_workload_yet_expect_no_crash(void **state)
{
	struct fixture *f = *state;

	f->model.workload = NULL;
	f->model.variant_count = 0;
	f->model.cpu_count = 0;
	for (unsigned key = 1; key < 256; key++) {
		f->s = ui_state_default();
		press(f, key);
		press(f, ENTER);
	}
}

static void freeze_expect_ended_by_a_new_trial(void **state)
{
	struct fixture *f = *state;

	press(f, ' ');
	assert_true(f->s.frozen);
	press(f, 'z');
	assert_true(f->s.frozen);
	press(f, '2');
	assert_false(f->s.frozen);
	press(f, ' ');
	press(f, ' ');
	assert_false(f->s.frozen);
}

static void tab_expect_only_panes_on_the_screen(void **state)
{
	static const enum ui_pane at_80x24[] = {PANE_WAIT, PANE_HOLD, PANE_RUN, PANE_CPU};
	struct fixture *f = *state;

	for (size_t i = 0; i < 4; i++) {
		press(f, TAB);
		assert_int_equal(f->s.pane, at_80x24[i]);
	}
	press(f, KEYCODE_BACKTAB);
	assert_int_equal(f->s.pane, PANE_RUN);
	ui_resize(&f->s, 200, 60);
	press(f, TAB);
	assert_int_equal(f->s.pane, PANE_VARIANTS);
	press(f, TAB);
	assert_int_equal(f->s.pane, PANE_MESSAGES);
	press(f, TAB);
	assert_int_equal(f->s.pane, PANE_HISTORY);
}

static void tab_while_zoomed_expect_every_pane(void **state)
{
	struct fixture *f = *state;

	press(f, 'z');
	for (unsigned i = 1; i <= PANE_COUNT; i++) {
		press(f, TAB);
		assert_int_equal(f->s.pane, (PANE_CPU + i) % PANE_COUNT);
	}
	press(f, ESC);
	assert_false(f->s.zoomed);
}

static void rows_of_cpus_expect_mark_moves_and_pane_follows(void **state)
{
	struct fixture *f = *state;
	unsigned page;

	press(f, KEYCODE_UP);
	assert_int_equal(f->s.row, 0);
	press(f, KEYCODE_DOWN);
	assert_int_equal(f->s.row, 1);
	assert_int_equal(f->s.scroll[PANE_CPU], 0);
	press(f, KEYCODE_END);
	assert_int_equal(f->s.row, 15);
	page = 16 - f->s.scroll[PANE_CPU];
	assert_true(page > 1 && page < 16);
	press(f, KEYCODE_DOWN);
	press(f, KEYCODE_PAGE_DOWN);
	assert_int_equal(f->s.row, 15);
	press(f, KEYCODE_UP);
	assert_int_equal(f->s.row, 14);
	assert_int_equal(f->s.scroll[PANE_CPU], 16 - page);
	press(f, KEYCODE_HOME);
	assert_int_equal(f->s.row, 0);
	assert_int_equal(f->s.scroll[PANE_CPU], 0);
	press(f, KEYCODE_PAGE_DOWN);
	assert_int_equal(f->s.row, page);
}

static void fewer_cpus_than_the_mark_expect_it_comes_back(void **state)
{
	struct fixture *f = *state;

	press(f, KEYCODE_END);
	f->model.cpu_count = f->model.live.cpu_count = 3;
	press(f, KEYCODE_UP);
	assert_int_equal(f->s.row, 1);
	assert_int_equal(f->s.scroll[PANE_CPU], 0);
	f->model.cpu_count = f->model.live.cpu_count = 0;
	assert_int_equal(press(f, KEYCODE_DOWN).kind, ACT_BEEP);
	assert_int_equal(press(f, ENTER).kind, ACT_BEEP);
	assert_int_equal(f->s.mode, UI_MAIN);
}

static void scroll_without_more_expect_reason(void **state)
{
	struct fixture *f = *state;

	f->s.pane = PANE_RUN;
	assert_int_equal(press(f, KEYCODE_DOWN).kind, ACT_BEEP);
}

static void enter_expect_by_what_runs(void **state)
{
	static const enum model_state ended[] = {MODEL_IDLE, MODEL_FAILED, MODEL_STALLED};
	struct fixture *f = *state;

	for (size_t i = 0; i < 3; i++) {
		f->model.state = ended[i];
		assert_int_equal(press(f, ENTER).kind, ACT_RESTART);
		assert_int_equal(press(f, 'r').kind, ACT_RESTART);
	}
	f->model.state = MODEL_RUNNING;
	assert_int_equal(press(f, ENTER).kind, ACT_REDRAW);
	assert_int_equal(f->s.mode, UI_CPU);
	assert_false(f->s.zoomed);
	press(f, ESC);
	f->s.pane = PANE_WAIT;
	press(f, ENTER);
	assert_true(f->s.zoomed);
	assert_int_equal(press(f, ENTER).kind, ACT_BEEP);
	f->s.pane = PANE_VARIANTS;
	press(f, ENTER);
	assert_int_equal(f->s.mode, UI_VARIANTS);
}

/* What every frame relies on. */
static void check_state(const struct fixture *f)
{
	assert_in_range(f->s.mode, UI_MAIN, UI_CONFIRM);
	assert_in_range(f->s.pane, 0, PANE_COUNT - 1);
	assert_true(strlen(f->s.edit) < sizeof(f->s.edit));
	assert_true(strlen(f->s.cpus.filter) < sizeof(f->s.cpus.filter));
	assert_true(strlen(f->s.list.search) < sizeof(f->s.list.search));
	if (f->s.typing)
		assert_true(f->s.mode == UI_MAIN || f->s.mode == UI_VARIANTS ||
			    f->s.mode == UI_WORKLOADS);
	if (f->s.mode == UI_KNOBS)
		assert_true(f->s.cursor < f->model.workload->knob_count);
}

static void many_random_keys_expect_state_sound(void **state)
{
	static const unsigned special[] = {KEYCODE_UP,
					   KEYCODE_DOWN,
					   KEYCODE_PAGE_UP,
					   KEYCODE_PAGE_DOWN,
					   KEYCODE_HOME,
					   KEYCODE_END,
					   KEYCODE_LEFT,
					   KEYCODE_BACKSPACE,
					   KEYCODE_BACKTAB,
					   ENTER,
					   ESC,
					   TAB,
					   0x10ffff,
					   0x20ac};
	struct fixture *f = *state;
	uint32_t seed = 5;

	fixture_counters(&f->model, COUNTERS_LIVE);
	for (unsigned i = 0; i < 200000; i++) {
		unsigned n;
		struct ui_action a;

		seed = seed * 1664525u + 1013904223u;
		n = seed >> 8;
		if (n % 50 == 0)
			a = mouse(f, n / 50 % 3, n / 150 % f->s.rows, n / 9000 % f->s.cols);
		else
			a = press(f, n % 3 ? n / 3 % 127 + 1 : special[n / 3 % 14]);
		assert_in_range(a.kind, ACT_NONE, ACT_BEEP);
		if (a.kind == ACT_BEEP)
			assert_true(*a.text != '\0');
		if (a.kind == ACT_VARIANT)
			assert_true(a.index < f->model.variant_count);
		if (n % 97 == 0)
			ui_resize(&f->s, n / 97 % 250 + 1, n / 24250 % 70 + 1);
		check_state(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_MODEL(main_screen_keys_expect_their_actions),
		WITH_MODEL(key_table_expect_every_line_answers_and_explains),
		WITH_MODEL(unknown_keys_expect_beep_that_names_them),
		WITH_MODEL(keys_not_there_yet_expect_one_line_and_no_help),
		WITH_MODEL(digit_expect_index_or_reason),
		WITH_MODEL(threads_expect_limits_of_workload),
		WITH_MODEL(fixed_placement_expect_reason),
		WITH_MODEL(no_workload_yet_expect_no_crash),
		WITH_MODEL(freeze_expect_ended_by_a_new_trial),
		WITH_MODEL(tab_expect_only_panes_on_the_screen),
		WITH_MODEL(tab_while_zoomed_expect_every_pane),
		WITH_MODEL(rows_of_cpus_expect_mark_moves_and_pane_follows),
		WITH_MODEL(fewer_cpus_than_the_mark_expect_it_comes_back),
		WITH_MODEL(scroll_without_more_expect_reason),
		WITH_MODEL(enter_expect_by_what_runs),
		WITH_MODEL(many_random_keys_expect_state_sound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
