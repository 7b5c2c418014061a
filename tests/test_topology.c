/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The topology: synthetic machines, saved ones (tests/topologies), and the one at hand.
 */
#include "probes/topology.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "probes/cpulist.h"

enum { MASK_CPUS = 65536 }; /* any kernel's mask fits */

static const struct topology_source sources[] = {
	{.synthetic = "pu:1"},
	{.synthetic = "pu:4"},
	{.synthetic = "package:1 core:2 pu:1"},
	{.synthetic = "package:1 core:4 pu:2"},
	{.synthetic = "package:2 l3:1 core:4 pu:2"},
	{.synthetic = "package:2 numa:2 l3:1 core:4 pu:2"},
	{.synthetic = "package:2 numa:1 l3:4 core:2 pu:2",
	 .offline_list = "0,5",
	 .allowed_list = "1-20"},
	{.synthetic = "package:2 numa:2 l3:2 core:16 pu:2"},
	{.synthetic = "package:8 numa:1 l3:4 core:16 pu:2"},
	{.synthetic = "package:1 core:5 pu:1(indexes=0,2,5,6,7)"},
	{.synthetic = "core:2 pu:4", .offline_list = "1-3"},
	{.xml_path = "tests/topologies/smt-2-packages.xml"},
	{.xml_path = "tests/topologies/hybrid.xml"},
	{.xml_path = "tests/topologies/offline-0-and-3.xml"},
	{.xml_path = "tests/topologies/cpuset-2-3.xml"},
	{.synthetic = NULL}, /* this machine */
};
static const size_t source_count = sizeof(sources) / sizeof(sources[0]);

static void load(struct topology *t, const struct topology_source *src)
{
	struct err e = {0};

	if (topology_init(t, src, &e) != 0)
		fail_msg("%s", e.text);
}

/* The ids of the CPUs that pass, as a list. */
static const char *list_of(const struct topology *t, bool (*pass)(const struct topology_cpu *),
			   char *buf, unsigned size)
{
	int *id = malloc((t->cpu_count + 1) * sizeof(*id));
	unsigned count = 0;

	assert_non_null(id);
	for (unsigned i = 0; i < t->cpu_count; i++) {
		if (pass(&t->cpu[i]))
			id[count++] = t->cpu[i].cpu;
	}
	cpulist_format(id, count, buf, size);
	free(id);
	return buf;
}

static bool is_present(const struct topology_cpu *c)
{
	return c->cpu >= 0;
}

static bool is_online(const struct topology_cpu *c)
{
	return c->online;
}

static bool is_allowed(const struct topology_cpu *c)
{
	return c->allowed;
}

static void assert_sane(const struct topology *t)
{
	unsigned online = 0, allowed = 0;

	assert_true(t->cpu_count >= 1);
	assert_true(t->smt_per_core >= 1);
	for (unsigned i = 0; i < t->cpu_count; i++) {
		const struct topology_cpu *c = &t->cpu[i];

		assert_true(i == 0 || c->cpu > t->cpu[i - 1].cpu);
		assert_ptr_equal(topology_find(t, c->cpu), c);
		assert_true(c->online || !c->allowed);
		assert_true(c->core >= -1 && c->core < (int)t->core_count);
		assert_true(c->package >= -1 && c->package < (int)t->package_count);
		assert_in_range(c->smt_rank, 0, t->smt_per_core - 1);
		if (!c->online) {
			assert_int_equal(c->core, -1);
			assert_int_equal(c->package, -1);
			assert_int_equal(c->llc, -1);
		}
		online += c->online;
		allowed += c->allowed;
	}
	assert_int_equal(t->online_count, online);
	assert_int_equal(t->allowed_count, allowed);
	assert_null(topology_find(t, -1));
	assert_null(topology_find(t, t->cpu[t->cpu_count - 1].cpu + 1));
}

/* Two CPUs of a core are in one cache, node and package, and have two ranks. */
static void assert_cores_whole(const struct topology *t)
{
	for (unsigned i = 0; i < t->cpu_count; i++) {
		const struct topology_cpu *a = &t->cpu[i];

		for (unsigned j = i + 1; j < t->cpu_count && a->core >= 0; j++) {
			const struct topology_cpu *b = &t->cpu[j];

			if (a->core != b->core)
				continue;
			assert_int_equal(a->package, b->package);
			assert_int_equal(a->numa_node, b->numa_node);
			assert_int_equal(a->llc, b->llc);
			assert_true(a->smt_rank < b->smt_rank);
		}
	}
}

static void every_source_expect_sane_facts(void **state)
{
	(void)state;
	for (size_t i = 0; i < source_count; i++) {
		struct topology t;

		load(&t, &sources[i]);
		assert_sane(&t);
		assert_cores_whole(&t);
		topology_fini(&t);
		assert_null(t.cpu);
	}
}

static void synthetic_machines_expect_their_counts(void **state)
{
	static const struct {
		const char *synthetic;
		unsigned cpus, packages, cores, numa, smt;
	} row[] = {
		{"pu:4", 4, 0, 0, 1, 1},
		{"package:1 core:4 pu:2", 8, 1, 4, 1, 2},
		{"package:2 core:4 pu:2", 16, 2, 8, 1, 2},
		{"package:2 numa:2 core:4 pu:1", 16, 2, 16, 4, 1},
		{"package:2 numa:1 core:64 pu:2", 256, 2, 128, 2, 2},
		{"package:8 numa:1 l3:4 core:16 pu:2", 1024, 8, 512, 8, 2},
		{"package:1 core:8 pu:4", 32, 1, 8, 1, 4},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct topology_source src = {.synthetic = row[i].synthetic};
		struct topology t;

		load(&t, &src);
		assert_int_equal(t.cpu_count, row[i].cpus);
		assert_int_equal(t.allowed_count, row[i].cpus);
		assert_int_equal(t.package_count, row[i].packages);
		assert_int_equal(t.core_count, row[i].cores);
		assert_int_equal(t.numa_count, row[i].numa);
		assert_int_equal(t.smt_per_core, row[i].smt);
		topology_fini(&t);
	}
}

static void offline_and_allowed_lists_expect_kernel_ids(void **state)
{
	static const struct {
		struct topology_source src;
		const char *present, *online, *allowed;
	} row[] = {
		{{.synthetic = "core:8 pu:1", .offline_list = "1,3-4"},
		 "0-7",
		 "0,2,5-7",
		 "0,2,5-7"},
		{{.synthetic = "core:5 pu:1(indexes=0,2,5,6,7)"}, "0,2,5-7", "0,2,5-7", "0,2,5-7"},
		{{.synthetic = "core:8 pu:1", .offline_list = "0"}, "0-7", "1-7", "1-7"},
		{{.synthetic = "core:8 pu:1", .allowed_list = "2-3"}, "0-7", "0-7", "2-3"},
		{{.synthetic = "core:4 pu:1", .offline_list = "2", .allowed_list = "2-3,9"},
		 "0-3",
		 "0-1,3",
		 "3"},
		{{.synthetic = "core:4 pu:1", .allowed_list = "9"}, "0-3", "0-3", ""},
		{{.xml_path = "tests/topologies/offline-0-and-3.xml"}, "0-7", "1-2,4-7", "1-2,4-7"},
		/* Saved inside a cpuset of two: the others are online all the same. */
		{{.xml_path = "tests/topologies/cpuset-2-3.xml", .allowed_list = "2-3"},
		 "0-3",
		 "0-3",
		 "2-3"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct topology t;
		char buf[64];

		load(&t, &row[i].src);
		assert_string_equal(list_of(&t, is_present, buf, sizeof(buf)), row[i].present);
		assert_string_equal(list_of(&t, is_online, buf, sizeof(buf)), row[i].online);
		assert_string_equal(list_of(&t, is_allowed, buf, sizeof(buf)), row[i].allowed);
		topology_fini(&t);
	}
}

static void siblings_n_and_n_plus_8_expect_ranks_by_id(void **state)
{
	struct topology_source src = {.xml_path = "tests/topologies/smt-2-packages.xml"};
	struct topology t;

	(void)state;
	load(&t, &src);
	for (int cpu = 0; cpu < 8; cpu++) {
		const struct topology_cpu *a = topology_find(&t, cpu);
		const struct topology_cpu *b = topology_find(&t, cpu + 8);

		assert_int_equal(a->core, cpu);
		assert_int_equal(b->core, cpu);
		assert_int_equal(a->smt_rank, 0);
		assert_int_equal(b->smt_rank, 1);
		assert_int_equal(a->package, cpu / 4);
		assert_int_equal(a->numa_node, cpu / 4);
		assert_int_equal(a->llc, cpu / 4);
		assert_int_equal(a->efficiency_kind, -1);
	}
	assert_int_equal(t.line_bytes, 64);
	topology_fini(&t);
}

static void first_sibling_offline_expect_second_ranks_first(void **state)
{
	struct topology_source src = {
		.xml_path = "tests/topologies/smt-2-packages.xml",
		.offline_list = "0",
	};
	struct topology t;

	(void)state;
	load(&t, &src);
	assert_int_equal(topology_find(&t, 0)->core, -1);
	assert_int_equal(topology_find(&t, 8)->smt_rank, 0);
	assert_int_equal(topology_find(&t, 9)->smt_rank, 1);
	assert_int_equal(t.core_count, 8);
	topology_fini(&t);
}

static void hybrid_machine_expect_kinds_and_caches_of_two_levels(void **state)
{
	struct topology_source src = {.xml_path = "tests/topologies/hybrid.xml"};
	struct topology t;

	(void)state;
	load(&t, &src);
	for (unsigned i = 0; i < t.cpu_count; i++) {
		int cpu = t.cpu[i].cpu;

		assert_int_equal(t.cpu[i].efficiency_kind, cpu < 8 ? 2 : cpu < 12 ? 1 : 0);
		/* The last two have an L2 and no L3: not to be taken for the L3 of that number. */
		assert_int_equal(t.cpu[i].llc, cpu < 12 ? 0 : 1);
	}
	assert_int_equal(t.smt_per_core, 2);
	assert_int_equal(t.core_count, 10);
	topology_fini(&t);
}

static void bad_sources_expect_refusal_naming_them(void **state)
{
	static const struct {
		struct topology_source src;
		int code;
		const char *word;
	} row[] = {
		{{.synthetic = "nonsense"}, -EINVAL, "nonsense"},
		{{.xml_path = "tests/topologies/none.xml"}, -ENOENT, "none.xml"},
		{{.xml_path = "tests/test_topology.c"}, -EINVAL, "test_topology.c"},
		{{.synthetic = "pu:4", .offline_list = "0,x"}, -EINVAL, "\"x\""},
		{{.synthetic = "pu:4", .allowed_list = "3-1"}, -EINVAL, "\"3-1\""},
		{{.synthetic = "pu:4", .offline_list = "0-3"}, -EINVAL, "0-3"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct topology t;
		struct err e = {0};

		assert_int_equal(topology_init(&t, &row[i].src, &e), row[i].code);
		assert_int_equal(e.code, row[i].code);
		assert_non_null(strstr(e.text, row[i].word));
		assert_null(t.cpu);
		topology_fini(&t);
	}
}

static void fini_of_zeroed_expect_nothing(void **state)
{
	struct topology t = {0};

	(void)state;
	topology_fini(&t);
	assert_null(topology_find(&t, 0));
}

static void this_machine_expect_the_kernels_mask(void **state)
{
	cpu_set_t *mask = CPU_ALLOC(MASK_CPUS);
	size_t size = CPU_ALLOC_SIZE(MASK_CPUS);
	struct topology t;

	(void)state;
	assert_non_null(mask);
	CPU_ZERO_S(size, mask);
	assert_int_equal(sched_getaffinity(0, size, mask), 0);
	load(&t, NULL);
	assert_true(t.allowed_count >= 1);
	for (unsigned i = 0; i < t.cpu_count; i++) {
		bool in_mask = CPU_ISSET_S((size_t)t.cpu[i].cpu, size, mask);

		assert_int_equal(t.cpu[i].allowed, in_mask && t.cpu[i].online);
	}
	topology_fini(&t);
	CPU_FREE(mask);
}

static void shrinking_mask_expect_fewer_allowed_and_the_rest_online(void **state)
{
	cpu_set_t *before = CPU_ALLOC(MASK_CPUS), *one = CPU_ALLOC(MASK_CPUS);
	size_t size = CPU_ALLOC_SIZE(MASK_CPUS);
	struct topology all;

	(void)state;
	assert_true(before && one);
	CPU_ZERO_S(size, before);
	assert_int_equal(sched_getaffinity(0, size, before), 0);
	load(&all, NULL);
	for (unsigned i = 0; i < all.cpu_count; i++) {
		struct topology t;

		if (!all.cpu[i].allowed)
			continue;
		CPU_ZERO_S(size, one);
		CPU_SET_S((size_t)all.cpu[i].cpu, size, one);
		assert_int_equal(sched_setaffinity(0, size, one), 0);
		load(&t, NULL);
		assert_int_equal(sched_setaffinity(0, size, before), 0);
		assert_int_equal(t.cpu_count, all.cpu_count);
		assert_int_equal(t.online_count, all.online_count);
		assert_int_equal(t.allowed_count, 1);
		assert_true(t.cpu[i].allowed);
		assert_int_equal(t.cpu[i].core, all.cpu[i].core);
		topology_fini(&t);
	}
	topology_fini(&all);
	CPU_FREE(before);
	CPU_FREE(one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_source_expect_sane_facts),
		cmocka_unit_test(synthetic_machines_expect_their_counts),
		cmocka_unit_test(offline_and_allowed_lists_expect_kernel_ids),
		cmocka_unit_test(siblings_n_and_n_plus_8_expect_ranks_by_id),
		cmocka_unit_test(first_sibling_offline_expect_second_ranks_first),
		cmocka_unit_test(hybrid_machine_expect_kinds_and_caches_of_two_levels),
		cmocka_unit_test(bad_sources_expect_refusal_naming_them),
		cmocka_unit_test(fini_of_zeroed_expect_nothing),
		cmocka_unit_test(this_machine_expect_the_kernels_mask),
		cmocka_unit_test(shrinking_mask_expect_fewer_allowed_and_the_rest_online),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
