/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A whole frame: which views are on the screen, and the lines between them.
 */
#include "ui/view.h"

#include <stddef.h>

#include "ui/views.h"

static const struct view_ops *const main_views[] = {
	&view_header,   &view_history, &view_strip,   &view_cpu,  &view_wait,
	&view_hold,     &view_heat,    &view_run,     &view_ab,   &view_variants,
	&view_messages, &view_keylist, &view_message, &view_keys,
};

/* What fills the body in each mode; NULL = the panes. */
static const struct view_ops *mode_view(enum ui_mode mode)
{
	switch (mode) {
	case UI_HELP:
		return &view_help;
	case UI_VARIANTS:
		return &view_variant_list;
	case UI_KNOBS:
		return &view_knobs;
	case UI_MESSAGES:
		return &view_messages;
	case UI_WORKLOADS:
		return &view_workloads;
	case UI_CPU:
		return &view_cpu_detail;
	case UI_MAIN:
	case UI_CONFIRM:
		break;
	}
	return NULL;
}

/* Where rules of panes meet a vertical line: which sides of a cell have a line. */
enum { SIDE_UP = 1, SIDE_DOWN = 2, SIDE_LEFT = 4, SIDE_RIGHT = 8 };

static uint32_t joint(unsigned sides)
{
	static const uint32_t glyph[16] = {
		[SIDE_LEFT | SIDE_RIGHT] = 0x2500,
		[SIDE_LEFT | SIDE_RIGHT | SIDE_DOWN] = 0x252c,
		[SIDE_LEFT | SIDE_RIGHT | SIDE_UP] = 0x2534,
		[SIDE_LEFT | SIDE_RIGHT | SIDE_UP | SIDE_DOWN] = 0x253c,
		[SIDE_UP | SIDE_DOWN | SIDE_RIGHT] = 0x251c,
		[SIDE_UP | SIDE_DOWN | SIDE_LEFT] = 0x2524,
		[SIDE_DOWN | SIDE_LEFT] = 0x252c,
		[SIDE_DOWN | SIDE_RIGHT] = 0x252c,
	};

	return glyph[sides] ? glyph[sides] : 0x2502;
}

/* True if some pane's rule lies in (@row, @col). */
static bool rule_at(const struct layout *l, int row, int col)
{
	for (unsigned p = LAYOUT_HISTORY; p < LAYOUT_MESSAGE; p++) {
		const struct grid_rect *r = &l->pane[p];

		if (r->rows > 1 && r->row == row && col >= r->col && col < r->col + r->cols)
			return true;
	}
	return false;
}

/* True if a pane with its left edge at @col covers @row. */
static bool edge_at(const struct layout *l, int row, int col)
{
	for (unsigned p = LAYOUT_HISTORY; p < LAYOUT_MESSAGE; p++) {
		const struct grid_rect *r = &l->pane[p];

		if (r->col == col && row >= r->row && row < r->row + r->rows)
			return true;
	}
	return false;
}

static enum grid_role role_at(const struct grid *g, int row, int col)
{
	return (enum grid_role)g->cell[(size_t)row * g->cols + (size_t)col].role;
}

/* The line at the left of a pane, from its rule down to the rule below it. */
static void frame_line(const struct layout *l, struct grid *g, struct grid_rect r)
{
	int col = r.col - 1;

	for (int row = r.row; row <= r.row + r.rows; row++) {
		unsigned sides = edge_at(l, row, r.col) ? SIDE_DOWN : 0;

		sides |= edge_at(l, row - 1, r.col) ? SIDE_UP : 0;
		sides |= rule_at(l, row, col - 1) ? SIDE_LEFT : 0;
		sides |= rule_at(l, row, col + 1) ? SIDE_RIGHT : 0;
		/* Below the pane only a bare rule is joined: its words are not cut. */
		if (row < r.row + r.rows || role_at(g, row, col) == ROLE_RULE)
			grid_put(g, row, col, joint(sides), ROLE_RULE);
	}
}

/* Vertical lines between panes that stand side by side. */
static void frame_draw(const struct layout *l, struct grid *g)
{
	for (unsigned p = LAYOUT_HISTORY; p < LAYOUT_MESSAGE; p++) {
		if (l->pane[p].rows > 0 && l->pane[p].col > 0)
			frame_line(l, g, l->pane[p]);
	}
}

void view_render(const struct model *m, const struct ui_state *s, struct grid *g)
{
	struct ui_state here = *s;
	const struct view_ops *over = mode_view(s->mode);
	struct layout l;

	/* The grid is what is drawn into: its size wins over what keys were told. */
	ui_resize(&here, g->cols, g->rows);
	l = ui_layout(&here, m);
	ui_scroll_clamp(&here, m, &l);
	grid_clear(g);
	for (size_t i = 0; i < sizeof(main_views) / sizeof(main_views[0]); i++) {
		const struct view_ops *v = main_views[i];
		struct grid_rect r = l.pane[v->pane];

		if (r.rows < 1 || (over && v->pane != LAYOUT_HEADER && v->pane < LAYOUT_MESSAGE))
			continue;
		v->render(m, &here, g, r);
	}
	if (over)
		over->render(m, &here, g, l.pane[over->pane]);
	else
		frame_draw(&l, g);
}
