/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which columns the counters of a run get.
 */
#include "src/report_cols.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* Adds an event. */
static void event_add(struct pmu_list *l, enum pmu_role role, const char *label)
{
	struct pmu_event *ev = &l->event[l->count++];

	ev->role = role;
	snprintf(ev->label, sizeof(ev->label), "%s", label);
}

static void software_add(struct pmu_list *l)
{
	event_add(l, PMU_TASK_CLOCK, "task-clk");
	event_add(l, PMU_SWITCHES, "switches");
	event_add(l, PMU_MIGRATIONS, "migrated");
	event_add(l, PMU_FAULTS, "faults");
}

/* Asserts the heads, "LABEL/UNIT" joined by blanks. */
static void heads_are(const struct report_counters *c, const char *expected)
{
	char text[512] = "";

	for (unsigned i = 0; i < c->cols.count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s/%s", i ? " " : "",
			 c->cols.col[i].head[0], c->cols.col[i].head[1]);
	assert_string_equal(text, expected);
}

static void columns_when_contention_expect_figures_first(void **state)
{
	struct pmu_list l = {.count = 0};
	struct report_counters c;

	(void)state;
	event_add(&l, PMU_CYCLES, "cycles");
	event_add(&l, PMU_INSTRUCTIONS, "instr");
	event_add(&l, PMU_TRANSFERS, "ld-HITM");
	event_add(&l, PMU_OWN, "RFO-miss");
	event_add(&l, PMU_MISSES, "LLC-miss");
	event_add(&l, PMU_BUS_CYCLES, "ref-bus");
	software_add(&l);
	report_counters_make(&c, &l);
	heads_are(&c, "/IPC ld-HITM/per op LLC-miss/per op ref-bus/per op switches/per s "
		      "RFO-miss/per op");
	assert_int_equal(c.left_out, 0);
}

static void columns_when_one_of_a_pair_is_asked_for_expect_it_alone(void **state)
{
	struct pmu_list l = {.count = 0};
	struct report_counters c;

	(void)state;
	event_add(&l, PMU_CYCLES, "cycles");
	software_add(&l);
	report_counters_make(&c, &l);
	heads_are(&c, "switches/per s cycles/per op");
}

static void columns_when_all_is_software_expect_all_of_it(void **state)
{
	struct pmu_list l = {.count = 0};
	struct report_counters c;

	(void)state;
	software_add(&l);
	report_counters_make(&c, &l);
	heads_are(&c, "switches/per s task-clk/per op migrated/per op faults/per op");
}

static void columns_when_too_many_expect_the_rest_counted(void **state)
{
	struct pmu_list l = {.count = 0};
	struct report_counters c;

	(void)state;
	for (unsigned i = 0; i < PMU_EVENTS - 4; i++)
		event_add(&l, PMU_OTHER, "other");
	software_add(&l);
	report_counters_make(&c, &l);
	assert_int_equal(c.cols.count, REPORT_COUNTERS);
	assert_int_equal(c.left_out, PMU_EVENTS - 4 + 1 - REPORT_COUNTERS);
}

static void column_of_an_event_when_read_expect_its_count_per_op(void **state)
{
	struct pmu_list l = {.count = 0};
	struct pmu_delta count[8] = {0};
	struct round r = {.ops = value_of(50), .events = &l, .count = count};
	struct report_counters c;
	struct value v;

	(void)state;
	event_add(&l, PMU_REFERENCES, "refs");
	event_add(&l, PMU_OTHER, "branches");
	software_add(&l);
	for (unsigned i = 0; i < l.count; i++)
		count[i].count = value_of(100 * (i + 1.0));
	report_counters_make(&c, &l);
	heads_are(&c, "switches/per s refs/per op branches/per op");
	v = c.cols.col[2].get(&r, c.cols.which[2]);
	assert_true(v.why == WHY_OK && v.v == 4);
	count[1].count.why = WHY_SCALED;
	assert_int_equal(c.cols.col[2].get(&r, c.cols.which[2]).why, WHY_SCALED);
	count[1].count = value_missing(WHY_DENIED);
	assert_int_equal(c.cols.col[2].get(&r, c.cols.which[2]).why, WHY_DENIED);
	r.events = NULL;
	assert_int_equal(c.cols.col[2].get(&r, c.cols.which[2]).why, WHY_UNSUPPORTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_when_contention_expect_figures_first),
		cmocka_unit_test(columns_when_one_of_a_pair_is_asked_for_expect_it_alone),
		cmocka_unit_test(columns_when_all_is_software_expect_all_of_it),
		cmocka_unit_test(columns_when_too_many_expect_the_rest_counted),
		cmocka_unit_test(column_of_an_event_when_read_expect_its_count_per_op),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
