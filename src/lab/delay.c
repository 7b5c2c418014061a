/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calibrates the delay loop.
 */
#include "src/lab/delay.h"

enum { DELAY_RUNS = 30, DELAY_LOOPS = 10000 };

double delay_measure(enum tick_source source, double hz)
{
	uint64_t best = UINT64_MAX;

	for (unsigned i = 0; i < DELAY_RUNS; i++) {
		uint64_t a = tick_now(source), d;

		delay_loops(DELAY_LOOPS);
		d = tick_now(source) - a;
		if (d && d < best)
			best = d;
	}
	return best == UINT64_MAX ? 1 : DELAY_LOOPS * hz / ((double)best * 1e9);
}
