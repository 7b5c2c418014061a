/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Medians and ranges over rounds, the tables of `hotline run`, the order of rounds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "src/report.h"
#include "src/run.h"
#include "tests/described.h"

enum { CPUS = 4, ROUNDS = 3 };

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

static struct value unresolved(double bound)
{
	return (struct value){bound, WHY_UNRESOLVED};
}

static void stat_when_values_are_known_expect_median_and_range(void **state)
{
	struct value odd[] = {value_of(3), value_of(1), value_of(2)};
	struct value even[] = {value_of(4), value_of(1), value_of(2), value_of(3)};
	struct value one[] = {{7, WHY_SCALED}};
	struct report_stat s = report_stat_make(odd, 3);

	(void)state;
	assert_true(s.median.v == 2 && s.min.v == 1 && s.max.v == 3);
	assert_int_equal(s.count, 3);
	assert_int_equal(s.median.why, WHY_OK);
	s = report_stat_make(even, 4);
	assert_true(s.median.v == 2.5);
	s = report_stat_make(one, 1);
	assert_true(s.median.v == 7 && s.median.why == WHY_SCALED);
}

static void stat_when_some_are_missing_expect_the_others(void **state)
{
	struct value some[] = {value_missing(WHY_LOST), value_of(5), value_of(6)};
	struct value none[] = {value_missing(WHY_DENIED), value_missing(WHY_LOST)};
	struct report_stat s = report_stat_make(some, 3);

	(void)state;
	assert_int_equal(s.count, 2);
	assert_true(s.median.v == 5.5);
	s = report_stat_make(none, 2);
	assert_int_equal(s.count, 0);
	assert_int_equal(s.median.why, WHY_DENIED);
	s = report_stat_make(NULL, 0);
	assert_int_equal(s.median.why, WHY_NOT_YET);
}

static void stat_when_some_are_unresolved_expect_them_below(void **state)
{
	struct value few[] = {value_of(50), unresolved(20), value_of(40)};
	struct value most[] = {value_of(50), unresolved(20), unresolved(30)};
	struct value half[] = {value_of(50), unresolved(20), unresolved(10), value_of(60)};
	struct report_stat s = report_stat_make(few, 3);

	(void)state;
	assert_true(s.median.v == 40 && s.median.why == WHY_OK);
	assert_int_equal(s.min.why, WHY_UNRESOLVED);
	s = report_stat_make(most, 3);
	assert_int_equal(s.median.why, WHY_UNRESOLVED);
	assert_true(s.median.v == 30); /* the bound that holds for both */
	s = report_stat_make(half, 4);
	assert_int_equal(s.median.why, WHY_UNRESOLVED);
}

/* A run of two configurations; figures of round i are base + i. */
struct sample {
	struct machine machine;
	struct spec_list list;
	struct plan plan;
	struct round round[2 * ROUNDS];
	struct round_thread thread[2 * ROUNDS][2];
	const struct round *order[2 * ROUNDS];
	unsigned config[2 * ROUNDS];
	struct report_input in;
};

static void round_fill(struct round *r, struct round_thread *thread, const struct config *c,
		       double at)
{
	struct round_dist wait = {.samples = 1000,
				  .mean_ns = value_of(300 + at),
				  .p50_ns = value_of(200 + at),
				  .p99_ns = value_of(4000 + at),
				  .p999_ns = value_of(9000),
				  .max_seen_ns = value_of(20000)};

	static struct round_cpu cpus[] = {{.cpu = 0}, {.cpu = 1}};

	*r = (struct round){
		.config = *c,
		.sample_n = 64,
		.tick_hz = 2.5e9,
		.tick_resolution_ns = 0.4,
		.tick_bias_ns = 4,
		.duration_s = value_of(1),
		.real_s = value_of(1 + at),
		.user_s = value_of(2),
		.sys_s = value_of(0),
		.ops = value_of(1e6),
		.ops_per_s = value_of(1e6 + at * 1e4),
		.clocks_per_op = value_of(200 + at),
		.fairness_jain = value_of(0.99),
		.handovers_per_op = value_of(0.01),
		.runs = value_of(97256),
		.run_mean = value_of(102),
		.run_max = value_of(2713),
		.gap_max_ns = value_of(1e6),
		.thread_count = 2,
		.cpu_count = 2,
		.lock_count = 1,
		.lock = {{.role = "lock", .contended = value_missing(WHY_UNSUPPORTED)}},
		.thread = thread,
		.cpu = cpus,
	};
	r->lock[0].wait = r->lock[0].hold = wait;
	r->lock[0].hold.p50_ns = unresolved(20);
	thread[0] = (struct round_thread){.thread = 0, .share = value_of(0.5)};
	thread[1] = (struct round_thread){.thread = 1, .share = value_of(0.5)};
}

static void sample_make(struct sample *s, const struct catalog *cat, const char *spec)
{
	struct config common = {0};

	memset(s, 0, sizeof(*s));
	s->machine = (struct machine){.cpu_model = "Test CPU",
				      .kernel = "6.1",
				      .virt = "none",
				      .tick = {.name = "tsc"}};
	s->plan = plan_default();
	s->plan.rounds = ROUNDS;
	assert_int_equal(spec_parse(&s->list, spec, &common, cat, CPUS, NULL), 0);
	assert_int_equal(s->list.count, 2);
	for (unsigned i = 0; i < 2 * ROUNDS; i++) {
		s->config[i] = run_order(2, i / 2, i % 2);
		round_fill(&s->round[i], s->thread[i], &s->list.config[s->config[i]],
			   s->config[i] * 100 + i);
		s->order[i] = &s->round[i];
	}
	s->in = (struct report_input){
		.machine = &s->machine,
		.catalog = cat,
		.list = &s->list,
		.plan = &s->plan,
		.round = s->order,
		.config = s->config,
		.round_count = 2 * ROUNDS,
		.ascii = true,
	};
}

static char *text_of(const struct report_input *in)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *f = open_memstream(&text, &bytes);

	assert_non_null(f);
	report_text(f, in);
	fclose(f);
	return text;
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' not in:\n%s", part, text);
}

static void text_when_complete_expect_machine_plan_and_tables(void **state)
{
	struct sample s;
	char *text;

	sample_make(&s, *state, "fight:a,null");
	text = text_of(&s.in);
	has(text, "Test CPU, 6.1, virt none; clock tsc 2.50GHz, resolution 0.4 ns, bias 4 ns\n");
	has(text, "2 threads, CPUs 0-1 (spread), rounds of 1 s after 0.2 s warm-up, measure auto, "
		  "seed 42\n");
	/* a: rounds 0, 3, 4 of the run; null: 1, 2, 5, at 100 more. */
	has(text, "fight:a                    3  1.03M +-1.9%  1.00M..1.04M");
	has(text, "fight:null (no exclusion)  3  2.02M +-1.0%  2.01M..2.05M");
	has(text, "203 +-1.0%  50.0% +-0.0%  97.3k +-0.0%  102 +-0.0%  2.71k +-0.0%\n");
	has(text, "1 in 64");
	has(text, "3.00k"); /* samples of three rounds */
	has(text, "<20n");
	has(text, "<: smaller than the clock can tell.");
	has(text, "fight:null: its row is the cost of the loop itself, without a lock.");
	assert_null(strstr(text, "real,"));
	free(text);
	spec_free(&s.list);
}

static void text_when_utf8_expect_same_lines_with_other_signs(void **state)
{
	struct sample s;
	char *text;

	sample_make(&s, *state, "fight:a,b");
	s.in.ascii = false;
	text = text_of(&s.in);
	has(text, "1.03M \xc2\xb1"
		  "1.9%");
	has(text, "4.0\xc2\xb5");
	free(text);
	spec_free(&s.list);
}

static void text_when_rounds_are_missing_or_marked_expect_it_said(void **state)
{
	struct sample s;
	char *text;

	sample_make(&s, *state, "fight:a,b");
	s.in.round_count = 3; /* a, b, b: interrupted */
	s.round[1].disturbed_why = DISTURBED_GAP;
	s.round[2].limit_hit = true;
	s.round[0].clocks_per_op = value_missing(WHY_UNSUPPORTED);
	text = text_of(&s.in);
	has(text, "1 of 3");
	has(text, "2 of 3");
	has(text, "1 (gap), 1 at limit");
	has(text, "n/a:u");
	has(text, "n/a:u: this CPU, variant or kernel cannot tell.");
	has(text, "Disturbed rounds are kept");
	has(text, "at limit: ended after 60 s");
	free(text);
	s.in.round_count = 0;
	text = text_of(&s.in);
	assert_string_equal(text, "No round was finished.\n");
	free(text);
	spec_free(&s.list);
}

static void text_when_work_is_fixed_and_unstamped_expect_times_and_no_locks(void **state)
{
	struct sample s;
	char *text;

	sample_make(&s, *state, "fight:a,b");
	s.plan.ops = 1000000;
	s.plan.measure = PAGE_MEASURE_OFF;
	for (unsigned i = 0; i < 2 * ROUNDS; i++)
		s.round[i].sample_n = 0;
	text = text_of(&s.in);
	assert_null(strstr(text, "p50"));
	has(text, "wait, hold: no operation was stamped.");
	has(text, "rounds of 1000000 ops");
	has(text, "real,");
	free(text);
	spec_free(&s.list);
}

/* Lists are made by hand: what is said of them is tested here, not how they come about. */
static void text_when_counters_are_missing_expect_each_reason_once(void **state)
{
	static struct pmu_list l = {.count = 3, .host = {.core_count = 1}};
	static const enum pmu_role role[] = {PMU_MISSES, PMU_BUS_CYCLES, PMU_REFERENCES};
	struct pmu_delta count[3] = {{.count = value_missing(WHY_DENIED)},
				     {.count = value_missing(WHY_DENIED)},
				     {.count = {8e6, WHY_SCALED}}};
	struct sample s;
	char *text;

	for (unsigned i = 0; i < 3; i++) {
		l.event[i] = (struct pmu_event){.role = role[i], .why = count[i].count.why};
		snprintf(l.event[i].id, sizeof(l.event[i].id), "event%u", i);
		snprintf(l.event[i].label, sizeof(l.event[i].label), "label%u", i);
		if (i < 2)
			snprintf(l.event[i].note, sizeof(l.event[i].note), "event%u: do this", i);
	}
	sample_make(&s, *state, "fight:a,b");
	for (unsigned i = 0; i < 2 * ROUNDS; i++) {
		s.round[i].events = &l;
		s.round[i].count = count;
		s.round[i].counts.misses_per_op = count[0].count;
		s.round[i].counts.bus_cycles_per_op = count[1].count;
	}
	text = text_of(&s.in);
	has(text, "         label0  label1        label2\n"
		  "         per op  per op        per op\n");
	has(text, "fight:a   n/a:p   n/a:p  8.00~ +-0.0%\n");
	has(text, "\nlabel0, label1: do this\n");
	assert_null(strstr(text, "event1"));
	free(text);
	snprintf(l.note, sizeof(l.note), "event0: do this");
	text = text_of(&s.in);
	has(text, "\nevent0: do this\n");
	assert_null(strstr(text, "label0, label1:"));
	free(text);
	spec_free(&s.list);
}

static void json_when_numbers_are_missing_expect_null_and_reason(void **state)
{
	struct sample s;
	char *text = NULL;
	size_t bytes = 0;
	FILE *f = open_memstream(&text, &bytes);
	json_t *root, *round;

	sample_make(&s, *state, "fight:a,b");
	s.round[0].clocks_per_op = value_missing(WHY_UNSUPPORTED);
	assert_int_equal(report_json(f, &s.in), 0);
	fclose(f);
	root = json_loads(text, 0, NULL);
	assert_non_null(root);
	assert_int_equal(json_array_size(json_object_get(root, "rounds")), 2 * ROUNDS);
	round = json_array_get(json_object_get(root, "rounds"), 0);
	assert_string_equal(json_string_value(json_object_get(round, "variant")), "a");
	assert_true(json_number_value(json_object_get(round, "ops_per_s")) == 1e6);
	assert_true(json_is_null(json_object_get(round, "clocks_per_op")));
	assert_string_equal(json_string_value(json_object_get(round, "clocks_per_op_why")),
			    "unsupported");
	assert_true(json_is_null(json_object_get(round, "contended")));
	assert_string_equal(json_string_value(json_object_get(round, "contended_why")),
			    "unsupported");
	assert_int_equal(json_array_size(json_object_get(round, "thread_rows")), 2);
	assert_int_equal(json_array_size(json_object_get(round, "lock_rows")), 1);
	json_decref(root);
	free(text);
	spec_free(&s.list);
}

static void csv_when_written_expect_header_and_row_a_round(void **state)
{
	struct sample s;
	char *text = NULL;
	size_t bytes = 0;
	unsigned lines = 0;
	FILE *f = open_memstream(&text, &bytes);

	sample_make(&s, *state, "fight:a,b");
	assert_int_equal(report_csv(f, &s.in), 0);
	fclose(f);
	for (const char *p = text; (p = strchr(p, '\n')); p++)
		lines++;
	assert_int_equal(lines, 1 + 2 * ROUNDS);
	free(text);
	spec_free(&s.list);
}

static void order_when_two_or_more_expect_abba_or_rotation(void **state)
{
	static const char *const two[] = {"01", "10", "01", "10"};
	static const char *const three[] = {"012", "120", "201", "012"};

	(void)state;
	for (unsigned round = 0; round < 4; round++) {
		for (unsigned place = 0; place < 2; place++)
			assert_int_equal(run_order(2, round, place), two[round][place] - '0');
		for (unsigned place = 0; place < 3; place++)
			assert_int_equal(run_order(3, round, place), three[round][place] - '0');
	}
	assert_int_equal(run_order(1, 3, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stat_when_values_are_known_expect_median_and_range),
		cmocka_unit_test(stat_when_some_are_missing_expect_the_others),
		cmocka_unit_test(stat_when_some_are_unresolved_expect_them_below),
		cmocka_unit_test(text_when_complete_expect_machine_plan_and_tables),
		cmocka_unit_test(text_when_utf8_expect_same_lines_with_other_signs),
		cmocka_unit_test(text_when_rounds_are_missing_or_marked_expect_it_said),
		cmocka_unit_test(text_when_work_is_fixed_and_unstamped_expect_times_and_no_locks),
		cmocka_unit_test(text_when_counters_are_missing_expect_each_reason_once),
		cmocka_unit_test(json_when_numbers_are_missing_expect_null_and_reason),
		cmocka_unit_test(csv_when_written_expect_header_and_row_a_round),
		cmocka_unit_test(order_when_two_or_more_expect_abba_or_rotation),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
