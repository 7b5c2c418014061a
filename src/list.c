/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the catalogue.
 */
#include "src/list.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "src/flow/csv.h"
#include "src/text.h"

/* Threads of a workload as text: "1 to 4096, default 2". */
static char *threads_format(const struct catalog_workload *w, char *buf, size_t size)
{
	if (w->threads_default)
		snprintf(buf, size, "%u to %u, default %u", w->threads_min, w->threads_max,
			 w->threads_default);
	else
		snprintf(buf, size, "%u to %u, default one per allowed CPU", w->threads_min,
			 w->threads_max);
	return buf;
}

/* What a knob accepts: "0 to 1000 ns", "32|8", "text". */
static char *range_format(const struct catalog_knob *k, char *buf, size_t size)
{
	switch (k->kind) {
	case KNOB_INT:
		snprintf(buf, size, "%" PRId64 " to %" PRId64 "%s%s", k->min, k->max,
			 k->unit[0] ? " " : "", k->unit);
		break;
	case KNOB_CHOICE:
		snprintf(buf, size, "%s%s%s", k->choices, k->unit[0] ? " " : "", k->unit);
		break;
	case KNOB_TEXT:
		snprintf(buf, size, "text");
		break;
	}
	return buf;
}

static const char *kind_name(enum catalog_knob_kind kind)
{
	switch (kind) {
	case KNOB_INT:
		return "int";
	case KNOB_CHOICE:
		return "choice";
	case KNOB_TEXT:
		return "text";
	}
	return "";
}

static int width_of(size_t have, size_t want)
{
	return (int)(want > have ? want : have);
}

static void workloads_text(FILE *f, const struct catalog *c)
{
	int width = 0;

	for (unsigned i = 0; i < c->workload_count; i++)
		width = width_of((size_t)width, strlen(c->workload[i].name));
	for (unsigned i = 0; i < c->workload_count; i++) {
		const struct catalog_workload *w = &c->workload[i];

		fprintf(f, "%-*s  %s\n", width, w->name, w->doc);
		fprintf(f, "%-*s  one op = %s; %u variants\n", width, "", w->op_doc,
			w->variant_count);
	}
	fprintf(f, "\nhotline list WORKLOAD shows variants and knobs.\n");
}

static void variants_text(FILE *f, const struct catalog_workload *w)
{
	int width = 0;

	for (unsigned i = 0; i < w->variant_count; i++)
		width = width_of((size_t)width, strlen(w->variant[i].name));
	fprintf(f, "\nVariants (the first one is the default)\n");
	for (unsigned i = 0; i < w->variant_count; i++) {
		const struct catalog_variant *v = &w->variant[i];

		fprintf(f, "  %-*s  %s%s\n", width, v->name, v->excludes ? "" : "[no exclusion] ",
			v->doc);
		if (!v->supported)
			fprintf(f, "  %-*s  not on this machine: %s\n", width, "", v->why);
	}
}

static void knobs_text(FILE *f, const struct catalog_workload *w)
{
	char range[160], def[80];
	int name = 0, value = 0;

	for (unsigned i = 0; i < w->knob_count; i++) {
		const struct catalog_knob *k = &w->knob[i];

		name = width_of((size_t)name, strlen(k->name) + strlen(k->def) + 1);
		value = width_of((size_t)value, strlen(range_format(k, range, sizeof(range))));
	}
	fprintf(f, "\nKnobs (-k NAME=VALUE), with their defaults\n");
	for (unsigned i = 0; i < w->knob_count; i++) {
		const struct catalog_knob *k = &w->knob[i];

		snprintf(def, sizeof(def), "%s=%s", k->name, k->def);
		fprintf(f, "  %-*s  %-*s  %s", name, def, value,
			range_format(k, range, sizeof(range)), k->doc);
		if (strcmp(k->def, k->def_dashboard) != 0)
			fprintf(f, " (dashboard: %s)", k->def_dashboard);
		if (k->only[0])
			fprintf(f, " (only %s)", k->only);
		fputc('\n', f);
	}
}

static void workload_text(FILE *f, const struct catalog_workload *w)
{
	char threads[80];

	fprintf(f, "%s: %s\n", w->name, w->doc);
	fprintf(f, "one op = %s; threads %s%s\n", w->op_doc,
		threads_format(w, threads, sizeof(threads)),
		w->place_free ? "" : "; chooses its own CPUs");
	variants_text(f, w);
	if (w->knob_count)
		knobs_text(f, w);
	if (w->role_count)
		fprintf(f, "\nLocks:");
	for (unsigned i = 0; i < w->role_count; i++)
		fprintf(f, "%s %s", i ? "," : "", w->role[i].name);
	if (w->role_count)
		fputc('\n', f);
}

static void workloads_csv(FILE *f, const struct catalog *c)
{
	fprintf(f, "workload,threads_min,threads_default,threads_max,place_free,variants,knobs,op,"
		   "doc\n");
	for (unsigned i = 0; i < c->workload_count; i++) {
		const struct catalog_workload *w = &c->workload[i];

		csv_cell(f, w->name, ',');
		fprintf(f, "%u,%u,%u,%d,%u,%u,", w->threads_min, w->threads_default, w->threads_max,
			w->place_free, w->variant_count, w->knob_count);
		csv_cell(f, w->op_doc, ',');
		csv_cell(f, w->doc, '\n');
	}
}

static void workload_csv(FILE *f, const struct catalog_workload *w)
{
	fprintf(f, "workload,record,name,kind,unit,default,default_dashboard,min,max,choices,only,"
		   "excludes,supported,why,doc\n");
	for (unsigned i = 0; i < w->variant_count; i++) {
		const struct catalog_variant *v = &w->variant[i];

		csv_cell(f, w->name, ',');
		fprintf(f, "variant,");
		csv_cell(f, v->name, ',');
		fprintf(f, ",,,,,,,,%d,%d,", v->excludes, v->supported);
		csv_cell(f, v->why, ',');
		csv_cell(f, v->doc, '\n');
	}
	for (unsigned i = 0; i < w->knob_count; i++) {
		const struct catalog_knob *k = &w->knob[i];

		csv_cell(f, w->name, ',');
		fprintf(f, "knob,");
		csv_cell(f, k->name, ',');
		fprintf(f, "%s,%s,", kind_name(k->kind), k->unit);
		csv_cell(f, k->def, ',');
		csv_cell(f, k->def_dashboard, ',');
		if (k->kind == KNOB_INT)
			fprintf(f, "%" PRId64 ",%" PRId64 ",", k->min, k->max);
		else
			fprintf(f, ",,");
		csv_cell(f, k->choices, ',');
		csv_cell(f, k->only, ',');
		fprintf(f, ",,,");
		csv_cell(f, k->doc, '\n');
	}
	for (unsigned i = 0; i < w->role_count; i++) {
		csv_cell(f, w->name, ',');
		fprintf(f, "role,");
		csv_cell(f, w->role[i].name, ',');
		fprintf(f, ",,,,,,,,,,,\n");
	}
}

static json_t *variants_json(const struct catalog_workload *w)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < w->variant_count; i++) {
		const struct catalog_variant *v = &w->variant[i];

		json_array_append_new(list,
				      json_pack("{s:s, s:s, s:b, s:b, s:s*}", "name", v->name,
						"doc", v->doc, "excludes", v->excludes, "supported",
						v->supported, "why", v->supported ? NULL : v->why));
	}
	return list;
}

static json_t *knobs_json(const struct catalog_workload *w)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < w->knob_count; i++) {
		const struct catalog_knob *k = &w->knob[i];
		json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "name", k->name, "doc",
				      k->doc, "kind", kind_name(k->kind), "unit", k->unit,
				      "default", k->def, "default_dashboard", k->def_dashboard);

		if (k->kind == KNOB_INT) {
			json_object_set_new(o, "min", json_integer(k->min));
			json_object_set_new(o, "max", json_integer(k->max));
		}
		if (k->kind == KNOB_CHOICE)
			json_object_set_new(o, "choices", json_string(k->choices));
		if (k->only[0])
			json_object_set_new(o, "only", json_string(k->only));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *workload_json(const struct catalog_workload *w)
{
	json_t *roles = json_array();

	for (unsigned i = 0; i < w->role_count; i++)
		json_array_append_new(roles, json_string(w->role[i].name));
	return json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:b, s:o, s:o, s:o}", "name", w->name,
			 "doc", w->doc, "op", w->op_doc, "threads_min", (int)w->threads_min,
			 "threads_default", (int)w->threads_default, "threads_max",
			 (int)w->threads_max, "place_free", w->place_free, "variants",
			 variants_json(w), "knobs", knobs_json(w), "roles", roles);
}

/* @w: NULL = all. */
static int list_json(FILE *f, const struct catalog *c, const struct catalog_workload *w)
{
	json_t *list = json_array();
	json_t *root;
	int rc = -ENOMEM;

	for (unsigned i = 0; i < c->workload_count; i++) {
		if (!w || w == &c->workload[i])
			json_array_append_new(list, workload_json(&c->workload[i]));
	}
	root = json_pack("{s:o}", "workloads", list);
	if (root) {
		json_dumpf(root, f, JSON_INDENT(2));
		fputc('\n', f);
		rc = 0;
	}
	json_decref(root);
	return rc;
}

int list_cmd(const struct catalog *c, const char *workload, enum cli_format format, FILE *out,
	     struct err *e)
{
	const struct catalog_workload *w = workload ? catalog_find(c, workload) : NULL;
	char names[512];

	if (workload && !w)
		return text_unknown("workload", workload,
				    catalog_workload_names(c, names, sizeof(names)), e);
	switch (format) {
	case FORMAT_TEXT:
		if (w)
			workload_text(out, w);
		else
			workloads_text(out, c);
		break;
	case FORMAT_CSV:
		if (w)
			workload_csv(out, w);
		else
			workloads_csv(out, c);
		break;
	case FORMAT_JSON:
		if (list_json(out, c, w))
			return err_set(e, -ENOMEM, "no memory for the JSON text");
		break;
	}
	return 0;
}
