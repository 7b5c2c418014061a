/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Placement within a list of CPUs, and requests that are refused.
 */
#include "probes/place.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void load(struct topology *t, const struct topology_source *src)
{
	struct err e = {0};

	if (topology_init(t, src, &e) != 0)
		fail_msg("%s", e.text);
}

static void lists_expect_policy_within_them_or_their_own_order(void **state)
{
	static const struct {
		enum place_policy policy;
		bool keep_order;
		const char *want, *order;
	} row[] = {
		{PLACE_SPREAD, true, "9,0,5", "9,0,5"},
		{PLACE_SPREAD, false, "9,0,5", "0,5,9"},
		{PLACE_SPREAD, false, "3,2,1,0,8,5", "0,5,1-3,8"},
		{PLACE_PACK, false, "4,9,1,8,0", "0,8,1,9,4"},
		{PLACE_CORE, false, "8,0,9,4", "0,9,4,8"},
		{PLACE_PACKAGE, false, "5,8,4,0,1", "0-1,8,4-5"},
		{PLACE_SMT, false, "9,0,5,1,8,13", "0,8,1,9,5,13"},
		{PLACE_SMT, false, "9,0,1", "1,9"},
		{PLACE_NONE, false, "9,0,5", "9,0,5"},
	};
	struct topology_source src = {.xml_path = "tests/topologies/smt-2-packages.xml"};
	struct topology t;

	(void)state;
	load(&t, &src);
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		int want[16], order[16], n;
		struct place_request rq = {
			.policy = row[i].policy,
			.keep_order = row[i].keep_order,
			.want = want,
		};
		char buf[96];

		rq.want_count = (unsigned)cpulist_parse(row[i].want, want, 16, NULL);
		n = place_order(&t, &rq, order, 16, NULL);
		assert_true(n > 0);
		assert_string_equal(cpulist_format(order, (unsigned)n, buf, sizeof(buf)),
				    row[i].order);
	}
	topology_fini(&t);
}

static const struct {
	struct topology_source src;
	enum place_policy policy;
	const char *want;
	int code;
	const char *word[3];
} refusal[] = {
	{{.synthetic = "core:4 pu:1"},
	 PLACE_SPREAD,
	 "1,7",
	 -ENODEV,
	 {"CPU 7", "does not exist", "0-3"}},
	{{.synthetic = "core:8 pu:1", .offline_list = "1,3-4"},
	 PLACE_PACK,
	 "0,3",
	 -ENODEV,
	 {"CPU 3", "offline", "0,2,5-7"}},
	{{.synthetic = "core:8 pu:1", .allowed_list = "2-3"},
	 PLACE_CORE,
	 "2,5",
	 -ENODEV,
	 {"CPU 5", "not allowed", "2-3"}},
	{{.synthetic = "core:8 pu:1", .allowed_list = "2-3"},
	 PLACE_NONE,
	 "5",
	 -ENODEV,
	 {"CPU 5", "not allowed", "2-3"}},
	{{.synthetic = "core:4 pu:1", .allowed_list = "9"},
	 PLACE_SPREAD,
	 NULL,
	 -ENODEV,
	 {"no CPU", "online", "allowed"}},
	{{.synthetic = "core:4 pu:1", .allowed_list = "9"},
	 PLACE_SPREAD,
	 "1",
	 -ENODEV,
	 {"CPU 1", "not allowed", "none"}},
	{{.synthetic = "core:4 pu:1"},
	 PLACE_SMT,
	 NULL,
	 -ENOTSUP,
	 {"smt", "no core has two", "SMT on"}},
	{{.synthetic = "core:4 pu:2"},
	 PLACE_SMT,
	 "0,2,4",
	 -ENOTSUP,
	 {"smt", "no core has two", "list"}},
};

static void refused_requests_expect_cpu_reason_and_choice(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refusal) / sizeof(refusal[0]); i++) {
		int want[16], order[16], out[4] = {-7, -7, -7, -7};
		struct place_request rq = {.policy = refusal[i].policy, .want = want, .threads = 4};
		struct topology t;
		struct err e = {0};

		load(&t, &refusal[i].src);
		if (refusal[i].want)
			rq.want_count = (unsigned)cpulist_parse(refusal[i].want, want, 16, NULL);
		assert_int_equal(place_order(&t, &rq, order, 16, &e), refusal[i].code);
		for (size_t k = 0; k < 3; k++)
			assert_non_null(strstr(e.text, refusal[i].word[k]));
		assert_int_equal(place_threads(&t, &rq, out, NULL), refusal[i].code);
		assert_int_equal(out[0], -7);
		topology_fini(&t);
	}
}

static void doubled_list_or_small_room_expect_refusal(void **state)
{
	static const int twice[] = {0, 1, 0}, more_than_cpus[] = {0, 1, 0, 1, 0, 1};
	struct topology_source src = {.synthetic = "core:2 pu:1"};
	struct place_request rq = {.want = twice, .want_count = 3};
	struct topology t;
	struct err e = {0};
	int order[2];

	(void)state;
	load(&t, &src);
	assert_int_equal(place_order(&t, &rq, order, 2, &e), -EINVAL);
	assert_non_null(strstr(e.text, "CPU 0 is listed twice"));
	rq = (struct place_request){.want = more_than_cpus, .want_count = 6};
	assert_int_equal(place_order(&t, &rq, order, 2, &e), -EINVAL);
	rq = (struct place_request){.policy = PLACE_SPREAD};
	assert_int_equal(place_order(&t, &rq, order, 1, &e), -ERANGE);
	assert_int_equal(e.code, -ERANGE);
	topology_fini(&t);
}

static void refusal_on_big_machine_expect_text_that_fits(void **state)
{
	struct topology_source src = {.synthetic = "core:512 pu:2"};
	int want[] = {4000};
	struct place_request rq = {.want = want, .want_count = 1};
	struct topology t;
	struct err e = {0};
	int order[1];

	(void)state;
	load(&t, &src);
	/* Every second CPU: the longest list there can be. */
	for (unsigned i = 1; i < t.cpu_count; i += 2)
		t.cpu[i].allowed = false;
	t.allowed_count = 512;
	assert_int_equal(place_order(&t, &rq, order, 1, &e), -ENODEV);
	assert_true(strlen(e.text) < sizeof(e.text) - 1);
	assert_non_null(strstr(e.text, "...)"));
	topology_fini(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_expect_policy_within_them_or_their_own_order),
		cmocka_unit_test(refused_requests_expect_cpu_reason_and_choice),
		cmocka_unit_test(doubled_list_or_small_room_expect_refusal),
		cmocka_unit_test(refusal_on_big_machine_expect_text_that_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
