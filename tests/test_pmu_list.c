/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of events: presets, groups, limits, on made-up machines of every known kind.
 */
#include "probes/pmu_list.h"

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

/* The @n-th PMU of the table that this libpfm4 knows, or NULL. */
static const char *pmu_of_table(unsigned n)
{
	unsigned count, seen = 0;
	const struct pmu_row *row = pmu_table_all(&count);

	for (unsigned i = 0; i < count; i++) {
		bool again = i && strcmp(row[i].pmu, row[i - 1].pmu) == 0;

		if (row[i].native && !again && made_list_pmu_known(row[i].pmu) && seen++ == n)
			return row[i].pmu;
	}
	return NULL;
}

static void every_preset_on_every_cpu_expect_groups_that_fit(void **state)
{
	struct made_list *m = *state;
	unsigned count, cpus = 0;
	const struct pmu_preset *p = pmu_presets(&count);

	for (const char *pmu; (pmu = pmu_of_table(cpus)) != NULL; cpus++) {
		for (unsigned i = 0; i < count; i++) {
			struct pmu_list *l = made_list_begin(m, pmu);

			made_list_preset(l, p[i].name);
			assert_int_equal(pmu_list_finish(l, NULL), 0);
			made_list_check(l);
			assert_in_range(l->group_count, 1, 3);
		}
		made_list_preset(made_list_begin(m, pmu), p[0].name);
		for (unsigned i = 1; i < count; i++)
			made_list_preset(&m->list, p[i].name);
		assert_int_equal(pmu_list_finish(&m->list, NULL), 0);
		made_list_check(&m->list);
	}
	assert_in_range(cpus, 4, 64);
}

static void contention_on_known_cpu_expect_native_events_in_first_group(void **state)
{
	struct made_list *m = *state;
	const char *pmu = made_list_pmu_known("spr") ? "spr" : "arm_n1";
	const char *own =
		made_list_pmu_known("spr") ? "spr::L2_RQSTS:RFO_MISS" : "arm_n1::L1D_CACHE_INVAL";
	struct pmu_list *l;

	made_root_write(&m->root, "/proc/cpuinfo", MADE_INTEL);
	l = made_list_begin(m, pmu);
	made_list_preset(l, "contention");
	assert_int_equal(l->count, 6);
	made_list_check(l);
	assert_string_equal(l->event[0].id, "cycles");
	assert_string_equal(l->event[1].id, "instructions");
	assert_int_equal(l->event[2].role, PMU_TRANSFERS);
	assert_string_equal(l->event[3].id, own);
	assert_true(l->event[3].native);
	assert_int_equal(l->event[3].attr->type, PERF_TYPE_RAW);
	assert_int_equal(strncmp(l->event[3].full, pmu, strlen(pmu)), 0);
	assert_string_equal(l->event[4].label, "LLC-miss");
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(l->event[i].group, i < 4 ? 1 : 2);
	assert_int_equal(l->group_count, 3);
	assert_int_equal(pmu_list_finish(l, NULL), 0);
	assert_int_equal(l->count, 10);
	assert_int_equal(pmu_list_finish(l, NULL), 0);
	assert_int_equal(l->count, 10);
	assert_int_equal(made_list_role(l, PMU_SWITCHES)->source, PMU_SOFTWARE);
	assert_int_equal(made_list_role(l, PMU_SWITCHES)->attr->exclude_kernel, 0);
	made_list_check(l);
}

static void contention_on_unknown_cpu_expect_generic_events_and_reasons(void **state)
{
	struct made_list *m = *state;
	struct pmu_list *l;

	made_root_write(&m->root, "/proc/cpuinfo", MADE_INTEL);
	l = made_list_begin(m, "");
	made_list_preset(l, "contention");
	made_list_check(l);
	assert_int_equal(l->count, 6);
	assert_string_equal(made_list_role(l, PMU_TRANSFERS)->id, "line-transfers");
	assert_int_equal(made_list_role(l, PMU_TRANSFERS)->why, WHY_UNSUPPORTED);
	assert_non_null(strstr(made_list_role(l, PMU_TRANSFERS)->note, "libpfm4 knows no events"));
	assert_int_equal(made_list_role(l, PMU_OWN)->source, PMU_NOWHERE);
	assert_string_equal(made_list_role(l, PMU_MISSES)->label, "LLC-miss");
	assert_int_equal(made_list_role(l, PMU_CYCLES)->group, 1);
	assert_int_equal(made_list_role(l, PMU_MISSES)->group, 2);
	made_list_begin(m, "some_cpu");
	made_list_preset(l, "bus");
	assert_non_null(strstr(made_list_role(l, PMU_BUS_ACCESSES)->note, "some_cpu"));
}

static void transfers_on_unknown_cpu_expect_misses_only_if_not_asked_for(void **state)
{
	static const struct pmu_preset alone = {.name = "alone",
						.doc = "",
						.role = {PMU_CYCLES, PMU_TRANSFERS}};
	static const struct pmu_preset both = {.name = "both",
					       .doc = "",
					       .role = {PMU_TRANSFERS, PMU_MISSES}};
	struct made_list *m = *state;
	struct pmu_list *l = made_list_begin(m, "");
	const struct pmu_event *ev;

	assert_int_equal(pmu_list_add_preset(l, &alone, NULL), 0);
	ev = made_list_role(l, PMU_TRANSFERS);
	assert_string_equal(ev->id, "cache-misses");
	assert_non_null(strstr(ev->means, "stands in for line-transfers"));
	assert_int_equal(ev->group, 1);
	made_list_check(l);
	made_list_begin(m, "");
	assert_int_equal(pmu_list_add_preset(l, &both, NULL), 0);
	assert_int_equal(made_list_role(l, PMU_TRANSFERS)->source, PMU_NOWHERE);
	made_list_begin(m, "");
	made_list_event(l, "cache-misses");
	assert_int_equal(pmu_list_add_preset(l, &alone, NULL), 0);
	assert_int_equal(made_list_role(l, PMU_TRANSFERS)->source, PMU_NOWHERE);
	made_list_check(l);
}

static void names_that_libpfm4_has_lost_expect_reason_that_names_them(void **state)
{
	struct made_list *m = *state;
	struct pmu_list *l;

	m->refused = "cycles";
	m->refusal = PFM_ERR_NOTFOUND;
	l = made_list_begin(m, "");
	made_list_preset(l, "contention");
	assert_int_equal(made_list_role(l, PMU_CYCLES)->source, PMU_NOWHERE);
	assert_non_null(strstr(made_list_role(l, PMU_CYCLES)->note, "does not encode cycles"));
	assert_int_equal(made_list_role(l, PMU_INSTRUCTIONS)->source, PMU_HARDWARE);
	m->refused =
		made_list_pmu_known("spr") ? "spr::L2_RQSTS:RFO_MISS" : "arm_n1::L1D_CACHE_INVAL";
	made_list_begin(m, made_list_pmu_known("spr") ? "spr" : "arm_n1");
	made_list_preset(l, "contention");
	assert_non_null(strstr(made_list_role(l, PMU_OWN)->note,
			       made_list_pmu_known("spr") ? "RFO" : "INVAL"));
	made_list_check(l);
}

static void no_memory_expect_error_and_no_event(void **state)
{
	struct made_list *m = *state;
	struct pmu_list *l = made_list_begin(m, "");
	struct err e = {0};

	m->refused = "cycles";
	m->refusal = PFM_ERR_NOMEM;
	assert_int_equal(pmu_list_add_preset(l, pmu_preset_find("contention"), &e), -ENOMEM);
	assert_int_equal(pmu_list_add_event(l, "cycles", &e), -ENOMEM);
	assert_int_equal(pmu_list_add_event(l, "instructions", &e), -ENOMEM);
	assert_int_equal(l->count, 0);
}

static void single_events_expect_groups_of_their_own_in_order(void **state)
{
	static const struct {
		const char *name;
		unsigned group;
	} row[] = {
		{"r0001", 1}, {"r0002", 1}, {"cs", 0}, {"r0003", 1}, {"r0004", 1}, {"r0005", 4},
	};
	struct made_list *m = *state;
	struct pmu_list *l = made_list_begin(m, "");

	made_list_event(l, row[0].name);
	made_list_preset(l, "contention");
	for (size_t i = 1; i < sizeof(row) / sizeof(row[0]); i++)
		made_list_event(l, row[i].name);
	made_list_check(l);
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		for (unsigned k = 0; k < l->count; k++) {
			if (strcmp(l->event[k].id, row[i].name) == 0)
				assert_int_equal(l->event[k].group, row[i].group);
		}
	}
	assert_int_equal(made_list_role(l, PMU_CYCLES)->group, 2);
	assert_int_equal(made_list_role(l, PMU_MISSES)->group, 3);
}

static void more_events_than_room_expect_enospc(void **state)
{
	struct made_list *m = *state;
	struct pmu_list *l = made_list_begin(m, "");
	struct err e = {0};

	for (unsigned i = 0; i < PMU_EVENTS; i++) {
		char name[16];

		snprintf(name, sizeof(name), "r%04x", i + 1);
		if (i == PMU_EVENTS - 3) {
			assert_int_equal(pmu_list_add_preset(l, pmu_preset_find("contention"), &e),
					 -ENOSPC);
			assert_int_equal(l->count, i);
		}
		made_list_event(l, name);
	}
	assert_int_equal(pmu_list_add_event(l, "cycles", &e), -ENOSPC);
	assert_int_equal(pmu_list_add_event(l, "r0001", &e), 0);
	assert_int_equal(pmu_list_finish(l, &e), -ENOSPC);
	assert_int_equal(l->count, PMU_EVENTS);
	made_list_check(l);
}

static void find_expect_event_that_counts_before_one_that_does_not(void **state)
{
	struct made_list *m = *state;
	struct pmu_list *l = made_list_begin(m, "");

	made_list_event(l, "cycles");
	made_list_event(l, "instructions");
	assert_int_equal(pmu_list_find(l, PMU_TRANSFERS), -1);
	assert_int_equal(pmu_list_find(l, PMU_INSTRUCTIONS), 1);
	l->event[1].role = PMU_CYCLES;
	assert_int_equal(pmu_list_find(l, PMU_CYCLES), 0);
	l->event[0].why = WHY_DENIED;
	assert_int_equal(pmu_list_find(l, PMU_CYCLES), 1);
	l->event[1].why = WHY_UNSUPPORTED;
	assert_int_equal(pmu_list_find(l, PMU_CYCLES), 0);
}

static void attr_on_hybrid_expect_type_of_the_core(void **state)
{
	static const struct {
		const char *name;
		uint32_t type;
		uint64_t config;
	} row[] = {
		{"cycles", PERF_TYPE_HARDWARE, 0xaull << 32},
		{"dTLB-load-misses", PERF_TYPE_HW_CACHE, 0xaull << 32 | 0x10003},
		{"r01c4", 10, 0x1c4},
		{"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
	};
	struct made_list *m = *state;
	struct perf_event_attr a;
	struct pmu_list *l;

	made_root_write(&m->root, MADE_DEVICES "/cpu_core/type", "4\n");
	made_root_write(&m->root, MADE_DEVICES "/cpu_core/cpus", "0-3\n");
	made_root_write(&m->root, MADE_DEVICES "/cpu_atom/type", "10\n");
	made_root_write(&m->root, MADE_DEVICES "/cpu_atom/cpus", "4-7\n");
	l = made_list_begin(m, "");
	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		const struct pmu_event *ev = &l->event[i];

		made_list_event(l, row[i].name);
		pmu_event_attr(ev, &l->host, pmu_host_core(&l->host, 5), &a);
		assert_int_equal(a.type, row[i].type);
		assert_int_equal(a.config, row[i].config);
		assert_int_equal(a.read_format, ev->attr->read_format);
		pmu_event_attr(ev, &l->host, NULL, &a);
		assert_memory_equal(&a, ev->attr, sizeof(a));
	}
	pmu_event_attr(&l->event[0], &l->host, pmu_host_core(&l->host, 0), &a);
	assert_int_equal(a.config, 4ull << 32);
}

static void attr_on_one_kind_of_core_expect_it_unchanged(void **state)
{
	struct made_list *m = *state;
	struct perf_event_attr a;
	struct pmu_list *l;

	made_root_write(&m->root, MADE_DEVICES "/armv8_pmuv3_0/type", "8\n");
	made_root_write(&m->root, MADE_DEVICES "/armv8_pmuv3_0/cpus", "0-3\n");
	l = made_list_begin(m, "");
	made_list_event(l, "cycles");
	pmu_event_attr(&l->event[0], &l->host, pmu_host_core(&l->host, 1), &a);
	assert_memory_equal(&a, l->event[0].attr, sizeof(a));
}

#define ON_MADE(f) cmocka_unit_test_setup_teardown(f, made_list_setup, made_list_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_MADE(every_preset_on_every_cpu_expect_groups_that_fit),
		ON_MADE(contention_on_known_cpu_expect_native_events_in_first_group),
		ON_MADE(contention_on_unknown_cpu_expect_generic_events_and_reasons),
		ON_MADE(transfers_on_unknown_cpu_expect_misses_only_if_not_asked_for),
		ON_MADE(names_that_libpfm4_has_lost_expect_reason_that_names_them),
		ON_MADE(no_memory_expect_error_and_no_event),
		ON_MADE(single_events_expect_groups_of_their_own_in_order),
		ON_MADE(more_events_than_room_expect_enospc),
		ON_MADE(find_expect_event_that_counts_before_one_that_does_not),
		ON_MADE(attr_on_hybrid_expect_type_of_the_core),
		ON_MADE(attr_on_one_kind_of_core_expect_it_unchanged),
	};

	made_list_main();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
