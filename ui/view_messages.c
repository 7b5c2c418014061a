/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All messages, newest first, each with the time it came: a pane on large screens, a list on l.
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

static void messages_render(const struct model *m, const struct ui_state *s, struct grid *g,
			    struct grid_rect r)
{
	unsigned kept = m->message_count < MODEL_MESSAGES ? m->message_count : MODEL_MESSAGES;
	char title[64], clock[FIGURE_SIZE];
	int row = 1;

	if (m->message_count > kept)
		snprintf(title, sizeof(title), "messages, newest first, last %u of %u", kept,
			 m->message_count);
	else
		snprintf(title, sizeof(title), "messages, newest first");
	line_rule(g, r, s->mode == UI_MESSAGES || s->pane == PANE_MESSAGES, title, "");
	for (unsigned back = s->scroll[PANE_MESSAGES]; back < kept && row < r.rows; back++) {
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
	if (!kept && r.rows > 1)
		grid_text(g, r.row + 1, r.col + 2, r.cols - 2, ROLE_DIM, "none");
}

const struct view_ops view_messages = {.name = "messages",
				       .pane = LAYOUT_MESSAGES,
				       .render = messages_render};
