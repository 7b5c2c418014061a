/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distributions: merged over threads, as figures, and as the buckets of the -hist table.
 */
#include "src/flow/round_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void round_hist_merge(struct hist *out, const struct snap *s, enum round_hist_kind kind,
		      unsigned role)
{
	hist_clear(out);
	for (unsigned i = 0; i < s->thread_count; i++) {
		const struct snap_thread *t = &s->thread[i];
		const struct snap_row *row = NULL;

		if (kind == ROUND_GAP || kind == ROUND_RUN)
			row = t->row_count && t->row[0].valid ? &t->row[0] : NULL;
		else if (t->row_count >= 2 + role && t->row[1 + role].valid)
			row = &t->row[1 + role];
		if (row)
			hist_merge(out,
				   kind == ROUND_GAP || kind == ROUND_WAIT ? &row->a : &row->b);
	}
}

void round_dist_missing(struct round_dist *d, enum reason why)
{
	d->samples = 0;
	d->mean_ns = d->p50_ns = d->p99_ns = d->p999_ns = d->max_seen_ns = value_missing(why);
}

/* What the clock cannot tell is given as its bound. */
static struct value resolved(double ns, double floor_ns)
{
	return ns < floor_ns ? (struct value){.v = floor_ns, .why = WHY_UNRESOLVED} : value_of(ns);
}

static struct value percentile(const struct hist *h, double q, double hz, double floor_ns)
{
	return resolved(hist_quantile(h, q) * 1e9 / hz, floor_ns);
}

void round_dist_make(struct round_dist *d, const struct hist *h, double hz, double floor_ns)
{
	d->samples = hist_count(h);
	if (!d->samples || !(hz > 0)) {
		round_dist_missing(d, WHY_NOT_YET);
		return;
	}
	d->mean_ns = value_of(hist_mean(h) * 1e9 / hz);
	d->p50_ns = percentile(h, 0.50, hz, floor_ns);
	d->p99_ns = percentile(h, 0.99, hz, floor_ns);
	d->p999_ns = percentile(h, 0.999, hz, floor_ns);
	d->max_seen_ns = resolved((double)h->max * 1e9 / hz, floor_ns);
}

/* Operations of a lock role in one row: counted, or a constant number an op. */
static double row_acquires(const struct page_role *role, const struct snap_row *thread,
			   const struct snap_row *lock)
{
	if (role->acquires_per_op)
		return (double)thread->ops * role->acquires_per_op;
	return (double)lock->ops;
}

/* Counters of a role, summed over the threads: a sum that lacks one of them is none. */
static void lock_count(struct round_lock *l, const struct snap *s, unsigned role)
{
	double acquires = 0, contended = 0;
	bool counts = true;

	for (unsigned i = 0; i < s->thread_count; i++) {
		const struct snap_row *row = round_lock_row(&s->thread[i], role);

		if (!row)
			continue;
		acquires += row_acquires(&s->lab.role[role], round_thread_row(&s->thread[i]), row);
		contended += (double)row->contended;
		counts = counts && row->has_contended;
	}
	l->acquires = value_of(acquires);
	l->contended = counts ? value_of(contended) : value_missing(WHY_UNSUPPORTED);
}

/* Lock roles: acquires, contended, and the distributions where anything was stamped. */
void round_locks_make(struct round *r, const struct round_input *in, struct hist *scratch)
{
	const struct snap *s = in->snap;
	const bool begun = value_known(r->duration_s);
	const bool off = in->plan->measure == PAGE_MEASURE_OFF;

	r->lock_count = s->role_count;
	for (unsigned role = 0; role < s->role_count; role++) {
		struct round_lock *l = &r->lock[role];

		memcpy(l->role, s->lab.role[role].name, sizeof(l->role));
		l->role[sizeof(l->role) - 1] = '\0';
		l->acquires = l->contended = value_missing(WHY_NOT_YET);
		if (begun)
			lock_count(l, s, role);
		/* The rows of a phase that has not begun may still be those of the warm-up. */
		if (off || !begun) {
			round_dist_missing(&l->wait, off ? WHY_UNSUPPORTED : WHY_NOT_YET);
			round_dist_missing(&l->hold, off ? WHY_UNSUPPORTED : WHY_NOT_YET);
			continue;
		}
		round_hist_merge(scratch, s, ROUND_WAIT, role);
		round_dist_make(&l->wait, scratch, in->tick_hz, r->tick_floor_ns);
		round_hist_merge(scratch, s, ROUND_HOLD, role);
		round_dist_make(&l->hold, scratch, in->tick_hz, r->tick_floor_ns);
	}
}

struct bucket_sink {
	struct round_bucket *out; /* NULL = count only */
	unsigned count;
};

static void buckets_of(struct bucket_sink *sink, const struct hist *h, struct round_bucket like)
{
	for (unsigned i = 0; i < HIST_BUCKETS; i++) {
		if (!(h->used_mask >> (i >> HIST_SUB_BITS) & 1)) {
			i |= HIST_BLOCK_BUCKETS - 1; /* on to the next block */
			continue;
		}
		if (!h->bucket[i])
			continue;
		if (sink->out) {
			like.index = (uint16_t)i;
			like.count = h->bucket[i];
			sink->out[sink->count] = like;
		}
		sink->count++;
	}
}

static void buckets_walk(struct bucket_sink *sink, const struct snap *s)
{
	for (unsigned i = 0; i < s->thread_count; i++) {
		const struct snap_thread *t = &s->thread[i];
		struct round_bucket b = {.thread = (uint16_t)t->thread};

		if (!round_thread_row(t))
			continue;
		for (unsigned role = 0; role < s->role_count; role++) {
			const struct snap_row *row = round_lock_row(t, role);

			b.role = (uint8_t)role;
			b.kind = ROUND_WAIT;
			if (row)
				buckets_of(sink, &row->a, b);
			b.kind = ROUND_HOLD;
			if (row)
				buckets_of(sink, &row->b, b);
		}
		b.role = 0;
		b.kind = ROUND_GAP;
		buckets_of(sink, &t->row[0].a, b);
		b.kind = ROUND_RUN;
		buckets_of(sink, &t->row[0].b, b);
	}
}

int round_buckets_make(struct round *r, const struct snap *s)
{
	struct bucket_sink sink = {0};

	buckets_walk(&sink, s);
	r->bucket = calloc(sink.count ? sink.count : 1, sizeof(*r->bucket));
	if (!r->bucket)
		return -ENOMEM;
	sink = (struct bucket_sink){.out = r->bucket};
	buckets_walk(&sink, s);
	r->bucket_count = sink.count;
	return 0;
}
