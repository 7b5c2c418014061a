/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns of time. The newest column is the last; it may not be full yet.
 */
#include "ui/timeline.h"

struct timeline timeline_make(const struct model *m, int cols)
{
	struct timeline t = {.cols = cols};
	uint64_t columns;

	t.per = cols < MODEL_HISTORY ? MODEL_HISTORY / (unsigned)cols : 1;
	columns = (m->sample_count + t.per - 1) / t.per;
	if (columns > (uint64_t)cols)
		t.first = (columns - (uint64_t)cols) * t.per;
	else
		t.lead = cols - (int)columns;
	return t;
}

uint64_t timeline_sample(const struct timeline *t, int c)
{
	return t->first + (uint64_t)(c - t->lead) * t->per;
}

bool timeline_kept(const struct model *m, uint64_t sample)
{
	return sample < m->sample_count && m->sample_count - sample <= MODEL_HISTORY;
}

int timeline_column(const struct timeline *t, uint64_t sample)
{
	uint64_t c;

	if (sample < t->first)
		return -1;
	c = (uint64_t)t->lead + (sample - t->first) / t->per;
	return c < (uint64_t)t->cols ? (int)c : -1;
}

double timeline_seconds(const struct timeline *t, const struct model *m)
{
	return (double)t->per * t->cols * (double)m->history_interval_s;
}
