/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of the CPU table and of the screen of one CPU; sorting, of the variants too.
 */
#include "ui/keys.h"

#include <stdio.h>
#include <string.h>

#include "ui/columns.h"

/* Takes a mark that stands outside what is shown, after a resize or a new trial, back into it. */
static struct grid_rect settle(struct ui_state *s, const struct model *m)
{
	struct layout l = ui_layout(s, m);

	ui_scroll_clamp(s, m, &l);
	return l.pane[LAYOUT_CPU];
}

struct ui_action keys_cpu_scroll(struct ui_state *s, const struct model *m, unsigned key)
{
	struct grid_rect r = settle(s, m);
	struct rows rows;

	ui_rows(s, m, &rows);
	if (!rows.count)
		return keys_beep(m->cpu_count ? "no CPU passes the filter; Esc clears it"
					      : "there are no rows yet");
	keys_scroll(&s->row, rows.count - 1, r.rows > 2 ? (unsigned)(r.rows - 1) : 1, key);
	ui_row_show(s, m);
	return keys_act(ACT_REDRAW);
}

struct ui_action keys_cpu_enter(struct ui_state *s, const struct model *m)
{
	struct rows rows;

	settle(s, m);
	ui_rows(s, m, &rows);
	if (s->row >= rows.count)
		return keys_beep("there is no CPU to look at");
	s->cpu = m->cpu[rows.at[s->row]].cpu;
	s->mode = UI_CPU;
	s->top = 0;
	return keys_act(ACT_REDRAW);
}

/* Scrolls the counter columns as little as brings column @n into view. */
static void column_show(struct ui_state *s, const struct model *m, unsigned n)
{
	struct layout l = ui_layout(s, m);
	struct columns c = columns_make(m, s, l.pane[LAYOUT_CPU].cols);

	if (n < s->column)
		s->column = n;
	while (s->column < n && n >= c.first + c.shown) {
		s->column++;
		c = columns_make(m, s, l.pane[LAYOUT_CPU].cols);
	}
}

struct ui_action keys_sort(struct ui_state *s, const struct model *m, enum rows_table table)
{
	char *id = s->sort[table].id;
	const char *next = rows_sort_next(m, table, id);
	struct rows_sort sort;

	/* An id of an event that is not counted here is no column: the first one follows. */
	if (*id && !rows_sort_find(m, table, id, &sort))
		next = rows_sort_next(m, table, "");
	snprintf(id, sizeof(s->sort[table].id), "%s", next);
	if (table == ROWS_CPUS && rows_sort_find(m, table, id, &sort) && sort.field)
		column_show(s, m, sort.counter);
	else if (table == ROWS_CPUS)
		s->column = 0;
	return keys_act(ACT_REDRAW);
}

struct ui_action keys_columns(struct ui_state *s, const struct model *m, unsigned key)
{
	unsigned n = ui_counter_columns(m);

	if (!n)
		return keys_beep("no counters were asked for: there are no columns to scroll");
	if (key == '[' && !s->column)
		return keys_beep("these are the first of %u counter columns", n);
	if (key == ']' && s->column + 1 >= n)
		return keys_beep("this is the last of %u counter columns", n);
	s->column += key == ']' ? 1 : -1u;
	return keys_act(ACT_REDRAW);
}

/* Moves to another CPU in the order of the table; one that left it gives way to the nearest. */
static struct ui_action cpu_move(struct ui_state *s, const struct model *m, unsigned key)
{
	unsigned at = s->row;
	struct rows rows;

	ui_rows(s, m, &rows);
	if (!rows.count)
		return keys_beep("there are no other CPUs");
	for (unsigned i = 0; i < rows.count; i++) {
		if (m->cpu[rows.at[i]].cpu == s->cpu)
			at = i;
	}
	if (!keys_scroll(&at, rows.count - 1, 8, key))
		return keys_act(ACT_NONE);
	if (m->cpu[rows.at[at]].cpu == s->cpu)
		return keys_beep("this is the %s of %u CPUs", at ? "last" : "first", rows.count);
	s->row = at;
	s->cpu = m->cpu[rows.at[at]].cpu;
	return keys_act(ACT_REDRAW);
}

/* The first of the counters that one CPU's screen lists. */
static struct ui_action counters_move(struct ui_state *s, const struct model *m, unsigned key)
{
	unsigned n = ui_counter_columns(m);

	if (key == '[' ? !s->top : s->top + 1 >= n)
		return keys_beep("there are no more counters: %u", n);
	s->top += key == ']' ? 1 : -1u;
	return keys_act(ACT_REDRAW);
}

struct ui_action keys_cpu(struct ui_state *s, const struct model *m, unsigned key)
{
	struct ui_action a;

	switch (key) {
	case KEYCODE_UP:
	case KEYCODE_DOWN:
	case KEYCODE_PAGE_UP:
	case KEYCODE_PAGE_DOWN:
	case KEYCODE_HOME:
	case KEYCODE_END:
		return cpu_move(s, m, key);
	case '[':
	case ']':
		return counters_move(s, m, key);
	case KEY_ESC:
	case KEY_ENTER:
	case KEY_LINEFEED:
	case 'q':
		a = keys_leave(s);
		ui_row_show(s, m);
		return a;
	default:
		return keys_beep("arrows go to other CPUs, Esc goes back");
	}
}
