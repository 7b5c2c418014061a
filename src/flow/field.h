/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hop 5: the one table of fields. Every value that a person or a file sees comes from it: CSV
 * columns, JSON keys, the dashboard's tables, sort orders, help and doc/fields.
 */
#ifndef HOTLINE_FLOW_FIELD_H
#define HOTLINE_FLOW_FIELD_H

#include "src/flow/round.h"
#include "src/machine.h"

#include <stddef.h>

/* Which table a field belongs to; a row index counts threads, CPUs, locks, buckets or metrics. */
enum field_scope {
	FIELD_KEY, /* first columns of every table */
	FIELD_ROUND,
	FIELD_CPU,
	FIELD_THREAD,
	FIELD_LOCK,
	FIELD_HIST,
	FIELD_METRIC,
	FIELD_SCOPES
};

enum field_kind {
	FIELD_TEXT,
	FIELD_COUNT,  /* whole number */
	FIELD_NUMBER, /* real number, its unit in the name */
	FIELD_FLAG,   /* 0 or 1 */
};

/* Which direction is better, for verdicts. */
enum field_better { BETTER_NONE, BETTER_HIGHER, BETTER_LOWER };

/* Text of a cell: the knobs of a workload at their longest, a list of 2500 scattered CPUs. */
enum { FIELD_TEXT_BYTES = 16384 };

/* One cell: text for FIELD_TEXT, else a value. Not zeroed by whoever declares it: it is large. */
struct field_cell {
	struct value value;
	char text[FIELD_TEXT_BYTES];
};

struct field_input {
	const struct machine *machine;
	const struct round *round;
	unsigned row;
};

struct field {
	const char *id;	    /* CSV column and JSON key; ends in its unit */
	const char *header; /* of the screen, short */
	const char *unit;   /* "ns", "op/s", ""; */
	const char *doc;    /* one line for help and doc/fields */
	enum field_scope scope;
	enum field_kind kind;
	enum field_better better;
	unsigned width;	    /* cells on the screen; 0 = not shown there */
	void (*get)(const struct field *f, const struct field_input *in, struct field_cell *out);
	size_t offset;	    /* of the value that a generic getter fetches, or the event's index */
};

/*
 * The fields of a run: the fixed ones, and behind them four an event in the tables of rounds, CPUs
 * and threads. Made once, const from then on.
 */
struct fields {
	struct field *field[FIELD_SCOPES];
	unsigned count[FIELD_SCOPES];
	void *text; /* names of the event columns */
};

/* @events: of the run; must outlive the rounds, not @fs. NULL = none. Returns 0 or -ENOMEM. */
int fields_init(struct fields *fs, const struct pmu_list *events);
void fields_fini(struct fields *fs);

/*
 * The fields of a scope in column order; @count is set. @fs NULL: the fixed ones alone.
 * Threads: any.
 */
const struct field *field_table(const struct fields *fs, enum field_scope scope, unsigned *count);

/* By id within a scope, or NULL. */
const struct field *field_find(const struct fields *fs, enum field_scope scope, const char *id);

/* How many rows a table has for @r. */
unsigned field_rows(enum field_scope scope, const struct round *r);

/* Fetches one cell. */
void field_get(const struct field *f, const struct field_input *in, struct field_cell *out);

#endif
