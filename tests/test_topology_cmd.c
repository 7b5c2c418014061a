/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `hotline topology` prints, in its three formats.
 */
#include "src/topology_cmd.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <jansson.h>
#include <cmocka.h>

#include "src/cli.h"

static const struct machine machine = {
	.host = "node\"17",
	.kernel = "6.1",
	.virt = "none",
	.tick = {.name = "tsc", .why = "made up"},
};

/* The command's output, malloced. */
static char *printed(const struct topology_source *src, int format)
{
	struct topology t;
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	assert_int_equal(topology_init(&t, src, NULL), 0);
	assert_int_equal(topology_cmd(&t, &machine, format, f), 0);
	fclose(f);
	topology_fini(&t);
	return text;
}

static unsigned lines_of(const char *text)
{
	unsigned n = 0;

	for (const char *p = strchr(text, '\n'); p; p = strchr(p + 1, '\n'))
		n++;
	return n;
}

static void text_of_mixed_machine_expect_states_and_dashes(void **state)
{
	struct topology_source src = {
		.xml_path = "tests/topologies/smt-2-packages.xml",
		.offline_list = "0,9",
		.allowed_list = "1-15",
	};
	static const char *const wanted[] = {
		"2 packages, 8 cores, 14 threads, 2 NUMA nodes, 64-byte lines; ",
		"; 14 of 16 CPUs allowed, 2 offline; clock tsc: made up\n",
		"  cpu  state        core  package  numa   llc  kind  smt siblings\n",
		"    0  offline         -        -     -     -     -  -\n",
		"    2  allowed         1        0     0     0     -  10\n",
		"    8  allowed         3        0     0     0     -  -\n",
	};
	char *text = printed(&src, FORMAT_TEXT);

	(void)state;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		if (!strstr(text, wanted[i]))
			fail_msg("no \"%s\" in\n%s", wanted[i], text);
	}
	assert_int_equal(lines_of(text), 2 + 16);
	free(text);
}

static void text_of_unknown_facts_expect_dashes(void **state)
{
	struct topology_source src = {.synthetic = "pu:2", .allowed_list = "1"};
	char *text = printed(&src, FORMAT_TEXT);

	(void)state;
	assert_string_equal(text,
			    "- packages, - cores, 2 threads, 1 NUMA node, line size -; "
			    "1 of 2 CPUs allowed; clock tsc: made up\n"
			    "  cpu  state        core  package  numa   llc  kind  smt siblings\n"
			    "    0  not-allowed     -        -     0     -     -  -\n"
			    "    1  allowed         -        -     0     -     -  -\n");
	free(text);
}

static void csv_expect_quoted_lists_and_empty_unknowns(void **state)
{
	struct topology_source src = {
		.synthetic = "package:1 core:2 pu:3(indexes=0,2,4,1,3,5)",
		.offline_list = "5",
		.allowed_list = "0-3",
	};
	char *text = printed(&src, FORMAT_CSV);

	(void)state;
	assert_string_equal(text,
			    "cpu,online,allowed,allowed_why,core,package,numa_node,llc,smt_rank,"
			    "smt_siblings,efficiency_kind\n"
			    "0,1,1,,0,0,0,,0,\"2,4\",\n"
			    "1,1,1,,1,0,0,,0,3,\n"
			    "2,1,1,,0,0,0,,1,\"0,4\",\n"
			    "3,1,1,,1,0,0,,1,1,\n"
			    "4,1,0,not-allowed,0,0,0,,2,\"0,2\",\n"
			    "5,0,0,offline,,,,,,,\n");
	free(text);
}

static void json_expect_machine_and_one_object_a_cpu(void **state)
{
	struct topology_source src = {
		.xml_path = "tests/topologies/hybrid.xml",
		.offline_list = "1",
	};
	char *text = printed(&src, FORMAT_JSON);
	json_t *root = json_loads(text, 0, NULL), *cpus, *cpu;

	(void)state;
	assert_non_null(root);
	assert_string_equal(json_string_value(json_object_get(root, "host")), "node\"17");
	assert_true(json_is_null(json_object_get(root, "governor")));
	assert_int_equal(json_integer_value(json_object_get(root, "online")), 13);
	cpus = json_object_get(root, "cpu");
	assert_int_equal(json_array_size(cpus), 14);
	cpu = json_array_get(cpus, 1);
	assert_true(json_is_false(json_object_get(cpu, "online")));
	assert_true(json_is_null(json_object_get(cpu, "core")));
	assert_string_equal(json_string_value(json_object_get(cpu, "allowed_why")), "offline");
	cpu = json_array_get(cpus, 3);
	assert_true(json_is_true(json_object_get(cpu, "allowed")));
	assert_true(json_is_null(json_object_get(cpu, "allowed_why")));
	assert_int_equal(json_integer_value(json_object_get(cpu, "efficiency_kind")), 2);
	assert_int_equal(json_integer_value(
				 json_array_get(json_object_get(cpu, "smt_siblings"), 0)),
			 2);
	json_decref(root);
	free(text);
}

static void big_machine_expect_a_row_each(void **state)
{
	struct topology_source src = {.synthetic = "package:8 numa:1 l3:4 core:16 pu:2"};
	char *text = printed(&src, FORMAT_TEXT);

	(void)state;
	assert_int_equal(lines_of(text), 2 + 1024);
	free(text);
	text = printed(&src, FORMAT_CSV);
	assert_int_equal(lines_of(text), 1 + 1024);
	free(text);
}

static void full_disk_expect_eio(void **state)
{
	struct topology_source src = {.synthetic = "core:2 pu:1"};
	FILE *f = fopen("/dev/full", "w");
	struct topology t;

	(void)state;
	if (!f) {
		print_message("skipped: no /dev/full here\n");
		skip();
	}
	assert_int_equal(topology_init(&t, &src, NULL), 0);
	for (int format = FORMAT_TEXT; format <= FORMAT_JSON; format++) {
		clearerr(f);
		assert_int_equal(topology_cmd(&t, &machine, format, f), -EIO);
	}
	fclose(f);
	topology_fini(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_of_mixed_machine_expect_states_and_dashes),
		cmocka_unit_test(text_of_unknown_facts_expect_dashes),
		cmocka_unit_test(csv_expect_quoted_lists_and_empty_unknowns),
		cmocka_unit_test(json_expect_machine_and_one_object_a_cpu),
		cmocka_unit_test(big_machine_expect_a_row_each),
		cmocka_unit_test(full_disk_expect_eio),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
