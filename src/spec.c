/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses SPECs into configurations, and names configurations for tables.
 */
#include "src/spec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/text.h"

enum {
	SPEC_BYTES = 1024,
	CPUS_MAX = 4096,           /* entries of a CPU list */
	KEYS_MAX = PAGE_KNOBS + 3, /* and threads, place, cpus */
};

static const char own_keys[] = "threads, place, cpus";

static char *place_names(char *buf, size_t size)
{
	size_t have = 0;

	buf[0] = '\0';
	for (int p = 0; p < PLACE_COUNT && have < size; p++)
		have += (size_t)snprintf(buf + have, size - have, "%s%s", p ? ", " : "",
					 place_name((enum place_policy)p));
	return buf;
}

static int cpus_set(struct config *c, const char *value, struct err *e)
{
	int *ids = calloc(CPUS_MAX, sizeof(*ids));
	int n;

	if (!ids)
		return err_set(e, -ENOMEM, "no memory for the list of CPUs");
	n = cpulist_parse(value, ids, CPUS_MAX, e);
	free(ids);
	if (n < 0)
		return n;
	if (strlen(value) >= sizeof(c->cpus))
		return err_set(e, -EINVAL, "cpus '%.40s...': longer than %zu characters", value,
			       sizeof(c->cpus) - 1);
	/* One spelling, so that equal lists compare equal. */
	for (unsigned i = 0; i <= strlen(value); i++)
		c->cpus[i] = value[i] == '+' ? ',' : value[i];
	return 0;
}

int spec_set(struct config *c, const char *key, const char *value, struct err *e)
{
	char names[96];
	uint64_t n;
	int rc;

	if (strcmp(key, "threads") == 0) {
		rc = text_u64("threads", value, 1, PAGE_SLOTS, &n, e);
		if (!rc)
			c->threads = (unsigned)n;
		return rc;
	}
	if (strcmp(key, "cpus") == 0)
		return cpus_set(c, value, e);
	if (strcmp(key, "place") != 0)
		return text_unknown("key", key, own_keys, e);
	if (place_parse(value, &c->place) != 0)
		return text_unknown("placement policy", value, place_names(names, sizeof(names)),
				    e);
	c->place_given = true;
	return 0;
}

/* Applies one KEY=VALUE of a SPEC. @pair is modified. */
static int pair_apply(struct config *c, const struct catalog_workload *w, char *pair, struct err *e)
{
	char *key = strsep(&pair, "=");
	char names[512], accepted[600], what[64];

	if (strcmp(key, "threads") == 0 || strcmp(key, "place") == 0 || strcmp(key, "cpus") == 0) {
		if (!pair)
			return err_set(e, -EINVAL, "'%s' in a SPEC has no value (write %s=VALUE)",
				       key, key);
		return spec_set(c, key, pair, e);
	}
	if (!catalog_knob(w, key)) {
		snprintf(what, sizeof(what), "key of %s", w->name);
		snprintf(accepted, sizeof(accepted), "%s, %s",
			 catalog_knob_names(w, names, sizeof(names)), own_keys);
		return text_unknown(what, key, accepted, e);
	}
	if (!pair)
		return err_set(e, -EINVAL, "knob '%s' has no value (write %s=VALUE)", key, key);
	return config_knob_set(c, key, pair, e);
}

static int keys_apply(struct config *c, const struct catalog_workload *w, char *keys, struct err *e)
{
	const char *seen[KEYS_MAX];
	unsigned count = 0;
	char *pair;

	while ((pair = strsep(&keys, ","))) {
		int rc = pair_apply(c, w, pair, e); /* ends @pair behind its key */

		if (rc)
			return rc;
		for (unsigned i = 0; i < count; i++) {
			if (strcmp(seen[i], pair) == 0)
				return err_set(e, -EINVAL, "key '%s' is given twice in one SPEC",
					       pair);
		}
		seen[count++] = pair; /* only known keys, each once: never more than KEYS_MAX */
	}
	return 0;
}

static int list_add(struct spec_list *list, const struct config *c, struct err *e)
{
	struct config *grown = reallocarray(list->config, list->count + 1u, sizeof(*grown));

	if (!grown)
		return err_set(e, -ENOMEM, "no memory for the configurations");
	list->config = grown;
	list->config[list->count++] = *c;
	return 0;
}

static int variant_add(struct spec_list *list, const struct config *base, const char *variant,
		       const struct catalog *cat, unsigned allowed_cpus, struct err *e)
{
	struct config c = *base;
	int rc;

	if (strlen(variant) >= sizeof(c.variant))
		return err_set(e, -EINVAL, "variant '%.40s...': no name is that long", variant);
	snprintf(c.variant, sizeof(c.variant), "%s", variant);
	rc = catalog_complete(cat, &c, allowed_cpus, e);
	return rc ? rc : list_add(list, &c, e);
}

/* True if @name stands in @variants[0..count) already. */
static bool variant_listed(const char *const *variants, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; i++)
		if (strcmp(variants[i], name) == 0)
			return true;
	return false;
}

/*
 * Splits @variants at the commas into @out, each name once: a variant measured twice under one name
 * cannot be told from itself. "all" stands for all that run here and are not named beside it.
 */
static int variants_split(const char **out, unsigned max, char *variants,
			  const struct catalog_workload *w, struct err *e)
{
	char names[512], what[64];
	unsigned count = 0;
	char *name;

	while ((name = strsep(&variants, ","))) {
		if (!*name) {
			snprintf(what, sizeof(what), "variant of %s", w->name);
			return text_unknown(what, name,
					    catalog_variant_names(w, names, sizeof(names)), e);
		}
		if (strcmp(name, "all") != 0) {
			if (!variant_listed(out, count, name) && count < max)
				out[count++] = name;
			continue;
		}
		for (unsigned i = 0; i < w->variant_count; i++)
			if (w->variant[i].supported && count < max &&
			    !variant_listed(out, count, w->variant[i].name))
				out[count++] = w->variant[i].name;
	}
	return (int)count;
}

static int variants_add(struct spec_list *list, const struct config *base, char *variants,
			const struct catalog *cat, unsigned allowed_cpus, struct err *e)
{
	const struct catalog_workload *w = catalog_find(cat, base->workload);
	const char *name[SPEC_BYTES];
	int count, rc = 0;

	if (!variants)
		return variant_add(list, base, "", cat, allowed_cpus, e);
	count = variants_split(name, SPEC_BYTES, variants, w, e);
	for (int i = 0; !rc && i < count; i++)
		rc = variant_add(list, base, name[i], cat, allowed_cpus, e);
	return count < 0 ? count : rc;
}

int spec_parse(struct spec_list *list, const char *text, const struct config *common,
	       const struct catalog *cat, unsigned allowed_cpus, struct err *e)
{
	struct config base = *common;
	unsigned before = list->count;
	char copy[SPEC_BYTES], names[512];
	char *keys = copy, *variants, *workload;
	const struct catalog_workload *w;
	int rc = 0;

	if (strlen(text) >= sizeof(copy))
		return err_set(e, -E2BIG, "SPEC '%.40s...': longer than %d characters", text,
			       SPEC_BYTES - 1);
	snprintf(copy, sizeof(copy), "%s", text);
	variants = strsep(&keys, "@");
	workload = strsep(&variants, ":");
	w = catalog_find(cat, workload);
	if (!w)
		return text_unknown("workload", workload,
				    catalog_workload_names(cat, names, sizeof(names)), e);
	memcpy(base.workload, w->name, sizeof(base.workload));
	if (keys)
		rc = keys_apply(&base, w, keys, e);
	if (!rc)
		rc = variants_add(list, &base, variants, cat, allowed_cpus, e);
	if (rc)
		list->count = before;
	return rc;
}

void spec_free(struct spec_list *list)
{
	free(list->config);
	*list = (struct spec_list){0};
}

int spec_place_check(const struct config *c, const struct topology *t, struct err *e)
{
	struct place_request rq = {
		.policy = c->place,
		.keep_order = c->cpus[0] && !c->place_given,
		.threads = c->threads,
	};
	int *want = calloc(CPUS_MAX, sizeof(*want));
	int *out = calloc(c->threads, sizeof(*out));
	int rc = 0;

	if (!want || !out) {
		rc = err_set(e, -ENOMEM, "no memory for the placement");
		goto out;
	}
	if (c->cpus[0]) {
		rc = cpulist_parse(c->cpus, want, CPUS_MAX, e);
		if (rc < 0)
			goto out;
		rq.want_count = (unsigned)rc;
		rq.want = want;
	}
	rc = place_threads(t, &rq, out, e);
out:
	free(out);
	free(want);
	return rc;
}

/* Which keys differ between the configurations of a list. */
struct differing {
	bool threads, place, cpus, knobs;
};

static struct differing list_differing(const struct spec_list *list)
{
	const struct config *a = list->config;
	char first[2048], other[2048];
	struct differing d = {false, false, false, false};

	config_knobs_format(a, first, sizeof(first));
	for (unsigned i = 1; i < list->count; i++) {
		const struct config *b = &list->config[i];

		d.threads |= a->threads != b->threads;
		d.place |= a->place != b->place;
		d.cpus |= strcmp(a->cpus, b->cpus) != 0;
		d.knobs |= strcmp(first, config_knobs_format(b, other, sizeof(other))) != 0;
	}
	return d;
}

static void key_add(char *buf, size_t size, const char *key, const char *value)
{
	size_t have = strlen(buf);

	snprintf(buf + have, size - have, "%c%s%s", strchr(buf, '@') ? ',' : '@', key, value);
}

char *spec_label(const struct spec_list *list, unsigned i, char *buf, unsigned size)
{
	const struct config *c = &list->config[i];
	struct differing d = list_differing(list);
	char text[2048];

	snprintf(buf, size, "%s:%s", c->workload, c->variant);
	if (d.threads) {
		snprintf(text, sizeof(text), "%u", c->threads);
		key_add(buf, size, "threads=", text);
	}
	if (d.place)
		key_add(buf, size, "place=", place_name(c->place));
	if (d.cpus) {
		snprintf(text, sizeof(text), "%s", c->cpus[0] ? c->cpus : "all");
		for (char *p = text; *p; p++)
			*p = *p == ',' ? '+' : *p;
		key_add(buf, size, "cpus=", text);
	}
	if (d.knobs && c->knob_count)
		key_add(buf, size, "", config_knobs_format(c, text, sizeof(text)));
	return buf;
}
