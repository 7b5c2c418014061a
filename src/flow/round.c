/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns a snapshot into numbers with units.
 */
#include "src/flow/round.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probes/cpulist.h"
#include "src/flow/round_parts.h"

static const double disturbed_share = 0.02, disturbed_gap_ns = 1e7, disturbed_probe = 1.5;

static int threads_make(struct round *r, const struct round_input *in)
{
	const struct snap *s = in->snap;
	double total = 0;

	r->thread = calloc(s->thread_count, sizeof(*r->thread));
	if (!r->thread)
		return -ENOMEM;
	for (unsigned i = 0; i < s->thread_count; i++) {
		const struct snap_row *row = round_thread_row(&s->thread[i]);

		total += row ? (double)row->ops : 0;
	}
	for (unsigned i = 0; i < s->thread_count; i++) {
		const struct snap_thread *t = &s->thread[i];
		const struct snap_row *row = round_thread_row(t);
		struct round_thread *o = &r->thread[r->thread_count];
		double ticks = round_thread_ticks(t);
		uint64_t runs;

		if (!row)
			continue;
		r->thread_count++;
		runs = hist_count(&row->b);
		*o = (struct round_thread){.thread = t->thread,
					   .slot = i,
					   .tid = t->tid,
					   .cpu = t->cpu,
					   .ops = row->ops};
		o->ops_per_s = ticks > 0 && in->tick_hz > 0
				       ? value_of((double)row->ops * in->tick_hz / ticks)
				       : value_missing(WHY_NOT_YET);
		o->share = value_ratio(value_of((double)row->ops), value_of(total));
		o->runs = value_of((double)runs);
		o->run_max = runs ? value_of((double)row->b.max) : value_missing(WHY_NOT_YET);
		o->run_mean = runs ? value_of(hist_mean(&row->b)) : value_missing(WHY_NOT_YET);
	}
	return 0;
}

static struct round_cpu *cpu_entry(struct round *r, const struct topology *topo, int cpu)
{
	const struct topology_cpu *c = topology_find(topo, cpu);
	struct round_cpu *o;

	for (unsigned i = 0; i < r->cpu_count; i++)
		if (r->cpu[i].cpu == cpu)
			return &r->cpu[i];
	o = &r->cpu[r->cpu_count++];
	*o = (struct round_cpu){.cpu = cpu,
				.core = c ? c->core : -1,
				.package = c ? c->package : -1,
				.numa_node = c ? c->numa_node : -1,
				.ops_per_s = value_of(0)};
	return o;
}

static int cpus_make(struct round *r, const struct round_input *in)
{
	r->cpu = calloc(r->thread_count ? r->thread_count : 1, sizeof(*r->cpu));
	if (!r->cpu)
		return -ENOMEM;
	for (unsigned i = 0; i < r->thread_count; i++) {
		const struct round_thread *t = &r->thread[i];
		struct round_cpu *o;

		o = cpu_entry(r, in->topology, t->cpu);
		o->threads_on_cpu++;
		o->ops += t->ops;
		if (value_known(o->ops_per_s) && value_known(t->ops_per_s))
			o->ops_per_s.v += t->ops_per_s.v;
		else if (value_known(o->ops_per_s))
			o->ops_per_s = t->ops_per_s;
	}
	return 0;
}

/* Last end (or now) minus first begin, seconds; missing while no thread has begun. */
static struct value duration(const struct round_input *in)
{
	const struct snap *s = in->snap;
	uint64_t begin = UINT64_MAX, end = 0;

	for (unsigned i = 0; i < s->thread_count; i++) {
		const struct snap_thread *t = &s->thread[i];
		uint64_t stop = t->end_ticks ? t->end_ticks : t->taken_ticks;

		if (!round_thread_row(t) || round_thread_ticks(t) <= 0)
			continue;
		begin = t->begin_ticks < begin ? t->begin_ticks : begin;
		end = stop > end ? stop : end;
	}
	if (end <= begin || in->tick_hz <= 0)
		return value_missing(WHY_NOT_YET);
	return value_of((double)(end - begin) / in->tick_hz);
}

static void totals_make(struct round *r, const struct round_input *in, struct hist *scratch)
{
	double ops = 0, squares = 0, backwards = 0;
	uint64_t runs;

	for (unsigned i = 0; i < r->thread_count; i++) {
		ops += (double)r->thread[i].ops;
		squares += (double)r->thread[i].ops * (double)r->thread[i].ops;
	}
	for (unsigned i = 0; i < in->snap->thread_count; i++)
		backwards += (double)in->snap->thread[i].backwards_count;
	r->ops = value_of(ops);
	r->ops_per_s = value_ratio(r->ops, r->duration_s);
	r->clocks_per_op = in->tick_is_clock
				   ? value_ratio(value_of(r->duration_s.v * in->tick_hz), r->ops)
				   : value_missing(WHY_UNSUPPORTED);
	/* R. Jain, D. Chiu, W. Hawe, DEC-TR-301, 1984: (sum x)^2 / (n sum x^2). */
	r->fairness_jain = value_ratio(value_of(ops * ops), value_of(squares * r->thread_count));
	round_hist_merge(scratch, in->snap, ROUND_RUN, 0);
	runs = hist_count(scratch);
	r->runs = value_of((double)runs);
	r->run_mean = value_ratio(value_of(ops), r->runs);
	r->run_max = runs ? value_of((double)scratch->max) : value_missing(WHY_NOT_YET);
	r->handovers_per_op = value_ratio(r->runs, r->ops);
	r->backwards = value_of(backwards);
	r->gap_max_ns = value_missing(in->plan->measure == PAGE_MEASURE_OFF ? WHY_UNSUPPORTED
									    : WHY_NOT_YET);
	round_hist_merge(scratch, in->snap, ROUND_GAP, 0);
	if (hist_count(scratch))
		r->gap_max_ns = value_of((double)scratch->max * 1e9 / in->tick_hz);
}

/* Figures of a phase that has not begun. */
static void totals_missing(struct round *r)
{
	const struct value no = value_missing(WHY_NOT_YET);

	r->ops = r->ops_per_s = r->clocks_per_op = r->fairness_jain = no;
	r->handovers_per_op = r->runs = r->run_mean = r->run_max = r->gap_max_ns = no;
	r->backwards = no;
}

/* A probe as the lab wrote it: positive and finite, or its reason. */
static struct value probe(double ns, uint32_t why)
{
	if (ns > 0 && isfinite(ns))
		return value_of(ns);
	return value_missing(why > WHY_OK && why < WHY_COUNT ? (enum reason)why : WHY_NOT_YET);
}

static unsigned disturbed(const struct round *r, double worst_delay)
{
	unsigned why = 0;

	if (worst_delay > disturbed_share)
		why |= DISTURBED_RUN_DELAY;
	if (value_known(r->steal_ratio) && r->steal_ratio.v > disturbed_share)
		why |= DISTURBED_STEAL;
	if (value_known(r->gap_max_ns) && r->gap_max_ns.v > disturbed_gap_ns)
		why |= DISTURBED_GAP;
	return why;
}

static void identity_make(struct round *r, const struct round_input *in)
{
	const struct page_lab *l = &in->snap->lab;

	r->config = *in->config;
	r->plan = *in->plan;
	snprintf(r->utc, sizeof(r->utc), "%s", in->utc);
	r->trial = in->trial;
	r->number = in->number;
	r->order = in->order;
	r->interleaved = in->interleaved;
	r->finished = l->state == PAGE_LAB_DONE;
	r->limit_hit = l->limit_hit == 1;
	r->sample_n = l->sample_n;
	r->tick_hz = in->tick_hz;
	r->tick_resolution_ns = isfinite(l->resolution_ns) ? l->resolution_ns : 0;
	r->tick_floor_ns = isfinite(l->floor_ns) ? l->floor_ns : 0;
	r->tick_bias_ns = isfinite(l->bias_ns) ? l->bias_ns : 0;
	r->stamp_ns = isfinite(l->stamp_ns) ? l->stamp_ns : 0;
	r->invariant = l->invariant_checked <= 2 ? (int)l->invariant_checked : 0;
	r->invariant_expected = l->invariant_expected;
	r->invariant_found = l->invariant_found;
	snprintf(r->wait_basis, sizeof(r->wait_basis), "all");
	r->probe_before_ns = probe(l->probe_before_ns, l->probe_why);
	r->probe_after_ns =
		r->finished ? probe(l->probe_after_ns, l->probe_why) : value_missing(WHY_NOT_YET);
}

static int metrics_make(struct round *r)
{
	const struct round_metric all[] = {
		{"total", "runs", "run", r->runs},
		{"total", "run_mean", "op", r->run_mean},
		{"total", "run_max", "op", r->run_max},
		{"total", "backwards_stamps", "stamp", r->backwards},
	};

	r->metric = malloc(sizeof(all));
	if (!r->metric)
		return -ENOMEM;
	memcpy(r->metric, all, sizeof(all));
	r->metric_count = sizeof(all) / sizeof(all[0]);
	return 0;
}

int round_make(struct round *r, const struct round_input *in)
{
	struct hist *scratch = calloc(1, sizeof(*scratch));
	double worst_delay = 0;
	int rc;

	memset(r, 0, sizeof(*r));
	if (!scratch)
		return -ENOMEM;
	identity_make(r, in);
	rc = threads_make(r, in);
	if (!rc)
		rc = cpus_make(r, in);
	if (rc)
		goto out;
	r->duration_s = r->real_s = duration(in);
	if (value_known(r->duration_s))
		totals_make(r, in, scratch);
	else
		totals_missing(r);
	round_locks_make(r, in, scratch);
	round_os_make(r, in, &worst_delay);
	r->disturbed_why = disturbed(r, worst_delay) | (in->stopped ? DISTURBED_STOPPED : 0);
	rc = round_counts_make(r, in);
	if (!rc)
		rc = metrics_make(r);
	if (!rc && in->buckets)
		rc = round_buckets_make(r, in->snap);
out:
	free(scratch);
	if (rc)
		round_free(r);
	return rc;
}

void round_free(struct round *r)
{
	free(r->thread);
	free(r->cpu);
	free(r->bucket);
	free(r->metric);
	free(r->count_of_all);
	memset(r, 0, sizeof(*r));
}

static int compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static bool off(struct value probe_ns, double median)
{
	return value_known(probe_ns) &&
	       (probe_ns.v > median * disturbed_probe || probe_ns.v * disturbed_probe < median);
}

void round_series_disturbed(struct round *const *rounds, unsigned count)
{
	double *all = count >= 3 ? calloc(2 * count, sizeof(*all)) : NULL;
	unsigned n = 0;

	if (!all)
		return;
	for (unsigned i = 0; i < count; i++) {
		if (value_known(rounds[i]->probe_before_ns))
			all[n++] = rounds[i]->probe_before_ns.v;
		if (value_known(rounds[i]->probe_after_ns))
			all[n++] = rounds[i]->probe_after_ns.v;
	}
	qsort(all, n, sizeof(*all), compare_double);
	for (unsigned i = 0; n && i < count; i++)
		if (off(rounds[i]->probe_before_ns, all[n / 2]) ||
		    off(rounds[i]->probe_after_ns, all[n / 2]))
			rounds[i]->disturbed_why |= DISTURBED_PROBE;
	free(all);
}

char *round_cpus_format(const struct round *r, char *buf, unsigned size)
{
	int *cpu = calloc(r->cpu_count + 1u, sizeof(*cpu));

	buf[0] = '\0';
	for (unsigned i = 0; cpu && i < r->cpu_count; i++)
		cpu[i] = r->cpu[i].cpu;
	if (cpu)
		cpulist_format(cpu, r->cpu_count, buf, size);
	free(cpu);
	return buf;
}

char *round_disturbed_format(unsigned why, char *buf, unsigned size)
{
	static const char *const words[] = {"run-delay", "steal",       "gap",
					    "probe",     "cpu-offline", "stopped"};
	unsigned used = 0;

	buf[0] = '\0';
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (why & (1u << i) && used < size)
			used += (unsigned)snprintf(buf + used, size - used, "%s%s", used ? "+" : "",
						   words[i]);
	return buf;
}
