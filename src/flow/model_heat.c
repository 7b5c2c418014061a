/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The heat map: how long the waits were that ended between two history samples.
 */
#include "src/flow/model_parts.h"

#include <math.h>
#include <string.h>

/* Samples are a refresh apart; after a frozen screen a column would hold what was not shown. */
static const double late_looks = 3;

static unsigned row_of(double ns)
{
	const int lowest = 4; /* 16 ns */
	int row = ns >= 16 ? ilogb(ns) - lowest : 0;

	return row < MODEL_HEAT_ROWS ? (unsigned)row : MODEL_HEAT_ROWS - 1;
}

/* All waits of the phase so far, by row. Returns false if there are none to be had. */
static bool rows_take(const struct model *m, struct model_heat_mark *out)
{
	const struct hist *h = &m->wait[0].hist;

	memset(out->count, 0, sizeof(out->count));
	if (!m->role_count || m->plan.measure == PAGE_MEASURE_OFF || !(m->tick_hz > 0))
		return false;
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		if (!(h->used_mask >> (i >> HIST_SUB_BITS) & 1)) {
			i |= HIST_BLOCK_BUCKETS - 1; /* on to the next block */
			continue;
		}
		if (h->bucket[i]) {
			double mid = ((double)hist_lower(i) + (double)hist_upper(i) - 1) / 2;

			out->count[row_of(mid * 1e9 / m->tick_hz)] += h->bucket[i];
		}
	}
	return true;
}

/*
 * @out = @cur - the counts before. Returns false if they are not of one phase, or more than @late_s
 * apart.
 */
static bool column_make(struct model_heat *out, const struct model *m,
			const struct model_heat_mark *cur, double late_s)
{
	const struct model_heat_mark *prev = &m->heat_mark;
	double apart_s = (double)(int64_t)(cur->taken_ticks - prev->taken_ticks) / m->tick_hz;

	if (!cur->known || !prev->known || cur->warming != prev->warming || apart_s < 0 ||
	    apart_s > late_s)
		return false;
	for (unsigned i = 0; i < MODEL_HEAT_ROWS; i++) {
		uint64_t grown = cur->count[i] - prev->count[i];

		if (cur->count[i] < prev->count[i])
			return false;
		out->count[i] = grown > UINT32_MAX ? UINT32_MAX : (uint32_t)grown;
	}
	return true;
}

void model_heat_add(struct model *m, const struct model_input *in)
{
	struct model_heat *column = &m->heat[m->sample_count % MODEL_HISTORY];
	struct model_heat_mark now = {.warming = m->figures_warming,
				      .taken_ticks = in->snap->taken_ticks};
	struct model_heat made = {0};

	now.known = rows_take(m, &now);
	made.known = value_known(m->ops_per_s) &&
		     column_make(&made, m, &now, late_looks * model_look_s(m, in));
	if (!made.known)
		made = (struct model_heat){0};
	*column = made;
	m->heat_mark = now;
}

void model_heat_gap(struct model *m)
{
	m->heat[m->sample_count % MODEL_HISTORY] = (struct model_heat){0};
	m->heat_mark.known = false;
}
