/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the lab's description of itself and finds things in it.
 *
 * The description comes from a program beside this one, but it may be of another version: every
 * field is checked, and what does not fit is an error with its line number.
 */
#include "src/catalog.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/text.h"

enum { FIELDS_MAX = 12 };

static const char first_line[] = "hotline-lab 1";

/* One line, split. */
struct record {
	unsigned line; /* 1.. */
	unsigned count;
	char *field[FIELDS_MAX];
};

static void record_split(struct record *r, char *text)
{
	r->count = 0;
	while (text && r->count < FIELDS_MAX)
		r->field[r->count++] = strsep(&text, "\t");
}

/* "-" stands for an empty field. */
static int field_copy(const struct record *r, unsigned i, char *dst, size_t size, struct err *e)
{
	const char *text = strcmp(r->field[i], "-") == 0 ? "" : r->field[i];

	if (strlen(text) >= size)
		return err_set(e, -EINVAL,
			       "description, line %u: '%.24s...' is longer than %zu bytes", r->line,
			       text, size - 1);
	text_clean(dst, (unsigned)size, text);
	return 0;
}

static int field_i64(const struct record *r, unsigned i, int64_t *out, struct err *e)
{
	char what[48];

	snprintf(what, sizeof(what), "description, line %u, field %u", r->line, i + 1);
	return text_i64(what, r->field[i], INT64_MIN, INT64_MAX, out, e) ? -EINVAL : 0;
}

static int field_unsigned(const struct record *r, unsigned i, uint64_t max, unsigned *out,
			  struct err *e)
{
	char what[48];
	uint64_t v;

	snprintf(what, sizeof(what), "description, line %u, field %u", r->line, i + 1);
	if (text_u64(what, r->field[i], 0, max, &v, e))
		return -EINVAL;
	*out = (unsigned)v;
	return 0;
}

static int field_flag(const struct record *r, unsigned i, bool *out, struct err *e)
{
	unsigned v = 0;
	int rc = field_unsigned(r, i, 1, &v, e);

	*out = v;
	return rc;
}

/* A new zeroed element behind @count elements of an array, or NULL. */
static void *array_add(void **array, unsigned *count, size_t element)
{
	char *grown = reallocarray(*array, *count + 1u, element);

	if (!grown)
		return NULL;
	*array = grown;
	memset(grown + *count * element, 0, element);
	return grown + (*count)++ * element;
}

static int workload_parse(struct catalog *c, const struct record *r, struct err *e)
{
	void *array = c->workload;
	struct catalog_workload *w = array_add(&array, &c->workload_count, sizeof(*w));
	int rc;

	if (!w)
		return err_set(e, -ENOMEM, "no memory for the list of workloads");
	c->workload = array;
	rc = field_copy(r, 1, w->name, sizeof(w->name), e);
	if (!rc)
		rc = field_copy(r, 2, w->doc, sizeof(w->doc), e);
	if (!rc)
		rc = field_copy(r, 3, w->op_doc, sizeof(w->op_doc), e);
	if (!rc)
		rc = field_unsigned(r, 4, PAGE_SLOTS, &w->threads_min, e);
	if (!rc)
		rc = field_unsigned(r, 5, PAGE_SLOTS, &w->threads_default, e);
	if (!rc)
		rc = field_unsigned(r, 6, PAGE_SLOTS, &w->threads_max, e);
	if (!rc)
		rc = field_flag(r, 7, &w->place_free, e);
	if (!rc && w->threads_min > w->threads_max)
		rc = err_set(e, -EINVAL, "description, line %u: at least %u, at most %u threads",
			     r->line, w->threads_min, w->threads_max);
	return rc;
}

static int role_parse(struct catalog_workload *w, const struct record *r, struct err *e)
{
	struct catalog_role *role = &w->role[w->role_count];
	int rc;

	if (w->role_count == PAGE_ROLES)
		return err_set(e, -EINVAL, "description, line %u: more than %d lock roles", r->line,
			       PAGE_ROLES);
	rc = field_copy(r, 1, role->name, sizeof(role->name), e);
	if (!rc)
		rc = field_unsigned(r, 2, 1000000, &role->acquires_per_op, e);
	if (!rc)
		w->role_count++;
	return rc;
}

static int knob_kind_parse(const struct record *r, enum catalog_knob_kind *kind, struct err *e)
{
	if (strcmp(r->field[2], "int") == 0)
		*kind = KNOB_INT;
	else if (strcmp(r->field[2], "choice") == 0)
		*kind = KNOB_CHOICE;
	else if (strcmp(r->field[2], "text") == 0)
		*kind = KNOB_TEXT;
	else
		return err_set(e, -EINVAL,
			       "description, line %u: kind '%.24s' (accepted: int, choice, text)",
			       r->line, r->field[2]);
	return 0;
}

static int knob_parse(struct catalog_workload *w, const struct record *r, struct err *e)
{
	void *array = w->knob;
	struct catalog_knob *k = array_add(&array, &w->knob_count, sizeof(*k));
	int rc;

	if (!k)
		return err_set(e, -ENOMEM, "no memory for the list of knobs");
	w->knob = array;
	rc = field_copy(r, 1, k->name, sizeof(k->name), e);
	if (!rc)
		rc = knob_kind_parse(r, &k->kind, e);
	if (!rc)
		rc = field_copy(r, 3, k->unit, sizeof(k->unit), e);
	if (!rc)
		rc = field_copy(r, 4, k->def, sizeof(k->def), e);
	if (!rc)
		rc = field_copy(r, 5, k->def_dashboard, sizeof(k->def_dashboard), e);
	if (!rc && !k->def_dashboard[0])
		memcpy(k->def_dashboard, k->def, sizeof(k->def));
	if (!rc)
		rc = field_i64(r, 6, &k->min, e);
	if (!rc)
		rc = field_i64(r, 7, &k->max, e);
	if (!rc)
		rc = field_copy(r, 8, k->choices, sizeof(k->choices), e);
	if (!rc)
		rc = field_copy(r, 9, k->only, sizeof(k->only), e);
	if (!rc)
		rc = field_copy(r, 10, k->doc, sizeof(k->doc), e);
	return rc;
}

static int variant_parse(struct catalog_workload *w, const struct record *r, struct err *e)
{
	void *array = w->variant;
	struct catalog_variant *v = array_add(&array, &w->variant_count, sizeof(*v));
	int rc;

	if (!v)
		return err_set(e, -ENOMEM, "no memory for the list of variants");
	w->variant = array;
	rc = field_copy(r, 1, v->name, sizeof(v->name), e);
	if (!rc)
		rc = field_flag(r, 2, &v->excludes, e);
	if (!rc)
		rc = field_flag(r, 3, &v->supported, e);
	if (!rc)
		rc = field_copy(r, 4, v->why, sizeof(v->why), e);
	if (!rc)
		rc = field_copy(r, 5, v->doc, sizeof(v->doc), e);
	return rc;
}

static int line_parse(struct catalog *c, const struct record *r, struct err *e)
{
	static const struct {
		const char *name;
		unsigned fields;
		int (*parse)(struct catalog_workload *w, const struct record *r, struct err *e);
	} kinds[] = {
		{"workload", 8, NULL},
		{"role", 3, role_parse},
		{"knob", 11, knob_parse},
		{"variant", 6, variant_parse},
	};

	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(r->field[0], kinds[i].name) != 0)
			continue;
		if (r->count != kinds[i].fields)
			return err_set(e, -EINVAL, "description, line %u: %s has %u fields, not %u",
				       r->line, kinds[i].name, kinds[i].fields, r->count);
		if (!kinds[i].parse)
			return workload_parse(c, r, e);
		if (!c->workload_count)
			return err_set(e, -EINVAL, "description, line %u: %s before any workload",
				       r->line, kinds[i].name);
		return kinds[i].parse(&c->workload[c->workload_count - 1], r, e);
	}
	return err_set(e, -EINVAL, "description, line %u: unknown record '%.24s'", r->line,
		       r->field[0]);
}

int catalog_parse(struct catalog *c, char *text, struct err *e)
{
	struct record r = {0};
	char *line;
	int rc = 0;

	*c = (struct catalog){0};
	line = strsep(&text, "\n");
	if (strcmp(line, first_line) != 0)
		return err_set(
			e, -EINVAL,
			"description, line 1: '%.24s' instead of '%s' (hotline and hotline-lab "
			"are of different versions)",
			line, first_line);
	for (r.line = 2; !rc && (line = strsep(&text, "\n")); r.line++) {
		if (!*line)
			continue;
		record_split(&r, line);
		rc = line_parse(c, &r, e);
	}
	for (unsigned i = 0; !rc && i < c->workload_count; i++) {
		if (!c->workload[i].variant_count)
			rc = err_set(e, -EINVAL, "description: workload %s has no variants",
				     c->workload[i].name);
	}
	if (!rc && !c->workload_count)
		rc = err_set(e, -EINVAL, "description: no workload in it");
	if (rc)
		catalog_free(c);
	return rc;
}

void catalog_free(struct catalog *c)
{
	for (unsigned i = 0; i < c->workload_count; i++) {
		free(c->workload[i].variant);
		free(c->workload[i].knob);
	}
	free(c->workload);
	*c = (struct catalog){0};
}

const struct catalog_workload *catalog_find(const struct catalog *c, const char *workload)
{
	for (unsigned i = 0; i < c->workload_count; i++) {
		if (strcmp(c->workload[i].name, workload) == 0)
			return &c->workload[i];
	}
	return NULL;
}

const struct catalog_variant *catalog_variant(const struct catalog_workload *w, const char *name)
{
	for (unsigned i = 0; i < w->variant_count; i++) {
		if (strcmp(w->variant[i].name, name) == 0)
			return &w->variant[i];
	}
	return NULL;
}

const struct catalog_knob *catalog_knob(const struct catalog_workload *w, const char *name)
{
	for (unsigned i = 0; i < w->knob_count; i++) {
		if (strcmp(w->knob[i].name, name) == 0)
			return &w->knob[i];
	}
	return NULL;
}

/* Adds a name to a list. Returns false if it does not fit: a cut name would be a wrong one. */
static bool names_add(char *buf, unsigned size, const char *name)
{
	size_t have = strlen(buf);

	if (have + strlen(name) + 3 > size)
		return false;
	snprintf(buf + have, size - have, "%s%s", have ? ", " : "", name);
	return true;
}

char *catalog_workload_names(const struct catalog *c, char *buf, unsigned size)
{
	buf[0] = '\0';
	for (unsigned i = 0; i < c->workload_count && names_add(buf, size, c->workload[i].name);
	     i++)
		;
	return buf;
}

char *catalog_variant_names(const struct catalog_workload *w, char *buf, unsigned size)
{
	buf[0] = '\0';
	for (unsigned i = 0; i < w->variant_count && names_add(buf, size, w->variant[i].name); i++)
		;
	return buf;
}

char *catalog_knob_names(const struct catalog_workload *w, char *buf, unsigned size)
{
	buf[0] = '\0';
	for (unsigned i = 0; i < w->knob_count && names_add(buf, size, w->knob[i].name); i++)
		;
	return buf;
}
