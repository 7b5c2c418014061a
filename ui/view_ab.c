/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A and B side by side: mean and spread of each figure over the windows of either, and how far B
 * lies from A.
 *
 * No verdict stands here: windows of one trial follow one another and are not independent.
 */
#include "ui/views.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/flow/ab.h"
#include "src/text.h"
#include "ui/ab_text.h"
#include "ui/figure.h"
#include "ui/line.h"

enum {
	NAME_CELLS = 12,  /* "throughput  " */
	MEAN_CELLS = 6,   /* "3.74M", right-aligned */
	SD_CELLS = 9,     /* " ±48.2k", " +-48.2k" */
	RANGE_CELLS = 16, /* "  3.61M to 3.80M" */
	CHANGE_CELLS = 9, /* "  +123.4%" */
	COUNT_CELLS = 10, /* "   256+256" */
	GAP = 3,          /* between A and B */
	LEAST_CELLS = NAME_CELLS + 2 * MEAN_CELLS + GAP + CHANGE_CELLS,
};

static const char *const side_name[AB_SIDES] = {"A", "B"};
static const enum grid_role side_role[AB_SIDES] = {ROLE_A, ROLE_B};

/* Which columns there is room for; the name, two means and the change always stand. */
struct table {
	bool sd, range, count;
	int cells; /* of a side */
};

static struct table table_make(int cols)
{
	struct table t = {.cells = MEAN_CELLS};
	int used = LEAST_CELLS;

	if (used + 2 * SD_CELLS <= cols) {
		t.sd = true;
		t.cells += SD_CELLS;
		used += 2 * SD_CELLS;
	}
	if (used + COUNT_CELLS <= cols) {
		t.count = true;
		used += COUNT_CELLS;
	}
	if (t.sd && t.count && used + 2 * RANGE_CELLS <= cols) {
		t.range = true;
		t.cells += RANGE_CELLS;
	}
	return t;
}

/* True for the side that the trial which runs now belongs to. */
static bool runs_now(const struct model *m, enum ab_name name)
{
	const struct ab_side *s = &m->ab.side[name];

	return s->set && m->state != MODEL_IDLE && config_equal(&s->config, &m->config);
}

/* What two texts may take of @room cells: each its half, and what the other one leaves. */
static void room_share(int room, int a, int b, int limit[AB_SIDES])
{
	int half = room / 2;

	limit[AB_A] = a < half || a + b <= room ? a : b < half ? room - b : half;
	limit[AB_B] = b < room - limit[AB_A] ? b : room - limit[AB_A];
}

/* "mcs  A 2 threads  B 3 threads", or "A mcs  B clh", on the rule. Returns the cells taken. */
static int draw_names(const struct model *m, struct grid *g, struct grid_rect r)
{
	const struct config *a = &m->ab.side[AB_A].config, *b = &m->ab.side[AB_B].config;
	char text[AB_SIDES][AB_TEXT];
	int limit[AB_SIDES], col = 0, labels = 2 * 3 + 2;

	for (int i = 0; i < r.cols; i++)
		grid_put(g, r.row, r.col + i, ' ', ROLE_RULE);
	if (ab_text_both(&m->ab) && !strcmp(a->variant, b->variant))
		col = line_text(g, r.row, r.col, r.cols / 3, ROLE_TEXT, a->variant) + 2;
	for (unsigned i = 0; i < AB_SIDES; i++)
		ab_text_differs(&m->ab, i, text[i], AB_TEXT);
	room_share(r.cols - col - labels, line_cells(text[AB_A]), line_cells(text[AB_B]), limit);
	for (unsigned i = 0; i < AB_SIDES && col < r.cols; i++) {
		if (runs_now(m, i))
			col += grid_text(g, r.row, r.col + col, r.cols - col, ROLE_TITLE, "●");
		col += grid_text(g, r.row, r.col + col, r.cols - col, side_role[i], side_name[i]);
		col += 1 + line_text(g, r.row, r.col + col + 1, limit[i],
				     m->ab.side[i].set ? ROLE_TEXT : ROLE_DIM, text[i]);
		col += i == AB_A ? 2 : 0;
	}
	return col;
}

/* "1-2 of 5": the figures that are shown, if it is not all of them. */
static void part_text(int first, int shown, char *buf, size_t size)
{
	buf[0] = '\0';
	if (shown == 1)
		snprintf(buf, size, "%d of %d", first + 1, AB_METRICS);
	else if (shown < AB_METRICS)
		snprintf(buf, size, "%d-%d of %d", first + 1, first + shown, AB_METRICS);
}

/* How many windows, and how they came about; as much of it as @room takes. */
static void note_text(const struct model *m, int first, int shown, int room, char *buf, size_t size)
{
	const struct ab *ab = &m->ab;
	unsigned a = ab->side[AB_A].count, b = ab->side[AB_B].count;
	const char *last = a > AB_WINDOWS || b > AB_WINDOWS ? "last " : "", *gap;
	char how[32] = "not interleaved", part[24], seconds[FIGURE_SIZE], n[32];

	a = a < AB_WINDOWS ? a : AB_WINDOWS;
	b = b < AB_WINDOWS ? b : AB_WINDOWS;
	part_text(first, shown, part, sizeof(part));
	gap = *part ? "   " : "";
	figure_seconds(m->window_s, seconds);
	if (ab->switches > 2)
		snprintf(how, sizeof(how), "in %u turns", ab->switches);
	if (ab_text_both(ab))
		snprintf(n, sizeof(n), "%u+%u", a, b);
	else
		snprintf(n, sizeof(n), "%u", a + b);
	snprintf(buf, size, "%s%s%s%s window%s of %s%s%s", part, gap, last, n,
		 ab_text_both(ab) || a + b != 1 ? "s" : "", seconds, ab_text_both(ab) ? ", " : "",
		 ab_text_both(ab) ? how : "");
	if (line_cells(buf) > room)
		snprintf(buf, size, "%s%s%s%s windows", part, gap, last, n);
	if (line_cells(buf) > room)
		snprintf(buf, size, "%s%sn %s", part, gap, n);
	if (line_cells(buf) > room)
		snprintf(buf, size, "%s", part);
	if (line_cells(buf) > room)
		buf[0] = '\0';
}

static void draw_title(const struct model *m, const struct ui_state *ui, struct grid *g,
		       struct grid_rect r, int shown)
{
	enum { BEFORE = 6, LEAST_NOTE = 12 };
	struct grid_rect names = {r.row, r.col + BEFORE, 1, r.cols - BEFORE - LEAST_NOTE};
	char note[160];
	int used, cells;

	line_rule(g, r, ui->pane == PANE_AB, "A/B", "");
	if (names.cols < LEAST_NOTE)
		return;
	used = draw_names(m, g, names);
	note_text(m, (int)ui->scroll[PANE_AB], shown, r.cols - BEFORE - used - 5, note,
		  sizeof(note));
	cells = line_cells(note);
	for (int i = r.col + BEFORE + used + 1; i < r.col + r.cols; i++)
		grid_rule(g, r.row, i, 1);
	if (!cells)
		return;
	grid_put(g, r.row, r.col + r.cols - cells - 3, ' ', ROLE_RULE);
	grid_text(g, r.row, r.col + r.cols - cells - 2, cells, ROLE_TEXT, note);
	grid_put(g, r.row, r.col + r.cols - 2, ' ', ROLE_RULE);
}

static char *metric_text(struct value v, enum ab_metric metric, char buf[FIGURE_SIZE])
{
	if (!strcmp(ab_metric_unit(metric), "ns"))
		return text_value_ns(v, false, buf, FIGURE_SIZE);
	return text_value(v, buf, FIGURE_SIZE);
}

/* "+4.1%"; from 100 % on without decimals. From integers: no locale changes the dot. */
static char *change_text(struct value v, char buf[FIGURE_SIZE])
{
	unsigned n = (unsigned)lround(fmin(fabs(v.v), 9999) * 1000);
	const char *sign = v.v < 0 ? "-" : "+";

	if (!value_known(v))
		return text_value(v, buf, FIGURE_SIZE);
	if (n >= 1000)
		snprintf(buf, FIGURE_SIZE, "%s%u%%", sign, (n + 5) / 10);
	else
		snprintf(buf, FIGURE_SIZE, "%s%u.%u%%", n ? sign : "", n / 10, n % 10);
	return buf;
}

/* Padded by cells: "µ" and "±" are two bytes. Draws the text right-aligned, ending at @end. */
static void draw_right(struct grid *g, int row, int end, enum grid_role role, const char *text)
{
	int cells = line_cells(text);

	grid_text(g, row, end - cells, cells, role, text);
}

/* Two cells where one can not be had: the column has room. */
static const char *plus_minus(const struct grid *g)
{
	return g->tier == TIER_ASCII ? "+-" : "±";
}

static void draw_side(const struct ab_stat *s, enum ab_metric metric, const struct table *t,
		      struct grid *g, int row, int col)
{
	enum grid_role role = value_known(s->mean) ? ROLE_TEXT : ROLE_DIM;
	char buf[FIGURE_SIZE], other[FIGURE_SIZE];

	draw_right(g, row, col + MEAN_CELLS, role, metric_text(s->mean, metric, buf));
	col += MEAN_CELLS;
	if (t->sd && s->n) {
		grid_printf(g, row, col, SD_CELLS, ROLE_DIM, " %s%s", plus_minus(g),
			    metric_text(s->sd, metric, buf));
		col += SD_CELLS;
	}
	if (t->range && s->n)
		grid_printf(g, row, col, RANGE_CELLS, ROLE_DIM, "  %s to %s",
			    metric_text(s->min, metric, buf), metric_text(s->max, metric, other));
}

static void draw_metric(const struct ab *ab, enum ab_metric metric, const struct table *t,
			bool arrow, struct grid *g, struct grid_rect r)
{
	struct ab_stat a = ab_stat(&ab->side[AB_A], metric), b = ab_stat(&ab->side[AB_B], metric);
	struct value change = ab_change(ab, metric);
	int col = r.col + NAME_CELLS;
	char buf[FIGURE_SIZE];

	line_text(g, r.row, r.col, NAME_CELLS - 1, ROLE_TEXT, ab_metric_name(metric));
	draw_side(&a, metric, t, g, r.row, col);
	col += t->cells;
	if (arrow)
		grid_put(g, r.row, col + 1, 0x2192, ROLE_RULE);
	col += GAP;
	draw_side(&b, metric, t, g, r.row, col);
	col += t->cells + CHANGE_CELLS;
	draw_right(g, r.row, col, value_known(change) ? ROLE_TEXT : ROLE_DIM,
		   change_text(change, buf));
	if (!t->count)
		return;
	snprintf(buf, sizeof(buf), "%s%u+%u", arrow ? "n " : "", a.n, b.n);
	draw_right(g, r.row, col + COUNT_CELLS, ROLE_DIM, buf);
}

static void draw_heads(const struct table *t, struct grid *g, struct grid_rect r)
{
	int col = r.col + NAME_CELLS;
	int change = col + 2 * t->cells + GAP + CHANGE_CELLS;

	grid_text(g, r.row, r.col, NAME_CELLS, ROLE_LABEL, "metric");
	for (unsigned i = 0; i < AB_SIDES; i++, col += t->cells + GAP) {
		draw_right(g, r.row, col + MEAN_CELLS, side_role[i],
			   t->sd ? i ? "B mean" : "A mean" : side_name[i]);
		if (t->sd)
			grid_printf(g, r.row, col + MEAN_CELLS, SD_CELLS, ROLE_LABEL, " %ssd",
				    plus_minus(g));
		if (t->range)
			grid_text(g, r.row, col + MEAN_CELLS + SD_CELLS, RANGE_CELLS, ROLE_LABEL,
				  "  least to most");
	}
	draw_right(g, r.row, change, ROLE_LABEL, "B vs A");
	if (t->count)
		draw_right(g, r.row, change + COUNT_CELLS, ROLE_LABEL, "windows");
}

/* What the rows below the table are good for; most wanted first. */
static void draw_rest(const struct model *m, struct grid *g, struct grid_rect r)
{
	char text[AB_TEXT + 40], whole[AB_TEXT];

	if (r.rows < 1)
		return;
	line_text(g, r.row, r.col, r.cols, ROLE_DIM,
		  "Means and spread, no verdict: windows of one trial are not independent.");
	for (unsigned i = 0; i < AB_SIDES && r.rows > 2; i++) {
		const struct ab_side *s = &m->ab.side[i];
		int used;

		r.row++;
		r.rows--;
		ab_text_whole(s, whole, sizeof(whole));
		snprintf(text, sizeof(text), "%s is %s%s", side_name[i],
			 s->set      ? whole
			 : i == AB_A ? "not set: press a"
				     : "not set: press b",
			 runs_now(m, i) ? "; it runs now" : "");
		used = line_wrap(g, r, 5, ROLE_TEXT, text);
		grid_text(g, r.row, r.col, 1, side_role[i], side_name[i]);
		r.row += used - 1;
		r.rows -= used - 1;
	}
}

/* All in one line, without a rule: "A mcs 3.74M  B clh 3.63M  -3.0%". */
static void draw_line(const struct model *m, struct grid *g, struct grid_rect r)
{
	char buf[FIGURE_SIZE];
	struct line l;

	line_start(&l);
	for (unsigned i = 0; i < AB_SIDES; i++) {
		const struct ab_side *s = &m->ab.side[i];

		line_add(&l, i, side_role[i], "%s%s", runs_now(m, i) ? "●" : "", side_name[i]);
		if (!s->set) {
			line_join(&l, ROLE_DIM, " not set");
			continue;
		}
		line_join(&l, ROLE_TEXT, " %s %s", s->config.variant,
			  metric_text(ab_stat(s, AB_OPS_PER_S).mean, AB_OPS_PER_S, buf));
	}
	if (ab_text_both(&m->ab))
		line_join(&l, ROLE_TEXT, "  %s", change_text(ab_change(&m->ab, AB_OPS_PER_S), buf));
	line_draw(&l, g, r, 2, "");
}

static void ab_render(const struct model *m, const struct ui_state *ui, struct grid *g,
		      struct grid_rect r)
{
	int indent = r.col > 0 || r.cols >= 60;
	struct grid_rect row = {r.row + 1, r.col + indent, 1, r.cols - indent};
	struct table t = table_make(row.cols);
	bool heads = r.rows > AB_METRICS + 1;
	int first = heads ? 0 : (int)ui->scroll[PANE_AB];
	int shown = r.rows - 1 - heads;

	if (r.rows == 1 || row.cols < LEAST_CELLS) {
		if (r.rows > 1)
			line_rule(g, r, ui->pane == PANE_AB, "A/B", "");
		row.row = r.rows > 1 ? row.row : r.row;
		draw_line(m, g, row);
		return;
	}
	if (!m->ab.side[AB_A].set && !m->ab.side[AB_B].set) {
		line_rule(g, r, ui->pane == PANE_AB, "A/B", "");
		line_text(g, row.row, r.col + 2, r.cols - 2, ROLE_DIM,
			  "a marks this configuration as A, b as B");
		return;
	}
	shown = shown > AB_METRICS - first ? AB_METRICS - first : shown;
	draw_title(m, ui, g, r, shown);
	if (heads) {
		draw_heads(&t, g, row);
		row.row++;
	}
	for (int i = first; i < first + shown; i++, row.row++)
		draw_metric(&m->ab, (enum ab_metric)i, &t, !heads, g, row);
	row.rows = r.row + r.rows - row.row;
	draw_rest(m, g, row);
}

const struct view_ops view_ab = {.name = "A/B", .pane = LAYOUT_AB, .render = ab_render};
