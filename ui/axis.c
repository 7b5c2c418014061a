/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a record falls on the axis, and what the axis must span.
 *
 * A boundary between cells is moved to the middle between two multiples of the resolution, so that
 * a value the clock can show never lies on one.
 */
#include "ui/axis.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "src/text.h"

double axis_begin(const struct axis *a, int i)
{
	return exp2(a->octave + (double)i / a->per_octave);
}

/* axis_begin() moved between two multiples of the resolution. */
static double axis_edge(const struct axis *a, int i)
{
	double v = axis_begin(a, i);

	if (!(a->resolution > 0))
		return v;
	return (ceil(v / a->resolution - 1e-9) - 0.5) * a->resolution;
}

/* The middle of a bucket of whole numbers. */
static double bucket_middle(unsigned i)
{
	return ((double)hist_lower(i) + (double)hist_upper(i) - 1) / 2;
}

/* Calls for each non-empty bucket: @i goes up; returns false at the end. */
static bool bucket_next(const struct hist *h, unsigned *i)
{
	for (; *i < HIST_BUCKETS; ++*i) {
		if (!(h->used_mask >> (*i / HIST_BLOCK_BUCKETS) & 1))
			*i |= HIST_BLOCK_BUCKETS - 1;
		else if (h->bucket[*i])
			return true;
	}
	return false;
}

/*
 * Sets octave and per_octave: as asked, but wider or moved so that the records are inside if they
 * can be.
 */
static void axis_place(struct axis *a, const struct axis_request *rq, const struct hist *h)
{
	double lowest = 0, highest = 0;

	a->octave = rq->octave;
	a->per_octave = a->cells >= 8 * rq->octaves ? 8 : a->cells >= 4 * rq->octaves ? 4 : 2;
	for (unsigned i = 0; bucket_next(h, &i); i++) {
		double v = bucket_middle(i) * rq->unit;

		if (v >= 1 && lowest <= 0)
			lowest = v;
		highest = v;
	}
	if (lowest <= 0)
		return;

	/* Even octaves, so that the labels stay powers of four. */
	int first = ilogb(lowest) & ~1;
	int last = ilogb(highest);

	if (first < a->octave)
		a->octave = first;
	while (a->per_octave > 2 && last >= a->octave + a->cells / a->per_octave)
		a->per_octave /= 2;
	if (last >= a->octave + a->cells / a->per_octave) {
		int fits = (last - a->cells / a->per_octave + 2) & ~1;

		a->octave = fits < first ? fits : first > a->octave ? first : a->octave;
	}
}

static void axis_fill(struct axis *a, double unit, const struct hist *h)
{
	double begin = axis_edge(a, 0), end = axis_edge(a, a->cells);

	for (unsigned i = 0; bucket_next(h, &i); i++) {
		double v = bucket_middle(i) * unit;
		int cell;

		a->total += h->bucket[i];
		if (v < begin) {
			a->under += h->bucket[i];
			continue;
		}
		if (v >= end) {
			a->over += h->bucket[i];
			continue;
		}
		cell = (int)((log2(v) - a->octave) * a->per_octave);
		cell = cell < 0 ? 0 : cell >= a->cells ? a->cells - 1 : cell;
		while (cell > 0 && v < axis_edge(a, cell))
			cell--;
		while (cell < a->cells - 1 && v >= axis_edge(a, cell + 1))
			cell++;
		a->count[cell] += h->bucket[i];
	}
}

void axis_make(struct axis *a, const struct axis_request *rq, const struct hist *h)
{
	memset(a, 0, sizeof(*a));
	a->cells = rq->cells < 1 ? 1 : rq->cells > AXIS_CELLS ? AXIS_CELLS : rq->cells;
	a->resolution = rq->resolution;
	axis_place(a, rq, h);
	axis_fill(a, rq->unit, h);
	for (int i = 0; i < a->cells; i++) {
		/* An empty cell belongs to the one in front of it. */
		if (i && axis_edge(a, i + 1) <= axis_edge(a, i))
			a->count[i] = a->count[i - 1];
		if (a->count[i] > a->peak)
			a->peak = a->count[i];
	}
}

/* The smallest of 1, 2, 5, 10, ... that is @v at least, but for rounding. */
static double round_above(double v)
{
	double decade = pow(10, floor(log10(v)));

	for (int i = 0; i < 3; i++) {
		static const double digit[] = {1, 2, 5};

		if (v <= digit[i] * decade * (1 + 1e-9))
			return digit[i] * decade;
	}
	return 10 * decade;
}

struct axis_scale axis_scale_make(double highest, int rows)
{
	enum { LABELS = 6 }; /* not more than these */
	const int least = (rows + LABELS - 1) / LABELS;
	/* Two labels at least, three where there is room. */
	const int last = rows <= 3 ? rows - 1 : rows <= 6 ? rows / 2 : (rows - 1) / 2;
	struct axis_scale best = {.rows = rows, .every = 1, .step = round_above(highest)};

	best.top = best.step;
	/* A few ways to space labels, so that the top is near: more would change it too often. */
	for (int every = least; every <= last; every += (least + 2) / 3) {
		double step = round_above(highest * every / rows);
		double top = step * rows / every;

		if (every == least || top < best.top * (1 - 1e-9))
			best = (struct axis_scale){rows, every, step, top};
	}
	return best;
}

char *axis_number(double v, char *buf, unsigned size)
{
	char text[16];
	size_t end;

	text_si(v, text, sizeof(text));
	end = strspn(text, "0123456789.");
	if (memchr(text, '.', end)) {
		size_t digits = end;

		while (text[digits - 1] == '0')
			digits--;
		if (text[digits - 1] == '.')
			digits--;
		memmove(text + digits, text + end, strlen(text + end) + 1);
	}
	snprintf(buf, size, "%s", text);
	return buf;
}

char *axis_scale_label(const struct axis_scale *a, int i, char *buf, unsigned size)
{
	if (i % a->every == 0)
		return axis_number(a->rows > 1 ? a->step * i / a->every : a->top, buf, size);
	buf[0] = '\0';
	return buf;
}
