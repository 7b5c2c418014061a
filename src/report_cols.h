/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of `hotline run`, as sets of columns.
 */
#ifndef HOTLINE_SRC_REPORT_COLS_H
#define HOTLINE_SRC_REPORT_COLS_H

#include "src/report_table.h"

/*
 * Throughput and its spread; how the threads take turns (the columns of the spinlock experiment);
 * the times of fixed work; waits and holds, a row a lock.
 */
extern const struct report_cols report_throughput, report_turns, report_work, report_locks;

enum { REPORT_COUNTERS = 8 }; /* columns of counters: more would not fit on a line */

/* The columns of a run's counters. Filled by report_counters_make(), not to be copied. */
struct report_counters {
	struct report_cols cols;
	struct report_col col[REPORT_COUNTERS];
	unsigned which[REPORT_COUNTERS];
	unsigned left_out; /* events for which there was no room */
};

/*
 * Instructions a cycle, line transfers, misses and bus cycles an operation, switches a second, each
 * if an event of @l has the role, missing or not; then what else was asked for, an operation. The
 * heads are the labels of the events, so that a miss says of which cache. Software events that
 * nobody asked for have no column, unless there is nothing else.
 * @l: of the rounds; outlives @c.
 */
void report_counters_make(struct report_counters *c, const struct pmu_list *l);

#endif
