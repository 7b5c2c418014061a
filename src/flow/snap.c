/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies slots and rows out of the page, in the order that the writers' releases call for: state,
 * then the phase's row offset, then ops, then everything that ops vouches for.
 */
#include "src/flow/snap.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SNAP_THREAD_ROWS = 1 + PAGE_ROLES };

static size_t rows_bytes(unsigned threads)
{
	return (size_t)threads * SNAP_THREAD_ROWS * sizeof(struct snap_row);
}

int snap_init(struct snap *s, unsigned threads, unsigned events)
{
	size_t bytes = rows_bytes(threads);

	memset(s, 0, sizeof(*s));
	s->thread = calloc(threads, sizeof(*s->thread));
	s->count = calloc((size_t)threads * events + 1, sizeof(*s->count));
	if (!s->thread || !s->count)
		goto fail;
	/* mmap, not calloc: never cleared by touching it, so unused blocks never cost memory. */
	s->rows = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (s->rows == MAP_FAILED) {
		s->rows = NULL;
		goto fail;
	}
	/* A huge page would make 2 MiB of every touched block. Advice only: failure is harmless. */
	(void)madvise(s->rows, bytes, MADV_NOHUGEPAGE);
	s->thread_count = threads;
	for (unsigned i = 0; i < threads; i++)
		s->thread[i].row = &s->rows[(size_t)i * SNAP_THREAD_ROWS];
	s->event_count = events;
	snap_counters(s, NULL, WHY_NOT_YET);
	return 0;
fail:
	free(s->thread);
	free(s->count);
	memset(s, 0, sizeof(*s));
	return -ENOMEM;
}

void snap_fini(struct snap *s)
{
	if (s->rows)
		munmap(s->rows, rows_bytes(s->thread_count));
	free(s->thread);
	free(s->count);
	memset(s, 0, sizeof(*s));
}

void snap_counters(struct snap *s, struct pmu_set *set, enum reason why)
{
	if (set) {
		pmu_set_read(set, s->count);
		return;
	}
	for (size_t i = 0; i < (size_t)s->thread_count * s->event_count; i++)
		s->count[i] = (struct pmu_count){.why = why};
}

/* The place of @row among a thread's rows, or -1 if it is damaged or another's. */
static int row_place(const struct page_row *row, unsigned slot, uint32_t gen)
{
	/* Read once: it may change between the check and the use. */
	uint32_t kind = __atomic_load_n(&row->kind, __ATOMIC_RELAXED);
	uint32_t role = __atomic_load_n(&row->role, __ATOMIC_RELAXED);

	if (row->slot != slot || row->gen != gen)
		return -1;
	if (kind == PAGE_ROW_THREAD)
		return 0;
	if (kind == PAGE_ROW_LOCK && role < PAGE_ROLES)
		return 1 + (int)role;
	return -1;
}

static void row_take(struct snap_row *dst, const struct page_row *src, uint32_t phase)
{
	if (dst->phase != phase || dst->gen != src->gen) {
		hist_clear(&dst->a);
		hist_clear(&dst->b);
		dst->phase = phase;
		dst->gen = src->gen;
	}
	/* Pairs with slot_ops(): what an operation recorded is seen by the copies below. */
	dst->ops = __atomic_load_n(&src->ops, __ATOMIC_ACQUIRE);
	dst->contended = __atomic_load_n(&src->contended, __ATOMIC_RELAXED);
	dst->has_contended = __atomic_load_n(&src->has_contended, __ATOMIC_RELAXED);
	hist_copy(&dst->a, &src->a);
	hist_copy(&dst->b, &src->b);
	dst->valid = 1;
}

/*
 * Follows a phase's rows from @offset. Returns the row count of struct snap_thread, 0 if there is
 * no thread row; what does not check ends the walk. Rows beyond the count are never marked valid.
 */
static uint32_t rows_take(struct snap_thread *t, const struct page *p, unsigned slot,
			  uint64_t offset, unsigned *damaged)
{
	unsigned seen = 0;
	uint32_t count = 0;

	for (unsigned i = 0; i < SNAP_THREAD_ROWS && offset; i++) {
		const struct page_row *row = page_row_at(p, offset);
		int place = row ? row_place(row, slot, t->gen) : -1;

		/* The thread row comes first, and each row once. */
		if (place < 0 || seen & (1u << place) || (i == 0 && place != 0)) {
			(*damaged)++;
			break;
		}
		row_take(&t->row[place], row, t->phase);
		seen |= 1u << place;
		if ((uint32_t)place + 1 > count)
			count = (uint32_t)place + 1;
		offset = row->next;
	}
	return count;
}

/* Identity and, where the state says that they are valid, the two ends of the measured phase. */
static void slot_take(struct snap_thread *t, const struct page_slot *slot)
{
	t->gen = slot->gen;
	t->tid = slot->tid;
	t->cpu = slot->cpu;
	t->thread = slot->thread;
	t->backwards_count = __atomic_load_n(&slot->backwards_count, __ATOMIC_RELAXED);
	if (t->state >= PAGE_SLOT_RUNNING) {
		t->begin_ticks = slot->begin_ticks;
		t->begin = slot->begin;
	}
	if (t->state == PAGE_SLOT_DONE) {
		t->end_ticks = slot->end_ticks;
		t->end = slot->end;
	}
}

static void thread_take(struct snap *s, const struct page *p, unsigned index,
			enum tick_source source)
{
	const struct page_slot *slot = &p->slot[index];
	struct snap_thread *t = &s->thread[index];
	uint64_t offset;

	for (unsigned i = 0; i < t->row_count; i++)
		t->row[i].valid = 0;
	t->row_count = 0;
	t->begin_ticks = 0;
	t->end_ticks = 0;
	t->taken_ticks = s->taken_ticks;
	/* Pairs with slot_state(): what a state vouches for was written before it. */
	t->state = __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE);
	if (t->state == PAGE_SLOT_FREE)
		return;
	if (t->state > PAGE_SLOT_DONE) {
		t->state = PAGE_SLOT_FREE;
		s->damaged_count++;
		return;
	}
	slot_take(t, slot);
	/* Pairs with slot_rows(): the rows behind an offset are whole. */
	t->phase = PAGE_PHASE_MEASURED;
	offset = __atomic_load_n(&slot->row[PAGE_PHASE_MEASURED], __ATOMIC_ACQUIRE);
	if (!offset) {
		t->phase = PAGE_PHASE_WARM;
		offset = __atomic_load_n(&slot->row[PAGE_PHASE_WARM], __ATOMIC_ACQUIRE);
	}
	/* The stamp belongs to ops, the first counter that is read. */
	t->taken_ticks = tick_now(source);
	t->row_count = rows_take(t, p, index, offset, &s->damaged_count);
}

static void lab_take(struct page_lab *dst, const struct page_lab *src)
{
	const size_t first = offsetof(struct page_lab, role_count);

	/* Pairs with the release of the child's main: roles and rates are set before the state. */
	dst->state = __atomic_load_n(&src->state, __ATOMIC_ACQUIRE);
	memcpy((char *)dst + first, (const char *)src + first,
	       offsetof(struct page_lab, next_chunk) - first);
	dst->next_chunk = __atomic_load_n(&src->next_chunk, __ATOMIC_RELAXED);
	dst->lost_rows = __atomic_load_n(&src->lost_rows, __ATOMIC_RELAXED);
}

void snap_take(struct snap *s, const struct page *p, enum tick_source source)
{
	s->taken_ns = tick_monotonic_ns();
	s->taken_ticks = tick_now(source);
	s->damaged_count = 0;
	lab_take(&s->lab, &p->lab);
	s->role_count = s->lab.role_count < PAGE_ROLES ? s->lab.role_count : PAGE_ROLES;
	for (unsigned i = 0; i < s->thread_count; i++)
		thread_take(s, p, i, source);
}
