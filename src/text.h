/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text for people: short numbers, safe names, the nearest match of a wrong word, strict numbers.
 */
#ifndef HOTLINE_SRC_TEXT_H
#define HOTLINE_SRC_TEXT_H

#include "probes/err.h"
#include "probes/value.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Three significant digits and an SI prefix: "3.74M", "302k", "12.0", "0.234".
 * Returns @buf. Threads: any; never looks at the locale.
 */
char *text_si(double v, char *buf, unsigned size);

/*
 * A time in ns as the screen shows it, at most 4 cells and a unit: "126n", "4.1µ", "1.2m", "2.0s";
 * with @ascii "4.1u". Returns @buf.
 */
char *text_ns(double ns, bool ascii, char *buf, unsigned size);

/*
 * A value for the screen: text_si(), with '~' behind a scaled one, "n/a:x" for a missing one,
 * "-" for WHY_NOT_YET. Returns @buf.
 */
char *text_value(struct value v, char *buf, unsigned size);

/* The same for a time in ns; WHY_UNRESOLVED prints "<20n" from its bound. Returns @buf. */
char *text_value_ns(struct value v, bool ascii, char *buf, unsigned size);

/*
 * Copies a name that came from outside: control characters and escapes become '?', cut at a
 * character boundary. Returns @dst.
 */
char *text_clean(char *dst, unsigned size, const char *src);

/*
 * The candidate nearest to @word by edit distance, or NULL if none is near (more than a third of
 * its length, at least 2 edits). @list: words separated by ", ". Returns @buf or NULL.
 */
char *text_nearest(const char *word, const char *list, char *buf, unsigned size);

/*
 * Reports a wrong word: "unknown WHAT 'WORD' (nearest: X; accepted: A, B)".
 * @accepted: words separated by ", ". Returns -EINVAL.
 */
int text_unknown(const char *what, const char *word, const char *accepted, struct err *e);

/*
 * Strict numbers: the whole of @text, no sign games, no trailing rubbish.
 * @what: name for the message, e.g. "--threads".
 * Errors: -EINVAL, -ERANGE, the text names the word and the accepted range.
 */
int text_u64(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *out,
	     struct err *e);
int text_i64(const char *what, const char *text, int64_t min, int64_t max, int64_t *out,
	     struct err *e);
int text_double(const char *what, const char *text, double min, double max, double *out,
		struct err *e);

#endif
