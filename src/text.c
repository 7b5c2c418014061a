/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text for people. Numbers are put together from integers, so that no locale can change the dot.
 */
#include "src/text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 63 }; /* longer words are never a slip of a short name */

/* @v >= 0 with @decimals (0..4) digits behind the dot, and @suffix. */
static void fixed_print(double v, unsigned decimals, const char *sign, const char *suffix,
			char *buf, unsigned size)
{
	static const unsigned scale[] = {1, 10, 100, 1000, 10000};
	uint64_t n = (uint64_t)llround(v * scale[decimals]);
	unsigned unit = scale[decimals];

	if (decimals)
		snprintf(buf, size, "%s%" PRIu64 ".%0*" PRIu64 "%s", sign, n / unit, (int)decimals,
			 n % unit, suffix);
	else
		snprintf(buf, size, "%s%" PRIu64 "%s", sign, n, suffix);
}

/* Digits behind the dot that make three significant ones of 1 <= @v < 999.5. */
static unsigned decimals_of(double v)
{
	return v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
}

char *text_si(double v, char *buf, unsigned size)
{
	static const char *const prefix[] = {"", "k", "M", "G", "T", "P", "E"};
	const char *sign = signbit(v) && v != 0 ? "-" : "";
	unsigned p = 0;

	if (!isfinite(v)) {
		snprintf(buf, size, "%s%s", sign, isnan(v) ? "nan" : "inf");
		return buf;
	}
	v = fabs(v);
	if (v == 0) {
		snprintf(buf, size, "0");
	} else if (v < 0.0001) {
		snprintf(buf, size, "%s%.0e", sign, v); /* no dot in it */
	} else if (v < 0.9995) {
		fixed_print(v, v < 0.09995 ? 4 : 3, sign, "", buf, size);
	} else {
		while (v >= 999.5 && p + 1 < sizeof(prefix) / sizeof(prefix[0])) {
			v /= 1000;
			p++;
		}
		if (v >= 999.5)
			snprintf(buf, size, "%s>999E", sign);
		else
			fixed_print(v, decimals_of(v), sign, prefix[p], buf, size);
	}
	return buf;
}

char *text_ns(double ns, bool ascii, char *buf, unsigned size)
{
	/* Up to which value a unit is used, in that unit, and how many of it make the next. */
	const struct {
		const char *name;
		double top, next;
	} unit[] = {
		{"n", 999.5, 1e3}, {ascii ? "u" : "\xc2\xb5", 999.5, 1e3},
		{"m", 999.5, 1e3}, {"s", 9999.5, 3600},
		{"h", 9999.5, 1},
	};
	const unsigned last = sizeof(unit) / sizeof(unit[0]) - 1;
	unsigned u = 0;

	if (!(ns >= 0)) { /* NaN too */
		snprintf(buf, size, "-");
		return buf;
	}
	while (u < last && ns >= unit[u].top)
		ns /= unit[u++].next;
	if (ns >= unit[u].top)
		snprintf(buf, size, ">9kh");
	else
		fixed_print(ns, ns < 9.95 ? 1 : 0, "", unit[u].name, buf, size);
	return buf;
}

/* What stands for a missing value. */
static char *missing_print(enum reason why, char *buf, unsigned size)
{
	if (why == WHY_NOT_YET)
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "n/a:%c", reason_letter(why));
	return buf;
}

static void append(char *buf, unsigned size, const char *text)
{
	size_t have = strlen(buf);

	if (have < size)
		snprintf(buf + have, size - have, "%s", text);
}

char *text_value(struct value v, char *buf, unsigned size)
{
	if (!value_known(v))
		return missing_print(v.why, buf, size);
	text_si(v.v, buf, size);
	if (v.why == WHY_SCALED)
		append(buf, size, "~");
	return buf;
}

char *text_value_ns(struct value v, bool ascii, char *buf, unsigned size)
{
	if (v.why == WHY_UNRESOLVED && v.v > 0 && size > 1) {
		buf[0] = '<';
		text_ns(v.v, ascii, buf + 1, size - 1);
		return buf;
	}
	if (!value_known(v))
		return missing_print(v.why, buf, size);
	text_ns(v.v, ascii, buf, size);
	if (v.why == WHY_SCALED)
		append(buf, size, "~");
	return buf;
}

/*
 * Length of the UTF-8 sequence at @s, or 0 if it is none (overlong, surrogate, cut); @code is set.
 * Source: RFC 3629, section 4.
 */
static unsigned utf8_length(const unsigned char *s, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned n = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	if (!n || s[0] > 0xf4)
		return 0;
	*code = n == 1 ? s[0] : s[0] & (0x7fu >> n);
	for (unsigned i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (s[i] & 0x3f);
	}
	if (*code < least[n] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return n;
}

/* C0, DEL, C1, line separators, and what turns the direction of text around. */
static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x200b && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
	       code == 0xfeff;
}

char *text_clean(char *dst, unsigned size, const char *src)
{
	unsigned have = 0;

	if (!size)
		return dst;
	while (*src) {
		uint32_t code = 0;
		unsigned n = utf8_length((const unsigned char *)src, &code);
		bool bad = !n || is_control(code);
		unsigned put = bad ? 1 : n;

		if (have + put >= size)
			break;
		if (bad)
			dst[have] = '?';
		else
			memcpy(dst + have, src, n);
		have += put;
		src += n ? n : 1;
	}
	dst[have] = '\0';
	return dst;
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

/*
 * Edits (insert, delete, replace, swap of neighbours) that turn @a into @b, case ignored.
 * Source: the optimal string alignment distance (Damerau 1964, without edits inside a swap).
 */
static unsigned edit_distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	unsigned row[3][WORD_MAX + 1];

	for (unsigned j = 0; j <= b_len; j++)
		row[0][j] = j;
	for (unsigned i = 1; i <= a_len; i++) {
		unsigned *cur = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];

		cur[0] = i;
		for (unsigned j = 1; j <= b_len; j++) {
			int x = tolower((unsigned char)a[i - 1]),
			    y = tolower((unsigned char)b[j - 1]);

			cur[j] = min3(up[j] + 1, cur[j - 1] + 1, up[j - 1] + (x != y));
			if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
			    y == tolower((unsigned char)a[i - 2]) && up2[j - 2] + 1 < cur[j])
				cur[j] = up2[j - 2] + 1;
		}
	}
	return row[a_len % 3][b_len];
}

char *text_nearest(const char *word, const char *list, char *buf, unsigned size)
{
	size_t len = strlen(word);
	unsigned best = len / 3 > 2 ? (unsigned)(len / 3) : 2;
	bool found = false;

	if (len > WORD_MAX)
		return NULL;
	if (best >= len) /* else every word of two letters would be near */
		best = len ? (unsigned)len - 1 : 0;
	while (*list) {
		size_t n = strcspn(list, ",");

		if (n && n <= WORD_MAX && n < size) {
			unsigned d = edit_distance(word, len, list, n);

			if (d < best || (d == best && !found)) {
				best = d;
				found = true;
				memcpy(buf, list, n);
				buf[n] = '\0';
			}
		}
		list += n;
		list += strspn(list, ", ");
	}
	return found ? buf : NULL;
}

int text_unknown(const char *what, const char *word, const char *accepted, struct err *e)
{
	char near[WORD_MAX + 1], safe[48];

	text_clean(safe, sizeof(safe), word);
	if (text_nearest(word, accepted, near, sizeof(near)))
		return err_set(e, -EINVAL, "unknown %s '%s' (nearest: %s; accepted: %s)", what,
			       safe, near, accepted);
	return err_set(e, -EINVAL, "unknown %s '%s' (accepted: %s)", what, safe, accepted);
}

int text_u64(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *out,
	     struct err *e)
{
	size_t digits = strspn(text, "0123456789");
	unsigned long long v;
	char safe[48];

	if (!digits || text[digits])
		return err_set(e, -EINVAL,
			       "%s '%s': not a whole number (accepted: %" PRIu64 " to %" PRIu64 ")",
			       what, text_clean(safe, sizeof(safe), text), min, max);
	errno = 0;
	v = strtoull(text, NULL, 10);
	if (errno || v < min || v > max)
		return err_set(e, -ERANGE,
			       "%s '%s': out of range (accepted: %" PRIu64 " to %" PRIu64 ")", what,
			       text_clean(safe, sizeof(safe), text), min, max);
	*out = v;
	return 0;
}

int text_i64(const char *what, const char *text, int64_t min, int64_t max, int64_t *out,
	     struct err *e)
{
	const char *digit = text + (*text == '-');
	size_t digits = strspn(digit, "0123456789");
	long long v;
	char safe[48];

	if (!digits || digit[digits])
		return err_set(e, -EINVAL,
			       "%s '%s': not a whole number (accepted: %" PRId64 " to %" PRId64 ")",
			       what, text_clean(safe, sizeof(safe), text), min, max);
	errno = 0;
	v = strtoll(text, NULL, 10);
	if (errno || v < min || v > max)
		return err_set(e, -ERANGE,
			       "%s '%s': out of range (accepted: %" PRId64 " to %" PRId64 ")", what,
			       text_clean(safe, sizeof(safe), text), min, max);
	*out = v;
	return 0;
}

int text_double(const char *what, const char *text, double min, double max, double *out,
		struct err *e)
{
	const char *first = text + (*text == '-');
	char *end = NULL;
	double v = 0;
	char safe[48];

	/* strtod() alone also takes blanks, "nan", "inf" and hexadecimals. */
	if (isdigit((unsigned char)*first) || *first == '.') {
		if (strspn(first, "0123456789.eE+-") == strlen(first))
			v = strtod(text, &end);
	}
	if (!end || end == text || *end)
		return err_set(e, -EINVAL, "%s '%s': not a number (accepted: %g to %g)", what,
			       text_clean(safe, sizeof(safe), text), min, max);
	if (!(v >= min && v <= max))
		return err_set(e, -ERANGE, "%s '%s': out of range (accepted: %g to %g)", what,
			       text_clean(safe, sizeof(safe), text), min, max);
	*out = v;
	return 0;
}
