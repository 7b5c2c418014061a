/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keyboard of ui/term: part of that module, used by nothing else.
 */
#ifndef HOTLINE_UI_TERM_KEYS_H
#define HOTLINE_UI_TERM_KEYS_H

#include <stdbool.h>

struct _win_st; /* WINDOW of ncurses */
struct ui_mouse;

/*
 * The next key of @keys, a window that does not wait: as term_key(). @mouse: set where the key is
 * KEYCODE_MOUSE.
 */
int term_keys_read(struct _win_st *keys, unsigned *key, struct ui_mouse *mouse);

/*
 * A mouse report in the form of xterm's mode 1006, "0;12;5" before its final @last ('M' a press,
 * 'm' a release), without what stands in front. False for what is neither a press of the left
 * button without modifiers nor the wheel. Pure.
 */
bool term_mouse_parse(const char *report, char last, struct ui_mouse *out);

#endif
