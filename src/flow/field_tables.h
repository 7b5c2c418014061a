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

/*
 * A figure of struct counts and the reason of a missing one: two fields, in every table whose rows
 * have counts. @type: what @get and @why find member "counts" in.
 */
#define FIELD_FIGURE(id, head, unit, doc, better, width, scope, get, why, type)                    \
	{#id, head, unit, doc, scope, FIELD_NUMBER, better, width, get,                            \
	 offsetof(type, counts.id)},                                                               \
	{#id "_why", #id "_why", "", "reason of a missing or scaled " #id, scope, FIELD_TEXT,      \
	 BETTER_NONE, 0, why, offsetof(type, counts.id)}

/* All of them, in their order. */
#define FIELD_COUNTS(...)                                                                          \
	FIELD_FIGURE(ipc, "IPC", "", "instructions a cycle", BETTER_NONE, 6, __VA_ARGS__),         \
	FIELD_FIGURE(transfers_per_op, "xfer/op", "",                                              \
		     "cache lines that came from another core's cache, an operation",              \
		     BETTER_LOWER, 7, __VA_ARGS__),                                                \
	FIELD_FIGURE(misses_per_op, "miss/op", "",                                                 \
		     "cache misses an operation; the event says of which level", BETTER_LOWER, 7,  \
		     __VA_ARGS__),                                                                 \
	FIELD_FIGURE(bus_cycles_per_op, "bus/op", "",                                              \
		     "bus cycles an operation; what they are differs by CPU", BETTER_NONE, 7,      \
		     __VA_ARGS__),                                                                 \
	FIELD_FIGURE(switches_per_s, "csw/s", "1/s",                                               \
		     "context switches of the workers, a second", BETTER_LOWER, 6,                 \
		     __VA_ARGS__)

/* All of them. Threads: any. */
extern const struct field_list *const field_lists[FIELD_SCOPES]; /* field.c */

extern const struct field_list field_list_key, field_list_round; /* field_round.c */
extern const struct field_list field_list_cpu, field_list_thread, field_list_lock, field_list_hist,
	field_list_metric; /* field_rows.c */

#endif
