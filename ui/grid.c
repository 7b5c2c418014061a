/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells, clipping and glyphs: what a bar, a column or a line of text becomes in each tier.
 *
 * Text from outside (host, CPU model, plug-in names) may hold any byte. Only code points known to
 * be one cell wide are kept; the rest becomes '?', so a row never shifts.
 */
#include "ui/grid.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRID_MAX = 1000, GRID_LINE = 1024 };

/* Key codes above the code points begin here, and are packed from there on. */
static const unsigned keys_above = 0x110000, keys_from = 0xff00;

/* Stand-ins of a glyph where the terminal cannot draw it; 0 = it can. */
struct glyph_fallback {
	uint32_t glyph;
	char block, ascii;
};

/* In order of frequency in a frame. */
static const struct glyph_fallback fallbacks[] = {
	{0x2500, 0, '-'},   /* ─ */
	{0x2502, 0, '|'},   /* │ */
	{0x2588, 0, '#'},   /* █ */
	{0x00b5, 'u', 'u'}, /* µ */
	{0x00b7, 0, '.'},   /* · */
	{0x252c, 0, '+'},   /* ┬ */
	{0x2534, 0, '+'},   /* ┴ */
	{0x253c, 0, '+'},   /* ┼ */
	{0x251c, 0, '+'},   /* ├ */
	{0x2524, 0, '+'},   /* ┤ */
	{0x2514, 0, '+'},   /* └ */
	{0x2591, 0, ':'},   /* ░ */
	{0x2592, 0, ':'},   /* ▒ */
	{0x2593, 0, '*'},   /* ▓ */
	{0x2584, 0, ':'},   /* ▄ */
	{0x258c, 0, ':'},   /* ▌ */
	{0x25b8, '>', '>'}, /* ▸ */
	{0x25cf, '*', '*'}, /* ● */
	{0x25cc, '*', '*'}, /* ◌ */
	{0x2016, '*', '*'}, /* ‖ */
	{0x25a0, '*', '*'}, /* ■ */
	{0x2026, '>', '>'}, /* …: a full stop would hide the cut */
	{0x2192, '>', '>'}, /* → */
	{0x2191, '^', '^'}, /* ↑ */
	{0x2193, 'v', 'v'}, /* ↓ */
	{0x25b2, '^', '^'}, /* ▲ */
	{0x25bc, 'v', 'v'}, /* ▼ */
	{0x00d7, 'x', 'x'}, /* × */
};

/* True for code points that every terminal draws in one cell (of the ranges used here). */
static bool glyph_is_single(uint32_t c)
{
	return (c >= 0x20 && c <= 0x7e) || (c >= 0xa1 && c <= 0x2ff && c != 0xad) ||
	       (c >= 0x370 && c <= 0x482) || (c >= 0x2010 && c <= 0x2027) ||
	       (c >= 0x2190 && c <= 0x2199) || (c >= 0x2200 && c <= 0x22ff) ||
	       (c >= 0x2500 && c <= 0x25cf);
}

static uint32_t glyph_for_tier(uint32_t c, enum grid_tier tier)
{
	if (c == 0 || (c >= 0x20 && c <= 0x7e))
		return c;
	if (!glyph_is_single(c))
		return '?';
	if (tier == TIER_UTF8)
		return c;
	for (size_t i = 0; i < sizeof(fallbacks) / sizeof(fallbacks[0]); i++) {
		char stand_in = tier == TIER_ASCII ? fallbacks[i].ascii : fallbacks[i].block;

		if (fallbacks[i].glyph == c)
			return stand_in ? (uint32_t)stand_in : c;
	}
	return '?';
}

/* Decodes one code point, advancing @s; a malformed byte counts as one unknown character. */
static uint32_t utf8_next(const char **s)
{
	const unsigned char *p = (const unsigned char *)*s;
	unsigned more = p[0] >= 0xf0 ? 3 : p[0] >= 0xe0 ? 2 : p[0] >= 0xc2 ? 1 : 0;
	uint32_t c = p[0];

	if (p[0] < 0x80 || more == 0 || p[0] > 0xf4) {
		*s += 1;
		return c < 0x80 ? c : '?';
	}
	c = p[0] & (0x3fu >> more);
	for (unsigned i = 1; i <= more; i++) {
		if ((p[i] & 0xc0) != 0x80) {
			*s += i;
			return '?';
		}
		c = c << 6 | (p[i] & 0x3fu);
	}
	*s += more + 1;
	return c;
}

static unsigned utf8_put(uint32_t c, char out[4])
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xc0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	out[0] = (char)(0xe0 | c >> 12);
	out[1] = (char)(0x80 | (c >> 6 & 0x3f));
	out[2] = (char)(0x80 | (c & 0x3f));
	return 3;
}

int grid_init(struct grid *g, unsigned cols, unsigned rows, enum grid_tier tier)
{
	*g = (struct grid){.tier = tier};
	return grid_resize(g, cols, rows);
}

int grid_resize(struct grid *g, unsigned cols, unsigned rows)
{
	if (cols < 1 || rows < 1 || cols > GRID_MAX || rows > GRID_MAX)
		return -EINVAL;
	if (!g->cell || (size_t)cols * rows > (size_t)g->cols * g->rows) {
		struct grid_cell *cell = realloc(g->cell, (size_t)cols * rows * sizeof(*cell));

		if (!cell)
			return -ENOMEM;
		g->cell = cell;
	}
	g->cols = cols;
	g->rows = rows;
	grid_clear(g);
	return 0;
}

void grid_fini(struct grid *g)
{
	free(g->cell);
	*g = (struct grid){.tier = g->tier};
}

void grid_clear(struct grid *g)
{
	memset(g->cell, 0, (size_t)g->cols * g->rows * sizeof(*g->cell));
}

/* The glyph is already one of the tier's. */
static void cell_set(struct grid *g, int row, int col, uint32_t glyph, enum grid_role role)
{
	struct grid_cell *c;

	if (row < 0 || col < 0 || (unsigned)row >= g->rows || (unsigned)col >= g->cols)
		return;
	c = &g->cell[(size_t)row * g->cols + (size_t)col];
	c->glyph = glyph;
	c->role = (uint8_t)role;
}

void grid_put(struct grid *g, int row, int col, uint32_t glyph, enum grid_role role)
{
	cell_set(g, row, col, glyph_for_tier(glyph, g->tier), role);
}

int grid_text(struct grid *g, int row, int col, int width, enum grid_role role, const char *utf8)
{
	int n = 0;

	for (; *utf8; n++) {
		uint32_t c = utf8_next(&utf8);

		if (n < width)
			cell_set(g, row, col + n, c < 0x20 ? '?' : glyph_for_tier(c, g->tier),
				 role);
	}
	return n;
}

int grid_printf(struct grid *g, int row, int col, int width, enum grid_role role, const char *fmt,
		...)
{
	char line[GRID_LINE];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	return grid_text(g, row, col, width, role, line);
}

void grid_rule(struct grid *g, int row, int col, int width)
{
	for (int i = 0; i < width; i++)
		grid_put(g, row, col + i, 0x2500, ROLE_RULE);
}

/* @level of @steps as a whole number of steps: above 0 is at least @least, never more than all. */
static int steps_of(double level, int steps, int least)
{
	int n;

	if (isnan(level) || level <= 0 || steps <= 0)
		return 0;
	n = level >= 1 ? steps : (int)lround(level * steps);
	return n < least ? least : n;
}

/* The cell that holds the end of a bar: @eighths 1..7 of it are filled. */
static uint32_t bar_part(enum grid_tier tier, int eighths)
{
	switch (tier) {
	case TIER_UTF8:
		return 0x2590u - (uint32_t)eighths; /* ▏ 0x258f .. ▉ 0x2589 */
	case TIER_BLOCK:
		return eighths >= 4 ? 0x258c : ' ';
	case TIER_ASCII:
		return eighths >= 4 ? ':' : '.';
	}
	return ' ';
}

static uint32_t column_part(enum grid_tier tier, int eighths)
{
	switch (tier) {
	case TIER_UTF8:
		return 0x2580u + (uint32_t)eighths; /* ▁ 0x2581 .. ▇ 0x2587 */
	case TIER_BLOCK:
		return eighths >= 4 ? 0x2584 : ' ';
	case TIER_ASCII:
		return eighths >= 6 ? '#' : eighths >= 3 ? ':' : '.';
	}
	return ' ';
}

void grid_bar(struct grid *g, int row, int col, int width, double share, enum grid_role role)
{
	int eighths = steps_of(share, width * 8, g->tier == TIER_BLOCK ? 4 : 1);

	for (int i = 0; i < eighths / 8; i++)
		grid_put(g, row, col + i, 0x2588, role);
	if (eighths % 8)
		cell_set(g, row, col + eighths / 8, bar_part(g->tier, eighths % 8), role);
}

void grid_spark(struct grid *g, int row, int col, double level, enum grid_role role)
{
	static const char ascii[] = "_.-=+*%#";
	static const uint32_t block[] = {' ', 0x2584, 0x2588};
	uint32_t glyph = ' ';

	if (isnan(level))
		return;
	level = level < 0 ? 0 : level > 0.999 ? 0.999 : level;
	switch (g->tier) {
	case TIER_UTF8:
		glyph = 0x2581u + (uint32_t)(level * 8);
		break;
	case TIER_BLOCK:
		glyph = block[(int)(level * 3)];
		break;
	case TIER_ASCII:
		glyph = (uint32_t)ascii[(int)(level * 8)];
		break;
	}
	cell_set(g, row, col, glyph, role);
}

void grid_column(struct grid *g, int bottom, int col, int height, double level, enum grid_role role)
{
	int eighths = steps_of(level, height * 8, g->tier == TIER_BLOCK ? 4 : 1);

	for (int i = 0; i < eighths / 8; i++)
		grid_put(g, bottom - i, col, 0x2588, role);
	if (eighths % 8)
		cell_set(g, bottom - eighths / 8, col, column_part(g->tier, eighths % 8), role);
}

/* Appends a character to snprintf-like output. */
static size_t text_append(char *buf, size_t size, size_t n, uint32_t glyph)
{
	char bytes[4];
	unsigned len = utf8_put(glyph ? glyph : ' ', bytes);

	if (n + len < size)
		memcpy(buf + n, bytes, len);
	else if (n < size)
		buf[n] = '\0';
	return n + len;
}

size_t grid_to_text(const struct grid *g, char *buf, size_t size)
{
	size_t n = 0;

	for (unsigned row = 0; row < g->rows; row++) {
		const struct grid_cell *c = &g->cell[(size_t)row * g->cols];
		unsigned end = g->cols;

		while (end > 0 && (c[end - 1].glyph == 0 || c[end - 1].glyph == ' '))
			end--;
		for (unsigned col = 0; col < end; col++)
			n = text_append(buf, size, n, c[col].glyph);
		if (row + 1 < g->rows)
			n = text_append(buf, size, n, '\n');
	}
	if (size)
		buf[n < size ? n : size - 1] = '\0';
	return n;
}

void grid_paint(struct grid *g, struct grid_rect r, enum grid_role role)
{
	for (int row = r.row; row < r.row + r.rows; row++) {
		for (int col = r.col; col < r.col + r.cols; col++) {
			if (row < 0 || col < 0 || (unsigned)row >= g->rows ||
			    (unsigned)col >= g->cols)
				continue;
			g->cell[(size_t)row * g->cols + (size_t)col].role = (uint8_t)role;
		}
	}
}

void grid_touch(struct grid *g, struct grid_rect r, enum grid_touch touch, unsigned number)
{
	for (int row = r.row; row < r.row + r.rows; row++) {
		for (int col = r.col; col < r.col + r.cols; col++) {
			struct grid_cell *c;

			if (row < 0 || col < 0 || row >= (int)g->rows || col >= (int)g->cols)
				continue;
			c = &g->cell[(size_t)row * g->cols + (size_t)col];
			c->touch = (uint8_t)touch;
			c->number = (uint16_t)number;
		}
	}
}

uint16_t grid_touch_key(unsigned key)
{
	return (uint16_t)(key < keys_above ? key : keys_from + (key - keys_above));
}

unsigned grid_touched_key(uint16_t number)
{
	return number < keys_from ? number : keys_above + (number - keys_from);
}
