/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters from readings to figures: of threads, CPUs, rounds, the live interval, and their fields.
 */
#include "src/flow/counts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "src/flow/csv.h"
#include "src/flow/field.h"
#include "tests/made_trial.h"

enum { THREADS = 3, EVENTS = 5 };

/* Five events and the readings of three threads at the two ends of a phase of one second. */
struct scene {
	struct made_trial m;
	struct pmu_list list;
	struct pmu_count from[THREADS * EVENTS], to[THREADS * EVENTS];
	struct fields fields;
	struct round r;
};

enum { CYCLES, INSTRUCTIONS, TRANSFERS, MISSES, SWITCHES };

static const struct {
	const char *id, *label;
	enum pmu_role role;
	uint64_t counted; /* by thread 0; thread i counts i + 1 times as many */
} events[EVENTS] = {
	{"cycles", "cycles", PMU_CYCLES, 4000000},
	{"instructions", "instr", PMU_INSTRUCTIONS, 1000000},
	{"spr::MEM_LOAD_L3_HIT_RETIRED:XSNP_FWD", "xfer", PMU_TRANSFERS, 2000},
	{"cache-misses", "LLC-miss", PMU_MISSES, 500},
	{"context-switches", "csw", PMU_SWITCHES, 7},
};

static void event_fill(struct scene *s, unsigned e)
{
	struct pmu_event *ev = &s->list.event[e];

	snprintf(ev->id, sizeof(ev->id), "%s", events[e].id);
	snprintf(ev->label, sizeof(ev->label), "%s", events[e].label);
	ev->role = events[e].role;
	for (unsigned t = 0; t < THREADS; t++) {
		s->from[t * EVENTS + e] = (struct pmu_count){.value = 1000 * t,
							     .enabled_ns = 5000,
							     .running_ns = 5000};
		s->to[t * EVENTS + e] =
			(struct pmu_count){.value = 1000 * t + events[e].counted * (t + 1),
					   .enabled_ns = 1000005000,
					   .running_ns = 1000005000};
	}
}

static int scene_setup(void **state)
{
	static struct scene s;

	memset(&s, 0, sizeof(s));
	made_trial_init(&s.m, THREADS);
	s.list.count = EVENTS;
	for (unsigned e = 0; e < EVENTS; e++)
		event_fill(&s, e);
	s.m.in.events = &s.list;
	s.m.in.counts_from = s.from;
	s.m.in.counts_to = s.to;
	*state = &s;
	return fields_init(&s.fields, &s.list);
}

static int scene_teardown(void **state)
{
	struct scene *s = *state;

	round_free(&s->r);
	fields_fini(&s->fields);
	made_trial_fini(&s->m);
	return 0;
}

/* Threads did 1000, 2000 and 3000 ops in one second, each on a CPU of its own. */
static void round_expects_counts_of_threads_to_add_up(void **state)
{
	struct scene *s = *state;

	assert_int_equal(round_make(&s->r, &s->m.in), 0);
	for (unsigned t = 0; t < THREADS; t++)
		for (unsigned e = 0; e < EVENTS; e++)
			assert_number(s->r.thread[t].count[e].count,
				      (double)events[e].counted * (t + 1));
	assert_number(s->r.count[CYCLES].count, 24000000);
	assert_number(s->r.counts.ipc, 0.25);
	assert_number(s->r.counts.transfers_per_op, 12000.0 / 6000);
	assert_number(s->r.counts.misses_per_op, 3000.0 / 6000);
	assert_number(s->r.counts.switches_per_s, 42);
	assert_int_equal(s->r.counts.bus_cycles_per_op.why, WHY_UNSUPPORTED);
	assert_int_equal(s->r.cpu_count, 3);
	assert_number(s->r.cpu[1].counts.transfers_per_op, 2);
	assert_number(s->r.cpu[2].counts.switches_per_s, 21);
}

static void round_without_a_second_reading_expects_not_yet(void **state)
{
	struct scene *s = *state;

	s->m.in.counts_to = NULL;
	s->list.event[TRANSFERS].why = WHY_DENIED;
	assert_int_equal(round_make(&s->r, &s->m.in), 0);
	assert_int_equal(s->r.count[CYCLES].count.why, WHY_NOT_YET);
	assert_int_equal(s->r.counts.ipc.why, WHY_NOT_YET);
	/* What will never be counted says why at once. */
	assert_int_equal(s->r.counts.transfers_per_op.why, WHY_DENIED);
}

static void round_without_events_expects_unsupported_figures(void **state)
{
	struct scene *s = *state;

	s->m.in.events = NULL;
	assert_int_equal(round_make(&s->r, &s->m.in), 0);
	assert_int_equal(s->r.counts.ipc.why, WHY_UNSUPPORTED);
	assert_int_equal(s->r.counts.switches_per_s.why, WHY_UNSUPPORTED);
}

static void scaled_thread_expects_scaled_sums(void **state)
{
	struct scene *s = *state;

	/* Thread 1 was counted half of the time. */
	s->to[1 * EVENTS + CYCLES].running_ns = 5000 + 500000000;
	assert_int_equal(round_make(&s->r, &s->m.in), 0);
	assert_int_equal(s->r.thread[1].count[CYCLES].count.why, WHY_SCALED);
	assert_true(made_number_is(value_of(s->r.count[CYCLES].count.v), 32000000));
	assert_int_equal(s->r.count[CYCLES].count.why, WHY_SCALED);
	assert_int_equal(s->r.counts.ipc.why, WHY_SCALED);
	assert_int_equal(s->r.cpu[0].counts.ipc.why, WHY_OK);
	assert_true(pmu_delta_running(&s->r.count[CYCLES]).v < 0.84);
	assert_true(pmu_delta_running(&s->r.count[CYCLES]).v > 0.83);
}

static void missing_thread_expects_missing_sums_and_whole_neighbours(void **state)
{
	struct scene *s = *state;

	s->to[2 * EVENTS + MISSES].why = WHY_LOST;
	assert_int_equal(round_make(&s->r, &s->m.in), 0);
	assert_int_equal(s->r.counts.misses_per_op.why, WHY_LOST);
	assert_int_equal(s->r.cpu[2].counts.misses_per_op.why, WHY_LOST);
	assert_number(s->r.cpu[1].counts.misses_per_op, 0.5);
	assert_number(s->r.counts.transfers_per_op, 2);
}

static void offline_cpu_expects_its_cells_missing_and_the_thread_counted(void **state)
{
	const bool moved[THREADS] = {false, true, false};
	struct scene *s = *state;
	char why[64];

	s->m.in.moved = moved;
	assert_int_equal(round_make(&s->r, &s->m.in), 0);
	assert_int_equal(s->r.cpu[1].counts.ipc.why, WHY_OFFLINE);
	assert_number(s->r.cpu[0].counts.ipc, 0.25);
	assert_number(s->r.thread[1].count[CYCLES].count, 8000000);
	assert_number(s->r.counts.ipc, 0.25);
	assert_non_null(
		strstr(round_disturbed_format(s->r.disturbed_why, why, sizeof(why)), "offline"));
}

static void unpinned_threads_expect_their_own_counts_and_no_cpu(void **state)
{
	struct scene *s = *state;

	for (unsigned t = 0; t < THREADS; t++)
		s->m.snap.thread[t].cpu = -1;
	assert_int_equal(round_make(&s->r, &s->m.in), 0);
	assert_int_equal(s->r.cpu_count, 1);
	assert_int_equal(s->r.cpu[0].counts.ipc.why, WHY_UNPINNED);
	assert_int_equal(s->r.cpu[0].count[SWITCHES].count.why, WHY_UNPINNED);
	assert_number(s->r.thread[2].count[SWITCHES].count, 21);
	assert_number(s->r.counts.ipc, 0.25);
}

/* The text of a cell, a number as the files have it. */
static char *cell(const struct scene *s, enum field_scope scope, unsigned row, const char *id)
{
	static char text[256];
	struct field_input in = {&s->m.machine, &s->r, row};
	const struct field *f = field_find(&s->fields, scope, id);
	struct field_cell c;

	assert_non_null(f);
	field_get(f, &in, &c);
	if (f->kind == FIELD_TEXT)
		snprintf(text, sizeof(text), "%.255s", c.text);
	else if (value_known(c.value))
		csv_number(c.value.v, text, sizeof(text));
	else
		text[0] = '\0';
	return text;
}

static void event_columns_expect_counts_ratios_and_reasons(void **state)
{
	struct scene *s = *state;

	s->to[0 * EVENTS + CYCLES].running_ns = 5000 + 250000000;
	s->to[2 * EVENTS + MISSES].why = WHY_NOT_SCHEDULED;
	assert_int_equal(round_make(&s->r, &s->m.in), 0);
	assert_string_equal(cell(s, FIELD_ROUND, 0, "instructions"), "6000000");
	assert_string_equal(cell(s, FIELD_ROUND, 0, "instructions_per_op"), "1000");
	assert_string_equal(cell(s, FIELD_ROUND, 0, "instructions_running_ratio"), "1");
	assert_string_equal(cell(s, FIELD_ROUND, 0, "instructions_why"), "");
	assert_string_equal(cell(s, FIELD_ROUND, 0, "cache-misses"), "");
	assert_string_equal(cell(s, FIELD_ROUND, 0, "cache-misses_why"), "not-scheduled");
	assert_string_equal(cell(s, FIELD_ROUND, 0, "misses_per_op"), "");
	assert_string_equal(cell(s, FIELD_ROUND, 0, "misses_per_op_why"), "not-scheduled");
	assert_string_equal(cell(s, FIELD_ROUND, 0, "cycles_why"), "scaled");
	assert_string_equal(cell(s, FIELD_CPU, 0, "cycles"), "16000000");
	assert_string_equal(cell(s, FIELD_CPU, 0, "cycles_running_ratio"), "0.25");
	assert_string_equal(cell(s, FIELD_CPU, 1, "cycles_why"), "");
	assert_string_equal(cell(s, FIELD_CPU, 1, "spr::MEM_LOAD_L3_HIT_RETIRED:XSNP_FWD_per_op"),
			    "2");
	assert_string_equal(cell(s, FIELD_THREAD, 2, "context-switches"), "21");
	assert_string_equal(cell(s, FIELD_CPU, 1, "ipc"), "0.25");
	assert_string_equal(cell(s, FIELD_CPU, 1, "ipc_why"), "");
	assert_string_equal(cell(s, FIELD_CPU, 1, "bus_cycles_per_op_why"), "unsupported");
}

static void fields_of_events_expect_the_fixed_ones_first_and_four_each(void **state)
{
	struct scene *s = *state;

	for (enum field_scope scope = FIELD_KEY; scope < FIELD_SCOPES; scope++) {
		bool counted = scope == FIELD_ROUND || scope == FIELD_CPU || scope == FIELD_THREAD;
		unsigned fixed, all;
		const struct field *f = field_table(NULL, scope, &fixed);
		const struct field *x = field_table(&s->fields, scope, &all);

		assert_int_equal(all, fixed + (counted ? 4 * EVENTS : 0));
		for (unsigned i = 0; i < fixed; i++)
			assert_string_equal(f[i].id, x[i].id);
	}
	/* The head of a figure says of which level it is. */
	assert_string_equal(field_find(&s->fields, FIELD_CPU, "misses_per_op")->header,
			    "LLC-miss/op");
	assert_int_equal(field_find(&s->fields, FIELD_CPU, "misses_per_op")->width, 11);
	assert_string_equal(field_find(&s->fields, FIELD_CPU, "bus_cycles_per_op")->header,
			    "bus/op");
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_setup, scene_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(round_expects_counts_of_threads_to_add_up),
		SCENE(round_without_a_second_reading_expects_not_yet),
		SCENE(round_without_events_expects_unsupported_figures),
		SCENE(scaled_thread_expects_scaled_sums),
		SCENE(missing_thread_expects_missing_sums_and_whole_neighbours),
		SCENE(offline_cpu_expects_its_cells_missing_and_the_thread_counted),
		SCENE(unpinned_threads_expect_their_own_counts_and_no_cpu),
		SCENE(event_columns_expect_counts_ratios_and_reasons),
		SCENE(fields_of_events_expect_the_fixed_ones_first_and_four_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
