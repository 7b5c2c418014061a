/* SPDX-License-Identifier: MIT */
/*
 * The writer's side of the page: how a thread claims its slot and rows and records into them.
 *
 * One writer a slot and a row. Counters are bumped by plain relaxed loads and stores, never a
 * read-modify-write; ops is stored last, with release, so that a reader who sees an operation also
 * sees what it recorded.
 */
#ifndef HOTLINE_PROBES_SLOT_H
#define HOTLINE_PROBES_SLOT_H

#include "probes/page.h"

#include <stdint.h>

/* A thread's own, private bookkeeping of its arena chunks. Not in the page. */
struct slot_arena {
	struct page *page;
	uint64_t next;	/* offset of the next free byte of the current chunk */
	uint64_t end;	/* offset behind the current chunk; 0 = none yet */
	unsigned slot;
	uint32_t gen;
};

/*
 * Claims slot @index for the calling thread: new gen, identity, state STARTING.
 * @cpu: kernel id it is pinned to, -1 = unpinned. @a is filled.
 * Threads: the future owner; no two threads claim one index at a time.
 */
void slot_claim(struct page *p, unsigned index, int tid, int cpu, struct slot_arena *a);

/*
 * Carves a row out of the thread's chunks; claims a further chunk by one atomic add if needed.
 * Returns NULL if the arena is full: lab.lost_rows is then counted.
 * Threads: slot owner. Not for the timed loop.
 */
struct page_row *slot_row(struct slot_arena *a, enum page_row_kind kind, unsigned role);

/*
 * Makes a phase's rows visible: a thread row and @roles lock rows, linked in this order.
 * @out: 1 + @roles entries. Returns 0, or -ENOSPC (nothing is published then).
 * Threads: slot owner. Pairs with snap_take(), which loads row[] with acquire.
 */
int slot_rows(struct slot_arena *a, enum page_phase phase, unsigned roles, struct page_row **out);

/* Publishes the slot's state. Pairs with the acquire in snap_take(). Threads: slot owner. */
static inline void slot_state(struct page_slot *s, enum page_slot_state state)
{
	__atomic_store_n(&s->state, (uint32_t)state, __ATOMIC_RELEASE);
}

/*
 * Publishes the operations done so far; a plain store on x86-64.
 * Release: pairs with the acquire of ops in snap_take(). Threads: slot owner. Cost: 1 store.
 */
static inline void slot_ops(struct page_row *row, uint64_t ops)
{
	__atomic_store_n(&row->ops, ops, __ATOMIC_RELEASE);
}

#endif
