/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Axes: a histogram's buckets as columns of cells on a log2 axis; a linear one with round labels.
 *
 * Cells narrower than the clock's resolution are merged, so nothing finer than what was measured is
 * drawn: a merged column is several cells wide and holds one count.
 */
#ifndef HOTLINE_UI_AXIS_H
#define HOTLINE_UI_AXIS_H

#include "probes/hist.h"

#include <stdint.h>

enum { AXIS_CELLS = 512 };

/* Made by axis_make(); about 12 KiB, on the caller's stack. */
struct axis {
	int cells;                  /* 1..AXIS_CELLS */
	int per_octave;             /* cells an octave: 2, 4 or 8 */
	int octave;                 /* the first cell begins at 2^octave */
	double resolution;          /* smallest difference that is real, in units of the axis */
	uint64_t count[AXIS_CELLS]; /* of a cell, or of the merged cells it belongs to */
	uint64_t under, over;       /* records outside */
	uint64_t total, peak;       /* records; the largest count of a cell */
};

/*
 * Lays out an axis of @cells cells (more than AXIS_CELLS are not used) and fills it.
 * @octave: where it begins unless the records lie elsewhere; @octaves: how many it should show.
 * @unit: axis units per histogram unit (ns per tick, or 1); @resolution: in axis units.
 * Cost: the blocks in use, and one log2 a non-empty bucket.
 */
struct axis_request {
	int cells, octave, octaves;
	double unit, resolution;
};
void axis_make(struct axis *a, const struct axis_request *rq, const struct hist *h);

/* The value at which cell @i begins, before merging: 2^(octave + i / per_octave). */
double axis_begin(const struct axis *a, int i);

/*
 * A linear axis from 0 at the bottom edge of @rows rows: a label every @every rows, each standing
 * in the row whose bottom edge is its value.
 */
struct axis_scale {
	int rows, every;
	double step; /* between two labels: 1, 2 or 5 times a power of ten */
	double top;  /* at the upper edge of the highest row */
};

/* The lowest such axis that holds 0..@highest in @rows rows, both > 0. Pure. */
struct axis_scale axis_scale_make(double highest, int rows);

/* text_si() without zeros behind the dot: "500k", "2.5M". Returns @buf. */
char *axis_number(double v, char *buf, unsigned size);

/*
 * The label of row @i, counted from the bottom; "" for a row without one. An
 * axis of a single row has its top as label. Returns @buf.
 */
char *axis_scale_label(const struct axis_scale *a, int i, char *buf, unsigned size);

#endif
