/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rounds that a session keeps, and the files it writes them to.
 */
#include "src/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static size_t round_bytes(const struct round *r)
{
	return sizeof(*r) + r->thread_count * sizeof(*r->thread) + r->cpu_count * sizeof(*r->cpu) +
	       r->bucket_count * sizeof(*r->bucket) + r->metric_count * sizeof(*r->metric);
}

void session_drop_oldest(struct session *s)
{
	round_free(s->kept[0]);
	free(s->kept[0]);
	s->kept_count--;
	memmove(&s->kept[0], &s->kept[1], s->kept_count * sizeof(s->kept[0]));
}

void session_keep(struct session *s, const struct round *r)
{
	struct round *copy = malloc(sizeof(*copy));
	size_t bytes = round_bytes(r);
	bool dropped = false;

	if (!copy)
		return;
	for (unsigned i = 0; i < s->kept_count; i++)
		bytes += round_bytes(s->kept[i]);
	while (s->kept_count && (s->kept_count == SESSION_ROUNDS || bytes > SESSION_ROUND_BYTES)) {
		bytes -= round_bytes(s->kept[0]);
		session_drop_oldest(s);
		dropped = true;
	}
	if (dropped)
		model_say(s->model, MODEL_NOTE,
			  "the oldest rounds were dropped: %d are kept (e saves, c clears)",
			  (int)s->kept_count + 1);
	*copy = *r;
	s->kept[s->kept_count++] = copy;
}

void session_snapshot(struct session *s)
{
	const struct round *rounds[SESSION_ROUNDS + 1];
	unsigned n = 0;
	struct round live;
	bool have_live = false;
	struct err e = {0};
	char stem[512];

	for (; n < s->kept_count; n++)
		rounds[n] = s->kept[n];
	if (s->frozen && s->have_shown) {
		if (value_known(s->shown.ops) && (!n || rounds[n - 1]->trial != s->shown.trial))
			rounds[n++] = &s->shown;
	} else if (s->have_trial) {
		trial_os_read(&s->trial);
		have_live = trial_round(&s->trial, true, &live) == 0;
		if (have_live && value_known(live.ops))
			rounds[n++] = &live;
	}
	if (!n) {
		model_say(s->model, MODEL_WARNING,
			  "nothing to save yet: the first round is warming up");
	} else {
		csv_stem_free(s->stem[0] ? s->stem : NULL, s->config.workload, time(NULL), stem,
			      sizeof(stem));
		if (csv_snapshot(stem, s->env->fields, s->env->machine, rounds, n, &e) != 0)
			model_say(s->model, MODEL_ERROR, "snapshot not written: %s", e.text);
		else
			model_say(s->model, MODEL_NOTE, "saved %u round%s to %s-*.csv", n,
				  n == 1 ? "" : "s", stem);
	}
	if (have_live)
		round_free(&live);
}

void session_record_toggle(struct session *s)
{
	struct err e = {0};
	char stem[512];

	if (s->recording) {
		csv_series_close(&s->series);
		s->recording = s->model->recording = false;
		model_say(s->model, MODEL_NOTE, "recording ended: %llu rows in %s",
			  (unsigned long long)s->series.rows, s->series.path);
		return;
	}
	csv_stem_free(s->stem[0] ? s->stem : NULL, s->config.workload, time(NULL), stem,
		      sizeof(stem));
	if (csv_series_open(&s->series, stem, s->env->fields, &e) != 0) {
		model_say(s->model, MODEL_ERROR, "not recording: %s", e.text);
		return;
	}
	s->recording = s->model->recording = true;
	snprintf(s->model->recording_path, sizeof(s->model->recording_path), "%.255s",
		 s->series.path);
	model_say(s->model, MODEL_NOTE, "recording every refresh to %s (E ends)", s->series.path);
}
