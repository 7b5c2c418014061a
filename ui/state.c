/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the state means for the frame: its layout, how far a pane scrolls, what a filter lets
 * through.
 */
#include "ui/state.h"

#include "src/flow/ab.h"
#include "ui/counters.h"
#include "ui/strip.h"

static const struct {
	const char *name;
	enum layout_pane layout;
} panes[PANE_COUNT] = {
	[PANE_HISTORY] = {"throughput", LAYOUT_HISTORY},
	[PANE_STRIP] = {"strip", LAYOUT_STRIP},
	[PANE_CPU] = {"CPU", LAYOUT_CPU},
	[PANE_WAIT] = {"wait", LAYOUT_WAIT},
	[PANE_HOLD] = {"hold", LAYOUT_HOLD},
	[PANE_HEAT] = {"heat map", LAYOUT_HEAT},
	[PANE_RUN] = {"run length", LAYOUT_RUN},
	[PANE_AB] = {"A/B", LAYOUT_AB},
	[PANE_VARIANTS] = {"variants", LAYOUT_VARIANTS},
	[PANE_MESSAGES] = {"messages", LAYOUT_MESSAGES},
};

struct ui_state ui_state_default(void)
{
	return (struct ui_state){.cols = 80, .rows = 24, .pane = PANE_CPU, .cpu = -1};
}

void ui_resize(struct ui_state *s, unsigned cols, unsigned rows)
{
	s->cols = cols;
	s->rows = rows;
}

enum layout_pane ui_layout_pane(enum ui_pane pane)
{
	return panes[pane].layout;
}

const char *ui_pane_name(enum ui_pane pane)
{
	return panes[pane].name;
}

struct layout ui_layout_main(const struct ui_state *s, const struct model *m)
{
	struct layout_input in = {
		.cols = s->cols,
		.rows = s->rows,
		.cpus = m->cpu_count,
		.variants = m->variant_count,
		.have_ab = m->ab.side[AB_A].set || m->ab.side[AB_B].set,
	};
	struct strip strip;

	strip_make(&strip, m->topology, layout_strip_cols(s->cols, s->rows));
	/* And a line that explains the signs. */
	in.strip_lines = strip.lines ? (unsigned)strip.lines + 1 : 0;
	ui_keys(&in.keys);
	return layout_main(&in);
}

struct layout ui_layout(const struct ui_state *s, const struct model *m)
{
	switch (s->mode) {
	case UI_VARIANTS:
		return layout_zoom(s->cols, s->rows, LAYOUT_VARIANTS);
	case UI_MESSAGES:
		return layout_zoom(s->cols, s->rows, LAYOUT_MESSAGES);
	case UI_HELP:
	case UI_KNOBS:
	case UI_WORKLOADS:
	case UI_CPU:
		return layout_zoom(s->cols, s->rows, LAYOUT_CPU);
	case UI_MAIN:
	case UI_CONFIRM:
		break;
	}
	if (s->zoomed)
		return layout_zoom(s->cols, s->rows, ui_layout_pane(s->pane));
	return ui_layout_main(s, m);
}

/* @count rows in a pane of @rows with its rule. */
static unsigned rows_beyond(unsigned count, int rows)
{
	unsigned page = rows > 1 ? (unsigned)(rows - 1) : 1;

	return count > page ? count - page : 0;
}

/* The lines of the strip that its pane does not show. */
static unsigned strip_beyond(const struct model *m, struct grid_rect r)
{
	struct strip strip;

	strip_make(&strip, m->topology, r.cols);
	return rows_beyond((unsigned)strip.lines, r.rows);
}

/* The rows of the CPU table that its filter lets through. */
static unsigned cpus_shown(const struct ui_state *s, const struct model *m)
{
	struct rows rows;

	rows_cpus(&rows, m, "", s->cpus.filter);
	return rows.count;
}

/* How far a pane scrolls in layout @l. */
static unsigned limit_in(const struct ui_state *s, const struct model *m, const struct layout *l,
			 enum ui_pane pane)
{
	struct grid_rect r = l->pane[panes[pane].layout];

	switch (pane) {
	case PANE_STRIP:
		return r.rows > 1 ? strip_beyond(m, r) : 0;
	case PANE_CPU:
		return rows_beyond(cpus_shown(s, m), r.rows);
	case PANE_VARIANTS:
		return r.rows > 1 ? rows_beyond(m->variant_count, r.rows) : 0;
	case PANE_WAIT:
	case PANE_HOLD:
		return m->role_count ? m->role_count - 1 : 0;
	case PANE_AB:
		return r.rows > 1 ? rows_beyond(AB_METRICS, r.rows) : 0;
	case PANE_MESSAGES:
		/* Long messages wrap: only the last one is sure to fit. */
		if (!m->message_count)
			return 0;
		return (m->message_count < MODEL_MESSAGES ? m->message_count : MODEL_MESSAGES) - 1;
	case PANE_HISTORY:
	case PANE_HEAT:
	case PANE_RUN:
	case PANE_COUNT:
		break;
	}
	return 0;
}

unsigned ui_scroll_limit(const struct ui_state *s, const struct model *m, enum ui_pane pane)
{
	struct layout l = ui_layout(s, m);

	return limit_in(s, m, &l, pane);
}

/* The rows of the CPU pane below its rule, 1 or more. */
static unsigned cpu_page(const struct layout *l)
{
	int rows = l->pane[LAYOUT_CPU].rows - 1;

	return rows > 1 ? (unsigned)rows : 1;
}

void ui_scroll_clamp(struct ui_state *s, const struct model *m, const struct layout *l)
{
	for (unsigned p = 0; p < PANE_COUNT; p++) {
		unsigned limit = s->scroll[p] ? limit_in(s, m, l, p) : 0;

		if (s->scroll[p] > limit)
			s->scroll[p] = limit;
	}
	if (s->row < s->scroll[PANE_CPU])
		s->row = s->scroll[PANE_CPU];
	else if (s->row - s->scroll[PANE_CPU] >= cpu_page(l))
		s->row = s->scroll[PANE_CPU] + cpu_page(l) - 1;
	if (s->row) {
		unsigned count = cpus_shown(s, m);

		if (s->row >= count)
			s->row = count ? count - 1 : 0;
	}
}

void ui_row_show(struct ui_state *s, const struct model *m)
{
	struct layout l = ui_layout(s, m);
	unsigned page = cpu_page(&l), *first = &s->scroll[PANE_CPU];

	if (s->row < *first)
		*first = s->row;
	else if (s->row - *first >= page)
		*first = s->row - page + 1;
}

unsigned ui_list_rows(const struct ui_state *s)
{
	struct layout l = layout_zoom(s->cols, s->rows, LAYOUT_CPU);
	int rows = l.pane[LAYOUT_CPU].rows - 1;

	return rows > 1 ? (unsigned)rows : 1;
}

unsigned ui_list_page(unsigned rows)
{
	if (rows < 2)
		return 1;
	return rows >= 8 ? rows - 4 : rows - 1;
}

unsigned ui_list_first(const struct ui_state *s, unsigned page)
{
	if (s->cursor < s->top)
		return s->cursor;
	return s->cursor - s->top >= page ? s->cursor - page + 1 : s->top;
}

void ui_rows(const struct ui_state *s, const struct model *m, struct rows *r)
{
	switch (s->mode) {
	case UI_VARIANTS:
		rows_variants(r, m, s->sort[ROWS_VARIANTS].id, s->list.filter);
		return;
	case UI_WORKLOADS:
		rows_workloads(r, m, s->list.filter);
		return;
	case UI_MAIN:
	case UI_CPU:
		rows_cpus(r, m, s->sort[ROWS_CPUS].id, s->cpus.filter);
		return;
	case UI_HELP:
	case UI_KNOBS:
	case UI_MESSAGES:
	case UI_CONFIRM:
		break;
	}
	r->count = 0;
}

struct ui_find *ui_find(struct ui_state *s)
{
	return s->mode == UI_VARIANTS || s->mode == UI_WORKLOADS ? &s->list : &s->cpus;
}

unsigned ui_counter_columns(const struct model *m)
{
	const struct field *field[COUNTERS_MAX];

	return counters_fields(m, field, COUNTERS_MAX);
}

bool ui_knob_applies(const struct model *m, unsigned knob)
{
	return catalog_knob_applies(&m->workload->knob[knob], m->config.variant);
}
