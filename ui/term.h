/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal: the only module that knows ncurses.
 */
#ifndef HOTLINE_UI_TERM_H
#define HOTLINE_UI_TERM_H

#include "probes/err.h"
#include "ui/grid.h"
#include "ui/theme.h"

#include <stdbool.h>

struct ui_mouse;

struct term_options {
	bool ascii; /* --ascii */
	bool color; /* after --color and NO_COLOR were weighed */
	bool mouse; /* presses and the wheel are reported, where the terminal can */
	enum term_theme theme;
};

/*
 * Takes the terminal over: alternate screen, raw keys, hidden cursor, mouse reports; installs the
 * fatal-signal restorer; captures fd 2 into a pipe.
 * Errors: -ENOTTY (stdin or stdout is none), -EINVAL (TERM unknown: the text says so).
 */
int term_open(const struct term_options *o, struct err *e);

/* Gives it back and replays captured stderr. Safe to call twice. */
void term_close(void);

/* Size now, and the best glyph tier. */
void term_size(unsigned *cols, unsigned *rows);
enum grid_tier term_tier(void);

/* The kernel says the size changed (SIGWINCH): re-reads it. */
void term_resized(void);

/* Sends what differs from the last frame. @whole: repaint everything. Cost: under 1 ms. */
void term_draw(const struct grid *g, bool whole);

/*
 * Next key without waiting: a code point, control character or enum ui_keycode.
 * Returns 1 and sets @key, 0 if there is none, -EIO at end of input.
 */
int term_key(unsigned *key);

/* What the mouse did and where, after term_key() gave KEYCODE_MOUSE. */
void term_mouse(struct ui_mouse *out);

/* File descriptor to poll for what was written to stderr, -1 = none; and its next line. */
int term_stderr_fd(void);
int term_stderr_line(char *buf, unsigned size);

/* Leaves the screen, stops the process (SIGTSTP) and comes back after SIGCONT. */
void term_suspend(void);

#endif
