/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lock roles of a round: acquires, distributions, buckets.
 */
#include "src/flow/round.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/made_trial.h"

static const double tick_ns = 1e9 / MADE_HZ;

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

static void finished_trial_expect_locks(void **state)
{
	const struct round *r = make(*state);

	assert_int_equal(r->lock_count, 1);
	assert_string_equal(r->lock[0].role, "lock");
	assert_number(r->lock[0].acquires, 6000);
	assert_number(r->lock[0].contended, 1500);
	assert_int_equal(r->lock[0].wait.samples, 6000);
	assert_number(r->lock[0].wait.mean_ns, MADE_WAIT_NS);
	assert_number(r->lock[0].wait.p50_ns, MADE_WAIT_NS);
	assert_number(r->lock[0].wait.p999_ns, MADE_WAIT_NS);
	assert_number(r->lock[0].wait.max_seen_ns, MADE_WAIT_NS);
	assert_number(r->lock[0].hold.mean_ns, MADE_HOLD_NS);
	assert_number(r->lock[0].hold.p50_ns, MADE_HOLD_NS);
	assert_number(r->lock[0].hold.max_seen_ns, MADE_HOLD_NS);
}

static void tail_of_waits_expect_percentiles_in_order(void **state)
{
	struct scene *s = *state;
	const struct round_dist *d = &s->r.lock[0].wait;

	/* Beside 6000 of 200 ticks. */
	made_hist(&s->m.snap.thread[0].row[1].a, 65536, 70);
	made_hist(&s->m.snap.thread[2].row[1].a, 1048576, 7);
	make(s);
	assert_true(fabs(d->p50_ns.v / MADE_WAIT_NS - 1) < 1.0 / 32);
	assert_true(fabs(d->p99_ns.v / (65536 * tick_ns) - 1) < 1.0 / 32);
	assert_true(fabs(d->p999_ns.v / (1048576 * tick_ns) - 1) < 1.0 / 32);
	assert_number(d->max_seen_ns, 1048576 * tick_ns);
	assert_number(d->mean_ns, (6000 * 200.0 + 70 * 65536.0 + 7 * 1048576.0) / 6077 * tick_ns);
}

static void second_role_expect_its_own_rows_and_acquires(void **state)
{
	struct scene *s = *state;
	struct snap *snap = &s->m.snap;

	snap->role_count = 2;
	memcpy(snap->lab.role[1].name, "a_name_unended!!", 16);
	for (unsigned i = 0; i < 3; i++) {
		snap->thread[i].row_count = 3;
		snap->thread[i].row[2] = snap->thread[i].row[1];
		snap->thread[i].row[2].ops = 7;
		snap->thread[i].row[2].contended = 2;
		snap->thread[i].row[2].has_contended = i != 1;
		hist_clear(&snap->thread[i].row[2].b);
	}
	make(s);
	assert_int_equal(s->r.lock_count, 2);
	assert_string_equal(s->r.lock[1].role, "a_name_unended!");
	/* Counted in the row, as the role does not say how many there are per op. */
	assert_number(s->r.lock[1].acquires, 21);
	/* A sum that lacks a thread is none. */
	assert_int_equal(s->r.lock[1].contended.why, WHY_UNSUPPORTED);
	assert_number(s->r.lock[1].wait.mean_ns, MADE_WAIT_NS);
	assert_int_equal(s->r.lock[1].hold.p50_ns.why, WHY_NOT_YET);
	snap->lab.role[1].acquires_per_op = 3;
	snap->thread[0].row[2].valid = 0;
	make(s);
	assert_number(s->r.lock[1].acquires, 3 * 5000);
}

static void nothing_stamped_expect_unsupported_and_ops_still_there(void **state)
{
	struct scene *s = *state;

	s->m.plan.measure = PAGE_MEASURE_OFF;
	s->m.snap.lab.sample_n = 0;
	for (unsigned i = 0; i < 3; i++) {
		hist_clear(&s->m.snap.thread[i].row[0].a);
		hist_clear(&s->m.snap.thread[i].row[1].a);
		hist_clear(&s->m.snap.thread[i].row[1].b);
	}
	make(s);
	assert_number(s->r.ops_per_s, 6000);
	assert_number(s->r.handovers_per_op, 0.5);
	assert_number(s->r.lock[0].acquires, 6000);
	assert_int_equal(s->r.sample_n, 0);
	assert_int_equal(s->r.gap_max_ns.why, WHY_UNSUPPORTED);
	assert_int_equal(s->r.lock[0].wait.p50_ns.why, WHY_UNSUPPORTED);
	assert_int_equal(s->r.lock[0].hold.mean_ns.why, WHY_UNSUPPORTED);
}

static void percentiles_below_the_clocks_floor_expect_the_floor_as_bound(void **state)
{
	struct scene *s = *state;
	const struct round_lock *l = &s->r.lock[0];

	s->m.snap.lab.floor_ns = 80;
	make(s);
	assert_int_equal(l->hold.p50_ns.why, WHY_UNRESOLVED);
	assert_true(l->hold.p50_ns.v == 80);
	assert_int_equal(l->hold.p999_ns.why, WHY_UNRESOLVED);
	assert_true(l->hold.p999_ns.v == 80);
	assert_int_equal(l->hold.max_seen_ns.why, WHY_UNRESOLVED);
	assert_true(l->hold.max_seen_ns.v == 80);
	assert_number(l->wait.p50_ns, MADE_WAIT_NS);
	assert_number(l->hold.mean_ns, MADE_HOLD_NS);
}

static const struct hist *hist_of(const struct snap_thread *t, const struct round_bucket *b)
{
	switch ((enum round_hist_kind)b->kind) {
	case ROUND_WAIT:
		return &t->row[1 + b->role].a;
	case ROUND_HOLD:
		return &t->row[1 + b->role].b;
	case ROUND_GAP:
		return &t->row[0].a;
	case ROUND_RUN:
		return &t->row[0].b;
	case ROUND_KINDS:
		break;
	}
	return NULL;
}

static void buckets_expect_all_of_all_histograms(void **state)
{
	struct scene *s = *state;
	uint64_t counts[ROUND_KINDS] = {0};
	uint32_t seed = 1;

	for (int i = 0; i < 500; i++) {
		struct snap_row *row = &s->m.snap.thread[i % 3].row[i / 3 % 2];

		seed = seed * 1664525u + 1013904223u;
		made_hist(i / 6 % 2 ? &row->a : &row->b, seed >> seed % 32, seed % 3 + 1);
	}
	make(s);
	for (unsigned i = 0; i < s->r.bucket_count; i++) {
		const struct round_bucket *b = &s->r.bucket[i];
		const struct hist *h = hist_of(&s->m.snap.thread[b->thread], b);

		assert_true(b->count > 0);
		assert_int_equal(b->count, h->bucket[b->index]);
		counts[b->kind] += b->count;
		/* Each once. */
		for (unsigned k = 0; k < i; k++)
			assert_memory_not_equal((const char *)b + 8, (char *)&s->r.bucket[k] + 8,
						6);
	}
	for (unsigned kind = 0; kind < ROUND_KINDS; kind++) {
		struct hist all = {0};

		round_hist_merge(&all, &s->m.snap, (enum round_hist_kind)kind, 0);
		assert_true(counts[kind] > 0);
		assert_int_equal(counts[kind], hist_count(&all));
	}
	s->m.in.buckets = false;
	assert_int_equal(make(s)->bucket_count, 0);
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_setup, scene_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(finished_trial_expect_locks),
		SCENE(tail_of_waits_expect_percentiles_in_order),
		SCENE(second_role_expect_its_own_rows_and_acquires),
		SCENE(nothing_stamped_expect_unsupported_and_ops_still_there),
		SCENE(percentiles_below_the_clocks_floor_expect_the_floor_as_bound),
		SCENE(buckets_expect_all_of_all_histograms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
