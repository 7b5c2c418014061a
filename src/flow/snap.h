/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hop 2: a copy of all slots and rows of the page, taken at one tick.
 *
 * The page is untrusted: a crashed child may have left anything in it. Whatever does not check
 * (offset, kind, role, generation) is left out and counted in damaged_count.
 */
#ifndef HOTLINE_FLOW_SNAP_H
#define HOTLINE_FLOW_SNAP_H

#include "probes/page.h"
#include "probes/pmu_set.h"
#include "probes/tick.h"

#include <stdint.h>

/* One thread's figures of the newest phase it has rows for. */
struct snap_thread {
	uint64_t taken_ticks; /* the reader's stamp when this slot was read */
	uint32_t state, gen;
	int32_t tid, cpu;
	uint32_t thread;
	uint32_t phase;	      /* enum page_phase of the rows below */
	uint32_t row_count;   /* 0 = no rows yet; 1 = thread row; 1 + roles */
	uint64_t begin_ticks, end_ticks, backwards_count;
	struct osstat begin, end;
	struct snap_row *row; /* row[0] = thread row, row[1 + role] = lock rows */
};

struct snap_row {
	uint64_t ops;	      /* operations, or acquires of the role */
	uint64_t contended;
	uint32_t has_contended;
	uint32_t valid;	      /* the row was found */
	uint32_t phase, gen;  /* whose copy a and b hold: cleared when these change */
	struct hist a, b;     /* thread: gap, run; lock: wait, hold */
};

/* Two of these, swapped by the trial at each tick. */
struct snap {
	uint64_t taken_ticks; /* when the copy began */
	uint64_t taken_ns;    /* CLOCK_MONOTONIC, for people; never for rates */
	unsigned thread_count; /* slots wanted: threads of the trial */
	unsigned role_count;
	unsigned damaged_count;
	struct page_lab lab;  /* copy of the child's own words */
	struct snap_thread *thread;
	struct snap_row *rows; /* thread_count * (1 + PAGE_ROLES), zero pages until touched */
	unsigned event_count;
	struct pmu_count *count; /* thread_count * event_count; WHY_NOT_YET until read */
};

/*
 * Allocates for @threads threads and @events counters each. Memory is address space until rows are
 * copied into it.
 * Returns 0 or -ENOMEM.
 */
int snap_init(struct snap *s, unsigned threads, unsigned events);
void snap_fini(struct snap *s);

/*
 * Copies the page. @s must hold an older copy of the same page, or be fresh from snap_init().
 * Pairs with slot_rows(), slot_state() and slot_ops() of the writers.
 * Threads: dashboard only. Cost: about 0.5 us a thread; only used blocks are copied.
 */
void snap_take(struct snap *s, const struct page *p, enum tick_source source);

/*
 * Reads the counters as well, right after snap_take(). @set NULL: there are none, all counts are
 * missing for the reason @why.
 */
void snap_counters(struct snap *s, struct pmu_set *set, enum reason why);

#endif
