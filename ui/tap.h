/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is written to stderr while the screen is up: kept off it, given out line by line, replayed
 * at the end.
 */
#ifndef HOTLINE_UI_TAP_H
#define HOTLINE_UI_TAP_H

#include <stdbool.h>
#include <stddef.h>

enum { TAP_BYTES = 32768 };

/* Written by tap_*() only. A closed one has real = -1. */
struct tap {
	int real;         /* the user's fd 2 while ours is a pipe; -1 = not open */
	int pipe;         /* its read end: readable when there is text; -1 = not open */
	size_t used;      /* bytes of text[] */
	size_t line_from; /* first byte that was not given out as a line yet */
	bool full;        /* text was dropped */
	char text[TAP_BYTES];
};

/*
 * Puts a pipe in the place of fd 2. Without descriptors left it stays closed: text then goes where
 * it always went.
 */
void tap_open(struct tap *t);

/* Puts fd 2 back and writes there all that came. */
void tap_close(struct tap *t);

/* The next whole line, cut to @size. Returns 1, or 0 if there is none. */
int tap_line(struct tap *t, char *buf, unsigned size);

/* As tap_close(), for a process about to die. Threads: async-signal-safe. */
void tap_spill(const struct tap *t);

#endif
