/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is measured (struct config) and how (struct plan).
 *
 * A configuration = workload, variant, threads, placement, CPUs, knobs: what A and B are. A trial's
 * configuration never changes; every change by keypress or SPEC makes a new struct config.
 */
#ifndef HOTLINE_SRC_CONFIG_H
#define HOTLINE_SRC_CONFIG_H

#include "probes/err.h"
#include "probes/page.h"
#include "probes/place.h"

#include <stdbool.h>
#include <stdint.h>

struct config_knob {
	char name[24];
	char value[232]; /* text; valid for the workload's knob table once catalog_check() passed */
};

/* Plain data, copied by value; all text is terminated. */
struct config {
	char workload[32];
	char variant[32];
	unsigned threads; /* 0 = the workload's default, until catalog_complete() */
	enum place_policy place;
	bool place_given; /* the user named a policy: a CPU list is then ordered by it */
	char cpus[256];	  /* the user's list as written, "0,2-5"; "" = all allowed */
	unsigned knob_count;
	struct config_knob knob[PAGE_KNOBS]; /* only those that differ from "unset" */
};

/* How rounds are run; the same for all configurations of one run. */
struct plan {
	enum page_measure measure;
	unsigned sample_n;  /* for PAGE_MEASURE_SAMPLED */
	double duration_s;  /* of one round; 0 = until told (the dashboard) */
	double warmup_s;
	uint64_t ops;	    /* fixed work; 0 = fixed time */
	double limit_s;
	unsigned rounds;
	uint64_t seed;
	double interval_s;  /* of the dashboard's refresh */
};

/* The defaults of interface.md: auto, 1 s, 0.2 s, limit 60 s, 5 rounds, seed 42, 0.25 s. */
struct plan plan_default(void);

/*
 * Sets a knob, replacing an earlier value of that name.
 * Errors: -ENOSPC (more than PAGE_KNOBS), -E2BIG (name or value too long).
 */
int config_knob_set(struct config *c, const char *name, const char *value, struct err *e);

/* The text of a knob, or NULL if it is not set. */
const char *config_knob_get(const struct config *c, const char *name);

/* True if @a and @b are the same configuration (knobs in any order). */
bool config_equal(const struct config *a, const struct config *b);

/* The knobs as "hold_ns=100,think_ns=200", sorted by name; "" if none. Returns @buf. */
char *config_knobs_format(const struct config *c, char *buf, unsigned size);

/*
 * Parses a measuring mode: "auto", "off", "every", "sampled:N".
 * Errors: -EINVAL, the text names the word and what is accepted.
 */
int measure_parse(const char *text, enum page_measure *mode, unsigned *sample_n, struct err *e);

/* The mode as written on the command line, e.g. "sampled:64". Returns @buf. */
char *measure_format(enum page_measure mode, unsigned sample_n, char *buf, unsigned size);

#endif
