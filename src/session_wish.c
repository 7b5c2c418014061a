/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the user wishes, as a configuration: the present one with one thing changed.
 */
#include "src/session.h"

#include <stdio.h>
#include <string.h>

void session_knobs_open(const struct catalog *c, struct config *cfg)
{
	const struct catalog_workload *w = catalog_find(c, cfg->workload);

	for (unsigned i = 0; w && i < w->knob_count; i++) {
		const struct catalog_knob *k = &w->knob[i];

		if (strcmp(k->def, k->def_dashboard) != 0 && !config_knob_get(cfg, k->name))
			config_knob_set(cfg, k->name, k->def_dashboard, NULL);
	}
}

/* The present wish: what the next trial will be, or what runs now. */
static struct config wish(const struct session *s)
{
	return s->have_next ? s->next : s->config;
}

void session_variant(struct session *s, unsigned index)
{
	const struct catalog_workload *w = s->model->workload;
	struct config c = wish(s);

	if (!w || index >= w->variant_count)
		return;
	snprintf(c.variant, sizeof(c.variant), "%s", w->variant[index].name);
	/* Knobs that the new variant does not have stay behind. */
	for (unsigned i = 0; i < c.knob_count;) {
		if (catalog_knob_applies(catalog_knob(w, c.knob[i].name), c.variant))
			i++;
		else
			c.knob[i] = c.knob[--c.knob_count];
	}
	session_switch(s, &c);
}

void session_knob(struct session *s, char *text)
{
	struct config c = wish(s);
	struct err e = {0};
	char *value = strchr(text, '=');

	if (!value)
		return;
	*value++ = '\0';
	if (config_knob_set(&c, text, value, &e) != 0)
		model_say(s->model, MODEL_WARNING, "%s", e.text);
	else
		session_switch(s, &c);
}

void session_threads(struct session *s, long n)
{
	const struct catalog_workload *w = s->model->workload;
	struct config c = wish(s);

	if (w && (n < (long)w->threads_min || n > (long)w->threads_max)) {
		model_say(s->model, MODEL_WARNING, "threads %ld: workload %s takes %u to %u", n,
			  w->name, w->threads_min, w->threads_max);
		return;
	}
	c.threads = (unsigned)n;
	session_switch(s, &c);
}

/* The next mode; sampled only where -m gave an N. */
static enum page_measure measure_next(const struct plan *p)
{
	switch (p->measure) {
	case PAGE_MEASURE_AUTO:
		return PAGE_MEASURE_OFF;
	case PAGE_MEASURE_OFF:
		return p->sample_n ? PAGE_MEASURE_SAMPLED : PAGE_MEASURE_EVERY;
	case PAGE_MEASURE_SAMPLED:
		return PAGE_MEASURE_EVERY;
	case PAGE_MEASURE_EVERY:
		break;
	}
	return PAGE_MEASURE_AUTO;
}

void session_measure_next(struct session *s)
{
	session_measure(s, measure_next(&s->plan));
}

void session_workload(struct session *s, unsigned index)
{
	const struct catalog *all = s->env->catalog;
	struct config c = wish(s), fresh = {.place = c.place};

	if (index >= all->workload_count)
		return;
	/* Which CPUs are used is the user's, all else begins anew. */
	snprintf(fresh.workload, sizeof(fresh.workload), "%s", all->workload[index].name);
	snprintf(fresh.cpus, sizeof(fresh.cpus), "%s", c.cpus);
	fresh.place_given = c.place_given && all->workload[index].place_free;
	if (!all->workload[index].place_free)
		fresh.place = PLACE_SPREAD;
	session_knobs_open(all, &fresh);
	session_switch(s, &fresh);
}
