/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows are handed out by a table of steps, most wanted first, until none are left: what stands late
 * in the table is given up first on a small screen. A step that needs more rows than are left is
 * passed over, so a chart is either worth looking at or absent.
 */
#include "ui/layout.h"

#include <string.h>

enum {
	CHART_ROWS = 6, /* rule, three rows of columns, axis, percentiles */
	LINE_ROWS = 2,  /* rule and percentiles */
	XL_COLS = 200,
	XL_ROWS = 50,
	L_COLS = 120,
	L_ROWS = 36,
	M_COLS = 80,
	M_ROWS = 20,
	S_COLS = 40,
	S_ROWS = 10,
};

/*
 * A pane grows to @rows; CPU counts its table rows, the others all rows. @whole: not less than
 * that, else what is left is taken.
 */
struct growth {
	enum layout_pane pane;
	int rows;
	bool whole;
};

/* Wait and hold side by side: the rows of LAYOUT_WAIT are those of both. */
static const struct growth beside[] = {
	{LAYOUT_CPU, 3, false},          {LAYOUT_WAIT, LINE_ROWS, true},
	{LAYOUT_WAIT, CHART_ROWS, true}, {LAYOUT_RUN, LINE_ROWS, true},
	{LAYOUT_CPU, 7, false},          {LAYOUT_RUN, CHART_ROWS, true},
	{LAYOUT_WAIT, 7, true},          {LAYOUT_HISTORY, 6, true},
	{LAYOUT_CPU, 12, false},         {LAYOUT_WAIT, 9, false},
	{LAYOUT_RUN, 8, false},          {LAYOUT_HISTORY, 8, false},
	{LAYOUT_CPU, 20, false},         {LAYOUT_WAIT, 12, false},
	{LAYOUT_RUN, 10, false},         {LAYOUT_HISTORY, 10, false},
	{LAYOUT_CPU, 1000, false},
};

/* The same for a screen too narrow for two. */
static const struct growth stacked[] = {
	{LAYOUT_CPU, 3, false},         {LAYOUT_WAIT, LINE_ROWS, true},
	{LAYOUT_HOLD, LINE_ROWS, true}, {LAYOUT_WAIT, CHART_ROWS, true},
	{LAYOUT_RUN, LINE_ROWS, true},  {LAYOUT_HOLD, CHART_ROWS, true},
	{LAYOUT_CPU, 7, false},         {LAYOUT_RUN, CHART_ROWS, true},
	{LAYOUT_CPU, 1000, false},
};

static enum layout_class class_of(unsigned cols, unsigned rows)
{
	if (cols >= XL_COLS && rows >= XL_ROWS)
		return LAYOUT_XL;
	if (cols >= L_COLS && rows >= L_ROWS)
		return LAYOUT_L;
	if (cols >= M_COLS && rows >= M_ROWS)
		return LAYOUT_M;
	if (cols >= S_COLS && rows >= S_ROWS)
		return LAYOUT_S;
	return LAYOUT_XS;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

static struct grid_rect rect(int row, int col, int rows, int cols)
{
	return (struct grid_rect){.row = row, .col = col, .rows = rows, .cols = cols};
}

/* What is there at any size: header, message and key line. Returns the body between them. */
static struct grid_rect layout_chrome(struct layout *l, int cols, int rows, int header)
{
	int keys = rows >= 3;
	int message = rows >= 5;

	l->pane[LAYOUT_HEADER] = rect(0, 0, header, cols);
	if (message)
		l->pane[LAYOUT_MESSAGE] = rect(rows - 2, 0, 1, cols);
	if (keys)
		l->pane[LAYOUT_KEYS] = rect(rows - 1, 0, 1, cols);
	return rect(header, 0, rows - header - message - keys, cols);
}

/* Hands @left rows out by the table; @want: rows of each pane. Returns the rows nobody wanted. */
static int rows_grow(const struct growth *table, size_t count, unsigned cpus, int left, int *want)
{
	for (size_t i = 0; i < count; i++) {
		const struct growth *s = &table[i];
		int to = s->rows;

		if (s->pane == LAYOUT_CPU)
			to = cpus ? 1 + least(s->rows, (int)cpus) : 0;
		if (to - want[s->pane] > left) {
			if (s->whole)
				continue;
			to = want[s->pane] + left;
		}
		if (to <= want[s->pane])
			continue;
		/* A rule without a row under it says nothing. */
		if (to < 2)
			continue;
		left -= to - want[s->pane];
		want[s->pane] = to;
	}
	return left;
}

/* Rows that are left over make the charts taller, by turns; without any, the last pane longer. */
static void rows_spread(int left, int *want)
{
	static const enum layout_pane charts[] = {LAYOUT_WAIT, LAYOUT_HISTORY, LAYOUT_RUN,
						  LAYOUT_HOLD};
	bool any = false;

	do {
		any = false;
		for (size_t i = 0; i < 4 && left > 0; i++) {
			if (want[charts[i]] < CHART_ROWS)
				continue;
			want[charts[i]]++;
			left--;
			any = true;
		}
	} while (any && left > 0);
	if (left > 0 && want[LAYOUT_CPU])
		want[LAYOUT_CPU] += left;
}

/* The body's left part: panes from top to bottom. */
static void layout_body(struct layout *l, struct grid_rect body, unsigned cpus)
{
	static const enum layout_pane order[] = {LAYOUT_HISTORY, LAYOUT_CPU, LAYOUT_WAIT,
						 LAYOUT_HOLD, LAYOUT_RUN};
	int want[LAYOUT_PANES] = {0};
	bool wide = body.cols >= M_COLS;
	int row = body.row;
	int left;

	if (wide)
		left = rows_grow(beside, sizeof(beside) / sizeof(beside[0]), cpus, body.rows, want);
	else
		left = rows_grow(stacked, sizeof(stacked) / sizeof(stacked[0]), cpus, body.rows,
				 want);
	rows_spread(left, want);
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (!want[order[i]])
			continue;
		l->pane[order[i]] = rect(row, body.col, want[order[i]], body.cols);
		row += want[order[i]];
	}
	if (wide && want[LAYOUT_WAIT]) {
		struct grid_rect *wait = &l->pane[LAYOUT_WAIT];
		int half = (body.cols - 1) / 2;

		l->pane[LAYOUT_HOLD] =
			rect(wait->row, wait->col + half + 1, wait->rows, body.cols - half - 1);
		wait->cols = half;
	}
}

/* XL: variants above messages in a column of their own. Returns what stays for the body. */
static struct grid_rect layout_side(struct layout *l, struct grid_rect body, unsigned variants)
{
	int cols = least(body.cols * 37 / 100, 100);
	int col = body.cols - cols;
	/* Rule, heads, variants, one sentence on the current one. */
	int rows = least((int)variants + 3, body.rows * 2 / 3);

	l->pane[LAYOUT_VARIANTS] = rect(body.row, col, rows, cols);
	l->pane[LAYOUT_MESSAGES] = rect(body.row + rows, col, body.rows - rows, cols);
	body.cols = col - 1;
	return body;
}

struct layout layout_main(unsigned cols, unsigned rows, unsigned cpus, unsigned variants)
{
	struct layout l = {.size = class_of(cols, rows)};
	struct grid_rect body;

	switch (l.size) {
	case LAYOUT_XS:
		layout_chrome(&l, (int)cols, (int)rows, (int)rows - (rows >= 3) - (rows >= 5));
		return l;
	case LAYOUT_S:
		body = layout_chrome(&l, (int)cols, (int)rows, 2);
		break;
	case LAYOUT_M:
	case LAYOUT_L:
	case LAYOUT_XL:
		body = layout_chrome(&l, (int)cols, (int)rows, 3);
		break;
	}
	if (l.size == LAYOUT_XL) {
		body = layout_side(&l, body, variants);
	} else if (variants) {
		body.rows--;
		l.pane[LAYOUT_VARIANTS] = rect(body.row + body.rows, 0, 1, (int)cols);
	}
	layout_body(&l, body, cpus);
	return l;
}

struct layout layout_zoom(unsigned cols, unsigned rows, enum layout_pane pane)
{
	struct layout l = {.size = class_of(cols, rows)};
	int header = rows >= M_ROWS && cols >= M_COLS ? 3 : rows >= S_ROWS ? 2 : rows >= 4;

	l.pane[pane] = layout_chrome(&l, (int)cols, (int)rows, header);
	return l;
}
