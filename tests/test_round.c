/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a snapshot to figures with units: totals, threads, CPUs.
 */
#include "src/flow/round.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/made_trial.h"

struct scene {
	struct made_trial m;
	struct round r;
};

static int scene_setup(void **state)
{
	static struct scene s;

	*state = &s;
	made_trial_init(&s.m, 3);
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

static void finished_trial_expect_identity(void **state)
{
	struct scene *s = *state;
	const struct round *r = make(s);

	assert_memory_equal(&r->config, &s->m.config, sizeof(r->config));
	assert_memory_equal(&r->plan, &s->m.plan, sizeof(r->plan));
	assert_string_equal(r->utc, "2026-11-30T12:00:00Z");
	assert_int_equal(r->trial, 3);
	assert_int_equal(r->number, 2);
	assert_int_equal(r->order, 5);
	assert_true(r->interleaved && r->finished && !r->limit_hit);
	assert_int_equal(r->sample_n, 1);
	assert_int_equal(r->invariant, 1);
	assert_string_equal(r->wait_basis, "all");
	assert_true(r->tick_hz == MADE_HZ && r->tick_resolution_ns == 10 && r->tick_floor_ns == 20);
	assert_true(r->tick_bias_ns == 5 && r->stamp_ns == 10);
	assert_number(r->probe_before_ns, 100);
	assert_number(r->probe_after_ns, 110);
	assert_int_equal(r->disturbed_why, 0);
}

static void finished_trial_expect_totals(void **state)
{
	struct scene *s = *state;
	const struct round *r;

	s->m.snap.thread[1].backwards_count = 4;
	r = make(s);
	assert_number(r->duration_s, 1);
	assert_number(r->real_s, 1);
	assert_number(r->ops, 6000);
	assert_number(r->ops_per_s, 6000);
	assert_number(r->clocks_per_op, MADE_HZ / 6000.0);
	assert_number(r->fairness_jain, 36.0 / (3 * (1 + 4 + 9)));
	assert_number(r->runs, 3000);
	assert_number(r->run_mean, MADE_RUN_OPS);
	assert_number(r->run_max, MADE_RUN_OPS);
	assert_number(r->handovers_per_op, 0.5);
	assert_number(r->gap_max_ns, MADE_GAP_NS);
	assert_number(r->backwards, 4);
}

static void finished_trial_expect_figures_of_each_thread(void **state)
{
	const struct round *r = make(*state);

	assert_int_equal(r->thread_count, 3);
	for (unsigned i = 0; i < 3; i++) {
		const struct round_thread *t = &r->thread[i];

		assert_int_equal(t->thread, i);
		assert_int_equal(t->tid, 1000 + i);
		assert_int_equal(t->cpu, i);
		assert_int_equal(t->ops, 1000 * (i + 1));
		assert_number(t->ops_per_s, 1000 * (i + 1));
		assert_number(t->share, (i + 1) / 6.0);
		assert_number(t->runs, 500 * (i + 1));
		assert_number(t->run_max, MADE_RUN_OPS);
		assert_number(t->run_mean, MADE_RUN_OPS);
	}
}

static void threads_that_share_cpus_expect_one_row_a_cpu(void **state)
{
	struct scene *s = *state;
	const struct round *r;

	made_trial_fini(&s->m);
	made_trial_init(&s->m, 6);
	s->m.snap.thread[5].cpu = 99; /* the topology does not know it */
	r = make(s);
	assert_int_equal(r->cpu_count, 5);
	assert_int_equal(r->cpu[0].cpu, 0);
	assert_int_equal(r->cpu[0].threads_on_cpu, 2);
	assert_int_equal(r->cpu[0].ops, 1000 + 5000);
	assert_number(r->cpu[0].ops_per_s, 6000);
	assert_int_equal(r->cpu[3].cpu, 3);
	assert_int_equal(r->cpu[3].core, 3);
	assert_int_equal(r->cpu[3].package, 1);
	assert_int_equal(r->cpu[3].numa_node, 1);
	assert_int_equal(r->cpu[3].threads_on_cpu, 1);
	assert_int_equal(r->cpu[4].cpu, 99);
	assert_int_equal(r->cpu[4].core, -1);
	assert_int_equal(r->cpu[4].package, -1);
	assert_int_equal(r->cpu[4].numa_node, -1);
	s->m.snap.thread[4].begin_ticks = 0; /* no rate, so its CPU has none */
	r = make(s);
	assert_int_equal(r->cpu[0].ops_per_s.why, WHY_NOT_YET);
	assert_int_equal(r->cpu[1].ops_per_s.why, WHY_OK);
}

static void unpinned_threads_expect_one_row_without_a_cpu(void **state)
{
	struct scene *s = *state;

	for (unsigned i = 0; i < 3; i++)
		s->m.snap.thread[i].cpu = -1;
	assert_int_equal(make(s)->cpu_count, 1);
	assert_int_equal(s->r.cpu[0].cpu, -1);
	assert_int_equal(s->r.cpu[0].threads_on_cpu, 3);
	assert_int_equal(s->r.cpu[0].ops, 6000);
	assert_number(s->r.ops_per_s, 6000);
}

/* Begin, end and reading of two threads, in seconds after the begin; end 0 = still running. */
static void begins_and_ends_expect_duration_over_all(void **state)
{
	static const struct {
		double begin[2], end[2], taken[2], duration_s; /* 0 = none */
	} row[] = {
		{{1, 1}, {3, 3}, {4, 4}, 2},
		{{1, 2}, {3, 5}, {6, 6}, 4},
		{{2, 1}, {5, 3}, {6, 6}, 4},
		{{1, 1}, {0, 0}, {4, 5}, 4},
		{{1, 1}, {3, 0}, {6, 5}, 4},
		{{1, 0}, {3, 0}, {4, 9}, 2}, /* the second has not begun */
		{{0, 0}, {0, 0}, {4, 9}, 0}, /* neither */
		{{1, 4}, {3, 2}, {6, 6}, 2}, /* an end before the begin is not believed */
		{{4, 4}, {2, 2}, {6, 6}, 0},
		{{4, 4}, {0, 0}, {3, 4}, 0},
	};
	struct scene *s = *state;

	made_trial_fini(&s->m);
	made_trial_init(&s->m, 2);
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		for (unsigned k = 0; k < 2; k++) {
			struct snap_thread *t = &s->m.snap.thread[k];

			t->begin_ticks = (uint64_t)(row[i].begin[k] * MADE_HZ);
			t->end_ticks = (uint64_t)(row[i].end[k] * MADE_HZ);
			t->taken_ticks = (uint64_t)(row[i].taken[k] * MADE_HZ);
		}
		make(s);
		if (row[i].duration_s > 0) {
			assert_number(s->r.duration_s, row[i].duration_s);
			assert_number(s->r.ops_per_s, 3000 / row[i].duration_s);
		} else {
			assert_int_equal(s->r.duration_s.why, WHY_NOT_YET);
			assert_int_equal(s->r.ops_per_s.why, WHY_NOT_YET);
		}
	}
}

static void warm_up_expect_no_figure_of_it_in_the_round(void **state)
{
	struct scene *s = *state;
	const struct round *r;

	for (unsigned i = 0; i < 3; i++) {
		s->m.snap.thread[i].state = PAGE_SLOT_WARMING;
		s->m.snap.thread[i].phase = PAGE_PHASE_WARM;
		s->m.snap.thread[i].begin_ticks = s->m.snap.thread[i].end_ticks = 0;
	}
	s->m.snap.lab.state = PAGE_LAB_WARMING;
	r = make(s);
	assert_false(r->finished);
	assert_int_equal(r->thread_count, 0);
	assert_int_equal(r->bucket_count, 0);
	assert_int_equal(r->duration_s.why, WHY_NOT_YET);
	assert_int_equal(r->ops.why, WHY_NOT_YET);
	assert_int_equal(r->fairness_jain.why, WHY_NOT_YET);
	assert_int_equal(r->runs.why, WHY_NOT_YET);
	assert_int_equal(r->gap_max_ns.why, WHY_NOT_YET);
	assert_int_equal(r->user_s.why, WHY_NOT_YET);
	assert_int_equal(r->lock[0].acquires.why, WHY_NOT_YET);
	assert_int_equal(r->lock[0].contended.why, WHY_NOT_YET);
	assert_int_equal(r->lock[0].wait.samples, 0);
	assert_int_equal(r->lock[0].wait.mean_ns.why, WHY_NOT_YET);
	assert_int_equal(r->lock[0].hold.p99_ns.why, WHY_NOT_YET);
	/* The probe in front of the round is known; what lies behind it is not. */
	assert_number(r->probe_before_ns, 100);
	assert_int_equal(r->probe_after_ns.why, WHY_NOT_YET);
}

static void clock_that_counts_no_cpu_clocks_expect_clocks_unsupported(void **state)
{
	struct scene *s = *state;

	s->m.in.tick_is_clock = false;
	assert_int_equal(make(s)->clocks_per_op.why, WHY_UNSUPPORTED);
	assert_number(s->r.ops_per_s, 6000);
}

static void metrics_expect_runs_and_backwards_stamps(void **state)
{
	static const char *const names[] = {"runs", "run_mean", "run_max", "backwards_stamps"};
	static const double values[] = {3000, MADE_RUN_OPS, MADE_RUN_OPS, 0};
	const struct round *r = make(*state);

	assert_int_equal(r->metric_count, 4);
	for (unsigned i = 0; i < 4; i++) {
		assert_string_equal(r->metric[i].scope, "total");
		assert_string_equal(r->metric[i].name, names[i]);
		assert_number(r->metric[i].value, values[i]);
	}
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_setup, scene_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(finished_trial_expect_identity),
		SCENE(finished_trial_expect_totals),
		SCENE(finished_trial_expect_figures_of_each_thread),
		SCENE(threads_that_share_cpus_expect_one_row_a_cpu),
		SCENE(unpinned_threads_expect_one_row_without_a_cpu),
		SCENE(begins_and_ends_expect_duration_over_all),
		SCENE(warm_up_expect_no_figure_of_it_in_the_round),
		SCENE(clock_that_counts_no_cpu_clocks_expect_clocks_unsupported),
		SCENE(metrics_expect_runs_and_backwards_stamps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
