/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `hotline run` prints: a table for people, CSV and JSON for programs, one line of progress.
 */
#ifndef HOTLINE_SRC_REPORT_H
#define HOTLINE_SRC_REPORT_H

#include "src/report_table.h"

#include <stdio.h>

/* The table, with notes on what is missing. Whether @f could be written is the caller's to see. */
void report_text(FILE *f, const struct report_input *in);

/* The -rounds table. Returns 0 or -EIO. */
int report_csv(FILE *f, const struct report_input *in);

/*
 * {"rounds": [...]}: keys are the field table's ids; a missing number is null, with its reason
 * under ID_why; "cpu_rows", "thread_rows", "lock_rows", "metric_rows" hold what these tables hold.
 * Returns 0, -EIO or -ENOMEM.
 */
int report_json(FILE *f, const struct report_input *in);

/* Where a run is. */
struct report_progress {
	unsigned number, total; /* rounds of all configurations, 1.. */
	const char *label, *state;
	double left_s;		/* < 0 = not known */
};

/* Rewrites the line of progress on a terminal; report_progress_clear() removes it. */
void report_progress(FILE *f, const struct report_progress *p);
void report_progress_clear(FILE *f);

#endif
