/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples of refreshes that came late or not at all: a column of the history stays a fixed time
 * wide.
 */
#include "src/flow/model.h"

#include <math.h>

/* Part @i of @n of a column: together they are the whole. */
static struct model_heat heat_part(const struct model_heat *column, unsigned i, unsigned n)
{
	struct model_heat part = {.known = column->known};

	for (unsigned r = 0; r < MODEL_HEAT_ROWS; r++)
		part.count[r] = column->count[r] / n + (i < column->count[r] % n);
	return part;
}

void model_repeat(struct model *m, unsigned n)
{
	const uint64_t newest = m->sample_count - 1;
	const struct model_heat heat = m->heat[newest % MODEL_HISTORY];

	if (!m->sample_count || n < 2)
		return;
	for (unsigned i = 0; i < n; i++) {
		const uint64_t to = newest + i;

		m->history[to % MODEL_HISTORY] = m->history[newest % MODEL_HISTORY];
		m->heat[to % MODEL_HISTORY] = heat_part(&heat, i, n);
		for (unsigned k = 0; k < m->cpu_count; k++)
			m->cpu[k].history[to % MODEL_CPU_HISTORY] =
				m->cpu[k].history[newest % MODEL_CPU_HISTORY];
	}
	m->sample_count = newest + n;
}

void model_gap(struct model *m, unsigned n)
{
	/* A mark of what comes next stays in front of it. */
	for (unsigned i = 0; i < m->mark_count; i++)
		if (m->mark[i].sample >= m->sample_count)
			m->mark[i].sample += n;
	for (unsigned i = 0; i < n; i++, m->sample_count++) {
		m->history[m->sample_count % MODEL_HISTORY] = NAN;
		m->heat[m->sample_count % MODEL_HISTORY] = (struct model_heat){0};
		for (unsigned k = 0; k < m->cpu_count; k++)
			m->cpu[k].history[m->sample_count % MODEL_CPU_HISTORY] = NAN;
	}
}
