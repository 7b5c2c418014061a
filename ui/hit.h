/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a cell of the screen to its meaning: the pane it lies in, and what the views said of it.
 */
#ifndef HOTLINE_UI_HIT_H
#define HOTLINE_UI_HIT_H

#include "ui/grid.h"
#include "ui/state.h"

struct hit {
	enum grid_touch touch;
	unsigned number;   /* its row, index or key code */
	bool in_pane;	   /* of the main screen, zoomed or not */
	enum ui_pane pane; /* meaningful if in_pane */
};

/* @g: the frame that was drawn of @s and @m. A cell outside it means nothing. Pure. */
struct hit hit_at(const struct ui_state *s, const struct model *m, const struct grid *g,
		  unsigned row, unsigned col);

#endif
