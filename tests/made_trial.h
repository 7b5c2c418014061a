/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A made-up trial that has ended well: for tests of what is computed from a snapshot.
 *
 * Round numbers at a clock of 2 GHz, so that ticks taken for ns are seen: each thread ran for one
 * second on a CPU of its own, thread i did 1000 (i + 1) ops, all of them stamped.
 */
#ifndef HOTLINE_TESTS_MADE_TRIAL_H
#define HOTLINE_TESTS_MADE_TRIAL_H

#include "src/flow/round.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	MADE_CPUS = 4, /* threads wrap around */
	MADE_WAIT_NS = 100, /* of every op */
	MADE_HOLD_NS = 50,
	MADE_GAP_NS = 250,
	MADE_RUN_OPS = 2, /* of every run */
};

#define MADE_BEGIN_TICKS 1000000000ull
#define MADE_HZ 2000000000ull

/* Tests change what they are about. @in borrows all the rest. */
struct made_trial {
	struct topology_cpu cpu[MADE_CPUS];
	struct topology topology; /* two packages of two cores */
	struct machine machine;
	struct config config;
	struct plan plan;
	struct snap snap;
	struct round_input in;
};

/* Fills @m for 1 and more threads; fails the test if there is no memory. */
void made_trial_init(struct made_trial *m, unsigned threads);
void made_trial_fini(struct made_trial *m);

/* True if @v is a plain number and @expected, to nine digits. */
bool made_number_is(struct value v, double expected);
#define assert_number(value, number) assert_true(made_number_is(value, number))

/* Records @value @count times. */
void made_hist(struct hist *h, uint64_t value, uint64_t count);

#endif
