/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A row a CPU: its workers' throughput as a bar, over time, as a figure and as a share of the
 * total, and what the counters say.
 *
 * All bars and histories have one scale, the highest sample that is kept: rows can be compared.
 */
#include "ui/views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/text.h"
#include "ui/columns.h"
#include "ui/figure.h"
#include "ui/line.h"

enum { TITLE_SCALE_CELLS = 24 /* "─▸" and "  bar to 1.17M op/s ─" */ };

/* The highest throughput of a CPU that is now or in the history; 0 if none is known. */
static double scale_of(const struct model *m)
{
	float top = 0;

	for (unsigned i = 0; i < m->cpu_count; i++) {
		const struct model_cpu *c = &m->cpu[i];

		if (value_known(c->ops_per_s) && c->ops_per_s.v > (double)top)
			top = (float)c->ops_per_s.v;
		for (unsigned k = 0; k < MODEL_CPU_HISTORY && k < m->sample_count; k++)
			top = c->history[k] > top ? c->history[k] : top;
	}
	return (double)top;
}

/* The column the table is sorted by; false if it is in placement order. */
static bool sort_of(const struct model *m, const struct ui_state *s, struct rows_sort *sort)
{
	return rows_sort_find(m, ROWS_CPUS, s->sort[ROWS_CPUS].id, sort);
}

/* The head of a column, with the sort mark in the blank in front of it. */
static void draw_column_head(const struct model *m, const struct ui_state *s, struct grid *g,
			     int row, int end, const char *id, const char *text)
{
	struct rows_sort sort;

	line_head(g, row, end, text);
	if (sort_of(m, s, &sort) && !strcmp(sort.id, id))
		grid_put(g, row, end - line_cells(text) - 1, view_sort_mark(&sort), ROLE_KEY);
}

/* Heads of the counters; what stands beyond the edge is hinted at by the keys that go there. */
static void draw_counter_heads(const struct model *m, const struct ui_state *s, struct grid *g,
			       struct grid_rect r, const struct columns *c)
{
	int at = r.col + c->counters;

	for (unsigned i = 0; i < c->shown; i++) {
		at += 1 + (int)c->field[c->first + i]->width;
		draw_column_head(m, s, g, r.row, at, c->field[c->first + i]->id,
				 c->field[c->first + i]->header);
	}
	if (c->shown && c->first)
		grid_put(g, r.row, r.col + c->counters, '[', ROLE_KEY);
	if (c->shown && c->first + c->shown < c->counter_count)
		grid_put(g, r.row, r.col + r.cols - 1, ']', ROLE_KEY);
}

static bool title_is_typed(const struct ui_state *s)
{
	return s->typing || s->cpus.filter[0] || s->cpus.search[0];
}

/* "CPU 1-7 of 16", or what the filter leaves of it: "CPU 3 of 64 match \\n1". Returns its cells. */
static int title_format(const struct model *m, const struct ui_state *s, const struct rows *rows,
			unsigned page, char *buf, size_t size)
{
	bool filtering = s->typing == TYPING_FILTER || s->cpus.filter[0];
	bool searching = s->typing == TYPING_SEARCH || s->cpus.search[0];
	unsigned first = s->scroll[PANE_CPU];
	struct rows_sort sort;
	bool by_id = sort_of(m, s, &sort) && !strcmp(sort.id, "cpu");
	int used = snprintf(buf, size, "CPU%s", by_id ? " ▲" : "");

	if (filtering)
		used += snprintf(buf + used, size - (size_t)used, " %u of %u match \\%s%s",
				 rows->count, m->cpu_count, s->cpus.filter,
				 s->typing == TYPING_FILTER ? "_" : "");
	else if (rows->count > page)
		used += snprintf(buf + used, size - (size_t)used, " %u-%u of %u", first + 1,
				 first + page, rows->count);
	if (searching)
		snprintf(buf + used, size - (size_t)used, "  /%s%s", s->cpus.search,
			 s->typing == TYPING_SEARCH ? "_" : "");
	return line_cells(buf);
}

static void draw_head(const struct model *m, const struct ui_state *s, const struct rows *rows,
		      struct grid *g, struct grid_rect r, const struct columns *c, double scale)
{
	struct grid_rect rule = {.row = r.row, .col = r.col, .rows = 1, .cols = r.cols};
	char title[160], buf[FIGURE_SIZE], span[FIGURE_SIZE];
	int used = title_format(m, s, rows, (unsigned)(r.rows - 1), title, sizeof(title));
	int rate_end = r.col + c->rate + COLUMNS_RATE_CELLS;

	/* The title ends where the first head above a column begins; what is typed wins over it. */
	rule.cols = c->history_cells && !title_is_typed(s) ? c->history : c->rate + 1;
	if (scale > 0 && used + TITLE_SCALE_CELLS <= rule.cols)
		snprintf(title + strlen(title), sizeof(title) - strlen(title), "  bar to %s op/s",
			 text_si(scale, buf, sizeof(buf)));
	grid_rule(g, r.row, r.col, r.cols);
	line_rule(g, rule, s->pane == PANE_CPU, title, "");
	figure_seconds((double)c->history_cells * (double)m->history_interval_s, span);
	if (c->history_cells >= (int)sizeof("12.5 s") && !title_is_typed(s))
		grid_printf(g, r.row, r.col + c->history, c->history_cells, ROLE_LABEL,
			    c->history_cells >= 16 ? " history %s " : " %s ", span);
	if (c->share) {
		line_head(g, r.row, rate_end + COLUMNS_SHARE_CELLS, "share");
		grid_put(g, r.row, rate_end, ' ', ROLE_RULE);
	}
	draw_column_head(m, s, g, r.row, rate_end, "ops_per_s", "op/s");
	draw_counter_heads(m, s, g, r, c);
}

static void draw_history(const struct model *m, const struct model_cpu *cpu, struct grid *g,
			 int row, int col, int cells, double scale)
{
	for (int i = 0; i < cells; i++) {
		uint64_t back = (uint64_t)(cells - i);
		float v = NAN;

		if (back <= m->sample_count)
			v = cpu->history[(m->sample_count - back) % MODEL_CPU_HISTORY];
		grid_spark(g, row, col + i, (double)v / scale, ROLE_BAR);
	}
}

static void draw_counters(const struct model *m, unsigned row, struct grid *g, struct grid_rect r,
			  const struct columns *c)
{
	struct field_input in = {m->machine, &m->live, row};
	int at = r.col + c->counters;

	for (unsigned i = 0; i < c->shown; i++) {
		const struct field *f = c->field[c->first + i];
		struct field_cell cell;
		char buf[FIGURE_SIZE];

		field_get(f, &in, &cell);
		grid_printf(g, r.row, at + 1, (int)f->width,
			    value_known(cell.value) ? ROLE_TEXT : ROLE_DIM, "%*s", (int)f->width,
			    text_value(cell.value, buf, sizeof(buf)));
		at += 1 + (int)f->width;
	}
}

static void draw_row(const struct model *m, const struct model_cpu *cpu, struct grid *g,
		     struct grid_rect r, const struct columns *c, double scale)
{
	bool known = value_known(cpu->ops_per_s);
	enum grid_role role = known ? ROLE_TEXT : ROLE_DIM;
	char buf[FIGURE_SIZE];

	if (cpu->cpu < 0)
		grid_text(g, r.row, r.col, COLUMNS_CPU_CELLS, role, " all");
	else
		grid_printf(g, r.row, r.col, COLUMNS_CPU_CELLS, role, "%4d", cpu->cpu);
	if (c->core && cpu->cpu < 0)
		grid_text(g, r.row, r.col + c->core, c->core_cells, ROLE_DIM,
			  c->core_cells < COLUMNS_CORE_CELLS ? "any" : "any CPU");
	else if (c->core)
		grid_printf(g, r.row, r.col + c->core, c->core_cells - 1, ROLE_DIM,
			    c->core_cells < COLUMNS_CORE_CELLS ? "n%d" : "n%dc%d",
			    cpu->numa_node < 0 ? 0 : cpu->numa_node, cpu->core < 0 ? 0 : cpu->core);
	if (c->threads && cpu->threads != 1)
		grid_printf(g, r.row, r.col + c->threads, COLUMNS_THREADS_CELLS - 1, role, "×%u",
			    cpu->threads);
	if (!known)
		line_text(g, r.row, r.col + c->bar, c->rate - c->bar - 1, ROLE_DIM,
			  reason_sentence(cpu->ops_per_s.why));
	else if (scale > 0)
		grid_bar(g, r.row, r.col + c->bar, c->bar_cells, cpu->ops_per_s.v / scale,
			 ROLE_BAR);
	if (known && scale > 0)
		draw_history(m, cpu, g, r.row, r.col + c->history, c->history_cells, scale);
	draw_counters(m, (unsigned)(cpu - m->cpu), g, r, c);
	grid_printf(g, r.row, r.col + c->rate, COLUMNS_RATE_CELLS, role, "%7s",
		    text_value(cpu->ops_per_s, buf, sizeof(buf)));
	if (c->share)
		grid_printf(g, r.row, r.col + c->share, COLUMNS_SHARE_CELLS, role, "%7s",
			    figure_percent(cpu->share, buf));
}

/* The row that arrows move and Enter enters. */
static void draw_mark(struct grid *g, int row, int col)
{
	const struct grid_cell *c = &g->cell[(size_t)row * g->cols + (size_t)col];

	/* Ids of four digits leave no room for a glyph. */
	if (!c->glyph || c->glyph == ' ')
		grid_put(g, row, col, 0x25b8, ROLE_SELECTED);
	grid_paint(g, (struct grid_rect){row, col, 1, COLUMNS_CPU_CELLS}, ROLE_SELECTED);
}

static void cpu_render(const struct model *m, const struct ui_state *s, struct grid *g,
		       struct grid_rect r)
{
	struct columns c = columns_make(m, s, r.cols);
	double scale = scale_of(m);
	unsigned first = s->scroll[PANE_CPU];
	struct rows rows;

	if (c.bar_cells < 1 || r.rows < 2)
		return;
	rows_cpus(&rows, m, s->sort[ROWS_CPUS].id, s->cpus.filter);
	draw_head(m, s, &rows, g, r, &c, scale);
	for (int i = 1; i < r.rows && first + (unsigned)i <= rows.count; i++) {
		struct grid_rect row = {.row = r.row + i, .col = r.col, .rows = 1, .cols = r.cols};
		unsigned nth = first + (unsigned)i - 1;

		draw_row(m, &m->cpu[rows.at[nth]], g, row, &c, scale);
		if (s->pane == PANE_CPU && nth == s->row)
			draw_mark(g, row.row, row.col);
		grid_touch(g, row, TOUCH_ROW, nth);
	}
	if (!rows.count && m->cpu_count)
		line_text(g, r.row + 1, r.col + 2, r.cols - 2, ROLE_WARNING,
			  "no CPU matches: 12, 2-5, n1, c12, p0 would; Esc shows all");
}

const struct view_ops view_cpu = {.name = "CPU", .pane = LAYOUT_CPU, .render = cpu_render};
