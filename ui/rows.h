/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which rows a table shows, and in what order: the filter and the sort column of the user.
 *
 * Only indices are sorted, never the model: a row keeps its CPU or variant, whatever stands above.
 * Rows without a value in the sort column come last, in the model's order, and so do ties.
 */
#ifndef HOTLINE_UI_ROWS_H
#define HOTLINE_UI_ROWS_H

#include "src/flow/model.h"

#include <stdbool.h>
#include <stdint.h>

/* Indices into the model's table; made by rows_*(), 8 KiB, on the caller's stack. */
struct rows {
	unsigned count;
	uint16_t at[PAGE_SLOTS];
};

enum rows_table { ROWS_CPUS, ROWS_VARIANTS, ROWS_TABLES };

enum { ROWS_SORT_BYTES = 128 }; /* an id of the field table and its end */

/* A column that a table may be sorted by. */
struct rows_sort {
	const char *id;	    /* of the field table, "cpu" for the kernel id */
	const char *header; /* as the table shows it */
	bool largest_first;
	const struct field *field; /* of a counter, else NULL */
	unsigned counter;	   /* its place among the counter columns */
};

/*
 * Finds the sort column @id of a table; "" is the model's order and no column. False if there is
 * none of this name, as when its event is not counted: then the model's order holds.
 */
bool rows_sort_find(const struct model *m, enum rows_table table, const char *id,
		    struct rows_sort *out);

/* The column behind @id, "" behind the last one. Valid as long as the model's fields are. */
const char *rows_sort_next(const struct model *m, enum rows_table table, const char *id);

/* True if a table has a sort column of this name on some machine: what a file may hold. */
bool rows_sort_valid(enum rows_table table, const char *id);

/*
 * The rows of the CPU table. @filter: as rows_cpu_matches(). Pure.
 * Cost: n log n of the CPUs if sorted, else n.
 */
void rows_cpus(struct rows *r, const struct model *m, const char *sort, const char *filter);

/* The variants whose names have @filter in them. Pure. */
void rows_variants(struct rows *r, const struct model *m, const char *sort, const char *filter);

/* The same for the workloads of the catalogue, in its order. */
void rows_workloads(struct rows *r, const struct model *m, const char *filter);

/*
 * True if a CPU is meant by @text: terms joined by blanks or commas, any of which may fit. A term
 * is a kernel id "12" or a range "2-5" of them, or a place: "n1" NUMA node, "c12" core, "p0"
 * package, and several together, "n1c12". A letter without its number fits all; "" fits all.
 */
bool rows_cpu_matches(const struct model_cpu *c, const char *text);

/* The figures of a variant: live if it runs, else of its last trial. */
struct rows_variant {
	bool live;
	struct value ops_per_s, wait_p50_ns, wait_p99_ns, fairness;
};
struct rows_variant rows_variant_figures(const struct model *m, const struct model_variant *v);

#endif
