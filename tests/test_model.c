/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model of a running trial: rows of CPUs, and figures that agree with one another.
 */
#include "src/flow/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/fixture.h"
#include "tests/made_trial.h"

enum { THREADS = 6 };

/* Two snapshots half a second apart, threads i and i + 4 on one CPU; and what comes of them. */
struct scene {
	struct model fixture; /* lends its catalogue */
	struct made_trial before, now;
	struct interval interval;
	struct round round;
	struct model model;
	int cpus[THREADS];
};

static void run_until(struct made_trial *m, double part)
{
	for (unsigned i = 0; i < THREADS; i++) {
		struct snap_thread *t = &m->snap.thread[i];

		t->state = PAGE_SLOT_RUNNING;
		t->end_ticks = 0;
		t->taken_ticks = MADE_BEGIN_TICKS + (uint64_t)(part * MADE_HZ);
		t->row[0].ops = (uint64_t)(part * (double)t->row[0].ops);
	}
}

static int scene_setup(void **state)
{
	static struct scene s;

	*state = &s;
	memset(&s, 0, sizeof(s));
	fixture_model(&s.fixture, 2);
	made_trial_init(&s.before, THREADS);
	made_trial_init(&s.now, THREADS);
	run_until(&s.before, 0.5);
	run_until(&s.now, 1);
	for (int i = 0; i < THREADS; i++)
		s.cpus[i] = i % MADE_CPUS;
	return interval_init(&s.interval, THREADS, 0) ||
	       model_init(&s.model, &s.now.machine, &s.now.topology, s.fixture.catalog);
}

static int scene_teardown(void **state)
{
	struct scene *s = *state;

	model_fini(&s->model);
	round_free(&s->round);
	interval_fini(&s->interval);
	made_trial_fini(&s->before);
	made_trial_fini(&s->now);
	fixture_free(&s->fixture);
	return 0;
}

static void trial(struct scene *s)
{
	assert_int_equal(model_trial(&s->model, &s->now.config, &s->now.plan, 1, s->cpus), 0);
}

static void update(struct scene *s)
{
	const struct model_input in = {.snap = &s->now.snap,
				       .interval = &s->interval,
				       .round = &s->round,
				       .state = MODEL_RUNNING,
				       .now_s = 12,
				       .add_sample = true};

	interval_make(&s->interval, &s->before.snap, &s->now.snap, s->now.in.tick_hz);
	round_free(&s->round);
	assert_int_equal(round_make(&s->round, &s->now.in), 0);
	model_update(&s->model, &in);
}

static void new_model_expect_no_figure(void **state)
{
	const struct model *m = &((struct scene *)*state)->model;

	assert_int_equal(m->state, MODEL_IDLE);
	assert_int_equal(m->trial, 0);
	assert_int_equal(m->cpu_count, 0);
	assert_int_equal(m->sample_count, 0);
	assert_int_equal(m->self_cpu, -1);
	assert_int_equal(m->ops_per_s.why, WHY_NOT_YET);
	assert_int_equal(m->wait[0].stat.p50_ns.why, WHY_NOT_YET);
	assert_int_equal(m->self_cpu_ratio.why, WHY_NOT_YET);
	assert_true(isnan(m->history[0]) && isnan(m->history[MODEL_HISTORY - 1]));
}

static void trial_expect_rows_in_placement_order(void **state)
{
	static const int cpus[THREADS] = {3, 0, 3, 77, 0, 3};
	struct scene *s = *state;
	const struct model *m = &s->model;

	memcpy(s->cpus, cpus, sizeof(cpus));
	trial(s);
	assert_int_equal(m->state, MODEL_STARTING);
	assert_int_equal(m->trial, 1);
	assert_ptr_equal(m->workload, &s->fixture.catalog->workload[0]);
	assert_int_equal(m->cpu_count, 3);
	assert_int_equal(m->cpu[0].cpu, 3);
	assert_int_equal(m->cpu[0].threads, 3);
	assert_int_equal(m->cpu[0].package, 1);
	assert_int_equal(m->cpu[1].cpu, 0);
	assert_int_equal(m->cpu[1].threads, 2);
	assert_int_equal(m->cpu[1].numa_node, 0);
	assert_int_equal(m->cpu[2].cpu, 77); /* gone since it was placed */
	assert_int_equal(m->cpu[2].core, -1);
	assert_int_equal(m->cpu[2].ops_per_s.why, WHY_NOT_YET);
	assert_true(isnan(m->cpu[2].history[0]));
	assert_int_equal(m->role_count, 1);
	assert_string_equal(m->role_name[0], "lock");
	assert_int_equal(m->variant_count, m->workload->variant_count);
	assert_string_equal(m->variant[7].info->name, "mcs");
}

static void running_trial_expect_figures_that_agree(void **state)
{
	struct scene *s = *state;
	const struct model *m = &s->model;
	double cpus = 0, shares = 0;

	trial(s);
	update(s);
	assert_int_equal(m->state, MODEL_RUNNING);
	assert_true(m->now_s == 12 && !m->figures_warming);
	assert_number(m->ops_per_s, 21000);
	for (unsigned i = 0; i < m->cpu_count; i++) {
		cpus += m->cpu[i].ops_per_s.v;
		shares += m->cpu[i].share.v;
		assert_number(m->cpu[i].share, m->cpu[i].ops_per_s.v / m->ops_per_s.v);
		assert_true(m->cpu[i].history[0] == (float)m->cpu[i].ops_per_s.v);
	}
	assert_int_equal(m->cpu_count, MADE_CPUS);
	assert_number(m->cpu[0].ops_per_s, 1000 + 5000);
	assert_number(m->ops_per_s, cpus);
	assert_true(fabs(shares - 1) < 1e-9);
	assert_true(m->history[0] == (float)m->ops_per_s.v);
	assert_int_equal(m->sample_count, 1);
	/* The round: mean times time is the count, so are runs times their mean. */
	assert_int_equal(m->total_ops, 21000);
	assert_number(m->ops_per_s_mean, (double)m->total_ops / m->elapsed_s);
	assert_number(m->runs, (double)m->total_ops / m->run_mean.v);
	assert_number(m->handovers_per_op, m->runs.v / (double)m->total_ops);
	assert_number(m->clocks_per_op, m->tick_hz / m->ops_per_s_mean.v);
	/* Distributions are those of the histograms shown. */
	assert_int_equal(m->wait[0].stat.samples, hist_count(&m->wait[0].hist));
	assert_number(m->wait[0].stat.mean_ns, MADE_WAIT_NS);
	assert_number(m->hold[0].stat.p50_ns, MADE_HOLD_NS);
	assert_number(m->gap.stat.max_seen_ns, m->gap_max_ns.v);
	assert_number(m->run.stat.mean_ns, m->run_mean.v); /* operations in these fields */
	assert_number(m->run.stat.max_seen_ns, m->run_max.v);
	assert_int_equal(m->run.stat.samples, (uint64_t)m->runs.v);
}

static void clock_and_sampling_expect_those_of_the_round(void **state)
{
	struct scene *s = *state;
	const struct model *m = &s->model;

	s->now.snap.lab.sample_n = 64;
	made_hist(&s->now.snap.thread[0].row[0].a, 2000000000, 1); /* a gap of one second */
	trial(s);
	update(s);
	assert_int_equal(m->sample_n, 64);
	assert_true(m->tick_hz == MADE_HZ && m->tick_resolution_ns == 10 && m->stamp_ns == 10);
	assert_true(m->tick_floor_ns == 20 && m->tick_bias_ns == 5);
	assert_int_equal(m->disturbed_why, DISTURBED_GAP);
	assert_true(m->fairness_jain.v > 0.5 && m->fairness_jain.v < 1);
}

/* Acquisitions a second times their mean time, over all threads. */
static void time_in_lock_expect_share_of_the_threads_time(void **state)
{
	struct scene *s = *state;
	const struct model *m = &s->model;

	trial(s);
	update(s);
	assert_number(m->wait_ratio, 21000 * MADE_WAIT_NS / 1e9 / THREADS);
	assert_number(m->hold_ratio, 21000 * MADE_HOLD_NS / 1e9 / THREADS);
	s->now.snap.lab.role[0].acquires_per_op = 3;
	update(s);
	assert_number(m->wait_ratio, 3 * 21000 * MADE_WAIT_NS / 1e9 / THREADS);
}

static void measure_off_expect_no_times_but_runs(void **state)
{
	struct scene *s = *state;
	const struct model *m = &s->model;

	s->now.plan.measure = PAGE_MEASURE_OFF;
	trial(s);
	update(s);
	assert_int_equal(m->wait[0].stat.p50_ns.why, WHY_UNSUPPORTED);
	assert_int_equal(m->gap.stat.mean_ns.why, WHY_UNSUPPORTED);
	assert_int_equal(m->wait_ratio.why, WHY_UNSUPPORTED);
	assert_int_equal(m->hold_ratio.why, WHY_UNSUPPORTED);
	assert_number(m->run.stat.mean_ns, MADE_RUN_OPS);
	assert_number(m->ops_per_s, 21000);
}

/* The screen shows the warm-up, marked; the round knows nothing of it. */
static void warm_up_expect_its_figures_marked(void **state)
{
	struct scene *s = *state;
	const struct model *m = &s->model;

	for (unsigned i = 0; i < THREADS; i++) {
		s->before.snap.thread[i].phase = s->now.snap.thread[i].phase = PAGE_PHASE_WARM;
		s->before.snap.thread[i].begin_ticks = s->now.snap.thread[i].begin_ticks = 0;
	}
	trial(s);
	update(s);
	assert_true(m->figures_warming);
	assert_number(m->ops_per_s, 21000);
	assert_number(m->wait[0].stat.mean_ns, MADE_WAIT_NS);
	assert_number(m->wait_ratio, 21000 * MADE_WAIT_NS / 1e9 / THREADS);
	assert_int_equal(m->ops_per_s_mean.why, WHY_NOT_YET);
	assert_int_equal(m->total_ops, 0);
	assert_true(m->elapsed_s == 0);
}

static void thread_without_rate_expect_its_cpu_and_the_total_missing(void **state)
{
	struct scene *s = *state;
	const struct model *m = &s->model;

	s->now.snap.thread[4].row[0].ops = 0; /* ran backwards; shares CPU 0 with thread 0 */
	trial(s);
	update(s);
	assert_int_equal(m->ops_per_s.why, WHY_LOST);
	assert_int_equal(m->cpu[0].ops_per_s.why, WHY_LOST);
	assert_int_equal(m->cpu[0].share.why, WHY_LOST);
	assert_number(m->cpu[1].ops_per_s, 2000 + 6000);
	assert_int_equal(m->cpu[1].share.why, WHY_LOST);
	assert_int_equal(m->sample_count, 1);
	assert_true(isnan(m->history[0]) && isnan(m->cpu[0].history[0]));
}

static void unpinned_threads_expect_one_row_without_share(void **state)
{
	struct scene *s = *state;
	const struct model *m = &s->model;

	for (unsigned i = 0; i < THREADS; i++)
		s->cpus[i] = s->now.snap.thread[i].cpu = s->before.snap.thread[i].cpu = -1;
	s->now.config.place = PLACE_NONE;
	trial(s);
	update(s);
	assert_int_equal(m->cpu_count, 1);
	assert_int_equal(m->cpu[0].cpu, -1);
	assert_int_equal(m->cpu[0].core, -1);
	assert_int_equal(m->cpu[0].threads, THREADS);
	assert_number(m->cpu[0].ops_per_s, 21000);
	assert_int_equal(m->cpu[0].share.why, WHY_UNPINNED);
}

static void next_trial_expect_no_figure_of_the_last(void **state)
{
	struct scene *s = *state;
	const struct model *m = &s->model;

	trial(s);
	update(s);
	assert_int_equal(model_trial(&s->model, &s->now.config, &s->now.plan, 2, s->cpus), 0);
	assert_int_equal(m->trial, 2);
	assert_int_equal(m->ops_per_s.why, WHY_NOT_YET);
	assert_int_equal(m->ops_per_s_mean.why, WHY_NOT_YET);
	assert_int_equal(m->wait_ratio.why, WHY_NOT_YET);
	assert_int_equal(m->cpu[0].ops_per_s.why, WHY_NOT_YET);
	assert_int_equal(m->total_ops, 0);
	assert_int_equal(m->sample_n, 0);
	assert_int_equal(hist_count(&m->wait[0].hist), 0);
	assert_int_equal(hist_count(&m->run.hist), 0);
	assert_int_equal(m->hold[0].stat.mean_ns.why, WHY_NOT_YET);
}

static void workload_not_in_the_catalogue_expect_no_variants_and_no_roles(void **state)
{
	struct scene *s = *state;

	snprintf(s->now.config.workload, sizeof(s->now.config.workload), "other");
	trial(s);
	assert_null(s->model.workload);
	assert_int_equal(s->model.variant_count, 0);
	assert_int_equal(s->model.role_count, 0);
	update(s);
	assert_number(s->model.ops_per_s, 21000);
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_setup, scene_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(new_model_expect_no_figure),
		SCENE(trial_expect_rows_in_placement_order),
		SCENE(running_trial_expect_figures_that_agree),
		SCENE(clock_and_sampling_expect_those_of_the_round),
		SCENE(time_in_lock_expect_share_of_the_threads_time),
		SCENE(measure_off_expect_no_times_but_runs),
		SCENE(warm_up_expect_its_figures_marked),
		SCENE(thread_without_rate_expect_its_cpu_and_the_total_missing),
		SCENE(unpinned_threads_expect_one_row_without_share),
		SCENE(next_trial_expect_no_figure_of_the_last),
		SCENE(workload_not_in_the_catalogue_expect_no_variants_and_no_roles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
