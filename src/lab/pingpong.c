/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One cache line bounced between two threads.
 */
#include "src/lab/pingpong.h"

#include <ck_pr.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
	PINGPONG_BATCH = 16, /* round trips between two stamps */
	PINGPONG_BATCHES = 512,
	PINGPONG_SPINS = 256, /* polls between two looks at the clock */
};
static const double pingpong_s = 0.002, answer_s = 0.02;
static const uint32_t pingpong_over = UINT32_MAX;

/* Waits until turn differs from @mine. Returns false after @ticks without a change. */
static bool turn_wait(const struct pingpong *pp, uint32_t mine, uint32_t *now,
		      enum tick_source source, uint64_t ticks)
{
	uint64_t begin = 0;

	for (unsigned spins = 1;; spins++) {
		/* Acquire: pairs with the other side's release in turn_set(). */
		*now = __atomic_load_n(&pp->turn, __ATOMIC_ACQUIRE);
		if (*now != mine)
			return true;
		ck_pr_stall();
		if (spins % PINGPONG_SPINS)
			continue;
		if (!begin)
			begin = tick_now(source);
		else if (tick_now(source) - begin > ticks)
			return false;
	}
}

static void turn_set(struct pingpong *pp, uint32_t turn)
{
	__atomic_store_n(&pp->turn, turn, __ATOMIC_RELEASE);
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

double pingpong_lead(struct pingpong *pp, enum tick_source source, double hz)
{
	uint64_t batch[PINGPONG_BATCHES];
	uint64_t patience = (uint64_t)(hz * answer_s);
	uint64_t begin, last;
	uint32_t turn = 0, seen;
	unsigned n = 0;

	/* The first answer may take a wake-up; it is not counted. */
	turn_set(pp, ++turn);
	if (!turn_wait(pp, turn, &seen, source, patience))
		goto out_over;
	turn = seen;
	begin = last = tick_now(source);
	while (n < PINGPONG_BATCHES && (double)(last - begin) < hz * pingpong_s) {
		for (unsigned i = 0; i < PINGPONG_BATCH; i++) {
			turn_set(pp, ++turn);
			if (!turn_wait(pp, turn, &seen, source, patience))
				goto out_over;
			turn = seen;
		}
		batch[n++] = tick_now(source) - last;
		last = tick_now(source);
	}
out_over:
	turn_set(pp, pingpong_over);
	if (!n)
		return 0;
	qsort(batch, n, sizeof(batch[0]), compare_u64);
	return (double)batch[n / 2] * 1e9 / (hz * PINGPONG_BATCH);
}

void pingpong_follow(struct pingpong *pp, enum tick_source source, double hz)
{
	uint64_t patience = (uint64_t)(hz * answer_s * 2);
	uint32_t turn = 0, seen;

	while (turn_wait(pp, turn, &seen, source, patience) && seen != pingpong_over) {
		turn = seen + 1;
		turn_set(pp, turn);
	}
}
