/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of the other modes: variants with a search, knobs with an editor, messages, help, a
 * question.
 */
#include "ui/keys.h"

#include <stdio.h>
#include <string.h>

static struct ui_action leave(struct ui_state *s)
{
	s->mode = UI_MAIN;
	s->editing = false;
	s->searching = false;
	return keys_act(ACT_REDRAW);
}

/* Appends or deletes at the end of @text. Only ASCII: names and values of the lab are. */
static bool text_edit(char *text, size_t size, unsigned key)
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

static unsigned variants_shown(const struct ui_state *s, const struct model *m)
{
	unsigned n = 0;

	while (n < m->variant_count && ui_variant_nth(s, m, n) < m->variant_count)
		n++;
	return n;
}

static struct ui_action choose_variant(struct ui_state *s, const struct model *m)
{
	unsigned index = ui_variant_nth(s, m, s->cursor);
	struct ui_action a;

	if (index == m->variant_count)
		return keys_beep("no variant has %s in its name", s->filter);
	a = keys_variant(s, m, index);
	if (a.kind == ACT_VARIANT)
		leave(s);
	return a;
}

/* Typing while the search is open. */
static struct ui_action key_search(struct ui_state *s, unsigned key)
{
	if (key == KEY_ESC) {
		s->searching = false;
		s->filter[0] = '\0';
		s->cursor = 0;
		return keys_act(ACT_REDRAW);
	}
	if (!text_edit(s->filter, sizeof(s->filter), key))
		return keys_beep("type a part of the name; Enter runs the marked variant");
	s->cursor = 0;
	return keys_act(ACT_REDRAW);
}

struct ui_action keys_variants(struct ui_state *s, const struct model *m, unsigned key)
{
	unsigned count = variants_shown(s, m);

	if (keys_scroll(&s->cursor, count ? count - 1 : 0, ui_list_rows(s), key))
		return keys_act(ACT_REDRAW);
	if (key_is_enter(key))
		return choose_variant(s, m);
	if (s->searching)
		return key_search(s, key);
	if (key >= '1' && key <= '9') {
		struct ui_action a = keys_variant(s, m, key - '1');

		if (a.kind == ACT_VARIANT)
			leave(s);
		return a;
	}
	switch (key) {
	case '/':
		s->searching = true;
		s->filter[0] = '\0';
		s->cursor = 0;
		return keys_act(ACT_REDRAW);
	case KEY_ESC:
	case 'q':
	case 'v':
		return leave(s);
	default:
		return keys_beep("Enter runs the marked variant, / searches, Esc goes back");
	}
}

static struct ui_action knob_apply(struct ui_state *s, const struct model *m)
{
	const struct catalog_knob *k = &m->workload->knob[s->cursor];
	struct ui_action a = keys_act(ACT_KNOB);
	struct config_knob set;
	struct err e;

	if (!*s->edit)
		return keys_beep("%s needs a value; Esc leaves it as it is", k->name);
	snprintf(set.name, sizeof(set.name), "%s", k->name);
	snprintf(set.value, sizeof(set.value), "%s", s->edit);
	if (catalog_knob_check(m->workload, m->config.variant, &set, &e) != 0)
		return keys_beep("%s", e.text); /* the text stays to be mended */
	snprintf(a.text, sizeof(a.text), "%s=%s", k->name, s->edit);
	s->editing = false;
	s->frozen = false;
	return a;
}

static struct ui_action knob_edit(struct ui_state *s, const struct model *m)
{
	const struct catalog_knob *k = &m->workload->knob[s->cursor];
	const char *now = catalog_knob_value(m->workload, &m->config, k->name);

	if (!ui_knob_applies(m, s->cursor))
		return keys_beep("%s applies only to %s", k->name, k->only);
	s->editing = true;
	/* A value too long to edit here starts empty rather than cut. */
	snprintf(s->edit, sizeof(s->edit), "%s", strlen(now) < sizeof(s->edit) ? now : "");
	return keys_act(ACT_REDRAW);
}

struct ui_action keys_knobs(struct ui_state *s, const struct model *m, unsigned key)
{
	unsigned count = m->workload ? m->workload->knob_count : 0;

	if (s->cursor >= count)
		s->cursor = 0;
	if (!count)
		return leave(s);
	if (s->editing) {
		if (key_is_enter(key))
			return knob_apply(s, m);
		if (key == KEY_ESC)
			s->editing = false;
		else if (!text_edit(s->edit, sizeof(s->edit), key))
			return keys_beep("Enter starts a trial with this value, Esc cancels");
		return keys_act(ACT_REDRAW);
	}
	if (keys_scroll(&s->cursor, count - 1, ui_list_rows(s), key))
		return keys_act(ACT_REDRAW);
	if (key_is_enter(key))
		return knob_edit(s, m);
	if (key == KEY_ESC || key == 'q' || key == 'k')
		return leave(s);
	return keys_beep("Enter edits the marked knob, Esc goes back");
}

struct ui_action keys_help(struct ui_state *s, const struct model *m, unsigned key)
{
	unsigned lines = ui_help_lines(s), page = ui_list_rows(s);

	(void)m;
	if (keys_scroll(&s->cursor, lines > page ? lines - page : 0, page, key))
		return keys_act(ACT_REDRAW);
	if (key == KEY_ESC || key == 'q' || key == '?' || key == 'h' || key == KEYCODE_F1 ||
	    key_is_enter(key))
		return leave(s);
	return keys_beep("arrows scroll the help, Esc goes back");
}

struct ui_action keys_messages(struct ui_state *s, const struct model *m, unsigned key)
{
	unsigned limit = ui_scroll_limit(s, m, PANE_MESSAGES);

	if (keys_scroll(&s->scroll[PANE_MESSAGES], limit, ui_list_rows(s), key))
		return keys_act(ACT_REDRAW);
	if (key == KEY_ESC || key == 'q' || key == 'l' || key_is_enter(key))
		return leave(s);
	return keys_beep("arrows scroll the messages, Esc goes back");
}

struct ui_action keys_confirm(struct ui_state *s, unsigned key)
{
	if (key == 'y' || key == 'Y') {
		s->mode = UI_MAIN;
		return keys_act(s->confirm_action);
	}
	if (key == 'n' || key == 'N' || key == 'q' || key == KEY_ESC) {
		s->mode = UI_MAIN;
		return keys_act(ACT_REDRAW);
	}
	return keys_beep("press y or n");
}
