/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which rows a table shows and in what order: every CPU once, ids with their own figures, missing
 * values last, ties in the model's order.
 */
#include "ui/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/fixture.h"
#include "ui/counters.h"

static int setup(void **state)
{
	struct model *m = malloc(sizeof(*m));

	assert_non_null(m);
	fixture_model(m, 64);
	fixture_counters(m, COUNTERS_LIVE);
	*state = m;
	return 0;
}

static int teardown(void **state)
{
	fixture_free(*state);
	free(*state);
	return 0;
}

/* A permutation of 0..count-1. */
static void check_whole(const struct rows *r, unsigned count)
{
	bool seen[PAGE_SLOTS] = {false};

	assert_int_equal(r->count, count);
	for (unsigned i = 0; i < r->count; i++) {
		assert_true(r->at[i] < count);
		assert_false(seen[r->at[i]]);
		seen[r->at[i]] = true;
	}
}

static struct value cell(const struct model *m, const struct rows_sort *s, unsigned row)
{
	struct field_input in = {m->machine, &m->live, row};
	struct field_cell c;

	if (!strcmp(s->id, "cpu"))
		return value_of((double)m->cpu[row].cpu);
	if (!s->field)
		return m->cpu[row].ops_per_s;
	field_get(s->field, &in, &c);
	return c.value;
}

static void every_sort_column_expect_values_in_order_missing_last(void **state)
{
	struct model *m = *state;
	unsigned columns = 0;
	const char *id = "";

	m->cpu[7].ops_per_s = value_missing(WHY_OFFLINE);
	while (*(id = rows_sort_next(m, ROWS_CPUS, id))) {
		struct rows_sort s;
		struct rows r;

		columns++;
		assert_true(rows_sort_find(m, ROWS_CPUS, id, &s));
		rows_cpus(&r, m, id, "");
		check_whole(&r, m->cpu_count);
		for (unsigned i = 1; i < r.count; i++) {
			struct value a = cell(m, &s, r.at[i - 1]), b = cell(m, &s, r.at[i]);

			if (!value_known(a))
				assert_false(value_known(b));
			if (!value_known(a) || !value_known(b))
				continue;
			assert_true(s.largest_first ? a.v >= b.v : a.v <= b.v);
			/* Stable: what is alike stands as in the model. */
			if (a.v <= b.v && a.v >= b.v)
				assert_true(r.at[i - 1] < r.at[i]);
		}
		if (!strcmp(id, "ops_per_s"))
			assert_false(value_known(m->cpu[r.at[r.count - 1]].ops_per_s));
		assert_true(columns < 60);
	}
	assert_int_equal(columns, 2 + counters_fields(m, (const struct field *[COUNTERS_MAX]){NULL},
						      COUNTERS_MAX));
}

static void unknown_or_no_column_expect_order_of_the_model(void **state)
{
	struct model *m = *state;
	struct rows_sort s;
	struct rows r;

	assert_false(rows_sort_find(m, ROWS_CPUS, "nosuch_per_op", &s));
	assert_false(rows_sort_find(m, ROWS_CPUS, "", &s));
	rows_cpus(&r, m, "nosuch_per_op", "");
	for (unsigned i = 0; i < r.count; i++)
		assert_int_equal(r.at[i], i);
	assert_string_equal(rows_sort_next(m, ROWS_CPUS, ""), "cpu");
	assert_string_equal(rows_sort_next(m, ROWS_VARIANTS, "fairness_jain"), "");
}

static void largest_table_expect_sorted(void **state)
{
	struct model *m = *state;
	struct model big = *m;
	struct rows r;
	uint32_t seed = 3;

	big.cpu = calloc(PAGE_SLOTS, sizeof(*big.cpu));
	assert_non_null(big.cpu);
	big.cpu_count = PAGE_SLOTS;
	for (unsigned i = 0; i < PAGE_SLOTS; i++) {
		seed = seed * 1664525u + 1013904223u;
		big.cpu[i].cpu = (int)i;
		big.cpu[i].ops_per_s = value_of((double)(seed >> 20));
	}
	rows_cpus(&r, &big, "ops_per_s", "");
	check_whole(&r, PAGE_SLOTS);
	for (unsigned i = 1; i < r.count; i++)
		assert_true(big.cpu[r.at[i - 1]].ops_per_s.v >= big.cpu[r.at[i]].ops_per_s.v);
	free(big.cpu);
}

static void filter_of_cpus_expect_ids_ranges_places(void **state)
{
	/* CPU 12 of core 5 in node 1, package 0. */
	static const struct {
		const char *text;
		bool fits;
	} cases[] = {
		{"", true},
		{" , ", true},
		{"12", true},
		{"1", false},
		{"120", false},
		{"2-15", true},
		{"13-", false},
		{"12-", true},
		{"2-5", false},
		{"2,12", true},
		{"3 4 12", true},
		{"n1", true},
		{"N1", true},
		{"n", true},
		{"n0", false},
		{"n11", false},
		{"c5", true},
		{"c51", false},
		{"n1c5", true},
		{"n1c4", false},
		{"p0", true},
		{"p1", false},
		{"p0n1c5", true},
		{"x", false},
		{"n1x", false},
		{"12x", false},
		{"-3", false},
		{"n0 c5", true},
		{"99999999999999999999", false},
	};
	struct model_cpu c = {.cpu = 12, .core = 5, .numa_node = 1, .package = 0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (rows_cpu_matches(&c, cases[i].text) != cases[i].fits)
			fail_msg("'%s': %d expected", cases[i].text, cases[i].fits);
	}
	c = (struct model_cpu){.cpu = -1, .core = -1, .numa_node = -1, .package = -1};
	assert_true(rows_cpu_matches(&c, ""));
	assert_false(rows_cpu_matches(&c, "1"));
	/* What is not known is drawn as node 0. */
	assert_true(rows_cpu_matches(&c, "n0"));
}

static void filter_and_sort_expect_only_rows_that_match(void **state)
{
	struct model *m = *state;
	struct rows r;

	rows_cpus(&r, m, "ops_per_s", "n1");
	assert_true(r.count > 1 && r.count < m->cpu_count);
	for (unsigned i = 0; i < r.count; i++)
		assert_int_equal(m->cpu[r.at[i]].numa_node, 1);
	rows_variants(&r, m, "", "PTH");
	assert_int_equal(r.count, 2);
	rows_workloads(&r, m, "nosuch");
	assert_int_equal(r.count, 0);
}

static void unresolved_wait_expect_before_all_longer_ones(void **state)
{
	struct model *m = *state;
	struct rows r;

	m->variant[3].wait_p99_ns = (struct value){20, WHY_UNRESOLVED};
	rows_variants(&r, m, "wait_p99_ns", "");
	check_whole(&r, m->variant_count);
	assert_int_equal(r.at[0], 3);
}

static void sort_ids_of_a_file_expect_only_what_may_be_a_column(void **state)
{
	static const struct {
		enum rows_table table;
		const char *id;
		bool valid;
	} cases[] = {
		{ROWS_CPUS, "", true},           {ROWS_CPUS, "cpu", true},
		{ROWS_CPUS, "ipc", true},        {ROWS_CPUS, "LLC-LOAD-MISSES:u_per_op", true},
		{ROWS_CPUS, "two words", false}, {ROWS_CPUS, "esc\033", false},
		{ROWS_VARIANTS, "", true},       {ROWS_VARIANTS, "wait_p99_ns", true},
		{ROWS_VARIANTS, "ipc", false},
	};
	char longest[ROWS_SORT_BYTES + 2];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(rows_sort_valid(cases[i].table, cases[i].id), cases[i].valid);
	memset(longest, 'a', sizeof(longest));
	longest[ROWS_SORT_BYTES] = '\0';
	assert_false(rows_sort_valid(ROWS_CPUS, longest));
	longest[ROWS_SORT_BYTES - 1] = '\0';
	assert_true(rows_sort_valid(ROWS_CPUS, longest));
}

#define WITH_MODEL(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_MODEL(every_sort_column_expect_values_in_order_missing_last),
		WITH_MODEL(unknown_or_no_column_expect_order_of_the_model),
		WITH_MODEL(largest_table_expect_sorted),
		WITH_MODEL(filter_of_cpus_expect_ids_ranges_places),
		WITH_MODEL(filter_and_sort_expect_only_rows_that_match),
		WITH_MODEL(unresolved_wait_expect_before_all_longer_ones),
		WITH_MODEL(sort_ids_of_a_file_expect_only_what_may_be_a_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
