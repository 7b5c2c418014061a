/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The figures on one screen agree with one another: those of a model that a running trial feeds,
 * and of the made-up one that screens are tested with.
 */
#include "src/flow/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/fixture.h"
#include "tests/made_run.h"

enum { THREADS = 4 };

static void assert_dist(const struct model_dist *d, double per_unit)
{
	const struct hist *h = &d->hist;

	assert_int_equal(d->stat.samples, hist_count(h));
	assert_number(d->stat.mean_ns, hist_mean(h) * per_unit);
	assert_number(d->stat.p50_ns, hist_quantile(h, 0.5) * per_unit);
	assert_number(d->stat.p99_ns, hist_quantile(h, 0.99) * per_unit);
	assert_number(d->stat.p999_ns, hist_quantile(h, 0.999) * per_unit);
	assert_number(d->stat.max_seen_ns, (double)h->max * per_unit);
}

/* Of a model with live figures: what any screen may count on. */
static void assert_agrees(const struct model *m)
{
	double rates = 0, shares = 0;

	for (unsigned i = 0; i < m->cpu_count; i++) {
		rates += value_known(m->cpu[i].ops_per_s) ? m->cpu[i].ops_per_s.v : 0;
		shares += value_known(m->cpu[i].share) ? m->cpu[i].share.v : 0;
		assert_true(m->cpu[i].offline == (m->cpu[i].offline_since_s >= 0));
	}
	assert_true(fabs(m->ops_per_s.v - rates) <= 1e-9 * rates);
	assert_true(fabs(shares - 1) < 1e-9);
	assert_dist(&m->wait[0], 1e9 / m->tick_hz);
	assert_dist(&m->hold[0], 1e9 / m->tick_hz);
	assert_dist(&m->run, 1);
	assert_true(m->wait[0].stat.p50_ns.v <= m->wait[0].stat.p99_ns.v);
	assert_true(m->wait[0].stat.p999_ns.v <= m->wait[0].stat.max_seen_ns.v);
	assert_number(m->run_mean, m->run.stat.mean_ns.v);
	assert_number(m->clocks_per_op, m->tick_hz / m->ops_per_s_mean.v);
	assert_true(fabs((double)m->total_ops / m->elapsed_s / m->ops_per_s_mean.v - 1) < 1e-6);
	assert_true(m->history[(m->sample_count - 1) % MODEL_HISTORY] == (float)m->ops_per_s.v);
	made_run_assert_sum(m);
}

static void made_up_screen_expect_figures_that_agree(void **state)
{
	static const unsigned cpus[] = {1, 2, 7, 16, 20, 64, 130, 257};
	static struct model m;

	(void)state;
	for (unsigned i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		double think_ns;

		fixture_model(&m, cpus[i]);
		assert_agrees(&m);
		/* What is outside is the think time of the knob. */
		think_ns = m.outside_ratio.v * m.config.threads * 1e9 / m.ops_per_s_mean.v;
		assert_true(fabs(think_ns - 200) <= 0.05 * m.config.threads * 1e9 / m.ops_per_s.v);
		for (unsigned k = 0; k < MODEL_HISTORY && k < m.sample_count; k++)
			assert_true(m.heat[k].known == !isnan(m.history[k]));
		fixture_free(&m);
	}
}

/* The same of a model that was made the long way. */
static void running_trial_expect_figures_that_agree(void **state)
{
	static struct made_run r;

	(void)state;
	made_run_init(&r, THREADS);
	for (int step = 0; step < 8; step++) {
		for (unsigned i = 0; i < THREADS; i++) {
			made_run_work(&r, i, 250000, 250000, (struct made_op){600, 100, 300});
			made_hist(&r.made.snap.thread[i].row[0].b, 4, 62500);
		}
		made_run_time(&r, 0.25);
		made_run_refresh(&r);
		assert_agrees(&r.model);
	}
	made_run_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(made_up_screen_expect_figures_that_agree),
		cmocka_unit_test(running_trial_expect_figures_that_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
