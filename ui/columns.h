/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the columns of the CPU table stand.
 */
#ifndef HOTLINE_UI_COLUMNS_H
#define HOTLINE_UI_COLUMNS_H

#include "ui/counters.h"
#include "ui/state.h"

enum {
	COLUMNS_CPU_CELLS = 4,
	COLUMNS_CORE_CELLS = 8,	   /* " n0c12  " */
	COLUMNS_NODE_CELLS = 4,	   /* " n12" where counters need the room */
	COLUMNS_THREADS_CELLS = 6, /* "×1024 " */
	COLUMNS_RATE_CELLS = 7,
	COLUMNS_SHARE_CELLS = 7,
};

/* From the pane's left edge; cells = 0: no room for it. The kernel id is at the edge itself. */
struct columns {
	int core, core_cells, threads, bar, bar_cells, history, history_cells, rate, share,
		counters;
	unsigned counter_count; /* of them all, shown from field[first] on */
	unsigned first, shown;
	const struct field *field[COUNTERS_MAX];
};

/* For a pane of @cols cells. Pure. */
struct columns columns_make(const struct model *m, const struct ui_state *s, int cols);

#endif
