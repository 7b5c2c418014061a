/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SPECs to configurations, and configurations to names.
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

#include "src/spec.h"
#include "tests/described.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { CPUS = 4 };

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

/* A configuration in one line: what a SPEC made of it. */
static const char *dump(const struct config *c, char *buf, unsigned size)
{
	char knobs[256];

	snprintf(buf, size, "%s:%s %u %s%s [%s] %s", c->workload, c->variant, c->threads,
		 place_name(c->place), c->place_given ? "!" : "", c->cpus,
		 config_knobs_format(c, knobs, sizeof(knobs)));
	return buf;
}

static void parse_when_well_formed_expect_configurations(void **state)
{
	static const struct {
		const char *spec, *all[5];
	} rows[] = {
		{"fight", {"fight:a 2 spread [] "}},
		{"fight:b", {"fight:b 2 spread [] "}},
		{"fight:b,a,b", {"fight:b 2 spread [] ", "fight:a 2 spread [] "}},
		{"fight:all",
		 {"fight:a 2 spread [] ", "fight:b 2 spread [] ", "fight:ticket 2 spread [] ",
		  "fight:null 2 spread [] "}},
		{"fight:b,all,b,all",
		 {"fight:b 2 spread [] ", "fight:a 2 spread [] ", "fight:ticket 2 spread [] ",
		  "fight:null 2 spread [] "}},
		{"fight:a@threads=3,place=pack,cpus=0+2-3,think_ns=5,hold_ns=7",
		 {"fight:a 3 pack! [0,2-3] hold_ns=7,think_ns=5"}},
		{"fight@width=8,file=/tmp/x=y", {"fight:a 2 spread [] file=/tmp/x=y,width=8"}},
		{"fixed", {"fixed:plain 4 spread [] "}},
	};
	struct config common = {0};
	char buf[512];
	struct err e;

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct spec_list list = {0};

		if (spec_parse(&list, rows[i].spec, &common, *state, CPUS, &e))
			fail_msg("%s: %s", rows[i].spec, e.text);
		for (unsigned k = 0; k < list.count; k++) {
			assert_non_null(rows[i].all[k]);
			assert_string_equal(dump(&list.config[k], buf, sizeof(buf)),
					    rows[i].all[k]);
		}
		assert_null(rows[i].all[list.count]);
		spec_free(&list);
	}
}

static void parse_when_common_options_expect_spec_to_win(void **state)
{
	struct config common = {.threads = 8,
				.place = PLACE_CORE,
				.place_given = true,
				.cpus = "1"};
	struct spec_list list = {0};
	char buf[512];

	config_knob_set(&common, "hold_ns", "1", NULL);
	config_knob_set(&common, "think_ns", "2", NULL);
	assert_int_equal(spec_parse(&list, "fight:b@threads=3,hold_ns=9,cpus=0+1", &common, *state,
				    CPUS, NULL),
			 0);
	assert_int_equal(spec_parse(&list, "fight:ticket", &common, *state, CPUS, NULL), 0);
	assert_int_equal(list.count, 2);
	assert_string_equal(dump(&list.config[0], buf, sizeof(buf)),
			    "fight:b 3 core! [0,1] hold_ns=9,think_ns=2");
	assert_string_equal(dump(&list.config[1], buf, sizeof(buf)),
			    "fight:ticket 8 core! [1] hold_ns=1,think_ns=2");
	spec_free(&list);
}

static void parse_when_wrong_expect_word_and_what_is_accepted(void **state)
{
	static const struct {
		const char *spec, *found;
	} rows[] = {
		{"", "unknown workload ''"},
		{"figth", "'figth' (nearest: fight; accepted: fight, fixed)"},
		{"fight:", "unknown variant of fight '' (accepted: a, b, "},
		{"fight:a,", "unknown variant of fight ''"},
		{"fight:all,tickte", "'tickte' (nearest: ticket"},
		{"fight:all,,b", "unknown variant of fight ''"},
		{"fight:ghost,all", "no such instruction here"},
		{"fight:tickte", "'tickte' (nearest: ticket"},
		{"fight:ghost", "no such instruction here"},
		{"fight:a-name-that-is-far-longer-than-any-may-be", "no name is that long"},
		{"fight@", "unknown key of fight ''"},
		{"fight@thread=2", "'thread' (nearest: threads"},
		{"fight@hodl_ns=2", "'hodl_ns' (nearest: hold_ns"},
		{"fight@threads", "'threads' in a SPEC has no value"},
		{"fight@hold_ns", "knob 'hold_ns' has no value"},
		{"fight@threads=0", "threads '0': out of range (accepted: 1 to 4096)"},
		{"fight@threads=5000", "threads '5000': out of range"},
		{"fight@threads=-1", "threads '-1': not a whole number"},
		{"fight@threads=17", "threads 17: out of range for fight"},
		{"fight@threads=2,threads=3", "key 'threads' is given twice"},
		{"fight@place=spraed", "'spraed' (nearest: spread; accepted: spread, pack"},
		{"fight@cpus=x", "\"x\""},
		{"fight@cpus=", "CPU list: \"\""},
		{"fight@cpus=0+0", "CPU list"},
		{"fight@hold_ns=inf", "'inf': not a whole number"},
		{"fight@hold_ns=9999999", "'9999999': out of range"},
		{"fight:ticket@width=8", "only to a, b"},
		{"fight:all@width=8", "knob width does not apply to fight:ticket"},
		{"fixed@cpus=0", "chooses its own CPUs"},
	};
	struct config common = {0};
	struct spec_list list = {0};
	struct err e;

	for (size_t i = 0; i < COUNT(rows); i++) {
		e.text[0] = '\0';
		if (!spec_parse(&list, rows[i].spec, &common, *state, CPUS, &e))
			fail_msg("'%s' was accepted", rows[i].spec);
		if (!strstr(e.text, rows[i].found) || strchr(e.text, '\n'))
			fail_msg("'%s': '%s' not in '%s'", rows[i].spec, rows[i].found, e.text);
		assert_int_equal(list.count, 0); /* all or nothing */
	}
	spec_free(&list);
}

static void parse_when_spec_is_huge_expect_refusal(void **state)
{
	struct config common = {0};
	struct spec_list list = {0};
	char spec[5000];

	memset(spec, 'a', sizeof(spec) - 1);
	spec[sizeof(spec) - 1] = '\0';
	assert_int_equal(spec_parse(&list, spec, &common, *state, CPUS, NULL), -E2BIG);
}

static void place_check_when_cpu_is_not_allowed_expect_error(void **state)
{
	const struct topology_source src = {.synthetic = "package:1 core:4 pu:1",
					    .allowed_list = "0-2"};
	struct config c = {.workload = "fight", .threads = 2};
	struct topology t;
	struct err e = {0};

	(void)state;
	assert_int_equal(topology_init(&t, &src, &e), 0);
	assert_int_equal(spec_place_check(&c, &t, &e), 0);
	strcpy(c.cpus, "0,2");
	assert_int_equal(spec_place_check(&c, &t, &e), 0);
	strcpy(c.cpus, "0,3");
	assert_int_equal(spec_place_check(&c, &t, &e), -ENODEV);
	assert_non_null(strstr(e.text, "3"));
	strcpy(c.cpus, "0,99");
	assert_int_equal(spec_place_check(&c, &t, &e), -ENODEV);
	assert_non_null(strstr(e.text, "99"));
	c.cpus[0] = '\0';
	c.place = PLACE_SMT;
	assert_int_equal(spec_place_check(&c, &t, &e), -ENOTSUP);
	topology_fini(&t);
}

static void label_when_keys_differ_expect_only_these(void **state)
{
	static const struct {
		const char *specs[3], *label[3];
	} rows[] = {
		{{"fight:a@threads=4", "fight:b@threads=4"}, {"fight:a", "fight:b"}},
		{{"fight:a@threads=1", "fight:a"}, {"fight:a@threads=1", "fight:a@threads=2"}},
		{{"fight:a@cpus=0+1", "fight:a"}, {"fight:a@cpus=0+1", "fight:a@cpus=all"}},
		{{"fight:a@hold_ns=5,think_ns=1", "fight:a"},
		 {"fight:a@hold_ns=5,think_ns=1", "fight:a"}},
		{{"fight:a@place=pack,threads=3", "fight:b"},
		 {"fight:a@threads=3,place=pack", "fight:b@threads=2,place=spread"}},
	};
	struct config common = {0};
	char buf[128];

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct spec_list list = {0};

		for (unsigned k = 0; rows[i].specs[k]; k++)
			assert_int_equal(spec_parse(&list, rows[i].specs[k], &common, *state, CPUS,
						    NULL),
					 0);
		for (unsigned k = 0; k < list.count; k++)
			assert_string_equal(spec_label(&list, k, buf, sizeof(buf)),
					    rows[i].label[k]);
		spec_free(&list);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parse_when_well_formed_expect_configurations),
		cmocka_unit_test(parse_when_common_options_expect_spec_to_win),
		cmocka_unit_test(parse_when_wrong_expect_word_and_what_is_accepted),
		cmocka_unit_test(parse_when_spec_is_huge_expect_refusal),
		cmocka_unit_test(place_check_when_cpu_is_not_allowed_expect_error),
		cmocka_unit_test(label_when_keys_differ_expect_only_these),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
