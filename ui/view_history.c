/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Total throughput over time, newest at the right, with a mark at each change of configuration.
 *
 * Columns are those of ui/timeline.h: they only move left, they never change when new samples come.
 */
#include "ui/views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/axis.h"
#include "ui/figure.h"
#include "ui/line.h"
#include "ui/timeline.h"

enum { GUTTER = TIMELINE_GUTTER };

/* The mean of the samples of column @c that are known, NAN if none is. */
static double column_mean(const struct model *m, const struct timeline *t, int c)
{
	uint64_t first = timeline_sample(t, c);
	double sum = 0;
	unsigned known = 0;

	for (uint64_t i = first; i < first + t->per; i++) {
		float v = m->history[i % MODEL_HISTORY];

		if (!timeline_kept(m, i) || isnan(v))
			continue;
		sum += (double)v;
		known++;
	}
	return known ? sum / known : NAN;
}

static double highest_mean(const struct model *m, const struct timeline *t)
{
	double highest = 0;

	for (int c = t->lead; c < t->cols; c++)
		highest = fmax(highest, column_mean(m, t, c)); /* fmax() passes NAN by */
	return highest;
}

static void draw_axis(struct grid *g, int bottom, int col, const struct axis_scale *axis)
{
	char label[16];

	for (int i = 0; i < axis->rows; i++) {
		axis_scale_label(axis, i, label, sizeof(label));
		grid_printf(g, bottom - i, col, GUTTER - 2, ROLE_DIM, "%5s", label);
		grid_put(g, bottom - i, col + GUTTER - 1, *label ? 0x2524 : 0x2502, ROLE_RULE);
	}
}

void view_marks_draw(const struct model *m, const struct timeline *t, struct grid *g, int row,
		     int col)
{
	int end = t->cols; /* where the mark at the right begins */

	for (unsigned i = m->mark_count; i-- > 0;) {
		const struct model_mark *k = &m->mark[i];
		int c = timeline_column(t, k->sample);
		int text = line_cells(k->text) + 2;

		if (c < 0)
			return;
		if (c >= end)
			continue; /* the later mark of the same column stands there */
		grid_put(g, row, col + c, (unsigned char)k->kind, ROLE_KEY);
		if (c + text < end) {
			grid_put(g, row, col + c + 1, ' ', ROLE_TEXT);
			grid_text(g, row, col + c + 2, text - 2, ROLE_TEXT, k->text);
			grid_put(g, row, col + c + text, ' ', ROLE_TEXT);
		}
		end = c;
	}
}

/* What the letters of the marks say, those that there are. */
static void add_legend(const struct model *m, char *buf, size_t size)
{
	static const struct {
		char kind;
		const char *word;
	} kinds[] = {
		{'w', "workload"},  {'v', "variant"}, {'t', "threads"},
		{'p', "placement"}, {'k', "knob"},    {'m', "measuring"},
	};
	size_t have = strlen(buf);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		unsigned k = 0;

		while (k < m->mark_count && m->mark[k].kind != kinds[i].kind)
			k++;
		if (k < m->mark_count && have < size)
			have += (size_t)snprintf(buf + have, size - have, "  %c %s", kinds[i].kind,
						 kinds[i].word);
	}
}

static void draw_title(const struct model *m, const struct ui_state *s, struct grid *g,
		       struct grid_rect r, const struct timeline *t)
{
	char title[96], note[160], span[FIGURE_SIZE];
	size_t used;

	figure_seconds(timeline_seconds(t, m), span);
	snprintf(title, sizeof(title), "throughput, op/s%s%s", m->sample_count ? ", last " : "",
		 m->sample_count ? span : "");
	used = (size_t)snprintf(note, sizeof(note), "a column = mean of %u, n %llu", t->per,
				(unsigned long long)m->sample_count);
	add_legend(m, note + used, sizeof(note) - used);
	/* line_rule() drops a note that is too long: the letters first. */
	if (line_cells(title) + line_cells(note) + LINE_RULE_CELLS > r.cols)
		note[used] = '\0';
	line_rule(g, r, s->pane == PANE_HISTORY, title, note);
}

static void history_render(const struct model *m, const struct ui_state *s, struct grid *g,
			   struct grid_rect r)
{
	int height = r.rows - 1, bottom = r.row + height;
	struct axis_scale axis;
	struct timeline t;
	double highest;

	if (r.cols <= GUTTER + 1 || height < 1)
		return;
	t = timeline_make(m, r.cols - GUTTER);
	highest = highest_mean(m, &t);
	draw_title(m, s, g, r, &t);
	if (!(highest > 0)) {
		grid_text(g, r.row + 1 + height / 2, r.col + 2, r.cols - 2, ROLE_DIM,
			  "no samples yet");
		return;
	}
	axis = axis_scale_make(highest, height);
	draw_axis(g, bottom, r.col, &axis);
	for (int c = t.lead; c < t.cols; c++)
		grid_column(g, bottom, r.col + GUTTER + c, height, column_mean(m, &t, c) / axis.top,
			    ROLE_BAR);
	view_marks_draw(m, &t, g, r.row + 1, r.col + GUTTER);
}

const struct view_ops view_history = {.name = "throughput",
				      .pane = LAYOUT_HISTORY,
				      .render = history_render};
