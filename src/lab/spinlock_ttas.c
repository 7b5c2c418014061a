/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variant `ttas`: test and test and set: waits by reading, then exchanges.
 *
 * Unfair; one word. Concurrency Kit's ck_spinlock_fas, its default spinlock.
 */
#include <ck_spinlock.h>

#include "src/lab/spinlock_op.h"
#include "src/lab/spinlock_variants.h"

SPINLOCK_INLINE void acquire(void *lock, struct spinlock_local *me)
{
	(void)me;
	ck_spinlock_fas_lock(lock);
}

SPINLOCK_INLINE void release(void *lock, struct spinlock_local *me)
{
	(void)me;
	ck_spinlock_fas_unlock(lock);
}

static void init(void *lock)
{
	ck_spinlock_fas_init(lock);
}

#define LOOP_NAME run
#define LOOP_ACQUIRE(lock, me) acquire(lock, me)
#define LOOP_RELEASE(lock, me) release(lock, me)
#define LOOP_PLACE
#include "src/lab/spinlock_loop.h"

static const struct spinlock_ops own = {
	.lock_bytes = sizeof(ck_spinlock_fas_t),
	.init = init,
};

const struct variant_ops spinlock_ttas = {
	.name = "ttas",
	.doc = "test and test and set: reads until free, then exchanges; unfair (ck_spinlock_fas)",
	.excludes = true,
	.run = run,
	.own = &own,
};
