/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All messages, newest first, each with the time it came: a pane on large screens, a list on l. The
 * list begins with what the message line says, where that is no message but a figure's reason.
 */
#include "ui/views.h"

#include <stdio.h>

#include "ui/figure.h"
#include "ui/line.h"

enum { TEXT_COL = 11 }; /* behind "00:01:10 ! " */

static enum grid_role role_of(enum model_severity severity)
{
	switch (severity) {
	case MODEL_NOTE:
		return ROLE_TEXT;
	case MODEL_WARNING:
		return ROLE_WARNING;
	case MODEL_ERROR:
		return ROLE_ERROR;
	}
	return ROLE_TEXT;
}

/* The reason of a missing figure, whole. Returns the rows taken. */
static int draw_reason(const struct model *m, struct grid *g, struct grid_rect r)
{
	char text[384];
	bool is_message;
	enum grid_role role = view_sentence(m, text, sizeof(text), &is_message);

	if (is_message || !*text || r.rows < 2)
		return 0;
	grid_text(g, r.row, r.col, TEXT_COL, ROLE_DIM, "now");
	return line_wrap(g, (struct grid_rect){r.row, r.col + TEXT_COL, r.rows, r.cols - TEXT_COL},
			 2, role, text);
}

static void messages_render(const struct model *m, const struct ui_state *s, struct grid *g,
			    struct grid_rect r)
{
	unsigned kept = m->message_count < MODEL_MESSAGES ? m->message_count : MODEL_MESSAGES;
	unsigned scroll = s->scroll[PANE_MESSAGES];
	char title[64], clock[FIGURE_SIZE];
	int row = 1;

	if (m->message_count > kept)
		snprintf(title, sizeof(title), "messages, newest first, last %u of %u", kept,
			 m->message_count);
	else
		snprintf(title, sizeof(title), "messages, newest first");
	line_rule(g, r, s->mode == UI_MESSAGES || s->pane == PANE_MESSAGES, title, "");
	if (s->mode == UI_MESSAGES && !scroll)
		row += draw_reason(m, g,
				   (struct grid_rect){r.row + row, r.col, r.rows - row, r.cols});
	for (unsigned back = scroll; back < kept && row < r.rows; back++) {
		const struct model_message *msg =
			&m->message[(m->message_count - 1 - back) % MODEL_MESSAGES];
		struct grid_rect text = {r.row + row, r.col + TEXT_COL, r.rows - row,
					 r.cols - TEXT_COL};
		int used;

		grid_printf(g, r.row + row, r.col, r.cols, ROLE_DIM, "%s %c",
			    figure_clock(msg->at_s, clock),
			    msg->severity == MODEL_NOTE ? ' ' : '!');
		used = line_wrap(g, text, 2, role_of(msg->severity), msg->text);
		row += used ? used : 1;
	}
	if (!kept && row < r.rows)
		grid_text(g, r.row + row, r.col + 2, r.cols - 2, ROLE_DIM, "none");
}

const struct view_ops view_messages = {.name = "messages",
				       .pane = LAYOUT_MESSAGES,
				       .render = messages_render};
