/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line of a frame made of segments: what does not fit is left out whole, most important kept.
 */
#ifndef HOTLINE_UI_LINE_H
#define HOTLINE_UI_LINE_H

#include "ui/grid.h"

#include <stdbool.h>

enum {
	LINE_SEGMENTS = 48,
	LINE_BYTES = 1024,
	LINE_RULE_CELLS = 8, /* of a rule around its title and note */
};

/* Filled by line_add(), drawn by line_draw(); lives on the caller's stack. */
struct line {
	unsigned count;
	unsigned used; /* bytes of text[] */
	struct line_segment {
		unsigned at, cells;
		unsigned rank; /* 0 is never left out; lower ranks are served first */
		bool joined;   /* follows the one in front without a gap, and goes with it */
		bool optional; /* joined, but left out by its own rank */
		enum grid_role role;
		unsigned key; /* that a click on it presses; 0 = none */
	} segment[LINE_SEGMENTS];
	char text[LINE_BYTES];
};

/* Starts an empty line. */
void line_start(struct line *l);

/* Appends a segment. What exceeds LINE_SEGMENTS or LINE_BYTES is dropped. */
void line_add(struct line *l, unsigned rank, enum grid_role role, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Appends text that belongs to the last segment, in another role. */
void line_join(struct line *l, enum grid_role role, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The same for text that may be left out alone, as a reason behind a warning: it is served at @rank
 * if what it belongs to is shown.
 */
void line_tail(struct line *l, unsigned rank, enum grid_role role, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* A click on the last segment presses @key. */
void line_key(struct line *l, unsigned key);

/*
 * Leaves out what does not fit @width cells with @gap cells between segments.
 * Returns the cells the rest takes; more than @width only if rank 0 alone is wider.
 */
int line_fit(struct line *l, int width, int gap);

/*
 * Fits and draws. Rank 0 text that is still too wide ends in an ellipsis: nothing is cut silently.
 * @between: text drawn in the middle of each gap, "" = none, else @gap cells wide.
 * Returns the cells taken.
 */
int line_draw(struct line *l, struct grid *g, struct grid_rect r, int gap, const char *between);

/* Text clipped to @width cells, with an ellipsis where it is cut. Returns the cells drawn. */
int line_text(struct grid *g, int row, int col, int width, enum grid_role role, const char *utf8);

/*
 * The rule on top of a pane: title at the left, note at the right where it fits:
 * with LINE_RULE_CELLS for the rule.
 * @focused: marked by a glyph and a role.
 */
void line_rule(struct grid *g, struct grid_rect r, bool focused, const char *title,
	       const char *note);

/* A column's head on a rule: right-aligned, its last cell left of @end. */
void line_head(struct grid *g, int row, int end, const char *text);

/*
 * Text broken at blanks into lines of r.cols cells; further lines are indented by @indent. What
 * does not fit r.rows ends in an ellipsis.
 * Returns the rows taken.
 */
int line_wrap(struct grid *g, struct grid_rect r, int indent, enum grid_role role,
	      const char *utf8);

/* The number of cells of UTF-8 text. */
int line_cells(const char *utf8);

#endif
