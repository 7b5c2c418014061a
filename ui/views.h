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

struct timeline;

/* One view: draws into its rectangle and nowhere else (the grid clips the rest). */
struct view_ops {
	const char *name;
	enum layout_pane pane; /* the pane of the main screen it fills */
	void (*render)(const struct model *m, const struct ui_state *s, struct grid *g,
		       struct grid_rect r);
};

extern const struct view_ops view_header;  /* state, configuration, totals */
extern const struct view_ops view_history; /* total throughput over time */
extern const struct view_ops view_strip;   /* a cell a CPU */
extern const struct view_ops view_cpu;     /* a row a CPU */
extern const struct view_ops view_wait;    /* histograms */
extern const struct view_ops view_hold;
extern const struct view_ops view_heat; /* waits over time */
extern const struct view_ops view_run;
extern const struct view_ops view_ab;       /* A against B; a line or a table */
extern const struct view_ops view_variants; /* one line or a table, by the rows it gets */
extern const struct view_ops view_messages;
extern const struct view_ops view_keylist; /* what keys do, as far as there is room */
extern const struct view_ops view_message; /* the one line */
extern const struct view_ops view_keys;    /* the key bar */

/* What a mode shows instead of the panes. */
extern const struct view_ops view_variant_list;
extern const struct view_ops view_knobs;
extern const struct view_ops view_help;
extern const struct view_ops view_workloads;
extern const struct view_ops view_cpu_detail;

/*
 * The marks of the history in one row, a letter and what changed, each in the column of its
 * sample; @col: of the first column. Words that would run into the next mark are left out: the
 * letter stays.
 */
void view_marks_draw(const struct model *m, const struct timeline *t, struct grid *g, int row,
		     int col);

/*
 * What the message line says now: the newest message, or else what is missing and why. Returns its
 * role; @is_message: it stands in the list of messages.
 */
enum grid_role view_sentence(const struct model *m, char *buf, size_t size, bool *is_message);

/*
 * The title of a list of choices: "choose a variant", or what is typed. Returns @buf.
 */
char *view_list_title(const struct ui_state *s, const char *noun, const struct rows *rows,
		      char *buf, size_t size);

/* The glyph of a sort order: ▼ largest first, ▲ smallest first. */
uint32_t view_sort_mark(const struct rows_sort *sort);

/* True if @variant is the one that runs. */
bool view_variant_is_current(const struct model *m, const struct model_variant *v);

/* " (no exclusion)" for a variant that does not claim mutual exclusion, else "". */
const char *view_variant_note(const struct catalog_variant *v);

#endif
