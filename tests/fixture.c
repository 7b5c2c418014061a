/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The made-up machine, catalogue and trial.
 */
#include "tests/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tick_hz = 2.6e9;
static const double hold_ns = 126, think_ns = 200, handover_ns = 140;
static const double elapsed_s = 102;
static const unsigned sample_n = 310;

static const struct machine machine = {
	.host = "node17",
	.cpu_model = "AMD EPYC 9354 32-Core Processor",
	.kernel = "6.8.0-45-generic",
	.virt = "kvm",
	.governor = "performance",
	.packages = 2,
	.cores = 64,
	.cpus = 128,
	.smt = 2,
	.tick = {.source = TICK_COUNTER, .name = "tsc", .why = "invariant"},
};

static struct catalog_variant variants[] = {
	{"old", "lock dec, then wait while not free, jle back", true, true, ""},
	{"new", "lock dec, then retry as soon as free, jg back", true, true, ""},
	{"old-xchg", "old, unlocked by xchg", true, true, ""},
	{"new-xchg", "new, unlocked by xchg", true, true, ""},
	{"tas", "test and set: an exchange in the loop, real bus traffic", true, true, ""},
	{"ttas", "test, then test and set: waits on its own copy of the line", true, true, ""},
	{"ticket", "first come, first served: two counters", true, true, ""},
	{"mcs",
	 "queue lock (Mellor-Crummey and Scott 1991): each waiter spins on a node of its own; "
	 "one exchange to join, one store to hand over",
	 true, true, ""},
	{"clh", "queue lock: each waiter spins on the node of the one in front", true, true, ""},
	{"pthread-spin", "pthread_spin_lock of the C library", true, true, ""},
	{"pthread-mutex", "pthread_mutex_lock of the C library: sleeps", true, true, ""},
	{"dec", "fetch_sub in portable C", true, false, "x86-64 has the two assembly forms"},
	{"null", "no lock at all: what the harness costs", false, true, ""},
};

static struct catalog_knob knobs[] = {
	{"hold_ns", "time spent inside the lock", "ns", KNOB_INT, "0", "100", 0, 1000000, "", ""},
	{"think_ns", "mean time between two acquisitions, jittered", "ns", KNOB_INT, "0", "200", 0,
	 1000000, "", ""},
	{"pad", "bytes between the lock and what it protects", "bytes", KNOB_INT, "128", "128", 0,
	 4096, "", ""},
	{"width", "bits of the lock word", "bits", KNOB_CHOICE, "32", "32", 0, 0, "32|8",
	 "old,new"},
	{"code_offset", "bytes by which the code is moved in its page", "bytes", KNOB_INT, "0", "0",
	 0, 63, "", "old,new"},
};

static struct catalog_workload workload = {
	.name = "spinlock",
	.doc = "two threads fight over a lock",
	.op_doc = "one acquisition and release",
	.threads_min = 1,
	.threads_default = 2,
	.threads_max = 4096,
	.place_free = true,
	.variant_count = sizeof(variants) / sizeof(variants[0]),
	.knob_count = sizeof(knobs) / sizeof(knobs[0]),
	.role_count = 1,
	.variant = variants,
	.knob = knobs,
	.role = {{"lock", 1}},
};

static const struct catalog catalog = {.workload_count = 1, .workload = &workload};

/* A small generator: the same figures on every machine. Returns 0..1. */
static double noise(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (double)(*seed >> 8) / (double)(1u << 24);
}

static void hist_put(struct hist *h, double value, uint64_t count)
{
	uint64_t v = value > 0 ? (uint64_t)llround(value) : 0;
	unsigned i = hist_index(v);

	h->bucket[i] += count;
	h->used_mask |= 1ull << (i >> HIST_SUB_BITS);
	h->sum += v * count;
	if (v > h->max)
		h->max = v;
}

/* About @count records of mean @mean (histogram units), log-logistic with @spread. */
static void hist_shape(struct hist *h, double mean, double spread, uint64_t count)
{
	enum { STEPS = 4000 };
	double sum = 0;

	for (int i = 0; i < STEPS; i++) {
		double p = (i + 0.5) / STEPS;

		sum += pow(p / (1 - p), spread);
	}
	for (int i = 0; i < STEPS; i++) {
		double p = (i + 0.5) / STEPS;

		hist_put(h, mean * STEPS / sum * pow(p / (1 - p), spread), count / STEPS);
	}
}

static struct value time_of(double ticks)
{
	return value_of(ticks * 1e9 / tick_hz);
}

static void dist_stat(struct model_dist *d, struct value (*of)(double))
{
	const struct hist *h = &d->hist;

	d->stat = (struct round_dist){
		.samples = hist_count(h),
		.mean_ns = of(hist_mean(h)),
		.p50_ns = of(hist_quantile(h, 0.5)),
		.p99_ns = of(hist_quantile(h, 0.99)),
		.p999_ns = of(hist_quantile(h, 0.999)),
		.max_seen_ns = of((double)h->max),
	};
}

static void fill_dists(struct model *m, double wait_ns, double ops)
{
	double ticks = tick_hz / 1e9;
	uint64_t samples = (uint64_t)(ops / sample_n);

	hist_shape(&m->wait[0].hist, wait_ns * ticks, 0.2, samples);
	hist_put(&m->wait[0].hist, 1.2e6 * ticks, 1);
	hist_shape(&m->hold[0].hist, hold_ns * ticks, 0.1, samples);
	hist_shape(&m->hold[0].hist, 2200 * ticks, 0.15, samples / 400);
	hist_put(&m->hold[0].hist, 212e3 * ticks, 1);
	hist_put(&m->run.hist, 1, (uint64_t)(ops * 0.9));
	hist_put(&m->run.hist, 2, (uint64_t)(ops * 0.04));
	hist_put(&m->run.hist, 3, (uint64_t)(ops * 0.004));
	hist_put(&m->run.hist, 7, (uint64_t)(ops * 0.0008));
	hist_put(&m->run.hist, 150, 12);
	hist_put(&m->run.hist, 2713, 1);
	dist_stat(&m->wait[0], time_of);
	dist_stat(&m->hold[0], time_of);
	dist_stat(&m->run, value_of);
	m->runs = value_of((double)hist_count(&m->run.hist));
	m->run_mean = value_of(hist_mean(&m->run.hist));
	m->run_max = value_of((double)m->run.hist.max);
	m->handovers_per_op = value_ratio(m->runs, value_of((double)m->run.hist.sum));
}

/* Rows, shares and histories; the newest sample is what the rows say. Returns the total. */
static double fill_cpus(struct model *m, double total)
{
	uint32_t seed = 7;
	double sum = 0;

	for (unsigned i = 0; i < m->cpu_count; i++) {
		struct model_cpu *c = &m->cpu[i];
		bool offline = m->cpu_count >= 7 && i == 5;

		const struct topology_cpu *t = &m->topology->cpu[i * (m->cpu_count <= 32 ? 4 : 1)];

		*c = (struct model_cpu){.cpu = t->cpu,
					.core = t->core,
					.package = t->package,
					.numa_node = t->numa_node,
					.threads = offline ? 0 : 1,
					.offline = offline,
					.offline_since_s = offline ? 70 : -1};
		c->ops_per_s =
			offline ? value_missing(WHY_OFFLINE)
				: value_of(total / m->cpu_count * (0.9 + 0.2 * noise(&seed)));
		sum += offline ? 0 : c->ops_per_s.v;
		for (unsigned k = 0; k < MODEL_CPU_HISTORY; k++)
			c->history[k] =
				offline ? NAN
					: (float)(c->ops_per_s.v * (0.85 + 0.3 * noise(&seed)));
		if (!offline)
			c->history[(m->sample_count - 1) % MODEL_CPU_HISTORY] =
				(float)c->ops_per_s.v;
	}
	for (unsigned i = 0; i < m->cpu_count; i++)
		m->cpu[i].share = value_ratio(m->cpu[i].ops_per_s, value_of(sum));
	return sum;
}

/* ttas for 40 s, a gap of two samples, then mcs. */
static void fill_history(struct model *m, double total)
{
	uint64_t trial = (uint64_t)(elapsed_s / (double)m->history_interval_s);
	uint32_t seed = 3;

	m->sample_count = 162 + trial;
	for (uint64_t i = 0; i < m->sample_count; i++) {
		double level = i < 160 ? 0.55 : 1;

		m->history[i % MODEL_HISTORY] =
			i == 160 || i == 161
				? NAN
				: (float)(total * level * (0.97 + 0.06 * noise(&seed)));
	}
	m->history[(m->sample_count - 1) % MODEL_HISTORY] = (float)total;
	m->mark_count = 1;
	m->mark[0].sample = 162;
	m->mark[0].kind = 'v';
	snprintf(m->mark[0].text, sizeof(m->mark[0].text), "ttas>mcs");
}

static void fill_variants(struct model *m, double total)
{
	m->variant_count = workload.variant_count;
	for (unsigned i = 0; i < m->variant_count; i++) {
		struct value none = value_missing(WHY_NOT_YET);

		m->variant[i] = (struct model_variant){
			.info = &variants[i],
			.ops_per_s = none,
			.wait_p50_ns = none,
			.wait_p99_ns = none,
			.fairness = none,
			.ended_at_s = -1,
		};
	}
	m->variant[5].ops_per_s = value_of(total * 0.55);
	m->variant[5].wait_p50_ns = value_of(410);
	m->variant[5].wait_p99_ns = value_of(92e3);
	m->variant[5].fairness = value_of(0.71);
	m->variant[5].ended_at_s = 40;
	m->variant[5].settings_same = true;
}

static void message(struct model *m, double at_s, enum model_severity severity, const char *text)
{
	struct model_message *msg = &m->message[m->message_count++ % MODEL_MESSAGES];

	msg->at_s = at_s;
	msg->severity = severity;
	snprintf(msg->text, sizeof(msg->text), "%s", text);
}

static void fill_configuration(struct model *m, unsigned threads)
{
	m->machine = &machine;
	m->catalog = &catalog;
	m->workload = &workload;
	snprintf(m->config.workload, sizeof(m->config.workload), "spinlock");
	fixture_variant(m, 7);
	m->config.threads = threads;
	m->config.place = PLACE_SPREAD;
	m->config.knob_count = 2;
	m->config.knob[0] = (struct config_knob){"hold_ns", "100"};
	m->config.knob[1] = (struct config_knob){"think_ns", "200"};
	m->plan = (struct plan){.measure = PAGE_MEASURE_AUTO,
				.warmup_s = 0.2,
				.rounds = 5,
				.seed = 42,
				.interval_s = 0.25};
	m->state = MODEL_RUNNING;
	m->trial = 2;
	m->now_s = 143;
	m->elapsed_s = elapsed_s;
	m->sample_n = sample_n;
	m->tick_hz = tick_hz;
	m->tick_resolution_ns = 10;
	m->tick_floor_ns = 20;
	m->tick_bias_ns = 5;
	m->stamp_ns = 10;
	m->history_interval_s = 0.25F;
	m->window_s = 1;
	m->role_count = 1;
	snprintf(m->role_name[0], sizeof(m->role_name[0]), "lock");
	m->rounds_kept = 2;
	m->self_cpu_ratio = value_of(0.006);
	m->self_rss_bytes = value_of(9e6);
	m->self_cpu = 127;
}

void fixture_model(struct model *m, unsigned cpus)
{
	unsigned threads = cpus >= 7 ? cpus - 1 : cpus;
	double free_rate = threads / ((hold_ns + think_ns + 30) / 1e9);
	double lock_rate = 1e9 / (hold_ns + handover_ns);
	double total = free_rate < lock_rate ? free_rate : lock_rate;
	double wait_ns;

	memset(m, 0, sizeof(*m));
	m->cpu = calloc(cpus, sizeof(*m->cpu));
	if (!m->cpu)
		abort();
	m->cpu_count = cpus;
	fixture_topology(m, cpus);
	fill_configuration(m, threads);
	m->sample_count = 162 + (uint64_t)(elapsed_s / 0.25);
	total = fill_cpus(m, total);
	fill_history(m, total);
	wait_ns = threads * 1e9 / total - hold_ns - think_ns;
	fill_dists(m, wait_ns, total * elapsed_s);
	fixture_heat(m, 162);
	fill_variants(m, total);
	m->ops_per_s = value_of(total);
	m->ops_per_s_mean = value_of(total);
	m->clocks_per_op = value_of(tick_hz / total);
	m->fairness_jain = value_of(0.9961);
	m->wait_ratio = value_of(m->wait[0].stat.mean_ns.v * total / 1e9 / threads);
	m->hold_ratio = value_of(m->hold[0].stat.mean_ns.v * total / 1e9 / threads);
	m->outside_ratio = value_of(1 - m->wait_ratio.v - m->hold_ratio.v);
	m->gap_max_ns = value_of(1.3e6);
	m->total_ops = (uint64_t)(total * elapsed_s);
	message(m, 0.3, MODEL_NOTE, "clock: tsc, resolution 10 ns, a stamp costs 10 ns");
	message(m, 41, MODEL_NOTE, "trial 2: spinlock mcs, warm-up 0.2 s discarded");
	if (cpus >= 7)
		message(m, 70, MODEL_WARNING, "cpu 20 went offline: its worker has ended");
}

void fixture_variant(struct model *m, unsigned index)
{
	snprintf(m->config.variant, sizeof(m->config.variant), "%s", variants[index].name);
}

static void dist_missing(struct model_dist *d, enum reason why)
{
	struct value none = value_missing(why);

	memset(d, 0, sizeof(*d));
	d->stat = (struct round_dist){0, none, none, none, none, none};
}

void fixture_missing(struct model *m)
{
	for (unsigned i = 0; i < m->cpu_count; i++) {
		m->cpu[i].ops_per_s = value_missing(WHY_NOT_YET + i % (WHY_COUNT - WHY_NOT_YET));
		m->cpu[i].share = m->cpu[i].ops_per_s;
		for (unsigned k = 0; k < MODEL_CPU_HISTORY; k++)
			m->cpu[i].history[k] = NAN;
	}
	for (unsigned i = 0; i < MODEL_HISTORY; i++)
		m->history[i] = NAN;
	memset(m->heat, 0, sizeof(m->heat));
	m->ops_per_s = value_missing(WHY_LOST);
	m->ops_per_s_mean = value_missing(WHY_NOT_YET);
	m->clocks_per_op = value_missing(WHY_UNSUPPORTED);
	m->fairness_jain = value_missing(WHY_LOST);
	m->handovers_per_op = value_missing(WHY_UNSUPPORTED);
	m->wait_ratio = value_missing(WHY_UNRESOLVED);
	m->hold_ratio = value_missing(WHY_UNRESOLVED);
	m->outside_ratio = value_missing(WHY_UNRESOLVED);
	m->gap_max_ns = value_missing(WHY_LOST);
	m->runs = m->run_mean = m->run_max = value_missing(WHY_UNSUPPORTED);
	m->self_cpu_ratio = value_missing(WHY_DENIED);
	dist_missing(&m->wait[0], WHY_UNSUPPORTED);
	dist_missing(&m->hold[0], WHY_LOST);
	dist_missing(&m->run, WHY_UNSUPPORTED);
	m->sample_n = 0;
	m->tick_hz = m->tick_resolution_ns = m->tick_floor_ns = 0;
	m->message_count = 0;
}

void fixture_free(struct model *m)
{
	fixture_counters_free(m);
	fixture_topology_free(m);
	free(m->cpu);
	m->cpu = NULL;
}
