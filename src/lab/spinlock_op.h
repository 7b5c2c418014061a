/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of one op of workload `spinlock` that do not depend on the variant.
 */
#ifndef HOTLINE_LAB_SPINLOCK_OP_H
#define HOTLINE_LAB_SPINLOCK_OP_H

#include "probes/slot.h"
#include "src/lab/delay.h"
#include "src/lab/spinlock.h"

#define SPINLOCK_INLINE static inline __attribute__((always_inline))

/*
 * Inside the lock: reads the protected counter and writes it one higher. Relaxed atomics compile to
 * plain moves; the lock orders them, and `null` is allowed to race.
 * @left becomes what this thread leaves in the counter; @found is what it left last time if its run
 *   goes on.
 */
SPINLOCK_INLINE void spinlock_count(uint64_t *count, uint64_t *found, uint64_t *left)
{
	uint64_t n = __atomic_load_n(count, __ATOMIC_RELAXED);

	*found = n - *left; /* 0 = nobody else was here since */
	*left = n + 1;
	__atomic_store_n(count, *left, __ATOMIC_RELAXED);
}

/*
 * Outside the lock: closes the run if somebody else was here, counts the op, publishes it last.
 * @mask: published is every op whose number has none of these bits.
 * Returns @left, to be compared with the quota.
 */
SPINLOCK_INLINE uint64_t spinlock_booked(struct page_row *row, uint64_t found, uint64_t left,
					 uint64_t *run, uint64_t *ops, uint64_t mask)
{
	if (found != 0) {
		if (*run)
			hist_add(&row->b, *run);
		*run = 0;
	}
	++*run;
	if ((++*ops & mask) == 0)
		slot_ops(row, *ops);
	return left;
}

/* The stop word is read after every op, or queue locks overrun. Pairs with crew_stop(). */
SPINLOCK_INLINE bool spinlock_stopped(const uint32_t *stop)
{
	return __atomic_load_n(stop, __ATOMIC_RELAXED) != 0;
}

/* Think time outside the lock: with jitter uniform in 50..150 %, against phase lock. */
SPINLOCK_INLINE void spinlock_think(uint64_t loops, bool jitter, struct lab_rng *rng)
{
	if (jitter)
		loops = loops / 2 + rng_below(rng, loops + 1);
	delay_loops(loops);
}

#endif
