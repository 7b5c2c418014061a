/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies of the page: right after many ticks, and never led astray by a damaged page.
 */
#include "src/flow/snap.h"

#include "probes/slot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

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
	if (page_create(&s.fd, &s.page, NULL) != 0 || snap_init(&s.snap, THREADS) != 0)
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

	assert_int_equal(snap_init(&other, THREADS), 0);
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

/* One way to damage the scene, and how many rows are still good then. */
struct damage {
	void (*inflict)(struct scene *s);
	unsigned rows;
};

static void slot_state_unknown(struct scene *s)
{
	s->slot->state = PAGE_SLOT_DONE + 1;
}

static void first_offset_outside(struct scene *s)
{
	s->slot->row[PAGE_PHASE_WARM] = page_size_bytes();
}

static void first_offset_misaligned(struct scene *s)
{
	s->slot->row[PAGE_PHASE_WARM] += 8;
}

static void first_offset_to_a_lock_row(struct scene *s)
{
	s->slot->row[PAGE_PHASE_WARM] = s->row[0]->next;
}

static void first_offset_to_nothing_carved(struct scene *s)
{
	s->slot->row[PAGE_PHASE_WARM] += 10 * PAGE_CHUNK_BYTES;
}

static void next_outside(struct scene *s)
{
	s->row[0]->next = 64;
}

static void next_to_itself(struct scene *s)
{
	s->row[1]->next = s->row[0]->next;
}

static void next_to_the_first(struct scene *s)
{
	s->row[2]->next = s->slot->row[PAGE_PHASE_WARM];
}

static void row_of_another_slot(struct scene *s)
{
	s->row[1]->slot = 0;
}

static void row_of_another_generation(struct scene *s)
{
	s->row[2]->gen++;
}

static void row_of_no_kind(struct scene *s)
{
	s->row[1]->kind = 0;
}

static void row_of_unknown_kind(struct scene *s)
{
	s->row[1]->kind = 3;
}

static void row_of_a_role_too_high(struct scene *s)
{
	s->row[2]->role = PAGE_ROLES;
}

static void row_of_a_role_far_too_high(struct scene *s)
{
	s->row[2]->role = UINT32_MAX;
}

static const struct damage damages[] = {
	{slot_state_unknown, 0},
	{first_offset_outside, 0},
	{first_offset_misaligned, 0},
	{first_offset_to_a_lock_row, 0},
	{first_offset_to_nothing_carved, 0},
	{next_outside, 1},
	{next_to_itself, 2},
	{next_to_the_first, 3},
	{row_of_another_slot, 1},
	{row_of_another_generation, 2},
	{row_of_no_kind, 1},
	{row_of_unknown_kind, 1},
	{row_of_a_role_too_high, 2},
	{row_of_a_role_far_too_high, 2},
};

static void damaged_words_expect_counted_and_not_followed(void **state)
{
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct scene *s;

		assert_int_equal(scene_setup(state), 0);
		s = *state;
		take(s);
		assert_int_equal(s->snap.damaged_count, 0);
		assert_int_equal(s->thread->row_count, 1 + ROLES);
		damages[i].inflict(s);
		take(s);
		assert_int_equal(s->snap.damaged_count, 1);
		assert_int_equal(s->thread->row_count, damages[i].rows);
		for (unsigned k = 0; k <= PAGE_ROLES; k++)
			assert_int_equal(s->thread->row[k].valid, k < damages[i].rows);
		scene_teardown(state);
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

static void random_words_in_slots_and_rows_expect_bounded_copies(void **state)
{
	struct scene *s = *state;
	uint64_t seed = 7;

	for (int tick = 0; tick < 3000; tick++) {
		uint64_t *part[] = {(uint64_t *)s->page->slot, (uint64_t *)&s->page->lab,
				    (uint64_t *)s->row[0], (uint64_t *)s->row[1]};
		const size_t words[] = {THREADS * sizeof(struct page_slot) / 8,
					offsetof(struct page_lab, next_chunk) / 8, 256 / 8 + 16,
					256 / 8 + 16};

		for (int i = 0; i < 40; i++) {
			unsigned k = (unsigned)(any(&seed) % 4);

			part[k][any(&seed) % words[k]] = damaged_word(&seed, s->page);
		}
		/* Often a slot that looks alive. */
		s->slot->state = (uint32_t)(any(&seed) % 7);
		s->slot->gen = s->row[0]->gen;
		take(s);
		assert_true(s->snap.role_count <= PAGE_ROLES);
		for (unsigned i = 0; i < THREADS; i++) {
			const struct snap_thread *t = &s->snap.thread[i];

			assert_true(t->state <= PAGE_SLOT_DONE);
			assert_true(t->row_count <= 1 + PAGE_ROLES);
			assert_true(!t->row_count || t->row[0].valid);
		}
	}
}

static void most_threads_expect_no_memory_before_it_is_touched(void **state)
{
	struct snap snap;

	(void)state;
	assert_int_equal(snap_init(&snap, PAGE_SLOTS), 0);
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
		cmocka_unit_test(damaged_words_expect_counted_and_not_followed),
		SCENE(random_words_in_slots_and_rows_expect_bounded_copies),
		cmocka_unit_test(most_threads_expect_no_memory_before_it_is_touched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
