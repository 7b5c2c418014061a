/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A row a CPU: its workers' throughput as a bar, over time, as a figure and as a share of the
 * total.
 *
 * All bars and histories have one scale, the highest sample that is kept: rows can be compared.
 */
#include "ui/views.h"

#include <math.h>
#include <stdio.h>

#include "src/text.h"
#include "ui/figure.h"
#include "ui/line.h"

/* Where the columns stand, from the pane's left edge; cells = 0: no room for it. */
struct columns {
	int core, threads, bar, bar_cells, history, history_cells, rate, share;
};

enum {
	CPU_CELLS = 4,
	CORE_CELLS = 8,    /* " n0c12  " */
	THREADS_CELLS = 4, /* "×12 " */
	RATE_CELLS = 7,
	SHARE_CELLS = 7,
};

static bool any_crowded(const struct model *m)
{
	for (unsigned i = 0; i < m->cpu_count; i++) {
		if (m->cpu[i].threads > 1)
			return true;
	}
	return false;
}

static struct columns columns_make(const struct model *m, int cols)
{
	struct columns c = {0};
	int at = CPU_CELLS + 1;
	int end = cols;

	if (cols >= 60) {
		c.core = at;
		at += CORE_CELLS;
	}
	if (any_crowded(m)) {
		c.threads = at;
		at += THREADS_CELLS;
	}
	if (cols >= 34) {
		c.share = end - SHARE_CELLS;
		end -= SHARE_CELLS;
	}
	c.rate = end - RATE_CELLS;
	end -= RATE_CELLS;
	c.bar = at;
	c.bar_cells = end - at - 1;
	if (cols >= 60) {
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
	if (scale > 0)
		snprintf(title + used, sizeof(title) - (size_t)used, "  bar to %s op/s",
			 text_si(scale, buf, sizeof(buf)));
	grid_rule(g, r.row, r.col, r.cols);
	/* The title ends where the first head above a column begins. */
	rule.cols = c->history_cells ? c->history : c->rate + 1;
	line_rule(g, rule, s->pane == PANE_CPU, title, "");
	figure_seconds((double)c->history_cells * (double)m->history_interval_s, span);
	if (c->history_cells)
		grid_printf(g, r.row, r.col + c->history, c->history_cells, ROLE_LABEL,
			    c->history_cells >= 16 ? " history %s " : " %s ", span);
	line_head(g, r.row, r.col + r.cols, c->share ? "op/s  share" : "op/s");
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
		grid_text(g, r.row, r.col + c->core, CORE_CELLS, ROLE_DIM, "unpinned");
	else if (c->core)
		grid_printf(g, r.row, r.col + c->core, CORE_CELLS - 1, ROLE_DIM, "n%dc%d",
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
	grid_printf(g, r.row, r.col + c->rate, RATE_CELLS, role, "%7s",
		    text_value(cpu->ops_per_s, buf, sizeof(buf)));
	if (c->share)
		grid_printf(g, r.row, r.col + c->share, SHARE_CELLS, role, "%7s",
			    figure_percent(cpu->share, buf));
}

static void cpu_render(const struct model *m, const struct ui_state *s, struct grid *g,
		       struct grid_rect r)
{
	struct columns c = columns_make(m, r.cols);
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
