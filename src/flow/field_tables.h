/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fixed tables that field.c joins: one file for keys and rounds, one for what has many rows.
 */
#ifndef HOTLINE_FLOW_FIELD_TABLES_H
#define HOTLINE_FLOW_FIELD_TABLES_H

#include "src/flow/field.h"

struct field_list {
	const struct field *field;
	unsigned count;
};

/* All of them. Threads: any. */
extern const struct field_list *const field_lists[FIELD_SCOPES]; /* field.c */

extern const struct field_list field_list_key, field_list_round; /* field_round.c */
extern const struct field_list field_list_cpu, field_list_thread, field_list_lock, field_list_hist,
	field_list_metric; /* field_rows.c */

#endif
