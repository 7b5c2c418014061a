/* SPDX-License-Identifier: MIT */
/*
 * The reader's side of the histogram: copies, differences, quantiles.
 */
#include "probes/hist.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Calls for each used block of a mask, lowest first: `b` is the block number. */
static inline unsigned block_next(uint64_t *mask)
{
	unsigned b = (unsigned)__builtin_ctzll(*mask);

	*mask &= *mask - 1;
	return b;
}

/* A page may be damaged by a crash: bits beyond the last block are not followed. */
static inline uint64_t blocks_of(uint64_t mask)
{
	return mask & ((1ull << HIST_BLOCKS) - 1);
}

void hist_copy(struct hist *dst, const struct hist *src)
{
	/* The mask first: a block that appears later is seen by the next copy. */
	uint64_t mask = blocks_of(__atomic_load_n(&src->used_mask, __ATOMIC_RELAXED));

	dst->used_mask = mask;
	while (mask) {
		unsigned first = block_next(&mask) * HIST_BLOCK_BUCKETS;

		/* Atomic loads are not vectorised; unrolled, one a cycle is reached. */
#pragma GCC unroll 8
		for (unsigned i = first; i < first + HIST_BLOCK_BUCKETS; i++)
			dst->bucket[i] = __atomic_load_n(&src->bucket[i], __ATOMIC_RELAXED);
	}
	dst->sum = __atomic_load_n(&src->sum, __ATOMIC_RELAXED);
	dst->max = __atomic_load_n(&src->max, __ATOMIC_RELAXED);
	dst->over_count = __atomic_load_n(&src->over_count, __ATOMIC_RELAXED);
}

void hist_merge(struct hist *dst, const struct hist *src)
{
	uint64_t mask = blocks_of(src->used_mask);

	dst->used_mask |= mask;
	while (mask) {
		unsigned first = block_next(&mask) * HIST_BLOCK_BUCKETS;

		for (unsigned i = first; i < first + HIST_BLOCK_BUCKETS; i++)
			dst->bucket[i] += src->bucket[i];
	}
	dst->sum += src->sum;
	dst->over_count += src->over_count;
	if (src->max > dst->max)
		dst->max = src->max;
}

void hist_clear(struct hist *h)
{
	uint64_t mask = blocks_of(h->used_mask);

	while (mask) {
		unsigned first = block_next(&mask) * HIST_BLOCK_BUCKETS;

		memset(&h->bucket[first], 0, HIST_BLOCK_BUCKETS * sizeof(h->bucket[0]));
	}
	h->used_mask = 0;
	h->sum = 0;
	h->max = 0;
	h->over_count = 0;
}

int hist_diff(struct hist *out, const struct hist *prev, const struct hist *cur)
{
	uint64_t mask = blocks_of(prev->used_mask | cur->used_mask);
	unsigned top = 0;

	hist_clear(out);
	if (cur->sum < prev->sum || cur->over_count < prev->over_count)
		return -ERANGE;
	while (mask) {
		unsigned block = block_next(&mask);
		unsigned first = block * HIST_BLOCK_BUCKETS;

		for (unsigned i = first; i < first + HIST_BLOCK_BUCKETS; i++) {
			if (cur->bucket[i] < prev->bucket[i]) {
				hist_clear(out);
				return -ERANGE;
			}
			out->bucket[i] = cur->bucket[i] - prev->bucket[i];
			if (out->bucket[i]) {
				out->used_mask |= 1ull << block;
				top = i;
			}
		}
	}
	out->sum = cur->sum - prev->sum;
	out->over_count = cur->over_count - prev->over_count;
	if (out->used_mask)
		out->max = cur->max;
	/* The last bucket has no end that would bound it. */
	if (top + 1 < HIST_BUCKETS && hist_upper(top) <= out->max)
		out->max = hist_upper(top) - 1;
	return 0;
}

uint64_t hist_count(const struct hist *h)
{
	uint64_t mask = blocks_of(h->used_mask);
	uint64_t n = 0;

	while (mask) {
		unsigned first = block_next(&mask) * HIST_BLOCK_BUCKETS;

		for (unsigned i = first; i < first + HIST_BLOCK_BUCKETS; i++)
			n += h->bucket[i];
	}
	return n;
}

double hist_quantile(const struct hist *h, double q)
{
	uint64_t n = hist_count(h);
	uint64_t mask = blocks_of(h->used_mask);
	double rank = ceil(q * (double)n);
	uint64_t seen = 0;

	if (!n)
		return 0;
	if (rank < 1)
		rank = 1;
	while (mask) {
		unsigned first = block_next(&mask) * HIST_BLOCK_BUCKETS;

		for (unsigned i = first; i < first + HIST_BLOCK_BUCKETS; i++) {
			seen += h->bucket[i];
			if ((double)seen >= rank) {
				/* Integers: the middle of {lower .. upper - 1}. */
				double mid =
					((double)hist_lower(i) + (double)hist_upper(i) - 1) / 2;

				return h->max && mid > (double)h->max ? (double)h->max : mid;
			}
		}
	}
	return (double)h->max;
}

double hist_mean(const struct hist *h)
{
	uint64_t n = hist_count(h);

	return n ? (double)h->sum / (double)n : 0;
}
