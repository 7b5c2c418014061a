/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A histogram's buckets as columns of cells on a log2 axis.
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

#endif
