/* SPDX-License-Identifier: MIT */
/*
 * Cheap time stamps: rdtsc on x86-64, cntvct_el0 on aarch64, CLOCK_MONOTONIC elsewhere
 * or where the time stamp counter is not trusted.
 *
 * Plain stamps, no fences: rdtscp or lfence double the cost (10 to 20 ns a stamp), and what
 * they would fix is the start-up bias measured here and shown, never subtracted: only a fully
 * fenced pair has a constant bias. Wait and hold are differences of two stamps of one thread, so a
 * pinned thread needs no synchronised counters.
 * Source: Intel SDM 3B 18.17 (invariant TSC), Arm ARM D13.8 (generic timer).
 */
#ifndef HOTLINE_PROBES_TICK_H
#define HOTLINE_PROBES_TICK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum tick_source {
	TICK_MONOTONIC, /* clock_gettime(CLOCK_MONOTONIC), nanoseconds */
	TICK_COUNTER,	/* the CPU's own counter: TSC or CNTVCT */
};

/* CLOCK_MONOTONIC now, ns. Cost: about 25 ns by the vDSO. */
static inline uint64_t tick_monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/*
 * A time stamp, ticks of @source. The branch is on a value that never changes in a trial.
 * Threads: any. Cost: 10 to 20 ns (rdtsc), 25 ns (CLOCK_MONOTONIC).
 */
static inline uint64_t tick_now(enum tick_source source)
{
#if defined(__x86_64__)
	if (__builtin_expect(source == TICK_COUNTER, 1)) {
		uint32_t lo, hi;

		__asm__ __volatile__("rdtsc" : "=a"(lo), "=d"(hi)::"memory");
		return (uint64_t)hi << 32 | lo;
	}
#elif defined(__aarch64__)
	if (__builtin_expect(source == TICK_COUNTER, 1)) {
		uint64_t t;

		/* isb: else the counter may be read before the work in front of it. */
		__asm__ __volatile__("isb\n\tmrs %0, cntvct_el0" : "=r"(t)::"memory");
		return t;
	}
#endif
	(void)source;
	return tick_monotonic_ns();
}

/* One moment on both clocks: the tightest of some brackets. */
struct tick_anchor {
	uint64_t ticks;
	uint64_t ns; /* CLOCK_MONOTONIC_RAW */
};

/* What one pair of stamps can and cannot tell, measured on the CPU of the caller. */
struct tick_quality {
	double hz;		 /* ticks per second */
	double stamp_ns;	 /* cost of one stamp in a row of stamps */
	double resolution_ns;	 /* smallest non-zero difference of two stamps */
	double bias_ns;		 /* true minus read length of a chain of about 80 ns */
	double floor_ns;	 /* intervals shorter than this read as noise: shown as "<floor" */
};

/* The clock chosen, and the reason in one clause for the screen and `hotline topology`. */
struct tick_choice {
	enum tick_source source;
	char name[16]; /* "tsc", "cntvct", "monotonic" */
	char why[96];
};

/*
 * Chooses the clock: the CPU's counter if it is invariant (CPUID 8000_0007 EDX bit 8) and the
 * kernel itself uses it (current_clocksource), else CLOCK_MONOTONIC.
 * @forced: "tsc", "cntvct", "counter", "monotonic" or NULL; an unknown word is ignored.
 * Threads: any. Cost: one file read.
 */
struct tick_choice tick_choose(const char *forced);

/*
 * The same decision over given facts, for tests.
 * @invariant: the counter runs at a constant rate in all states;
 * @clocksource: text of current_clocksource, "" if unreadable.
 */
struct tick_choice tick_choose_from(bool invariant, const char *clocksource);

/* Brackets the tick between two reads of CLOCK_MONOTONIC_RAW, tightest of 20. Cost: 2 us. */
struct tick_anchor tick_anchor_now(enum tick_source source);

/*
 * Ticks per second between two anchors. The error is about 50 ns / their distance: 1 ms
 * gives 50 ppm at worst, 200 ms 0.3 ppm.
 * Returns 0 if the anchors are less than 100 us apart or the tick did not advance.
 */
double tick_rate_hz(const struct tick_anchor *a, const struct tick_anchor *b);

/*
 * Measures cost, resolution, bias and floor of the stamps on this CPU.
 * @hz: rate if known, else 0: then the rate is measured as well, which takes 2 ms.
 * Threads: the caller's CPU. Cost: about 1 ms. The medians make a preemption harmless.
 */
struct tick_quality tick_quality_measure(enum tick_source source, double hz);

#endif
