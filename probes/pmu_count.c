/* SPDX-License-Identifier: MIT */
/*
 * Differences of readings. All three numbers of a counter are taken as differences first and scaled
 * then: scaling the totals would let old shares of time colour new counts.
 */
#include "probes/pmu_count.h"

static struct pmu_delta missing(enum reason why)
{
	return (struct pmu_delta){.count = value_missing(why)};
}

struct pmu_delta pmu_delta(const struct pmu_count *from, const struct pmu_count *to)
{
	struct pmu_delta d;

	if (from->why != WHY_OK)
		return missing((enum reason)from->why);
	if (to->why != WHY_OK)
		return missing((enum reason)to->why);
	if (to->value < from->value || to->enabled_ns < from->enabled_ns ||
	    to->running_ns < from->running_ns)
		return missing(WHY_LOST);
	d.enabled_ns = (double)(to->enabled_ns - from->enabled_ns);
	d.running_ns = (double)(to->running_ns - from->running_ns);
	d.count = value_of((double)(to->value - from->value));
	if (d.running_ns >= d.enabled_ns)
		return d;
	if (d.running_ns == 0)
		return missing(WHY_NOT_SCHEDULED);
	d.count.v *= d.enabled_ns / d.running_ns;
	d.count.why = WHY_SCALED;
	return d;
}

void pmu_delta_add(struct pmu_delta *sum, const struct pmu_delta *x)
{
	if (!value_known(sum->count))
		return;
	if (!value_known(x->count)) {
		*sum = missing(x->count.why);
		return;
	}
	sum->count.v += x->count.v;
	sum->enabled_ns += x->enabled_ns;
	sum->running_ns += x->running_ns;
	if (x->count.why == WHY_SCALED)
		sum->count.why = WHY_SCALED;
}

struct value pmu_delta_running(const struct pmu_delta *d)
{
	if (!value_known(d->count))
		return value_missing(d->count.why);
	if (d->running_ns >= d->enabled_ns)
		return value_of(1);
	return value_of(d->running_ns / d->enabled_ns);
}
