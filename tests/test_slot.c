/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The writer's side of the page: slots, rows, and what a reader may see while they are written.
 */
#include "probes/slot.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/flow/snap.h"

enum { THREADS = 4 };

struct made_page {
	int fd;
	struct page *page;
};

static int page_setup(void **state)
{
	static struct made_page m;

	*state = &m;
	return page_create(&m.fd, &m.page, NULL);
}

static int page_teardown(void **state)
{
	struct made_page *m = *state;

	page_unmap(m->page);
	return close(m->fd);
}

static struct page *page_of(void **state)
{
	return ((struct made_page *)*state)->page;
}

static uint64_t offset_of(const struct page *p, const struct page_row *row)
{
	return (uint64_t)((const char *)row - (const char *)p);
}

static void claim_expect_identity_and_first_generation(void **state)
{
	struct page *p = page_of(state);
	const struct page_slot *s = &p->slot[5];
	struct slot_arena a;

	slot_claim(p, 5, 4711, 2, &a);
	assert_int_equal(s->state, PAGE_SLOT_STARTING);
	assert_int_equal(s->gen, 1);
	assert_int_equal(s->tid, 4711);
	assert_int_equal(s->cpu, 2);
	assert_int_equal(s->thread, 5);
	assert_ptr_equal(a.page, p);
	assert_int_equal(a.slot, 5);
	assert_int_equal(a.gen, 1);
	assert_int_equal(p->slot[4].gen, 0);
	assert_int_equal(p->slot[6].gen, 0);
	/* Nothing of the arena is taken before a row is asked for. */
	assert_int_equal(p->lab.next_chunk, 0);
}

static void claim_again_expect_next_generation_and_nothing_of_the_old_owner(void **state)
{
	struct page *p = page_of(state);
	struct page_row *row[2], *again[2];
	struct slot_arena a;

	slot_claim(p, 0, 1, 0, &a);
	assert_int_equal(slot_rows(&a, PAGE_PHASE_WARM, 1, row), 0);
	p->slot[0].begin_ticks = p->slot[0].end_ticks = p->slot[0].backwards_count = 9;
	slot_state(&p->slot[0], PAGE_SLOT_DONE);
	slot_claim(p, 0, 2, -1, &a);
	assert_int_equal(p->slot[0].gen, 2);
	assert_int_equal(p->slot[0].cpu, -1);
	assert_int_equal(p->slot[0].row[PAGE_PHASE_WARM], 0);
	assert_int_equal(p->slot[0].begin_ticks, 0);
	assert_int_equal(p->slot[0].end_ticks, 0);
	assert_int_equal(p->slot[0].backwards_count, 0);
	assert_int_equal(slot_rows(&a, PAGE_PHASE_WARM, 1, again), 0);
	assert_ptr_not_equal(again[0], row[0]);
	assert_int_equal(again[0]->gen, 2);
	assert_int_equal(row[0]->gen, 1);
}

static void rows_of_a_phase_expect_thread_then_roles_linked(void **state)
{
	struct page *p = page_of(state);

	for (unsigned roles = 0; roles <= PAGE_ROLES; roles++) {
		struct page_row *row[1 + PAGE_ROLES];
		struct slot_arena a;

		slot_claim(p, 7, 1, 0, &a);
		assert_int_equal(slot_rows(&a, PAGE_PHASE_MEASURED, roles, row), 0);
		assert_int_equal(p->slot[7].row[PAGE_PHASE_MEASURED], offset_of(p, row[0]));
		assert_int_equal(p->slot[7].row[PAGE_PHASE_WARM], 0);
		for (unsigned i = 0; i <= roles; i++) {
			assert_int_equal(row[i]->kind, i ? PAGE_ROW_LOCK : PAGE_ROW_THREAD);
			assert_int_equal(row[i]->role, i ? i - 1 : 0);
			assert_int_equal(row[i]->slot, 7);
			assert_int_equal(row[i]->gen, roles + 1);
			assert_int_equal(row[i]->next, i < roles ? offset_of(p, row[i + 1]) : 0);
			assert_ptr_equal(page_row_at(p, offset_of(p, row[i])), row[i]);
		}
	}
}

static void phases_expect_rows_of_their_own(void **state)
{
	struct page *p = page_of(state);
	struct page_row *warm[2], *measured[2];
	struct slot_arena a;

	slot_claim(p, 0, 1, 0, &a);
	assert_int_equal(slot_rows(&a, PAGE_PHASE_WARM, 1, warm), 0);
	hist_add(&warm[1]->a, 5);
	slot_ops(warm[0], 3);
	assert_int_equal(slot_rows(&a, PAGE_PHASE_MEASURED, 1, measured), 0);
	assert_int_equal(p->slot[0].row[PAGE_PHASE_WARM], offset_of(p, warm[0]));
	assert_int_equal(p->slot[0].row[PAGE_PHASE_MEASURED], offset_of(p, measured[0]));
	assert_int_equal(warm[0]->ops, 3);
	assert_int_equal(measured[0]->ops, 0);
	assert_int_equal(hist_count(&measured[1]->a), 0);
}

/* @count rows of @threads threads that carve in turn. */
static void rows_carve(struct page *p, struct page_row **row, unsigned threads, unsigned count)
{
	struct slot_arena a[THREADS];

	for (unsigned t = 0; t < threads; t++)
		slot_claim(p, t, 1, 0, &a[t]);
	for (unsigned i = 0; i < count; i++) {
		row[i] = slot_row(&a[i % threads], PAGE_ROW_THREAD, 0);
		assert_non_null(row[i]);
	}
}

static void rows_of_threads_in_turn_expect_no_page_shared(void **state)
{
	enum { ROWS = 40, SMALL_PAGE = 4096 };
	struct page *p = page_of(state);
	struct page_row *row[ROWS];

	rows_carve(p, row, THREADS, ROWS);
	for (unsigned i = 0; i < ROWS; i++) {
		uint64_t from = offset_of(p, row[i]), to = from + sizeof(struct page_row) - 1;

		assert_int_equal(from % PAGE_LINE_PAIR, 0);
		for (unsigned k = 0; k < i; k++) {
			uint64_t from2 = offset_of(p, row[k]);
			uint64_t to2 = from2 + sizeof(struct page_row) - 1;

			assert_true(to < from2 || to2 < from);
			if (row[i]->slot != row[k]->slot)
				assert_true(to / SMALL_PAGE < from2 / SMALL_PAGE ||
					    to2 / SMALL_PAGE < from / SMALL_PAGE);
		}
	}
}

static void rows_expect_never_across_the_end_of_a_chunk(void **state)
{
	enum { ROWS = 30 };
	struct page *p = page_of(state);
	struct page_row *row[ROWS];

	rows_carve(p, row, 1, ROWS);
	for (unsigned i = 0; i < ROWS; i++) {
		uint64_t at = offset_of(p, row[i]) - p->head.arena_offset;

		assert_int_equal(at / PAGE_CHUNK_BYTES,
				 (at + sizeof(struct page_row) - 1) / PAGE_CHUNK_BYTES);
	}
	/* Three to a chunk. */
	assert_int_equal(p->lab.next_chunk, ROWS / 3);
	assert_int_equal(p->lab.lost_rows, 0);
}

static void arena_that_is_full_expect_loss_counted_and_nothing_published(void **state)
{
	struct page *p = page_of(state);
	struct page_row *row[1 + PAGE_ROLES];
	struct slot_arena a;

	p->lab.next_chunk = PAGE_ARENA_BYTES / PAGE_CHUNK_BYTES - 1;
	slot_claim(p, 0, 1, 0, &a);
	assert_int_equal(slot_rows(&a, PAGE_PHASE_WARM, 2, row), 0);
	assert_int_equal(offset_of(p, row[2]) + sizeof(struct page_row) <= page_size_bytes(), 1);
	assert_int_equal(p->lab.lost_rows, 0);
	assert_null(slot_row(&a, PAGE_ROW_LOCK, 0));
	assert_int_equal(p->lab.lost_rows, 1);
	assert_int_equal(slot_rows(&a, PAGE_PHASE_MEASURED, 2, row), -ENOSPC);
	assert_int_equal(p->lab.lost_rows, 2);
	assert_int_equal(p->slot[0].row[PAGE_PHASE_MEASURED], 0);
}

static void arena_full_in_the_middle_of_a_phase_expect_nothing_published(void **state)
{
	struct page *p = page_of(state);
	struct page_row *row[1 + PAGE_ROLES];
	struct slot_arena a;

	p->lab.next_chunk = PAGE_ARENA_BYTES / PAGE_CHUNK_BYTES - 1;
	slot_claim(p, 0, 1, 0, &a);
	assert_int_equal(slot_rows(&a, PAGE_PHASE_WARM, PAGE_ROLES, row), -ENOSPC);
	assert_int_equal(p->slot[0].row[PAGE_PHASE_WARM], 0);
	assert_int_equal(p->lab.lost_rows, 1);
}

struct carver {
	struct page *page;
	unsigned slot;
	struct page_row *row[12];
};

static void *carver_main(void *arg)
{
	struct carver *c = arg;
	struct slot_arena a;

	slot_claim(c->page, c->slot, gettid(), -1, &a);
	for (size_t i = 0; i < sizeof(c->row) / sizeof(c->row[0]); i++) {
		c->row[i] = slot_row(&a, PAGE_ROW_LOCK, 0);
		memset(&c->row[i]->a, (int)c->slot + 1, sizeof(c->row[i]->a));
	}
	return NULL;
}

static void threads_that_carve_at_once_expect_each_row_its_own(void **state)
{
	struct page *p = page_of(state);
	struct carver c[THREADS];
	pthread_t id[THREADS];

	for (unsigned t = 0; t < THREADS; t++) {
		c[t] = (struct carver){.page = p, .slot = t};
		assert_int_equal(pthread_create(&id[t], NULL, carver_main, &c[t]), 0);
	}
	for (unsigned t = 0; t < THREADS; t++)
		assert_int_equal(pthread_join(id[t], NULL), 0);
	assert_int_equal(p->lab.next_chunk, THREADS * 4);
	for (unsigned t = 0; t < THREADS; t++) {
		for (size_t i = 0; i < sizeof(c[t].row) / sizeof(c[t].row[0]); i++) {
			assert_int_equal(c[t].row[i]->slot, t);
			assert_int_equal(c[t].row[i]->a.sum, (t + 1) * 0x0101010101010101u);
		}
	}
}

/* A writer as the lab has it: what an operation recorded is stored before ops. */
struct writer {
	struct page *page;
	uint32_t seen; /* the reader has found the rows */
	uint32_t stop;
	uint64_t ops; /* read after the thread has ended */
};

enum { WRITER_OPS = 2000000 };

static void *writer_main(void *arg)
{
	struct writer *w = arg;
	struct page_slot *s = &w->page->slot[0];
	struct page_row *row[2];
	struct slot_arena a;

	slot_claim(w->page, 0, gettid(), -1, &a);
	if (slot_rows(&a, PAGE_PHASE_MEASURED, 1, row) != 0)
		return NULL;
	/* Rows are found by their own release, not by that of a later state. */
	while (!__atomic_load_n(&w->seen, __ATOMIC_RELAXED))
		sched_yield();
	s->begin_ticks = tick_monotonic_ns();
	slot_state(s, PAGE_SLOT_RUNNING);
	while (w->ops < WRITER_OPS && !__atomic_load_n(&w->stop, __ATOMIC_RELAXED)) {
		w->ops++;
		hist_add(&row[1]->a, 5ull << (w->ops / 1000 % 16));
		hist_add(&row[1]->b, w->ops);
		hist_bump(&row[1]->contended, 1);
		hist_add(&row[0]->b, 1);
		slot_ops(row[1], w->ops);
		slot_ops(row[0], w->ops);
	}
	s->end_ticks = tick_monotonic_ns();
	slot_state(s, PAGE_SLOT_DONE);
	return NULL;
}

/* Every counter of a row only grows, and is at least what ops vouches for. */
static void row_check(const struct snap_row *now, const struct snap_row *before, bool lock)
{
	assert_int_equal(now->valid, 1);
	assert_true(now->ops >= before->ops);
	assert_true(hist_count(&now->b) >= hist_count(&before->b));
	assert_true(hist_count(&now->b) >= now->ops);
	assert_true(now->b.sum >= before->b.sum && now->b.max >= before->b.max);
	if (!lock)
		return;
	assert_true(hist_count(&now->a) >= now->ops);
	assert_true(now->contended >= now->ops && now->contended >= before->contended);
	assert_true(now->b.max >= now->ops);
}

static void reader_beside_a_writer_expect_counts_that_grow_and_ops_last(void **state)
{
	struct writer w = {.page = page_of(state)};
	struct snap snap[2];
	unsigned cur = 0, moved = 0;
	pthread_t id;

	assert_int_equal(snap_init(&snap[0], 1, 0), 0);
	assert_int_equal(snap_init(&snap[1], 1, 0), 0);
	assert_int_equal(pthread_create(&id, NULL, writer_main, &w), 0);
	while (snap[cur].thread[0].state != PAGE_SLOT_DONE) {
		const struct snap_thread *now = &snap[cur ^ 1].thread[0];
		const struct snap_thread *before = &snap[cur].thread[0];

		cur ^= 1;
		snap_take(&snap[cur], w.page, TICK_MONOTONIC);
		assert_int_equal(snap[cur].damaged_count, 0);
		assert_true(now->state >= before->state);
		/* All of a phase's rows or none. */
		assert_true(now->row_count == 2 ||
			    (now->row_count == 0 && now->state < PAGE_SLOT_RUNNING));
		for (unsigned i = 0; i < now->row_count; i++)
			row_check(&now->row[i], &before->row[i], i == 1);
		if (now->row_count == 2)
			__atomic_store_n(&w.seen, 1, __ATOMIC_RELAXED);
		moved += now->row_count == 2 && now->row[0].ops > before->row[0].ops;
		if (moved == 100)
			__atomic_store_n(&w.stop, 1, __ATOMIC_RELAXED);
		sched_yield();
	}
	assert_int_equal(pthread_join(id, NULL), 0);
	assert_true(moved > 0);
	assert_true(w.ops > 0);
	assert_int_equal(snap[cur].thread[0].row[0].ops, w.ops);
	assert_int_equal(snap[cur].thread[0].row[1].contended, w.ops);
	assert_int_equal(hist_count(&snap[cur].thread[0].row[1].a), w.ops);
	assert_int_equal(snap[cur].thread[0].row[1].b.sum, w.ops * (w.ops + 1) / 2);
	assert_true(snap[cur].thread[0].end_ticks >= snap[cur].thread[0].begin_ticks);
	snap_fini(&snap[0]);
	snap_fini(&snap[1]);
}

#define WITH_PAGE(test) cmocka_unit_test_setup_teardown(test, page_setup, page_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_PAGE(claim_expect_identity_and_first_generation),
		WITH_PAGE(claim_again_expect_next_generation_and_nothing_of_the_old_owner),
		WITH_PAGE(rows_of_a_phase_expect_thread_then_roles_linked),
		WITH_PAGE(phases_expect_rows_of_their_own),
		WITH_PAGE(rows_of_threads_in_turn_expect_no_page_shared),
		WITH_PAGE(rows_expect_never_across_the_end_of_a_chunk),
		WITH_PAGE(arena_that_is_full_expect_loss_counted_and_nothing_published),
		WITH_PAGE(arena_full_in_the_middle_of_a_phase_expect_nothing_published),
		WITH_PAGE(threads_that_carve_at_once_expect_each_row_its_own),
		WITH_PAGE(reader_beside_a_writer_expect_counts_that_grow_and_ops_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
