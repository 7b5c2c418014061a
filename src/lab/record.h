/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hop 1: how a timed loop books what it stamped.
 *
 * A sampled operation takes three stamps: before the acquire, after it, after the release. The
 * first also closes the run of plain operations before it (the gap). Raw differences go into a
 * small private ring and are folded into the page's histograms when it is full or 10 ms old: the
 * chain stamp, subtract, bucket would otherwise have to drain before the next locked instruction.
 */
#ifndef HOTLINE_LAB_RECORD_H
#define HOTLINE_LAB_RECORD_H

#include "probes/page.h"
#include "probes/tick.h"
#include "src/lab/rng.h"

#include <stdbool.h>
#include <stdint.h>

enum { RECORD_RING = 64 };

/* Private to one thread. */
struct lab_record {
	enum tick_source source;
	uint32_t fill;		 /* entries of the ring in use */
	uint64_t sample_n;	 /* one stamped operation in N on average; 0 = none, 1 = every */
	uint64_t last;		 /* stamp that closed the last sampled operation; 0 = none yet */
	uint64_t folded_at;	 /* stamp of the last fold */
	uint64_t fold_ticks;	 /* longest time a sample may stay in the ring */
	struct page_slot *slot;
	struct page_row *thread_row, *lock_row;
	/* record_fold(): by pointer, for code that was moved */
	void (*fold)(struct lab_record *r);
	uint64_t (*monotonic)(void);	      /* the clock where there is no counter */
	uint64_t gap[RECORD_RING], wait[RECORD_RING], hold[RECORD_RING]; /* the ring, ticks */
};

/* Points the record at a phase's rows and empties it. @hz: ticks per second. */
void record_begin(struct lab_record *r, struct page_slot *slot, struct page_row *thread_row,
		  struct page_row *lock_row, enum tick_source source, uint64_t sample_n, double hz);

/* Folds the ring into the histograms. Threads: the owner. Cost: 3 ns a sample. */
void record_fold(struct lab_record *r);

/* A stamp for the timed loop: never a relative call, so that the loop may be moved. */
static inline __attribute__((always_inline)) uint64_t record_now(const struct lab_record *r)
{
#if defined(__x86_64__) || defined(__aarch64__)
	if (__builtin_expect(r->source == TICK_COUNTER, 1))
		return tick_now(TICK_COUNTER);
#endif
	return r->monotonic();
}

/*
 * How many plain operations come before the next stamped one: uniform in 0..2(N - 1), so that
 * periodic code cannot alias with the sampling.
 */
static inline __attribute__((always_inline)) uint64_t record_plain_ops(struct lab_record *r,
								       struct lab_rng *rng)
{
	if (r->sample_n == 1)
		return 0;
	if (r->sample_n == 0)
		return UINT64_MAX;
	return rng_below(rng, 2 * r->sample_n - 1);
}

/*
 * Books one sampled operation. @t0 before the acquire, @t1 after it, @t2 after the release.
 * Cost: 3 subtractions and stores.
 */
static inline __attribute__((always_inline)) void record_put(struct lab_record *r, uint64_t t0,
							     uint64_t t1, uint64_t t2)
{
	uint32_t i = r->fill;

	r->gap[i] = t0 - r->last;
	r->wait[i] = t1 - t0;
	r->hold[i] = t2 - t1;
	r->last = t2;
	r->fill = i + 1;
	if (__builtin_expect(i + 1 == RECORD_RING || t2 - r->folded_at > r->fold_ticks, 0))
		r->fold(r);
}

#endif
