/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows are handed out by a table of steps, most wanted first, until none are left: what stands late
 * in the table is given up first on a small screen. A step that needs more rows than are left is
 * passed over, so a chart is either worth looking at or absent.
 *
 * XL has two columns with a table each; in the others wait and hold share their rows, if there is
 * room for two side by side.
 */
#include "ui/layout.h"

#include <string.h>

enum {
	CHART_ROWS = 6,       /* rule, three rows of columns, axis, percentiles */
	LINE_ROWS = 2,        /* rule and percentiles, or rule and one row of a table */
	AB_LINES = 6,         /* rule, five figures */
	AB_HEADED = 7,        /* and heads */
	AB_ROWS = 8,          /* and a sentence on what they are */
	HEAT_ROWS = 26,       /* rule, 24 octaves, axis of time */
	DOC_ROWS = 2,         /* below a table of variants, on the current one */
	FEW_CPUS = 3,         /* what a table of CPUs shows at any size */
	TABLE_ROWS = 6,       /* tables of CPUs that leave room for other panes: at least, */
	TABLE_ROWS_WIDE = 13, /* and from 80 columns on */
	XL_COLS = 200,
	XL_ROWS = 50,
	L_COLS = 120,
	L_ROWS = 36,
	M_COLS = 80,
	M_ROWS = 20,
	S_COLS = 40,
	S_ROWS = 10,
	LIST_ROWS = 12, /* from here on with a line of variants */
	ALL = 1000,
};

/* A pane grows to @rows, its rule included. @whole: not less than that, else what is left is taken.
 */
struct growth {
	enum layout_pane pane;
	int rows;
	bool whole;
};

/* Wait and hold side by side: the rows of LAYOUT_WAIT are those of both. */
static const struct growth medium[] = {
	{LAYOUT_CPU, 4, false},
	{LAYOUT_AB, 1, true},
	{LAYOUT_WAIT, LINE_ROWS, true},
	{LAYOUT_AB, LINE_ROWS, true},
	{LAYOUT_WAIT, CHART_ROWS, true},
	{LAYOUT_RUN, LINE_ROWS, true},
	{LAYOUT_AB, 3, true},
	{LAYOUT_CPU, 8, false},
	{LAYOUT_RUN, CHART_ROWS, true},
	{LAYOUT_WAIT, 7, true},
	{LAYOUT_HISTORY, 6, true},
	{LAYOUT_AB, AB_LINES, true},
	{LAYOUT_CPU, 13, false},
	{LAYOUT_WAIT, 9, false},
	{LAYOUT_RUN, 8, false},
	{LAYOUT_HISTORY, 8, false},
	{LAYOUT_STRIP, 9, false},
	{LAYOUT_HEAT, CHART_ROWS, true},
	{LAYOUT_CPU, 21, false},
	{LAYOUT_HEAT, 10, false},
	{LAYOUT_CPU, ALL, false},
};

static const struct growth large[] = {
	{LAYOUT_CPU, 4, false},         {LAYOUT_WAIT, CHART_ROWS, true},
	{LAYOUT_AB, 3, true},           {LAYOUT_RUN, LINE_ROWS, true},
	{LAYOUT_HISTORY, 6, true},      {LAYOUT_CPU, 8, false},
	{LAYOUT_AB, AB_LINES, true},    {LAYOUT_WAIT, 8, false},
	{LAYOUT_RUN, CHART_ROWS, true}, {LAYOUT_CPU, 13, false},
	{LAYOUT_AB, AB_HEADED, true},   {LAYOUT_WAIT, 9, false},
	{LAYOUT_RUN, 8, false},         {LAYOUT_HISTORY, 8, false},
	{LAYOUT_STRIP, 9, false},       {LAYOUT_HEAT, 9, true},
	{LAYOUT_CPU, 21, false},        {LAYOUT_WAIT, 12, false},
	{LAYOUT_HEAT, 12, false},       {LAYOUT_RUN, 10, false},
	{LAYOUT_HISTORY, 10, false},    {LAYOUT_CPU, ALL, false},
};

static const struct growth large_left[] = {
	{LAYOUT_CPU, 4, false},   {LAYOUT_WAIT, 8, true},   {LAYOUT_HISTORY, 7, true},
	{LAYOUT_HEAT, 8, true},   {LAYOUT_CPU, 13, false},  {LAYOUT_HISTORY, 9, false},
	{LAYOUT_WAIT, 10, false}, {LAYOUT_HEAT, 11, false}, {LAYOUT_CPU, 23, false},
	{LAYOUT_WAIT, 12, false}, {LAYOUT_HEAT, 14, false}, {LAYOUT_HISTORY, 12, false},
	{LAYOUT_CPU, ALL, false},
};

static const struct growth large_right[] = {
	{LAYOUT_STRIP, 6, false},     {LAYOUT_VARIANTS, 16, false},  {LAYOUT_AB, AB_ROWS, true},
	{LAYOUT_MESSAGES, 4, true},   {LAYOUT_RUN, 7, true},         {LAYOUT_STRIP, 10, false},
	{LAYOUT_MESSAGES, 6, false},  {LAYOUT_STRIP, 26, false},     {LAYOUT_VARIANTS, 24, false},
	{LAYOUT_KEYLIST, 8, true},    {LAYOUT_RUN, 9, false},        {LAYOUT_MESSAGES, 8, false},
	{LAYOUT_KEYLIST, ALL, false}, {LAYOUT_VARIANTS, ALL, false}, {LAYOUT_MESSAGES, ALL, false},
};

/* A screen too narrow for two charts side by side. */
static const struct growth stacked[] = {
	{LAYOUT_CPU, 4, false},          {LAYOUT_AB, 1, true},
	{LAYOUT_WAIT, LINE_ROWS, true},  {LAYOUT_HOLD, LINE_ROWS, true},
	{LAYOUT_WAIT, CHART_ROWS, true}, {LAYOUT_AB, LINE_ROWS, true},
	{LAYOUT_RUN, LINE_ROWS, true},   {LAYOUT_HOLD, CHART_ROWS, true},
	{LAYOUT_CPU, 8, false},          {LAYOUT_RUN, CHART_ROWS, true},
	{LAYOUT_AB, AB_LINES, true},     {LAYOUT_HISTORY, CHART_ROWS, true},
	{LAYOUT_STRIP, 9, false},        {LAYOUT_HEAT, 9, true},
	{LAYOUT_CPU, ALL, false},
};

/* The same where a table can not show the CPUs: a cell for each of them says more. */
static const struct growth crowded[] = {
	{LAYOUT_AB, 1, true},
	{LAYOUT_STRIP, 5, false},
	{LAYOUT_CPU, 4, true},
	{LAYOUT_WAIT, LINE_ROWS, true},
	{LAYOUT_HOLD, LINE_ROWS, true},
	{LAYOUT_WAIT, CHART_ROWS, true},
	{LAYOUT_AB, LINE_ROWS, true},
	{LAYOUT_RUN, LINE_ROWS, true},
	{LAYOUT_HOLD, CHART_ROWS, true},
	{LAYOUT_CPU, 8, false},
	{LAYOUT_RUN, CHART_ROWS, true},
	{LAYOUT_AB, AB_LINES, true},
	{LAYOUT_HISTORY, CHART_ROWS, true},
	{LAYOUT_STRIP, 9, false},
	{LAYOUT_HEAT, 9, true},
	{LAYOUT_CPU, ALL, false},
};

/* Panes from top to bottom. */
static const enum layout_pane order_one[] = {LAYOUT_HISTORY, LAYOUT_STRIP, LAYOUT_CPU, LAYOUT_WAIT,
					     LAYOUT_HOLD,    LAYOUT_HEAT,  LAYOUT_RUN, LAYOUT_AB};
static const enum layout_pane order_left[] = {LAYOUT_HISTORY, LAYOUT_CPU, LAYOUT_WAIT, LAYOUT_HEAT};
static const enum layout_pane order_right[] = {LAYOUT_STRIP, LAYOUT_VARIANTS, LAYOUT_AB,
					       LAYOUT_RUN,   LAYOUT_MESSAGES, LAYOUT_KEYLIST};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

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

/* The most rows that each pane has a use for. */
static void rows_limit(const struct layout_input *in, int *most)
{
	static const enum layout_pane charts[] = {LAYOUT_HISTORY, LAYOUT_WAIT, LAYOUT_HOLD,
						  LAYOUT_RUN, LAYOUT_MESSAGES};

	memset(most, 0, LAYOUT_PANES * sizeof(most[0]));
	for (size_t i = 0; i < COUNT(charts); i++)
		most[charts[i]] = ALL;
	most[LAYOUT_HEAT] = HEAT_ROWS;
	most[LAYOUT_CPU] = in->cpus ? 1 + (int)in->cpus : 0;
	most[LAYOUT_STRIP] = in->strip_lines ? 1 + (int)in->strip_lines : 0;
	most[LAYOUT_VARIANTS] = in->variants ? 1 + (int)in->variants + DOC_ROWS : 0;
	most[LAYOUT_KEYLIST] = in->keys ? 1 + (int)in->keys : 0;
	most[LAYOUT_AB] = in->have_ab ? AB_ROWS : 0;
}

/*
 * What a pane is not opened below: a rule without a row under it says nothing. A/B has a form of
 * one line.
 */
static const int fewest[LAYOUT_PANES] = {
	[LAYOUT_HISTORY] = CHART_ROWS, [LAYOUT_STRIP] = LINE_ROWS,
	[LAYOUT_CPU] = LINE_ROWS,      [LAYOUT_WAIT] = LINE_ROWS,
	[LAYOUT_HOLD] = LINE_ROWS,     [LAYOUT_HEAT] = CHART_ROWS,
	[LAYOUT_RUN] = LINE_ROWS,      [LAYOUT_AB] = 1,
	[LAYOUT_VARIANTS] = LINE_ROWS, [LAYOUT_MESSAGES] = LINE_ROWS,
	[LAYOUT_KEYLIST] = 6,
};

/* Hands @left rows out by the table; @want: rows of each pane. Returns the rows nobody wanted. */
static int rows_grow(const struct growth *table, size_t count, const int *most, int left, int *want)
{
	for (size_t i = 0; i < count; i++) {
		const struct growth *s = &table[i];
		int to = least(s->rows, most[s->pane]);

		if (to - want[s->pane] > left) {
			if (s->whole)
				continue;
			to = want[s->pane] + left;
		}
		if (to <= want[s->pane])
			continue;
		if (to < fewest[s->pane])
			continue;
		left -= to - want[s->pane];
		want[s->pane] = to;
	}
	return left;
}

/* Rows that are left over make the charts taller, by turns. Returns what no chart could take. */
static int rows_spread(int left, const int *most, int *want)
{
	static const enum layout_pane charts[] = {LAYOUT_WAIT, LAYOUT_HISTORY, LAYOUT_HEAT,
						  LAYOUT_RUN, LAYOUT_HOLD};
	bool any = false;

	do {
		any = false;
		for (size_t i = 0; i < COUNT(charts) && left > 0; i++) {
			enum layout_pane p = charts[i];

			if (want[p] < CHART_ROWS || want[p] >= most[p])
				continue;
			want[p]++;
			left--;
			any = true;
		}
	} while (any && left > 0);
	return left;
}

/* Stacks the panes in their order; @left rows more make the last one longer. */
static void rows_stack(struct layout *l, struct grid_rect body, const enum layout_pane *order,
		       size_t count, const int *want)
{
	int row = body.row, end = body.row + body.rows;
	enum layout_pane last = LAYOUT_PANES;

	for (size_t i = 0; i < count; i++) {
		if (!want[order[i]])
			continue;
		last = order[i];
		l->pane[last] = rect(row, body.col, want[last], body.cols);
		row += want[last];
	}
	if (last != LAYOUT_PANES)
		l->pane[last].rows += end - row;
}

/* Hold takes the right half of wait. */
static void layout_beside(struct layout *l)
{
	struct grid_rect *wait = &l->pane[LAYOUT_WAIT];
	int half = (wait->cols - 1) / 2;

	if (!wait->rows)
		return;
	l->pane[LAYOUT_HOLD] =
		rect(wait->row, wait->col + half + 1, wait->rows, wait->cols - half - 1);
	wait->cols = half;
}

/* The body in one column. */
static void layout_one(struct layout *l, struct grid_rect body, const struct layout_input *in)
{
	int most[LAYOUT_PANES], want[LAYOUT_PANES] = {0};
	bool wide = body.cols >= M_COLS;
	int left, table = TABLE_ROWS_WIDE;

	rows_limit(in, most);
	/* Where the table shows all CPUs, and leaves room, the strip has nothing to add. */
	if (l->size == LAYOUT_S && !wide)
		table = body.rows / 3 > TABLE_ROWS ? body.rows / 3 : TABLE_ROWS;
	if (most[LAYOUT_CPU] <= table)
		most[LAYOUT_STRIP] = 0;
	if (l->size == LAYOUT_L)
		left = rows_grow(large, COUNT(large), most, body.rows, want);
	else if (wide)
		left = rows_grow(medium, COUNT(medium), most, body.rows, want);
	else if (most[LAYOUT_STRIP])
		left = rows_grow(crowded, COUNT(crowded), most, body.rows, want);
	else
		left = rows_grow(stacked, COUNT(stacked), most, body.rows, want);
	left = rows_spread(left, most, want);
	if (want[LAYOUT_CPU])
		want[LAYOUT_CPU] += left;
	rows_stack(l, body, order_one, COUNT(order_one), want);
	if (wide)
		layout_beside(l);
}

/* The cells of XL's right column. */
static int side_cols(int cols)
{
	return least(cols * 37 / 100, 100);
}

/* XL: strip, variants, A/B, run lengths, messages and keys in a column of their own. */
static void layout_two(struct layout *l, struct grid_rect body, const struct layout_input *in)
{
	int most[LAYOUT_PANES], want[LAYOUT_PANES] = {0};
	int side = side_cols(body.cols);
	struct grid_rect right = rect(body.row, body.cols - side, body.rows, side);
	int left;

	rows_limit(in, most);
	rows_grow(large_right, COUNT(large_right), most, body.rows, want);
	rows_stack(l, right, order_right, COUNT(order_right), want);
	body.cols = right.col - 1;
	/* Their rules in one line where they are nearly of a height. */
	if (want[LAYOUT_STRIP] >= 7 && want[LAYOUT_STRIP] <= 12)
		most[LAYOUT_HISTORY] = want[LAYOUT_STRIP];
	left = rows_grow(large_left, COUNT(large_left), most, body.rows, want);
	rows_spread(left, most, want);
	rows_stack(l, body, order_left, COUNT(order_left), want);
	layout_beside(l);
}

int layout_strip_cols(unsigned cols, unsigned rows)
{
	return class_of(cols, rows) == LAYOUT_XL ? side_cols((int)cols) : (int)cols;
}

struct layout layout_main(const struct layout_input *in)
{
	struct layout l = {.size = class_of(in->cols, in->rows)};
	int cols = (int)in->cols, rows = (int)in->rows;
	struct grid_rect body;

	if (l.size == LAYOUT_XS) {
		layout_chrome(&l, cols, rows, rows - (rows >= 3) - (rows >= 5));
		return l;
	}
	body = layout_chrome(&l, cols, rows, l.size == LAYOUT_S ? 2 : 3);
	if (l.size == LAYOUT_XL) {
		layout_two(&l, body, in);
		return l;
	}
	/* The header names the one that runs; where rows are few the others are behind v. */
	if (in->variants && (rows >= LIST_ROWS || (in->cpus <= FEW_CPUS && !in->have_ab))) {
		body.rows--;
		l.pane[LAYOUT_VARIANTS] = rect(body.row + body.rows, 0, 1, cols);
	}
	layout_one(&l, body, in);
	return l;
}

struct layout layout_zoom(unsigned cols, unsigned rows, enum layout_pane pane)
{
	struct layout l = {.size = class_of(cols, rows)};
	int header = rows >= M_ROWS && cols >= M_COLS ? 3 : rows >= S_ROWS ? 2 : rows >= 4;

	l.pane[pane] = layout_chrome(&l, (int)cols, (int)rows, header);
	return l;
}
