/* SPDX-License-Identifier: MIT */
/*
 * A number that may be missing, and why: a missing number is never 0.
 *
 * Every figure that a person or a file sees travels as struct value. Screen, CSV
 * and text print the reason of a missing one by its letter, word or sentence,
 * all three from the one table in value.c.
 */
#ifndef HOTLINE_PROBES_VALUE_H
#define HOTLINE_PROBES_VALUE_H

#include <stdbool.h>

enum reason {
	WHY_OK,		   /* a plain number */
	WHY_SCALED,	   /* a number, multiplexed: scaled by enabled / running */
	WHY_NOT_YET,	   /* no finished interval yet */
	WHY_UNSUPPORTED,   /* this CPU, variant or kernel cannot tell */
	WHY_DENIED,	   /* permission, container or lockdown */
	WHY_NOT_SCHEDULED, /* the counter never got a hardware slot */
	WHY_IMPLAUSIBLE,   /* the counter failed the start-up self-test */
	WHY_OFFLINE,	   /* the CPU is offline */
	WHY_NOT_ALLOWED,   /* the CPU is outside the cpuset or mask */
	WHY_LOST,	   /* the source ended or was overwritten */
	WHY_UNPINNED,	   /* threads float: no per-CPU truth */
	WHY_UNRESOLVED,	   /* smaller than the clock can tell; v holds the bound */
	WHY_COUNT
};

struct value {
	double v;	 /* meaningful only if value_known(), or as a bound if WHY_UNRESOLVED */
	enum reason why; /* WHY_OK: a plain number */
};

static inline struct value value_of(double v)
{
	return (struct value){.v = v, .why = WHY_OK};
}

static inline struct value value_missing(enum reason why)
{
	return (struct value){.v = 0, .why = why};
}

/* True if v is a number that may be computed with. */
static inline bool value_known(struct value x)
{
	return x.why == WHY_OK || x.why == WHY_SCALED;
}

/*
 * @num / @den; the reason of the first missing one if either is missing,
 * WHY_NOT_YET if @den is 0: no division by zero ever leaves a NaN.
 */
struct value value_ratio(struct value num, struct value den);

/* The letter of the screen ("n/a:u"); '\0' for WHY_OK. Threads: any. */
char reason_letter(enum reason why);

/* The word of CSV and JSON, e.g. "not-yet"; "" for WHY_OK. Threads: any. */
const char *reason_word(enum reason why);

/* The sentence of the message line, no full stop; "" for WHY_OK. Threads: any. */
const char *reason_sentence(enum reason why);

#endif
