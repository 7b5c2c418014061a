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

#include "src/text.h"
#include "ui/counters.h"
#include "ui/figure.h"
#include "ui/line.h"

/* Where the columns stand, from the pane's left edge; cells = 0: no room for it. */
struct columns {
	int core, core_cells, threads, bar, bar_cells, history, history_cells, rate, share,
		counters;
	unsigned counter_count; /* of them all, shown from field[first] on */
	unsigned first, shown;
	const struct field *field[COUNTERS_MAX];
};

enum {
	CPU_CELLS = 4,
	CORE_CELLS = 8,    /* " n0c12  " */
	NODE_CELLS = 4,    /* " n12" where counters need the room */
	THREADS_CELLS = 6, /* "×1024 " */
	RATE_CELLS = 7,
	SHARE_CELLS = 7,
	TITLE_SCALE_CELLS = 24, /* "─▸" and "  bar to 1.17M op/s ─" */
};

static bool any_crowded(const struct model *m)
{
	for (unsigned i = 0; i < m->cpu_count; i++) {
		if (m->cpu[i].threads > 1)
			return true;
	}
	return false;
}

/* Cells that bars and histories keep at least when counters want room. */
static int picture_cells(const struct ui_state *s, int cols)
{
	return s->zoomed ? 10 : cols < 120 ? 14 : cols / 3;
}

/* Counters stand at the right end, as many as leave room for @left cells of the other columns. */
static void counters_place(struct columns *c, const struct model *m, const struct ui_state *s,
			   int cols, int left)
{
	int used = 0;

	if (cols < 60)
		return;
	c->counter_count = counters_fields(m, c->field, COUNTERS_MAX);
	c->first = s->column < c->counter_count ? s->column : 0;
	/* The last cell is for the hint that there are more. */
	c->shown = counters_fit(c->field, c->counter_count, c->first, cols - left - 1, &used);
	c->counters = cols - used - (c->first + c->shown < c->counter_count);
}

static struct columns columns_make(const struct model *m, const struct ui_state *s, int cols)
{
	struct columns c = {.counters = cols};
	int at = CPU_CELLS + 1;
	int end;

	if (cols >= 60) {
		c.core = at;
		c.core_cells = m->events && cols < 100 ? NODE_CELLS : CORE_CELLS;
		at += c.core_cells;
	}
	if (any_crowded(m)) {
		c.threads = at;
		at += THREADS_CELLS;
	}
	counters_place(&c, m, s, cols, at + picture_cells(s, cols) + RATE_CELLS);
	end = c.counters;
	/* Where there are counters a share is the first to give way. */
	if (cols >= 34 && end - at - RATE_CELLS - SHARE_CELLS >=
				  (c.shown ? picture_cells(s, cols) + SHARE_CELLS : 1)) {
		c.share = end - SHARE_CELLS;
		end -= SHARE_CELLS;
	}
	c.rate = end - RATE_CELLS;
	end -= RATE_CELLS;
	c.bar = at;
	c.bar_cells = end - at - 1;
	if (cols >= 60 && c.bar_cells >= 12) {
		c.history_cells = c.bar_cells * 2 / 5;
		if (c.history_cells > MODEL_CPU_HISTORY)
			c.history_cells = MODEL_CPU_HISTORY;
		c.bar_cells -= c.history_cells + 2;
		c.history = c.bar + c.bar_cells + 2;
	}
	return c;
}

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

/* Heads of the counters; what stands beyond the edge is hinted at by the keys that go there. */
static void draw_counter_heads(struct grid *g, struct grid_rect r, const struct columns *c)
{
	int at = r.col + c->counters;

	for (unsigned i = 0; i < c->shown; i++) {
		at += 1 + (int)c->field[c->first + i]->width;
		line_head(g, r.row, at, c->field[c->first + i]->header);
	}
	if (c->shown && c->first)
		grid_put(g, r.row, r.col + c->counters, '[', ROLE_KEY);
	if (c->shown && c->first + c->shown < c->counter_count)
		grid_put(g, r.row, r.col + r.cols - 1, ']', ROLE_KEY);
}

static void draw_head(const struct model *m, const struct ui_state *s, struct grid *g,
		      struct grid_rect r, const struct columns *c, double scale)
{
	struct grid_rect rule = {.row = r.row, .col = r.col, .rows = 1, .cols = r.cols};
	unsigned page = (unsigned)(r.rows - 1);
	unsigned first = s->scroll[PANE_CPU];
	char title[96], buf[FIGURE_SIZE], span[FIGURE_SIZE];
	int used = 0;

	if (m->cpu_count > page)
		used = snprintf(title, sizeof(title), "CPU %u-%u of %u", first + 1, first + page,
				m->cpu_count);
	else
		used = snprintf(title, sizeof(title), "CPU");
	/* The title ends where the first head above a column begins. */
	rule.cols = c->history_cells ? c->history : c->rate + 1;
	if (scale > 0 && used + TITLE_SCALE_CELLS <= rule.cols)
		snprintf(title + used, sizeof(title) - (size_t)used, "  bar to %s op/s",
			 text_si(scale, buf, sizeof(buf)));
	grid_rule(g, r.row, r.col, r.cols);
	line_rule(g, rule, s->pane == PANE_CPU, title, "");
	figure_seconds((double)c->history_cells * (double)m->history_interval_s, span);
	if (c->history_cells >= (int)sizeof("12.5 s"))
		grid_printf(g, r.row, r.col + c->history, c->history_cells, ROLE_LABEL,
			    c->history_cells >= 16 ? " history %s " : " %s ", span);
	line_head(g, r.row, r.col + c->counters, c->share ? "op/s  share" : "op/s");
	draw_counter_heads(g, r, c);
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
		grid_text(g, r.row, r.col, CPU_CELLS, role, " all");
	else
		grid_printf(g, r.row, r.col, CPU_CELLS, role, "%4d", cpu->cpu);
	if (c->core && cpu->cpu < 0)
		grid_text(g, r.row, r.col + c->core, c->core_cells, ROLE_DIM,
			  c->core_cells < CORE_CELLS ? "any" : "any CPU");
	else if (c->core)
		grid_printf(g, r.row, r.col + c->core, c->core_cells - 1, ROLE_DIM,
			    c->core_cells < CORE_CELLS ? "n%d" : "n%dc%d",
			    cpu->numa_node < 0 ? 0 : cpu->numa_node, cpu->core < 0 ? 0 : cpu->core);
	if (c->threads && cpu->threads != 1)
		grid_printf(g, r.row, r.col + c->threads, THREADS_CELLS - 1, role, "×%u",
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
	grid_printf(g, r.row, r.col + c->rate, RATE_CELLS, role, "%7s",
		    text_value(cpu->ops_per_s, buf, sizeof(buf)));
	if (c->share)
		grid_printf(g, r.row, r.col + c->share, SHARE_CELLS, role, "%7s",
			    figure_percent(cpu->share, buf));
}

static void cpu_render(const struct model *m, const struct ui_state *s, struct grid *g,
		       struct grid_rect r)
{
	struct columns c = columns_make(m, s, r.cols);
	double scale = scale_of(m);
	unsigned first = s->scroll[PANE_CPU];

	if (c.bar_cells < 1 || r.rows < 2)
		return;
	draw_head(m, s, g, r, &c, scale);
	for (int i = 1; i < r.rows && first + (unsigned)i <= m->cpu_count; i++) {
		struct grid_rect row = {.row = r.row + i, .col = r.col, .rows = 1, .cols = r.cols};

		draw_row(m, &m->cpu[first + (unsigned)i - 1], g, row, &c, scale);
	}
}

const struct view_ops view_cpu = {.name = "CPU", .pane = LAYOUT_CPU, .render = cpu_render};
