/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The probe: how far apart two CPUs are right now.
 *
 * Virtual CPUs change their distance from one minute to the next, without steal; so every round is
 * bracketed by a 2 ms ping-pong of one cache line between the first two CPUs.
 */
#ifndef HOTLINE_LAB_PINGPONG_H
#define HOTLINE_LAB_PINGPONG_H

#include "probes/page.h"
#include "probes/tick.h"

#include <stdint.h>

struct pingpong {
	uint32_t turn __attribute__((aligned(PAGE_LINE_PAIR))); /* odd: the follower's turn */
	char pad[PAGE_LINE_PAIR - sizeof(uint32_t)];
};

/*
 * Leads the exchange for about 2 ms.
 * @pp: all zero before either side starts; @hz: ticks per second.
 * Returns the median round trip in ns, or 0 if the partner did not answer within 20 ms.
 * Threads: one pinned worker; its partner runs pingpong_follow() on another CPU.
 */
double pingpong_lead(struct pingpong *pp, enum tick_source source, double hz);

/* Answers until the leader ends, or 40 ms without a word from it. */
void pingpong_follow(struct pingpong *pp, enum tick_source source, double hz);

#endif
