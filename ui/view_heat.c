/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits over time: a row an octave of ns, the longest on top, shaded by how many waits fell into
 * it. Columns are those of the throughput over time.
 */
#include "ui/views.h"

#include <stdio.h>
#include <string.h>

#include "src/text.h"
#include "ui/figure.h"
#include "ui/line.h"
#include "ui/timeline.h"

enum {
	FIRST_OCTAVE = 4, /* 16 ns, as MODEL_HEAT_ROWS says */
	SHADES = 5,       /* 1, 10, 100, 1000, 10000 */
	COLS_MAX = 1000,
	TALLEST = 3,
	WIDE = 100, /* from here on with longer words */
};

/*
 * What the columns hold. Octaves lo..hi have a row each; where the pane is too low for all that are
 * in use, the outermost rows stand for all beyond as well.
 */
struct heat {
	struct timeline time;
	int lo, hi;
	int tall;          /* rows of the screen an octave */
	bool below, above; /* the outermost rows stand for more */
	uint64_t row_total[MODEL_HEAT_ROWS];
	uint64_t total;
	bool known; /* some sample was stamped */
	uint32_t count[MODEL_HEAT_ROWS][COLS_MAX];
};

static void count_column(struct heat *h, const struct model *m, int c)
{
	uint64_t first = timeline_sample(&h->time, c);

	for (uint64_t i = first; i < first + h->time.per; i++) {
		const struct model_heat *s = &m->heat[i % MODEL_HISTORY];

		if (!timeline_kept(m, i) || !s->known)
			continue;
		h->known = true;
		for (int o = 0; o < MODEL_HEAT_ROWS; o++) {
			if (!s->count[o])
				continue;
			h->count[o][c] += s->count[o];
			h->row_total[o] += s->count[o];
			h->total += s->count[o];
			h->lo = o < h->lo ? o : h->lo;
			h->hi = o > h->hi ? o : h->hi;
		}
	}
}

/* Adds row @from to row @to. */
static void row_merge(struct heat *h, int from, int to)
{
	for (int c = h->time.lead; c < h->time.cols; c++)
		h->count[to][c] += h->count[from][c];
	h->row_total[to] += h->row_total[from];
}

/* The outermost row that holds less goes into its neighbour, until @rows are left. */
static void rows_fold(struct heat *h, int rows)
{
	while (h->hi - h->lo + 1 > rows) {
		if (h->row_total[h->hi] <= h->row_total[h->lo]) {
			row_merge(h, h->hi, h->hi - 1);
			h->hi--;
			h->above = true;
		} else {
			row_merge(h, h->lo, h->lo + 1);
			h->lo++;
			h->below = true;
		}
	}
}

static void heat_make(struct heat *h, const struct model *m, int cols, int rows)
{
	h->time = timeline_make(m, cols);
	h->lo = MODEL_HEAT_ROWS;
	h->hi = -1;
	h->below = h->above = h->known = false;
	h->total = 0;
	memset(h->row_total, 0, sizeof(h->row_total));
	for (int o = 0; o < MODEL_HEAT_ROWS; o++)
		memset(h->count[o], 0, (size_t)cols * sizeof(h->count[o][0]));
	for (int c = h->time.lead; c < cols; c++)
		count_column(h, m, c);
	rows_fold(h, rows);
	h->tall = h->hi < h->lo ? 1 : rows / (h->hi - h->lo + 1);
	h->tall = h->tall > TALLEST ? TALLEST : h->tall;
}

/* A glyph a power of ten; five that differ in every tier. */
static void draw_shade(struct grid *g, int row, int col, uint64_t count, enum grid_role role)
{
	static const uint32_t shade[SHADES] = {0x00b7, 0x2591, 0x2592, 0x2593, 0x2588};
	static const char ascii[] = ".:o*#";
	int s = 0;

	if (!count)
		return;
	for (; s + 1 < SHADES && count >= 10; s++)
		count /= 10;
	grid_put(g, row, col, g->tier == TIER_ASCII ? (uint32_t)ascii[s] : shade[s], role);
}

/*
 * Where the octave @o begins: "16n", "1µ" for 1024 ns; "64µ+" for all above, "<128n" for all below
 * the next one.
 */
static void draw_label(const struct heat *h, struct grid *g, int row, int col, int o)
{
	static const char *const unit[] = {"n", "µ", "m", "s"};
	bool below = h->below && o == h->lo, above = h->above && o == h->hi;
	int octave = FIRST_OCTAVE + o + below;
	char text[16];

	snprintf(text, sizeof(text), "%s%d%s%s", below ? "<" : "", 1 << octave % 10,
		 unit[octave / 10], above ? "+" : "");
	grid_text(g, row, col + TIMELINE_GUTTER - 2 - line_cells(text), 5, ROLE_DIM, text);
}

/* True if waits of octave @o are shorter than the clock can tell from nothing. */
static bool below_floor(const struct model *m, int o)
{
	return (double)(1ull << (FIRST_OCTAVE + o + 1)) <= m->tick_floor_ns;
}

static void draw_rows(const struct model *m, const struct heat *h, struct grid *g,
		      struct grid_rect r, int bottom)
{
	for (int o = h->lo; o <= h->hi; o++) {
		int low = bottom - (o - h->lo) * h->tall;
		enum grid_role role = below_floor(m, o) ? ROLE_DIM : ROLE_WAIT;

		draw_label(h, g, low, r.col, o);
		for (int row = low; row > low - h->tall; row--) {
			grid_put(g, row, r.col + TIMELINE_GUTTER - 1, row == low ? 0x2524 : 0x2502,
				 ROLE_RULE);
			for (int c = h->time.lead; c < h->time.cols; c++)
				draw_shade(g, row, r.col + TIMELINE_GUTTER + c, h->count[o][c],
					   role);
		}
	}
}

/* True if a mark stands in the first @cells columns. */
static bool mark_before(const struct model *m, const struct timeline *t, int cells)
{
	for (unsigned i = 0; i < m->mark_count; i++) {
		int c = timeline_column(t, m->mark[i].sample);

		if (c >= 0 && c < cells)
			return true;
	}
	return false;
}

/* The axis of time, with the marks of the history. */
static void draw_axis(const struct model *m, const struct heat *h, struct grid *g, int row, int col)
{
	int cols = h->time.cols, cells;
	char span[FIGURE_SIZE], text[FIGURE_SIZE + 8];

	grid_rule(g, row, col + TIMELINE_GUTTER, cols);
	grid_put(g, row, col + TIMELINE_GUTTER - 1, 0x2514, ROLE_RULE);
	col += TIMELINE_GUTTER;
	snprintf(text, sizeof(text), " -%s ", figure_seconds(timeline_seconds(&h->time, m), span));
	cells = line_cells(text);
	if (cells + 8 < cols) {
		if (!mark_before(m, &h->time, cells + 2))
			grid_text(g, row, col + 1, cells, ROLE_DIM, text);
		grid_text(g, row, col + cols - 5, 5, ROLE_DIM, " now ");
	}
	view_marks_draw(m, &h->time, g, row, col);
}

static void draw_title(const struct model *m, const struct ui_state *ui, const struct heat *h,
		       struct grid *g, struct grid_rect r)
{
	char title[128], note[96], span[FIGURE_SIZE], n[FIGURE_SIZE];
	double column_s = (double)h->time.per * (double)m->history_interval_s;

	figure_seconds(timeline_seconds(&h->time, m), span);
	if (r.cols >= WIDE)
		snprintf(title, sizeof(title),
			 "wait-time heat map: log2 ns, last %s, shade = 1, 10, 100, 1k, 10k", span);
	else if (r.cols >= 70)
		snprintf(title, sizeof(title), "wait heat map: ns, last %s, shade 1 10 100 1k 10k",
			 span);
	else
		snprintf(title, sizeof(title), "waits, log2 ns, last %s", span);
	figure_count(value_of((double)h->total), n);
	if (r.cols >= WIDE)
		snprintf(note, sizeof(note), "n %s, a column = %s", n,
			 figure_seconds(column_s, span));
	else
		snprintf(note, sizeof(note), "n %s", n);
	if (h->hi >= h->lo && below_floor(m, h->lo)) {
		size_t used = strlen(note);

		snprintf(note + used, sizeof(note) - used,
			 r.cols >= WIDE ? ", clock floor %s" : ", floor %s",
			 text_ns(m->tick_floor_ns, false, span, sizeof(span)));
	}
	line_rule(g, r, ui->pane == PANE_HEAT, title, h->total ? note : "");
}

/* Why there is nothing to draw. */
static const char *why_empty(const struct model *m, const struct heat *h)
{
	enum reason why = m->wait[0].stat.p50_ns.why;

	if (m->plan.measure == PAGE_MEASURE_OFF)
		return "nothing stamped: measure off (m)";
	if (h->known)
		return "stamped, and nobody waited";
	if (why != WHY_OK && why != WHY_NOT_YET)
		return reason_sentence(why);
	return "no samples yet";
}

static void heat_render(const struct model *m, const struct ui_state *ui, struct grid *g,
			struct grid_rect r)
{
	int cols = r.cols - TIMELINE_GUTTER, rows = r.rows - 2;
	struct heat h;

	if (cols < 2 || rows < 1 || cols > COLS_MAX) {
		line_rule(g, r, ui->pane == PANE_HEAT, "waits", "");
		return;
	}
	heat_make(&h, m, cols, rows);
	draw_title(m, ui, &h, g, r);
	if (!h.total) {
		line_text(g, r.row + r.rows / 2, r.col + 2, r.cols - 2, ROLE_DIM, why_empty(m, &h));
		return;
	}
	draw_rows(m, &h, g, r, r.row + r.rows - 2);
	draw_axis(m, &h, g, r.row + r.rows - 1, r.col);
}

const struct view_ops view_heat = {.name = "heat map", .pane = LAYOUT_HEAT, .render = heat_render};
