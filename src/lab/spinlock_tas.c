/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variant `tas`: test and set, the locked instruction itself in the waiting loop.
 *
 * Unfair; one word. The baseline of bus traffic: every poll takes the line away from its owner.
 * Counts contended acquisitions: the waiting loop is only entered by those.
 */
#include <ck_pr.h>

#include "src/lab/spinlock_op.h"
#include "src/lab/spinlock_variants.h"

SPINLOCK_INLINE void acquire(void *lock, struct spinlock_local *me)
{
	if (__builtin_expect(ck_pr_fas_uint(lock, 1) == 0, 1))
		return;
	hist_bump(&me->lock_row->contended, 1);
	do
		ck_pr_stall();
	while (ck_pr_fas_uint(lock, 1) != 0);
}

SPINLOCK_INLINE void release(void *lock, struct spinlock_local *me)
{
	(void)me;
	__atomic_store_n((unsigned *)lock, 0, __ATOMIC_RELEASE);
}

static void init(void *lock)
{
	*(unsigned *)lock = 0;
}

#define LOOP_NAME run
#define LOOP_ACQUIRE(lock, me) acquire(lock, me)
#define LOOP_RELEASE(lock, me) release(lock, me)
#define LOOP_PLACE
#include "src/lab/spinlock_loop.h"

static const struct spinlock_ops own = {
	.lock_bytes = sizeof(unsigned),
	.init = init,
};

const struct variant_ops spinlock_tas = {
	.name = "tas",
	.doc = "test and set: a locked exchange in the waiting loop; the baseline of bus traffic",
	.excludes = true,
	.counts_contended = true,
	.run = run,
	.own = &own,
};
