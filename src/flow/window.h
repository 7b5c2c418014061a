/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windows: about a second of a measured phase each, from differences of snapshots.
 *
 * A window begins where the one before it ended. It is dropped, and a new one begun, where its
 * figures would not be those of the configuration: a thread that has ended or is gone, a counter
 * that ran backwards, a CPU that is offline, a standstill, a screen that was frozen for long.
 */
#ifndef HOTLINE_FLOW_WINDOW_H
#define HOTLINE_FLOW_WINDOW_H

#include "probes/hist.h"
#include "src/flow/ab.h"
#include "src/flow/snap.h"

#include <stdbool.h>
#include <stdint.h>

/* A thread where the window began. */
struct window_thread {
	uint64_t ops, ticks;
	uint32_t gen;
};

/* The window under way. Zeroes = none, room for no thread. */
struct window {
	bool begun;
	unsigned thread_count;
	struct window_thread *thread; /* owned */
	struct hist wait, hold;	      /* of lock role 0 where it began */
	struct hist scratch;
};

/* What a window is made from. Borrowed during the call. */
struct window_input {
	const struct snap *snap;
	const struct hist *wait, *hold; /* of @snap: lock role 0, merged over the threads */
	enum reason no_times; /* why there are no wait and hold times; WHY_OK = there are */
	double tick_hz, floor_ns;
	double window_s;   /* a window ends at the first call after this time */
	double interval_s; /* between the last two looks; two of these too long: it is dropped */
};

/* Room for a trial of @threads threads; no window is under way. Returns 0 or -ENOMEM. */
int window_layout(struct window *w, unsigned threads);
void window_fini(struct window *w);

/* Drops the window under way; the next one begins at the next window_update(). */
void window_drop(struct window *w);

/*
 * Looks at a snapshot. Returns true if a window has ended; then @out is filled.
 * Reasons: no_times; WHY_NOT_YET (nothing was stamped, no op was done), WHY_UNRESOLVED (below the
 * floor of the clock).
 */
bool window_update(struct window *w, const struct window_input *in, struct ab_window *out);

#endif
