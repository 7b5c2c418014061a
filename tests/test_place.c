/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Placement: known orders, and invariants of every policy on every machine.
 */
#include "probes/place.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { CPUS_MAX = 65536 };

static const struct topology_source sources[] = {
	{.synthetic = "pu:1"},
	{.synthetic = "pu:4"},
	{.synthetic = "package:1 core:2 pu:1"},
	{.synthetic = "package:1 core:4 pu:2"},
	{.synthetic = "package:1 core:3 pu:4"},
	{.synthetic = "package:2 l3:1 core:4 pu:2"},
	{.synthetic = "package:2 numa:2 l3:1 core:4 pu:2"},
	{.synthetic = "package:2 l3:3 core:2 pu:2", .offline_list = "0,5"},
	{.synthetic = "package:2 core:4 pu:2", .allowed_list = "1,3-4,8-15"},
	{.synthetic = "package:2 numa:1 l3:8 core:8 pu:2"},
	{.synthetic = "package:8 numa:1 l3:4 core:16 pu:2"},
	{.synthetic = "package:1 core:5 pu:1(indexes=0,2,5,6,7)"},
	{.xml_path = "tests/topologies/smt-2-packages.xml"},
	{.xml_path = "tests/topologies/smt-2-packages.xml", .offline_list = "0,6,9"},
	{.xml_path = "tests/topologies/hybrid.xml"},
	{.xml_path = "tests/topologies/offline-0-and-3.xml"},
	{.synthetic = NULL}, /* this machine */
};
static const size_t source_count = sizeof(sources) / sizeof(sources[0]);

static void load(struct topology *t, const struct topology_source *src)
{
	struct err e = {0};

	if (topology_init(t, src, &e) != 0)
		fail_msg("%s", e.text);
}

static int *ids_new(const struct topology *t)
{
	int *id = calloc(t->cpu_count + 1, sizeof(*id));

	assert_non_null(id);
	return id;
}

/* How many of the first @count CPUs of @order share the core of @c. */
static unsigned seen_of_core(const struct topology *t, const int *order, unsigned count,
			     const struct topology_cpu *c)
{
	unsigned n = 0;

	for (unsigned i = 0; i < count && c->core >= 0; i++)
		n += topology_find(t, order[i])->core == c->core;
	return n;
}

static void names_expect_round_trip(void **state)
{
	enum place_policy p;

	(void)state;
	for (int i = 0; i < PLACE_COUNT; i++) {
		assert_int_equal(place_parse(place_name((enum place_policy)i), &p), 0);
		assert_int_equal(p, i);
	}
	assert_int_equal(place_parse("", &p), -EINVAL);
	assert_int_equal(place_parse("Spread", &p), -EINVAL);
	assert_int_equal(place_parse("spreads", &p), -EINVAL);
}

static void known_machines_expect_known_orders(void **state)
{
	static const struct {
		struct topology_source src;
		enum place_policy policy;
		const char *order;
	} row[] = {
		{{.xml_path = "tests/topologies/smt-2-packages.xml"},
		 PLACE_SPREAD,
		 "0,4,1,5,2,6,3,7-8,12,9,13,10,14,11,15"},
		{{.xml_path = "tests/topologies/smt-2-packages.xml"},
		 PLACE_PACK,
		 "0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15"},
		{{.xml_path = "tests/topologies/smt-2-packages.xml"},
		 PLACE_SMT,
		 "0,8,1,9,2,10,3,11,4,12,5,13,6,14,7,15"},
		{{.xml_path = "tests/topologies/smt-2-packages.xml"}, PLACE_CORE, "0-15"},
		{{.xml_path = "tests/topologies/smt-2-packages.xml"},
		 PLACE_PACKAGE,
		 "0-3,8-11,4-7,12-15"},
		{{.xml_path = "tests/topologies/smt-2-packages.xml"}, PLACE_NONE, "0-15"},
		/* Packages first, then NUMA nodes, then cores. */
		{{.synthetic = "package:2 numa:2 core:2 pu:1"}, PLACE_SPREAD, "0,4,2,6,1,5,3,7"},
		/* Two caches in one node. */
		{{.synthetic = "package:1 l3:2 core:2 pu:2"}, PLACE_SPREAD, "0,4,2,6,1,5,3,7"},
		/* The smaller package runs out. */
		{{.xml_path = "tests/topologies/offline-0-and-3.xml"}, PLACE_SPREAD, "1,4,2,5-7"},
		/* CPU 8 is alone in its core: no sibling, and the first thread of that core. */
		{{.xml_path = "tests/topologies/smt-2-packages.xml", .offline_list = "0"},
		 PLACE_SMT,
		 "1,9,2,10,3,11,4,12,5,13,6,14,7,15"},
		{{.xml_path = "tests/topologies/smt-2-packages.xml", .offline_list = "0"},
		 PLACE_CORE,
		 "1-3,8,4-7,9-15"},
		{{.xml_path = "tests/topologies/hybrid.xml"}, PLACE_SMT, "0-7"},
		{{.xml_path = "tests/topologies/hybrid.xml"}, PLACE_CORE, "0,2,4,6,8-13,1,3,5,7"},
		{{.synthetic = "core:8 pu:1", .offline_list = "1,3-4"}, PLACE_PACK, "0,2,5-7"},
		{{.synthetic = "core:8 pu:1", .allowed_list = "2-3"}, PLACE_SPREAD, "2-3"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct place_request rq = {.policy = row[i].policy};
		struct topology t;
		int order[16], n;
		char buf[96];

		load(&t, &row[i].src);
		n = place_order(&t, &rq, order, 16, NULL);
		assert_true(n > 0);
		assert_string_equal(cpulist_format(order, (unsigned)n, buf, sizeof(buf)),
				    row[i].order);
		topology_fini(&t);
	}
}

/* Each CPU once, all of them allowed; and all that are allowed, but for smt. */
static void assert_permutation(const struct topology *t, enum place_policy p, const int *order,
			       unsigned count)
{
	bool *seen = calloc(CPUS_MAX, sizeof(*seen));

	assert_non_null(seen);
	for (unsigned i = 0; i < count; i++) {
		const struct topology_cpu *c = topology_find(t, order[i]);

		assert_non_null(c);
		assert_true(c->allowed);
		assert_false(seen[order[i]]);
		seen[order[i]] = true;
	}
	if (p != PLACE_SMT)
		assert_int_equal(count, t->allowed_count);
	free(seen);
}

/* No core has its second thread used before every core has its first, and so on. */
static void assert_siblings_last(const struct topology *t, const int *order, unsigned count)
{
	unsigned rank = 0;

	for (unsigned i = 0; i < count; i++) {
		unsigned seen = seen_of_core(t, order, i, topology_find(t, order[i]));

		assert_true(seen >= rank);
		rank = seen;
	}
}

/* While two packages have cores left, no two neighbours in the order are in one package. */
static void assert_packages_alternate(const struct topology *t, const int *order, unsigned count)
{
	unsigned *left = calloc(t->package_count + 1, sizeof(*left));
	unsigned first_threads = 0;

	assert_non_null(left);
	while (first_threads < count &&
	       !seen_of_core(t, order, first_threads, topology_find(t, order[first_threads]))) {
		left[topology_find(t, order[first_threads])->package + 1]++;
		first_threads++;
	}
	for (unsigned i = 0; i < first_threads; i++) {
		int package = topology_find(t, order[i])->package;
		unsigned others = 0;

		left[package + 1]--;
		for (unsigned p = 0; p <= t->package_count; p++)
			others += p != (unsigned)(package + 1) ? left[p] : 0;
		if (i + 1 < first_threads && others)
			assert_int_not_equal(topology_find(t, order[i + 1])->package, package);
	}
	free(left);
}

/* Every CPU has a sibling in the order, and siblings stand together. */
static void assert_whole_cores(const struct topology *t, const int *order, unsigned count)
{
	unsigned changes = 1, cores = 0;

	for (unsigned i = 0; i < count; i++) {
		const struct topology_cpu *c = topology_find(t, order[i]);

		assert_true(seen_of_core(t, order, count, c) >= 2);
		cores += seen_of_core(t, order, i, c) == 0;
		if (i && topology_find(t, order[i - 1])->core != c->core)
			changes++;
	}
	assert_int_equal(changes, cores);
}

static void assert_packages_together(const struct topology *t, const int *order, unsigned count)
{
	for (unsigned i = 1; i < count; i++)
		assert_true(topology_find(t, order[i - 1])->package <=
			    topology_find(t, order[i])->package);
}

static void assert_policy(const struct topology *t, enum place_policy p, const int *order,
			  unsigned count)
{
	switch (p) {
	case PLACE_SPREAD:
		assert_siblings_last(t, order, count);
		assert_packages_alternate(t, order, count);
		break;
	case PLACE_CORE:
		assert_siblings_last(t, order, count);
		break;
	case PLACE_SMT:
		assert_whole_cores(t, order, count);
		break;
	case PLACE_PACK:
	case PLACE_PACKAGE:
		assert_packages_together(t, order, count);
		break;
	case PLACE_NONE:
	case PLACE_COUNT:
		break;
	}
}

static bool has_siblings(const struct topology *t)
{
	for (unsigned i = 0; i < t->cpu_count; i++) {
		for (unsigned j = i + 1; j < t->cpu_count; j++) {
			if (t->cpu[i].allowed && t->cpu[j].allowed && t->cpu[i].core >= 0 &&
			    t->cpu[i].core == t->cpu[j].core)
				return true;
		}
	}
	return false;
}

static void every_policy_on_every_machine_expect_its_invariants(void **state)
{
	(void)state;
	for (size_t i = 0; i < source_count; i++) {
		struct topology t;
		int *order;

		load(&t, &sources[i]);
		order = ids_new(&t);
		for (int p = 0; p < PLACE_COUNT; p++) {
			struct place_request rq = {.policy = (enum place_policy)p};
			struct err e = {0};
			int n = place_order(&t, &rq, order, t.cpu_count, &e);

			if (p == PLACE_SMT && !has_siblings(&t)) {
				assert_int_equal(n, -ENOTSUP);
				assert_non_null(strstr(e.text, "smt"));
				continue;
			}
			assert_true(n > 0);
			assert_permutation(&t, rq.policy, order, (unsigned)n);
			assert_policy(&t, rq.policy, order, (unsigned)n);
		}
		free(order);
		topology_fini(&t);
	}
}

static void more_threads_than_cpus_expect_wrap_in_same_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < source_count; i++) {
		struct topology t;
		int *order, *out;

		load(&t, &sources[i]);
		order = ids_new(&t);
		out = calloc(3 * (size_t)t.cpu_count, sizeof(*out));
		assert_non_null(out);
		for (int p = 0; p < PLACE_COUNT; p++) {
			struct place_request rq = {
				.policy = (enum place_policy)p,
				.threads = 3 * t.cpu_count,
			};
			int n = place_order(&t, &rq, order, t.cpu_count, NULL);

			assert_int_equal(place_threads(&t, &rq, out, NULL), n < 0 ? n : 0);
			for (unsigned k = 0; k < rq.threads && n > 0; k++)
				assert_int_equal(out[k],
						 p == PLACE_NONE ? -1 : order[k % (unsigned)n]);
		}
		free(out);
		free(order);
		topology_fini(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_expect_round_trip),
		cmocka_unit_test(known_machines_expect_known_orders),
		cmocka_unit_test(every_policy_on_every_machine_expect_its_invariants),
		cmocka_unit_test(more_threads_than_cpus_expect_wrap_in_same_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
