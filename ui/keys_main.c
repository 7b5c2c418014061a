/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The key table of the main screen. A key changes the state and says what the app should do; it
 * does nothing else.
 */
#include "ui/keys.h"

#include <stdio.h>
#include <string.h>

static struct ui_action run_digit(struct ui_state *s, const struct model *m, unsigned key)
{
	return keys_variant(s, m, key - '1');
}

static struct ui_action run_variants(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)key;
	s->mode = UI_VARIANTS;
	s->filter[0] = '\0';
	s->searching = false;
	s->cursor = 0;
	for (unsigned i = 0; i < m->variant_count; i++) {
		if (!strcmp(m->variant[i].info->name, m->config.variant))
			s->cursor = i;
	}
	return keys_act(ACT_REDRAW);
}

static struct ui_action run_threads(struct ui_state *s, const struct model *m, unsigned key)
{
	const struct catalog_workload *w = m->workload;
	long min = w && w->threads_min ? (long)w->threads_min : 1;
	long max = w && w->threads_max ? (long)w->threads_max : PAGE_SLOTS;
	long now = (long)m->config.threads;
	long want = key == '+' ? now + 1 : key == '-' ? now - 1 : key == '{' ? now / 2 : now * 2;
	struct ui_action a;

	/* Halving and doubling stop at the limits, they do not fail short of them. */
	if (key == '{' && want < min)
		want = min;
	if (key == '}' && want > max)
		want = max;
	if (want == now || want < min || want > max)
		return keys_beep("%s takes %ld to %ld threads", m->config.workload, min, max);
	a = keys_trial(s, ACT_THREADS);
	a.number = want;
	return a;
}

static struct ui_action run_place(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)key;
	if (m->workload && !m->workload->place_free)
		return keys_beep("%s decides its placement itself", m->config.workload);
	return keys_trial(s, ACT_PLACE);
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

static struct ui_action run_measure(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)m;
	(void)key;
	return keys_trial(s, ACT_MEASURE);
}

static struct ui_action run_csv(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)s;
	(void)m;
	return keys_act(key == 'e' ? ACT_SNAPSHOT : ACT_RECORD);
}

static struct ui_action run_freeze(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)m;
	(void)key;
	s->frozen = !s->frozen;
	return keys_act(ACT_FREEZE);
}

static struct ui_action run_clear(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)key;
	if (!m->rounds_kept)
		return keys_act(ACT_CLEAR);
	s->mode = UI_CONFIRM;
	s->confirm_action = ACT_CLEAR;
	snprintf(s->question, sizeof(s->question), "Clear history and %u round%s kept? y or n",
		 m->rounds_kept, m->rounds_kept == 1 ? "" : "s");
	return keys_act(ACT_REDRAW);
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

	if (!limit)
		return keys_beep("all of %s is shown: nothing to scroll", ui_pane_name(s->pane));
	keys_scroll(&s->scroll[s->pane], limit, rows > 2 ? (unsigned)(rows - 1) : 1, key);
	return keys_act(ACT_REDRAW);
}

static struct ui_action run_columns(struct ui_state *s, const struct model *m, unsigned key)
{
	unsigned n = ui_counter_columns(m);

	if (!n)
		return keys_beep("no counters were asked for: there are no columns to scroll");
	if (key == '[' && !s->column)
		return keys_beep("these are the first of %u counter columns", n);
	if (key == ']' && s->column + 1 >= n)
		return keys_beep("this is the last of %u counter columns", n);
	s->column += key == ']' ? 1 : -1u;
	return keys_act(ACT_REDRAW);
}

/* True if there is no trial that goes on. */
static bool nothing_runs(const struct model *m)
{
	return m->state == MODEL_IDLE || m->state == MODEL_FAILED || m->state == MODEL_STALLED;
}

static struct ui_action run_enter(struct ui_state *s, const struct model *m, unsigned key)
{
	if (nothing_runs(m))
		return keys_trial(s, ACT_RESTART);
	if (s->pane == PANE_VARIANTS)
		return run_variants(s, m, key);
	if (s->zoomed)
		return keys_beep("%s is zoomed already; Esc goes back", ui_pane_name(s->pane));
	s->zoomed = true;
	return keys_act(ACT_REDRAW);
}

static struct ui_action run_restart(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)key;
	if (!nothing_runs(m))
		return keys_beep("r starts a trial that has ended; this one runs");
	return keys_trial(s, ACT_RESTART);
}

static struct ui_action run_back(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)m;
	(void)key;
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
	{"1-9", "lock", "run this variant (a new trial)", {'1'}, '9', run_digit},
	{"+ -", "threads", "one thread more or fewer", {'+', '-'}, 0, run_threads},
	{"{ }", "", "half or twice as many threads", {'{', '}'}, 0, run_threads},
	{"p", "place", "next placement policy", {'p'}, 0, run_place},
	{"space", "pause", "freeze the display, the workers go on", {' '}, 0, run_freeze},
	{"e", "CSV", "write a CSV snapshot now", {'e'}, 0, run_csv},
	{"z", "zoom", "the marked pane fills the screen, and back", {'z'}, 0, run_zoom},
	{"tab",
	 "pane",
	 "mark the next pane; shift-tab the one before",
	 {KEY_TAB, KEYCODE_BACKTAB},
	 0,
	 run_tab},
	{"v", "list", "list of all variants with latest results", {'v'}, 0, run_variants},
	{"k", "knobs", "list and change the knobs of the workload", {'k'}, 0, run_knobs},
	{"m", "measure", "next measuring mode: auto, off, every", {'m'}, 0, run_measure},
	{"E", "record", "a CSV row each refresh, on and off", {'E'}, 0, run_csv},
	{"c", "clear", "clear history and rounds, asks first", {'c'}, 0, run_clear},
	{"l", "", "all messages", {'l'}, 0, run_messages},
	{"↑ ↓",
	 "",
	 "scroll the marked pane; wait, hold: next lock",
	 {KEYCODE_UP, KEYCODE_DOWN},
	 0,
	 run_scroll},
	{"PgUp PgDn",
	 "",
	 "scroll a page; Home and End go to the ends",
	 {KEYCODE_PAGE_UP, KEYCODE_PAGE_DOWN, KEYCODE_HOME, KEYCODE_END},
	 0,
	 run_scroll},
	{"[ ]", "", "scroll the counter columns of the CPU table", {'[', ']'}, 0, run_columns},
	{"Enter",
	 "",
	 "start again if nothing runs; else zoom",
	 {KEY_ENTER, KEY_LINEFEED},
	 0,
	 run_enter},
	{"r", "", "start again if nothing runs", {'r'}, 0, run_restart},
	{"Esc", "", "back", {KEY_ESC}, 0, run_back},
	{"Ctrl-L", "", "draw the screen anew", {KEY_CTRL_L}, 0, run_repaint},
	{"Ctrl-Z", "", "suspend: ends the trial, fg starts one", {KEY_CTRL_Z}, 0, run_suspend},
	{"?", "help", "this help; also h and F1", {'?', 'h', KEYCODE_F1}, 0, run_help},
	{"q", "quit", "quit; also F10", {'q', KEYCODE_F10}, 0, run_quit},
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

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (answers(&table[i], key))
			return table[i].run(s, m, key);
	}
	return keys_beep("%s does nothing here; press ? for help", key_name(key, name));
}
