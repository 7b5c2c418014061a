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

#endif
