/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The workloads to choose from (w), and below them what the marked one is and does by default. Also
 * what all lists of choices share.
 */
#include "ui/views.h"

#include <stdio.h>
#include <string.h>

#include "ui/line.h"

enum { NAME_CELLS = 20, VARIANTS_CELLS = 10, THREADS_CELLS = 12 };

char *view_list_title(const struct ui_state *s, const char *noun, const struct rows *rows,
		      char *buf, size_t size)
{
	int used;

	/* Short where something is typed: heads of columns stand behind it. */
	if (s->typing == TYPING_FILTER || s->list.filter[0])
		used = snprintf(buf, size, "%u match \\%s%s", rows->count, s->list.filter,
				s->typing == TYPING_FILTER ? "_" : "");
	else
		used = snprintf(buf, size, s->typing ? "%ss" : "choose a %s", noun);
	if (s->typing == TYPING_SEARCH)
		snprintf(buf + used, size - (size_t)used, " /%s_", s->list.search);
	return buf;
}

uint32_t view_sort_mark(const struct rows_sort *sort)
{
	return sort->largest_first ? 0x25bc : 0x25b2;
}

/* "2", or "one per CPU". */
static char *threads_text(const struct catalog_workload *w, char *buf, size_t size)
{
	if (w->threads_default)
		snprintf(buf, size, "%u", w->threads_default);
	else
		snprintf(buf, size, "1 per CPU");
	return buf;
}

static void draw_row(const struct model *m, unsigned i, bool cursor, struct grid *g,
		     struct grid_rect r)
{
	const struct catalog_workload *w = &m->catalog->workload[i];
	int col = r.col + 3, end = r.col + r.cols;
	char text[24];

	if (cursor)
		grid_put(g, r.row, r.col, 0x25b8, ROLE_SELECTED);
	if (!strcmp(w->name, m->config.workload))
		grid_put(g, r.row, r.col + 1, 0x25cf, ROLE_TITLE);
	line_text(g, r.row, col, end - col < NAME_CELLS ? end - col : NAME_CELLS - 1, ROLE_TEXT,
		  w->name);
	col += NAME_CELLS;
	if (end - col >= VARIANTS_CELLS + THREADS_CELLS) {
		grid_printf(g, r.row, col, VARIANTS_CELLS - 1, ROLE_TEXT, "%8u", w->variant_count);
		col += VARIANTS_CELLS;
		grid_printf(g, r.row, col, THREADS_CELLS - 1, ROLE_TEXT, "%9s",
			    threads_text(w, text, sizeof(text)));
		col += THREADS_CELLS;
	}
	line_text(g, r.row, col, end - col, ROLE_TEXT, w->doc);
	if (cursor)
		grid_paint(g, r, ROLE_SELECTED);
}

static void draw_heads(struct grid *g, struct grid_rect r)
{
	int col = r.col + 3 + NAME_CELLS;

	if (r.cols < 3 + NAME_CELLS + VARIANTS_CELLS + THREADS_CELLS)
		return;
	line_head(g, r.row, col + 8, "variants");
	grid_put(g, r.row, col + 8, ' ', ROLE_RULE);
	line_head(g, r.row, col + VARIANTS_CELLS + 9, "threads");
	grid_put(g, r.row, col + VARIANTS_CELLS + 9, ' ', ROLE_RULE);
}

/* What the workload does, what one operation of it is, and what Enter starts. */
static void draw_doc(const struct model *m, unsigned i, struct grid *g, struct grid_rect r)
{
	const struct catalog_workload *w = &m->catalog->workload[i];
	char text[640], threads[24];

	snprintf(text, sizeof(text), "%s: %s. One operation: %s. Enter starts %s, %s thread%s%s.",
		 w->name, w->doc, w->op_doc, w->variant_count ? w->variant[0].name : "it",
		 threads_text(w, threads, sizeof(threads)), w->threads_default == 1 ? "" : "s",
		 w->place_free ? "" : ", placed by the workload itself");
	line_wrap(g, r, 2, ROLE_TEXT, text);
}

static void workloads_render(const struct model *m, const struct ui_state *s, struct grid *g,
			     struct grid_rect r)
{
	unsigned page = ui_list_page((unsigned)r.rows);
	unsigned first = ui_list_first(s, page);
	int docs = r.rows - 1 - (int)page;
	struct grid_rect row = {.row = r.row + 1, .col = r.col, .rows = 1, .cols = r.cols};
	char title[96];
	struct rows rows;

	rows_workloads(&rows, m, s->list.filter);
	line_rule(g, r, true, view_list_title(s, "workload", &rows, title, sizeof(title)), "");
	if (!s->typing)
		draw_heads(g, r);
	for (unsigned n = first; n < first + page && n < rows.count; n++, row.row++) {
		draw_row(m, rows.at[n], n == s->cursor, g, row);
		grid_touch(g, row, TOUCH_ROW, n);
	}
	if (!rows.count)
		grid_text(g, r.row + 1, r.col + 2, r.cols - 2, ROLE_WARNING,
			  "no workload has this in its name");
	else if (docs > 0 && s->cursor < rows.count)
		draw_doc(m, rows.at[s->cursor], g,
			 (struct grid_rect){r.row + r.rows - docs, r.col + 1, docs, r.cols - 1});
}

const struct view_ops view_workloads = {.name = "workload list",
					.pane = LAYOUT_CPU,
					.render = workloads_render};
