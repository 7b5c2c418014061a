/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Views: pure functions from a finished model and the user's state to cells, one file each;
 * ui/view.c puts them into its table.
 */
#ifndef HOTLINE_UI_VIEWS_H
#define HOTLINE_UI_VIEWS_H

#include "src/flow/model.h"
#include "ui/grid.h"
#include "ui/layout.h"
#include "ui/state.h"

#include <stdbool.h>

/* One view: draws into its rectangle and nowhere else (the grid clips the rest). */
struct view_ops {
	const char *name;
	enum layout_pane pane; /* the pane of the main screen it fills */
	void (*render)(const struct model *m, const struct ui_state *s, struct grid *g,
		       struct grid_rect r);
};

extern const struct view_ops view_header;  /* state, configuration, totals */
extern const struct view_ops view_history; /* total throughput over time */
extern const struct view_ops view_cpu;     /* a row a CPU */
extern const struct view_ops view_wait;    /* histograms */
extern const struct view_ops view_hold;
extern const struct view_ops view_run;
extern const struct view_ops view_variants; /* one line or a table, by the rows it gets */
extern const struct view_ops view_messages;
extern const struct view_ops view_message; /* the one line */
extern const struct view_ops view_keys;    /* the key bar */

/* What a mode shows instead of the panes. */
extern const struct view_ops view_variant_list;
extern const struct view_ops view_knobs;
extern const struct view_ops view_help;

/* True if @variant is the one that runs. */
bool view_variant_is_current(const struct model *m, const struct model_variant *v);

/* " (no exclusion)" for a variant that does not claim mutual exclusion, else "". */
const char *view_variant_note(const struct catalog_variant *v);

#endif
