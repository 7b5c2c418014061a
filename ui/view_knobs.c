/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The knobs of the workload with their values: choose one, type, Enter starts a new trial with it
 * (k).
 */
#include "ui/views.h"

#include <inttypes.h>
#include <stdio.h>

#include "ui/line.h"

enum { NAME_CELLS = 16, VALUE_CELLS = 14, DEFAULT_CELLS = 12, DOC_ROWS = 2 };

/* What a knob accepts: "0 to 1000000 ns", "spin|adaptive|block", "text". */
static char *range_text(const struct catalog_knob *k, char *buf, unsigned size)
{
	switch (k->kind) {
	case KNOB_INT:
		snprintf(buf, size, "%" PRId64 " to %" PRId64 "%s%s", k->min, k->max,
			 *k->unit ? " " : "", k->unit);
		break;
	case KNOB_CHOICE:
		snprintf(buf, size, "%s", k->choices);
		break;
	case KNOB_TEXT:
		snprintf(buf, size, "text%s%s", *k->unit ? ", " : "", k->unit);
		break;
	}
	return buf;
}

/* What is being typed with the cursor behind it: of a long text its end, which is being written. */
static void edit_text(const struct ui_state *s, int width, char *buf, size_t size)
{
	const char *end = s->edit;
	int cells = line_cells(s->edit) + 1;
	bool cut = cells > width;

	/* A cell for the ellipsis; continuation bytes go with their first. */
	for (cells += cut; cells > width; end++)
		cells -= ((unsigned char)end[1] & 0xc0) != 0x80;
	snprintf(buf, size, "%s%s_", cut ? "…" : "", end);
}

static void draw_row(const struct model *m, const struct ui_state *s, unsigned i, struct grid *g,
		     struct grid_rect r)
{
	const struct catalog_knob *k = &m->workload->knob[i];
	bool cursor = i == s->cursor;
	enum grid_role role = ui_knob_applies(m, i) ? ROLE_TEXT : ROLE_DIM;
	int col = r.col + 2;
	char value[80], range[160];

	if (cursor && s->editing)
		edit_text(s, VALUE_CELLS - 1, value, sizeof(value));
	else
		snprintf(value, sizeof(value), "%s %s",
			 catalog_knob_value(m->workload, &m->config, k->name), k->unit);
	line_text(g, r.row, col, NAME_CELLS - 1, role, k->name);
	line_text(g, r.row, col + NAME_CELLS, VALUE_CELLS - 1,
		  cursor && s->editing ? ROLE_TEXT : ROLE_TITLE, value);
	col += NAME_CELLS + VALUE_CELLS;
	line_text(g, r.row, col, DEFAULT_CELLS - 1, role, k->def_dashboard);
	col += DEFAULT_CELLS;
	line_text(g, r.row, col, r.col + r.cols - col, role, range_text(k, range, sizeof(range)));
	if (cursor)
		grid_paint(g, r, s->editing ? ROLE_KEY : ROLE_SELECTED);
	if (cursor)
		grid_put(g, r.row, r.col, 0x25b8, ROLE_SELECTED);
	grid_touch(g, r, TOUCH_ROW, i);
}

static void draw_doc(const struct model *m, unsigned i, struct grid *g, struct grid_rect r)
{
	const struct catalog_knob *k = &m->workload->knob[i];
	char text[384];

	snprintf(text, sizeof(text), "%s: %s%s%s", k->name, k->doc, *k->only ? "  Applies to " : "",
		 k->only);
	line_wrap(g, r, 2, ROLE_TEXT, text);
}

static void knobs_render(const struct model *m, const struct ui_state *s, struct grid *g,
			 struct grid_rect r)
{
	int docs = r.rows >= 6 ? DOC_ROWS : 0;
	unsigned page = r.rows - 1 - docs > 0 ? (unsigned)(r.rows - 1 - docs) : 1;
	unsigned first = s->cursor >= page ? s->cursor - page + 1 : 0;
	unsigned count = m->workload ? m->workload->knob_count : 0;
	int col = r.col + 2 + NAME_CELLS;

	line_rule(g, r, true, "knob", "");
	grid_text(g, r.row, col, VALUE_CELLS, ROLE_LABEL, " value ");
	grid_text(g, r.row, col + VALUE_CELLS, DEFAULT_CELLS, ROLE_LABEL, " default ");
	grid_text(g, r.row, col + VALUE_CELLS + DEFAULT_CELLS,
		  r.col + r.cols - col - VALUE_CELLS - DEFAULT_CELLS, ROLE_LABEL, " accepts ");
	for (unsigned n = 0; n < page && first + n < count; n++)
		draw_row(m, s, first + n, g,
			 (struct grid_rect){r.row + 1 + (int)n, r.col, 1, r.cols});
	if (!count)
		grid_text(g, r.row + 1, r.col + 2, r.cols - 2, ROLE_DIM,
			  "this workload has no knobs");
	else if (docs)
		draw_doc(m, s->cursor < count ? s->cursor : 0, g,
			 (struct grid_rect){r.row + r.rows - docs, r.col + 1, docs, r.cols - 1});
}

const struct view_ops view_knobs = {.name = "knobs", .pane = LAYOUT_CPU, .render = knobs_render};
