/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workload `spinlock`: what its variants share.
 *
 * A variant file defines two always_inline functions and includes spinlock_loop.h, which compiles
 * the timed loop around them: no indirect call and no branch on the variant is left in it.
 */
#ifndef HOTLINE_LAB_SPINLOCK_H
#define HOTLINE_LAB_SPINLOCK_H

#include "src/lab/workload.h"

#include <stddef.h>
#include <stdint.h>

/* Where the shared data lie; set by open, const while workers run. */
struct spinlock_shared {
	void *lock;	 /* at a multiple of 128 bytes */
	uint64_t *count; /* protected by the lock; also the shared quota of fixed work */
	void *map, *code;
	size_t map_bytes, code_bytes;
};

/* Per thread: queue nodes and the like. Starts at a line pair of its own. */
struct spinlock_local {
	struct page_row *lock_row; /* for variants that count contended acquisitions */
	void *node;		   /* queue locks: the node to enqueue next */
	char storage[2 * PAGE_LINE_PAIR] __attribute__((aligned(PAGE_LINE_PAIR)));
} __attribute__((aligned(PAGE_LINE_PAIR)));

/* What a variant adds to struct variant_ops. */
struct spinlock_ops {
	size_t lock_bytes;
	void (*init)(void *lock);		    /* main thread; the lock is zeroed before */
	void (*local_init)(struct spinlock_local *me); /* NULL = nothing; on the worker's thread */
	/* Templates by [width is 8][pause is off]; NULL = one loop, knobs do not apply. */
	const struct lab_code (*code)[2];
};

/* Bytes behind the lock that a variant may use beyond lock_bytes: CLH's first node. */
enum { SPINLOCK_LOCK_MAX = 2 * PAGE_LINE_PAIR };

extern const struct workload_ops spinlock_workload;

#endif
