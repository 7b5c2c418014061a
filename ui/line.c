/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Segments, and the rule lines that name the panes.
 */
#include "ui/line.h"

#include <stdarg.h>
#include <stdio.h>

int line_cells(const char *utf8)
{
	int n = 0;

	/* Continuation bytes take no cell. */
	for (; *utf8; utf8++)
		n += ((unsigned char)*utf8 & 0xc0) != 0x80;
	return n;
}

void line_start(struct line *l)
{
	l->count = 0;
	l->used = 0;
}

static struct line_segment *segment_new(struct line *l, enum grid_role role, const char *fmt,
					va_list ap)
{
	size_t room = LINE_BYTES - l->used;
	struct line_segment *s;
	int n;

	if (l->count == LINE_SEGMENTS)
		return NULL;
	n = vsnprintf(l->text + l->used, room, fmt, ap);
	if (n <= 0 || (size_t)n >= room)
		return NULL;
	s = &l->segment[l->count++];
	*s = (struct line_segment){
		.at = l->used,
		.cells = (unsigned)line_cells(l->text + l->used),
		.role = role,
	};
	l->used += (unsigned)n + 1;
	return s;
}

void line_add(struct line *l, unsigned rank, enum grid_role role, const char *fmt, ...)
{
	struct line_segment *s;
	va_list ap;

	va_start(ap, fmt);
	s = segment_new(l, role, fmt, ap);
	va_end(ap);
	if (s)
		s->rank = rank;
}

void line_join(struct line *l, enum grid_role role, const char *fmt, ...)
{
	unsigned rank = l->count ? l->segment[l->count - 1].rank : 0;
	bool joined = l->count > 0;
	struct line_segment *s;
	va_list ap;

	va_start(ap, fmt);
	s = segment_new(l, role, fmt, ap);
	va_end(ap);
	if (s) {
		s->rank = rank;
		s->joined = joined;
	}
}

void line_tail(struct line *l, unsigned rank, enum grid_role role, const char *fmt, ...)
{
	struct line_segment *s;
	va_list ap;

	if (!l->count)
		return;
	va_start(ap, fmt);
	s = segment_new(l, role, fmt, ap);
	va_end(ap);
	if (s) {
		s->rank = rank;
		s->joined = s->optional = true;
	}
}

void line_key(struct line *l, unsigned key)
{
	if (l->count)
		l->segment[l->count - 1].key = key;
}

/* The end of the group that begins at @i: a segment and what goes with it. */
static unsigned group_end(const struct line *l, unsigned i)
{
	for (i++; i < l->count && l->segment[i].joined && !l->segment[i].optional; i++)
		;
	return i;
}

/* The cells of a group with the gap in front of it, none in front of a tail. */
static int group_cells(const struct line *l, unsigned i, int gap)
{
	int cells = l->segment[i].joined ? 0 : gap;

	for (unsigned end = group_end(l, i); i < end; i++)
		cells += (int)l->segment[i].cells;
	return cells;
}

/* The next rank above @rank that a group has, or @rank if there is none. */
static unsigned rank_next(const struct line *l, unsigned rank)
{
	unsigned next = rank;

	for (unsigned i = 0; i < l->count; i = group_end(l, i)) {
		unsigned r = l->segment[i].rank;

		if (r > rank && (next == rank || r < next))
			next = r;
	}
	return next;
}

int line_fit(struct line *l, int width, int gap)
{
	bool keep[LINE_SEGMENTS] = {false};
	unsigned kept = 0, rank = 0, last;
	int used = -gap;

	do {
		for (unsigned i = 0; i < l->count; i = group_end(l, i)) {
			int cells = group_cells(l, i, gap);

			if (l->segment[i].rank != rank || (rank && used + cells > width))
				continue;
			if (l->segment[i].optional && !keep[i - 1])
				continue;
			used += cells;
			for (unsigned k = i; k < group_end(l, i); k++)
				keep[k] = true;
		}
		last = rank;
		rank = rank_next(l, rank);
	} while (rank != last);
	for (unsigned i = 0; i < l->count; i++) {
		if (keep[i])
			l->segment[kept++] = l->segment[i];
	}
	l->count = kept;
	return used < 0 ? 0 : used;
}

int line_text(struct grid *g, int row, int col, int width, enum grid_role role, const char *utf8)
{
	int n;

	if (width <= 0)
		return 0;
	n = grid_text(g, row, col, width, role, utf8);
	if (n > width)
		grid_put(g, row, col + width - 1, 0x2026, role);
	return n < width ? n : width;
}

/* The bytes of @s that fill @cells cells at most. */
static size_t bytes_of(const char *s, int cells)
{
	size_t n = 0;

	for (; s[n]; n++) {
		if (((unsigned char)s[n] & 0xc0) != 0x80 && cells-- == 0)
			break;
	}
	return n;
}

int line_wrap(struct grid *g, struct grid_rect r, int indent, enum grid_role role, const char *utf8)
{
	int used = 0;

	while (*utf8 && used < r.rows) {
		char part[LINE_BYTES];
		int left = used ? indent : 0;
		size_t n = bytes_of(utf8, r.cols - left);
		size_t cut = n;

		if (r.cols - left < 1)
			break;
		if (used == r.rows - 1 || !utf8[n]) {
			line_text(g, r.row + used, r.col + left, r.cols - left, role, utf8);
			return used + 1;
		}
		while (cut > 0 && utf8[cut] != ' ')
			cut--;
		if (cut == 0)
			cut = n;
		snprintf(part, sizeof(part), "%.*s", (int)cut, utf8);
		grid_text(g, r.row + used, r.col + left, r.cols - left, role, part);
		utf8 += cut;
		while (*utf8 == ' ')
			utf8++;
		used++;
	}
	return used;
}

int line_draw(struct line *l, struct grid *g, struct grid_rect r, int gap, const char *between)
{
	int col = 0;

	line_fit(l, r.cols, gap);
	for (unsigned i = 0; i < l->count && col < r.cols; i++) {
		const struct line_segment *s = &l->segment[i];
		int used;

		if (i && !s->joined) {
			grid_text(g, r.row, r.col + col, r.cols - col, ROLE_RULE, between);
			col += gap;
		}
		used = line_text(g, r.row, r.col + col, r.cols - col, s->role, l->text + s->at);
		if (s->key)
			grid_touch(g, (struct grid_rect){r.row, r.col + col, 1, used}, TOUCH_KEY,
				   grid_touch_key(s->key));
		col += used;
	}
	return col;
}

void line_rule(struct grid *g, struct grid_rect r, bool focused, const char *title,
	       const char *note)
{
	int room = r.cols - 4;
	int used;

	grid_rule(g, r.row, r.col, r.cols);
	if (room < 1)
		return;
	grid_put(g, r.row, r.col + 1, focused ? 0x25b8 : ' ', focused ? ROLE_SELECTED : ROLE_RULE);
	used = line_text(g, r.row, r.col + 2, room, focused ? ROLE_SELECTED : ROLE_LABEL, title);
	grid_put(g, r.row, r.col + 2 + used, ' ', ROLE_RULE);
	/* The note keeps one dash at its right, and at least one between itself and the title. */
	if (*note && used + line_cells(note) + LINE_RULE_CELLS <= r.cols) {
		int col = r.col + r.cols - 2 - line_cells(note);

		grid_put(g, r.row, col - 1, ' ', ROLE_RULE);
		grid_text(g, r.row, col, line_cells(note), ROLE_TEXT, note);
		grid_put(g, r.row, r.col + r.cols - 2, ' ', ROLE_RULE);
	}
}

void line_head(struct grid *g, int row, int end, const char *text)
{
	int cells = line_cells(text);

	grid_put(g, row, end - cells - 1, ' ', ROLE_RULE);
	grid_text(g, row, end - cells, cells, ROLE_LABEL, text);
}
