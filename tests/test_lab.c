/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lab: every lock under its invariant, fixed work, sampling, and loops that were moved.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "probes/slot.h"
#include "src/lab/crew.h"
#include "src/lab/delay.h"
#include "src/lab/spinlock.h"

enum { MAX_THREADS = 8 };

/* What one trial left in the page. */
struct outcome {
	struct page *page;
	int fd;
	int status;   /* of the process that ran it */
	uint64_t ops; /* of the measured phase, all threads */
	uint64_t samples, gaps, runs, run_ops;
	struct hist wait, hold;
};

static void trial_prepare(struct outcome *o, const char *variant, unsigned threads)
{
	struct err e;

	memset(o, 0, sizeof(*o));
	assert_int_equal(page_create(&o->fd, &o->page, &e), 0);
	strcpy(o->page->ctl.workload, "spinlock");
	strcpy(o->page->ctl.variant, variant);
	o->page->ctl.threads = threads;
	o->page->ctl.tick_source = tick_choose(NULL).source;
	o->page->ctl.measure = PAGE_MEASURE_SAMPLED;
	o->page->ctl.sample_n = 8;
	o->page->ctl.seed = 42;
	o->page->ctl.warmup_ns = 5000000;
	o->page->ctl.duration_ns = 20000000;
	for (unsigned i = 0; i < threads; i++)
		o->page->ctl.cpu[i] = -1;
}

static void knob(struct outcome *o, const char *name, const char *value)
{
	struct page_knob *k = &o->page->ctl.knob[o->page->ctl.knob_count++];

	strcpy(k->name, name);
	strcpy(k->value, value);
}

static void rows_sum(struct outcome *o)
{
	for (unsigned i = 0; i < o->page->ctl.threads; i++) {
		const struct page_slot *s = &o->page->slot[i];
		const struct page_row *t = page_row_at(o->page, s->row[PAGE_PHASE_MEASURED]);
		const struct page_row *lock;

		assert_non_null(t);
		lock = page_row_at(o->page, t->next);
		assert_non_null(lock);
		assert_int_equal(s->state, PAGE_SLOT_DONE);
		assert_true(s->end_ticks > s->begin_ticks);
		o->ops += t->ops;
		o->gaps += hist_count(&t->a);
		o->runs += hist_count(&t->b);
		o->run_ops += t->b.sum;
		o->samples += hist_count(&lock->a);
		hist_merge(&o->wait, &lock->a);
		hist_merge(&o->hold, &lock->b);
	}
}

/* Runs the trial in a process of its own, as the program does. */
static void trial_run(struct outcome *o)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		static struct lab lab;
		struct err e = {0};

		lab.page = o->page;
		lab.workload = workload_find(o->page->ctl.workload);
		lab.variant = workload_variant(lab.workload, o->page->ctl.variant);
		if (crew_run(&lab, &e) == 0)
			_exit(0);
		memcpy(o->page->lab.error, e.text, sizeof(e.text));
		_exit(1);
	}
	assert_int_equal(waitpid(pid, &o->status, 0), pid);
}

static void trial_done(struct outcome *o)
{
	page_unmap(o->page);
	close(o->fd);
}

static void lock_under_contention_keeps_its_invariant(void **state)
{
	static const unsigned threads[] = {1, 2, 5};
	const struct workload_ops *w = workload_find("spinlock");

	(void)state;
	for (const struct variant_ops *const *v = w->variants; *v; v++) {
		if ((*v)->unsupported)
			continue;
		for (unsigned i = 0; i < 3; i++) {
			struct outcome o;

			trial_prepare(&o, (*v)->name, threads[i]);
			trial_run(&o);
			assert_int_equal(o.status, 0);
			rows_sum(&o);
			assert_int_equal(page_lab_state(o.page), PAGE_LAB_DONE);
			assert_true(o.ops > 0);
			if ((*v)->excludes) {
				assert_int_equal(o.page->lab.invariant_checked, 1);
				assert_true(o.page->lab.invariant_found == o.ops);
			} else {
				assert_int_equal(o.page->lab.invariant_checked, 0);
			}
			/* Every op belongs to one run; every sampled op closed one gap. */
			assert_true(o.run_ops == o.ops);
			assert_true(o.gaps == o.samples);
			trial_done(&o);
		}
	}
}

static void fixed_work_with_two_threads_ends_within_quota_plus_one(void **state)
{
	static const char *const variants[] = {"ttas", "ticket", "pthread-mutex"};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct outcome o;

		trial_prepare(&o, variants[i], 2);
		o.page->ctl.ops = 100000;
		o.page->ctl.duration_ns = 0;
		trial_run(&o);
		rows_sum(&o);
		assert_true(o.ops >= 100000 && o.ops <= 100001);
		assert_int_equal(o.page->lab.limit_hit, 0);
		trial_done(&o);
	}
}

static void fixed_work_beyond_its_limit_ends_short_and_says_so(void **state)
{
	struct outcome o;

	(void)state;
	trial_prepare(&o, "ttas", 1);
	o.page->ctl.ops = 1000000000000;
	o.page->ctl.duration_ns = 0;
	o.page->ctl.limit_ns = 30000000;
	trial_run(&o);
	rows_sum(&o);
	assert_int_equal(o.page->lab.limit_hit, 1);
	assert_true(o.ops > 0 && o.ops < 1000000000000);
	trial_done(&o);
}

static void sampling_one_in_n_stamps_about_that_share(void **state)
{
	struct outcome o;

	(void)state;
	trial_prepare(&o, "ttas", 1);
	o.page->ctl.sample_n = 50;
	trial_run(&o);
	rows_sum(&o);
	assert_int_equal(o.page->lab.sample_n, 50);
	assert_true(o.samples > o.ops / 50 * 8 / 10);
	assert_true(o.samples < o.ops / 50 * 12 / 10 + 10);
	trial_done(&o);
}

static void measure_off_stamps_nothing_and_counts_all(void **state)
{
	struct outcome o;

	(void)state;
	trial_prepare(&o, "ttas", 2);
	o.page->ctl.measure = PAGE_MEASURE_OFF;
	trial_run(&o);
	rows_sum(&o);
	assert_int_equal(o.samples, 0);
	assert_int_equal(o.page->lab.sample_n, 0);
	assert_true(o.ops > 0);
	trial_done(&o);
}

static void measure_every_stamps_each_op(void **state)
{
	struct outcome o;

	(void)state;
	trial_prepare(&o, "mcs", 1);
	o.page->ctl.measure = PAGE_MEASURE_EVERY;
	trial_run(&o);
	rows_sum(&o);
	assert_true(o.samples == o.ops);
	trial_done(&o);
}

static void knob_hold_ns_lengthens_the_hold(void **state)
{
	struct outcome o;
	double median_ns;

	(void)state;
	trial_prepare(&o, "ttas", 1);
	knob(&o, "hold_ns", "5000");
	trial_run(&o);
	rows_sum(&o);
	median_ns = hist_quantile(&o.hold, 0.5) * 1e9 / o.page->lab.tick_hz;
	assert_true(median_ns > 2500 && median_ns < 50000);
	trial_done(&o);
}

static void crew_on_a_missing_cpu_says_which(void **state)
{
	struct outcome o;

	(void)state;
	trial_prepare(&o, "ttas", 2);
	o.page->ctl.cpu[1] = 8191;
	trial_run(&o);
	assert_int_not_equal(o.status, 0);
	assert_non_null(strstr(o.page->lab.error, "CPU 8191"));
	trial_done(&o);
}

static void width_8_with_too_many_waiters_is_refused(void **state)
{
	struct outcome o;

	(void)state;
	if (workload_variant(workload_find("spinlock"), "old")->unsupported) {
		print_message("skip width_8_with_too_many_waiters_is_refused: x86 only\n");
		skip();
	}
	trial_prepare(&o, "old", 128);
	knob(&o, "width", "8");
	trial_run(&o);
	assert_int_not_equal(o.status, 0);
	assert_non_null(strstr(o.page->lab.error, "127"));
	trial_done(&o);
}

/* A loop copied to any offset must do the same work: a reference to the outside would crash. */
static void moved_loop_at_every_offset_counts_right(void **state)
{
	static const char *const names[] = {"old", "new", "old-xchg", "new-xchg"};
	static struct lab lab;
	struct outcome o;
	struct lab_worker w = {0};
	struct slot_arena arena;

	(void)state;
	trial_prepare(&o, "old", 1);
	lab.page = o.page;
	lab.workload = workload_find("spinlock");
	o.page->lab.tick_hz = 1e9;
	slot_claim(o.page, 0, 1, 0, &arena);
	assert_int_equal(slot_rows(&arena, PAGE_PHASE_WARM, 1, w.row), 0);
	w.lab = &lab;
	w.stop = &lab.stop;
	w.slot = &o.page->slot[0];
	w.rng = rng_seed(1, 2, 3);
	knob(&o, "width", "32");
	knob(&o, "pause", "1");
	knob(&o, "code_offset", "0");
	for (unsigned i = 0; i < 4 * 4 * 64; i++) {
		struct lab_rng rng = rng_seed(i, 0, 0);
		uint64_t expected, found;
		struct err e;

		lab.variant = workload_variant(lab.workload, names[i % 4]);
		if (lab.variant->unsupported) {
			print_message("skip moved_loop_at_every_offset_counts_right: x86 "
				      "only\n");
			skip();
		}
		strcpy(o.page->ctl.knob[0].value, i / 4 % 2 ? "8" : "32");
		strcpy(o.page->ctl.knob[1].value, i / 8 % 2 ? "0" : "1");
		snprintf(o.page->ctl.knob[2].value, 8, "%u", i / 16);
		assert_int_equal(lab.workload->open(&lab, &rng, &e), 0);
		assert_int_equal((uintptr_t)lab.run % 64, i / 16);
		assert_int_equal(lab.workload->worker_open(&w, &e), 0);
		lab.workload->worker_phase(&w);
		lab.workload->phase_begin(&lab);
		lab.quota = 1000;
		record_begin(&w.record, w.slot, w.row[0], w.row[1],
			     i % 3 ? TICK_COUNTER : TICK_MONOTONIC, i % 5, 1e9);
		lab.run(&w);
		record_fold(&w.record);
		assert_int_equal(w.ops, 1000);
		assert_int_equal(lab.workload->check(&lab, 1000, &expected, &found), 0);
		lab.workload->worker_close(&w);
		lab.workload->close(&lab);
	}
	trial_done(&o);
}

static void sample_n_over_a_range_keeps_stamps_under_two_percent(void **state)
{
	(void)state;
	for (double op = 0.5; op < 1e6; op *= 3)
		for (double stamp = 5; stamp < 60; stamp *= 2) {
			double n = (double)crew_sample_n(op, stamp, 0);

			assert_true(n >= 1);
			assert_true(3 * stamp / (n * op + 3 * stamp) <= 0.02 || n >= 1e6);
		}
	assert_int_equal(crew_sample_n(1e7, 20, 0), 1);
	assert_true(crew_sample_n(50, 20, 200) > crew_sample_n(50, 20, 0));
	/* a disturbed probe */
	assert_true(crew_sample_n(50, 20, 1e6) <= crew_sample_n(50, 20, 500));
	assert_true(crew_sample_n(0, 20, 0) > 1); /* unknown yet: a start value */
}

static void publish_mask_over_a_range_is_never_late(void **state)
{
	(void)state;
	for (double op = 0.5; op < 1e9; op *= 3) {
		uint64_t mask = crew_publish_mask(op);

		assert_true((mask & (mask + 1)) == 0 && mask <= 63);
		assert_true(mask == 0 || (double)(mask + 1) * op <= 50000);
	}
	assert_int_equal(crew_publish_mask(0), 0);
	assert_int_equal(crew_publish_mask(10), 63);
}

static void rng_below_stays_below_and_varies(void **state)
{
	struct lab_rng r = rng_seed(0, 0, 0), other = rng_seed(0, 0, 1);
	unsigned seen[10] = {0};

	(void)state;
	assert_true(r.state != other.state);
	assert_int_equal(rng_below(&r, 0), 0);
	for (unsigned i = 0; i < 10000; i++)
		seen[rng_below(&r, 10)]++;
	for (unsigned i = 0; i < 10; i++)
		assert_in_range(seen[i], 800, 1200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lock_under_contention_keeps_its_invariant),
		cmocka_unit_test(fixed_work_with_two_threads_ends_within_quota_plus_one),
		cmocka_unit_test(fixed_work_beyond_its_limit_ends_short_and_says_so),
		cmocka_unit_test(sampling_one_in_n_stamps_about_that_share),
		cmocka_unit_test(measure_off_stamps_nothing_and_counts_all),
		cmocka_unit_test(measure_every_stamps_each_op),
		cmocka_unit_test(knob_hold_ns_lengthens_the_hold),
		cmocka_unit_test(crew_on_a_missing_cpu_says_which),
		cmocka_unit_test(width_8_with_too_many_waiters_is_refused),
		cmocka_unit_test(moved_loop_at_every_offset_counts_right),
		cmocka_unit_test(sample_n_over_a_range_keeps_stamps_under_two_percent),
		cmocka_unit_test(publish_mask_over_a_range_is_never_late),
		cmocka_unit_test(rng_below_stays_below_and_varies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
