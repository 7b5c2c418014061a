/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `make bench`: speed bars, each a ratio of two loops run in turn, judged by its interval.
 */
#ifndef HOTLINE_TESTS_BENCH_H
#define HOTLINE_TESTS_BENCH_H

#include <stdbool.h>

enum { BENCH_MAX_PAIRS = 400 };

/* The pairs of one comparison: a[i] and b[i] were measured one right after the other. */
struct bench_pairs {
	unsigned count;
	double a[BENCH_MAX_PAIRS], b[BENCH_MAX_PAIRS];
};

/* The median of the ratios a / b, and its 95 % bootstrap interval. */
struct bench_ratio {
	double median, low, high;
};
struct bench_ratio bench_ratio_of(const struct bench_pairs *p);

double bench_median(const double *v, unsigned n);

/*
 * Prints a bar and judges it: failed only if the whole interval lies below @bar (above it, if
 * @at_most). @note: what the figures are. Counts failures for bench_failures().
 */
void bench_judge(const char *what, struct bench_ratio r, double bar, const char *note);

/* The same for a single figure that may be at most @bar. */
void bench_at_most(const char *what, double v, double bar, const char *unit, const char *note);

unsigned bench_failures(void);

/* The parts. Each prints its lines. */
void bench_loops(unsigned pairs);
void bench_snap(void);
void bench_frame(void);
void bench_counters(unsigned pairs);
void bench_dashboard(const char *hotline, double seconds);

#endif
