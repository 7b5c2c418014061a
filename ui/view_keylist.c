/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What keys do, for a screen that has room to spare: the head of the help, from the same table.
 */
#include "ui/views.h"

#include <stdio.h>

#include "ui/line.h"

enum { TEXT_COL = 12 };

static void keylist_render(const struct model *m, const struct ui_state *ui, struct grid *g,
			   struct grid_rect r)
{
	unsigned count, shown = r.rows > 1 ? (unsigned)(r.rows - 1) : 0;
	const struct ui_key_info *k = ui_keys(&count);
	char title[32] = "keys";

	(void)m;
	(void)ui;
	if (shown < count)
		snprintf(title, sizeof(title), "keys 1-%u of %u", shown, count);
	else
		shown = count;
	line_rule(g, r, false, title, shown < count ? "all: ?" : "");
	for (unsigned i = 0; i < shown; i++) {
		int row = r.row + 1 + (int)i;

		line_text(g, row, r.col + 1, r.cols < TEXT_COL ? r.cols - 1 : TEXT_COL - 2,
			  ROLE_KEY, k[i].keys);
		line_text(g, row, r.col + TEXT_COL, r.cols - TEXT_COL, ROLE_TEXT, k[i].help);
	}
}

const struct view_ops view_keylist = {.name = "key list",
				      .pane = LAYOUT_KEYLIST,
				      .render = keylist_render};
