/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last two lines: what the user should know now, and what he can press.
 */
#include "ui/views.h"

#include <stdio.h>
#include <string.h>

#include "src/text.h"
#include "ui/counters.h"
#include "ui/line.h"

/* A message younger than this stands before an explanation. */
static const double message_fresh_s = 10;

struct named_value {
	char name[24];
	struct value value;
	bool is_ns;
};

/* True for a reason that a reader may wonder about. */
static bool wants_words(struct value v)
{
	return v.why != WHY_OK && v.why != WHY_NOT_YET;
}

/* The first figure of the frame that is no plain number, in reading order. */
static bool missing_first(const struct model *m, struct named_value *out)
{
	const struct named_value all[] = {
		{"total", m->ops_per_s, false},
		{"mean", m->ops_per_s_mean, false},
		{"fair", m->fairness_jain, false},
		{"wait", m->wait_ratio, false},
		{"hold", m->hold_ratio, false},
		{"clocks/op", m->clocks_per_op, false},
		{"handovers/op", m->handovers_per_op, false},
		{"wait p50", m->wait[0].stat.p50_ns, true},
		{"hold p50", m->hold[0].stat.p50_ns, true},
		{"run length", m->run_mean, false},
		{"self", m->self_cpu_ratio, false},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (wants_words(all[i].value)) {
			*out = all[i];
			return true;
		}
	}
	for (unsigned i = 0; i < m->cpu_count; i++) {
		if (wants_words(m->cpu[i].ops_per_s)) {
			snprintf(out->name, sizeof(out->name), "cpu %d op/s", m->cpu[i].cpu);
			out->value = m->cpu[i].ops_per_s;
			out->is_ns = false;
			return true;
		}
	}
	return false;
}

static const struct model_message *message_newest(const struct model *m)
{
	if (!m->message_count)
		return NULL;
	return &m->message[(m->message_count - 1) % MODEL_MESSAGES];
}

static enum grid_role severity_role(enum model_severity severity)
{
	return severity == MODEL_ERROR     ? ROLE_ERROR
	       : severity == MODEL_WARNING ? ROLE_WARNING
					   : ROLE_TEXT;
}

/* One sentence; returns its role. */
static enum grid_role sentence(const struct model *m, char *buf, size_t size)
{
	const struct model_message *newest = message_newest(m);
	bool bad = m->state == MODEL_FAILED || m->state == MODEL_STALLED;
	struct named_value missing;

	if (newest && (bad || m->now_s - newest->at_s < message_fresh_s)) {
		snprintf(buf, size, "%s%s", newest->severity == MODEL_NOTE ? "" : "! ",
			 newest->text);
		return severity_role(newest->severity);
	}
	if (missing_first(m, &missing)) {
		char figure[24];

		if (missing.is_ns)
			text_value_ns(missing.value, false, figure, sizeof(figure));
		else
			text_value(missing.value, figure, sizeof(figure));
		snprintf(buf, size, "%s %s - %s", missing.name, figure,
			 reason_sentence(missing.value.why));
		return ROLE_TEXT;
	}
	if (!counters_sentence(m, buf, size))
		buf[0] = '\0';
	return ROLE_TEXT;
}

static void message_render(const struct model *m, const struct ui_state *s, struct grid *g,
			   struct grid_rect r)
{
	char text[384], count[32] = "";
	int tail = 0;
	enum grid_role role;

	if (s->mode == UI_CONFIRM) {
		line_text(g, r.row, r.col, r.cols, ROLE_WARNING, s->question);
		return;
	}
	if (m->message_count && r.cols >= 40) {
		snprintf(count, sizeof(count), "%u msg%s: ", m->message_count,
			 m->message_count == 1 ? "" : "s");
		tail = line_cells(count) + 1;
		grid_text(g, r.row, r.col + r.cols - tail, tail, ROLE_DIM, count);
		grid_put(g, r.row, r.col + r.cols - 1, 'l', ROLE_KEY);
		tail += 2;
	}
	role = sentence(m, text, sizeof(text));
	line_text(g, r.row, r.col, r.cols - tail, role, text);
}

const struct view_ops view_message = {.name = "message",
				      .pane = LAYOUT_MESSAGE,
				      .render = message_render};

/* Keys of the modes that have their own; the main screen's come from the key table. */
struct bar_entry {
	const char *keys, *label;
};

static const struct bar_entry help_bar[] = {{"Esc", "back"}, {"↑↓", "scroll"}, {"F10", "quit"}};
static const struct bar_entry list_bar[] = {
	{"Esc", "back"}, {"Enter", "run it"}, {"↑↓", "move"}, {"/", "search"}, {"1-9", "run"},
};
static const struct bar_entry search_bar[] = {{"Esc", "all"},
					      {"Enter", "run it"},
					      {"↑↓", "move"},
					      {"letters", "narrow the list"}};
static const struct bar_entry knobs_bar[] = {{"Esc", "back"}, {"Enter", "edit"}, {"↑↓", "move"}};
static const struct bar_entry edit_bar[] = {{"Esc", "cancel"},
					    {"^U", "empty"},
					    {"Enter", "start a trial with it"}};
static const struct bar_entry confirm_bar[] = {{"y", "yes"}, {"n", "no"}};

static void add_entry(struct line *l, unsigned rank, const char *keys, const char *label)
{
	line_add(l, rank, ROLE_KEY, "%s", keys);
	line_join(l, ROLE_TEXT, " %s", label);
}

static void add_entries(struct line *l, const struct bar_entry *e, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_entry(l, (unsigned)i, e[i].keys, e[i].label);
}

/* Help and quit, the last two of the bar, stay longest; the others go from the right. */
static void add_main(struct line *l)
{
	unsigned count, last;
	const struct ui_key_info *k = ui_keys(&count);

	for (last = count; last > 0 && !*k[last - 1].bar; last--)
		;
	for (unsigned i = 0; i < last; i++) {
		unsigned rank = i + 3;

		if (!*k[i].bar)
			continue;
		if (!strcmp(k[i].bar, "quit"))
			rank = 0;
		else if (!strcmp(k[i].bar, "help"))
			rank = 1;
		add_entry(l, rank, k[i].keys, k[i].bar);
	}
}

static void keys_render(const struct model *m, const struct ui_state *s, struct grid *g,
			struct grid_rect r)
{
	struct line l;

	(void)m;
	line_start(&l);
	switch (s->mode) {
	case UI_MAIN:
		add_main(&l);
		break;
	case UI_HELP:
	case UI_MESSAGES:
		add_entries(&l, help_bar, sizeof(help_bar) / sizeof(help_bar[0]));
		break;
	case UI_VARIANTS:
		if (s->searching)
			add_entries(&l, search_bar, sizeof(search_bar) / sizeof(search_bar[0]));
		else
			add_entries(&l, list_bar, sizeof(list_bar) / sizeof(list_bar[0]));
		break;
	case UI_KNOBS:
		if (s->editing)
			add_entries(&l, edit_bar, sizeof(edit_bar) / sizeof(edit_bar[0]));
		else
			add_entries(&l, knobs_bar, sizeof(knobs_bar) / sizeof(knobs_bar[0]));
		break;
	case UI_CONFIRM:
		add_entries(&l, confirm_bar, sizeof(confirm_bar) / sizeof(confirm_bar[0]));
		break;
	}
	line_draw(&l, g, r, r.cols >= 120 ? 3 : 2, "");
}

const struct view_ops view_keys = {.name = "keys", .pane = LAYOUT_KEYS, .render = keys_render};
