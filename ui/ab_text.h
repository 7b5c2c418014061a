/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The configurations of A and B in words.
 */
#ifndef HOTLINE_UI_AB_TEXT_H
#define HOTLINE_UI_AB_TEXT_H

#include "src/flow/ab.h"

#include <stdbool.h>
#include <stddef.h>

enum { AB_TEXT = 400 };

/* True if A and B are both set. */
bool ab_text_both(const struct ab *ab);

/*
 * What a side has that the other has not, "clh" or "16 threads pack hold_ns=5000"; its variant if
 * the other is not set, "not set" if it is not itself, "the same" if nothing differs.
 */
void ab_text_differs(const struct ab *ab, enum ab_name name, char *buf, size_t size);

/* A whole configuration: "spinlock mcs, 15 threads, place spread, hold_ns=100". */
void ab_text_whole(const struct ab_side *s, char *buf, size_t size);

#endif
