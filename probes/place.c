/* SPDX-License-Identifier: MIT */
/*
 * Orders CPUs by policy: every policy is a sort by a key of a few indices.
 *
 * Ranks are counted within the CPUs at hand, not taken from the machine: where the first hardware
 * thread of a core is not allowed, its sibling is the one that stands for the core.
 */
#include "probes/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 4 };

/* A CPU at hand. Lives for one call. */
struct seat {
	const struct topology_cpu *c;
	int rank;      /* hardware threads of its core in front of it, among the seats */
	int position;  /* spread only: its place as the level below left it */
	int key[KEYS]; /* what the next sort looks at, most important first */
};

/* What spread takes turns over, innermost first. */
enum level { LEVEL_LLC, LEVEL_NUMA, LEVEL_PACKAGE, LEVEL_MACHINE };

static const char *const names[PLACE_COUNT] = {
	[PLACE_SPREAD] = "spread", [PLACE_PACK] = "pack",       [PLACE_SMT] = "smt",
	[PLACE_CORE] = "core",     [PLACE_PACKAGE] = "package", [PLACE_NONE] = "none",
};

const char *place_name(enum place_policy p)
{
	return names[p];
}

int place_parse(const char *name, enum place_policy *out)
{
	for (int p = 0; p < PLACE_COUNT; p++) {
		if (strcmp(name, names[p]) == 0) {
			*out = (enum place_policy)p;
			return 0;
		}
	}
	return -EINVAL;
}

static int seat_compare(const void *a, const void *b)
{
	const struct seat *x = a, *y = b;

	for (int i = 0; i < KEYS; i++) {
		if (x->key[i] != y->key[i])
			return x->key[i] < y->key[i] ? -1 : 1;
	}
	return x->c->cpu < y->c->cpu ? -1 : x->c->cpu > y->c->cpu;
}

static void seats_sort(struct seat *seat, unsigned count)
{
	qsort(seat, count, sizeof(*seat), seat_compare);
}

static void key_set(struct seat *s, int first, int second, int third, int fourth)
{
	s->key[0] = first;
	s->key[1] = second;
	s->key[2] = third;
	s->key[3] = fourth;
}

static bool same_core(const struct seat *a, const struct seat *b)
{
	return a->c->core >= 0 && a->c->core == b->c->core;
}

/* Cores in the tree's order, each with all its hardware threads; sets the ranks. */
static void pack_sort(struct seat *seat, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		key_set(&seat[i], seat[i].c->package, seat[i].c->llc, seat[i].c->core, 0);
	seats_sort(seat, count);
	for (unsigned i = 0; i < count; i++)
		seat[i].rank = i && same_core(&seat[i - 1], &seat[i]) ? seat[i - 1].rank + 1 : 0;
}

/* From pack order: one thread of every core first, siblings last. */
static void core_sort(struct seat *seat, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		key_set(&seat[i], seat[i].rank, seat[i].c->package, seat[i].c->llc,
			seat[i].c->core);
	seats_sort(seat, count);
}

/* From pack order: one package after the other, siblings last in each. */
static void package_sort(struct seat *seat, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		key_set(&seat[i], seat[i].c->package, seat[i].rank, seat[i].c->llc,
			seat[i].c->core);
	seats_sort(seat, count);
}

static int group_of(const struct seat *s, enum level level)
{
	switch (level) {
	case LEVEL_LLC:
		return s->c->llc;
	case LEVEL_NUMA:
		return s->c->numa_node;
	case LEVEL_PACKAGE:
		return s->c->package;
	case LEVEL_MACHINE:
		return 0;
	}
	return 0;
}

/* Within each group of the level above, takes the groups of @level in turns. */
static void turns_take(struct seat *seat, unsigned count, enum level level)
{
	for (unsigned i = 0; i < count; i++)
		key_set(&seat[i], seat[i].rank, group_of(&seat[i], level + 1),
			group_of(&seat[i], level), seat[i].position);
	seats_sort(seat, count);
	for (unsigned i = 0; i < count; i++) {
		bool same = i && memcmp(seat[i].key, seat[i - 1].key, 3 * sizeof(int)) == 0;

		seat[i].position = same ? seat[i - 1].position + 1 : 0;
	}
	for (unsigned i = 0; i < count; i++)
		key_set(&seat[i], seat[i].rank, seat[i].key[1], seat[i].position, seat[i].key[2]);
	seats_sort(seat, count);
	for (unsigned i = 0; i < count; i++)
		seat[i].position = (int)i;
}

/* From pack order: packages in turns, within each its NUMA nodes, caches, cores; siblings last. */
static void spread_sort(struct seat *seat, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		seat[i].position = (int)i;
	for (enum level level = LEVEL_LLC; level < LEVEL_MACHINE; level++)
		turns_take(seat, count, level);
}

/* From pack order: drops cores with one seat only. Returns how many seats are left. */
static unsigned siblings_keep(struct seat *seat, unsigned count)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < count; i++) {
		/* A seat behind i has not been overwritten yet, and ranks tell what was before. */
		bool more = i + 1 < count && same_core(&seat[i], &seat[i + 1]);

		if (more || seat[i].rank > 0)
			seat[kept++] = seat[i];
	}
	return kept;
}

static int cpu_refuse(const struct topology *t, int cpu, const char *why, struct err *e)
{
	int *allowed = calloc(t->allowed_count + 1, sizeof(*allowed));
	unsigned count = 0;
	char list[96];

	if (!allowed)
		return err_set(e, -ENOMEM, "placement: out of memory");
	for (unsigned i = 0; i < t->cpu_count && count < t->allowed_count; i++) {
		if (t->cpu[i].allowed)
			allowed[count++] = t->cpu[i].cpu;
	}
	cpulist_format(allowed, count, list, sizeof(list));
	free(allowed);
	return err_set(e, -ENODEV, "placing threads on CPU %d: %s (allowed: %s)", cpu, why,
		       count ? list : "none");
}

/* The CPUs the request names, in its order. @seat: t->cpu_count of them. */
static int wanted_collect(const struct topology *t, const struct place_request *rq,
			  struct seat *seat, struct err *e)
{
	bool *taken = calloc(t->cpu_count + 1, sizeof(*taken));
	int rc = taken ? 0 : err_set(e, -ENOMEM, "placement: out of memory");

	for (unsigned i = 0; i < rq->want_count && !rc; i++) {
		const struct topology_cpu *c = topology_find(t, rq->want[i]);

		if (!c)
			rc = cpu_refuse(t, rq->want[i], "it does not exist", e);
		else if (!c->online)
			rc = cpu_refuse(t, c->cpu, "it is offline", e);
		else if (!c->allowed)
			rc = cpu_refuse(t, c->cpu, "not allowed by the cpuset or affinity mask", e);
		else if (taken[c - t->cpu])
			rc = err_set(e, -EINVAL, "placement: CPU %d is listed twice", c->cpu);
		else
			taken[c - t->cpu] = true;
		if (!rc)
			seat[i].c = c;
	}
	free(taken);
	return rc ? rc : (int)rq->want_count;
}

/* All allowed CPUs by id. @seat: t->cpu_count of them. */
static int allowed_collect(const struct topology *t, struct seat *seat, struct err *e)
{
	int count = 0;

	for (unsigned i = 0; i < t->cpu_count; i++) {
		if (t->cpu[i].allowed)
			seat[count++].c = &t->cpu[i];
	}
	if (!count)
		return err_set(e, -ENODEV, "placement: no CPU is both online and allowed");
	return count;
}

/* From pack order, which it keeps. */
static int smt_sort(struct seat *seat, unsigned count, bool listed, struct err *e)
{
	count = siblings_keep(seat, count);
	if (!count)
		return err_set(e, -ENOTSUP,
			       "placement smt: no core has two hardware threads %s (%s)",
			       listed ? "in the CPU list" : "that are online and allowed",
			       listed ? "list siblings, see `hotline topology`"
				      : "turn SMT on, or choose another placement");
	return (int)count;
}

/* Puts the seats in the policy's order. Returns how many are left, or -ENOTSUP. */
static int policy_sort(const struct place_request *rq, struct seat *seat, unsigned count,
		       struct err *e)
{
	bool listed = rq->want_count > 0;

	if (rq->policy == PLACE_NONE)
		return (int)count;
	if (rq->policy == PLACE_SPREAD && rq->keep_order && listed)
		return (int)count;
	pack_sort(seat, count);
	switch (rq->policy) {
	case PLACE_SPREAD:
		spread_sort(seat, count);
		break;
	case PLACE_CORE:
		core_sort(seat, count);
		break;
	case PLACE_PACKAGE:
		package_sort(seat, count);
		break;
	case PLACE_SMT:
		return smt_sort(seat, count, listed, e);
	case PLACE_PACK:
	case PLACE_NONE:
	case PLACE_COUNT:
		break;
	}
	return (int)count;
}

int place_order(const struct topology *t, const struct place_request *rq, int *out,
		unsigned out_max, struct err *e)
{
	/* A list longer than the machine must name a CPU twice: found before a seat runs out. */
	struct seat *seat = calloc(t->cpu_count + 1, sizeof(*seat));
	int count;

	if (!seat)
		return err_set(e, -ENOMEM, "placement: out of memory");
	if (rq->want_count)
		count = wanted_collect(t, rq, seat, e);
	else
		count = allowed_collect(t, seat, e);
	if (count > 0)
		count = policy_sort(rq, seat, (unsigned)count, e);
	if (count > 0 && (unsigned)count > out_max)
		count = err_set(e, -ERANGE, "placement: room for %u of %d CPUs", out_max, count);
	for (int i = 0; i < count; i++)
		out[i] = seat[i].c->cpu;
	free(seat);
	return count;
}

int place_threads(const struct topology *t, const struct place_request *rq, int *out, struct err *e)
{
	int *order = malloc((t->cpu_count + 1) * sizeof(*order));
	int count;

	if (!order)
		return err_set(e, -ENOMEM, "placement: out of memory");
	count = place_order(t, rq, order, t->cpu_count, e);
	for (unsigned i = 0; i < rq->threads && count > 0; i++)
		out[i] = rq->policy == PLACE_NONE ? -1 : order[i % (unsigned)count];
	free(order);
	return count < 0 ? count : 0;
}
