/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distributions of the running trial: wait, hold and run lengths, each as a histogram over a log2
 * axis with log10 counts (one wait of a millisecond among a million stays visible), and as
 * percentiles in figures, since columns alone cannot give numbers.
 */
#include "ui/views.h"

#include <math.h>
#include <stdio.h>

#include "src/text.h"
#include "ui/axis.h"
#include "ui/figure.h"
#include "ui/line.h"

enum {
	CHART_MIN_ROWS = 5, /* rule, one row of columns, axis, percentiles; and one to breathe */
	WIDE = 56,          /* from here on with count labels and longer words */
	GUTTER = 6,         /* "100k ┤" */
	TIME_OCTAVE = 4,    /* 16 ns */
	TIME_OCTAVES = 18,  /* to 4 ms, further if need be */
	RUN_OCTAVES = 16,   /* 1 to 64k operations */
};

/* One pane's subject. */
struct subject {
	const char *name, *role_name; /* role_name "" if the workload has only one lock */
	bool is_time;
	const struct model_dist *dist;
	enum ui_pane pane;
	enum grid_role role;
};

/* Axis label of 2^octave: "16", "1µ", "4m"; for operations "16", "1k", "4M". */
static char *octave_label(int octave, bool is_time, char buf[8])
{
	static const char *const time_unit[] = {"", "µ", "m", "s"};
	static const char *const ops_unit[] = {"", "k", "M", "G"};
	int unit = octave / 10;

	if (octave < 0 || unit > 3)
		buf[0] = '\0';
	else
		snprintf(buf, 8, "%d%s", 1 << (octave % 10),
			 (is_time ? time_unit : ops_unit)[unit]);
	return buf;
}

static void draw_axis(struct grid *g, int row, int col, const struct axis *a, bool is_time)
{
	int step =
		a->per_octave < 8 ? 2 : 1; /* octaves a label: "128k" needs more than four cells */
	int room = step * a->per_octave;
	char label[8];

	for (int i = 0; i < a->cells; i += room) {
		octave_label(a->octave + i / a->per_octave, is_time, label);
		/* A label that would touch the next one is left out, as is one past the edge. */
		if (line_cells(label) < room && i + line_cells(label) <= a->cells)
			grid_text(g, row, col + i, room, ROLE_DIM, label);
	}
}

/* Height of a count in a chart whose top is @peak, 0..1. */
static double level_of(uint64_t count, uint64_t peak)
{
	double decades = log10((double)peak);

	if (!count)
		return 0;
	return fmax(log10((double)count) / (decades < 1 ? 1 : decades), 0.001);
}

/* Powers of ten at the left edge, in the row that such a count reaches. */
static void draw_counts(struct grid *g, int bottom, int col, int height, uint64_t peak)
{
	int last = 0;
	double count = 1;
	char buf[16];

	for (int i = 0; i < height; i++)
		grid_put(g, bottom - i, col + GUTTER - 1, 0x2502, ROLE_RULE);
	for (; count <= (double)peak; count *= 10) {
		int up = (int)(level_of((uint64_t)count, peak) * height);
		int row = bottom - (up < height ? up : height - 1);

		if (count > 1 && row >= last)
			continue;
		last = row;
		grid_printf(g, row, col, GUTTER - 2, ROLE_DIM, "%4s",
			    axis_number(count, buf, sizeof(buf)));
		grid_put(g, row, col + GUTTER - 1, 0x2524, ROLE_RULE);
	}
}

/*
 * Without room for labels at the left: the count of the tallest column in the top row, over empty
 * cells.
 */
static void draw_peak(struct grid *g, int top, int col, const struct axis *a, int height)
{
	char peak[FIGURE_SIZE];
	int cells = line_cells(figure_count(value_of((double)a->peak), peak)), free = 0;

	while (free < a->cells && level_of(a->count[free], a->peak) * height <= height - 1)
		free++;
	if (free > cells) {
		grid_text(g, top, col, cells, ROLE_DIM, peak);
		return;
	}
	for (free = 0; free < a->cells; free++)
		if (level_of(a->count[a->cells - 1 - free], a->peak) * height > height - 1)
			break;
	if (free > cells)
		grid_text(g, top, col + a->cells - cells, cells, ROLE_DIM, peak);
}

/* Columns below the clock's floor are shaded, not filled: they are noise, and look it. */
static void draw_columns(struct grid *g, int bottom, int col, int height, const struct axis *a,
			 double floor_at, enum grid_role role)
{
	for (int i = 0; i < a->cells; i++) {
		double level = level_of(a->count[i], a->peak);

		if (axis_begin(a, i + 1) > floor_at) {
			grid_column(g, bottom, col + i, height, level, role);
			continue;
		}
		for (int k = 0; k < height && level * height > k; k++)
			grid_put(g, bottom - k, col + i, 0x2591, ROLE_DIM);
	}
}

static bool any_below(const struct axis *a, double floor_at)
{
	for (int i = 0; i < a->cells && axis_begin(a, i + 1) <= floor_at; i++) {
		if (a->count[i])
			return true;
	}
	return false;
}

/* "p50 4.1µ" as a segment. */
static void add_figure(struct line *l, unsigned rank, const char *name, const char *figure)
{
	line_add(l, rank, ROLE_DIM, "%s ", name);
	line_join(l, ROLE_TEXT, "%s", figure);
}

static const char *figure_of(const struct subject *s, struct value v, char buf[FIGURE_SIZE])
{
	return s->is_time ? text_value_ns(v, false, buf, FIGURE_SIZE) : figure_count(v, buf);
}

static void draw_percentiles(const struct model *m, const struct subject *s, struct grid *g,
			     struct grid_rect r, const struct axis *a)
{
	const struct round_dist *d = &s->dist->stat;
	bool wide = r.cols >= WIDE;
	char buf[FIGURE_SIZE];
	const char *max = m->sample_n > 1 && s->is_time ? wide ? "max seen" : "seen" : "max";
	const char *range = wide ? " range" : "";
	struct line l;

	line_start(&l);
	add_figure(&l, 0, "p50", figure_of(s, d->p50_ns, buf));
	add_figure(&l, 1, "p99", figure_of(s, d->p99_ns, buf));
	add_figure(&l, 3, "p99.9", figure_of(s, d->p999_ns, buf));
	add_figure(&l, 2, max, figure_of(s, s->is_time ? d->max_seen_ns : m->run_max, buf));
	if (wide)
		add_figure(&l, 4, "mean",
			   s->is_time ? figure_of(s, d->mean_ns, buf)
				      : text_value(m->run_mean, buf, FIGURE_SIZE));
	if (wide && !s->is_time) {
		add_figure(&l, 4, "runs", figure_count(m->runs, buf));
		add_figure(&l, 5, "handovers/op",
			   text_value(m->handovers_per_op, buf, sizeof(buf)));
	}
	if (a && a->over)
		line_add(&l, 2, ROLE_WARNING, "over%s %s", range,
			 figure_count(value_of((double)a->over), buf));
	if (a && a->under)
		line_add(&l, 2, ROLE_WARNING, "under%s %s", range,
			 figure_count(value_of((double)a->under), buf));
	line_draw(&l, g, r, wide ? 3 : 1, "");
}

/* Name, both axes with their units, the clock's floor if records lie below it, n. */
static void draw_title(const struct model *m, const struct subject *s, const struct ui_state *ui,
		       struct grid *g, struct grid_rect r, bool below)
{
	/* From the longest down; @n and the floor must stand beside it. */
	static const char *const axes[2][4] = {
		{", log2 axis of ops in a row, log10 count", ", log2 ops, log n", " log2 ops log n",
		 " ops"},
		{", log2 ns axis, log10 count", ", log2 ns, log n", " log2 ns log n", " ns"},
	};
	char title[80], note[80], n[FIGURE_SIZE], floor_text[FIGURE_SIZE];

	figure_count(value_of((double)s->dist->stat.samples), n);
	text_ns(m->tick_floor_ns, false, floor_text, sizeof(floor_text));
	if (!below)
		snprintf(note, sizeof(note), "n %s", n);
	else if (r.cols >= 80)
		snprintf(note, sizeof(note), "░ below clock floor %s   n %s", floor_text, n);
	else
		snprintf(note, sizeof(note), "░<%s n %s", floor_text, n);
	for (unsigned i = r.cols < WIDE; i < 4; i++) {
		snprintf(title, sizeof(title), "%s%s%s%s", s->is_time || i == 0 ? s->name : "runs",
			 *s->role_name ? " " : "", s->role_name, axes[s->is_time][i]);
		if (line_cells(title) + line_cells(note) + LINE_RULE_CELLS <= r.cols)
			break;
	}
	line_rule(g, r, ui->pane == s->pane, title, note);
}

/* Why there is nothing to draw. */
static void draw_empty(const struct model *m, struct grid *g, struct grid_rect r)
{
	const char *why = m->plan.measure == PAGE_MEASURE_OFF ? "nothing stamped: measure off (m)"
							      : "no samples yet";

	line_text(g, r.row + r.rows / 2, r.col + 2, r.cols - 2, ROLE_DIM, why);
}

static void dist_draw(const struct model *m, const struct ui_state *ui, const struct subject *s,
		      struct grid *g, struct grid_rect r)
{
	/* Beside a vertical line the figures keep a blank, and where there is room anyway. */
	int indent = r.col > 0 || r.cols >= WIDE;
	struct grid_rect last = {.row = r.row + r.rows - 1,
				 .col = r.col + indent,
				 .rows = 1,
				 .cols = r.cols - indent};
	int gutter = r.cols >= WIDE ? GUTTER : 1;
	double hz = m->tick_hz > 0 ? m->tick_hz : 1e9;
	double floor_at = s->is_time ? m->tick_floor_ns : 0;
	struct axis_request rq = {
		.cells = r.cols - gutter - 1,
		.octave = s->is_time ? TIME_OCTAVE : 0,
		.octaves = s->is_time ? TIME_OCTAVES : RUN_OCTAVES,
		.unit = s->is_time ? 1e9 / hz : 1,
		.resolution = s->is_time ? m->tick_resolution_ns : 1,
	};
	struct axis a;

	/* The last row carries figures at any height; the rule needs a second one. */
	if (r.rows < CHART_MIN_ROWS || rq.cells < 8) {
		if (r.rows > 1)
			draw_title(m, s, ui, g, r, false);
		draw_percentiles(m, s, g, last, NULL);
		return;
	}
	axis_make(&a, &rq, &s->dist->hist);
	draw_title(m, s, ui, g, r, any_below(&a, floor_at));
	if (!a.total) {
		draw_empty(m, g, r);
	} else {
		int bottom = last.row - 2, height = r.rows - 3;

		draw_columns(g, bottom, r.col + gutter, height, &a, floor_at, s->role);
		if (gutter == GUTTER)
			draw_counts(g, bottom, r.col, height, a.peak);
		else
			draw_peak(g, bottom - height + 1, r.col + gutter, &a, height);
		draw_axis(g, bottom + 1, r.col + gutter, &a, s->is_time);
	}
	draw_percentiles(m, s, g, last, &a);
}

/* The lock role that a pane shows: its scroll position. */
static const char *role_shown(const struct model *m, unsigned role)
{
	return m->role_count > 1 ? m->role_name[role] : "";
}

static void wait_render(const struct model *m, const struct ui_state *s, struct grid *g,
			struct grid_rect r)
{
	unsigned role = s->scroll[PANE_WAIT];
	struct subject subject = {"wait",         role_shown(m, role), true,
				  &m->wait[role], PANE_WAIT,           ROLE_WAIT};

	dist_draw(m, s, &subject, g, r);
}

static void hold_render(const struct model *m, const struct ui_state *s, struct grid *g,
			struct grid_rect r)
{
	unsigned role = s->scroll[PANE_HOLD];
	struct subject subject = {"hold",         role_shown(m, role), true,
				  &m->hold[role], PANE_HOLD,           ROLE_HOLD};

	dist_draw(m, s, &subject, g, r);
}

static void run_render(const struct model *m, const struct ui_state *s, struct grid *g,
		       struct grid_rect r)
{
	struct subject subject = {"run length", "", false, &m->run, PANE_RUN, ROLE_RUN};

	dist_draw(m, s, &subject, g, r);
}

const struct view_ops view_wait = {.name = "wait", .pane = LAYOUT_WAIT, .render = wait_render};
const struct view_ops view_hold = {.name = "hold", .pane = LAYOUT_HOLD, .render = hold_render};
const struct view_ops view_run = {.name = "run length", .pane = LAYOUT_RUN, .render = run_render};
