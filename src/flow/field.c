/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks fields up; the tables themselves are in field_round.c, field_rows.c and field_event.c.
 */
#include "src/flow/field_tables.h"

#include <string.h>

const struct field_list *const field_lists[FIELD_SCOPES] = {
	[FIELD_KEY] = &field_list_key,       [FIELD_ROUND] = &field_list_round,
	[FIELD_CPU] = &field_list_cpu,       [FIELD_THREAD] = &field_list_thread,
	[FIELD_LOCK] = &field_list_lock,     [FIELD_HIST] = &field_list_hist,
	[FIELD_METRIC] = &field_list_metric,
};

const struct field *field_table(const struct fields *fs, enum field_scope scope, unsigned *count)
{
	*count = fs ? fs->count[scope] : field_lists[scope]->count;
	return fs ? fs->field[scope] : field_lists[scope]->field;
}

const struct field *field_find(const struct fields *fs, enum field_scope scope, const char *id)
{
	unsigned count;
	const struct field *f = field_table(fs, scope, &count);

	for (unsigned i = 0; i < count; i++)
		if (strcmp(f[i].id, id) == 0)
			return &f[i];
	return NULL;
}

unsigned field_rows(enum field_scope scope, const struct round *r)
{
	switch (scope) {
	case FIELD_KEY:
	case FIELD_ROUND:
		return 1;
	case FIELD_CPU:
		return r->cpu_count;
	case FIELD_THREAD:
		return r->thread_count;
	case FIELD_LOCK:
		return r->lock_count;
	case FIELD_HIST:
		return r->bucket_count;
	case FIELD_METRIC:
		return r->metric_count;
	case FIELD_SCOPES:
		break;
	}
	return 0;
}

void field_get(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	out->text[0] = '\0';
	out->value = value_missing(WHY_NOT_YET);
	f->get(f, in, out);
}
