/* SPDX-License-Identifier: MIT */
/*
 * Claims slots and rows in the page's arena.
 */
#include "probes/slot.h"

#include <errno.h>
#include <string.h>

void slot_claim(struct page *p, unsigned index, int tid, int cpu, struct slot_arena *a)
{
	struct page_slot *s = &p->slot[index];
	uint32_t gen = s->gen + 1;

	memset(s, 0, sizeof(*s));
	s->gen = gen;
	s->tid = tid;
	s->cpu = cpu;
	s->thread = index;
	slot_state(s, PAGE_SLOT_STARTING);
	*a = (struct slot_arena){.page = p, .slot = index, .gen = gen};
}

static int chunk_claim(struct slot_arena *a)
{
	struct page_head *h = &a->page->head;
	/* Relaxed: the number is all that is shared; the chunk is published by its rows. */
	uint64_t n = __atomic_fetch_add(&a->page->lab.next_chunk, 1, __ATOMIC_RELAXED);

	if (n >= h->arena_bytes / PAGE_CHUNK_BYTES)
		return -ENOSPC;
	a->next = h->arena_offset + n * PAGE_CHUNK_BYTES;
	a->end = a->next + PAGE_CHUNK_BYTES;
	return 0;
}

struct page_row *slot_row(struct slot_arena *a, enum page_row_kind kind, unsigned role)
{
	struct page_row *row;

	if (a->next + sizeof(*row) > a->end && chunk_claim(a) != 0) {
		__atomic_fetch_add(&a->page->lab.lost_rows, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	row = (struct page_row *)((char *)a->page + a->next);
	a->next += sizeof(*row);
	row->kind = kind;
	row->role = role;
	row->slot = a->slot;
	row->gen = a->gen;
	return row;
}

int slot_rows(struct slot_arena *a, enum page_phase phase, unsigned roles, struct page_row **out)
{
	uint64_t first = 0;

	for (unsigned i = 0; i <= roles; i++) {
		out[i] = slot_row(a, i ? PAGE_ROW_LOCK : PAGE_ROW_THREAD, i ? i - 1 : 0);
		if (!out[i])
			return -ENOSPC;
	}
	for (unsigned i = roles; i > 0; i--)
		out[i - 1]->next = (uint64_t)((char *)out[i] - (char *)a->page);
	first = (uint64_t)((char *)out[0] - (char *)a->page);
	__atomic_store_n(&a->page->slot[a->slot].row[phase], first, __ATOMIC_RELEASE);
	return 0;
}
