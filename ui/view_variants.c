/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The variants of the workload: one line of keys, a table of the latest results, or a list to
 * choose from (v).
 */
#include "ui/views.h"

#include <stdio.h>
#include <string.h>

#include "src/text.h"
#include "ui/figure.h"
#include "ui/line.h"

enum { NAME_CELLS = 22, FIGURE_CELLS = 9 };

bool view_variant_is_current(const struct model *m, const struct model_variant *v)
{
	return !strcmp(v->info->name, m->config.variant);
}

const char *view_variant_note(const struct catalog_variant *v)
{
	return v->excludes ? "" : " (no exclusion)";
}

/* The key of variant @i as text, "" beyond the ninth. */
static const char *key_text(unsigned i)
{
	static const char *const keys[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};

	return i < 9 ? keys[i] : "";
}

/* "▸3 mcs", "4 clh": role by what it is. Returns the cells taken, drawn only if @draw. */
static int line_entry(const struct model *m, unsigned i, struct grid *g, int row, int col)
{
	const struct model_variant *v = &m->variant[i];
	bool current = view_variant_is_current(m, v);
	enum grid_role role = !v->info->supported ? ROLE_DIM : current ? ROLE_SELECTED : ROLE_TEXT;
	const char *key = key_text(i);
	int at = col;

	if (current)
		grid_put(g, row, at++, 0x25b8, ROLE_SELECTED);
	if (*key)
		at += grid_text(g, row, at, 1, current ? ROLE_SELECTED : ROLE_KEY, key) + 1;
	at += grid_text(g, row, at, NAME_CELLS, role, v->info->name);
	if (!v->info->excludes)
		at += grid_text(g, row, at, 16, ROLE_WARNING, view_variant_note(v->info));
	grid_touch(g, (struct grid_rect){row, col, 1, at - col}, TOUCH_VARIANT, i);
	return at - col;
}

static int entry_cells(const struct model *m, unsigned i)
{
	const struct model_variant *v = &m->variant[i];

	return line_cells(v->info->name) + line_cells(view_variant_note(v->info)) +
	       (view_variant_is_current(m, v) ? 1 : 0) + (*key_text(i) ? 2 : 0);
}

/* As many entries as fit; the running one is always among them, what is left out is counted. */
static void draw_line(const struct model *m, struct grid *g, struct grid_rect r)
{
	int gap = r.cols >= 120 ? 2 : 1;
	int col = 0;
	unsigned current = 0, fit = 0;
	int cells = 0, tail;

	while (current < m->variant_count && !view_variant_is_current(m, &m->variant[current]))
		current++;
	for (unsigned i = 0; i < m->variant_count; i++)
		cells += entry_cells(m, i) + (i ? gap : 0);
	tail = cells > r.cols ? 10 : 0; /* "  v 12 all" */
	if (tail && current < m->variant_count)
		tail += entry_cells(m, current) + gap;
	for (cells = 0; fit < m->variant_count; fit++) {
		cells += entry_cells(m, fit) + (fit ? gap : 0);
		if (cells > r.cols - tail)
			break;
	}
	for (unsigned i = 0; i < fit; i++)
		col += line_entry(m, i, g, r.row, r.col + col) + gap;
	if (fit == m->variant_count)
		return;
	if (r.cols < 8)
		return;
	if (current >= fit && current < m->variant_count)
		col += line_entry(m, current, g, r.row, r.col + col) + gap;
	grid_put(g, r.row, r.col + r.cols - 8, 'v', ROLE_KEY);
	grid_printf(g, r.row, r.col + r.cols - 6, 6, ROLE_TEXT, "all %2u", m->variant_count);
	grid_touch(g, (struct grid_rect){r.row, r.col + r.cols - 8, 1, 8}, TOUCH_KEY,
		   grid_touch_key('v'));
}

/* When a variant's result is from. */
static char *age_text(const struct model *m, const struct model_variant *v, char *buf,
		      unsigned size)
{
	char clock[FIGURE_SIZE];

	if (view_variant_is_current(m, v) && m->state == MODEL_RUNNING)
		snprintf(buf, size, "live");
	else if (v->ended_at_s < 0)
		snprintf(buf, size, "not run");
	else
		snprintf(buf, size, "%s", figure_clock(m->now_s - v->ended_at_s, clock));
	return buf;
}

/* Columns that fit @cols, most wanted first: op/s, p50, p99, fair, age. */
static unsigned columns_shown(int cols)
{
	int room = (cols - 5 - NAME_CELLS) / FIGURE_CELLS;

	return room < 0 ? 0 : room > 5 ? 5 : (unsigned)room;
}

static void draw_heads(const struct model *m, const struct ui_state *s, struct grid *g,
		       struct grid_rect r)
{
	static const struct {
		const char *head, *id; /* of the sort column */
	} columns[] = {
		{"op/s", "ops_per_s"},     {"wait p50", ""}, {"wait p99", "wait_p99_ns"},
		{"fair", "fairness_jain"}, {"age", ""},
	};
	int end = r.col + 5 + NAME_CELLS;
	struct rows_sort sort;
	bool sorted = rows_sort_find(m, ROWS_VARIANTS, s->sort[ROWS_VARIANTS].id, &sort);

	for (unsigned i = 0; i < columns_shown(r.cols); i++) {
		end += FIGURE_CELLS;
		line_head(g, r.row, end, columns[i].head);
		if (end < r.col + r.cols)
			grid_put(g, r.row, end, ' ', ROLE_RULE);
		if (sorted && !strcmp(sort.id, columns[i].id))
			grid_put(g, r.row, end - line_cells(columns[i].head) - 1,
				 view_sort_mark(&sort), ROLE_KEY);
	}
}

static void draw_row(const struct model *m, unsigned i, bool cursor, struct grid *g,
		     struct grid_rect r)
{
	const struct model_variant *v = &m->variant[i];
	bool current = view_variant_is_current(m, v);
	enum grid_role role = v->info->supported ? ROLE_TEXT : ROLE_DIM;
	unsigned shown = columns_shown(r.cols);
	int col = r.col + 5 + NAME_CELLS;
	int name_cells = r.cols - 5 < NAME_CELLS ? r.cols - 5 : NAME_CELLS;
	const struct rows_variant f = rows_variant_figures(m, v);
	char text[5][FIGURE_SIZE];
	int used;

	if (name_cells < 1) {
		line_text(g, r.row, r.col, r.cols, role, v->info->name);
		return;
	}
	text_value(f.ops_per_s, text[0], FIGURE_SIZE);
	text_value_ns(f.wait_p50_ns, false, text[1], FIGURE_SIZE);
	text_value_ns(f.wait_p99_ns, false, text[2], FIGURE_SIZE);
	text_value(f.fairness, text[3], FIGURE_SIZE);
	age_text(m, v, text[4], FIGURE_SIZE);
	if (cursor)
		grid_put(g, r.row, r.col, 0x25b8, ROLE_SELECTED);
	if (current)
		grid_put(g, r.row, r.col + 1, 0x25cf, ROLE_TITLE);
	grid_text(g, r.row, r.col + 3, 1, ROLE_KEY, key_text(i));
	used = line_text(g, r.row, r.col + 5, name_cells, current ? ROLE_TITLE : role,
			 v->info->name);
	line_text(g, r.row, r.col + 5 + used, name_cells - used, ROLE_WARNING,
		  view_variant_note(v->info));
	if (!v->info->supported) {
		line_text(g, r.row, col + 1, r.col + r.cols - col - 1, ROLE_DIM, v->info->why);
	} else {
		for (unsigned k = 0; k < shown; k++, col += FIGURE_CELLS)
			/* "µ" is two bytes: pad by cells, not by printf. */
			grid_text(g, r.row, col + FIGURE_CELLS - line_cells(text[k]), FIGURE_CELLS,
				  role, text[k]);
		if (r.cols - (col - r.col) > 24)
			line_text(g, r.row, col + 2, r.col + r.cols - col - 2, ROLE_DIM,
				  v->info->doc);
	}
	if (cursor)
		grid_paint(g, r, ROLE_SELECTED);
}

/* What a variant is, and why it cannot run here if so. */
static void draw_doc(const struct model *m, unsigned i, struct grid *g, struct grid_rect r)
{
	const struct catalog_variant *v = m->variant[i].info;
	char text[512];

	snprintf(text, sizeof(text), "%s: %s%s%s%s", v->name, v->doc,
		 v->excludes ? "" : " Does not exclude: it measures the harness.",
		 v->supported ? "" : " Not here: ", v->supported ? "" : v->why);
	line_wrap(g, r, 2, ROLE_TEXT, text);
}

static void variants_render(const struct model *m, const struct ui_state *s, struct grid *g,
			    struct grid_rect r)
{
	unsigned first = s->scroll[PANE_VARIANTS];
	int docs = r.rows - 1 > (int)m->variant_count ? r.rows - 1 - (int)m->variant_count : 0;
	struct grid_rect row = {.row = r.row + 1, .col = r.col, .rows = 1, .cols = r.cols};
	char title[64];
	struct rows rows;

	if (r.rows == 1) {
		draw_line(m, g, r);
		return;
	}
	if ((int)m->variant_count > r.rows - 1)
		snprintf(title, sizeof(title), "variants %u-%u of %u", first + 1,
			 first + (unsigned)r.rows - 1, m->variant_count);
	else
		snprintf(title, sizeof(title), "variants, latest");
	line_rule(g, r, s->pane == PANE_VARIANTS, title, "");
	draw_heads(m, s, g, r);
	rows_variants(&rows, m, s->sort[ROWS_VARIANTS].id, "");
	for (unsigned n = first; n < rows.count && row.row < r.row + r.rows; n++, row.row++) {
		draw_row(m, rows.at[n], false, g, row);
		grid_touch(g, row, TOUCH_VARIANT, rows.at[n]);
	}
	for (unsigned i = 0; i < m->variant_count && docs > 0; i++) {
		if (view_variant_is_current(m, &m->variant[i]))
			draw_doc(m, i, g, (struct grid_rect){row.row, r.col + 1, docs, r.cols - 1});
	}
}

const struct view_ops view_variants = {.name = "variants",
				       .pane = LAYOUT_VARIANTS,
				       .render = variants_render};

static void list_render(const struct model *m, const struct ui_state *s, struct grid *g,
			struct grid_rect r)
{
	unsigned page = ui_list_page((unsigned)r.rows);
	unsigned first = ui_list_first(s, page);
	int docs = r.rows - 1 - (int)page;
	struct grid_rect row = {.row = r.row + 1, .col = r.col, .rows = 1, .cols = r.cols};
	char title[96];
	struct rows rows;

	rows_variants(&rows, m, s->sort[ROWS_VARIANTS].id, s->list.filter);
	line_rule(g, r, true, view_list_title(s, "variant", &rows, title, sizeof(title)), "");
	draw_heads(m, s, g, r);
	for (unsigned n = first; n < first + page && n < rows.count; n++, row.row++) {
		draw_row(m, rows.at[n], n == s->cursor, g, row);
		grid_touch(g, row, TOUCH_ROW, n);
	}
	if (!rows.count)
		grid_text(g, r.row + 1, r.col + 2, r.cols - 2, ROLE_WARNING,
			  "no variant has this in its name");
	else if (docs > 0 && s->cursor < rows.count)
		draw_doc(m, rows.at[s->cursor], g,
			 (struct grid_rect){r.row + r.rows - docs, r.col + 1, docs, r.cols - 1});
}

const struct view_ops view_variant_list = {.name = "variant list",
					   .pane = LAYOUT_VARIANTS,
					   .render = list_render};
