/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading the lab's description and checking configurations against it.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/catalog.h"
#include "tests/described.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int parse(struct catalog *c, const char *text, struct err *e)
{
	char *copy = strdup(text);
	int rc;

	assert_non_null(copy);
	rc = catalog_parse(c, copy, e);
	free(copy);
	return rc;
}

static int setup(void **state)
{
	static struct catalog c;
	struct err e;

	assert_int_equal(parse(&c, DESCRIBED_HEAD DESCRIBED_FIGHT DESCRIBED_FIXED, &e), 0);
	*state = &c;
	return 0;
}

static int teardown(void **state)
{
	catalog_free(*state);
	return 0;
}

static void parse_when_well_formed_expect_all_records(void **state)
{
	const struct catalog *c = *state;
	const struct catalog_workload *w = catalog_find(c, "fight");
	char names[64];

	assert_int_equal(c->workload_count, 2);
	assert_non_null(w);
	assert_int_equal(w->threads_default, 2);
	assert_int_equal(w->threads_max, 16);
	assert_true(w->place_free);
	assert_int_equal(w->role_count, 1);
	assert_string_equal(w->role[0].name, "lock");
	assert_string_equal(catalog_variant_names(w, names, sizeof(names)),
			    "a, b, ghost, ticket, null");
	assert_string_equal(catalog_knob_names(w, names, sizeof(names)),
			    "hold_ns, think_ns, width, file");
	assert_string_equal(catalog_workload_names(c, names, sizeof(names)), "fight, fixed");
	assert_string_equal(catalog_knob(w, "hold_ns")->def_dashboard, "100");
	assert_string_equal(catalog_knob(w, "width")->def_dashboard, "32");
	assert_string_equal(catalog_knob(w, "file")->def, "");
	assert_string_equal(catalog_variant(w, "ghost")->why, "no such instruction here");
	assert_false(catalog_variant(w, "null")->excludes);
	assert_false(catalog_find(c, "fixed")->place_free);
	assert_null(catalog_find(c, "fights"));
	assert_null(catalog_variant(w, "c"));
	assert_null(catalog_knob(w, "hold"));
}

static void names_when_they_do_not_fit_expect_whole_ones(void **state)
{
	char names[11];

	assert_string_equal(catalog_variant_names(catalog_find(*state, "fight"), names,
						  sizeof(names)),
			    "a, b");
}

static void parse_when_malformed_expect_line_number(void **state)
{
	static const struct {
		const char *text, *found;
	} rows[] = {
		{"", "line 1"},
		{"hotline-lab 2\n" DESCRIBED_FIGHT, "line 1"},
		{DESCRIBED_HEAD, "no workload"},
		{DESCRIBED_HEAD "role\tlock\t1\n", "line 2: role before any workload"},
		{DESCRIBED_HEAD "gadget\tx\n", "line 2: unknown record 'gadget'"},
		{DESCRIBED_HEAD "workload\tw\td\to\t1\t1\t1\n",
		 "line 2: workload has 8 fields, not 7"},
		{DESCRIBED_HEAD "workload\tw\td\to\t1\t1\tx\t1\n", "line 2, field 7 'x'"},
		{DESCRIBED_HEAD "workload\tw\td\to\t1\t1\t1\t2\n", "line 2, field 8 '2'"},
		{DESCRIBED_HEAD "workload\tw\td\to\t3\t1\t2\t1\n", "line 2: at least 3, at most 2"},
		{DESCRIBED_HEAD "workload\tw\td\to\t1\t1\t1\t1\n", "workload w has no variants"},
		{DESCRIBED_HEAD
		 "workload\ta-name-that-is-far-longer-than-any-may-be\td\to\t1\t1\t1\t1\n",
		 "line 2: 'a-name-that-is-far-longe...' is longer than 31"},
		{DESCRIBED_HEAD DESCRIBED_FIXED "knob\tk\tbool\t-\t1\t-\t0\t1\t-\t-\td\n",
		 "line 7: kind 'bool'"},
		{DESCRIBED_HEAD DESCRIBED_FIXED "role\tx\t1\nrole\ty\t1\nrole\tz\t1\n",
		 "line 9: more than 4 lock roles"},
	};
	struct catalog c;
	struct err e;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(parse(&c, rows[i].text, &e), -EINVAL);
		if (!strstr(e.text, rows[i].found))
			fail_msg("row %zu: '%s' not in '%s'", i, rows[i].found, e.text);
		assert_null(c.workload); /* nothing is left to free */
	}
}

static void parse_when_names_have_escapes_expect_them_removed(void **state)
{
	struct catalog c;

	(void)state;
	assert_int_equal(parse(&c,
			       DESCRIBED_HEAD "workload\tw\033[2J\td\to\t1\t1\t1\t1\n"
					      "variant\tv\t1\t1\t-\td\n",
			       NULL),
			 0);
	assert_string_equal(c.workload[0].name, "w?[2J");
	catalog_free(&c);
}

static void complete_when_open_expect_defaults(void **state)
{
	static const struct {
		const char *workload, *variant;
		unsigned cpus, threads;
	} rows[] = {
		{"fight", "a", 64, 2},
		{"fixed", "plain", 4, 4},  /* the first that is supported; one thread per CPU */
		{"fixed", "plain", 1, 2},  /* at least 2 */
		{"fixed", "plain", 64, 8}, /* at most 8 */
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct config c = {0};

		strcpy(c.workload, rows[i].workload);
		assert_int_equal(catalog_complete(*state, &c, rows[i].cpus, NULL), 0);
		assert_string_equal(c.variant, rows[i].variant);
		assert_int_equal(c.threads, rows[i].threads);
	}
}

static void complete_when_wrong_expect_one_sentence(void **state)
{
	static const struct {
		struct config c;
		const char *text;
	} rows[] = {
		{{.workload = "figth"},
		 "unknown workload 'figth' (nearest: fight; accepted: fight, fixed)"},
		{{.workload = "fight", .variant = "tikcet"},
		 "unknown variant of fight 'tikcet' (nearest: ticket; accepted: a, b, ghost, "
		 "ticket, null)"},
		{{.workload = "fight", .variant = "ghost"},
		 "variant ghost of fight cannot run on this machine: no such instruction here"},
		{{.workload = "fight", .threads = 17},
		 "threads 17: out of range for fight (accepted: 1 to 16)"},
		{{.workload = "fixed", .threads = 1},
		 "threads 1: out of range for fixed (accepted: 2 to 8)"},
		{{.workload = "fixed", .cpus = "0"},
		 "fixed chooses its own CPUs: place and cpus do not apply"},
		{{.workload = "fight", .knob_count = 1, .knob = {{"hodl_ns", "1"}}},
		 "unknown knob of fight 'hodl_ns' (nearest: hold_ns; accepted: hold_ns, think_ns, "
		 "width, file)"},
		{{.workload = "fight", .knob_count = 1, .knob = {{"hold_ns", "-1"}}},
		 "knob hold_ns (ns) '-1': out of range (accepted: 0 to 1000000)"},
		{{.workload = "fight", .knob_count = 1, .knob = {{"hold_ns", "nan"}}},
		 "knob hold_ns (ns) 'nan': not a whole number (accepted: 0 to 1000000)"},
		{{.workload = "fight", .knob_count = 1, .knob = {{"width", "16"}}},
		 "unknown value of knob width: '16' (accepted: 32, 8)"},
		{{.workload = "fight",
		  .variant = "ticket",
		  .knob_count = 1,
		  .knob = {{"width", "8"}}},
		 "knob width does not apply to fight:ticket (only to a, b)"},
	};
	struct err e;

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct config c = rows[i].c;

		assert_int_equal(catalog_complete(*state, &c, 4, &e), -EINVAL);
		assert_string_equal(e.text, rows[i].text);
	}
}

static void complete_when_knobs_fit_expect_success(void **state)
{
	struct config c = {.workload = "fight",
			   .variant = "b",
			   .knob_count = 3,
			   .knob = {{"width", "8"}, {"hold_ns", "1000000"}, {"file", "/tmp/a,b"}}};

	assert_int_equal(catalog_complete(*state, &c, 4, NULL), 0);
}

static void knob_value_when_unset_expect_default(void **state)
{
	const struct catalog_workload *w = catalog_find(*state, "fight");
	struct config c = {.knob_count = 1, .knob = {{"hold_ns", "7"}}};

	assert_string_equal(catalog_knob_value(w, &c, "hold_ns"), "7");
	assert_string_equal(catalog_knob_value(w, &c, "think_ns"), "0");
	assert_string_equal(catalog_knob_value(w, &c, "none"), "");
	assert_true(catalog_knob_applies(catalog_knob(w, "hold_ns"), "ticket"));
	assert_true(catalog_knob_applies(catalog_knob(w, "width"), "b"));
	assert_false(catalog_knob_applies(catalog_knob(w, "width"), "ticket"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parse_when_well_formed_expect_all_records),
		cmocka_unit_test(names_when_they_do_not_fit_expect_whole_ones),
		cmocka_unit_test(parse_when_malformed_expect_line_number),
		cmocka_unit_test(parse_when_names_have_escapes_expect_them_removed),
		cmocka_unit_test(complete_when_open_expect_defaults),
		cmocka_unit_test(complete_when_wrong_expect_one_sentence),
		cmocka_unit_test(complete_when_knobs_fit_expect_success),
		cmocka_unit_test(knob_value_when_unset_expect_default),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
