/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variant `dec`: the decrement lock of email 003 in portable C, for machines that are not x86.
 *
 * Acquire: fetch_sub; got it if the old value was 1 or more; else wait until it reads above 0.
 * Unfair; one word; tolerates 2^31 waiters. Old and new order do not exist here: that is code
 * layout.
 */
#include <ck_pr.h>

#include "src/lab/spinlock_op.h"
#include "src/lab/spinlock_variants.h"

SPINLOCK_INLINE void acquire(void *lock, struct spinlock_local *me)
{
	(void)me;
	while (__atomic_fetch_sub((int32_t *)lock, 1, __ATOMIC_ACQUIRE) < 1)
		while (__atomic_load_n((int32_t *)lock, __ATOMIC_RELAXED) <= 0)
			ck_pr_stall();
}

SPINLOCK_INLINE void release(void *lock, struct spinlock_local *me)
{
	(void)me;
	__atomic_store_n((int32_t *)lock, 1, __ATOMIC_RELEASE);
}

static void init(void *lock)
{
	*(int32_t *)lock = 1;
}

#define LOOP_NAME run
#define LOOP_ACQUIRE(lock, me) acquire(lock, me)
#define LOOP_RELEASE(lock, me) release(lock, me)
#define LOOP_PLACE
#include "src/lab/spinlock_loop.h"

static const struct spinlock_ops own = {
	.lock_bytes = sizeof(int32_t),
	.init = init,
};

const struct variant_ops spinlock_dec = {
	.name = "dec",
	.doc = "the decrement lock in portable C; old and new are one here",
	.excludes = true,
	.run = run,
	.own = &own,
};
