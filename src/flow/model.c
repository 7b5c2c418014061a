/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps the model: what one frame shows.
 */
#include "src/flow/model.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/flow/model_live.h"
#include "src/flow/model_parts.h"
#include "src/text.h"

/* Figures of a trial that has none yet. */
static void figures_reset(struct model *m)
{
	const struct value no = value_missing(WHY_NOT_YET);

	m->ops_per_s = m->ops_per_s_mean = m->clocks_per_op = m->fairness_jain = no;
	m->handovers_per_op = m->gap_max_ns = no;
	m->wait_ratio = m->hold_ratio = m->outside_ratio = no;
	m->outside_measured = m->sums_disagree = false;
	m->threads_idle = 0;
	m->runs = m->run_mean = m->run_max = no;
	m->disturbed_why = 0;
	m->total_ops = 0;
	m->elapsed_s = 0;
	m->sample_n = 0;
	m->figures_warming = false;
	for (unsigned i = 0; i < PAGE_ROLES; i++) {
		hist_clear(&m->wait[i].hist);
		hist_clear(&m->hold[i].hist);
		round_dist_missing(&m->wait[i].stat, WHY_NOT_YET);
		round_dist_missing(&m->hold[i].stat, WHY_NOT_YET);
	}
	hist_clear(&m->gap.hist);
	hist_clear(&m->run.hist);
	round_dist_missing(&m->gap.stat, WHY_NOT_YET);
	round_dist_missing(&m->run.stat, WHY_NOT_YET);
}

static void variants_bind(struct model *m)
{
	const struct catalog_workload *w = m->workload;

	m->variant_count = w && w->variant_count < MODEL_VARIANTS ? w->variant_count
			   : w                                    ? MODEL_VARIANTS
								  : 0;
	for (unsigned i = 0; i < m->variant_count; i++) {
		struct model_variant *v = &m->variant[i];

		memset(v, 0, sizeof(*v));
		v->info = &w->variant[i];
		v->ops_per_s = v->wait_p50_ns = v->wait_p99_ns = v->fairness =
			value_missing(WHY_NOT_YET);
		v->ended_at_s = -1;
	}
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	/* FNV-1a, 64 bits: G. Fowler, L. C. Noll, K.-P. Vo. The end of the text counts as well. */
	do {
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3ull;
	} while (*text++);
	return hash;
}

/* What results of two variants must have in common to be compared. */
static uint64_t settings_of(const struct config *c, const struct plan *p)
{
	char knobs[PAGE_KNOBS * sizeof(c->knob[0])], how[32], rest[64];
	uint64_t hash = hash_text(0xcbf29ce484222325ull, c->workload);

	measure_format(p->measure, p->sample_n, how, sizeof(how));
	snprintf(rest, sizeof(rest), "%u %u %d %s", c->threads, (unsigned)c->place,
		 c->cpus[0] && c->place_given, how);
	hash = hash_text(hash_text(hash, rest), c->cpus);
	return hash_text(hash, config_knobs_format(c, knobs, sizeof(knobs)));
}

static void variants_settings(struct model *m)
{
	uint64_t now = settings_of(&m->config, &m->plan);

	for (unsigned i = 0; i < m->variant_count; i++)
		m->variant[i].settings_same = m->variant[i].settings == now;
}

int model_init(struct model *m, const struct machine *mc, const struct topology *t,
	       const struct catalog *c)
{
	memset(m, 0, sizeof(*m));
	m->machine = mc;
	m->topology = t;
	m->catalog = c;
	m->self_cpu = -1;
	m->window_s = 1;
	m->self_cpu_ratio = m->self_rss_bytes = value_missing(WHY_NOT_YET);
	for (unsigned i = 0; i < MODEL_HISTORY; i++)
		m->history[i] = NAN;
	figures_reset(m);
	return 0;
}

void model_fini(struct model *m)
{
	free(m->cpu);
	window_fini(&m->window);
	round_free(&m->live);
	m->cpu = NULL;
	m->cpu_count = 0;
}

static struct model_cpu *cpu_entry(struct model *m, int cpu)
{
	for (unsigned i = 0; i < m->cpu_count; i++)
		if (m->cpu[i].cpu == cpu)
			return &m->cpu[i];
	return NULL;
}

/* One row a CPU in placement order; histories of CPUs that stay are kept. */
static int cpus_layout(struct model *m, const struct config *c, const int *cpus)
{
	struct model_cpu *rows = calloc(c->threads ? c->threads : 1, sizeof(*rows));
	struct model_cpu *old = m->cpu;
	unsigned old_count = m->cpu_count;

	if (!rows)
		return -ENOMEM;
	if (model_live_layout(m, c->threads) != 0) {
		free(rows);
		return -ENOMEM;
	}
	m->cpu = rows;
	m->cpu_count = 0;
	for (unsigned i = 0; i < c->threads; i++) {
		struct model_cpu *row = cpu_entry(m, cpus[i]);
		const struct topology_cpu *t = topology_find(m->topology, cpus[i]);

		if (row) {
			row->threads++;
			continue;
		}
		row = &rows[m->cpu_count++];
		*row = (struct model_cpu){.cpu = cpus[i],
					  .threads = 1,
					  .core = t ? t->core : -1,
					  .package = t ? t->package : -1,
					  .numa_node = t ? t->numa_node : -1,
					  .offline_since_s = -1};
		row->ops_per_s = row->share = value_missing(WHY_NOT_YET);
		for (unsigned k = 0; k < MODEL_CPU_HISTORY; k++)
			row->history[k] = NAN;
		for (unsigned k = 0; k < old_count; k++)
			if (old[k].cpu == row->cpu)
				memcpy(row->history, old[k].history, sizeof(row->history));
	}
	free(old);
	model_live_begin(m);
	return 0;
}

/* @in: what the sample is of; NULL = a gap. */
static void sample_add(struct model *m, const struct model_input *in)
{
	const float v = in && value_known(m->ops_per_s) ? (float)m->ops_per_s.v : NAN;

	if (in)
		model_heat_add(m, in);
	else
		model_heat_gap(m);
	m->history[m->sample_count % MODEL_HISTORY] = v;
	for (unsigned i = 0; i < m->cpu_count; i++) {
		const struct model_cpu *c = &m->cpu[i];

		m->cpu[i].history[m->sample_count % MODEL_CPU_HISTORY] =
			isnan(v) || !value_known(c->ops_per_s) ? NAN : (float)c->ops_per_s.v;
	}
	m->sample_count++;
}

void model_configure(struct model *m, const struct config *c, const struct plan *p)
{
	m->config = *c;
	m->plan = *p;
	m->state = MODEL_STARTING;
	m->workload = catalog_find(m->catalog, c->workload);
	variants_bind(m);
}

int model_trial(struct model *m, const struct config *c, const struct plan *p, unsigned trial,
		const int *cpus)
{
	const struct catalog_workload *w = catalog_find(m->catalog, c->workload);
	bool first = m->trial == 0;

	if (w != m->workload || first) {
		m->workload = w;
		variants_bind(m);
	}
	if (model_ab_trial(m, c->threads, p) != 0 || cpus_layout(m, c, cpus) != 0)
		return -ENOMEM;
	if (!first) {
		sample_add(m, NULL);
		model_mark_add(m, c, p);
	}
	m->config = *c;
	m->plan = *p;
	m->trial = trial;
	m->state = MODEL_STARTING;
	m->history_interval_s = (float)p->interval_s;
	variants_settings(m);
	m->role_count = w ? w->role_count : 0;
	for (unsigned i = 0; i < m->role_count; i++)
		snprintf(m->role_name[i], sizeof(m->role_name[i]), "%s", w->role[i].name);
	figures_reset(m);
	return 0;
}

static void dist_update(struct model_dist *d, const struct model *m, const struct snap *s,
			enum round_hist_kind kind, unsigned role)
{
	round_hist_merge(&d->hist, s, kind, role);
	if (kind == ROUND_RUN)
		round_dist_make(&d->stat, &d->hist, 1e9, 0); /* operations, not ns */
	else if (m->plan.measure == PAGE_MEASURE_OFF)
		round_dist_missing(&d->stat, WHY_UNSUPPORTED);
	else
		round_dist_make(&d->stat, &d->hist, m->tick_hz, m->tick_floor_ns);
}

static void dists_update(struct model *m, const struct snap *s)
{
	dist_update(&m->gap, m, s, ROUND_GAP, 0);
	dist_update(&m->run, m, s, ROUND_RUN, 0);
	for (unsigned i = 0; i < m->role_count && i < s->role_count; i++) {
		dist_update(&m->wait[i], m, s, ROUND_WAIT, i);
		dist_update(&m->hold[i], m, s, ROUND_HOLD, i);
	}
}

void model_update(struct model *m, const struct model_input *in)
{
	const struct round *r = in->round;

	m->state = in->state;
	m->now_s = in->now_s;
	m->figures_warming = in->interval->warming;
	m->sample_n = r->sample_n;
	m->tick_hz = r->tick_hz;
	m->tick_resolution_ns = r->tick_resolution_ns;
	m->tick_floor_ns = r->tick_floor_ns;
	m->tick_bias_ns = r->tick_bias_ns;
	m->stamp_ns = r->stamp_ns;
	m->ops_per_s_mean = r->ops_per_s;
	m->clocks_per_op = r->clocks_per_op;
	m->fairness_jain = r->fairness_jain;
	m->handovers_per_op = r->handovers_per_op;
	m->gap_max_ns = r->gap_max_ns;
	m->runs = r->runs;
	m->run_mean = r->run_mean;
	m->run_max = r->run_max;
	m->disturbed_why = r->disturbed_why;
	m->total_ops = value_known(r->ops) ? (uint64_t)r->ops.v : 0;
	m->elapsed_s = value_known(r->duration_s) ? r->duration_s.v : 0;
	model_live_update(m, in);
	dists_update(m, in->snap);
	model_time_update(m, in->snap, in->interval->ops_per_s);
	model_ab_update(m, in);
	if (in->add_sample)
		sample_add(m, in);
}

void model_trial_ended(struct model *m, const struct round *r)
{
	for (unsigned i = 0; i < m->variant_count; i++) {
		struct model_variant *v = &m->variant[i];

		if (strcmp(v->info->name, r->config.variant) != 0)
			continue;
		v->ops_per_s = r->ops_per_s;
		v->fairness = r->fairness_jain;
		v->wait_p50_ns =
			r->lock_count ? r->lock[0].wait.p50_ns : value_missing(WHY_UNSUPPORTED);
		v->wait_p99_ns =
			r->lock_count ? r->lock[0].wait.p99_ns : value_missing(WHY_UNSUPPORTED);
		v->ended_at_s = m->now_s;
		v->settings = settings_of(&r->config, &r->plan);
	}
	variants_settings(m);
}

void model_clear(struct model *m)
{
	m->sample_count = 0;
	m->mark_count = 0;
	for (unsigned i = 0; i < MODEL_HISTORY; i++)
		m->history[i] = NAN;
	memset(m->heat, 0, sizeof(m->heat));
	ab_clear(&m->ab);
	window_drop(&m->window);
	for (unsigned i = 0; i < m->cpu_count; i++)
		for (unsigned k = 0; k < MODEL_CPU_HISTORY; k++)
			m->cpu[i].history[k] = NAN;
	variants_bind(m);
}

void model_say(struct model *m, enum model_severity severity, const char *fmt, ...)
{
	struct model_message *x = &m->message[m->message_count % MODEL_MESSAGES];
	const struct model_message *newest;
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	x->at_s = m->now_s;
	x->severity = severity;
	text_clean(x->text, sizeof(x->text), text);
	/* Said again: the same message, newer. */
	newest = &m->message[(m->message_count - 1) % MODEL_MESSAGES];
	if (m->message_count && newest->severity == severity && !strcmp(newest->text, x->text))
		m->message[(m->message_count - 1) % MODEL_MESSAGES].at_s = m->now_s;
	else
		m->message_count++;
}
