/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A frame as cells: what views draw into and what the terminal, the golden tests and --screen read.
 *
 * Everything is clipped here, once: drawing outside the grid is harmless. One cell = one code point
 * of width 1. Roles, never colours, are drawn; ui/term.c gives a role its look.
 */
#ifndef HOTLINE_UI_GRID_H
#define HOTLINE_UI_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum grid_role {
	ROLE_TEXT,
	ROLE_DIM,   /* n/a, offline, secondary text */
	ROLE_TITLE, /* program name, state */
	ROLE_RULE,  /* lines between panes */
	ROLE_LABEL, /* pane titles */
	ROLE_BAR,   /* throughput */
	ROLE_WAIT,
	ROLE_HOLD,
	ROLE_RUN,      /* run lengths */
	ROLE_KEY,      /* a key letter */
	ROLE_SELECTED, /* the selected row */
	ROLE_WARNING,
	ROLE_ERROR,
	ROLE_A,
	ROLE_B,
	ROLE_COUNT
};

/* Which glyphs the terminal can draw. The layout is the same in all tiers, cell for cell. */
enum grid_tier { TIER_UTF8, TIER_BLOCK, TIER_ASCII };

/* What a click on a cell means. Views say it where they draw: it is always what is seen. */
enum grid_touch {
	TOUCH_NOTHING,
	TOUCH_KEY,     /* presses a key; number: as grid_touch_key() packs it */
	TOUCH_VARIANT, /* runs a variant; number: its catalogue index */
	TOUCH_ROW,     /* a row of a list or table; number: its place in what is shown */
};

struct grid_cell {
	uint32_t glyph; /* code point; 0 is drawn as a space */
	uint8_t role;
	uint8_t touch;	 /* enum grid_touch */
	uint16_t number;
};

/* Owned by the caller; cells are row-major. */
struct grid {
	unsigned cols, rows;
	enum grid_tier tier;
	struct grid_cell *cell;
};

/* A rectangle of cells; may reach outside, what is outside is not drawn. */
struct grid_rect {
	int row, col;
	int rows, cols;
};

/* Allocates cols x rows blank cells (1..1000 each). Returns 0, -EINVAL or -ENOMEM. */
int grid_init(struct grid *g, unsigned cols, unsigned rows, enum grid_tier tier);
/* Changes the size, keeping the storage if it is large enough; cells are blank. */
int grid_resize(struct grid *g, unsigned cols, unsigned rows);
void grid_fini(struct grid *g);

/* Blanks all cells. */
void grid_clear(struct grid *g);

/* One glyph, clipped. */
void grid_put(struct grid *g, int row, int col, uint32_t glyph, enum grid_role role);

/*
 * UTF-8 text, clipped to @width cells (and the grid). Glyphs above 0x7f are replaced by their
 * one-cell ASCII stand-in in TIER_ASCII (µ u, → >, ● *, ▸ >, rules - | +, unknown ?). Control
 * characters and code points not known to be one cell wide become '?' in every tier.
 * Returns the number of cells the text takes, drawn or not.
 */
int grid_text(struct grid *g, int row, int col, int width, enum grid_role role, const char *utf8);
int grid_printf(struct grid *g, int row, int col, int width, enum grid_role role, const char *fmt,
		...) __attribute__((format(printf, 6, 7)));

/* A horizontal rule of @width cells. */
void grid_rule(struct grid *g, int row, int col, int width);

/*
 * A horizontal bar of @share (0..1) of @width cells: eighths in UTF-8, halves in blocks, '#' with
 * ':' or '.' for the part cell in ASCII. Anything above 0 draws at least the smallest step; NAN
 * draws nothing.
 */
void grid_bar(struct grid *g, int row, int col, int width, double share, enum grid_role role);

/* One sparkline cell, @level 0..1 (8 levels; "_.-=+*%#" in ASCII); NAN draws nothing. */
void grid_spark(struct grid *g, int row, int col, double level, enum grid_role role);

/*
 * One column of a column chart, growing upward from @bottom row over @height rows; @level 0..1 of
 * the height; anything above 0 draws at least the smallest step. NAN draws nothing.
 */
void grid_column(struct grid *g, int bottom, int col, int height, double level,
		 enum grid_role role);

/*
 * The grid as UTF-8 text: rows joined by newlines, trailing blanks removed.
 * Returns the length needed without the final 0, as snprintf does.
 */
size_t grid_to_text(const struct grid *g, char *buf, size_t size);

/* What clicks on @r mean. Glyphs and roles stay as they are. */
void grid_touch(struct grid *g, struct grid_rect r, enum grid_touch touch, unsigned number);

/*
 * A key code as the number of TOUCH_KEY, and back. Codes above the code points (ui/state.h) and
 * those below 0xff00 are kept.
 */
uint16_t grid_touch_key(unsigned key);
unsigned grid_touched_key(uint16_t number);

/* Sets the role of a run of cells without changing glyphs (selection). */
void grid_paint(struct grid *g, struct grid_rect r, enum grid_role role);

#endif
