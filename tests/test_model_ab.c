/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windows of running trials at A and B.
 */
#include "src/flow/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/made_run.h"

enum { THREADS = 2 };

static int setup(void **state)
{
	static struct made_run r;

	*state = &r;
	made_run_init(&r, THREADS);
	return 0;
}

static int teardown(void **state)
{
	made_run_fini(*state);
	return 0;
}

static const struct ab_side *side(const struct made_run *r, enum ab_name name)
{
	return &r->model.ab.side[name];
}

/* @refreshes of a quarter of a second in which each thread does @ops ops. */
static void run(struct made_run *r, unsigned refreshes, uint64_t ops)
{
	for (unsigned k = 0; k < refreshes; k++) {
		for (unsigned i = 0; i < THREADS; i++)
			made_run_work(r, i, ops, ops, (struct made_op){400, 100, 100});
		made_run_time(r, 0.25);
		made_run_refresh(r);
	}
}

static void variant(struct made_run *r, const char *name)
{
	snprintf(r->made.config.variant, sizeof(r->made.config.variant), "%s", name);
	made_run_trial(r);
}

static const char *newest_message(const struct model *m)
{
	return m->message[(m->message_count - 1) % MODEL_MESSAGES].text;
}

static void marks_expect_windows_from_now_on_and_a_message(void **state)
{
	struct made_run *r = *state;

	run(r, 9, 100);
	assert_int_equal(side(r, AB_A)->count, 0);
	model_mark_ab(&r->model, AB_A);
	assert_true(config_equal(&side(r, AB_A)->config, &r->made.config));
	assert_string_equal(newest_message(&r->model), "A is spinlock:mcs, 2 threads, spread");
	/* Marked at 2.25 s: the windows that end at 3.25, 4.25. */
	run(r, 8, 100);
	assert_int_equal(side(r, AB_A)->count, 2);
	assert_number(ab_stat(side(r, AB_A), AB_OPS_PER_S).mean, 800);
	assert_number(ab_stat(side(r, AB_A), AB_FAIRNESS).mean, 1);
	assert_int_equal(side(r, AB_B)->count, 0);
	/* Pressed again, nothing is lost. */
	model_mark_ab(&r->model, AB_A);
	assert_string_equal(newest_message(&r->model),
			    "A is spinlock:mcs, 2 threads, spread (as before: 2 windows kept)");
	assert_int_equal(side(r, AB_A)->count, 2);
}

static void trials_in_turn_expect_windows_at_their_sides(void **state)
{
	struct made_run *r = *state;

	model_mark_ab(&r->model, AB_A);
	run(r, 13, 100);
	variant(r, "ttas");
	model_mark_ab(&r->model, AB_B);
	run(r, 13, 200);
	variant(r, "clh"); /* neither */
	run(r, 13, 1000);
	variant(r, "mcs");
	run(r, 9, 120);
	assert_int_equal(side(r, AB_A)->count, 5);
	assert_int_equal(side(r, AB_B)->count, 3);
	assert_int_equal(r->model.ab.switches, 3);
	assert_number(ab_stat(side(r, AB_A), AB_OPS_PER_S).mean, (3 * 800 + 2 * 960) / 5.0);
	assert_number(ab_stat(side(r, AB_B), AB_OPS_PER_S).mean, 1600);
	assert_number(ab_change(&r->model.ab, AB_OPS_PER_S), 1600 / 864.0 - 1);
}

static void warm_up_and_standstill_expect_no_window(void **state)
{
	struct made_run *r = *state;

	model_mark_ab(&r->model, AB_A);
	r->in.state = MODEL_WARMING;
	run(r, 9, 100);
	r->in.state = MODEL_STALLED;
	run(r, 9, 100);
	assert_int_equal(side(r, AB_A)->count, 0);
	r->in.state = MODEL_RUNNING;
	run(r, 3, 100);
	r->in.state = MODEL_STALLED;
	run(r, 1, 0);
	r->in.state = MODEL_RUNNING;
	run(r, 4, 100);
	assert_int_equal(side(r, AB_A)->count, 0); /* begun anew after it */
	run(r, 1, 100);
	assert_int_equal(side(r, AB_A)->count, 1);
	assert_number(ab_stat(side(r, AB_A), AB_OPS_PER_S).mean, 800);
}

static void cpu_offline_expect_no_window_and_since_when(void **state)
{
	struct made_run *r = *state;
	const bool away[THREADS] = {false, true};

	assert_true(r->model.cpu[1].offline_since_s == -1);
	model_mark_ab(&r->model, AB_A);
	run(r, 3, 100);
	r->in.away = away;
	run(r, 6, 100);
	assert_int_equal(side(r, AB_A)->count, 0);
	assert_true(r->model.cpu[1].offline);
	/* At the first refresh that saw it, not the last. */
	assert_true(r->model.cpu[1].offline_since_s == 101);
	assert_true(r->model.cpu[0].offline_since_s == -1);
	r->in.away = NULL;
	run(r, 5, 100);
	assert_int_equal(side(r, AB_A)->count, 1);
	assert_true(r->model.cpu[1].offline_since_s == -1);
}

static void frozen_screen_expect_its_window_dropped(void **state)
{
	struct made_run *r = *state;

	model_mark_ab(&r->model, AB_A);
	run(r, 3, 100);
	made_run_time(r, 20);
	r->since_s = 0; /* the trial was looked at meanwhile, the model was not told */
	run(r, 1, 100);
	assert_int_equal(side(r, AB_A)->count, 0);
	run(r, 4, 100);
	assert_int_equal(side(r, AB_A)->count, 1);
	assert_number(ab_stat(side(r, AB_A), AB_OPS_PER_S).mean, 800);
}

static void slow_refreshes_expect_windows_as_long(void **state)
{
	struct made_run *r = *state;

	model_mark_ab(&r->model, AB_A);
	run(r, 1, 100);
	for (int i = 0; i < 3; i++) {
		made_run_time(r, 4.75);
		run(r, 1, 100);
	}
	assert_int_equal(side(r, AB_A)->count, 3);
	assert_number(ab_stat(side(r, AB_A), AB_OPS_PER_S).mean, 40);
}

static void nothing_stamped_expect_rates_and_reasons(void **state)
{
	struct made_run *r = *state;

	r->made.plan.measure = PAGE_MEASURE_OFF;
	made_run_trial(r);
	model_mark_ab(&r->model, AB_B);
	run(r, 5, 100);
	assert_number(ab_stat(side(r, AB_B), AB_OPS_PER_S).mean, 800);
	assert_int_equal(ab_stat(side(r, AB_B), AB_WAIT_P99).mean.why, WHY_UNSUPPORTED);
	assert_int_equal(ab_stat(side(r, AB_B), AB_HOLD_P50).missing, 1);
}

/* Stamps take time: a window of every op stamped is no window of none. */
static void other_measuring_mode_expect_windows_forgotten(void **state)
{
	struct made_run *r = *state;

	model_mark_ab(&r->model, AB_A);
	run(r, 5, 100);
	made_run_trial(r);
	assert_int_equal(side(r, AB_A)->count, 1);
	r->made.plan.measure = PAGE_MEASURE_OFF;
	made_run_trial(r);
	assert_int_equal(side(r, AB_A)->count, 0);
	assert_true(side(r, AB_A)->set);
	assert_non_null(strstr(newest_message(&r->model), "forgotten"));
	/* With nothing to forget there is nothing to say. */
	r->made.plan.measure = PAGE_MEASURE_EVERY;
	made_run_trial(r);
	assert_int_equal(r->model.message_count, 2);
}

static void clear_expect_windows_forgotten(void **state)
{
	struct made_run *r = *state;

	model_mark_ab(&r->model, AB_A);
	run(r, 7, 100);
	assert_int_equal(side(r, AB_A)->count, 1);
	model_clear(&r->model);
	assert_int_equal(side(r, AB_A)->count, 0);
	assert_true(side(r, AB_A)->set);
	run(r, 4, 100);
	assert_int_equal(side(r, AB_A)->count, 0);
	run(r, 1, 100);
	assert_int_equal(side(r, AB_A)->count, 1);
}

static void length_of_windows_expect_a_second_or_as_told(void **state)
{
	struct made_run *r = *state;

	assert_true(r->model.window_s == 1);
	r->model.window_s = 0.5;
	model_mark_ab(&r->model, AB_A);
	run(r, 9, 100);
	assert_int_equal(side(r, AB_A)->count, 4);
}

static void model_expect_its_memory_bounded(void **state)
{
	(void)state;
	assert_true(sizeof(struct model) < 600 * 1024);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN(marks_expect_windows_from_now_on_and_a_message),
		RUN(trials_in_turn_expect_windows_at_their_sides),
		RUN(warm_up_and_standstill_expect_no_window),
		RUN(cpu_offline_expect_no_window_and_since_when),
		RUN(frozen_screen_expect_its_window_dropped),
		RUN(slow_refreshes_expect_windows_as_long),
		RUN(nothing_stamped_expect_rates_and_reasons),
		RUN(other_measuring_mode_expect_windows_forgotten),
		RUN(clear_expect_windows_forgotten),
		RUN(length_of_windows_expect_a_second_or_as_told),
		cmocka_unit_test(model_expect_its_memory_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
