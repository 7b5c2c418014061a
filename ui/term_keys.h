/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keyboard of ui/term: part of that module, used by nothing else.
 */
#ifndef HOTLINE_UI_TERM_KEYS_H
#define HOTLINE_UI_TERM_KEYS_H

struct _win_st; /* WINDOW of ncurses */

/* The next key of @keys, a window that does not wait: as term_key(). */
int term_keys_read(struct _win_st *keys, unsigned *key);

#endif
