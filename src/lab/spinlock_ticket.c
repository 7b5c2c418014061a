/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variant `ticket`: two counters, next and serving.
 *
 * FIFO; one word, on which all waiters spin; collapses when the next in line is preempted.
 * Concurrency Kit's ck_spinlock_ticket.
 */
#include <ck_spinlock.h>

#include "src/lab/spinlock_op.h"
#include "src/lab/spinlock_variants.h"

SPINLOCK_INLINE void acquire(void *lock, struct spinlock_local *me)
{
	(void)me;
	ck_spinlock_ticket_lock(lock);
}

SPINLOCK_INLINE void release(void *lock, struct spinlock_local *me)
{
	(void)me;
	ck_spinlock_ticket_unlock(lock);
}

static void init(void *lock)
{
	ck_spinlock_ticket_init(lock);
}

#define LOOP_NAME run
#define LOOP_ACQUIRE(lock, me) acquire(lock, me)
#define LOOP_RELEASE(lock, me) release(lock, me)
#define LOOP_PLACE
#include "src/lab/spinlock_loop.h"

static const struct spinlock_ops own = {
	.lock_bytes = sizeof(ck_spinlock_ticket_t),
	.init = init,
};

const struct variant_ops spinlock_ticket = {
	.name = "ticket",
	.doc = "next and serving counters: FIFO, all waiters spin on one line (ck_spinlock_ticket)",
	.excludes = true,
	.run = run,
	.own = &own,
};
