/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every key in every mode: which mode it leads to and what it asks for.
 *
 * A key that is not in the table of its mode must say what would do something, and change nothing
 * but the sentence.
 */
#include "tests/keyboard.h"

#include <stdio.h>

enum { SAME = -1 };

/* How a state is reached: keys on the main screen. */
static const struct start {
	const char *name, *keys;
	enum ui_mode mode;
	bool edits; /* letters are text */
} starts[] = {
	{"main", "", UI_MAIN, false},
	{"zoomed", "z", UI_MAIN, false},
	{"frozen", " ", UI_MAIN, false},
	{"variants", "v", UI_VARIANTS, false},
	{"variants search", "v/", UI_VARIANTS, true},
	{"variants filter", "v\\", UI_VARIANTS, true},
	{"workloads", "w", UI_WORKLOADS, false},
	{"workloads search", "w/", UI_WORKLOADS, true},
	{"workloads filter", "w\\", UI_WORKLOADS, true},
	{"knobs", "k", UI_KNOBS, false},
	{"knob edited", "k\r", UI_KNOBS, true},
	{"messages", "l", UI_MESSAGES, false},
	{"help", "?", UI_HELP, false},
	{"one CPU", "\r", UI_CPU, false},
	{"question", "c", UI_CONFIRM, false},
	{"CPU search", "/", UI_MAIN, true},
	{"CPU filter", "\\", UI_MAIN, true},
};

enum { STARTS = sizeof(starts) / sizeof(starts[0]) };

static const struct meaning {
	const char *start;
	unsigned key;
	int mode; /* afterwards, or SAME */
	int action;
} meanings[] = {
	{"zoomed", ESC, UI_MAIN, ACT_REDRAW},
	{"zoomed", 'z', UI_MAIN, ACT_REDRAW},
	{"zoomed", ENTER, UI_CPU, ACT_REDRAW},
	{"frozen", ' ', UI_MAIN, ACT_FREEZE},
	{"frozen", '+', UI_MAIN, ACT_THREADS},
	{"variants", ESC, UI_MAIN, ACT_REDRAW},
	{"variants", 'q', UI_MAIN, ACT_REDRAW},
	{"variants", 'v', UI_MAIN, ACT_REDRAW},
	{"variants", ENTER, UI_MAIN, ACT_VARIANT},
	{"variants", '1', UI_MAIN, ACT_VARIANT},
	{"variants", '9', UI_MAIN, ACT_VARIANT},
	{"variants", 's', SAME, ACT_REDRAW},
	{"variants", '/', SAME, ACT_REDRAW},
	{"variants", '\\', SAME, ACT_REDRAW},
	{"variants", 'x', SAME, ACT_BEEP},
	{"variants", ' ', SAME, ACT_BEEP},
	{"variants search", ESC, SAME, ACT_REDRAW},
	{"variants search", ENTER, UI_MAIN, ACT_VARIANT},
	{"variants search", TAB, SAME, ACT_BEEP},
	{"variants filter", ESC, SAME, ACT_REDRAW},
	{"variants filter", ENTER, UI_MAIN, ACT_VARIANT},
	{"workloads", ESC, UI_MAIN, ACT_REDRAW},
	{"workloads", 'q', UI_MAIN, ACT_REDRAW},
	{"workloads", 'w', UI_MAIN, ACT_REDRAW},
	{"workloads", ENTER, UI_MAIN, ACT_WORKLOAD},
	{"workloads", '1', SAME, ACT_BEEP},
	{"workloads search", ENTER, UI_MAIN, ACT_WORKLOAD},
	{"workloads filter", ESC, SAME, ACT_REDRAW},
	{"knobs", ESC, UI_MAIN, ACT_REDRAW},
	{"knobs", 'q', UI_MAIN, ACT_REDRAW},
	{"knobs", 'k', UI_MAIN, ACT_REDRAW},
	{"knobs", ENTER, SAME, ACT_REDRAW},
	{"knobs", 'x', SAME, ACT_BEEP},
	{"knob edited", ESC, SAME, ACT_REDRAW},
	{"knob edited", ENTER, SAME, ACT_KNOB},
	{"knob edited", KEYCODE_UP, SAME, ACT_BEEP},
	{"knob edited", KEYCODE_END, SAME, ACT_BEEP},
	{"messages", ESC, UI_MAIN, ACT_REDRAW},
	{"messages", 'q', UI_MAIN, ACT_REDRAW},
	{"messages", 'l', UI_MAIN, ACT_REDRAW},
	{"messages", ENTER, UI_MAIN, ACT_REDRAW},
	{"messages", 'e', SAME, ACT_BEEP},
	{"help", ESC, UI_MAIN, ACT_REDRAW},
	{"help", 'q', UI_MAIN, ACT_REDRAW},
	{"help", '?', UI_MAIN, ACT_REDRAW},
	{"help", 'h', UI_MAIN, ACT_REDRAW},
	{"help", KEYCODE_F1, UI_MAIN, ACT_REDRAW},
	{"help", ENTER, UI_MAIN, ACT_REDRAW},
	{"help", '1', SAME, ACT_BEEP},
	{"one CPU", ESC, UI_MAIN, ACT_REDRAW},
	{"one CPU", 'q', UI_MAIN, ACT_REDRAW},
	{"one CPU", ENTER, UI_MAIN, ACT_REDRAW},
	{"one CPU", '1', SAME, ACT_BEEP},
	{"question", 'y', UI_MAIN, ACT_CLEAR},
	{"question", 'Y', UI_MAIN, ACT_CLEAR},
	{"question", 'n', UI_MAIN, ACT_REDRAW},
	{"question", 'N', UI_MAIN, ACT_REDRAW},
	{"question", 'q', UI_MAIN, ACT_REDRAW},
	{"question", ESC, UI_MAIN, ACT_REDRAW},
	{"question", ENTER, SAME, ACT_BEEP},
	{"question", ' ', SAME, ACT_BEEP},
	{"question", KEYCODE_DOWN, SAME, ACT_BEEP},
	{"CPU search", ESC, UI_MAIN, ACT_REDRAW},
	{"CPU search", ENTER, UI_MAIN, ACT_REDRAW},
	{"CPU search", TAB, UI_MAIN, ACT_BEEP},
	{"CPU filter", ESC, UI_MAIN, ACT_REDRAW},
	{"CPU filter", ENTER, UI_MAIN, ACT_REDRAW},
	{"CPU filter", KEYCODE_F1, UI_MAIN, ACT_BEEP},
};

static void start(struct fixture *f, const struct start *s)
{
	f->s = ui_state_default();
	type(f, s->keys);
	if (f->s.mode != s->mode)
		fail_msg("%s is not reached", s->name);
}

static void keys_of_modes_expect_mode_and_action(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		const struct meaning *k = &meanings[i];
		const struct start *s = NULL;
		struct ui_action a;

		for (size_t n = 0; n < STARTS; n++)
			s = strcmp(starts[n].name, k->start) ? s : &starts[n];
		assert_non_null(s);
		start(f, s);
		a = press(f, k->key);
		if ((int)a.kind != k->action ||
		    (int)f->s.mode != (k->mode == SAME ? (int)s->mode : k->mode))
			fail_msg("%s, key %u: action %d mode %d", k->start, k->key, (int)a.kind,
				 (int)f->s.mode);
	}
}

/* These mean the same everywhere. */
static void keys_of_all_modes_expect_one_meaning(void **state)
{
	static const struct {
		unsigned key;
		enum ui_action_kind kind;
	} cases[] = {{CTRL_L, ACT_REPAINT}, {CTRL_Z, ACT_SUSPEND}, {KEYCODE_F10, ACT_QUIT}};
	struct fixture *f = *state;

	for (size_t n = 0; n < STARTS; n++) {
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
			start(f, &starts[n]);
			assert_int_equal(press(f, cases[i].key).kind, cases[i].kind);
			assert_int_equal(f->s.mode, starts[n].mode);
		}
	}
}

static void letters_where_text_is_typed_expect_text(void **state)
{
	struct fixture *f = *state;

	for (size_t n = 0; n < STARTS; n++) {
		for (unsigned key = ' '; key < 127 && starts[n].edits; key++) {
			const char *text;

			start(f, &starts[n]);
			press(f, 21); /* Ctrl-U */
			press(f, key);
			text = f->s.editing                   ? f->s.edit
			       : f->s.typing == TYPING_SEARCH ? ui_find(&f->s)->search
							      : ui_find(&f->s)->filter;
			assert_int_equal(strlen(text), 1);
			assert_int_equal((unsigned char)text[0], key);
			assert_int_equal(f->s.mode, starts[n].mode);
		}
	}
}

/* From every state Esc leads to the main screen with nothing typed, and no key gets stuck. */
static void escape_expect_main_screen_from_everywhere(void **state)
{
	struct fixture *f = *state;

	for (size_t n = 0; n < STARTS; n++) {
		for (unsigned key = 1; key < 128; key++) {
			start(f, &starts[n]);
			press(f, key);
			for (unsigned i = 0; i < 4; i++)
				press(f, ESC);
			assert_int_equal(f->s.mode, UI_MAIN);
			assert_int_equal(f->s.typing, TYPING_NOTHING);
			assert_false(f->s.editing);
			assert_false(f->s.zoomed);
			assert_string_equal(f->s.cpus.filter, "");
		}
	}
}

static void every_key_in_every_mode_expect_an_answer(void **state)
{
	struct fixture *f = *state;

	for (size_t n = 0; n < STARTS; n++) {
		for (unsigned i = 0; i < 160; i++) {
			unsigned key = i < 128 ? i : KEYCODE_UP + (i - 128);
			struct ui_action a;

			start(f, &starts[n]);
			a = press(f, key);
			/* A beep is a sentence of one line. */
			if (a.kind == ACT_BEEP && (!*a.text || strchr(a.text, '\n')))
				fail_msg("%s, key %u: '%s'", starts[n].name, key, a.text);
			if (a.kind == ACT_NONE && key != ESC && key != KEYCODE_MOUSE)
				fail_msg("%s, key %u: no answer", starts[n].name, key);
		}
	}
}

/* Home, End and the page keys go where a list is. */
static void page_keys_in_lists_expect_both_ends(void **state)
{
	static const char *const lists[] = {"variants", "knobs", "help", "messages"};
	struct fixture *f = *state;

	for (unsigned i = 0; i < MODEL_MESSAGES; i++)
		model_say(&f->model, MODEL_NOTE, "message %u", i);
	for (size_t i = 0; i < 4; i++) {
		bool messages = i == 3;
		unsigned last;

		for (size_t n = 0; n < STARTS; n++)
			if (!strcmp(starts[n].name, lists[i]))
				start(f, &starts[n]);
		press(f, KEYCODE_END);
		last = messages ? f->s.scroll[PANE_MESSAGES] : f->s.cursor;
		assert_true(last > 0);
		press(f, KEYCODE_PAGE_DOWN);
		assert_int_equal(messages ? f->s.scroll[PANE_MESSAGES] : f->s.cursor, last);
		press(f, KEYCODE_PAGE_UP);
		assert_true((messages ? f->s.scroll[PANE_MESSAGES] : f->s.cursor) < last);
		press(f, KEYCODE_HOME);
		assert_int_equal(messages ? f->s.scroll[PANE_MESSAGES] : f->s.cursor, 0);
	}
}

/* The bar of 80 columns has what is needed first, whole; help and quit always. */
static void key_bar_expect_whole_words_and_help_and_quit(void **state)
{
	static const struct {
		unsigned cols;
		const char *words;
	} cases[] = {
		{80, "1-9 lock  + - threads  p place  a b A/B  space pause  e CSV  ? help  q quit"},
		{40, "1-9 lock  + - threads  ? help  q quit"},
		{20, "? help  q quit"},
		{8, "q quit"},
	};
	struct fixture *f = *state;
	char *text = malloc(1 << 16);

	assert_non_null(text);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct grid g;
		char *line;

		assert_int_equal(grid_init(&g, cases[i].cols, 24, TIER_UTF8), 0);
		f->s = ui_state_default();
		ui_resize(&f->s, cases[i].cols, 24);
		view_render(&f->model, &f->s, &g);
		grid_to_text(&g, text, 1 << 16);
		line = strrchr(text, '\n') + 1;
		assert_string_equal(line, cases[i].words);
		grid_fini(&g);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_MODEL(keys_of_modes_expect_mode_and_action),
		WITH_MODEL(keys_of_all_modes_expect_one_meaning),
		WITH_MODEL(letters_where_text_is_typed_expect_text),
		WITH_MODEL(escape_expect_main_screen_from_everywhere),
		WITH_MODEL(every_key_in_every_mode_expect_an_answer),
		WITH_MODEL(page_keys_in_lists_expect_both_ends),
		WITH_MODEL(key_bar_expect_whole_words_and_help_and_quit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
