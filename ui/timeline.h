/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which samples of the history a column of cells stands for: the same for all panes over time.
 *
 * A column holds a fixed number of samples, counted from the first one ever: columns only move
 * left, they never change when new samples come.
 */
#ifndef HOTLINE_UI_TIMELINE_H
#define HOTLINE_UI_TIMELINE_H

#include "src/flow/model.h"

enum { TIMELINE_GUTTER = 7 }; /* "4.20M ┤": cells in front of the columns, in all panes */

/* Column c >= lead holds the samples [first + (c - lead) * per, ... + per). */
struct timeline {
	uint64_t first; /* of the first column that has samples */
	int lead;       /* columns at the left that no sample belongs to */
	unsigned per;   /* samples a column */
	int cols;
};

/* @cols: columns, 1 and more. Pure. */
struct timeline timeline_make(const struct model *m, int cols);

/* The first sample of column @c, c >= lead. Some of its samples may not be kept any more. */
uint64_t timeline_sample(const struct timeline *t, int c);

/* True if @sample is kept: it is one of the last MODEL_HISTORY. */
bool timeline_kept(const struct model *m, uint64_t sample);

/* The column of @sample, or -1 if it lies left of all. */
int timeline_column(const struct timeline *t, uint64_t sample);

/* What all columns together span, in seconds. */
double timeline_seconds(const struct timeline *t, const struct model *m);

#endif
