/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The key bar: what can be pressed now, with the keys to click on.
 *
 * On the main screen it comes from the key table, in its order; what does not fit is left out from
 * the end, but for help and quit.
 */
#include "ui/views.h"

#include <stdio.h>
#include <string.h>

#include "ui/keys.h"
#include "ui/line.h"

/* Keys of the modes that have their own; code 0: no single key. */
struct bar_entry {
	const char *keys, *label;
	unsigned code;
};

enum { BAR_ENTRIES = 8 };

struct bar {
	struct bar_entry entry[BAR_ENTRIES]; /* keys NULL ends it; most wanted first */
};

static const struct bar help_bar = {{{"Esc", "back", KEY_ESC},
				     {"↑", "", KEYCODE_UP},
				     {"↓", "scroll", KEYCODE_DOWN},
				     {"F10", "quit", KEYCODE_F10}}};
static const struct bar variants_bar = {{{"Esc", "back", KEY_ESC},
					 {"Enter", "run it", KEY_ENTER},
					 {"↑", "", KEYCODE_UP},
					 {"↓", "move", KEYCODE_DOWN},
					 {"/", "search", '/'},
					 {"\\", "filter", '\\'},
					 {"s", "sort", 's'},
					 {"1-9", "run", 0}}};
static const struct bar workloads_bar = {{{"Esc", "back", KEY_ESC},
					  {"Enter", "run it", KEY_ENTER},
					  {"↑", "", KEYCODE_UP},
					  {"↓", "move", KEYCODE_DOWN},
					  {"/", "search", '/'},
					  {"\\", "filter", '\\'}}};
static const struct bar cpu_bar = {{{"Esc", "back", KEY_ESC},
				    {"↑", "", KEYCODE_UP},
				    {"↓", "other CPUs", KEYCODE_DOWN},
				    {"[", "", '['},
				    {"]", "counters", ']'},
				    {"F10", "quit", KEYCODE_F10}}};
/* What Enter does while something is typed: in a list it runs the marked choice. */
#define SEARCH_BAR(enter)                                                                    \
	{                                                                                    \
		{                                                                            \
			{"Esc", "end search", KEY_ESC}, {"Enter", enter, KEY_ENTER},         \
				{"↑", "", KEYCODE_UP}, {"↓", "other matches", KEYCODE_DOWN}, \
			{                                                                    \
				"^U", "empty", KEY_CTRL_U                                    \
			}                                                                    \
		}                                                                            \
	}
#define FILTER_BAR(enter)                                                           \
	{                                                                           \
		{                                                                   \
			{"Esc", "show all", KEY_ESC}, {"Enter", enter, KEY_ENTER},  \
				{"↑", "", KEYCODE_UP}, {"↓", "move", KEYCODE_DOWN}, \
			{                                                           \
				"^U", "empty", KEY_CTRL_U                           \
			}                                                           \
		}                                                                   \
	}
static const struct bar search_bar = SEARCH_BAR("stay here");
static const struct bar search_list_bar = SEARCH_BAR("run it");
static const struct bar filter_bar = FILTER_BAR("keep it");
static const struct bar filter_list_bar = FILTER_BAR("run it");
static const struct bar knobs_bar = {{{"Esc", "back", KEY_ESC},
				      {"Enter", "edit", KEY_ENTER},
				      {"↑", "", KEYCODE_UP},
				      {"↓", "move", KEYCODE_DOWN}}};
static const struct bar edit_bar = {{{"Esc", "cancel", KEY_ESC},
				     {"^U", "empty", KEY_CTRL_U},
				     {"Enter", "start a trial with it", KEY_ENTER}}};
static const struct bar confirm_bar = {{{"y", "yes", 'y'}, {"n", "no", 'n'}}};

/* An entry without a label is one with the entry behind it: "↑↓ move". */
static void add_bar(struct line *l, const struct bar *bar)
{
	bool joins = false;

	for (unsigned i = 0; i < BAR_ENTRIES && bar->entry[i].keys; i++) {
		const struct bar_entry *e = &bar->entry[i];

		if (joins)
			line_join(l, ROLE_KEY, "%s", e->keys);
		else
			line_add(l, i, ROLE_KEY, "%s", e->keys);
		line_key(l, e->code);
		joins = !*e->label;
		if (joins)
			continue;
		line_join(l, ROLE_TEXT, " %s", e->label);
		/* The words belong to the one key there is, or to the second of two. */
		line_key(l, e->code);
	}
}

/*
 * "+ - threads": each word of the keys presses its own key, the label that of a single one. A range
 * of digits opens the list of what they stand for.
 */
static void add_entry(struct line *l, unsigned rank, const struct ui_key_info *k)
{
	const char *word = k->keys;
	unsigned n = 0;

	for (; *word; n++) {
		int length = (int)strcspn(word, " ");

		if (n) {
			line_join(l, ROLE_KEY, " %.*s", length, word);
		} else {
			line_add(l, rank, ROLE_KEY, "%.*s", length, word);
		}
		line_key(l, k->last ? 'v' : k->code[n]);
		word += length;
		word += *word == ' ';
	}
	line_join(l, ROLE_TEXT, " %s", k->bar);
	if (n == 1)
		line_key(l, k->last ? 'v' : k->code[0]);
}

/* Help and quit, the last two of the bar, stay longest; the others go from the right. */
static void add_main(struct line *l, const struct model *m)
{
	unsigned count;
	const struct ui_key_info *k = ui_keys(&count);

	if (m->state == MODEL_FAILED || m->state == MODEL_IDLE) {
		line_add(l, 2, ROLE_KEY, "Enter");
		line_key(l, KEY_ENTER);
		line_join(l, ROLE_TEXT, " again");
		line_key(l, KEY_ENTER);
	}
	for (unsigned i = 0; i < count; i++) {
		unsigned rank = i + 3;

		if (!*k[i].bar)
			continue;
		if (!strcmp(k[i].bar, "quit"))
			rank = 0;
		else if (!strcmp(k[i].bar, "help"))
			rank = 1;
		add_entry(l, rank, &k[i]);
	}
}

static const struct bar *bar_of(const struct ui_state *s)
{
	if (s->typing == TYPING_SEARCH)
		return s->mode == UI_MAIN ? &search_bar : &search_list_bar;
	if (s->typing == TYPING_FILTER)
		return s->mode == UI_MAIN ? &filter_bar : &filter_list_bar;
	switch (s->mode) {
	case UI_MAIN:
		break;
	case UI_HELP:
	case UI_MESSAGES:
		return &help_bar;
	case UI_VARIANTS:
		return &variants_bar;
	case UI_WORKLOADS:
		return &workloads_bar;
	case UI_CPU:
		return &cpu_bar;
	case UI_KNOBS:
		return s->editing ? &edit_bar : &knobs_bar;
	case UI_CONFIRM:
		return &confirm_bar;
	}
	return NULL;
}

static void keys_render(const struct model *m, const struct ui_state *s, struct grid *g,
			struct grid_rect r)
{
	const struct bar *bar = bar_of(s);
	struct line l;

	line_start(&l);
	if (bar)
		add_bar(&l, bar);
	else
		add_main(&l, m);
	line_draw(&l, g, r, r.cols >= 120 ? 3 : 2, "");
}

const struct view_ops view_keys = {.name = "keys", .pane = LAYOUT_KEYS, .render = keys_render};
