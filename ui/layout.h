/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the panes go: a pure, total function of size, CPU count and what there is to show.
 *
 * Every rectangle lies inside the screen, none overlap, an absent pane has rows = 0. Title, message
 * and key lines are given up last. It does not depend on figures: panes stand still while they
 * change.
 */
#ifndef HOTLINE_UI_LAYOUT_H
#define HOTLINE_UI_LAYOUT_H

#include "ui/grid.h"

#include <stdbool.h>

enum layout_class { LAYOUT_XS, LAYOUT_S, LAYOUT_M, LAYOUT_L, LAYOUT_XL };

/* The header above, the two last lines below, all others between them. */
enum layout_pane {
	LAYOUT_HEADER,  /* 1-3 lines */
	LAYOUT_HISTORY, /* total throughput over time */
	LAYOUT_STRIP,   /* a cell a CPU */
	LAYOUT_CPU,
	LAYOUT_WAIT,
	LAYOUT_HOLD,
	LAYOUT_HEAT,     /* waits over time */
	LAYOUT_RUN,      /* run lengths */
	LAYOUT_AB,       /* A against B; one line without a rule on a small screen */
	LAYOUT_VARIANTS, /* one line; a table in XL */
	LAYOUT_MESSAGES, /* the newest messages, XL only */
	LAYOUT_KEYLIST,  /* what keys do, XL only */
	LAYOUT_MESSAGE,  /* one line */
	LAYOUT_KEYS,     /* one line */
	LAYOUT_PANES
};

struct layout {
	enum layout_class size;
	struct grid_rect pane[LAYOUT_PANES];
};

/* What there is to show; 0 = its pane is absent. */
struct layout_input {
	unsigned cols, rows;  /* 1..1000 */
	unsigned cpus;	      /* rows of the CPU table */
	unsigned strip_lines; /* of the strip in layout_strip_cols() cells */
	unsigned variants;    /* entries of the list */
	unsigned keys;	      /* lines of the list of keys */
	bool have_ab;	      /* A or B is set */
};

struct layout layout_main(const struct layout_input *in);

/* The cells that the strip of the main screen is wide. */
int layout_strip_cols(unsigned cols, unsigned rows);

/*
 * One pane, or the list of a mode, fills everything between header and message line.
 * @pane: the only body pane that is present.
 */
struct layout layout_zoom(unsigned cols, unsigned rows, enum layout_pane pane);

#endif
