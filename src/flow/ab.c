/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps the windows of A and B, and says what is known of a metric.
 *
 * Mean and spread are computed in two passes over the windows that are kept: their number is small,
 * and what is forgotten leaves no rounding behind.
 */
#include "src/flow/ab.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const struct {
	const char *name, *unit;
} metrics[AB_METRICS] = {
	[AB_OPS_PER_S] = {"throughput", "op/s"}, [AB_WAIT_P50] = {"wait p50", "ns"},
	[AB_WAIT_P99] = {"wait p99", "ns"},      [AB_HOLD_P50] = {"hold p50", "ns"},
	[AB_FAIRNESS] = {"fairness", ""},
};

static void switches_check(struct ab *ab)
{
	if (ab->side[AB_A].count || ab->side[AB_B].count)
		return;
	ab->switches = 0;
	ab->counted = false;
}

void ab_set(struct ab *ab, enum ab_name name, const struct config *c)
{
	struct ab_side *side = &ab->side[name];

	if (side->set && config_equal(&side->config, c))
		return;
	side->set = true;
	side->config = *c;
	side->count = 0;
	switches_check(ab);
}

void ab_clear(struct ab *ab)
{
	for (unsigned i = 0; i < AB_SIDES; i++)
		ab->side[i].count = 0;
	switches_check(ab);
}

void ab_trial(struct ab *ab)
{
	ab->counted = false;
}

unsigned ab_add(struct ab *ab, const struct config *c, const struct ab_window *w)
{
	unsigned took = 0;

	for (unsigned i = 0; i < AB_SIDES; i++) {
		struct ab_side *side = &ab->side[i];

		if (!side->set || !config_equal(&side->config, c))
			continue;
		side->window[side->count % AB_WINDOWS] = *w;
		side->count++;
		took++;
	}
	if (took && !ab->counted) {
		ab->switches++;
		ab->counted = true;
	}
	return took;
}

static unsigned kept(const struct ab_side *side)
{
	return side->count < AB_WINDOWS ? side->count : AB_WINDOWS;
}

/* The @i-th window that is kept, oldest first. */
static struct value nth(const struct ab_side *side, enum ab_metric metric, unsigned i)
{
	unsigned first = side->count - kept(side);

	return side->window[(first + i) % AB_WINDOWS].value[metric];
}

/* What the windows are, except for their spread. Returns the sum of the known ones. */
static double values_walk(struct ab_stat *st, const struct ab_side *side, enum ab_metric metric)
{
	double sum = 0;

	for (unsigned i = 0; i < kept(side); i++) {
		struct value v = nth(side, metric, i);

		if (!value_known(v)) {
			if (!st->missing++ && !st->n)
				st->mean = st->min = st->max = v;
			continue;
		}
		if (!st->n++)
			st->min = st->max = value_of(v.v);
		st->min.v = fmin(st->min.v, v.v);
		st->max.v = fmax(st->max.v, v.v);
		sum += v.v;
	}
	return sum;
}

struct ab_stat ab_stat(const struct ab_side *side, enum ab_metric metric)
{
	const struct value none = value_missing(WHY_NOT_YET);
	struct ab_stat st = {.mean = none, .sd = none, .min = none, .max = none};
	double sum = values_walk(&st, side, metric), squares = 0, rest = 0;

	if (!st.n)
		return st;
	st.mean = value_of(sum / st.n);
	if (st.n < 2)
		return st;
	for (unsigned i = 0; i < kept(side); i++) {
		struct value v = nth(side, metric, i);

		if (!value_known(v))
			continue;
		squares += (v.v - st.mean.v) * (v.v - st.mean.v);
		rest += v.v - st.mean.v;
	}
	/* What rounding left in the mean is taken out: T. Chan, G. Golub, R. LeVeque, 1983. */
	st.sd = value_of(sqrt(fmax(squares - rest * rest / st.n, 0) / (st.n - 1)));
	return st;
}

struct value ab_change(const struct ab *ab, enum ab_metric metric)
{
	struct value a = ab_stat(&ab->side[AB_A], metric).mean;
	struct value ratio = value_ratio(ab_stat(&ab->side[AB_B], metric).mean, a);

	if (!value_known(a))
		return a;
	if (value_known(ratio))
		ratio.v -= 1;
	return ratio;
}

const char *ab_metric_name(enum ab_metric metric)
{
	assert((unsigned)metric < AB_METRICS);
	return metrics[metric].name;
}

const char *ab_metric_unit(enum ab_metric metric)
{
	assert((unsigned)metric < AB_METRICS);
	return metrics[metric].unit;
}
