/* SPDX-License-Identifier: MIT */
/*
 * Choice, calibration and honesty of the clock.
 */
#include "probes/tick.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

enum {
	ANCHOR_TRIES = 20,
	STAMP_PAIRS = 2001,
	STAMP_ROW = 2000,
	CHAIN_TRIES = 501,
	CHAIN_SHORT = 80, /* multiplies, 3 cycles each on every core we know: about 80 ns */
	CHAIN_LONG = 4096,
};

/* The name of the CPU's own counter; "" = none known here. */
#if defined(__x86_64__)
static const char native[] = "tsc";
#elif defined(__aarch64__)
static const char native[] = "cntvct";
#else
static const char native[] = "";
#endif

static bool counter_is_invariant(void)
{
#if defined(__x86_64__)
	unsigned a, b, c, d;

	if (!__get_cpuid(0x80000007, &a, &b, &c, &d))
		return false;
	return (d >> 8) & 1;
#elif defined(__aarch64__)
	return true; /* the architecture promises a constant rate */
#else
	return false;
#endif
}

struct tick_choice tick_choose_from(bool invariant, const char *clocksource)
{
	struct tick_choice c = {.source = TICK_MONOTONIC, .name = "monotonic"};

	if (!*native) {
		snprintf(c.why, sizeof(c.why), "no cheap counter known on this architecture");
		return c;
	}
	if (!invariant) {
		snprintf(c.why, sizeof(c.why), "the %s is not invariant on this CPU", native);
		return c;
	}
#if defined(__x86_64__)
	if (strcmp(clocksource, "tsc") != 0) {
		snprintf(c.why, sizeof(c.why), "the kernel itself uses clocksource %.24s, not tsc",
			 *clocksource ? clocksource : "unknown");
		return c;
	}
#else
	(void)clocksource;
#endif
	c.source = TICK_COUNTER;
	snprintf(c.name, sizeof(c.name), "%s", native);
	snprintf(c.why, sizeof(c.why), "invariant, and the kernel's own clock");
	return c;
}

/* What was asked for, if this architecture has it. */
static void choice_force(struct tick_choice *c, const char *word)
{
	bool counter = *native && (strcmp(word, "counter") == 0 || strcmp(word, native) == 0);

	if (!counter && strcmp(word, "monotonic") != 0)
		return;
	*c = (struct tick_choice){.source = counter ? TICK_COUNTER : TICK_MONOTONIC,
				  .why = "asked for by HOTLINE_CLOCK"};
	snprintf(c->name, sizeof(c->name), "%s", counter ? native : "monotonic");
}

struct tick_choice tick_choose(const char *forced)
{
	char source[32] = "";
	FILE *f = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
	struct tick_choice c;

	if (f) {
		if (!fgets(source, sizeof(source), f))
			source[0] = '\0';
		source[strcspn(source, "\n")] = '\0';
		fclose(f);
	}
	c = tick_choose_from(counter_is_invariant(), source);
	if (forced)
		choice_force(&c, forced);
	return c;
}

static uint64_t raw_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

struct tick_anchor tick_anchor_now(enum tick_source source)
{
	struct tick_anchor best = {0, 0};
	uint64_t best_width = UINT64_MAX;

	for (int i = 0; i < ANCHOR_TRIES; i++) {
		uint64_t a = raw_ns();
		uint64_t t = tick_now(source);
		uint64_t b = raw_ns();

		if (b - a < best_width) {
			best_width = b - a;
			best.ticks = t;
			best.ns = a + (b - a) / 2;
		}
	}
	return best;
}

double tick_rate_hz(const struct tick_anchor *a, const struct tick_anchor *b)
{
	if (b->ns < a->ns + 100000 || b->ticks <= a->ticks)
		return 0;
	return (double)(b->ticks - a->ticks) * 1e9 / (double)(b->ns - a->ns);
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* A chain of dependent multiplies: the CPU cannot shorten it, the compiler may not. */
static uint64_t chain(uint64_t x, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		x *= 0x9e3779b97f4a7c15u;
		__asm__ __volatile__("" : "+r"(x));
	}
	return x;
}

/*
 * Reading, in ticks, of a chain of @n multiplies between two stamps: the lower quartile, for what
 * disturbs only lengthens.
 */
static double chain_ticks(enum tick_source source, unsigned n, unsigned tries)
{
	uint64_t read[CHAIN_TRIES];
	uint64_t x = 1;

	for (unsigned i = 0; i < tries; i++) {
		uint64_t a = tick_now(source);

		x = chain(x, n);
		read[i] = tick_now(source) - a;
	}
	__asm__ __volatile__("" ::"r"(x));
	qsort(read, tries, sizeof(read[0]), compare_u64);
	return (double)read[tries / 4];
}

static void pairs_measure(enum tick_source source, double ns_per_tick, struct tick_quality *q)
{
	static const unsigned pairs = STAMP_PAIRS;
	uint64_t delta[STAMP_PAIRS];
	uint64_t smallest = UINT64_MAX;
	double best_row = 0;

	for (unsigned i = 0; i < pairs; i++) {
		uint64_t a = tick_now(source);

		delta[i] = tick_now(source) - a;
	}
	qsort(delta, pairs, sizeof(delta[0]), compare_u64);
	for (unsigned i = 0; i < pairs; i++) {
		uint64_t step = i ? delta[i] - delta[i - 1] : delta[0];

		if (step && step < smallest)
			smallest = step;
	}
	for (int tries = 0; tries < 5; tries++) {
		uint64_t a = tick_now(source), b = a;

		for (unsigned i = 0; i < STAMP_ROW; i++)
			b = tick_now(source);
		if (best_row == 0 || (double)(b - a) < best_row)
			best_row = (double)(b - a);
	}
	/* Stamps that never differ: one tick is all that is known. */
	q->resolution_ns = (smallest == UINT64_MAX ? 1 : (double)smallest) * ns_per_tick;
	q->stamp_ns = best_row / STAMP_ROW * ns_per_tick;
}

struct tick_quality tick_quality_measure(enum tick_source source, double hz)
{
	struct tick_quality q = {.hz = hz};
	double ns_per_tick, per_multiply, truth;

	if (hz <= 0) {
		struct tick_anchor a = tick_anchor_now(source), b = a;

		while (b.ns < a.ns + 2000000)
			b = tick_anchor_now(source);
		q.hz = tick_rate_hz(&a, &b);
	}
	ns_per_tick = q.hz > 0 ? 1e9 / q.hz : 1;
	pairs_measure(source, ns_per_tick, &q);
	/* The long chain makes the bias of its own reading vanish: under 0.2 %. */
	per_multiply = chain_ticks(source, CHAIN_LONG, 51) / CHAIN_LONG;
	truth = per_multiply * CHAIN_SHORT;
	q.bias_ns = (truth - chain_ticks(source, CHAIN_SHORT, CHAIN_TRIES)) * ns_per_tick;
	q.floor_ns = fmax(fmax(2 * q.stamp_ns, q.bias_ns), q.resolution_ns);
	return q;
}
