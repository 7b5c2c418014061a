/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variant `mcs`: an explicit queue; each waiter spins on its own node.
 *
 * FIFO; one word, and a node of its own line pair per thread.
 * Source: Mellor-Crummey and Scott, ACM TOCS 9(1), 1991. Concurrency Kit's ck_spinlock_mcs.
 */
#include <ck_spinlock.h>

#include "src/lab/spinlock_op.h"
#include "src/lab/spinlock_variants.h"

SPINLOCK_INLINE void acquire(void *lock, struct spinlock_local *me)
{
	ck_spinlock_mcs_lock(lock, (ck_spinlock_mcs_context_t *)(void *)me->storage);
}

SPINLOCK_INLINE void release(void *lock, struct spinlock_local *me)
{
	ck_spinlock_mcs_unlock(lock, (ck_spinlock_mcs_context_t *)(void *)me->storage);
}

static void init(void *lock)
{
	ck_spinlock_mcs_init(lock);
}

#define LOOP_NAME run
#define LOOP_ACQUIRE(lock, me) acquire(lock, me)
#define LOOP_RELEASE(lock, me) release(lock, me)
#define LOOP_PLACE
#include "src/lab/spinlock_loop.h"

static const struct spinlock_ops own = {
	.lock_bytes = sizeof(ck_spinlock_mcs_t),
	.init = init,
};

const struct variant_ops spinlock_mcs = {
	.name = "mcs",
	.doc = "queue lock: each waiter spins on its own node; FIFO (ck_spinlock_mcs)",
	.excludes = true,
	.run = run,
	.own = &own,
};
