/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A frame: a pure function from a finished model and the user's state to cells.
 *
 * No curses, clock, locale or global is known here.
 */
#ifndef HOTLINE_UI_VIEW_H
#define HOTLINE_UI_VIEW_H

#include "src/flow/model.h"
#include "ui/grid.h"
#include "ui/state.h"

/*
 * Draws a whole frame: clears the grid, lays out, calls the views, then overlays of the mode.
 * Total: any grid of 1x1 and more, any model with its invariants kept. Allocates nothing.
 */
void view_render(const struct model *m, const struct ui_state *s, struct grid *g);

#endif
