/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Total throughput over time, newest at the right, with a mark at each change of configuration.
 *
 * A column is the mean of a fixed number of samples, counted from the first one ever: columns only
 * move left, they never change when new samples come.
 */
#include "ui/views.h"

#include <math.h>
#include <stdio.h>

#include "src/text.h"
#include "ui/figure.h"
#include "ui/line.h"

enum { GUTTER = 7 }; /* "4.20M ┤" */

/* The mean of the samples [@first, @first + @count) that are kept, NAN if none is known. */
static double samples_mean(const struct model *m, uint64_t first, unsigned count)
{
	double sum = 0;
	unsigned known = 0;

	for (uint64_t i = first; i < first + count && i < m->sample_count; i++) {
		float v = m->history[i % MODEL_HISTORY];

		if (m->sample_count - i > MODEL_HISTORY || isnan(v))
			continue;
		sum += (double)v;
		known++;
	}
	return known ? sum / known : NAN;
}

/* The next "round" number: the top of the axis changes seldom. */
static double nice_above(double v)
{
	static const double steps[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
	double decade = pow(10, floor(log10(v)));

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (v <= steps[i] * decade * 1.0000001)
			return steps[i] * decade;
	}
	return 10 * decade;
}

/* What the columns show: column c holds samples [first + c * per, ... + per). */
struct window {
	uint64_t first; /* may lie before sample 0: then as if 0 were later */
	uint64_t lead;  /* columns at the left that no sample belongs to */
	unsigned per;
	int cols, col; /* of the chart */
	double top;
};

static struct window window_make(const struct model *m, struct grid_rect r)
{
	struct window w = {.col = r.col + GUTTER, .cols = r.cols - GUTTER};
	uint64_t columns;

	w.per = (unsigned)w.cols < MODEL_HISTORY ? MODEL_HISTORY / (unsigned)w.cols : 1;
	columns = (m->sample_count + w.per - 1) / w.per;
	if (columns > (uint64_t)w.cols)
		w.first = (columns - (uint64_t)w.cols) * w.per;
	else
		w.lead = (uint64_t)w.cols - columns;
	for (int c = (int)w.lead; c < w.cols; c++) {
		double v = samples_mean(m, w.first + ((uint64_t)c - w.lead) * w.per, w.per);

		if (v > w.top)
			w.top = v;
	}
	if (w.top > 0)
		w.top = nice_above(w.top);
	return w;
}

static void draw_axis(struct grid *g, struct grid_rect r, const struct window *w, int height)
{
	int every = height > 6 ? 2 : 1;
	char buf[16];

	for (int i = height; i > 0; i--) {
		int row = r.row + 1 + height - i;

		if ((height - i) % every == 0)
			grid_printf(g, row, r.col, GUTTER - 2, ROLE_DIM, "%5s",
				    text_si(w->top * i / height, buf, sizeof(buf)));
		grid_put(g, row, r.col + GUTTER - 1, 0x2524, ROLE_RULE);
	}
}

/* Marks stand in the top row, their first cell in the column of their sample. */
static void draw_marks(const struct model *m, struct grid *g, int row, const struct window *w)
{
	unsigned kept = sizeof(m->mark) / sizeof(m->mark[0]);

	for (unsigned i = m->mark_count > kept ? m->mark_count - kept : 0; i < m->mark_count; i++) {
		const struct model_mark *k = &m->mark[i % kept];
		uint64_t c;
		int used;

		if (k->sample < w->first)
			continue;
		c = w->lead + (k->sample - w->first) / w->per;
		if (c >= (uint64_t)w->cols)
			continue;
		grid_put(g, row, w->col + (int)c, 0x25bc, ROLE_KEY);
		used = line_text(g, row, w->col + (int)c + 1, w->cols - (int)c - 1, ROLE_TEXT,
				 k->text);
		if ((int)c + 1 + used < w->cols)
			grid_put(g, row, w->col + (int)c + 1 + used, ' ', ROLE_TEXT);
	}
}

static void history_render(const struct model *m, const struct ui_state *s, struct grid *g,
			   struct grid_rect r)
{
	int height = r.rows - 1;
	char title[96], note[64], buf[FIGURE_SIZE];
	struct window w;

	if (r.cols <= GUTTER + 1 || height < 1)
		return;
	w = window_make(m, r);
	snprintf(title, sizeof(title), "throughput, op/s, last %s",
		 figure_seconds((double)w.per * w.cols * (double)m->history_interval_s, buf));
	snprintf(note, sizeof(note), "a column = mean of %u, n %llu%s", w.per,
		 (unsigned long long)m->sample_count, m->mark_count ? ", ▼ change" : "");
	line_rule(g, r, s->pane == PANE_HISTORY, title, note);
	if (!(w.top > 0)) {
		grid_text(g, r.row + 1 + height / 2, r.col + 2, r.cols - 2, ROLE_DIM,
			  "no samples yet");
		return;
	}
	draw_axis(g, r, &w, height);
	for (int c = (int)w.lead; c < w.cols; c++) {
		double v = samples_mean(m, w.first + ((uint64_t)c - w.lead) * w.per, w.per);

		grid_column(g, r.row + height, w.col + c, height, v / w.top, ROLE_BAR);
	}
	draw_marks(m, g, r.row + 1, &w);
}

const struct view_ops view_history = {.name = "throughput",
				      .pane = LAYOUT_HISTORY,
				      .render = history_render};
