/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pseudo-random generator of its own for every thread: one multiply and three shifts a number.
 *
 * Source: xorshift64*, S. Vigna, "An experimental exploration of Marsaglia's xorshift generators,
 * scrambled", 2016; seeding by splitmix64, so that neighbouring seeds are unrelated.
 */
#ifndef HOTLINE_LAB_RNG_H
#define HOTLINE_LAB_RNG_H

#include <stdint.h>

struct lab_rng {
	uint64_t state; /* never 0 */
};

/* Seeds from three numbers, e.g. seed, round and thread. */
static inline struct lab_rng rng_seed(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t z = a + b * 0x9e3779b97f4a7c15u + c * 0xd1342543de82ef95u + 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return (struct lab_rng){.state = z ? z : 1};
}

static inline uint64_t rng_next(struct lab_rng *r)
{
	uint64_t x = r->state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	r->state = x;
	return x * 0x2545f4914f6cdd1du;
}

/* Uniform in 0..@n - 1 for @n up to 2^32; 0 if @n is 0. The bias is below @n / 2^32. */
static inline uint64_t rng_below(struct lab_rng *r, uint64_t n)
{
	return ((rng_next(r) >> 32) * n) >> 32;
}

#endif
