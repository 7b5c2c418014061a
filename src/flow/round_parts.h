/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of a round share: round.c totals, round_locks.c distributions, round_os.c the
 * kernel's, round_counts.c the counters'.
 */
#ifndef HOTLINE_FLOW_ROUND_PARTS_H
#define HOTLINE_FLOW_ROUND_PARTS_H

#include "src/flow/round.h"

/* The measured phase's row of a thread, or NULL if it has none yet. */
static inline const struct snap_row *round_thread_row(const struct snap_thread *t)
{
	if (t->row_count == 0 || t->phase != PAGE_PHASE_MEASURED || !t->row[0].valid)
		return NULL;
	return &t->row[0];
}

/* The measured phase's row of a lock role, or NULL. */
static inline const struct snap_row *round_lock_row(const struct snap_thread *t, unsigned role)
{
	if (!round_thread_row(t) || t->row_count < 2 + role || !t->row[1 + role].valid)
		return NULL;
	return &t->row[1 + role];
}

/* Ticks from the thread's begin to its end, or to the moment it was read; 0 if that is no time. */
static inline double round_thread_ticks(const struct snap_thread *t)
{
	uint64_t end = t->end_ticks ? t->end_ticks : t->taken_ticks;

	return t->begin_ticks && end > t->begin_ticks ? (double)(end - t->begin_ticks) : 0;
}

/* Fills lock[]. @scratch: any histogram. */
void round_locks_make(struct round *r, const struct round_input *in, struct hist *scratch);

/* Fills the counts; thread[] and cpu[] are there. Returns 0 or -ENOMEM. */
int round_counts_make(struct round *r, const struct round_input *in);

/* Fills bucket[]. Returns 0 or -ENOMEM. */
int round_buckets_make(struct round *r, const struct snap *s);

/*
 * Fills what the kernel says of the threads. @worst_delay: largest run delay as a share of a
 * worker's time.
 */
void round_os_make(struct round *r, const struct round_input *in, double *worst_delay);

#endif
