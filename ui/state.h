/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the user has chosen to look at, and what a key means.
 *
 * Keys never do anything by themselves: ui_key() changes only struct ui_state and returns an
 * action, which the app carries out. So every key is testable without a terminal.
 */
#ifndef HOTLINE_UI_STATE_H
#define HOTLINE_UI_STATE_H

#include "src/flow/model.h"
#include "ui/layout.h"
#include "ui/rows.h"

#include <stdbool.h>

/* In the order of tab. */
enum ui_pane {
	PANE_HISTORY,
	PANE_STRIP,
	PANE_CPU,
	PANE_WAIT,
	PANE_HOLD,
	PANE_HEAT,
	PANE_RUN,
	PANE_AB,
	PANE_VARIANTS,
	PANE_MESSAGES,
	PANE_COUNT
};

enum ui_mode {
	UI_MAIN,
	UI_HELP,
	UI_VARIANTS, /* the list of all variants, v */
	UI_KNOBS,    /* list and edit knobs, k */
	UI_MESSAGES, /* all messages, l */
	UI_WORKLOADS, /* the list of all workloads, w */
	UI_CPU,	     /* all that is known of one CPU */
	UI_CONFIRM,  /* a question: y or n */
};

/* What is typed in a table or list: its search or its filter. */
enum ui_typing { TYPING_NOTHING, TYPING_SEARCH, TYPING_FILTER };

/* Both of one table; a search moves to the rows that fit, a filter leaves out those that do not. */
struct ui_find {
	char search[32], filter[32];
};

/* The column that a table is sorted by: an id as ui/rows.h has them. */
struct ui_sort {
	char id[ROWS_SORT_BYTES]; /* "" = none: the model's order */
};

/* Written by ui_key() and ui_resize() only; read by views. */
struct ui_state {
	unsigned cols, rows; /* of the screen: what a page is, which panes tab can reach */
	enum ui_mode mode;
	enum ui_pane pane; /* focused */
	bool zoomed;       /* the focused pane fills the screen */
	bool frozen;       /* display stands still, workers go on */
	unsigned scroll[PANE_COUNT];
	unsigned column; /* first counter column of the CPU table */
	unsigned row;	 /* marked in the CPU table: its place in what is shown */
	int cpu;	 /* UI_CPU: the kernel id looked at; -1 = the row of unpinned threads */
	unsigned cursor; /* row of the list in a mode that has one; first line in UI_HELP */
	unsigned top;	 /* of that list: the first row shown; in UI_CPU: the first counter */
	bool editing;	 /* UI_KNOBS: text is being typed */
	char edit[64];
	struct ui_sort sort[ROWS_TABLES];
	enum ui_typing typing;
	struct ui_find cpus, list; /* of the CPU table; of the list in UI_VARIANTS, UI_WORKLOADS */
	char question[96]; /* UI_CONFIRM */
	enum ui_action_kind {
		ACT_NONE,
		ACT_REDRAW,  /* state changed: draw now */
		ACT_REPAINT, /* Ctrl-L: clear and draw everything */
		ACT_QUIT,
		ACT_SUSPEND,
		ACT_VARIANT, /* index */
		ACT_WORKLOAD, /* index in the catalogue: with its defaults */
		ACT_THREADS, /* number: the new thread count */
		ACT_PLACE,   /* next policy */
		ACT_MEASURE, /* next mode */
		ACT_KNOB,    /* text "name=value" */
		ACT_MARK_A, /* the present configuration becomes A, or B */
		ACT_MARK_B,
		ACT_SNAPSHOT,
		ACT_RECORD, /* toggle */
		ACT_FREEZE, /* toggle happened in state.frozen */
		ACT_CLEAR,
		ACT_SAVE,    /* the settings */
		ACT_RESTART, /* Enter or r when no trial runs: start it again */
		ACT_BEEP,    /* the key means nothing here: text says what would */
	} confirm_action;    /* what a 'y' carries out */
};

struct ui_action {
	enum ui_action_kind kind;
	unsigned index;
	long number;
	char text[192];
};

/* Key codes above any code point, as ui/term.c reports them. */
enum ui_keycode {
	KEYCODE_UP = 0x110000,
	KEYCODE_DOWN,
	KEYCODE_LEFT,
	KEYCODE_RIGHT,
	KEYCODE_PAGE_UP,
	KEYCODE_PAGE_DOWN,
	KEYCODE_HOME,
	KEYCODE_END,
	KEYCODE_BACKSPACE,
	KEYCODE_F1,
	KEYCODE_F10,
	KEYCODE_BACKTAB,
	KEYCODE_MOUSE, /* see term_mouse(): for ui_mouse(), never for ui_key() */
};

/* What the mouse did, and where: row and column of the screen from 0. */
struct ui_mouse {
	enum ui_mouse_kind { MOUSE_PRESS, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN } kind;
	unsigned row, col;
};

/* A line of the key table: help, key bar and dispatch all come from it. */
struct ui_key_info {
	const char *keys; /* as shown: "1-9", "+ -" */
	const char *bar;  /* short label of the key bar; "" = only in the help */
	const char *help; /* one line */
	unsigned code[6]; /* the keys it answers to; 0 ends the list */
	unsigned last;    /* 0, or the end of the range that begins at code[0] */
	struct ui_action (*run)(struct ui_state *s, const struct model *m, unsigned key);
};

/* The key table of the main screen. Threads: any. */
const struct ui_key_info *ui_keys(unsigned *count);

/* Start values: 80x24, the CPU pane focused. */
struct ui_state ui_state_default(void);

/* The screen has another size now. Call before the first frame and after each resize. */
void ui_resize(struct ui_state *s, unsigned cols, unsigned rows);

/* The layout of the frame that @s and @m ask for. Pure. */
struct layout ui_layout(const struct ui_state *s, const struct model *m);

/* The same with no pane zoomed and in no mode: what tab can reach. */
struct layout ui_layout_main(const struct ui_state *s, const struct model *m);

/* Where a pane of the main screen is laid out. */
enum layout_pane ui_layout_pane(enum ui_pane pane);

/* The name of a pane, for messages and help. */
const char *ui_pane_name(enum ui_pane pane);

/*
 * The rows that the list of the mode shows, as indices into the model's table; in UI_MAIN and
 * UI_CPU those of the CPU table. None in modes without rows.
 */
void ui_rows(const struct ui_state *s, const struct model *m, struct rows *r);

/* What is typed for the list of the mode, as ui_rows(). */
struct ui_find *ui_find(struct ui_state *s);

/* Moves the CPU pane so that the marked row is in it. */
void ui_row_show(struct ui_state *s, const struct model *m);

/* The largest scroll position of a pane at which its last row still stands at the bottom. */
unsigned ui_scroll_limit(const struct ui_state *s, const struct model *m, enum ui_pane pane);

/*
 * The same for all panes in layout @l of them: what is scrolled further goes back to it, and the
 * marked row of the CPU table into what is shown.
 */
void ui_scroll_clamp(struct ui_state *s, const struct model *m, const struct layout *l);

/* The rows that a list of the mode shows at once, 1 or more. */
unsigned ui_list_rows(const struct ui_state *s);

/* The rows of choices in a list of @rows with its rule: the last three describe the marked one. */
unsigned ui_list_page(unsigned rows);

/* The first row that a list of @page rows shows: as it stood, but the marked row is in it. */
unsigned ui_list_first(const struct ui_state *s, unsigned page);

enum { UI_HELP_MARKS = 9 }; /* lines on marks in the help, behind keys and reasons */

/* The lines of the help: with 120 columns and more the keys alone, signs stand beside them. */
unsigned ui_help_lines(const struct ui_state *s);

/* The counter columns that the CPU table would show if there were room. */
unsigned ui_counter_columns(const struct model *m);

/* True if the knob applies to the current variant. */
bool ui_knob_applies(const struct model *m, unsigned knob);

/*
 * Applies one key. @key: a code point, a control character (1..31) or enum ui_keycode.
 * Pure but for @s. Cost: none.
 */
struct ui_action ui_key(struct ui_state *s, const struct model *m, unsigned key);

/*
 * Applies what the mouse did on the frame @g, the last one that was drawn. The wheel scrolls what
 * is under the pointer; a press focuses a pane, marks a row (again: enters it), runs a variant,
 * presses a key of the key bar. Pure but for @s.
 */
struct ui_action ui_mouse(struct ui_state *s, const struct model *m, const struct grid *g,
			  const struct ui_mouse *e);

#endif
