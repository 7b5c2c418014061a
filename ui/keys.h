/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside the keyboard: keys_act.c has what all modes share, keys_main.c the main screen and its
 * table, keys_run.c what changes a trial, keys_cpu.c the CPU table and one CPU, keys_list.c the
 * lists, keys_find.c search and filter, keys_mouse.c the mouse; keys.c asks the one that the mode
 * calls for.
 */
#ifndef HOTLINE_UI_KEYS_H
#define HOTLINE_UI_KEYS_H

#include "ui/state.h"

/* Control characters and Esc as they come from the terminal. */
enum {
	KEY_CTRL_H = 8,
	KEY_TAB = 9,
	KEY_ENTER = 13,
	KEY_LINEFEED = 10,
	KEY_CTRL_L = 12,
	KEY_CTRL_U = 21,
	KEY_CTRL_Z = 26,
	KEY_ESC = 27,
	KEY_DELETE = 127,
};

static inline bool key_is_enter(unsigned key)
{
	return key == KEY_ENTER || key == KEY_LINEFEED;
}

/* An action without operands. */
struct ui_action keys_act(enum ui_action_kind kind);

/* A new trial is asked for: the display thaws, so that it is seen. */
struct ui_action keys_trial(struct ui_state *s, enum ui_action_kind kind);

/* ACT_BEEP with a sentence that says why. */
struct ui_action keys_beep(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The action that runs variant @index, or the reason why it cannot run here. */
struct ui_action keys_variant(struct ui_state *s, const struct model *m, unsigned index);

/* Moves @at by the scroll key @key within 0..@limit, a page being @page. False: another key. */
bool keys_scroll(unsigned *at, unsigned limit, unsigned page, unsigned key);

/* Appends or deletes at the end of @text, ASCII only. False: a key that does not edit. */
bool keys_text_edit(char *text, size_t size, unsigned key);

/* Opens the search or the filter of the table that the mode shows. */
struct ui_action keys_find_open(struct ui_state *s, const struct model *m, enum ui_typing typing);

/* One key while a search or a filter is typed. Enter ends it; lists take Enter before. */
struct ui_action keys_find(struct ui_state *s, const struct model *m, unsigned key);

/* Moves the marked row of the CPU table by a scroll key, and the pane after it. */
struct ui_action keys_cpu_scroll(struct ui_state *s, const struct model *m, unsigned key);

/* Looks at the CPU of the marked row. */
struct ui_action keys_cpu_enter(struct ui_state *s, const struct model *m);

/* The next sort column of a table; of the CPU table it is scrolled into view. */
struct ui_action keys_sort(struct ui_state *s, const struct model *m, enum rows_table table);

/* Scrolls the counter columns by [ and ]. */
struct ui_action keys_columns(struct ui_state *s, const struct model *m, unsigned key);

/* True if there is no trial that goes on. */
bool keys_nothing_runs(const struct model *m);

/* Lines of the key table that change what runs, or keep something of it. */
struct ui_action keys_run_digit(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_run_threads(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_run_place(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_run_measure(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_run_mark(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_run_csv(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_run_clear(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_run_save(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_run_restart(struct ui_state *s, const struct model *m, unsigned key);

/* Back to the main screen. */
struct ui_action keys_leave(struct ui_state *s);

/* One key on the main screen. */
struct ui_action keys_main(struct ui_state *s, const struct model *m, unsigned key);

/* One key in a mode with a list of its own. */
struct ui_action keys_variants(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_knobs(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_workloads(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_cpu(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_help(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_messages(struct ui_state *s, const struct model *m, unsigned key);

/* One key while a question stands: y carries it out. */
struct ui_action keys_confirm(struct ui_state *s, unsigned key);

#endif
