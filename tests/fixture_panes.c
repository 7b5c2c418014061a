/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The made-up machine's CPUs, its waits over time, and windows of two configurations.
 */
#include "tests/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_CPUS = 128, NODES = 4, PACKAGES = 2, OTHER_VARIANT = 8 };

/* A small generator: the same figures on every machine. Returns 0..1. */
static double noise(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (double)(*seed >> 8) / (double)(1u << 24);
}

/* Owned by the model: one block. */
struct owned {
	struct topology topology;
	struct topology_cpu cpu[];
};

void fixture_topology(struct model *m, unsigned cpus)
{
	unsigned all = cpus < LEAST_CPUS ? LEAST_CPUS : (cpus + 7) / 8 * 8;
	unsigned cores = all / 2;
	struct owned *o = calloc(1, sizeof(*o) + all * sizeof(o->cpu[0]));

	if (!o)
		abort();
	for (unsigned i = 0; i < all; i++) {
		unsigned core = i % cores;

		o->cpu[i] = (struct topology_cpu){
			.cpu = (int)i,
			.core = (int)core,
			.package = (int)(core / (cores / PACKAGES)),
			.numa_node = (int)(core / (cores / NODES)),
			.llc = (int)(core / 8),
			.smt_rank = i >= cores,
			.efficiency_kind = -1,
			.online = true,
			.allowed = true,
		};
	}
	o->topology = (struct topology){
		.cpu_count = all,
		.online_count = all,
		.allowed_count = all,
		.package_count = PACKAGES,
		.core_count = cores,
		.numa_count = NODES,
		.smt_per_core = 2,
		.line_bytes = 64,
		.cpu = o->cpu,
	};
	m->topology = &o->topology;
}

void fixture_topology_free(struct model *m)
{
	free((void *)(uintptr_t)m->topology);
	m->topology = NULL;
}

void fixture_offline(struct model *m, int first, int last)
{
	struct topology *t = (struct topology *)(uintptr_t)m->topology;

	for (unsigned i = 0; i < t->cpu_count; i++) {
		struct topology_cpu *c = &t->cpu[i];

		if (c->cpu < first || c->cpu > last)
			continue;
		*c = (struct topology_cpu){.cpu = c->cpu,
					   .core = -1,
					   .package = -1,
					   .numa_node = -1,
					   .llc = -1,
					   .efficiency_kind = -1};
	}
}

void fixture_not_allowed(struct model *m, int first, int last)
{
	struct topology *t = (struct topology *)(uintptr_t)m->topology;

	for (unsigned i = 0; i < t->cpu_count; i++) {
		if (t->cpu[i].cpu >= first && t->cpu[i].cpu <= last)
			t->cpu[i].allowed = false;
	}
}

/* How many of @h lie in each octave, as shares of all. */
static void octave_shares(const struct hist *h, double tick_hz, double *share)
{
	double all = (double)hist_count(h);

	memset(share, 0, MODEL_HEAT_ROWS * sizeof(share[0]));
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		double ns = (double)(hist_lower(i) + hist_upper(i)) / 2 * 1e9 / tick_hz;
		int row = ns < 16 ? 0 : (int)floor(log2(ns)) - 4;

		if (h->bucket[i])
			share[row < MODEL_HEAT_ROWS ? row : MODEL_HEAT_ROWS - 1] +=
				(double)h->bucket[i] / all;
	}
}

/* The waits of the histogram spread evenly; before the trial those of an unfair lock: wider. */
void fixture_heat(struct model *m, uint64_t trial)
{
	double share[MODEL_HEAT_ROWS];
	double a_sample = (double)m->wait[0].stat.samples / (double)(m->sample_count - trial);
	uint32_t seed = 11;

	octave_shares(&m->wait[0].hist, m->tick_hz, share);
	for (uint64_t i = 0; i < m->sample_count; i++) {
		struct model_heat *h = &m->heat[i % MODEL_HISTORY];

		memset(h, 0, sizeof(*h));
		h->known = !isnan(m->history[i % MODEL_HISTORY]);
		for (int row = 0; h->known && row < MODEL_HEAT_ROWS; row++) {
			double wide = row > 0 && row < 14 ? pow(0.5, abs(row - 5)) / 3 : 0;
			double n = (i < trial ? wide : share[row]) * a_sample;

			h->count[row] = (uint32_t)floor(n * (0.8 + 0.4 * noise(&seed)) +
							noise(&seed) * 0.999);
			if (n * 1000 < 1)
				h->count[row] = 0;
		}
	}
	/* The one long wait of the histogram. */
	m->heat[(trial + 200) % MODEL_HISTORY].count[16] = 1;
}

static struct value scaled(struct value v, double by)
{
	return value_known(v) ? value_of(v.v * by) : v;
}

static void add_windows(struct model *m, const struct config *c, unsigned count, double by)
{
	uint32_t seed = 5 + count;

	for (unsigned i = 0; i < count; i++) {
		struct ab_window w = {
			.value = {
				scaled(m->ops_per_s_mean, by * (0.98 + 0.04 * noise(&seed))),
				scaled(m->wait[0].stat.p50_ns,
				       1 / by * (0.98 + 0.04 * noise(&seed))),
				scaled(m->wait[0].stat.p99_ns, 1 / by * (0.9 + 0.2 * noise(&seed))),
				scaled(m->hold[0].stat.p50_ns, 0.99 + 0.02 * noise(&seed)),
				scaled(m->fairness_jain, 0.995 + 0.009 * noise(&seed)),
			}};

		ab_add(&m->ab, c, &w);
	}
}

void fixture_ab(struct model *m, unsigned a, unsigned b)
{
	struct config other = m->config;

	memset(&m->ab, 0, sizeof(m->ab));
	m->window_s = 1;
	snprintf(other.variant, sizeof(other.variant), "%s",
		 m->workload->variant[OTHER_VARIANT].name);
	if (a) {
		ab_set(&m->ab, AB_A, &m->config);
		add_windows(m, &m->config, a, 1);
	}
	if (b) {
		ab_set(&m->ab, AB_B, &other);
		add_windows(m, &other, b, 0.97);
	}
	m->ab.switches = 1u + (a && b);
}
