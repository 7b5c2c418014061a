/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel says of a round, and when a round counts as disturbed.
 */
#include "src/flow/round.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/made_trial.h"

enum { THREADS = 3 };

struct scene {
	struct made_trial m;
	struct round r;
};

static int scene_setup(void **state)
{
	static struct scene s;

	*state = &s;
	made_trial_init(&s.m, THREADS);
	return 0;
}

static int scene_teardown(void **state)
{
	struct scene *s = *state;

	made_trial_fini(&s->m);
	round_free(&s->r);
	return 0;
}

static struct round *make(struct scene *s)
{
	round_free(&s->r);
	assert_int_equal(round_make(&s->r, &s->m.in), 0);
	return &s->r;
}

static void finished_trial_expect_sums_over_threads(void **state)
{
	const struct round *r = make(*state);

	assert_number(r->user_s, 0.9 * THREADS);
	assert_number(r->sys_s, 0.1 * THREADS);
	assert_number(r->ctx_switches, (3 + 2) * THREADS);
	assert_number(r->involuntary_switches, 2 * THREADS);
	assert_number(r->migrations, THREADS);
	assert_number(r->run_delay_ns, 5e6 * THREADS);
	assert_number(r->steal_ratio, 0.01);
}

/* Threads that still run have no end: their figures of this moment come from the reader. */
static void running_trial_expect_figures_of_now(void **state)
{
	struct scene *s = *state;
	struct osstat now[THREADS];
	const struct round *r;

	for (unsigned i = 0; i < THREADS; i++) {
		now[i] = s->m.snap.thread[i].end;
		now[i].user_us += 50000;
	}
	s->m.snap.thread[0].end_ticks = 0;
	s->m.snap.thread[2].end_ticks = 0;
	s->m.snap.lab.state = PAGE_LAB_RUNNING;
	r = make(s);
	assert_int_equal(r->user_s.why, WHY_NOT_YET);
	assert_int_equal(r->ctx_switches.why, WHY_NOT_YET);
	assert_int_equal(r->run_delay_ns.why, WHY_NOT_YET);
	assert_int_equal(r->steal_ratio.why, WHY_NOT_YET);
	s->m.in.now = now;
	r = make(s);
	/* The second one has ended: its own end counts. */
	assert_number(r->user_s, 0.95 + 0.9 + 0.95);
	assert_number(r->duration_s, 1.25);
	assert_number(r->steal_ratio, 0.01 / 1.25);
}

static void kernel_without_files_expect_unsupported(void **state)
{
	struct scene *s = *state;
	const struct round *r;

	s->m.snap.thread[1].end.has_migrations = 0;
	s->m.snap.thread[2].begin.has_run_delay = 0;
	r = make(s);
	assert_int_equal(r->migrations.why, WHY_UNSUPPORTED);
	assert_int_equal(r->run_delay_ns.why, WHY_UNSUPPORTED);
	assert_number(r->user_s, 0.9 * THREADS);
}

static void counters_that_ran_backwards_expect_lost(void **state)
{
	struct scene *s = *state;
	struct osstat *begin = &s->m.snap.thread[1].begin;
	uint64_t *const word[] = {&begin->user_us,
				  &begin->sys_us,
				  &begin->voluntary_switches,
				  &begin->involuntary_switches,
				  &begin->migrations,
				  &begin->run_delay_ns,
				  &begin->steal_us};

	for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
		uint64_t good = *word[i];

		*word[i] = UINT64_MAX;
		make(s);
		assert_int_equal(s->r.user_s.why, WHY_LOST);
		assert_int_equal(s->r.ctx_switches.why, WHY_LOST);
		assert_int_equal(s->r.steal_ratio.why, WHY_LOST);
		*word[i] = good;
	}
}

static void unpinned_threads_expect_no_steal_of_a_cpu(void **state)
{
	struct scene *s = *state;

	s->m.config.place = PLACE_NONE;
	assert_int_equal(make(s)->steal_ratio.why, WHY_UNSUPPORTED);
}

static void gap_put(struct scene *s, uint64_t ns)
{
	made_hist(&s->m.snap.thread[1].row[0].a, ns * (MADE_HZ / 1000000000), 1);
}

static void delay_put(struct scene *s, uint64_t ns)
{
	s->m.snap.thread[2].end.run_delay_ns = ns;
}

static void steal_put(struct scene *s, uint64_t us)
{
	for (unsigned i = 0; i < THREADS; i++)
		s->m.snap.thread[i].end.steal_us = us;
}

static void each_rule_expect_disturbed_above_its_bound_only(void **state)
{
	static const struct {
		void (*put)(struct scene *s, uint64_t v);
		uint64_t calm, loud;
		unsigned why;
	} row[] = {
		{delay_put, 20000000, 20000001, DISTURBED_RUN_DELAY}, /* 2 % of one worker's s */
		{steal_put, 20000, 20001, DISTURBED_STEAL},
		{gap_put, 10000000, 10000001, DISTURBED_GAP},
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct scene *s;

		assert_int_equal(scene_setup(state), 0);
		s = *state;
		row[i].put(s, row[i].calm);
		assert_int_equal(make(s)->disturbed_why, 0);
		row[i].put(s, row[i].loud);
		assert_int_equal(make(s)->disturbed_why, row[i].why);
		scene_teardown(state);
	}
}

static void all_rules_at_once_expect_all_said(void **state)
{
	struct scene *s = *state;

	delay_put(s, 500000000);
	steal_put(s, 500000);
	gap_put(s, 500000000);
	assert_int_equal(make(s)->disturbed_why,
			 DISTURBED_RUN_DELAY | DISTURBED_STEAL | DISTURBED_GAP);
}

static void reasons_expect_words_joined_by_plus(void **state)
{
	static const struct {
		unsigned why;
		const char *text;
	} row[] = {
		{0, ""},
		{DISTURBED_RUN_DELAY, "run-delay"},
		{DISTURBED_STEAL, "steal"},
		{DISTURBED_GAP, "gap"},
		{DISTURBED_PROBE, "probe"},
		{DISTURBED_RUN_DELAY | DISTURBED_GAP, "run-delay+gap"},
		{15, "run-delay+steal+gap+probe"},
		{DISTURBED_OFFLINE, "cpu-offline"},
		{DISTURBED_STOPPED, "stopped"},
		{~63u, ""},
	};
	char buf[64], small[8];

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		assert_string_equal(round_disturbed_format(row[i].why, buf, sizeof(buf)),
				    row[i].text);
	assert_string_equal(round_disturbed_format(15, small, sizeof(small)), "run-del");
}

/* Probes of up to four rounds in ns, 0 = none; which rounds are marked, one bit each. */
static void probes_of_a_series_expect_rounds_off_the_median_marked(void **state)
{
	static const struct {
		unsigned rounds;
		double before[4], after[4];
		unsigned marked;
	} row[] = {
		{4, {100, 100, 100, 100}, {100, 100, 100, 100}, 0},
		{4, {100, 100, 100, 100}, {100, 149, 67, 100}, 0},
		{4, {100, 100, 100, 100}, {100, 151, 66, 100}, 6},
		{4, {100, 400, 100, 100}, {100, 100, 100, 100}, 2},
		{3, {100, 300, 100}, {100, 100, 100}, 2},
		{2, {100, 900}, {100, 900}, 0}, /* two rounds have no median to be off */
		{3, {100, 0, 900}, {100, 0, 100}, 4},
		{3, {0, 0, 0}, {0, 0, 0}, 0},
		{0, {0}, {0}, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct round r[4] = {0}, *list[4] = {&r[0], &r[1], &r[2], &r[3]};

		for (unsigned k = 0; k < row[i].rounds; k++) {
			const struct value none = value_missing(WHY_NOT_YET);
			double before = row[i].before[k], after = row[i].after[k];

			r[k].disturbed_why = DISTURBED_GAP;
			r[k].probe_before_ns = before > 0 ? value_of(before) : none;
			r[k].probe_after_ns = after > 0 ? value_of(after) : none;
		}
		round_series_disturbed(list, row[i].rounds);
		for (unsigned k = 0; k < row[i].rounds; k++)
			assert_int_equal(r[k].disturbed_why,
					 DISTURBED_GAP |
						 (row[i].marked >> k & 1 ? DISTURBED_PROBE : 0));
	}
}

static void probe_that_is_missing_expect_its_reason(void **state)
{
	static const struct {
		double ns;
		uint32_t why;
		enum reason expected;
	} row[] = {
		{55, 0, WHY_OK},
		{0, WHY_UNPINNED, WHY_UNPINNED},
		{0, WHY_UNSUPPORTED, WHY_UNSUPPORTED},
		{0, WHY_OK, WHY_NOT_YET},
		{-1, WHY_COUNT, WHY_NOT_YET},
		{0, UINT32_MAX, WHY_NOT_YET},
	};
	struct scene *s = *state;

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		s->m.snap.lab.probe_before_ns = s->m.snap.lab.probe_after_ns = row[i].ns;
		s->m.snap.lab.probe_why = row[i].why;
		make(s);
		assert_int_equal(s->r.probe_before_ns.why, row[i].expected);
		assert_int_equal(s->r.probe_after_ns.why, row[i].expected);
	}
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_setup, scene_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(finished_trial_expect_sums_over_threads),
		SCENE(running_trial_expect_figures_of_now),
		SCENE(kernel_without_files_expect_unsupported),
		SCENE(counters_that_ran_backwards_expect_lost),
		SCENE(unpinned_threads_expect_no_steal_of_a_cpu),
		cmocka_unit_test(each_rule_expect_disturbed_above_its_bound_only),
		SCENE(all_rules_at_once_expect_all_said),
		cmocka_unit_test(reasons_expect_words_joined_by_plus),
		cmocka_unit_test(probes_of_a_series_expect_rounds_off_the_median_marked),
		SCENE(probe_that_is_missing_expect_its_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
