/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of the main screen that change what runs, or keep something of it.
 */
#include "ui/keys.h"

#include <stdio.h>

struct ui_action keys_run_digit(struct ui_state *s, const struct model *m, unsigned key)
{
	return keys_variant(s, m, key - '1');
}

struct ui_action keys_run_threads(struct ui_state *s, const struct model *m, unsigned key)
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

struct ui_action keys_run_place(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)key;
	if (m->workload && !m->workload->place_free)
		return keys_beep("%s decides its placement itself", m->config.workload);
	return keys_trial(s, ACT_PLACE);
}

struct ui_action keys_run_measure(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)m;
	(void)key;
	return keys_trial(s, ACT_MEASURE);
}

struct ui_action keys_run_csv(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)s;
	(void)m;
	return keys_act(key == 'e' ? ACT_SNAPSHOT : ACT_RECORD);
}

struct ui_action keys_run_mark(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)s;
	(void)m;
	return keys_act(key == 'a' ? ACT_MARK_A : ACT_MARK_B);
}

struct ui_action keys_run_save(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)s;
	(void)m;
	(void)key;
	return keys_act(ACT_SAVE);
}

struct ui_action keys_run_clear(struct ui_state *s, const struct model *m, unsigned key)
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

bool keys_nothing_runs(const struct model *m)
{
	return m->state == MODEL_IDLE || m->state == MODEL_FAILED || m->state == MODEL_STALLED;
}

struct ui_action keys_run_restart(struct ui_state *s, const struct model *m, unsigned key)
{
	(void)key;
	if (!keys_nothing_runs(m))
		return keys_beep("r starts a trial that has ended; this one runs");
	return keys_trial(s, ACT_RESTART);
}
