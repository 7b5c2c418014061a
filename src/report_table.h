/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of a report: columns are a getter and a format, rows are configurations or their locks.
 *
 * A round is an observation; a cell shows the median of a configuration's rounds and their spread.
 */
#ifndef HOTLINE_SRC_REPORT_TABLE_H
#define HOTLINE_SRC_REPORT_TABLE_H

#include "probes/value.h"
#include "src/flow/field.h"
#include "src/flow/round.h"
#include "src/machine.h"
#include "src/spec.h"

#include <stdbool.h>
#include <stdio.h>

/* Everything a report is made of. Borrowed during the call only. */
struct report_input {
	const struct machine *machine;
	const struct fields *fields;
	const struct catalog *catalog;
	const struct spec_list *list;
	const struct plan *plan;
	const struct round *const *round; /* finished ones, in the order they were run */
	const unsigned *config;		  /* of each round: its index in the list */
	unsigned round_count;
	bool ascii;			  /* no UTF-8 */
};

/* Median and range of one figure over rounds. */
struct report_stat {
	struct value median, min, max;
	unsigned count; /* rounds that have it; unresolved ones are known to be small and count */
};

/*
 * Summarises @n values. Unresolved ones are below all others: where the middle is one of them the
 * median is unresolved with their largest bound. Other missing ones are left out; if nothing
 * else is there, the median has the reason of the first (WHY_NOT_YET if @n is 0).
 * @v: sorted in place. Pure.
 */
struct report_stat report_stat_make(struct value *v, unsigned n);

/* One line of a table: a configuration, and in some tables one of its locks. */
struct report_row {
	const struct report_input *in;
	unsigned config, role;
};

enum report_format {
	REPORT_SI,    /* median of get() */
	REPORT_RANGE, /* min..max of get() */
	REPORT_NS,    /* median of get(), a time in ns */
	REPORT_PCT,   /* median of get(), a ratio */
	REPORT_TEXT,  /* print() */
};

struct report_col {
	const char *head[2]; /* two lines, the unit in them */
	enum report_format format;
	struct value (*get)(const struct round *r, unsigned which);
	void (*print)(const struct report_row *row, char *buf, unsigned size);
};

/* A set of columns. */
struct report_cols {
	unsigned count;
	bool per_lock; /* a row a lock of each configuration that has stamps */
	const struct report_col *col;
	const unsigned *which; /* a column each: what get() is asked for; NULL = the row's lock */
};

/* The next round of a configuration at or behind @i; round_count if there is none. Pure. */
unsigned report_round_next(const struct report_input *in, unsigned config, unsigned i);

/* How many finished rounds a configuration has. Pure. */
unsigned report_rounds_of(const struct report_input *in, unsigned config);

/* False for a variant that does not claim mutual exclusion. Pure. */
bool report_excludes(const struct report_input *in, unsigned config);

/*
 * Prints a table with an empty line in front, or nothing if it has no rows.
 * Returns the reasons that stand in its cells, bit 1 << enum reason, for the notes.
 */
unsigned report_table(FILE *f, const struct report_input *in, const struct report_cols *cols);

#endif
