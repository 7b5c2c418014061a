/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `hotline list` in its three formats.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "src/list.h"
#include "tests/described.h"

static int setup(void **state)
{
	static struct catalog c;
	char *copy = strdup(DESCRIBED_HEAD DESCRIBED_FIGHT DESCRIBED_FIXED);

	assert_non_null(copy);
	assert_int_equal(catalog_parse(&c, copy, NULL), 0);
	free(copy);
	*state = &c;
	return 0;
}

static int teardown(void **state)
{
	catalog_free(*state);
	return 0;
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' not in:\n%s", part, text);
}

static char *list_of(const struct catalog *c, const char *workload, enum cli_format format)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *f = open_memstream(&text, &bytes);

	assert_int_equal(list_cmd(c, workload, format, f, NULL), 0);
	fclose(f);
	return text;
}

static void list_when_workload_is_named_expect_variants_and_knobs(void **state)
{
	char *text = list_of(*state, "fight", FORMAT_TEXT);

	has(text, "threads 1 to 16, default 2");
	has(text, "ghost   the third\n          not on this machine: no such instruction here\n");
	has(text, "null    [no exclusion] no lock\n");
	has(text, "hold_ns=0   0 to 1000000 ns  work inside the lock (dashboard: 100)\n");
	has(text, "width=32    32|8 bits        size of the word (only a,b)\n");
	free(text);
	text = list_of(*state, NULL, FORMAT_TEXT);
	has(text, "fight  two threads, one lock\n");
	has(text, "fixed  chooses its own CPUs\n");
	free(text);
	assert_int_equal(list_cmd(*state, "figth", FORMAT_TEXT, stdout, NULL), -EINVAL);
}

static unsigned commas_outside_quotes(const char *line, const char *end)
{
	unsigned n = 0;
	bool quoted = false;

	for (; line < end; line++) {
		quoted ^= *line == '"';
		n += *line == ',' && !quoted;
	}
	return n;
}

static void list_when_csv_expect_as_many_cells_in_every_row(void **state)
{
	static const char *const workload[] = {NULL, "fight", "fixed"};

	for (size_t i = 0; i < sizeof(workload) / sizeof(workload[0]); i++) {
		char *text = list_of(*state, workload[i], FORMAT_CSV);
		unsigned want = commas_outside_quotes(text, strchr(text, '\n'));

		for (char *p = text, *end; (end = strchr(p, '\n')); p = end + 1)
			assert_int_equal(commas_outside_quotes(p, end), want);
		free(text);
	}
}

static void list_when_json_expect_all_that_text_says(void **state)
{
	char *text = list_of(*state, "fight", FORMAT_JSON);
	json_t *root = json_loads(text, 0, NULL);
	json_t *w = json_array_get(json_object_get(root, "workloads"), 0);
	json_t *variants = json_object_get(w, "variants");

	assert_string_equal(json_string_value(json_object_get(w, "name")), "fight");
	assert_int_equal(json_array_size(variants), 5);
	assert_string_equal(json_string_value(json_object_get(json_array_get(variants, 2), "why")),
			    "no such instruction here");
	assert_true(json_is_false(json_object_get(json_array_get(variants, 4), "excludes")));
	assert_int_equal(json_array_size(json_object_get(w, "knobs")), 4);
	json_decref(root);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(list_when_workload_is_named_expect_variants_and_knobs),
		cmocka_unit_test(list_when_csv_expect_as_many_cells_in_every_row),
		cmocka_unit_test(list_when_json_expect_all_that_text_says),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
