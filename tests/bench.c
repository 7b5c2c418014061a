/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the speed bars and judges them. Usage: bench [loops|snap|frame|counters|dashboard ...]
 *
 * BENCH_PAIRS (60) sets the pairs of a comparison, BENCH_SECONDS (20) the time the dashboard is
 * watched, BUILD the folder of the programs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench.h"

enum { BOOTSTRAP = 2000 };

static unsigned failures;

static int compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double bench_median(const double *v, unsigned n)
{
	double s[BENCH_MAX_PAIRS];

	memcpy(s, v, n * sizeof(*v));
	qsort(s, n, sizeof(*s), compare_double);
	return n % 2 ? s[n / 2] : (s[n / 2 - 1] + s[n / 2]) / 2;
}

struct bench_ratio bench_ratio_of(const struct bench_pairs *p)
{
	static double medians[BOOTSTRAP];
	double ratio[BENCH_MAX_PAIRS], again[BENCH_MAX_PAIRS];
	unsigned seed = 42;

	for (unsigned i = 0; i < p->count; i++)
		ratio[i] = p->a[i] / p->b[i];
	for (unsigned k = 0; k < BOOTSTRAP; k++) {
		for (unsigned i = 0; i < p->count; i++)
			again[i] = ratio[(unsigned)rand_r(&seed) % p->count];
		medians[k] = bench_median(again, p->count);
	}
	qsort(medians, BOOTSTRAP, sizeof(medians[0]), compare_double);
	return (struct bench_ratio){
		.median = bench_median(ratio, p->count),
		.low = medians[BOOTSTRAP / 40],
		.high = medians[BOOTSTRAP - 1 - BOOTSTRAP / 40],
	};
}

void bench_judge(const char *what, struct bench_ratio r, double bar, const char *note)
{
	bool failed = r.high < bar;

	failures += failed;
	printf("%-34s %6.3f [%.3f, %.3f]  bar %.3f  %s  %s\n", what, r.median, r.low, r.high, bar,
	       failed ? "BELOW" : "ok   ", note);
	fflush(stdout);
}

void bench_at_most(const char *what, double v, double bar, const char *unit, const char *note)
{
	bool failed = !(v <= bar);

	failures += failed;
	printf("%-34s %8.3g %s  bar at most %.3g  %s  %s\n", what, v, unit, bar,
	       failed ? "ABOVE" : "ok   ", note);
	fflush(stdout);
}

unsigned bench_failures(void)
{
	return failures;
}

static double from_env(const char *name, double otherwise)
{
	const char *text = getenv(name);

	return text && atof(text) > 0 ? atof(text) : otherwise;
}

int main(int argc, char **argv)
{
	unsigned pairs = (unsigned)from_env("BENCH_PAIRS", 60);
	const char *build = getenv("BUILD");
	char hotline[512];

	if (pairs > BENCH_MAX_PAIRS)
		pairs = BENCH_MAX_PAIRS;
	snprintf(hotline, sizeof(hotline), "%s/hotline", build ? build : "build");
	for (int i = 1; i < argc || argc == 1; i++) {
		const char *part = argc == 1 ? "all" : argv[i];
		bool all = strcmp(part, "all") == 0;

		if (all || strcmp(part, "snap") == 0)
			bench_snap();
		if (all || strcmp(part, "frame") == 0)
			bench_frame();
		if (all || strcmp(part, "counters") == 0)
			bench_counters(pairs);
		if (all || strcmp(part, "dashboard") == 0)
			bench_dashboard(hotline, from_env("BENCH_SECONDS", 20));
		if (all || strcmp(part, "loops") == 0)
			bench_loops(pairs);
		if (argc == 1)
			break;
	}
	printf("%u bars missed\n", bench_failures());
	return bench_failures() ? 1 : 0;
}
