/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The key table of the main screen. A key changes the state and says what the app should do; it
 * does nothing else.
 */
#include "ui/keys.h"

#include <stdio.h>
#include <string.h>

static void list_open(struct ui_state *s, enum ui_mode mode)
{
	s->mode = mode;
	s->list = (struct ui_find){.filter = ""};
	s->typing = TYPING_NOTHING;
	s->cursor = s->top = 0;
}

static struct ui_action run_variants(struct ui_state *s, const struct model *m, unsigned key)
{
	struct rows rows;

	(void)key;
	list_open(s, UI_VARIANTS);
	ui_rows(s, m, &rows);
	for (unsigned i = 0; i < rows.count; i++) {
		if (!strcmp(m->variant[rows.at[i]].info->name, m->config.variant))
			s->cursor = i;
	}
	s->top = ui_list_first(s, ui_list_page(ui_list_rows(s) + 1));
	return keys_act(ACT_REDRAW);
}

static struct ui_action run_workloads(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)key;
	if (!m->catalog || !m->catalog->workload_count)
		return keys_beep("there are no workloads");
	list_open(s, UI_WORKLOADS);
	for (unsigned i = 0; i < m->catalog->workload_count; i++) {
		if (!strcmp(m->catalog->workload[i].name, m->config.workload))
			s->cursor = i;
	}
	s->top = ui_list_first(s, ui_list_page(ui_list_rows(s) + 1));
	return keys_act(ACT_REDRAW);
}

static struct ui_action run_knobs(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)key;
	if (!m->workload || !m->workload->knob_count)
		return keys_beep("%s has no knobs", m->config.workload);
	s->mode = UI_KNOBS;
	s->cursor = 0;
	s->editing = false;
	return keys_act(ACT_REDRAW);
}

static struct ui_action run_freeze(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)m;
	(void)key;
	s->frozen = !s->frozen;
	return keys_act(ACT_FREEZE);
}

/* True if the pane has rows enough in the present layout to be looked at. */
static bool pane_is_shown(const struct layout *l, enum ui_pane pane)
{
	return l->pane[ui_layout_pane(pane)].rows >= 2;
}

static struct ui_action run_tab(struct ui_state *s, const struct model *m, unsigned key)
{
	struct layout l = ui_layout_main(s, m);
	unsigned step = key == KEYCODE_BACKTAB ? PANE_COUNT - 1 : 1;
	unsigned pane = s->pane;

	/* Zoomed, every pane has room. */
	for (unsigned i = 0; i < PANE_COUNT; i++) {
		pane = (pane + step) % PANE_COUNT;
		if (s->zoomed || pane_is_shown(&l, pane))
			break;
	}
	s->pane = pane;
	return keys_act(ACT_REDRAW);
}

static struct ui_action run_zoom(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)m;
	(void)key;
	s->zoomed = !s->zoomed;
	return keys_act(ACT_REDRAW);
}

static struct ui_action run_scroll(struct ui_state *s, const struct model *m, unsigned key)
{
	struct layout l = ui_layout(s, m);
	int rows = l.pane[ui_layout_pane(s->pane)].rows;
	unsigned limit = ui_scroll_limit(s, m, s->pane);

	if (s->pane == PANE_CPU)
		return keys_cpu_scroll(s, m, key);
	if (!limit)
		return keys_beep("all of %s is shown: nothing to scroll", ui_pane_name(s->pane));
	keys_scroll(&s->scroll[s->pane], limit, rows > 2 ? (unsigned)(rows - 1) : 1, key);
	return keys_act(ACT_REDRAW);
}

static struct ui_action run_sort(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)key;
	if (s->pane == PANE_CPU || s->pane == PANE_VARIANTS)
		return keys_sort(s, m, s->pane == PANE_CPU ? ROWS_CPUS : ROWS_VARIANTS);
	return keys_beep("s sorts the CPU and the variant table: tab marks one of them");
}

static struct ui_action run_find(struct ui_state *s, const struct model *m, unsigned key)
{
	if (s->pane == PANE_VARIANTS)
		run_variants(s, m, key);
	else if (s->pane != PANE_CPU)
		return keys_beep("%c looks through CPUs and variants: tab marks one of the tables",
				 (int)key);
	return keys_find_open(s, m, key == '/' ? TYPING_SEARCH : TYPING_FILTER);
}

static struct ui_action run_enter(struct ui_state *s, const struct model *m, unsigned key)
{
	if (keys_nothing_runs(m))
		return keys_trial(s, ACT_RESTART);
	if (s->pane == PANE_VARIANTS)
		return run_variants(s, m, key);
	if (s->pane == PANE_CPU)
		return keys_cpu_enter(s, m);
	if (s->zoomed)
		return keys_beep("%s is zoomed already; Esc goes back", ui_pane_name(s->pane));
	s->zoomed = true;
	return keys_act(ACT_REDRAW);
}

static struct ui_action run_back(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)m;
	(void)key;
	if (s->pane == PANE_CPU && s->cpus.filter[0]) {
		s->cpus.filter[0] = '\0';
		return keys_act(ACT_REDRAW);
	}
	if (!s->zoomed)
		return keys_act(ACT_NONE);
	s->zoomed = false;
	return keys_act(ACT_REDRAW);
}

static struct ui_action run_messages(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)m;
	(void)key;
	s->mode = UI_MESSAGES;
	s->scroll[PANE_MESSAGES] = 0;
	return keys_act(ACT_REDRAW);
}

static struct ui_action run_help(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)m;
	(void)key;
	s->mode = UI_HELP;
	s->cursor = 0;
	return keys_act(ACT_REDRAW);
}

static struct ui_action run_repaint(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)s;
	(void)m;
	(void)key;
	return keys_act(ACT_REPAINT);
}

static struct ui_action run_suspend(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)s;
	(void)m;
	(void)key;
	return keys_act(ACT_SUSPEND);
}

static struct ui_action run_quit(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)s;
	(void)m;
	(void)key;
	return keys_act(ACT_QUIT);
}

/* In the order of the key bar: on a narrow screen labels are given up from the end. */
static const struct ui_key_info table[] = {
	{"1-9", "lock", "run this variant (a new trial)", {'1'}, '9', keys_run_digit},
	{"+ -", "threads", "one thread more or fewer", {'+', '-'}, 0, keys_run_threads},
	{"{ }", "", "half or twice as many threads", {'{', '}'}, 0, keys_run_threads},
	{"p", "place", "next placement policy", {'p'}, 0, keys_run_place},
	{"a b", "A/B", "what runs becomes A, or B", {'a', 'b'}, 0, keys_run_mark},
	{"space", "pause", "freeze the display, the workers go on", {' '}, 0, run_freeze},
	{"e", "CSV", "write a CSV snapshot now", {'e'}, 0, keys_run_csv},
	{"z", "zoom", "the marked pane fills the screen, and back", {'z'}, 0, run_zoom},
	{"tab",
	 "pane",
	 "mark the next pane; shift-tab the one before",
	 {KEY_TAB, KEYCODE_BACKTAB},
	 0,
	 run_tab},
	{"v", "list", "list of all variants with latest results", {'v'}, 0, run_variants},
	{"w", "workload", "list of all workloads", {'w'}, 0, run_workloads},
	{"k", "knobs", "list and change the knobs of the workload", {'k'}, 0, run_knobs},
	{"m", "measure", "next measuring mode: auto, off, every", {'m'}, 0, keys_run_measure},
	{"s", "sort", "sort the marked table by its next column", {'s'}, 0, run_sort},
	{"/ \\", "find", "search the marked table; filter it", {'/', '\\'}, 0, run_find},
	{"E", "record", "a CSV row each refresh, on and off", {'E'}, 0, keys_run_csv},
	{"c", "clear", "clear history and rounds, asks first", {'c'}, 0, keys_run_clear},
	{"l", "", "all messages", {'l'}, 0, run_messages},
	{"S", "", "save looks and habits as settings", {'S'}, 0, keys_run_save},
	{"↑ ↓",
	 "",
	 "move in the marked pane; wait, hold: next lock",
	 {KEYCODE_UP, KEYCODE_DOWN},
	 0,
	 run_scroll},
	{"PgUp PgDn",
	 "",
	 "move a page; Home and End go to the ends",
	 {KEYCODE_PAGE_UP, KEYCODE_PAGE_DOWN, KEYCODE_HOME, KEYCODE_END},
	 0,
	 run_scroll},
	{"[ ]", "", "scroll the counter columns of the CPU table", {'[', ']'}, 0, keys_columns},
	{"Enter",
	 "",
	 "start again if nothing runs; else look closer",
	 {KEY_ENTER, KEY_LINEFEED},
	 0,
	 run_enter},
	{"r", "", "start again if nothing runs", {'r'}, 0, keys_run_restart},
	{"Esc", "", "back: filter, zoom", {KEY_ESC}, 0, run_back},
	{"Ctrl-L", "", "draw the screen anew", {KEY_CTRL_L}, 0, run_repaint},
	{"Ctrl-Z", "", "suspend: ends the trial, fg starts one", {KEY_CTRL_Z}, 0, run_suspend},
	{"?", "help", "this help; also h and F1", {'?', 'h', KEYCODE_F1}, 0, run_help},
	{"q", "quit", "quit; also F10", {'q', KEYCODE_F10}, 0, run_quit},
};

/* Keys that other programs' users or our own plans give a meaning, which is not there yet. */
static const struct {
	unsigned key;
	const char *why;
} absent[] = {
	{'A', "A: there is no autopilot yet; a and b mark, 1-9 + - p switch between the two"},
	{'W', "W: there are no presets yet; w lists the workloads, k the knobs"},
	{'x', "x: there is no core-to-core matrix yet; `hotline topology` shows the machine"},
};

const struct ui_key_info *ui_keys(unsigned *count)
{
	*count = sizeof(table) / sizeof(table[0]);
	return table;
}

unsigned ui_help_lines(const struct ui_state *s)
{
	unsigned keys;

	ui_keys(&keys);
	return s->cols >= 120 ? keys : keys + (WHY_COUNT - WHY_NOT_YET) + UI_HELP_MARKS;
}

static bool answers(const struct ui_key_info *k, unsigned key)
{
	if (k->last)
		return key >= k->code[0] && key <= k->last;
	for (size_t i = 0; i < sizeof(k->code) / sizeof(k->code[0]) && k->code[i]; i++) {
		if (k->code[i] == key)
			return true;
	}
	return false;
}

/* The key as a person calls it, for the sentence about an unknown one. */
static const char *key_name(unsigned key, char buf[24])
{
	if (key == KEYCODE_LEFT || key == KEYCODE_RIGHT)
		return key == KEYCODE_LEFT ? "Left" : "Right";
	if (key == KEYCODE_BACKSPACE || key == KEY_DELETE)
		return "Backspace";
	if (key < ' ')
		snprintf(buf, 24, "Ctrl-%c", (int)key + '@');
	else if (key < KEY_DELETE)
		snprintf(buf, 24, "%c", (int)key);
	else
		return "this key";
	return buf;
}

struct ui_action keys_main(struct ui_state *s, const struct model *m, unsigned key)
{
	char name[24];

	if (s->typing)
		return keys_find(s, m, key);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (answers(&table[i], key))
			return table[i].run(s, m, key);
	}
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
		if (absent[i].key == key)
			return keys_beep("%s", absent[i].why);
	}
	return keys_beep("%s does nothing here; press ? for help", key_name(key, name));
}
