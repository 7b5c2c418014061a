/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks of the history: what was changed, by the key that changes it.
 */
#include "src/flow/model_parts.h"

#include <stdio.h>
#include <string.h>

/* The knob that is another one; if there are several, or one was taken back, just "knobs". */
static void knob_text(char *text, unsigned size, const struct config *from, const struct config *to)
{
	const struct config_knob *changed = NULL;
	unsigned count = from->knob_count > to->knob_count ? 2 : 0;

	for (unsigned i = 0; i < to->knob_count; i++) {
		const char *before = config_knob_get(from, to->knob[i].name);

		if (before && !strcmp(before, to->knob[i].value))
			continue;
		changed = &to->knob[i];
		count++;
	}
	if (count == 1)
		snprintf(text, size, "%.14s=%.8s", changed->name, changed->value);
	else
		snprintf(text, size, "knobs");
}

static void mark_fill(struct model_mark *mark, const struct config *from, const struct config *to)
{
	const unsigned size = sizeof(mark->text);

	if (strcmp(from->workload, to->workload) != 0) {
		mark->kind = 'w';
		snprintf(mark->text, size, "%.23s", to->workload);
	} else if (strcmp(from->variant, to->variant) != 0) {
		mark->kind = 'v';
		snprintf(mark->text, size, "%.10s>%.10s", from->variant, to->variant);
	} else if (from->threads != to->threads) {
		mark->kind = 't';
		snprintf(mark->text, size, "%u>%u thr", from->threads, to->threads);
	} else if (from->place != to->place) {
		mark->kind = 'p';
		snprintf(mark->text, size, "%.21s", place_name(to->place));
	} else if (strcmp(from->cpus, to->cpus) != 0 || from->place_given != to->place_given) {
		mark->kind = 'p';
		snprintf(mark->text, size, "cpus");
	} else {
		mark->kind = 'k';
		knob_text(mark->text, size, from, to);
	}
}

void model_mark_add(struct model *m, const struct config *to, const struct plan *plan)
{
	const bool same = config_equal(&m->config, to);
	struct model_mark *mark;

	if (same && model_same_measure(&m->plan, plan))
		return;
	if (m->mark_count == MODEL_MARKS) {
		m->mark_count--;
		memmove(&m->mark[0], &m->mark[1], m->mark_count * sizeof(m->mark[0]));
	}
	mark = &m->mark[m->mark_count++];
	*mark = (struct model_mark){.sample = m->sample_count, .kind = 'm'};
	if (same)
		measure_format(plan->measure, plan->sample_n, mark->text, sizeof(mark->text));
	else
		mark_fill(mark, &m->config, to);
}
