/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the panes go: a pure, total function of size, CPU count and what there is to show.
 *
 * Every rectangle lies inside the screen, none overlap, an absent pane has rows = 0. Title, message
 * and key lines are given up last.
 */
#ifndef HOTLINE_UI_LAYOUT_H
#define HOTLINE_UI_LAYOUT_H

#include "ui/grid.h"

#include <stdbool.h>

enum layout_class { LAYOUT_XS, LAYOUT_S, LAYOUT_M, LAYOUT_L, LAYOUT_XL };

enum layout_pane {
	LAYOUT_HEADER,  /* 1-3 lines */
	LAYOUT_HISTORY, /* total throughput over time */
	LAYOUT_CPU,
	LAYOUT_WAIT,
	LAYOUT_HOLD,
	LAYOUT_RUN,      /* run lengths */
	LAYOUT_VARIANTS, /* one line; a table in XL */
	LAYOUT_MESSAGES, /* the newest messages, XL only */
	LAYOUT_MESSAGE,  /* one line */
	LAYOUT_KEYS,     /* one line */
	LAYOUT_PANES
};

struct layout {
	enum layout_class size;
	struct grid_rect pane[LAYOUT_PANES];
};

/* @cols, @rows: 1..1000. @cpus: rows the CPU table wants. @variants: entries of the list. */
struct layout layout_main(unsigned cols, unsigned rows, unsigned cpus, unsigned variants);

/*
 * One pane, or the list of a mode, fills everything between header and message line.
 * @pane: the only body pane that is present.
 */
struct layout layout_zoom(unsigned cols, unsigned rows, enum layout_pane pane);

#endif
