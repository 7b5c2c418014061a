/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report for programs: CSV rows and JSON, both from the table of fields.
 */
#include "src/report.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "src/flow/csv.h"
#include "src/flow/field.h"

int report_csv(FILE *f, const struct report_input *in)
{
	int rc = csv_header(f, in->fields, FIELD_ROUND);

	for (unsigned i = 0; !rc && i < in->round_count; i++)
		rc = csv_rows(f, in->fields, FIELD_ROUND, in->machine, in->round[i]);
	return rc;
}

static json_t *cell_json(const struct field *field, const struct field_cell *cell)
{
	double v = cell->value.v;

	if (field->kind == FIELD_TEXT)
		return json_string(cell->text);
	if (!value_known(cell->value) || !isfinite(v))
		return json_null();
	switch (field->kind) {
	case FIELD_COUNT:
		return json_integer((json_int_t)v);
	case FIELD_FLAG:
		return json_boolean(v != 0);
	case FIELD_TEXT:
	case FIELD_NUMBER:
		break;
	}
	return json_real(v);
}

/* Adds a scope's fields; the reason of a missing one goes under ID_why, unless that is a field. */
static void fields_add(json_t *object, const struct fields *fs, enum field_scope scope,
		       const struct field_input *in)
{
	unsigned count;
	const struct field *table = field_table(fs, scope, &count);

	for (unsigned i = 0; i < count; i++) {
		struct field_cell cell;
		char why[160];

		field_get(&table[i], in, &cell);
		json_object_set_new(object, table[i].id, cell_json(&table[i], &cell));
		if (table[i].kind == FIELD_TEXT || cell.value.why == WHY_OK)
			continue;
		snprintf(why, sizeof(why), "%s_why", table[i].id);
		if (!field_find(fs, scope, why))
			json_object_set_new(object, why, json_string(reason_word(cell.value.why)));
	}
}

static json_t *rows_json(const struct report_input *in, enum field_scope scope,
			 const struct round *r)
{
	json_t *rows = json_array();

	for (unsigned i = 0; i < field_rows(scope, r); i++) {
		struct field_input at = {in->machine, r, i};
		json_t *row = json_object();

		fields_add(row, in->fields, scope, &at);
		json_array_append_new(rows, row);
	}
	return rows;
}

static json_t *round_json(const struct report_input *in, const struct round *r)
{
	static const struct {
		const char *key;
		enum field_scope scope;
	} parts[] = {
		{"cpu_rows", FIELD_CPU},
		{"thread_rows", FIELD_THREAD},
		{"lock_rows", FIELD_LOCK},
		{"metric_rows", FIELD_METRIC},
	};
	struct field_input at = {in->machine, r, 0};
	json_t *object = json_object();

	fields_add(object, in->fields, FIELD_KEY, &at);
	fields_add(object, in->fields, FIELD_ROUND, &at);
	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		json_object_set_new(object, parts[i].key, rows_json(in, parts[i].scope, r));
	return object;
}

int report_json(FILE *f, const struct report_input *in)
{
	json_t *root = json_object(), *rounds = json_array();
	int rc = root && rounds ? 0 : -ENOMEM;

	for (unsigned i = 0; !rc && i < in->round_count; i++)
		rc = json_array_append_new(rounds, round_json(in, in->round[i])) ? -ENOMEM : 0;
	if (!rc && json_object_set(root, "rounds", rounds))
		rc = -ENOMEM;
	if (!rc && (json_dumpf(root, f, JSON_INDENT(1)) || fputc('\n', f) == EOF))
		rc = -EIO;
	json_decref(rounds);
	json_decref(root);
	return rc;
}
