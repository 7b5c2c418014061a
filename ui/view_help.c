/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Help: the live key table, and what the letters of missing values and the marks mean.
 */
#include "ui/views.h"

#include <stdio.h>

#include "ui/line.h"

enum { KEYS_COL = 2, TEXT_COL = 14, SIDE_BY_SIDE = 120 };

struct help_line {
	char left[16];
	const char *right;
};

static const struct help_line marks[] = {
	{"~", "multiplexed: scaled up to the whole time"},
	{"<20n", "below what the clock can tell: its bound"},
	{"max seen", "of stamped operations, one in N of all"},
	{"fair", "Jain's index of threads' ops, 1 = all alike"},
	{"wait, hold", "share of all threads' time spent in each"},
	{"run length", "operations in a row by one thread"},
	{"▲ ▼", "sorted by this column: least or most first"},
	{"12 2-5 n1", "CPU ids for / \\; n1 node, c3 core, p0 package"},
	{"mouse", "click: mark, run; wheel: scroll; shift: select"},
};

_Static_assert(sizeof(marks) / sizeof(marks[0]) == UI_HELP_MARKS, "ui_help_lines() counts them");

/* Line @i of the legend: reasons first, then marks. False behind the last. */
static bool legend_line(unsigned i, struct help_line *out)
{
	unsigned reasons = WHY_COUNT - WHY_NOT_YET;

	if (i >= reasons + UI_HELP_MARKS)
		return false;
	if (i >= reasons) {
		*out = marks[i - reasons];
		return true;
	}
	snprintf(out->left, sizeof(out->left), "n/a:%c",
		 reason_letter((enum reason)(WHY_NOT_YET + i)));
	out->right = reason_sentence((enum reason)(WHY_NOT_YET + i));
	return true;
}

/* Line @i of the key table; false behind the last. */
static bool key_line(unsigned i, struct help_line *out)
{
	unsigned count;
	const struct ui_key_info *k = ui_keys(&count);

	if (i >= count)
		return false;
	snprintf(out->left, sizeof(out->left), "%s", k[i].keys);
	out->right = k[i].help;
	return true;
}

static void draw_line(struct grid *g, struct grid_rect r, int row, const struct help_line *h)
{
	grid_text(g, r.row + row, r.col + KEYS_COL, TEXT_COL - KEYS_COL, ROLE_KEY, h->left);
	line_text(g, r.row + row, r.col + TEXT_COL, r.cols - TEXT_COL, ROLE_TEXT, h->right);
}

/* Lines of one list from @skip on. */
static void draw_list(struct grid *g, struct grid_rect r, unsigned skip,
		      bool (*line)(unsigned, struct help_line *))
{
	struct help_line h;

	for (int row = 1; row < r.rows && line(skip + (unsigned)row - 1, &h); row++)
		draw_line(g, r, row, &h);
}

static bool all_line(unsigned i, struct help_line *out)
{
	unsigned keys;

	ui_keys(&keys);
	return i < keys ? key_line(i, out) : legend_line(i - keys, out);
}

static void help_render(const struct model *m, const struct ui_state *s, struct grid *g,
			struct grid_rect r)
{
	bool beside = r.cols >= SIDE_BY_SIDE;
	struct grid_rect left = r, right = r;
	unsigned count = ui_help_lines(s), page = r.rows > 1 ? (unsigned)(r.rows - 1) : 1;
	unsigned first = s->cursor;
	char note[48] = "";

	(void)m;
	if (beside) {
		left.cols = r.cols / 2;
		right.col += left.cols;
		right.cols -= left.cols;
	}
	if (first + page > count)
		first = count > page ? count - page : 0;
	if (count > page)
		snprintf(note, sizeof(note), "%u-%u of %u, arrows scroll", first + 1, first + page,
			 count);
	line_rule(g, left, true, "keys", note);
	draw_list(g, left, first, beside ? key_line : all_line);
	if (beside) {
		line_rule(g, right, false, "what the signs mean", "");
		draw_list(g, right, 0, legend_line);
	}
}

const struct view_ops view_help = {.name = "help", .pane = LAYOUT_CPU, .render = help_render};
