/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windows of about a second: what is in them, and which are dropped.
 */
#include "src/flow/window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "src/flow/round.h"
#include "tests/made_run.h"

enum { THREADS = 3 };

struct scene {
	struct made_run run;
	struct hist wait, hold;
	struct window window;
	struct window_input in;
	struct ab_window out;
};

static int scene_setup(void **state)
{
	static struct scene s;

	*state = &s;
	memset(&s, 0, sizeof(s));
	made_run_init(&s.run, THREADS);
	s.in = (struct window_input){.snap = &s.run.made.snap,
				     .wait = &s.wait,
				     .hold = &s.hold,
				     .tick_hz = MADE_HZ,
				     .floor_ns = 20,
				     .window_s = 1,
				     .interval_s = 0.25};
	return window_layout(&s.window, THREADS);
}

static int scene_teardown(void **state)
{
	struct scene *s = *state;

	window_fini(&s->window);
	assert_null(s->window.thread);
	made_run_fini(&s->run);
	return 0;
}

static struct snap_thread *thread(struct scene *s, unsigned i)
{
	return &s->run.made.snap.thread[i];
}

static bool look(struct scene *s)
{
	round_hist_merge(&s->wait, &s->run.made.snap, ROUND_WAIT, 0);
	round_hist_merge(&s->hold, &s->run.made.snap, ROUND_HOLD, 0);
	memset(&s->out, 0xff, sizeof(s->out));
	return window_update(&s->window, &s->in, &s->out);
}

/* All threads do @ops ops that wait @wait_ns in @seconds. */
static void work(struct scene *s, double seconds, uint64_t ops, double wait_ns)
{
	for (unsigned i = 0; i < THREADS; i++)
		made_run_work(&s->run, i, ops, ops,
			      (struct made_op){.wait_ns = wait_ns, .hold_ns = 30, .gap_ns = 5});
	made_run_time(&s->run, seconds);
}

static void first_look_expect_only_a_begin(void **state)
{
	struct scene *s = *state;

	work(s, 5, 100, 50);
	assert_false(look(s));
	assert_true(s->window.begun);
	assert_false(look(s)); /* no time has passed */
}

static void second_expect_figures_of_what_came_in_between(void **state)
{
	struct scene *s = *state;

	work(s, 5, 100000, 4000);
	look(s);
	work(s, 1, 300, 40);
	made_run_work(&s->run, 1, 300, 0, (struct made_op){0});
	assert_true(look(s));
	assert_number(s->out.value[AB_OPS_PER_S], 1200);
	/* 300, 600, 300 */
	assert_number(s->out.value[AB_FAIRNESS], 1200.0 * 1200 / (3 * (2 * 9e4 + 36e4)));
	assert_number(s->out.value[AB_WAIT_P50], 40.25); /* ticks 80, 81 are one bucket */
	assert_number(s->out.value[AB_WAIT_P99], 40.25);
	assert_number(s->out.value[AB_HOLD_P50], 30);
	/* The next one knows nothing of it. */
	work(s, 0.5, 100, 1000);
	assert_false(look(s));
	work(s, 0.5, 100, 1000);
	assert_true(look(s));
	assert_number(s->out.value[AB_OPS_PER_S], 600);
	assert_number(s->out.value[AB_FAIRNESS], 1);
	assert_true(s->out.value[AB_WAIT_P50].v > 980 && s->out.value[AB_WAIT_P50].v < 1020);
	assert_true(s->out.value[AB_WAIT_P99].v < 1020);
}

/* Each thread is read at its own moment. */
static void threads_read_late_expect_rates_by_their_own_stamps(void **state)
{
	struct scene *s = *state;

	look(s);
	work(s, 1, 1000, 50);
	made_run_work(&s->run, 2, 1000, 0, (struct made_op){0});
	thread(s, 2)->taken_ticks += MADE_HZ; /* 2000 ops in two seconds */
	assert_true(look(s));
	assert_number(s->out.value[AB_OPS_PER_S], 3000);
}

static void looks_expect_one_window_a_second(void **state)
{
	struct scene *s = *state;
	unsigned windows = 0;

	look(s);
	for (int i = 0; i < 100; i++) {
		work(s, i % 2 ? 0.251 : 0.249, 10, 50);
		windows += look(s);
		if (i % 3 == 0)
			windows += look(s); /* a key was pressed */
	}
	assert_int_equal(windows, 25);
}

static void long_interval_expect_windows_as_long(void **state)
{
	struct scene *s = *state;

	s->in.interval_s = 2;
	look(s);
	work(s, 2, 1000, 50);
	assert_true(look(s));
	assert_number(s->out.value[AB_OPS_PER_S], 1500);
	work(s, 2, 1000, 50);
	assert_true(look(s));
}

static void thread_that_does_nothing_expect_it_in_fairness(void **state)
{
	struct scene *s = *state;

	look(s);
	made_run_work(&s->run, 0, 500, 500, (struct made_op){100, 100, 100});
	made_run_time(&s->run, 1);
	assert_true(look(s));
	assert_number(s->out.value[AB_OPS_PER_S], 500);
	assert_number(s->out.value[AB_FAIRNESS], 1.0 / THREADS);
}

static void nobody_does_anything_expect_rate_0_and_reasons(void **state)
{
	struct scene *s = *state;

	look(s);
	made_run_time(&s->run, 1);
	assert_true(look(s));
	assert_number(s->out.value[AB_OPS_PER_S], 0);
	assert_int_equal(s->out.value[AB_FAIRNESS].why, WHY_NOT_YET);
	assert_int_equal(s->out.value[AB_WAIT_P50].why, WHY_NOT_YET);
	assert_int_equal(s->out.value[AB_HOLD_P50].why, WHY_NOT_YET);
}

static void no_times_expect_reason_beside_the_rate(void **state)
{
	struct scene *s = *state;

	s->in.no_times = WHY_UNSUPPORTED;
	look(s);
	for (unsigned i = 0; i < THREADS; i++)
		made_run_work(&s->run, i, 10, 0, (struct made_op){0});
	made_run_time(&s->run, 1);
	assert_true(look(s));
	assert_number(s->out.value[AB_OPS_PER_S], 30);
	assert_number(s->out.value[AB_FAIRNESS], 1);
	assert_int_equal(s->out.value[AB_WAIT_P50].why, WHY_UNSUPPORTED);
	assert_int_equal(s->out.value[AB_WAIT_P99].why, WHY_UNSUPPORTED);
	assert_int_equal(s->out.value[AB_HOLD_P50].why, WHY_UNSUPPORTED);
}

static void below_the_floor_expect_its_bound(void **state)
{
	struct scene *s = *state;

	look(s);
	work(s, 1, 10, 12);
	assert_true(look(s));
	assert_int_equal(s->out.value[AB_WAIT_P50].why, WHY_UNRESOLVED);
	assert_true(s->out.value[AB_WAIT_P50].v == 20);
	assert_number(s->out.value[AB_HOLD_P50], 30);
}

static void end_thread(struct scene *s)
{
	thread(s, 1)->end_ticks = thread(s, 1)->taken_ticks;
}

static void leave_the_loop(struct scene *s)
{
	thread(s, 1)->state = PAGE_SLOT_DONE;
}

static void lose_rows(struct scene *s)
{
	thread(s, 1)->row_count = 0;
}

static void go_back_to_warm_up(struct scene *s)
{
	thread(s, 1)->phase = PAGE_PHASE_WARM;
}

static void other_generation(struct scene *s)
{
	thread(s, 1)->gen++;
}

static void ops_backwards(struct scene *s)
{
	thread(s, 1)->row[0].ops = 1;
}

static void stamps_backwards(struct scene *s)
{
	thread(s, 1)->taken_ticks -= 3 * MADE_HZ;
}

static void waits_backwards(struct scene *s)
{
	memset(&thread(s, 1)->row[1].a, 0, sizeof(struct hist));
}

static void holds_backwards(struct scene *s)
{
	memset(&thread(s, 1)->row[1].b, 0, sizeof(struct hist));
}

static void screen_was_frozen(struct scene *s)
{
	made_run_time(&s->run, 0.45); /* 1.55 s, 1.5 at most */
}

static void no_rate_of_the_clock(struct scene *s)
{
	s->in.tick_hz = 0;
}

static void fewer_threads(struct scene *s)
{
	s->run.made.snap.thread_count--;
}

static void dropped(struct scene *s)
{
	window_drop(&s->window);
}

static void trouble_expect_no_window(void **state)
{
	static void (*const troubles[])(struct scene *) = {
		leave_the_loop,   end_thread,        lose_rows,       go_back_to_warm_up,
		other_generation, ops_backwards,     waits_backwards, holds_backwards,
		stamps_backwards, screen_was_frozen, dropped,         no_rate_of_the_clock,
	};

	for (unsigned i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++) {
		struct scene *s;

		assert_int_equal(scene_setup(state), 0);
		s = *state;
		work(s, 1, 100, 50);
		look(s);
		work(s, 1.1, 10, 50);
		troubles[i](s);
		assert_false(look(s));
		scene_teardown(state);
	}
}

static void number_of_threads_that_is_another_expect_no_window(void **state)
{
	struct scene *s = *state;

	look(s);
	work(s, 1, 10, 50);
	fewer_threads(s);
	assert_false(look(s));
	s->run.made.snap.thread_count++;
	assert_false(look(s));
	window_fini(&s->window);
	assert_false(look(s));
	assert_false(s->window.begun);
}

/* The window after the dropped one holds nothing of it. */
static void after_a_freeze_expect_a_fresh_window(void **state)
{
	struct scene *s = *state;

	look(s);
	work(s, 30, 100000, 5000);
	assert_false(look(s));
	work(s, 1, 200, 50);
	assert_true(look(s));
	assert_number(s->out.value[AB_OPS_PER_S], 600);
	assert_true(s->out.value[AB_WAIT_P99].v < 60);
}

static void trial_with_more_threads_expect_room(void **state)
{
	struct scene *s = *state;

	look(s);
	assert_true(s->window.begun);
	assert_int_equal(window_layout(&s->window, 4096), 0);
	assert_false(s->window.begun);
	assert_int_equal(window_layout(&s->window, THREADS), 0);
	assert_false(look(s));
	work(s, 1, 10, 50);
	assert_true(look(s));
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_setup, scene_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(first_look_expect_only_a_begin),
		SCENE(second_expect_figures_of_what_came_in_between),
		SCENE(threads_read_late_expect_rates_by_their_own_stamps),
		SCENE(looks_expect_one_window_a_second),
		SCENE(long_interval_expect_windows_as_long),
		SCENE(thread_that_does_nothing_expect_it_in_fairness),
		SCENE(nobody_does_anything_expect_rate_0_and_reasons),
		SCENE(no_times_expect_reason_beside_the_rate),
		SCENE(below_the_floor_expect_its_bound),
		cmocka_unit_test(trouble_expect_no_window),
		SCENE(number_of_threads_that_is_another_expect_no_window),
		SCENE(after_a_freeze_expect_a_fresh_window),
		SCENE(trial_with_more_threads_expect_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
