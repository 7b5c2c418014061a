/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mouse: most of what it does is pressing keys.
 */
#include "ui/hit.h"
#include "ui/keys.h"

enum { WHEEL_ROWS = 3 };

static struct ui_action focus(struct ui_state *s, enum ui_pane pane)
{
	s->pane = pane;
	s->typing = TYPING_NOTHING;
	return keys_act(ACT_REDRAW);
}

/* The pane under the pointer scrolls, the focus stays. */
static struct ui_action wheel_pane(struct ui_state *s, const struct model *m, enum ui_pane pane,
				   unsigned key)
{
	struct layout l = ui_layout(s, m);
	unsigned limit = ui_scroll_limit(s, m, pane), before = s->scroll[pane];

	for (unsigned i = 0; i < WHEEL_ROWS; i++)
		keys_scroll(&s->scroll[pane], limit, 1, key);
	ui_scroll_clamp(s, m, &l);
	return keys_act(s->scroll[pane] == before ? ACT_NONE : ACT_REDRAW);
}

/* Lists go by the arrow keys; where those go from one thing to another, a notch is one. */
static struct ui_action wheel(struct ui_state *s, const struct model *m, const struct hit *h,
			      unsigned key)
{
	bool by_one = s->mode == UI_CPU || s->typing;
	struct ui_action a = keys_act(ACT_NONE);

	if (s->mode == UI_MAIN && !s->typing)
		return h->in_pane ? wheel_pane(s, m, h->pane, key) : a;
	if (s->mode == UI_CONFIRM || s->editing)
		return a;
	for (unsigned i = 0; i < (by_one ? 1 : WHEEL_ROWS); i++)
		a = ui_key(s, m, key);
	return a.kind == ACT_BEEP ? keys_act(ACT_NONE) : a;
}

/* A row of a table or list is marked first; pressed again it is entered. */
static struct ui_action press_row(struct ui_state *s, const struct model *m, const struct hit *h)
{
	if (s->editing)
		return keys_act(ACT_NONE);
	if (s->mode == UI_MAIN) {
		bool again = s->pane == PANE_CPU && s->row == h->number;

		focus(s, PANE_CPU);
		s->row = h->number;
		return again ? keys_cpu_enter(s, m) : keys_act(ACT_REDRAW);
	}
	if (s->cursor == h->number)
		return ui_key(s, m, KEY_ENTER);
	s->cursor = h->number;
	return keys_act(ACT_REDRAW);
}

/* In the line of variants a press runs one; in the pane the first press only marks the pane. */
static struct ui_action press_variant(struct ui_state *s, const struct model *m,
				      const struct hit *h)
{
	struct layout l = ui_layout(s, m);
	bool is_table = h->in_pane && l.pane[LAYOUT_VARIANTS].rows > 1;

	if (s->mode != UI_MAIN || (is_table && s->pane != PANE_VARIANTS))
		return h->in_pane ? focus(s, h->pane) : keys_act(ACT_NONE);
	return keys_variant(s, m, h->number);
}

static struct ui_action press(struct ui_state *s, const struct model *m, const struct hit *h)
{
	if (h->touch == TOUCH_KEY)
		return ui_key(s, m, h->number);
	if (s->mode == UI_CONFIRM) /* the panes behind a question stand still */
		return keys_act(ACT_NONE);
	switch (h->touch) {
	case TOUCH_ROW:
		return press_row(s, m, h);
	case TOUCH_VARIANT:
		return press_variant(s, m, h);
	case TOUCH_KEY:
	case TOUCH_NOTHING:
		break;
	}
	return h->in_pane ? focus(s, h->pane) : keys_act(ACT_NONE);
}

struct ui_action ui_mouse(struct ui_state *s, const struct model *m, const struct grid *g,
			  const struct ui_mouse *e)
{
	struct hit h = hit_at(s, m, g, e->row, e->col);

	switch (e->kind) {
	case MOUSE_PRESS:
		return press(s, m, &h);
	case MOUSE_WHEEL_UP:
		return wheel(s, m, &h, KEYCODE_UP);
	case MOUSE_WHEEL_DOWN:
		return wheel(s, m, &h, KEYCODE_DOWN);
	}
	return keys_act(ACT_NONE);
}
