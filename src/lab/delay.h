/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work of a given length that touches no memory and reads no clock.
 *
 * A chain of dependent multiplies: 3 cycles a loop on every core we know, whatever the alignment of
 * the code, unlike an empty loop.
 */
#ifndef HOTLINE_LAB_DELAY_H
#define HOTLINE_LAB_DELAY_H

#include "probes/tick.h"

#include <stdint.h>

/* Works for @loops loops. Cost: @loops / delay_measure() ns, 1 ns at 0. */
static inline __attribute__((always_inline)) void delay_loops(uint64_t loops)
{
	uint64_t x = loops | 1;

	for (uint64_t i = loops; i; i--) {
		x *= 0x9e3779b97f4a7c15u;
		__asm__ __volatile__("" : "+r"(x));
	}
}

/*
 * Loops a nanosecond on the caller's CPU now: the fastest of some runs, so that a preemption or a
 * slow start of the clock frequency does not count. @hz: ticks per second.
 * Cost: under 1 ms.
 */
double delay_measure(enum tick_source source, double hz);

#endif
