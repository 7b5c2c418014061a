/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that is known of one CPU: where it sits, who works on it, its throughput over time, each
 * counter with what it means or why it is missing.
 */
#include "ui/views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probes/cpulist.h"
#include "src/text.h"
#include "ui/axis.h"
#include "ui/counters.h"
#include "ui/figure.h"
#include "ui/line.h"

enum {
	GUTTER = 7,     /* "4.20M ┤" */
	TEXT_LINES = 3, /* topology, workers, figures */
	NAME_CELLS = 18,
	VALUE_CELLS = 9,
	REASON_ROWS = 3,
	NEIGHBOURS = 512, /* CPUs of a cache that are named; more are cut */
};

/* The row of the CPU, or m->cpu_count if it has no workers in this trial. */
static unsigned row_of(const struct model *m, int cpu)
{
	unsigned i = 0;

	while (i < m->cpu_count && m->cpu[i].cpu != cpu)
		i++;
	return i;
}

/* The CPUs that have the same core, or the same last-level cache, as a list. */
static char *neighbours_text(const struct topology *t, const struct topology_cpu *c, bool of_core,
			     char *buf, size_t size)
{
	int ids[NEIGHBOURS];
	unsigned n = 0;

	for (unsigned i = 0; i < t->cpu_count && n < NEIGHBOURS; i++) {
		const struct topology_cpu *o = &t->cpu[i];

		if (of_core ? o->core == c->core : o->llc == c->llc)
			ids[n++] = o->cpu;
	}
	return cpulist_format(ids, n, buf, (unsigned)size);
}

static void draw_topology(const struct model *m, int cpu, struct grid *g, struct grid_rect r)
{
	const struct topology_cpu *c = m->topology ? topology_find(m->topology, cpu) : NULL;
	char list[128];
	struct line l;

	line_start(&l);
	if (cpu < 0) {
		line_add(&l, 0, ROLE_TEXT, "threads are not pinned: the kernel places them");
	} else if (!c || c->core < 0) {
		line_add(&l, 0, ROLE_TEXT, "its place in the machine is not known");
	} else {
		line_add(&l, 0, ROLE_TEXT, "core %d", c->core);
		line_add(&l, 1, ROLE_TEXT, "package %d", c->package);
		line_add(&l, 1, ROLE_TEXT, "NUMA node %d", c->numa_node < 0 ? 0 : c->numa_node);
		line_add(&l, 2, ROLE_TEXT, "hardware thread %d of %u: CPUs %s", c->smt_rank + 1,
			 m->topology->smt_per_core,
			 neighbours_text(m->topology, c, true, list, sizeof(list)));
		if (c->llc >= 0)
			line_add(&l, 3, ROLE_TEXT, "last-level cache %d: CPUs %s", c->llc,
				 neighbours_text(m->topology, c, false, list, sizeof(list)));
		if (c->efficiency_kind >= 0)
			line_add(&l, 4, ROLE_TEXT, "kind %d (0 = most efficient)",
				 c->efficiency_kind);
		if (!c->allowed)
			line_add(&l, 1, ROLE_WARNING, "not allowed");
	}
	line_draw(&l, g, r, 3, "");
}

static void draw_workers(const struct model *m, unsigned row, struct grid *g, struct grid_rect r)
{
	const struct model_cpu *c = &m->cpu[row];
	char clock[FIGURE_SIZE];
	struct line l;

	line_start(&l);
	if (row == m->cpu_count)
		line_add(&l, 0, ROLE_WARNING, "no worker in this trial");
	else
		line_add(&l, 0, ROLE_TEXT, "%u worker thread%s %s", c->threads,
			 c->threads == 1 ? "" : "s",
			 c->cpu < 0 ? "float over the allowed CPUs" : "pinned here");
	if (row < m->cpu_count && c->offline)
		line_add(&l, 0, ROLE_WARNING, "offline since %s: they run elsewhere",
			 figure_clock(c->offline_since_s, clock));
	if (m->self_cpu >= 0 && row < m->cpu_count && m->self_cpu == c->cpu)
		line_add(&l, 1, ROLE_WARNING, "the dashboard runs here too");
	line_draw(&l, g, r, 3, "");
}

/* The highest throughput that a CPU has now; 0 if none is known. */
static double highest_now(const struct model *m)
{
	double highest = 0;

	for (unsigned i = 0; i < m->cpu_count; i++) {
		if (value_known(m->cpu[i].ops_per_s))
			highest = fmax(highest, m->cpu[i].ops_per_s.v);
	}
	return highest;
}

static void draw_figures(const struct model *m, unsigned row, struct grid *g, struct grid_rect r)
{
	const struct model_cpu *c = &m->cpu[row];
	double highest = highest_now(m);
	char buf[FIGURE_SIZE];
	struct line l;

	if (row == m->cpu_count)
		return;
	line_start(&l);
	line_add(&l, 0, ROLE_LABEL, "op/s ");
	line_join(&l, ROLE_TEXT, "%s", text_value(c->ops_per_s, buf, sizeof(buf)));
	if (!value_known(c->ops_per_s))
		line_add(&l, 1, ROLE_DIM, "%s", reason_sentence(c->ops_per_s.why));
	line_add(&l, 1, ROLE_LABEL, "share of the total ");
	line_join(&l, ROLE_TEXT, "%s", figure_percent(c->share, buf));
	if (value_known(c->ops_per_s) && c->threads > 1)
		line_add(&l, 2, ROLE_TEXT, "a worker %s",
			 text_si(c->ops_per_s.v / c->threads, buf, sizeof(buf)));
	if (value_known(c->ops_per_s) && highest > 0)
		line_add(&l, 2, ROLE_TEXT, "%s of the busiest CPU",
			 figure_percent(value_of(c->ops_per_s.v / highest), buf));
	line_draw(&l, g, r, 3, "");
}

/* Sample @back of the CPU's history, 1 = the newest; NAN if there is none. */
static double sample(const struct model *m, const struct model_cpu *c, uint64_t back)
{
	if (back > m->sample_count || back > MODEL_CPU_HISTORY)
		return NAN;
	return (double)c->history[(m->sample_count - back) % MODEL_CPU_HISTORY];
}

/* Its own scale: one CPU is looked at, the table compares. A sample is @wide cells. */
static void draw_history(const struct model *m, unsigned row, struct grid *g, struct grid_rect r)
{
	const struct model_cpu *c = &m->cpu[row];
	int height = r.rows - 1, wide = (r.cols - GUTTER) / MODEL_CPU_HISTORY;
	char title[64], label[16], span[FIGURE_SIZE];
	struct axis_scale axis;
	double highest = 0;
	int shown;

	wide = wide < 1 ? 1 : wide;
	shown = (r.cols - GUTTER) / wide;
	shown = shown > MODEL_CPU_HISTORY ? MODEL_CPU_HISTORY : shown;
	snprintf(title, sizeof(title), "op/s, last %s",
		 figure_seconds((double)shown * (double)m->history_interval_s, span));
	line_rule(g, (struct grid_rect){r.row, r.col, 1, r.cols}, false, title, "");
	for (int i = 1; i <= shown && row < m->cpu_count; i++)
		highest = fmax(highest, sample(m, c, (uint64_t)i)); /* fmax() passes NAN by */
	if (height < 1 || shown < 1)
		return;
	if (!(highest > 0)) {
		line_text(g, r.row + 1, r.col + 2, r.cols - 2, ROLE_DIM, "no samples yet");
		return;
	}
	axis = axis_scale_make(highest, height);
	for (int i = 0; i < height; i++) {
		axis_scale_label(&axis, i, label, sizeof(label));
		grid_printf(g, r.row + height - i, r.col, GUTTER - 2, ROLE_DIM, "%5s", label);
		grid_put(g, r.row + height - i, r.col + GUTTER - 1, *label ? 0x2524 : 0x2502,
			 ROLE_RULE);
	}
	for (int i = 0; i < shown * wide; i++)
		grid_column(g, r.row + height, r.col + r.cols - 1 - i, height,
			    sample(m, c, (uint64_t)(i / wide) + 1) / axis.top, ROLE_BAR);
}

/* What a line about a counter says: its value, and what it is or why it is missing. */
struct counter_line {
	struct value value;
	char text[512];
};

/* A reason that a counter before has had is told by that one's name: @first of the lines shown. */
static void counter_line_make(const struct model *m, const struct field *const *field, unsigned i,
			      unsigned first, unsigned row, struct counter_line *out)
{
	struct field_input in = {m->machine, &m->live, row};
	struct field_cell cell;
	char other[sizeof(out->text)];

	field_get(field[i], &in, &cell);
	out->value = cell.value;
	if (out->value.why == WHY_OK) {
		snprintf(out->text, sizeof(out->text), "%s", field[i]->doc);
		return;
	}
	counters_reason(m, field[i], cell.value.why, out->text, sizeof(out->text));
	for (unsigned k = first; k < i; k++) {
		field_get(field[k], &in, &cell);
		if (cell.value.why != out->value.why)
			continue;
		counters_reason(m, field[k], cell.value.why, other, sizeof(other));
		if (strcmp(other, out->text) != 0)
			continue;
		snprintf(out->text, sizeof(out->text), "as %s", field[k]->header);
		return;
	}
}

/* The rows a line takes in a pane of @cols cells, REASON_ROWS at most: breaks cost a word a row. */
static int counter_rows(const struct counter_line *l, int cols)
{
	int width = cols - NAME_CELLS - VALUE_CELLS - 2, cells = line_cells(l->text);
	int rows = width > 16 && cells > width ? 1 + (cells - 1) / (width - 12) : 1;

	return rows < REASON_ROWS ? rows : REASON_ROWS;
}

static int draw_counter(const struct counter_line *l, const struct field *f, struct grid *g,
			struct grid_rect r)
{
	enum grid_role role = l->value.why == WHY_OK ? ROLE_TEXT : ROLE_DIM;
	int col = NAME_CELLS + VALUE_CELLS + 2, rows = counter_rows(l, r.cols), used;
	char buf[FIGURE_SIZE];

	line_text(g, r.row, r.col + 1, NAME_CELLS - 2, ROLE_TEXT, f->header);
	grid_printf(g, r.row, r.col + NAME_CELLS, VALUE_CELLS, role, "%*s", VALUE_CELLS,
		    text_value(l->value, buf, sizeof(buf)));
	used = line_wrap(g,
			 (struct grid_rect){r.row, r.col + col, rows < r.rows ? rows : r.rows,
					    r.cols - col},
			 0, ROLE_DIM, l->text);
	return used > 0 ? used : 1;
}

/* The rows that all counters take. */
static int counters_rows(const struct model *m, unsigned row, int cols)
{
	const struct field *field[COUNTERS_MAX];
	unsigned n = counters_fields(m, field, COUNTERS_MAX);
	struct counter_line l;
	int rows = 0;

	if (!n || row >= m->live.cpu_count)
		return 1;
	for (unsigned i = 0; i < n; i++) {
		counter_line_make(m, field, i, 0, row, &l);
		rows += counter_rows(&l, cols);
	}
	return rows;
}

static void draw_counters(const struct model *m, const struct ui_state *s, unsigned row,
			  struct grid *g, struct grid_rect r, bool scrolls)
{
	const struct field *field[COUNTERS_MAX];
	unsigned n = counters_fields(m, field, COUNTERS_MAX), i;
	unsigned first = scrolls && s->top < n ? s->top : 0;
	struct grid_rect line = {r.row + 1, r.col, r.rows - 1, r.cols};
	struct counter_line l;
	char note[48] = "";

	if (r.rows < 1)
		return;
	for (i = first; row < m->live.cpu_count && i < n && line.rows > 0; i++) {
		int used;

		counter_line_make(m, field, i, first, row, &l);
		used = draw_counter(&l, field[i], g, line);
		line.row += used;
		line.rows -= used;
	}
	if (i == first && line.rows > 0)
		line_text(g, line.row, r.col + 2, r.cols - 2, ROLE_DIM,
			  n ? "nothing is counted here" : "no counters were asked for");
	else if (scrolls)
		snprintf(note, sizeof(note), "%u-%u of %u, [ ] scroll", first + 1, i, n);
	line_rule(g, (struct grid_rect){r.row, r.col, 1, r.cols}, false, "counters", note);
}

static void detail_title(const struct model *m, const struct ui_state *s, struct grid *g,
			 struct grid_rect r)
{
	char title[32] = "unpinned threads", note[64] = "";
	struct rows rows;

	rows_cpus(&rows, m, s->sort[ROWS_CPUS].id, s->cpus.filter);
	if (s->cpu >= 0)
		snprintf(title, sizeof(title), "CPU %d", s->cpu);
	for (unsigned i = 0; i < rows.count; i++) {
		if (m->cpu[rows.at[i]].cpu == s->cpu)
			snprintf(note, sizeof(note), "%u of %u, ↑↓ others", i + 1, rows.count);
	}
	line_rule(g, r, true, title, note);
}

static void detail_render(const struct model *m, const struct ui_state *s, struct grid *g,
			  struct grid_rect r)
{
	unsigned row = row_of(m, s->cpu);
	int end = r.row + r.rows, counters = 1 + counters_rows(m, row, r.cols);
	int chart = r.rows - 1 - TEXT_LINES - 1 - counters;
	struct grid_rect line = {.row = r.row + 1, .col = r.col + 1, .rows = 1, .cols = r.cols - 1};

	detail_title(m, s, g, r);
	if (r.rows < 2 || r.cols <= GUTTER + 1)
		return;
	draw_topology(m, s->cpu, g, line);
	if (++line.row < end)
		draw_workers(m, row, g, line);
	if (++line.row < end)
		draw_figures(m, row, g, line);
	/* Counters scroll where there is no room, the history keeps a quarter. */
	if (chart < 3 || chart < r.rows / 4)
		chart = r.rows < 16 ? 3 : r.rows / 4;
	if (++line.row + chart >= end)
		chart = end - line.row - 1;
	if (chart < 1)
		return;
	draw_history(m, row, g, (struct grid_rect){line.row, r.col, chart + 1, r.cols});
	line.row += chart + 1;
	draw_counters(m, s, row, g, (struct grid_rect){line.row, r.col, end - line.row, r.cols},
		      end - line.row < counters);
}

const struct view_ops view_cpu_detail = {.name = "CPU detail",
					 .pane = LAYOUT_CPU,
					 .render = detail_render};
