/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies of the page: right after many ticks, and never led astray by a damaged page.
 */
#include "src/flow/snap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "probes/slot.h"

enum { ROLES = 2, THREADS = 3 };

/* A page with one thread in slot 1 whose rows of a phase exist, and a snapshot. */
struct scene {
	int fd;
	struct page *page;
	struct page_slot *slot;
	struct slot_arena arena;
	struct page_row *row[1 + ROLES];
	struct snap snap;
	const struct snap_thread *thread;
};

static int scene_setup(void **state)
{
	static struct scene s;

	*state = &s;
	if (page_create(&s.fd, &s.page, NULL) != 0 || snap_init(&s.snap, THREADS, 0) != 0)
		return -1;
	s.slot = &s.page->slot[1];
	s.thread = &s.snap.thread[1];
	s.page->lab.role_count = ROLES;
	slot_claim(s.page, 1, 77, 3, &s.arena);
	return slot_rows(&s.arena, PAGE_PHASE_WARM, ROLES, s.row);
}

static int scene_teardown(void **state)
{
	struct scene *s = *state;

	snap_fini(&s->snap);
	page_unmap(s->page);
	return close(s->fd);
}

static void take(struct scene *s)
{
	snap_take(&s->snap, s->page, TICK_MONOTONIC);
}

static uint64_t any(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 24;
}

static void slots_expect_identity_and_rows_of_the_claimed_one_only(void **state)
{
	struct scene *s = *state;

	slot_ops(s->row[0], 10);
	s->row[2]->contended = 4;
	s->row[2]->has_contended = 1;
	s->slot->backwards_count = 6;
	slot_state(s->slot, PAGE_SLOT_WARMING);
	take(s);
	assert_int_equal(s->snap.damaged_count, 0);
	assert_int_equal(s->snap.role_count, ROLES);
	assert_int_equal(s->snap.thread[0].state, PAGE_SLOT_FREE);
	assert_int_equal(s->snap.thread[0].row_count, 0);
	assert_int_equal(s->snap.thread[2].row_count, 0);
	assert_int_equal(s->thread->state, PAGE_SLOT_WARMING);
	assert_int_equal(s->thread->tid, 77);
	assert_int_equal(s->thread->cpu, 3);
	assert_int_equal(s->thread->thread, 1);
	assert_int_equal(s->thread->backwards_count, 6);
	assert_int_equal(s->thread->row_count, 1 + ROLES);
	assert_int_equal(s->thread->row[0].ops, 10);
	assert_int_equal(s->thread->row[1].has_contended, 0);
	assert_int_equal(s->thread->row[2].contended, 4);
	assert_int_equal(s->thread->row[2].has_contended, 1);
	assert_true(s->thread->taken_ticks >= s->snap.taken_ticks && s->snap.taken_ticks > 0);
}

static void measured_after_warm_expect_nothing_of_the_warm_up(void **state)
{
	struct scene *s = *state;

	hist_add(&s->row[1]->a, 1000000);
	hist_add(&s->row[0]->b, 9);
	slot_ops(s->row[0], 5);
	slot_state(s->slot, PAGE_SLOT_WARMING);
	take(s);
	assert_int_equal(s->thread->phase, PAGE_PHASE_WARM);
	assert_int_equal(hist_count(&s->thread->row[1].a), 1);
	assert_int_equal(slot_rows(&s->arena, PAGE_PHASE_MEASURED, ROLES, s->row), 0);
	hist_add(&s->row[1]->a, 3);
	slot_ops(s->row[0], 2);
	take(s);
	assert_int_equal(s->thread->phase, PAGE_PHASE_MEASURED);
	assert_int_equal(s->thread->row[0].ops, 2);
	assert_int_equal(hist_count(&s->thread->row[0].b), 0);
	assert_memory_equal(&s->thread->row[1].a, &s->row[1]->a, sizeof(struct hist));
}

static void slot_claimed_again_expect_nothing_of_the_old_owner(void **state)
{
	struct scene *s = *state;

	hist_add(&s->row[1]->b, 1000000);
	slot_ops(s->row[0], 5);
	take(s);
	slot_claim(s->page, 1, 78, 2, &s->arena);
	take(s);
	assert_int_equal(s->thread->gen, 2);
	assert_int_equal(s->thread->row_count, 0);
	assert_int_equal(slot_rows(&s->arena, PAGE_PHASE_WARM, ROLES, s->row), 0);
	hist_add(&s->row[1]->b, 2);
	take(s);
	assert_int_equal(s->thread->tid, 78);
	assert_int_equal(s->thread->row[0].ops, 0);
	assert_memory_equal(&s->thread->row[1].b, &s->row[1]->b, sizeof(struct hist));
}

static void ends_of_the_phase_expect_only_where_the_state_vouches(void **state)
{
	static const struct {
		enum page_slot_state state;
		uint64_t begin, end;
	} row[] = {
		{PAGE_SLOT_STARTING, 0, 0}, {PAGE_SLOT_WARMING, 0, 0}, {PAGE_SLOT_WAITING, 0, 0},
		{PAGE_SLOT_RUNNING, 5, 0},  {PAGE_SLOT_DONE, 5, 8},    {PAGE_SLOT_FREE, 0, 0},
	};
	struct scene *s = *state;

	s->slot->begin_ticks = 5;
	s->slot->end_ticks = 8;
	s->slot->begin.user_us = 50;
	s->slot->end.user_us = 80;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		slot_state(s->slot, row[i].state);
		take(s);
		assert_int_equal(s->thread->begin_ticks, row[i].begin);
		assert_int_equal(s->thread->end_ticks, row[i].end);
		if (row[i].begin)
			assert_int_equal(s->thread->begin.user_us, 50);
		if (row[i].end)
			assert_int_equal(s->thread->end.user_us, 80);
	}
}

static void copies_in_turn_over_many_ticks_expect_equal_to_the_page(void **state)
{
	struct scene *s = *state;
	struct snap other;
	uint64_t seed = 1, ops = 0;

	assert_int_equal(snap_init(&other, THREADS, 0), 0);
	for (int tick = 0; tick < 200; tick++) {
		struct snap *now = tick % 2 ? &other : &s->snap;
		const struct snap_row *copy = now->thread[1].row;

		for (int i = 0; i < 30; i++) {
			hist_add(&s->row[0]->a, any(&seed) >> (tick < 100 ? 30 : any(&seed) % 40));
			hist_add(&s->row[1]->a, any(&seed) % (1u << (tick / 10 + 1)));
			hist_add(&s->row[2]->b, any(&seed) >> any(&seed) % 40);
			slot_ops(s->row[0], ++ops);
		}
		snap_take(now, s->page, TICK_MONOTONIC);
		assert_int_equal(now->damaged_count, 0);
		assert_int_equal(copy[0].ops, ops);
		for (unsigned i = 0; i <= ROLES; i++) {
			assert_memory_equal(&copy[i].a, &s->row[i]->a, sizeof(struct hist));
			assert_memory_equal(&copy[i].b, &s->row[i]->b, sizeof(struct hist));
		}
	}
	snap_fini(&other);
}

static void block_not_in_use_expect_not_copied(void **state)
{
	struct scene *s = *state;

	hist_add(&s->row[1]->a, 3);
	s->row[1]->a.bucket[HIST_BUCKETS - 1] = 99;
	take(s);
	assert_int_equal(s->thread->row[1].a.bucket[3], 1);
	assert_int_equal(s->thread->row[1].a.bucket[HIST_BUCKETS - 1], 0);
}

static void lab_words_expect_copied_and_role_count_believed_up_to_the_most(void **state)
{
	struct scene *s = *state;

	s->page->lab.tick_hz = 5;
	s->page->lab.lost_rows = 7;
	s->page->lab.role_count = UINT32_MAX;
	__atomic_store_n(&s->page->lab.state, PAGE_LAB_RUNNING, __ATOMIC_RELEASE);
	take(s);
	assert_int_equal(s->snap.lab.state, PAGE_LAB_RUNNING);
	assert_true(s->snap.lab.tick_hz == 5);
	assert_int_equal(s->snap.lab.lost_rows, 7);
	assert_int_equal(s->snap.lab.next_chunk, 1);
	assert_int_equal(s->snap.role_count, PAGE_ROLES);
}

static void damaged_words_expect_counted_and_not_followed(void **state)
{
	struct scene *s = *state;
	uint64_t *first = &s->slot->row[PAGE_PHASE_WARM];
	const struct {
		void *word;
		size_t bytes;
		uint64_t value;
		unsigned rows; /* how many are still good then */
	} row[] = {
		{&s->slot->state, 4, PAGE_SLOT_DONE + 1, 0},
		{&s->slot->gen, 4, 9, 0},
		{first, 8, page_size_bytes(), 0},
		{first, 8, *first + 8, 0},
		{first, 8, s->row[0]->next, 0},               /* a lock's row */
		{first, 8, *first + PAGE_CHUNK_BYTES * 9, 0}, /* not carved yet */
		{&s->row[0]->next, 8, 64, 1},
		{&s->row[1]->next, 8, s->row[0]->next, 2}, /* itself */
		{&s->row[2]->next, 8, *first, 3},
		{&s->row[1]->slot, 4, 0, 1},
		{&s->row[2]->gen, 4, 2, 2},
		{&s->row[1]->kind, 4, 0, 1},
		{&s->row[1]->kind, 4, PAGE_ROW_THREAD, 1},
		{&s->row[1]->kind, 4, 3, 1},
		{&s->row[2]->role, 4, PAGE_ROLES, 2},
		{&s->row[2]->role, 4, UINT32_MAX, 2},
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		uint64_t good = 0;

		take(s);
		assert_int_equal(s->snap.damaged_count, 0);
		assert_int_equal(s->thread->row_count, 1 + ROLES);
		memcpy(&good, row[i].word, row[i].bytes);
		memcpy(row[i].word, &row[i].value, row[i].bytes);
		take(s);
		assert_int_equal(s->snap.damaged_count, 1);
		assert_int_equal(s->thread->row_count, row[i].rows);
		for (unsigned k = 0; k <= PAGE_ROLES; k++)
			assert_int_equal(s->thread->row[k].valid, k < row[i].rows);
		memcpy(row[i].word, &good, row[i].bytes);
	}
}

/* A word of a damaged page: any number, a small one, or an offset that may be a row's. */
static uint64_t damaged_word(uint64_t *seed, const struct page *p)
{
	switch (any(seed) % 4) {
	case 0:
		return any(seed) << 24 ^ any(seed);
	case 1:
		return any(seed) % 8;
	case 2:
		return page_size_bytes() - any(seed) % 8 * sizeof(struct page_row);
	default:
		return p->head.arena_offset + any(seed) % 4 * sizeof(struct page_row);
	}
}

/* What is damaged of the page: from the first byte on, @bytes of it. */
struct target {
	void *at;
	size_t bytes;
	unsigned char *good; /* a copy */
};

static void snap_check(const struct snap *s)
{
	assert_true(s->role_count <= PAGE_ROLES);
	for (unsigned i = 0; i < s->thread_count; i++) {
		const struct snap_thread *t = &s->thread[i];

		assert_true(t->state <= PAGE_SLOT_DONE);
		assert_true(t->row_count <= 1 + PAGE_ROLES);
		for (unsigned k = 0; k < t->row_count; k++)
			assert_true(t->row[k].a.used_mask >> HIST_BLOCKS == 0);
		assert_true(!t->row_count || t->row[0].valid);
	}
}

static void random_words_in_slots_and_rows_expect_bounded_copies(void **state)
{
	enum { ROW_BYTES = offsetof(struct page_row, a) + 64 };
	struct scene *s = *state;
	struct target target[] = {
		{s->slot, sizeof(*s->slot), NULL},
		{&s->page->lab, offsetof(struct page_lab, next_chunk), NULL},
		{s->row[0], ROW_BYTES, NULL},
		{s->row[1], ROW_BYTES, NULL},
		{s->row[2], ROW_BYTES, NULL},
	};
	enum { TARGETS = sizeof(target) / sizeof(target[0]) };
	uint64_t seed = 7, whole = 0;

	for (unsigned i = 0; i < TARGETS; i++) {
		target[i].good = malloc(target[i].bytes);
		assert_non_null(target[i].good);
		memcpy(target[i].good, target[i].at, target[i].bytes);
	}
	for (int tick = 0; tick < 5000; tick++) {
		for (uint64_t n = any(&seed) % 4; n > 0; n--) {
			const struct target *t = &target[any(&seed) % TARGETS];
			size_t at = (size_t)(any(&seed) % (t->bytes / 4)) * 4;
			uint64_t word = damaged_word(&seed, s->page);

			memcpy((char *)t->at + at, &word, at % 8 ? 4 : 8);
		}
		take(s);
		snap_check(&s->snap);
		whole += s->thread->row_count == 1 + ROLES;
		for (unsigned i = 0; i < TARGETS; i++)
			memcpy(target[i].at, target[i].good, target[i].bytes);
	}
	/* Neither all refused nor all believed. */
	assert_in_range(whole, 1000, 4900);
	for (unsigned i = 0; i < TARGETS; i++)
		free(target[i].good);
}

static void most_threads_expect_rows_for_each(void **state)
{
	struct snap snap;

	(void)state;
	assert_int_equal(snap_init(&snap, PAGE_SLOTS, 0), 0);
	assert_int_equal(snap.thread_count, PAGE_SLOTS);
	assert_ptr_equal(snap.thread[PAGE_SLOTS - 1].row,
			 &snap.rows[(PAGE_SLOTS - 1) * (1 + PAGE_ROLES)]);
	snap_fini(&snap);
	snap_fini(&snap);
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_setup, scene_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(slots_expect_identity_and_rows_of_the_claimed_one_only),
		SCENE(measured_after_warm_expect_nothing_of_the_warm_up),
		SCENE(slot_claimed_again_expect_nothing_of_the_old_owner),
		SCENE(ends_of_the_phase_expect_only_where_the_state_vouches),
		SCENE(copies_in_turn_over_many_ticks_expect_equal_to_the_page),
		SCENE(block_not_in_use_expect_not_copied),
		SCENE(lab_words_expect_copied_and_role_count_believed_up_to_the_most),
		SCENE(damaged_words_expect_counted_and_not_followed),
		SCENE(random_words_in_slots_and_rows_expect_bounded_copies),
		cmocka_unit_test(most_threads_expect_rows_for_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
