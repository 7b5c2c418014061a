/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variant `clh`: an implicit queue; each waiter spins on its predecessor's node.
 *
 * FIFO; one word and a node, and a node per thread; nodes migrate between threads: unlock hands
 * back the predecessor's. Source: Craig, TR 93-02-02, University of Washington, 1993; Magnusson,
 * Landin and Hagersten, 1994. Concurrency Kit's ck_spinlock_clh.
 */
#include <ck_spinlock.h>

#include "src/lab/spinlock_op.h"
#include "src/lab/spinlock_variants.h"

SPINLOCK_INLINE void acquire(void *lock, struct spinlock_local *me)
{
	ck_spinlock_clh_lock(lock, me->node);
}

SPINLOCK_INLINE void release(void *lock, struct spinlock_local *me)
{
	(void)lock;
	ck_spinlock_clh_unlock((ck_spinlock_clh_t **)&me->node);
}

static void init(void *lock)
{
	/* The first node lies one line pair behind the lock word. */
	ck_spinlock_clh_init(lock, (ck_spinlock_clh_t *)(void *)((char *)lock + PAGE_LINE_PAIR));
}

static void local_init(struct spinlock_local *me)
{
	me->node = me->storage;
}

#define LOOP_NAME run
#define LOOP_ACQUIRE(lock, me) acquire(lock, me)
#define LOOP_RELEASE(lock, me) release(lock, me)
#define LOOP_PLACE
#include "src/lab/spinlock_loop.h"

static const struct spinlock_ops own = {
	.lock_bytes = 2 * PAGE_LINE_PAIR,
	.init = init,
	.local_init = local_init,
};

const struct variant_ops spinlock_clh = {
	.name = "clh",
	.doc = "implicit queue: spins on the predecessor's node; FIFO (ck_spinlock_clh)",
	.excludes = true,
	.run = run,
	.own = &own,
};
