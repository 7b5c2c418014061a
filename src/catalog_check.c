/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks a configuration against the catalogue, one line for the first thing that is wrong, and
 * fills in what was left open.
 */
#include "src/catalog.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/text.h"

static int variant_complete(const struct catalog_workload *w, struct config *cfg, struct err *e)
{
	const struct catalog_variant *v = &w->variant[0];
	char names[512], what[64];

	if (!cfg->variant[0]) {
		for (unsigned i = 0; i < w->variant_count && !v->supported; i++)
			v = &w->variant[i];
		memcpy(cfg->variant, v->name, sizeof(cfg->variant));
	}
	v = catalog_variant(w, cfg->variant);
	if (!v) {
		snprintf(what, sizeof(what), "variant of %s", w->name);
		return text_unknown(what, cfg->variant,
				    catalog_variant_names(w, names, sizeof(names)), e);
	}
	if (!v->supported)
		return err_set(e, -EINVAL, "variant %s of %s cannot run on this machine: %s",
			       v->name, w->name, v->why[0] ? v->why : "unsupported");
	return 0;
}

static int threads_complete(const struct catalog_workload *w, struct config *cfg,
			    unsigned allowed_cpus, struct err *e)
{
	if (!cfg->threads) {
		cfg->threads = w->threads_default ? w->threads_default : allowed_cpus;
		if (cfg->threads < w->threads_min)
			cfg->threads = w->threads_min;
		if (cfg->threads > w->threads_max)
			cfg->threads = w->threads_max;
		return 0;
	}
	if (cfg->threads < w->threads_min || cfg->threads > w->threads_max)
		return err_set(e, -EINVAL, "threads %u: out of range for %s (accepted: %u to %u)",
			       cfg->threads, w->name, w->threads_min, w->threads_max);
	return 0;
}

/* True if @word is one of those in @list, which are separated by @sep. */
static bool list_has(const char *list, char sep, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = list; p; p = strchr(p, sep)) {
		p += *p == sep;
		if (strncmp(p, word, len) == 0 && (p[len] == sep || !p[len]))
			return true;
	}
	return false;
}

/* Writes "spin|adaptive" as "spin, adaptive", the form of messages. */
static char *list_spaced(const char *list, char sep, char *buf, size_t size)
{
	size_t n = 0;

	for (; *list && n + 3 < size; list++) {
		if (*list == sep) {
			buf[n++] = ',';
			buf[n++] = ' ';
		} else {
			buf[n++] = *list;
		}
	}
	buf[n] = '\0';
	return buf;
}

int catalog_knob_check(const struct catalog_workload *w, const char *variant,
		       const struct config_knob *set, struct err *e)
{
	const struct catalog_knob *k = catalog_knob(w, set->name);
	char names[512], what[64];
	int64_t n;

	if (!k) {
		snprintf(what, sizeof(what), "knob of %s", w->name);
		return text_unknown(what, set->name, catalog_knob_names(w, names, sizeof(names)),
				    e);
	}
	if (!catalog_knob_applies(k, variant))
		return err_set(e, -EINVAL, "knob %s does not apply to %s:%s (only to %s)", k->name,
			       w->name, variant, list_spaced(k->only, ',', names, sizeof(names)));
	switch (k->kind) {
	case KNOB_INT:
		snprintf(what, sizeof(what), k->unit[0] ? "knob %s (%s)" : "knob %s", k->name,
			 k->unit);
		return text_i64(what, set->value, k->min, k->max, &n, e) ? -EINVAL : 0;
	case KNOB_CHOICE:
		if (list_has(k->choices, '|', set->value))
			return 0;
		snprintf(what, sizeof(what), "value of knob %s:", k->name);
		return text_unknown(what, set->value,
				    list_spaced(k->choices, '|', names, sizeof(names)), e);
	case KNOB_TEXT:
		return 0;
	}
	return 0;
}

int catalog_complete(const struct catalog *c, struct config *cfg, unsigned allowed_cpus,
		     struct err *e)
{
	const struct catalog_workload *w = catalog_find(c, cfg->workload);
	char names[512];
	int rc;

	if (!w)
		return text_unknown("workload", cfg->workload,
				    catalog_workload_names(c, names, sizeof(names)), e);
	rc = variant_complete(w, cfg, e);
	if (!rc)
		rc = threads_complete(w, cfg, allowed_cpus, e);
	if (!rc && !w->place_free && (cfg->place_given || cfg->cpus[0]))
		rc = err_set(e, -EINVAL, "%s chooses its own CPUs: place and cpus do not apply",
			     w->name);
	for (unsigned i = 0; !rc && i < cfg->knob_count; i++)
		rc = catalog_knob_check(w, cfg->variant, &cfg->knob[i], e);
	return rc;
}

bool catalog_knob_applies(const struct catalog_knob *k, const char *variant)
{
	return !k->only[0] || list_has(k->only, ',', variant);
}

const char *catalog_knob_value(const struct catalog_workload *w, const struct config *cfg,
			       const char *name)
{
	const char *set = config_knob_get(cfg, name);
	const struct catalog_knob *k = catalog_knob(w, name);

	return set ? set : k ? k->def : "";
}
