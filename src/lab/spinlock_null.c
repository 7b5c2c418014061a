/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variant `null`: no lock at all: what the harness itself costs. Does not exclude; operations get
 * lost.
 *
 * The threads still share the counter's cache line.
 */
#include "src/lab/spinlock_op.h"
#include "src/lab/spinlock_variants.h"

SPINLOCK_INLINE void acquire(void *lock, struct spinlock_local *me)
{
	(void)lock;
	(void)me;
	__asm__ __volatile__("" ::: "memory");
}

SPINLOCK_INLINE void release(void *lock, struct spinlock_local *me)
{
	(void)lock;
	(void)me;
	__asm__ __volatile__("" ::: "memory");
}

static void init(void *lock)
{
	(void)lock;
}

#define LOOP_NAME run
#define LOOP_ACQUIRE(lock, me) acquire(lock, me)
#define LOOP_RELEASE(lock, me) release(lock, me)
#define LOOP_PLACE
#include "src/lab/spinlock_loop.h"

static const struct spinlock_ops own = {
	.lock_bytes = sizeof(uint64_t),
	.init = init,
};

const struct variant_ops spinlock_null = {
	.name = "null",
	.doc = "no lock: the cost of the harness; does not exclude, operations get lost",
	.excludes = false,
	.run = run,
	.own = &own,
};
