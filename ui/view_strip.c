/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All CPUs of the machine at a glance, a cell each: throughput as a level, or why there is none.
 *
 * The table of CPUs may scroll; here a machine of a thousand CPUs is seen whole, idle ones
 * included. Levels are shares of the highest throughput of a CPU.
 */
#include "ui/views.h"

#include <stdio.h>
#include <string.h>

#include "src/text.h"
#include "ui/figure.h"
#include "ui/line.h"
#include "ui/strip.h"

enum { NO_ROW = 0xffff, WORDS_COLS = 60 };

/* What a cell says; signs in the order of the legend. */
enum sign { SIGN_LEVEL, SIGN_OFFLINE, SIGN_IDLE, SIGN_MANY, SIGN_UNKNOWN, SIGN_BARRED, SIGNS };

/* What is looked up once a frame. */
struct facts {
	double top;                     /* the highest throughput; 0 if none is known */
	bool floating;                  /* threads are not pinned */
	bool seen[SIGNS];               /* signs that were drawn */
	unsigned shown;                 /* cells that were drawn */
	unsigned short row[STRIP_CPUS]; /* of each CPU of the topology: its row in the model */
};

static void facts_find(struct facts *f, const struct model *m)
{
	*f = (struct facts){.floating = m->cpu_count == 1 && m->cpu[0].cpu < 0};
	memset(f->row, 0xff, sizeof(f->row));
	for (unsigned i = 0; i < m->cpu_count && i < NO_ROW; i++) {
		const struct model_cpu *c = &m->cpu[i];
		const struct topology_cpu *t = topology_find(m->topology, c->cpu);

		if (!t || t - m->topology->cpu >= STRIP_CPUS)
			continue;
		f->row[t - m->topology->cpu] = (unsigned short)i;
		if (value_known(c->ops_per_s) && c->ops_per_s.v > f->top)
			f->top = c->ops_per_s.v;
	}
}

static enum sign sign_of(const struct topology_cpu *t, const struct model_cpu *c)
{
	if (!t->online || (c && (c->offline || c->ops_per_s.why == WHY_OFFLINE)))
		return SIGN_OFFLINE;
	if (!t->allowed)
		return SIGN_BARRED;
	if (!c || !c->threads)
		return SIGN_IDLE;
	if (c->threads > 1)
		return SIGN_MANY;
	return value_known(c->ops_per_s) ? SIGN_LEVEL : SIGN_UNKNOWN;
}

/* ASCII levels begin with "_.-": the stand-in of a dot would be one of them. */
static const char *idle_sign(const struct grid *g)
{
	return g->tier == TIER_ASCII ? ":" : "·";
}

/* The same for a plus. */
static uint32_t crowd_sign(const struct grid *g)
{
	return g->tier == TIER_ASCII ? '&' : '+';
}

static void draw_cpu(const struct model *m, struct facts *f, unsigned index, struct grid *g,
		     int row, int col)
{
	const struct model_cpu *c = f->row[index] == NO_ROW ? NULL : &m->cpu[f->row[index]];
	enum sign sign = sign_of(&m->topology->cpu[index], c);

	f->seen[sign] = true;
	f->shown++;
	switch (sign) {
	case SIGN_LEVEL:
		grid_spark(g, row, col, f->top > 0 ? c->ops_per_s.v / f->top : 0, ROLE_BAR);
		break;
	case SIGN_OFFLINE:
		grid_put(g, row, col, 'x', ROLE_TEXT);
		break;
	case SIGN_IDLE:
		grid_text(g, row, col, 1, ROLE_DIM, idle_sign(g));
		break;
	case SIGN_MANY:
		grid_put(g, row, col, c->threads > 9 ? crowd_sign(g) : '0' + c->threads, ROLE_BAR);
		break;
	case SIGN_UNKNOWN:
		grid_put(g, row, col, '?', ROLE_DIM);
		break;
	case SIGN_BARRED:
		grid_put(g, row, col, '/', ROLE_DIM);
		break;
	case SIGNS:
		break;
	}
}

static void draw_segment(const struct model *m, const struct strip *s, struct facts *f,
			 const struct strip_segment *seg, struct grid *g, struct grid_rect r)
{
	int at = r.col + seg->col - s->range_cells - s->word_cells;
	char range[STRIP_TEXT];

	if (s->node_cells && seg->node >= 0)
		grid_printf(g, r.row, at - s->node_cells, s->node_cells, ROLE_TEXT, "%s%d",
			    s->word_cells ? "node " : "n", seg->node);
	if (s->word_cells)
		grid_text(g, r.row, at, s->word_cells, ROLE_DIM, seg->is_smt ? "smt" : "cpu");
	if (s->range_cells)
		grid_printf(g, r.row, at + s->word_cells, s->range_cells, ROLE_DIM, "%*s",
			    s->range_cells - 1, strip_range(seg, range));
	for (unsigned i = 0; i < seg->count; i++)
		draw_cpu(m, f, s->order[seg->at + i], g, r.row, r.col + seg->col + (int)i);
}

/* "all 128 CPUs, one cell each: throughput, max 70.1k op/s"; says it where some are not shown. */
static void draw_title(const struct model *m, const struct ui_state *ui, const struct facts *f,
		       struct grid *g, struct grid_rect r)
{
	unsigned all = m->topology->cpu_count;
	bool words = r.cols >= WORDS_COLS;
	char title[128], top[FIGURE_SIZE];
	int used;

	if (f->shown < all)
		used = snprintf(title, sizeof(title), "%u of %u CPUs", f->shown, all);
	else
		used = snprintf(title, sizeof(title), "all %u CPU%s", all, all == 1 ? "" : "s");
	if (words)
		used += snprintf(title + used, sizeof(title) - (size_t)used, ", one cell each");
	if (f->top > 0)
		snprintf(title + used, sizeof(title) - (size_t)used, "%s max %s op/s",
			 words ? ": throughput," : ",", text_si(f->top, top, sizeof(top)));
	line_rule(g, r, ui->pane == PANE_STRIP, title, f->shown < all ? "arrows scroll" : "");
}

/* The signs that there are. */
static void draw_legend(const struct facts *f, struct grid *g, struct grid_rect r)
{
	const struct {
		const char *sign, *word;
	} signs[SIGNS] = {
		[SIGN_LEVEL] = {g->tier == TIER_ASCII ? "_ to #" : "▁ to █", "0 to max"},
		[SIGN_OFFLINE] = {"x", "offline"},
		[SIGN_IDLE] = {idle_sign(g), "no worker"},
		[SIGN_MANY] = {g->tier == TIER_ASCII ? "2-9 &" : "2-9 +", "workers pinned there"},
		[SIGN_UNKNOWN] = {"?", "no figure"},
		[SIGN_BARRED] = {"/", "not allowed"},
	};
	struct line l;

	line_start(&l);
	if (f->floating)
		line_add(&l, 0, ROLE_TEXT, "threads are not pinned: no CPU's part is known");
	for (unsigned i = 0; i < SIGNS; i++) {
		if (!f->seen[i])
			continue;
		line_add(&l, i + 1, ROLE_TEXT, "%s", signs[i].sign);
		line_join(&l, ROLE_DIM, " %s", signs[i].word);
	}
	line_draw(&l, g, r, 3, "");
}

static void strip_render(const struct model *m, const struct ui_state *ui, struct grid *g,
			 struct grid_rect r)
{
	int first = (int)ui->scroll[PANE_STRIP];
	struct grid_rect line = {.col = r.col, .rows = 1, .cols = r.cols};
	struct strip s;
	struct facts f;

	strip_make(&s, m->topology, r.cols);
	if (!s.lines) {
		line_rule(g, r, ui->pane == PANE_STRIP, "CPUs, one cell each", "");
		line_text(g, r.row + r.rows / 2, r.col + 2, r.rows > 1 ? r.cols - 2 : 0, ROLE_DIM,
			  "the CPUs of this machine are not known");
		return;
	}
	facts_find(&f, m);
	for (unsigned i = 0; i < s.segment_count; i++) {
		const struct strip_segment *seg = &s.segment[i];

		line.row = r.row + 1 + seg->line - first;
		if (seg->line >= first && line.row < r.row + r.rows)
			draw_segment(m, &s, &f, seg, g, line);
	}
	line.row = r.row + 1 + s.lines - first;
	line.col += s.word_cells > 0;
	line.cols -= s.word_cells > 0;
	if (line.row < r.row + r.rows)
		draw_legend(&f, g, line);
	draw_title(m, ui, &f, g, r);
}

const struct view_ops view_strip = {.name = "strip", .pane = LAYOUT_STRIP, .render = strip_render};
