/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The made-up trial that runs.
 */
#include "tests/made_run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/fixture.h"

static const double ticks_per_ns = MADE_HZ / 1e9;

static void threads_reset(struct made_run *r)
{
	for (unsigned i = 0; i < r->made.snap.thread_count; i++) {
		struct snap_thread *t = &r->made.snap.thread[i];

		t->state = PAGE_SLOT_RUNNING;
		t->phase = PAGE_PHASE_MEASURED;
		t->end_ticks = 0;
		t->taken_ticks = t->begin_ticks = MADE_BEGIN_TICKS;
		t->row_count = 2;
		for (unsigned k = 0; k < 1 + PAGE_ROLES; k++)
			memset(&t->row[k], 0, sizeof(t->row[k]));
		t->row[0].valid = t->row[1].valid = 1;
		r->last_ops[i] = 0;
	}
	r->made.snap.taken_ticks = MADE_BEGIN_TICKS;
	r->since_s = 0;
}

void made_run_init(struct made_run *r, unsigned threads)
{
	memset(r, 0, sizeof(*r));
	assert_true(threads <= MADE_RUN_THREADS);
	fixture_model(&r->fixture, 2);
	made_trial_init(&r->made, threads);
	r->made.plan.measure = PAGE_MEASURE_EVERY;
	r->made.snap.lab.state = PAGE_LAB_RUNNING;
	for (unsigned i = 0; i < threads; i++)
		r->cpus[i] = (int)i % MADE_CPUS;
	assert_int_equal(interval_init(&r->interval, threads, 0), 0);
	assert_int_equal(model_init(&r->model, &r->made.machine, &r->made.topology,
				    r->fixture.catalog),
			 0);
	r->in = (struct model_input){.snap = &r->made.snap,
				     .interval = &r->interval,
				     .round = &r->round,
				     .state = MODEL_RUNNING,
				     .now_s = 100};
	model_configure(&r->model, &r->made.config, &r->made.plan);
	made_run_trial(r);
}

void made_run_fini(struct made_run *r)
{
	model_fini(&r->model);
	round_free(&r->round);
	interval_fini(&r->interval);
	made_trial_fini(&r->made);
	fixture_free(&r->fixture);
}

void made_run_trial(struct made_run *r)
{
	threads_reset(r);
	assert_int_equal(model_trial(&r->model, &r->made.config, &r->made.plan, r->model.trial + 1,
				     r->cpus),
			 0);
}

void made_run_work(struct made_run *r, unsigned thread, uint64_t ops, uint64_t stamped,
		   struct made_op op)
{
	struct snap_row *row = r->made.snap.thread[thread].row;

	row[0].ops += ops;
	if (!stamped)
		return;
	made_hist(&row[0].a, (uint64_t)llround(op.gap_ns * ticks_per_ns), stamped);
	made_hist(&row[1].a, (uint64_t)llround(op.wait_ns * ticks_per_ns), stamped);
	made_hist(&row[1].b, (uint64_t)llround(op.hold_ns * ticks_per_ns), stamped);
}

void made_run_time(struct made_run *r, double s)
{
	uint64_t ticks = (uint64_t)llround(s * MADE_HZ);

	for (unsigned i = 0; i < r->made.snap.thread_count; i++)
		r->made.snap.thread[i].taken_ticks += ticks;
	r->made.snap.taken_ticks += ticks;
	r->in.now_s += s;
	r->since_s += s;
}

static void interval_fill(struct made_run *r)
{
	r->interval.ops_per_s = value_of(0);
	r->interval.ops = 0;
	r->interval.dt_s = r->since_s;
	for (unsigned i = 0; i < r->made.snap.thread_count; i++) {
		const struct snap_thread *t = &r->made.snap.thread[i];
		struct interval_thread *o = &r->interval.thread[i];

		o->cpu = r->cpus[i];
		o->dt_s = r->since_s;
		o->ops = t->row[0].ops - r->last_ops[i];
		o->ops_per_s = value_ratio(value_of((double)o->ops), value_of(r->since_s));
		r->interval.ops += o->ops;
		if (value_known(o->ops_per_s) && value_known(r->interval.ops_per_s))
			r->interval.ops_per_s.v += o->ops_per_s.v;
		else
			r->interval.ops_per_s = value_missing(WHY_NOT_YET);
		r->last_ops[i] = t->row[0].ops;
	}
	r->since_s = 0;
}

static void update(struct made_run *r)
{
	round_free(&r->round);
	assert_int_equal(round_make(&r->round, &r->made.in), 0);
	model_update(&r->model, &r->in);
}

void made_run_refresh(struct made_run *r)
{
	interval_fill(r);
	r->in.add_sample = true;
	update(r);
}

void made_run_look(struct made_run *r)
{
	r->in.add_sample = false;
	update(r);
}

void made_run_assert_sum(const struct model *m)
{
	double op_ns = m->config.threads * 1e9 / m->ops_per_s_mean.v;
	double wait_ns = m->wait[0].stat.mean_ns.v, hold_ns = m->hold[0].stat.mean_ns.v;
	double sum_ns = wait_ns + hold_ns + m->outside_ratio.v * op_ns;

	assert_true(value_known(m->outside_ratio));
	assert_false(m->sums_disagree);
	assert_true(fabs(sum_ns / op_ns - 1) <= MODEL_SHARE_TOLERANCE);
	assert_true(fabs(m->wait_ratio.v + m->hold_ratio.v + m->outside_ratio.v - 1) <=
		    MODEL_SHARE_TOLERANCE);
	/* The shares are those means. */
	assert_true(fabs(m->wait_ratio.v * op_ns - wait_ns) <= 1e-6 * op_ns);
	assert_true(fabs(m->hold_ratio.v * op_ns - hold_ns) <= 1e-6 * op_ns);
}
