/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Folds sampled operations into the page's histograms.
 */
#include "src/lab/record.h"

static uint64_t monotonic(void)
{
	return tick_monotonic_ns();
}

void record_begin(struct lab_record *r, struct page_slot *slot, struct page_row *thread_row,
		  struct page_row *lock_row, enum tick_source source, uint64_t sample_n, double hz)
{
	r->source = source;
	r->fill = 0;
	r->sample_n = sample_n;
	r->slot = slot;
	r->thread_row = thread_row;
	r->lock_row = lock_row;
	r->fold = record_fold;
	r->monotonic = monotonic;
	r->fold_ticks = (uint64_t)(hz / 100);
	r->last = tick_now(source);
	r->folded_at = r->last;
}

/* A difference of two stamps is negative only if the clock ran backwards: 0, and counted. */
static inline uint64_t clamp(struct lab_record *r, uint64_t ticks)
{
	if (__builtin_expect((int64_t)ticks >= 0, 1))
		return ticks;
	hist_bump(&r->slot->backwards_count, 1);
	return 0;
}

void record_fold(struct lab_record *r)
{
	struct hist *gap = &r->thread_row->a, *wait = &r->lock_row->a, *hold = &r->lock_row->b;
	struct hist_batch g = hist_batch_begin(gap);
	struct hist_batch w = hist_batch_begin(wait);
	struct hist_batch h = hist_batch_begin(hold);

	for (uint32_t i = 0; i < r->fill; i++) {
		hist_batch_add(gap, &g, clamp(r, r->gap[i]));
		hist_batch_add(wait, &w, clamp(r, r->wait[i]));
		hist_batch_add(hold, &h, clamp(r, r->hold[i]));
	}
	hist_batch_end(gap, &g);
	hist_batch_end(wait, &w);
	hist_batch_end(hold, &h);
	r->fill = 0;
	r->folded_at = r->last;
}
