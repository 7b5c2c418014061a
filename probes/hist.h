/* SPDX-License-Identifier: MIT */
/*
 * A log-linear histogram with one writer: 32 sub-buckets an octave.
 *
 * A value v lands in bucket i = (s << 5) + (v >> s), s = floor(log2(v | 32)) - 5: exact below
 * 64, then at most 1/32 = 3.1 % wide. 36 blocks of 32 buckets reach 2^40 (7 minutes of a
 * 2.6 GHz clock); what is above lands in the last bucket and is counted as over.
 *
 * The writer uses plain relaxed loads and stores, so a reader in another process may copy
 * while it writes: a copy is never torn within a counter, and at most a few records behind.
 * used_mask names the blocks in use; a snapshot copies only those.
 * Source: the log-linear scheme of HdrHistogram and fio's stat.h; index formula checked by
 * tests/test_hist.c over all powers of two +-1.
 */
#ifndef HOTLINE_PROBES_HIST_H
#define HOTLINE_PROBES_HIST_H

#include <stdbool.h>
#include <stdint.h>

enum {
	HIST_SUB_BITS = 5,
	HIST_BLOCK_BUCKETS = 1 << HIST_SUB_BITS,
	HIST_VALUE_BITS = 40,
	HIST_BLOCKS = HIST_VALUE_BITS - HIST_SUB_BITS + 1,
	HIST_BUCKETS = HIST_BLOCKS * HIST_BLOCK_BUCKETS,
};

/*
 * Values are ticks (wait, hold, gap) or operations (run lengths): the row says which.
 * In the page: written by the row's thread only. In a snapshot: plain data of its owner.
 */
struct hist {
	uint64_t used_mask;  /* bit b: block b has a non-zero bucket */
	uint64_t sum;	     /* of all recorded values, same unit */
	uint64_t max;	     /* largest recorded value, exact */
	uint64_t over_count; /* values >= 2^40 */
	uint64_t reserved[4];
	uint64_t bucket[HIST_BUCKETS];
};
_Static_assert(sizeof(struct hist) == 64 + 8 * 1152, "histogram layout");
_Static_assert(HIST_BLOCKS <= 64, "one mask word names all blocks");

/* The bucket of @v at @sub_bits sub-bucket bits (0..16). Cost: 4 instructions. */
static inline unsigned hist_index_at(uint64_t v, unsigned sub_bits)
{
	unsigned shift = 63u - (unsigned)__builtin_clzll(v | (1ull << sub_bits)) - sub_bits;

	return (shift << sub_bits) + (unsigned)(v >> shift);
}

/* The bucket of @v, clamped to the last one. */
static inline unsigned hist_index(uint64_t v)
{
	if (v >> HIST_VALUE_BITS)
		return HIST_BUCKETS - 1;
	return hist_index_at(v, HIST_SUB_BITS);
}

/* The smallest value of bucket @i at @sub_bits. */
static inline uint64_t hist_lower_at(unsigned i, unsigned sub_bits)
{
	unsigned block = i >> sub_bits;

	if (block == 0)
		return i;
	return ((uint64_t)(i & ((1u << sub_bits) - 1)) + (1ull << sub_bits)) << (block - 1);
}

/* The smallest value of bucket @i, and the smallest of the bucket above it. */
static inline uint64_t hist_lower(unsigned i)
{
	return hist_lower_at(i, HIST_SUB_BITS);
}

static inline uint64_t hist_upper(unsigned i)
{
	return hist_lower_at(i + 1, HIST_SUB_BITS);
}

/* One writer's increment: never a read-modify-write instruction. Pairs with hist_copy(). */
static inline void hist_bump(uint64_t *p, uint64_t by)
{
	__atomic_store_n(p, __atomic_load_n(p, __ATOMIC_RELAXED) + by, __ATOMIC_RELAXED);
}

/*
 * Records @v. Threads: the owner only. Cost: about 1 ns.
 * Relaxed suffices: every field is a counter of its own, and readers only difference them.
 */
static inline void hist_add(struct hist *h, uint64_t v)
{
	unsigned i = hist_index(v);
	uint64_t bit = 1ull << (i >> HIST_SUB_BITS);

	hist_bump(&h->bucket[i], 1);
	hist_bump(&h->sum, v);
	if (__builtin_expect(v > h->max, 0))
		__atomic_store_n(&h->max, v, __ATOMIC_RELAXED);
	if (__builtin_expect(!(h->used_mask & bit), 0))
		__atomic_store_n(&h->used_mask, h->used_mask | bit, __ATOMIC_RELAXED);
	if (__builtin_expect(v >> HIST_VALUE_BITS != 0, 0))
		hist_bump(&h->over_count, 1);
}

/*
 * Many records in a row: sum, max and mask stay in registers until hist_batch_end(). Several
 * histograms are best filled in one loop: records that hit one bucket wait for each other's store.
 */
struct hist_batch {
	uint64_t sum, max, used_mask, over_count;
};

/* Starts a batch on @h. */
static inline struct hist_batch hist_batch_begin(const struct hist *h)
{
	return (struct hist_batch){.max = h->max, .used_mask = h->used_mask};
}

/* Records @v. Threads: the owner of @h only. */
static inline void hist_batch_add(struct hist *h, struct hist_batch *b, uint64_t v)
{
	unsigned i = hist_index(v);

	hist_bump(&h->bucket[i], 1);
	b->used_mask |= 1ull << (i >> HIST_SUB_BITS);
	b->sum += v;
	b->max = v > b->max ? v : b->max;
	b->over_count += v >> HIST_VALUE_BITS != 0;
}

/* Publishes the batch: a reader that came in between saw buckets without their sum. */
static inline void hist_batch_end(struct hist *h, const struct hist_batch *b)
{
	hist_bump(&h->sum, b->sum);
	__atomic_store_n(&h->max, b->max, __ATOMIC_RELAXED);
	__atomic_store_n(&h->used_mask, b->used_mask, __ATOMIC_RELAXED);
	if (b->over_count)
		hist_bump(&h->over_count, b->over_count);
}

/*
 * Copies the blocks in use of a histogram that another thread may be writing.
 * @dst: holds an older copy of the same histogram, or zeroes: blocks never become unused.
 * Threads: any reader. Cost: 256 bytes a used block.
 */
void hist_copy(struct hist *dst, const struct hist *src);

/*
 * Adds the blocks in use of @src to @dst; max is the larger one.
 * Threads: owner of @dst.
 */
void hist_merge(struct hist *dst, const struct hist *src);

/*
 * @out = @cur - @prev, both copies of one histogram.
 * max is cur's where it grew, else a bound: the end of the highest bucket that grew, but not above
 * cur's. Exact maxima of an interval are not kept.
 * Returns 0, or -ERANGE if a counter ran backwards (@out is then zero).
 */
int hist_diff(struct hist *out, const struct hist *prev, const struct hist *cur);

/* Zeroes @h, touching only the blocks in use. Threads: owner. */
void hist_clear(struct hist *h);

/* The number of recorded values. Cost: the blocks in use. */
uint64_t hist_count(const struct hist *h);

/*
 * The value below which a share @q (0..1) of the records lies, in the histogram's unit:
 * the middle of the bucket that holds the record of rank ceil(q n), never above max.
 * Returns 0 if there are no records; callers test hist_count() first.
 */
double hist_quantile(const struct hist *h, double q);

/* sum / n in the histogram's unit; 0 if there are no records. */
double hist_mean(const struct hist *h);

#endif
