/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variant `pthread-spin`: glibc's pthread_spin_lock: test and test and set without pause tuning.
 *
 * Unfair; one word. Source: pthread_spin_lock(3).
 */
#include <pthread.h>

#include "src/lab/spinlock_op.h"
#include "src/lab/spinlock_variants.h"

SPINLOCK_INLINE void acquire(void *lock, struct spinlock_local *me)
{
	(void)me;
	pthread_spin_lock(lock);
}

SPINLOCK_INLINE void release(void *lock, struct spinlock_local *me)
{
	(void)me;
	pthread_spin_unlock(lock);
}

static void init(void *lock)
{
	pthread_spin_init(lock, PTHREAD_PROCESS_PRIVATE);
}

#define LOOP_NAME run
#define LOOP_ACQUIRE(lock, me) acquire(lock, me)
#define LOOP_RELEASE(lock, me) release(lock, me)
#define LOOP_PLACE
#include "src/lab/spinlock_loop.h"

static const struct spinlock_ops own = {
	.lock_bytes = sizeof(pthread_spinlock_t),
	.init = init,
};

const struct variant_ops spinlock_pthread_spin = {
	.name = "pthread-spin",
	.doc = "glibc's pthread_spin_lock",
	.excludes = true,
	.run = run,
	.own = &own,
};
