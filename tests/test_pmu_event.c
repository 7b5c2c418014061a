/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events by name: what users type, and what becomes of it.
 */
#include "probes/pmu_event.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <linux/perf_event.h>
#include <perfmon/pfmlib.h>

#include "tests/made_list.h"

static void named_events_expect_roles_levels_and_labels(void **state)
{
	static const struct {
		const char *name;
		enum pmu_role role;
		enum pmu_source source;
		bool user_only;
		const char *label;
	} row[] = {
		{"cycles", PMU_CYCLES, PMU_HARDWARE, false, "cycles"},
		{"perf::PERF_COUNT_HW_INSTRUCTIONS", PMU_INSTRUCTIONS, PMU_HARDWARE, false,
		 "instr"},
		{"cycles:u", PMU_OTHER, PMU_HARDWARE, true, "cycles"},
		{"instructions:k", PMU_OTHER, PMU_HARDWARE, false, "instruct"},
		{"r01c4", PMU_OTHER, PMU_HARDWARE, false, "r01c4"},
		{"PERF_COUNT_HW_CACHE_LL:READ:MISS:u", PMU_OTHER, PMU_HARDWARE, true, "MISS"},
		{"cs", PMU_SWITCHES, PMU_SOFTWARE, false, "switches"},
		{"faults", PMU_FAULTS, PMU_SOFTWARE, false, "faults"},
		{"page-faults:u", PMU_OTHER, PMU_SOFTWARE, true, "page-fau"},
		{"minor-faults", PMU_OTHER, PMU_SOFTWARE, false, "minor-fa"},
	};
	const unsigned rows = sizeof(row) / sizeof(row[0]);
	struct made_list *m = *state;
	struct pmu_list *l = made_list_begin(m, "");

	for (unsigned i = 0; i < rows; i++) {
		const struct pmu_event *ev = &l->event[i];

		made_list_event(l, row[i].name);
		assert_int_equal(l->count, i + 1);
		assert_string_equal(ev->id, row[i].name);
		assert_int_equal(ev->role, row[i].role);
		assert_int_equal(ev->source, row[i].source);
		assert_int_equal(ev->user_only, row[i].user_only);
		assert_string_equal(ev->label, row[i].label);
	}
	assert_int_equal(l->event[3].attr->exclude_user, 1);
	made_list_check(l);
	/* "cs" and "faults" are two of the four. */
	assert_int_equal(pmu_list_finish(l, NULL), 0);
	assert_int_equal(l->count, rows + 2);
	made_list_check(l);
}

static void native_name_expect_role_of_its_row(void **state)
{
	struct made_list *m = *state;
	const char *pmu = made_list_pmu_known("spr") ? "spr" : "arm_n1";
	const char *name =
		made_list_pmu_known("spr") ? "SPR::l2_rqsts:rfo_miss" : "ARM_N1::l1d_cache_inval";
	struct pmu_list *l = made_list_begin(m, pmu);

	made_list_event(l, name);
	assert_string_equal(l->event[0].id, name);
	assert_int_equal(l->event[0].role, PMU_OWN);
	assert_true(l->event[0].native);
	made_list_preset(l, "contention");
	assert_int_equal(l->count, 6);
	made_list_check(l);
}

static void same_event_again_expect_it_once(void **state)
{
	struct made_list *m = *state;
	struct pmu_list *l = made_list_begin(m, "");

	made_list_event(l, "cycles");
	made_list_event(l, "cycles");
	made_list_event(l, "CYCLES");
	made_list_event(l, "perf::PERF_COUNT_HW_CPU_CYCLES");
	made_list_event(l, "cycles:u:k");
	assert_int_equal(l->count, 1);
	made_list_event(l, "cycles:u");
	assert_int_equal(l->count, 2);
	made_list_preset(l, "contention");
	made_list_preset(l, "contention");
	assert_int_equal(l->count, 7);
	made_list_check(l);
}

static void bad_names_expect_error_that_says_why(void **state)
{
	char longest[sizeof(((struct pmu_event *)NULL)->id) + 8];
	const struct {
		const char *name;
		int rc;
		const char *text;
	} row[] = {
		{"", -EINVAL, "characters"},
		{longest, -EINVAL, "characters"},
		{"no_such_event", -ENOENT, "no_such_event"},
		{"no:such_tracepoint", -ENOENT, "no:such_tracepoint"},
		{"nopmu::EVENT", -ENOENT, "nopmu::EVENT"},
		{"::", -ENOENT, "::"},
		{"cycles,instructions", -EINVAL, "one event"},
		{"cycles:nonsense", -EINVAL, pmu_sys_encode_error(PFM_ERR_ATTR)},
		{"cycles:cpu=0", -EINVAL, "cpu="},
		{"cycles:u=7", -EINVAL, pmu_sys_encode_error(PFM_ERR_ATTR_VAL)},
		{"r1:r2:r3", -EINVAL, pmu_sys_encode_error(PFM_ERR_ATTR)},
	};
	struct made_list *m = *state;
	struct pmu_list *l = made_list_begin(m, "");

	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct err e = {0};
		int rc = pmu_list_add_event(l, row[i].name, &e);

		if (rc != row[i].rc || !strstr(e.text, row[i].text))
			fail_msg("%s: %d: %s", row[i].name, rc, e.text);
		assert_int_equal(pmu_list_add_event(l, row[i].name, NULL), rc);
	}
	m->refused = "cycles";
	m->refusal = PFM_ERR_UMASK;
	assert_int_equal(pmu_list_add_event(l, "cycles", NULL), -EINVAL);
	assert_int_equal(l->count, 0);
	assert_int_equal(l->group_count, 1);
}

static void event_of_another_cpu_expect_it_with_its_reason(void **state)
{
	const char *name =
		made_list_pmu_known("skx") ? "skx::l2_rqsts:rfo_miss" : "arm_v1::L1D_CACHE_INVAL";
	const char *wrong = made_list_pmu_known("skx") ? "skx::NO_SUCH" : "arm_v1::NO_SUCH";
	const char *here = made_list_pmu_known("skx") ? "spr::NO_SUCH" : "arm_n1::NO_SUCH";
	struct made_list *m = *state;
	struct pmu_list *l = made_list_begin(m, made_list_pmu_known("skx") ? "spr" : "arm_n1");

	made_list_event(l, name);
	made_list_event(l, name);
	assert_int_equal(l->count, 1);
	assert_string_equal(l->event[0].id, name);
	assert_int_equal(l->event[0].source, PMU_NOWHERE);
	assert_int_equal(l->event[0].why, WHY_UNSUPPORTED);
	assert_non_null(strstr(l->event[0].note, m->pmu));
	assert_int_equal(pmu_list_add_event(l, wrong, NULL), -ENOENT);
	assert_int_equal(pmu_list_add_event(l, here, NULL), -ENOENT);
	m->refused = "r0001";
	m->refusal = PFM_ERR_NOTSUPP;
	made_list_event(l, "r0001");
	assert_int_equal(l->event[1].source, PMU_NOWHERE);
	made_list_check(l);
}

static void event_of_a_chip_expect_it_with_its_reason(void **state)
{
	struct made_list *m = *state;
	struct pmu_list *l = made_list_begin(m, "");

	m->type_instead = 24;
	made_list_event(l, "r0001");
	assert_int_equal(l->event[0].source, PMU_NOWHERE);
	assert_non_null(strstr(l->event[0].note, "chip"));
	made_root_write(&m->root, MADE_DEVICES "/cpu_atom/type", "24\n");
	made_list_begin(m, "");
	made_list_event(l, "r0001");
	assert_int_equal(l->event[0].source, PMU_HARDWARE);
}

/* 10 sleeps counted with :u read 0, without an error: a 0 that was not counted. */
static void switches_of_user_mode_alone_expect_a_reason(void **state)
{
	static const char *const names[] = {"context-switches:u", "cpu-migrations:u"};
	struct made_list *m = *state;
	struct pmu_list *l = made_list_begin(m, "");

	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(pmu_list_add_event(l, names[i], NULL), 0);
		assert_int_equal(l->event[l->count - 1].why, WHY_UNSUPPORTED);
		assert_non_null(strstr(l->event[l->count - 1].note, "the kernel does it"));
	}
	assert_int_equal(pmu_list_add_event(l, "page-faults:u", NULL), 0);
	assert_int_equal(l->event[l->count - 1].why, WHY_OK);
}

static void tracepoint_expect_its_id_from_tracefs(void **state)
{
	struct made_list *m = *state;
	struct pmu_list *l = made_list_begin(m, "");

	if (pmu_sys_linux.encode(NULL, "sched:sched_switch", true, &(struct perf_event_attr){0},
				 (char[224]){""}, 224) == 0) {
		print_message("skip tracepoint_expect_its_id_from_tracefs: debugfs is mounted\n");
		skip();
	}
	assert_int_equal(pmu_list_add_event(l, "sched:sched_switch", NULL), -ENOENT);
	made_root_write(&m->root, "/sys/kernel/tracing/events/sched/sched_switch/id", "316\n");
	made_root_write(&m->root, "/sys/kernel/debug/tracing/events/lock/contention_begin/id",
			"77\n");
	made_list_event(l, "sched:sched_switch");
	made_list_event(l, "lock:contention_begin");
	assert_int_equal(l->count, 2);
	made_list_check(l);
	assert_int_equal(l->event[0].source, PMU_SOFTWARE);
	assert_int_equal(l->event[0].attr->type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(l->event[0].attr->config, 316);
	assert_string_equal(l->event[0].label, "sched_sw");
	assert_int_equal(l->event[1].attr->config, 77);
}

#define ON_MADE(f) cmocka_unit_test_setup_teardown(f, made_list_setup, made_list_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_MADE(named_events_expect_roles_levels_and_labels),
		ON_MADE(native_name_expect_role_of_its_row),
		ON_MADE(same_event_again_expect_it_once),
		ON_MADE(bad_names_expect_error_that_says_why),
		ON_MADE(event_of_another_cpu_expect_it_with_its_reason),
		ON_MADE(event_of_a_chip_expect_it_with_its_reason),
		ON_MADE(switches_of_user_mode_alone_expect_a_reason),
		ON_MADE(tracepoint_expect_its_id_from_tracefs),
	};

	made_list_main();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
