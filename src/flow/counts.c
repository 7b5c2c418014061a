/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums and ratios of counters. Pure: no kernel, no clock.
 */
#include "src/flow/counts.h"

void counts_zero(struct pmu_delta *sum, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sum[i] = (struct pmu_delta){.count = value_of(0)};
}

void counts_missing(struct pmu_delta *out, unsigned n, enum reason why)
{
	for (unsigned i = 0; i < n; i++)
		out[i] = (struct pmu_delta){.count = value_missing(why)};
}

void counts_diff(struct pmu_delta *out, const struct pmu_count *from, const struct pmu_count *to,
		 unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		out[i] = pmu_delta(&from[i], &to[i]);
}

void counts_add(struct pmu_delta *sum, const struct pmu_delta *x, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		pmu_delta_add(&sum[i], &x[i]);
}

/* The count of a role; WHY_UNSUPPORTED if no event has it. */
static struct value count_of(const struct pmu_list *l, const struct pmu_delta *c,
			     enum pmu_role role)
{
	int i = l ? pmu_list_find(l, role) : -1;

	return i < 0 ? value_missing(WHY_UNSUPPORTED) : c[i].count;
}

void counts_derive(struct counts *out, const struct pmu_list *l, const struct pmu_delta *c,
		   struct value ops, struct value seconds)
{
	out->ipc = value_ratio(count_of(l, c, PMU_INSTRUCTIONS), count_of(l, c, PMU_CYCLES));
	out->transfers_per_op = value_ratio(count_of(l, c, PMU_TRANSFERS), ops);
	out->misses_per_op = value_ratio(count_of(l, c, PMU_MISSES), ops);
	out->bus_cycles_per_op = value_ratio(count_of(l, c, PMU_BUS_CYCLES), ops);
	out->switches_per_s = value_ratio(count_of(l, c, PMU_SWITCHES), seconds);
}
