/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A and B: two configurations, and what was seen of each, window by window.
 *
 * A window is about one second of a measured phase. Windows of one trial follow one another: they
 * are not independent, so this file knows means and spreads and no verdict.
 */
#ifndef HOTLINE_FLOW_AB_H
#define HOTLINE_FLOW_AB_H

#include "probes/value.h"
#include "src/config.h"

#include <stdbool.h>

enum ab_metric { AB_OPS_PER_S, AB_WAIT_P50, AB_WAIT_P99, AB_HOLD_P50, AB_FAIRNESS, AB_METRICS };
enum ab_name { AB_A, AB_B, AB_SIDES };

/* The figures of one window. */
struct ab_window {
	struct value value[AB_METRICS];
};

enum { AB_WINDOWS = 256 }; /* kept of each side; the oldest give way */

/* Written by ab_set() and ab_add(). */
struct ab_side {
	bool set;
	struct config config;
	unsigned count; /* windows ever; the newest is (count - 1) % AB_WINDOWS */
	struct ab_window window[AB_WINDOWS];
};

struct ab {
	struct ab_side side[AB_SIDES];
	unsigned switches; /* trials whose windows went to A or B: ABAB is better than AB */
	bool counted;	   /* the present trial is in switches */
};

/* Mean, spread and number of a metric's windows; missing values are left out and counted. */
struct ab_stat {
	unsigned n, missing;
	struct value mean; /* the reason of the first missing one if there is no other */
	struct value sd;   /* sample standard deviation; WHY_NOT_YET below two windows */
	struct value min, max;
};

/* A configuration becomes A or B; other than before: its windows are forgotten. */
void ab_set(struct ab *ab, enum ab_name name, const struct config *c);

/* Forgets the windows, keeps the configurations. */
void ab_clear(struct ab *ab);

/* A new trial begins: it is counted in switches once a window of it is taken. */
void ab_trial(struct ab *ab);

/* Adds a window of configuration @c to the sides that are it. Returns how many took it. */
unsigned ab_add(struct ab *ab, const struct config *c, const struct ab_window *w);

/* Pure. */
struct ab_stat ab_stat(const struct ab_side *side, enum ab_metric metric);

/* mean B / mean A - 1; the reason of whichever is missing. Pure. */
struct value ab_change(const struct ab *ab, enum ab_metric metric);

/* "throughput", "wait p50", ...; unit "op/s", "ns", "". Threads: any. */
const char *ab_metric_name(enum ab_metric metric);
const char *ab_metric_unit(enum ab_metric metric);

#endif
