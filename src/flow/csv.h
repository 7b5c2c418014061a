/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hop 6a: snapshot and series files; doc/fields lists their columns. RFC 4180, header line, dot
 * decimals in every locale, full precision, empty cell for a missing number.
 */
#ifndef HOTLINE_FLOW_CSV_H
#define HOTLINE_FLOW_CSV_H

#include "src/flow/field.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

/* Writes the header line of a table. @f: any stream; @fs: of the run. Returns 0 or -EIO. */
int csv_header(FILE *f, const struct fields *fs, enum field_scope scope);

/* Writes all rows that @r has in a table. Returns 0, -EIO or -ENOMEM. */
int csv_rows(FILE *f, const struct fields *fs, enum field_scope scope, const struct machine *m,
	     const struct round *r);

/*
 * A stem none of whose files exists.
 * @stem: as the user gave it; NULL = "hotline-WORKLOAD-YYYYMMDDTHHMMSSZ" in the current folder.
 * "-2", "-3", ... is appended while a file of that stem exists. Returns @buf.
 */
char *csv_stem_free(const char *stem, const char *workload, time_t now, char *buf, unsigned size);

/* The word of a table in its file's name: "rounds", "cpus", ...; NULL for FIELD_KEY. */
const char *csv_table_name(enum field_scope scope);

/* One cell of text, quoted only where RFC 4180 wants it, and @end: what separates or ends. */
void csv_cell(FILE *f, const char *text, char end);

/*
 * A number as the files have it: the shortest text that reads back the same, a dot in every locale.
 */
char *csv_number(double v, char *buf, unsigned size);

/*
 * Writes a snapshot: STEM-rounds.csv, -cpus, -threads, -locks, -hist, -metrics. Each is written to
 * a temporary name, fsynced and renamed; on any failure those already renamed are removed, so a
 * snapshot is complete or absent. An existing file is never overwritten.
 * Errors: -EEXIST, -ENOSPC, -EROFS, -EACCES, ...: the text names the file and what to do.
 */
int csv_snapshot(const char *stem, const struct fields *fs, const struct machine *m,
		 const struct round *const *rounds, unsigned count, struct err *e);

/* A recording: STEM-series.csv, one row a refresh, flushed each time. */
struct csv_series {
	FILE *f;
	const struct fields *fields;
	char path[512];
	uint64_t rows;
	off_t bytes; /* up to the last complete row */
};

/*
 * Opens a series file (never overwrites). Errors as csv_snapshot(). csv_series_add() appends the
 * round so far; an error closes the file, with what was written kept whole up to the last complete
 * row.
 */
int csv_series_open(struct csv_series *s, const char *stem, const struct fields *fs, struct err *e);
int csv_series_add(struct csv_series *s, const struct machine *m, const struct round *r,
		   struct err *e);
void csv_series_close(struct csv_series *s);

#endif
