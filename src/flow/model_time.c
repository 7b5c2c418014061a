/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the threads' time goes: waiting, holding, outside.
 *
 * Each share is a mean time per acquisition, times acquisitions a second of thread time: Little's
 * law, threads = rate x (wait + hold + outside). Means come from stamped ops, the rate from all, so
 * the sum is 1 only if the stamped ops are like the others: that is the check.
 * Source: J. D. C. Little, Operations Research 9(3), 1961.
 */
#include "src/flow/model_parts.h"

#include <math.h>

#include "src/flow/round_parts.h"

/* A trial that has just begun has starved nobody. */
static const double idle_after_s = 0.5;

static struct value share(const struct round_dist *d, struct value acquires_per_s)
{
	if (!value_known(d->mean_ns))
		return d->mean_ns;
	if (!value_known(acquires_per_s))
		return acquires_per_s;
	return value_of(d->mean_ns.v / 1e9 * acquires_per_s.v);
}

/*
 * Operations a second of thread time. Threads of a busy machine neither begin nor end together, so
 * this is a little more than the round's rate over their number.
 */
static struct value thread_rate(const struct model *m, const struct snap *s, struct value ops_per_s)
{
	double ops = 0, ticks = 0;

	for (unsigned i = 0; i < s->thread_count; i++) {
		const struct snap_row *row = round_thread_row(&s->thread[i]);

		ops += row ? (double)row->ops : 0;
		ticks += row ? round_thread_ticks(&s->thread[i]) : 0;
	}
	if (ticks > 0 && m->tick_hz > 0)
		return value_of(ops * m->tick_hz / ticks);
	return value_ratio(ops_per_s, value_of(m->config.threads));
}

/* Between two stamped ops lies nothing but the time outside. */
static bool every_op_is_stamped(const struct model *m, const struct snap *s)
{
	return m->plan.measure == PAGE_MEASURE_EVERY ||
	       (!m->figures_warming && s->lab.sample_n == 1);
}

static void outside_make(struct model *m, struct value measured)
{
	double rest;

	if (!value_known(m->wait_ratio) || !value_known(m->hold_ratio)) {
		m->outside_ratio = value_known(m->wait_ratio) ? m->hold_ratio : m->wait_ratio;
		return;
	}
	rest = 1 - m->wait_ratio.v - m->hold_ratio.v;
	if (value_known(measured)) {
		m->outside_measured = true;
		m->outside_ratio = measured;
		m->sums_disagree = fabs(rest - measured.v) > MODEL_SHARE_TOLERANCE;
		return;
	}
	m->sums_disagree = rest < -MODEL_SHARE_TOLERANCE;
	m->outside_ratio =
		m->sums_disagree ? value_missing(WHY_UNRESOLVED) : value_of(rest > 0 ? rest : 0);
}

/* More than all time is no share: the ops are shorter than what their stamps take. */
static struct value possible(struct value ratio)
{
	if (value_known(ratio) && ratio.v > 1 + MODEL_SHARE_TOLERANCE)
		return (struct value){.v = 1, .why = WHY_UNRESOLVED};
	return ratio;
}

/* Nothing has come of the thread, neither ops, published in batches, nor a stamped one. */
static bool is_idle(const struct snap_thread *t, double hz)
{
	const struct snap_row *row = round_thread_row(t), *lock = round_lock_row(t, 0);

	return row && round_thread_ticks(t) >= idle_after_s * hz && !row->ops &&
	       !(lock && lock->a.used_mask);
}

void model_time_update(struct model *m, const struct snap *s, struct value ops_per_s)
{
	struct value rate = thread_rate(m, s, ops_per_s), gap = value_missing(WHY_NOT_YET);

	m->wait_ratio = m->hold_ratio = m->outside_ratio = gap;
	m->outside_measured = m->sums_disagree = false;
	m->threads_idle = 0;
	for (unsigned i = 0; i < s->thread_count; i++)
		m->threads_idle += is_idle(&s->thread[i], m->tick_hz);
	if (!m->role_count || !s->role_count || !m->config.threads)
		return;
	rate.v *= s->lab.role[0].acquires_per_op ? s->lab.role[0].acquires_per_op : 1;
	m->wait_ratio = share(&m->wait[0].stat, rate);
	m->hold_ratio = share(&m->hold[0].stat, rate);
	if (every_op_is_stamped(m, s))
		gap = share(&m->gap.stat, rate);
	outside_make(m, gap);
	m->wait_ratio = possible(m->wait_ratio);
	m->hold_ratio = possible(m->hold_ratio);
	m->outside_ratio = possible(m->outside_ratio);
	/* In the warm-up the means are of all of it, the rate is of its last interval. */
	if (m->figures_warming)
		m->sums_disagree = false;
}
