/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the views wrote into the cell, and the rectangle of the layout that has it.
 */
#include "ui/hit.h"

static bool holds(struct grid_rect r, int row, int col)
{
	return row >= r.row && row < r.row + r.rows && col >= r.col && col < r.col + r.cols;
}

struct hit hit_at(const struct ui_state *s, const struct model *m, const struct grid *g,
		  unsigned row, unsigned col)
{
	struct hit h = {.touch = TOUCH_NOTHING};
	const struct grid_cell *c;
	struct layout l;

	if (row >= g->rows || col >= g->cols)
		return h;
	c = &g->cell[(size_t)row * g->cols + col];
	h.touch = (enum grid_touch)c->touch;
	h.number = h.touch == TOUCH_KEY ? grid_touched_key(c->number) : c->number;
	if (s->mode != UI_MAIN)
		return h;
	l = ui_layout(s, m);
	for (unsigned p = 0; p < PANE_COUNT && !h.in_pane; p++) {
		h.in_pane = holds(l.pane[ui_layout_pane(p)], (int)row, (int)col);
		h.pane = p;
	}
	return h;
}
