/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fields of the counters that a run was asked for: four columns an event, beside the fixed tables.
 */
#include "src/flow/field_tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The count that a cell is about, and the operations in the same time. */
struct counted {
	const struct pmu_delta *count;
	struct value ops;
};

static struct counted counted_of(const struct field *f, const struct field_input *in)
{
	const struct round *r = in->round;

	switch (f->scope) {
	case FIELD_CPU:
		return (struct counted){&r->cpu[in->row].count[f->offset],
					value_of((double)r->cpu[in->row].ops)};
	case FIELD_THREAD:
		return (struct counted){&r->thread[in->row].count[f->offset],
					value_of((double)r->thread[in->row].ops)};
	case FIELD_ROUND:
	case FIELD_KEY:
	case FIELD_LOCK:
	case FIELD_HIST:
	case FIELD_METRIC:
	case FIELD_SCOPES:
		break;
	}
	return (struct counted){&r->count[f->offset], r->ops};
}

/* A round of a run that asked for other events has none of these. */
static bool has_event(const struct field *f, const struct field_input *in)
{
	return in->round->events && f->offset < in->round->events->count;
}

static void event_count(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	if (has_event(f, in))
		out->value = counted_of(f, in).count->count;
}

static void event_per_op(const struct field *f, const struct field_input *in,
			 struct field_cell *out)
{
	if (has_event(f, in)) {
		const struct counted c = counted_of(f, in);

		out->value = value_ratio(c.count->count, c.ops);
	}
}

static void event_running_ratio(const struct field *f, const struct field_input *in,
				struct field_cell *out)
{
	if (has_event(f, in))
		out->value = pmu_delta_running(counted_of(f, in).count);
}

static void event_why(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	enum reason why = has_event(f, in) ? counted_of(f, in).count->count.why : WHY_UNSUPPORTED;

	snprintf(out->text, sizeof(out->text), "%s", reason_word(why));
	out->value = value_of(0);
}

/* One of the four columns. Text is made for each event: "EVENT" stands for its id. */
struct column {
	const char *suffix;
	const char *doc;
	enum field_kind kind;
	void (*get)(const struct field *f, const struct field_input *in, struct field_cell *out);
};

static const struct column columns[] = {
	{"", "how often it was counted; multiplexed counts are scaled", FIELD_NUMBER, event_count},
	{"_per_op", "how often it was counted, an operation", FIELD_NUMBER, event_per_op},
	{"_running_ratio", "part of the time it was counted: below 1 it was multiplexed",
	 FIELD_NUMBER, event_running_ratio},
	{"_why", "reason of a missing or scaled count", FIELD_TEXT, event_why},
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* Text of one event, shared by its fields in all scopes. */
struct event_text {
	char id[COLUMNS][128];
	char header[32]; /* on the screen: a figure an operation */
};

static bool has_events(enum field_scope scope)
{
	return scope == FIELD_ROUND || scope == FIELD_CPU || scope == FIELD_THREAD;
}

/* Cells of a column: a figure of seven, or its head. */
static unsigned width_of(const char *header)
{
	return strlen(header) > 7 ? (unsigned)strlen(header) : 7;
}

static struct field field_of(const struct event_text *t, enum field_scope scope, unsigned event,
			     unsigned column)
{
	const struct column *c = &columns[column];
	const bool shown = c->get == event_per_op;

	return (struct field){
		.id = t->id[column],
		.header = shown ? t->header : t->id[column],
		.unit = "",
		.doc = c->doc,
		.scope = scope,
		.kind = c->kind,
		.better = BETTER_NONE,
		.width = shown ? width_of(t->header) : 0,
		.get = c->get,
		.offset = event,
	};
}

/* Figures of one question at all machines: each is found by the role of its event. */
static const struct figure {
	const char *id;
	enum pmu_role role;
	bool named; /* its head says what the answer is counted with */
} figures[] = {
	{"ipc", PMU_CYCLES, false},
	{"transfers_per_op", PMU_TRANSFERS, true},
	{"misses_per_op", PMU_MISSES, true},
	{"bus_cycles_per_op", PMU_BUS_CYCLES, true},
	{"switches_per_s", PMU_SWITCHES, false},
};

/* Heads of the figures; one whose event was not asked for is not shown on the screen. */
static void figure_name(struct field *f, const struct figure *fig, const struct pmu_list *l,
			const struct event_text *text)
{
	int event = l ? pmu_list_find(l, fig->role) : -1;

	if (event < 0) {
		f->width = 0;
	} else if (fig->named) {
		f->header = text[event].header;
		f->width = width_of(f->header);
	}
}

static void figures_name(struct field *f, unsigned count, const struct pmu_list *l,
			 const struct event_text *text)
{
	for (unsigned i = 0; i < count; i++)
		for (size_t k = 0; k < sizeof(figures) / sizeof(figures[0]); k++)
			if (strcmp(f[i].id, figures[k].id) == 0)
				figure_name(&f[i], &figures[k], l, text);
}

/* Figures show these already; CPU time an op says no more than the rate. */
static bool shown_by_a_figure(enum pmu_role role)
{
	return role == PMU_TRANSFERS || role == PMU_MISSES || role == PMU_BUS_CYCLES ||
	       role == PMU_SWITCHES || role == PMU_TASK_CLOCK;
}

static int scope_init(struct fields *fs, enum field_scope scope, const struct pmu_list *l)
{
	const struct field_list *fixed = field_lists[scope];
	unsigned more = l && has_events(scope) ? COLUMNS * l->count : 0;
	struct field *f = malloc((fixed->count + more) * sizeof(*f));
	const struct event_text *text = fs->text;

	if (!f)
		return -ENOMEM;
	memcpy(f, fixed->field, fixed->count * sizeof(*f));
	figures_name(f, fixed->count, l, text);
	for (unsigned i = 0; i < more; i++) {
		f[fixed->count + i] = field_of(&text[i / COLUMNS], scope, i / COLUMNS, i % COLUMNS);
		if (shown_by_a_figure(l->event[i / COLUMNS].role))
			f[fixed->count + i].width = 0;
	}
	fs->field[scope] = f;
	fs->count[scope] = fixed->count + more;
	return 0;
}

int fields_init(struct fields *fs, const struct pmu_list *events)
{
	unsigned n = events ? events->count : 0;
	struct event_text *text = calloc(n + 1, sizeof(*text));
	int rc = text ? 0 : -ENOMEM;

	memset(fs, 0, sizeof(*fs));
	fs->text = text;
	for (unsigned i = 0; !rc && i < n; i++) {
		const struct pmu_event *ev = &events->event[i];

		for (unsigned k = 0; k < COLUMNS; k++)
			snprintf(text[i].id[k], sizeof(text[i].id[k]), "%s%s", ev->id,
				 columns[k].suffix);
		snprintf(text[i].header, sizeof(text[i].header), "%s/op", ev->label);
	}
	for (enum field_scope scope = FIELD_KEY; !rc && scope < FIELD_SCOPES; scope++)
		rc = scope_init(fs, scope, events);
	if (rc)
		fields_fini(fs);
	return rc;
}

void fields_fini(struct fields *fs)
{
	for (enum field_scope scope = FIELD_KEY; scope < FIELD_SCOPES; scope++)
		free(fs->field[scope]);
	free(fs->text);
	memset(fs, 0, sizeof(*fs));
}
