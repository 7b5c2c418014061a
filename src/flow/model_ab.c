/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windows of the running trial, handed to A and B.
 */
#include "src/flow/model_parts.h"

#include <errno.h>
#include <stdio.h>

int model_ab_trial(struct model *m, unsigned threads, const struct plan *plan)
{
	if (window_layout(&m->window, threads) != 0)
		return -ENOMEM;
	ab_trial(&m->ab);
	if (model_same_measure(&m->plan, plan))
		return 0;
	if (m->ab.side[AB_A].count || m->ab.side[AB_B].count)
		model_say(m, MODEL_NOTE,
			  "the windows of A and B are forgotten: other stamps take other time");
	ab_clear(&m->ab);
	return 0;
}

static bool any_away(const struct model_input *in)
{
	for (unsigned i = 0; in->away && i < in->snap->thread_count; i++)
		if (in->away[i])
			return true;
	return false;
}

void model_ab_update(struct model *m, const struct model_input *in)
{
	const bool off = m->plan.measure == PAGE_MEASURE_OFF;
	const struct window_input wi = {.snap = in->snap,
					.wait = &m->wait[0].hist,
					.hold = &m->hold[0].hist,
					.no_times =
						off || !m->role_count ? WHY_UNSUPPORTED : WHY_OK,
					.tick_hz = m->tick_hz,
					.floor_ns = m->tick_floor_ns,
					.window_s = m->window_s,
					.interval_s = model_look_s(m, in)};
	struct ab_window w;

	if (m->state != MODEL_RUNNING || any_away(in))
		window_drop(&m->window);
	else if (window_update(&m->window, &wi, &w))
		ab_add(&m->ab, &m->config, &w);
}

void model_mark_ab(struct model *m, enum ab_name name)
{
	const struct ab_side *side = &m->ab.side[name];
	const struct config *c = &m->config;
	const char letter = name == AB_A ? 'A' : 'B';
	const bool same = side->set && config_equal(&side->config, c);
	char knobs[128], kept[64] = "";

	ab_set(&m->ab, name, c);
	config_knobs_format(c, knobs, sizeof(knobs));
	if (same)
		snprintf(kept, sizeof(kept), " (as before: %u window%s kept)", side->count,
			 side->count == 1 ? "" : "s");
	model_say(m, MODEL_NOTE, "%c is %s:%s, %u thread%s, %s%s%s%s", letter, c->workload,
		  c->variant, c->threads, c->threads == 1 ? "" : "s",
		  c->cpus[0] ? c->cpus : place_name(c->place), knobs[0] ? ", " : "", knobs, kept);
}
