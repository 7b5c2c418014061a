/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line above the key bar: what the user should know now.
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
		{"outside", m->outside_ratio, false},
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

/* The newest of the messages that are kept, of @least severity at least; NULL if there is none. */
static const struct model_message *message_newest(const struct model *m, enum model_severity least)
{
	for (unsigned back = 1; back <= m->message_count && back <= MODEL_MESSAGES; back++) {
		const struct model_message *msg =
			&m->message[(m->message_count - back) % MODEL_MESSAGES];

		if (msg->severity >= least)
			return msg;
	}
	return NULL;
}

/* A fresh message, or while nothing runs well the one that says why; NULL if there is none. */
static const struct model_message *message_now(const struct model *m)
{
	const struct model_message *newest = message_newest(m, MODEL_NOTE);

	if (newest && m->now_s - newest->at_s < message_fresh_s)
		return newest;
	return m->state == MODEL_FAILED    ? message_newest(m, MODEL_ERROR)
	       : m->state == MODEL_STALLED ? message_newest(m, MODEL_WARNING)
					   : NULL;
}

static enum grid_role severity_role(enum model_severity severity)
{
	return severity == MODEL_ERROR     ? ROLE_ERROR
	       : severity == MODEL_WARNING ? ROLE_WARNING
					   : ROLE_TEXT;
}

enum grid_role view_sentence(const struct model *m, char *buf, size_t size, bool *is_message)
{
	const struct model_message *msg = message_now(m);
	struct named_value missing;

	*is_message = msg != NULL;
	if (msg) {
		snprintf(buf, size, "%s%s", msg->severity == MODEL_NOTE ? "" : "! ", msg->text);
		return severity_role(msg->severity);
	}
	if (m->plan.measure == PAGE_MEASURE_OFF && m->wait_ratio.why == WHY_UNSUPPORTED) {
		snprintf(buf, size, "wait and hold n/a:%c - nothing is stamped: measure off (m)",
			 reason_letter(WHY_UNSUPPORTED));
		return ROLE_TEXT;
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

/* What stands in front of the l at the right: how many messages wait, or that one is cut. */
static void tail_text(const struct model *m, bool cut, char *buf, size_t size)
{
	if (cut)
		snprintf(buf, size, "whole: ");
	else if (m->message_count)
		snprintf(buf, size, "%u msg%s: ", m->message_count,
			 m->message_count == 1 ? "" : "s");
	else
		buf[0] = '\0';
}

static void message_render(const struct model *m, const struct ui_state *s, struct grid *g,
			   struct grid_rect r)
{
	char text[384], tail[32];
	struct grid_rect left = r, end = {r.row + r.rows - 1, r.col, 1, r.cols};
	bool is_message;
	enum grid_role role;
	int cells;

	if (s->mode == UI_CONFIRM) {
		line_text(g, r.row, r.col, r.cols, ROLE_WARNING, s->question);
		return;
	}
	role = view_sentence(m, text, sizeof(text), &is_message);
	tail_text(m, false, tail, sizeof(tail));
	cells = *tail ? line_cells(tail) + 3 : 0;
	/* Elsewhere l is a letter that is typed, or the way back. */
	if (r.cols < 40 || (s->mode != UI_MAIN && s->mode != UI_MESSAGES))
		cells = 0;
	else if (line_cells(text) + cells > r.cols * r.rows) {
		/* Nothing is cut silently: the whole of it is under l. */
		tail_text(m, true, tail, sizeof(tail));
		cells = line_cells(tail) + 3;
	}
	left.cols -= cells;
	line_wrap(g, left, 2, role, text);
	if (!cells)
		return;
	grid_text(g, end.row, end.col + end.cols - cells + 2, cells - 3, ROLE_DIM, tail);
	grid_put(g, end.row, end.col + end.cols - 1, 'l', ROLE_KEY);
	grid_touch(g, (struct grid_rect){end.row, end.col + end.cols - cells + 2, 1, cells - 2},
		   TOUCH_KEY, grid_touch_key('l'));
}

const struct view_ops view_message = {.name = "message",
				      .pane = LAYOUT_MESSAGE,
				      .render = message_render};
