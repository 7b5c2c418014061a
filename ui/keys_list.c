/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of the lists: variants, workloads, knobs with an editor, messages, help; a question.
 */
#include "ui/keys.h"

#include <stdio.h>
#include <string.h>

struct ui_action keys_leave(struct ui_state *s)
{
	s->mode = UI_MAIN;
	s->editing = false;
	s->typing = TYPING_NOTHING;
	return keys_act(ACT_REDRAW);
}

/* Moves in a list of choices. False: another key. */
static bool list_scroll(struct ui_state *s, unsigned count, unsigned key)
{
	unsigned page = ui_list_page(ui_list_rows(s) + 1);

	if (!keys_scroll(&s->cursor, count ? count - 1 : 0, page, key))
		return false;
	s->top = ui_list_first(s, page);
	return true;
}

/* The marked choice as an index into the model's table; false and a sentence if there is none. */
static bool chosen(const struct ui_state *s, const struct model *m, unsigned *index)
{
	struct rows rows;

	ui_rows(s, m, &rows);
	*index = s->cursor < rows.count ? rows.at[s->cursor] : 0;
	return s->cursor < rows.count;
}

static struct ui_action choose_variant(struct ui_state *s, const struct model *m)
{
	struct ui_action a;
	unsigned index;

	if (!chosen(s, m, &index))
		return keys_beep("no variant has %s in its name", s->list.filter);
	a = keys_variant(s, m, index);
	if (a.kind == ACT_VARIANT)
		keys_leave(s);
	return a;
}

static struct ui_action choose_workload(struct ui_state *s, const struct model *m)
{
	struct ui_action a;
	unsigned index;

	if (!chosen(s, m, &index))
		return keys_beep("no workload has %s in its name", s->list.filter);
	keys_leave(s);
	a = keys_trial(s, ACT_WORKLOAD);
	a.index = index;
	return a;
}

/* Keys that variants and workloads have in common. */
static struct ui_action key_choices(struct ui_state *s, const struct model *m, unsigned key,
				    unsigned opener)
{
	if (key == '/' || key == '\\')
		return keys_find_open(s, m, key == '/' ? TYPING_SEARCH : TYPING_FILTER);
	if (key == KEY_ESC && s->list.filter[0]) {
		s->list.filter[0] = '\0';
		s->cursor = s->top = 0;
		return keys_act(ACT_REDRAW);
	}
	if (key == KEY_ESC || key == 'q' || key == opener)
		return keys_leave(s);
	return keys_beep("Enter runs the marked one, / searches, \\ filters, Esc goes back");
}

struct ui_action keys_variants(struct ui_state *s, const struct model *m, unsigned key)
{
	struct rows rows;

	if (key_is_enter(key))
		return choose_variant(s, m);
	if (s->typing)
		return keys_find(s, m, key);
	ui_rows(s, m, &rows);
	if (list_scroll(s, rows.count, key))
		return keys_act(ACT_REDRAW);
	if (key >= '1' && key <= '9') {
		struct ui_action a = keys_variant(s, m, key - '1');

		if (a.kind == ACT_VARIANT)
			keys_leave(s);
		return a;
	}
	if (key == 's')
		return keys_sort(s, m, ROWS_VARIANTS);
	return key_choices(s, m, key, 'v');
}

struct ui_action keys_workloads(struct ui_state *s, const struct model *m, unsigned key)
{
	struct rows rows;

	if (key_is_enter(key))
		return choose_workload(s, m);
	if (s->typing)
		return keys_find(s, m, key);
	ui_rows(s, m, &rows);
	if (list_scroll(s, rows.count, key))
		return keys_act(ACT_REDRAW);
	return key_choices(s, m, key, 'w');
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
		return keys_leave(s);
	if (s->editing) {
		if (key_is_enter(key))
			return knob_apply(s, m);
		if (key == KEY_ESC)
			s->editing = false;
		else if (!keys_text_edit(s->edit, sizeof(s->edit), key))
			return keys_beep("Enter starts a trial with this value, Esc cancels");
		return keys_act(ACT_REDRAW);
	}
	if (keys_scroll(&s->cursor, count - 1, ui_list_rows(s), key))
		return keys_act(ACT_REDRAW);
	if (key_is_enter(key))
		return knob_edit(s, m);
	if (key == KEY_ESC || key == 'q' || key == 'k')
		return keys_leave(s);
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
		return keys_leave(s);
	return keys_beep("arrows scroll the help, Esc goes back");
}

struct ui_action keys_messages(struct ui_state *s, const struct model *m, unsigned key)
{
	unsigned limit = ui_scroll_limit(s, m, PANE_MESSAGES);

	if (keys_scroll(&s->scroll[PANE_MESSAGES], limit, ui_list_rows(s), key))
		return keys_act(ACT_REDRAW);
	if (key == KEY_ESC || key == 'q' || key == 'l' || key_is_enter(key))
		return keys_leave(s);
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
