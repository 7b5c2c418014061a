/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variant `pthread-mutex`: glibc's normal mutex: futex 0-1-2, no spinning; a loser sleeps.
 *
 * Unfair (a running thread overtakes a woken one); 40 bytes. Source: pthread_mutex_lock(3).
 */
#include <pthread.h>

#include "src/lab/spinlock_op.h"
#include "src/lab/spinlock_variants.h"

SPINLOCK_INLINE void acquire(void *lock, struct spinlock_local *me)
{
	(void)me;
	pthread_mutex_lock(lock);
}

SPINLOCK_INLINE void release(void *lock, struct spinlock_local *me)
{
	(void)me;
	pthread_mutex_unlock(lock);
}

static void init(void *lock)
{
	pthread_mutex_init(lock, NULL);
}

#define LOOP_NAME run
#define LOOP_ACQUIRE(lock, me) acquire(lock, me)
#define LOOP_RELEASE(lock, me) release(lock, me)
#define LOOP_PLACE
#include "src/lab/spinlock_loop.h"

static const struct spinlock_ops own = {
	.lock_bytes = sizeof(pthread_mutex_t),
	.init = init,
};

const struct variant_ops spinlock_pthread_mutex = {
	.name = "pthread-mutex",
	.doc = "glibc's normal mutex: a loser sleeps in the kernel",
	.excludes = true,
	.run = run,
	.own = &own,
};
