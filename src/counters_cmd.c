/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes the list, has it checked, and answers in one of three formats. Numbers of 64 bits are hex
 * text in JSON: a double could not hold them.
 */
#include "src/counters_cmd.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "probes/pmu_attr.h"
#include "src/counters_print.h"
#include "src/events.h"
#include "src/flow/csv.h"

static void row_csv(FILE *f, const struct counters_answer *a, unsigned i)
{
	const struct pmu_event *ev = &a->list->event[i];
	const struct pmu_checked *c = &a->checked[i];
	bool counted = ev->why == WHY_OK && value_known(c->count);
	struct pmu_attr attr;
	char number[40];

	csv_cell(f, ev->id, ',');
	csv_cell(f, ev->label, ',');
	fprintf(f, "%s,%s,%s,%s,", pmu_role_name(ev->role), counters_source(ev),
		counters_works(a, i), reason_word(counters_why(a, i)));
	csv_cell(f, counted ? csv_number(c->count.v, number, sizeof(number)) : "", ',');
	csv_cell(f, counted ? csv_number(c->running_ratio, number, sizeof(number)) : "", ',');
	if (pmu_attr_read(&attr, ev, &a->list->host, NULL))
		fprintf(f, "%" PRIu32 ",0x%" PRIx64 ",0x%" PRIx64 ",", attr.type, attr.config,
			attr.config1);
	else
		fprintf(f, ",,,");
	csv_cell(f, counters_note(a, i), '\n');
}

static void answer_csv(FILE *f, const struct counters_answer *a)
{
	fprintf(f, "event,label,role,source,works,why,count,running_ratio,type,config,config1,"
		   "note\n");
	for (unsigned i = 0; i < a->shown; i++)
		row_csv(f, a, i);
}

static json_t *text_json(const char *text)
{
	return *text ? json_string(text) : json_null();
}

static json_t *hex_json(uint64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, v);
	return json_string(text);
}

/* Hands @o on if all of its keys were set, else NULL: an object is complete or absent. */
static json_t *checked(json_t *o, int failures)
{
	if (!failures)
		return o;
	json_decref(o);
	return NULL;
}

static json_t *attr_json(const struct pmu_attr *a, const char *pmu)
{
	json_t *o = json_object();
	int bad = 0;

	if (pmu)
		bad |= json_object_set_new(o, "pmu", json_string(pmu));
	bad |= json_object_set_new(o, "type", json_integer(a->type));
	bad |= json_object_set_new(o, "config", hex_json(a->config));
	bad |= json_object_set_new(o, "config1", hex_json(a->config1));
	bad |= json_object_set_new(o, "config2", hex_json(a->config2));
	return checked(o, bad);
}

/* The encoding, and on a hybrid machine that of each kind of core; null = none. */
static int encoding_add(json_t *o, const struct pmu_event *ev, const struct pmu_host *h)
{
	json_t *cores = json_array();
	struct pmu_attr a;
	bool has = pmu_attr_read(&a, ev, h, NULL);
	int bad = json_object_set_new(o, "attr", has ? attr_json(&a, NULL) : json_null());

	for (unsigned i = 0; ev->source == PMU_HARDWARE && pmu_host_hybrid(h) && i < h->core_count;
	     i++) {
		if (pmu_attr_read(&a, ev, h, &h->core[i]))
			bad |= json_array_append_new(cores, attr_json(&a, h->core[i].name));
	}
	return bad | json_object_set_new(o, "core_attrs", cores);
}

static json_t *event_json(const struct counters_answer *a, unsigned i)
{
	const struct pmu_event *ev = &a->list->event[i];
	const struct pmu_checked *c = &a->checked[i];
	bool counted = ev->why == WHY_OK && value_known(c->count);
	json_t *o = json_object();
	int bad = 0;

	bad |= json_object_set_new(o, "event", json_string(ev->id));
	bad |= json_object_set_new(o, "name", text_json(ev->full));
	bad |= json_object_set_new(o, "label", json_string(ev->label));
	bad |= json_object_set_new(o, "role", json_string(pmu_role_name(ev->role)));
	bad |= json_object_set_new(o, "means", text_json(ev->means));
	bad |= json_object_set_new(o, "source", json_string(counters_source(ev)));
	bad |= json_object_set_new(o, "works", json_string(counters_works(a, i)));
	bad |= json_object_set_new(o, "why", text_json(reason_word(counters_why(a, i))));
	bad |= json_object_set_new(o, "note", text_json(counters_note(a, i)));
	bad |= json_object_set_new(o, "count", counted ? json_real(c->count.v) : json_null());
	bad |= json_object_set_new(o, "running_ratio",
				   counted ? json_real(c->running_ratio) : json_null());
	bad |= json_object_set_new(o, "levels", text_json(counters_levels(ev, &a->list->host)));
	bad |= json_object_set_new(o, "group", ev->attr ? json_integer(ev->group) : json_null());
	bad |= encoding_add(o, ev, &a->list->host);
	return checked(o, bad);
}

static json_t *core_json(const struct pmu_core *c)
{
	json_t *o = json_object(), *cpus = json_array();
	int bad = 0;

	for (unsigned i = 0; i < c->count; i++)
		bad |= json_array_append_new(cpus, json_integer(c->cpu[i]));
	bad |= json_object_set_new(o, "name", json_string(c->name));
	bad |= json_object_set_new(o, "type", json_integer(c->type));
	bad |= json_object_set_new(o, "cpus", cpus);
	return checked(o, bad);
}

static json_t *known_json(int number)
{
	return number == PMU_UNKNOWN ? json_null() : json_integer(number);
}

static json_t *facts_json(const struct pmu_list *l)
{
	const struct pmu_host *h = &l->host;
	json_t *o = json_object(), *cores = json_array();
	int bad = 0;

	for (unsigned i = 0; i < h->core_count; i++)
		bad |= json_array_append_new(cores, core_json(&h->core[i]));
	bad |= json_object_set_new(o, "pmus", cores);
	bad |= json_object_set_new(o, "hybrid", json_boolean(pmu_host_hybrid(h)));
	bad |= json_object_set_new(o, "libpfm4_name", text_json(h->pfm_name));
	bad |= json_object_set_new(o, "vendor", text_json(h->vendor));
	bad |= json_object_set_new(o, "perf_event_paranoid", known_json(h->paranoid));
	bad |= json_object_set_new(o, "cap_perfmon", json_boolean(h->cap_perfmon));
	bad |= json_object_set_new(o, "seccomp", known_json(h->seccomp));
	bad |= json_object_set_new(o, "nmi_watchdog", known_json(h->nmi_watchdog));
	bad |= json_object_set_new(o, "virtual_machine", json_boolean(h->guest));
	bad |= json_object_set_new(o, "fd_soft", json_integer((json_int_t)h->fd_soft));
	bad |= json_object_set_new(o, "fd_hard", json_integer((json_int_t)h->fd_hard));
	bad |= json_object_set_new(o, "fd_used", json_integer((json_int_t)h->fd_used));
	bad |= json_object_set_new(o, "note", text_json(l->note));
	return checked(o, bad);
}

static int answer_json(FILE *f, const struct counters_answer *a)
{
	json_t *root = facts_json(a->list), *events = json_array();
	int bad = 0;

	for (unsigned i = 0; i < a->shown; i++)
		bad |= json_array_append_new(events, event_json(a, i));
	bad |= json_object_set_new(root, "events", events);
	if (!bad) {
		json_dumpf(root, f, JSON_INDENT(2));
		fputc('\n', f);
	}
	json_decref(root);
	return bad ? -ENOMEM : 0;
}

/* What was asked for, all presets without a word; @shown is set to how many events that are. */
static int list_fill(struct pmu_list *l, char **names, unsigned count, unsigned *shown,
		     struct err *e)
{
	unsigned presets;
	const struct pmu_preset *p = pmu_presets(&presets);
	int rc = 0;

	for (unsigned i = 0; !rc && i < count; i++)
		rc = events_add(l, names[i], e);
	for (unsigned i = 0; !rc && !count && i < presets; i++)
		rc = pmu_list_add_preset(l, &p[i], e);
	*shown = l->count;
	if (!rc)
		rc = pmu_list_finish(l, e);
	if (!count)
		*shown = l->count;
	return rc;
}

static int answer_print(FILE *f, const struct counters_answer *a, bool named,
			enum cli_format format, struct err *e)
{
	switch (format) {
	case FORMAT_TEXT:
		if (named)
			counters_print_events(f, a);
		else
			counters_print_table(f, a);
		break;
	case FORMAT_CSV:
		answer_csv(f, a);
		break;
	case FORMAT_JSON:
		if (answer_json(f, a))
			return err_set(e, -ENOMEM, "no memory for the JSON text");
		break;
	}
	return 0;
}

int counters_cmd(const struct pmu_sys *sys, char **names, unsigned count, enum cli_format format,
		 FILE *f, struct err *e)
{
	struct pmu_checked tried[PMU_EVENTS] = {0};
	struct pmu_list *l = calloc(1, sizeof(*l));
	struct counters_answer a = {.list = l, .checked = tried};
	int rc;

	_Static_assert(PMU_EVENTS <= 64, "one bit an event");
	if (!l)
		return err_set(e, -ENOMEM, "no memory for the events");
	pmu_list_init(l, sys);
	rc = list_fill(l, names, count, &a.shown, e);
	for (unsigned i = 0; !rc && i < l->count; i++)
		a.narrowed |= (uint64_t)!l->event[i].user_only << i;
	if (!rc) {
		pmu_check(l, tried);
		for (unsigned i = 0; i < l->count; i++)
			a.narrowed &= ~((uint64_t)!l->event[i].user_only << i);
		rc = answer_print(f, &a, count != 0, format, e);
	}
	pmu_list_fini(l);
	free(l);
	return rc;
}
