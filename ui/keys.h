/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside the keyboard: keys_act.c has what all modes share, keys_main.c the main screen and its
 * table, keys_list.c the lists; keys.c asks the one that the mode calls for.
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

/* One key on the main screen. */
struct ui_action keys_main(struct ui_state *s, const struct model *m, unsigned key);

/* One key in a mode with a list of its own. */
struct ui_action keys_variants(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_knobs(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_help(struct ui_state *s, const struct model *m, unsigned key);
struct ui_action keys_messages(struct ui_state *s, const struct model *m, unsigned key);

/* One key while a question stands: y carries it out. */
struct ui_action keys_confirm(struct ui_state *s, unsigned key);

#endif
