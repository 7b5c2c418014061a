/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Search and filter of the tables: a search moves to the rows that fit, from the marked one on; a
 * filter leaves out the others. Both are typed in the title of the table.
 */
#include "ui/keys.h"

#include <string.h>

bool keys_text_edit(char *text, size_t size, unsigned key)
{
	size_t len = strlen(text);

	if (key == KEYCODE_BACKSPACE || key == KEY_DELETE || key == KEY_CTRL_H) {
		if (len)
			text[len - 1] = '\0';
		return true;
	}
	if (key == KEY_CTRL_U) {
		text[0] = '\0';
		return true;
	}
	if (key < ' ' || key >= KEY_DELETE)
		return false;
	if (len + 1 < size) {
		text[len] = (char)key;
		text[len + 1] = '\0';
	}
	return true;
}

static unsigned *marked(struct ui_state *s)
{
	return s->mode == UI_MAIN ? &s->row : &s->cursor;
}

/* The mark has moved: what is around it is shown. */
static struct ui_action moved(struct ui_state *s, const struct model *m)
{
	if (s->mode == UI_MAIN)
		ui_row_show(s, m);
	else
		s->top = ui_list_first(s, ui_list_page(ui_list_rows(s) + 1));
	return keys_act(ACT_REDRAW);
}

static bool fits(const struct ui_state *s, const struct model *m, unsigned index, const char *text)
{
	switch (s->mode) {
	case UI_VARIANTS:
		return strcasestr(m->variant[index].info->name, text) != NULL;
	case UI_WORKLOADS:
		return strcasestr(m->catalog->workload[index].name, text) != NULL;
	case UI_MAIN:
	case UI_HELP:
	case UI_KNOBS:
	case UI_MESSAGES:
	case UI_CPU:
	case UI_CONFIRM:
		break;
	}
	return rows_cpu_matches(&m->cpu[index], text);
}

/* Marks the next row that fits, round the end; @from: the first one that may, @step: 1 or back. */
static struct ui_action search(struct ui_state *s, const struct model *m, unsigned from,
			       unsigned step)
{
	const char *text = ui_find(s)->search;
	unsigned *at = marked(s);
	struct rows rows;

	ui_rows(s, m, &rows);
	for (unsigned i = 0; *text && i < rows.count; i++) {
		unsigned n = (from + i * step) % rows.count;

		if (fits(s, m, rows.at[n], text)) {
			*at = n;
			return moved(s, m);
		}
	}
	return *text ? keys_beep("nothing here matches %s", text) : keys_act(ACT_REDRAW);
}

/* Up and down while searching: the match before or behind the marked row. */
static struct ui_action search_next(struct ui_state *s, const struct model *m, unsigned key)
{
	struct rows rows;
	unsigned step, from;

	ui_rows(s, m, &rows);
	if (!rows.count)
		return keys_beep("there are no rows");
	step = key == KEYCODE_DOWN ? 1 : rows.count - 1;
	from = (*marked(s) + step) % rows.count;
	return search(s, m, from, step);
}

struct ui_action keys_find_open(struct ui_state *s, const struct model *m, enum ui_typing typing)
{
	struct ui_find *f = ui_find(s);

	s->typing = typing;
	/* A filter is changed, a search begins anew. */
	if (typing == TYPING_SEARCH)
		f->search[0] = '\0';
	return moved(s, m);
}

struct ui_action keys_find(struct ui_state *s, const struct model *m, unsigned key)
{
	bool searching = s->typing == TYPING_SEARCH;
	struct ui_find *f = ui_find(s);
	char *text = searching ? f->search : f->filter;
	struct rows rows;

	if (key == KEY_ESC) {
		text[0] = '\0';
		s->typing = TYPING_NOTHING;
		return moved(s, m);
	}
	if (key_is_enter(key)) {
		s->typing = TYPING_NOTHING;
		/* A search has done its work; a filter stays. */
		f->search[0] = '\0';
		return keys_act(ACT_REDRAW);
	}
	if (searching && (key == KEYCODE_UP || key == KEYCODE_DOWN))
		return search_next(s, m, key);
	ui_rows(s, m, &rows);
	if (keys_scroll(marked(s), rows.count ? rows.count - 1 : 0, ui_list_rows(s), key))
		return moved(s, m);
	if (!keys_text_edit(text, sizeof(f->search), key))
		return keys_beep("%s", searching ? "type what to look for; Enter ends, Esc too"
						 : "type what to keep; Enter ends, Esc shows all");
	if (searching)
		return search(s, m, *marked(s), 1);
	*marked(s) = 0;
	return moved(s, m);
}
