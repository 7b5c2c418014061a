/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CPU table: pictures in the middle give way to figures at the right end.
 */
#include "ui/columns.h"

static bool any_crowded(const struct model *m)
{
	for (unsigned i = 0; i < m->cpu_count; i++) {
		if (m->cpu[i].threads > 1)
			return true;
	}
	return false;
}

/* Cells that bars and histories keep at least when counters want room. */
static int picture_cells(const struct ui_state *s, int cols)
{
	return s->zoomed ? 10 : cols < 120 ? 14 : cols / 3;
}

/* Counters stand at the right end, as many as leave room for @left cells of the other columns. */
static void counters_place(struct columns *c, const struct model *m, const struct ui_state *s,
			   int cols, int left)
{
	int used = 0;

	if (cols < 60)
		return;
	c->counter_count = counters_fields(m, c->field, COUNTERS_MAX);
	c->first = s->column < c->counter_count ? s->column : 0;
	/* The last cell is for the hint that there are more. */
	c->shown = counters_fit(c->field, c->counter_count, c->first, cols - left - 1, &used);
	c->counters = cols - used - (c->first + c->shown < c->counter_count);
}

struct columns columns_make(const struct model *m, const struct ui_state *s, int cols)
{
	struct columns c = {.counters = cols};
	int at = COLUMNS_CPU_CELLS + 1;
	int end;

	if (cols >= 60) {
		c.core = at;
		c.core_cells = m->events && cols < 100 ? COLUMNS_NODE_CELLS : COLUMNS_CORE_CELLS;
		at += c.core_cells;
	}
	if (any_crowded(m)) {
		c.threads = at;
		at += COLUMNS_THREADS_CELLS;
	}
	counters_place(&c, m, s, cols, at + picture_cells(s, cols) + COLUMNS_RATE_CELLS);
	end = c.counters;
	/* Where there are counters a share is the first to give way. */
	if (cols >= 34 && end - at - COLUMNS_RATE_CELLS - COLUMNS_SHARE_CELLS >=
				  (c.shown ? picture_cells(s, cols) + COLUMNS_SHARE_CELLS : 1)) {
		c.share = end - COLUMNS_SHARE_CELLS;
		end -= COLUMNS_SHARE_CELLS;
	}
	c.rate = end - COLUMNS_RATE_CELLS;
	end -= COLUMNS_RATE_CELLS;
	c.bar = at;
	c.bar_cells = end - at - 1;
	if (cols >= 60 && c.bar_cells >= 12) {
		c.history_cells = c.bar_cells * 2 / 5;
		if (c.history_cells > MODEL_CPU_HISTORY)
			c.history_cells = MODEL_CPU_HISTORY;
		c.bar_cells -= c.history_cells + 2;
		c.history = c.bar + c.bar_cells + 2;
	}
	return c;
}
