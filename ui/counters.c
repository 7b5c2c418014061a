/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the counter columns: the figures first, then what else was counted, an operation.
 */
#include "ui/counters.h"

#include <stdio.h>
#include <string.h>

#include "probes/pmu_why.h"
#include "src/text.h"

unsigned counters_fields(const struct model *m, const struct field **out, unsigned max)
{
	unsigned count, n = 0;
	const struct field *f = field_table(m->fields, FIELD_CPU, &count);
	bool counter = false;

	for (unsigned i = 0; m->events && i < count && n < max; i++) {
		if (counter && f[i].width)
			out[n++] = &f[i];
		/* What stands behind the throughput is counted. */
		counter = counter || strcmp(f[i].id, "ops_per_s") == 0;
	}
	return n;
}

unsigned counters_fit(const struct field *const *field, unsigned n, unsigned first, int cells,
		      int *used)
{
	unsigned shown = 0;

	*used = 0;
	while (first + shown < n && *used + 1 + (int)field[first + shown]->width <= cells)
		*used += 1 + (int)field[first + shown++]->width;
	return shown;
}

char *counters_reason(const struct model *m, const struct field *f, enum reason why, char *buf,
		      size_t size)
{
	const struct pmu_list *l = m->events;
	const struct pmu_try t = {.event = f->header, .hardware = true, .cpu = -1, .group = 1};

	const struct pmu_event *told = NULL;

	for (unsigned e = 0; e < l->count; e++) {
		const struct pmu_event *ev = &l->event[e];

		if (ev->why != why || !ev->note[0])
			continue;
		/* The figure's own event, else one that fails alike. */
		if (!told || !strncmp(f->header, ev->label, strlen(ev->label)))
			told = ev;
	}
	if (told)
		snprintf(buf, size, "%s", told->note);
	else if (why == WHY_NOT_SCHEDULED)
		pmu_why_not_scheduled(&l->host, &t, buf, size);
	else
		snprintf(buf, size, "%s", reason_sentence(why));
	return buf;
}

bool counters_sentence(const struct model *m, char *buf, size_t size)
{
	const struct field *field[COUNTERS_MAX];
	unsigned n = counters_fields(m, field, COUNTERS_MAX);
	char figure[24], why[PMU_NOTE_BYTES];

	for (unsigned i = 0; i < n && m->live.cpu_count; i++) {
		struct field_input in = {m->machine, &m->live, 0};
		struct field_cell cell;

		field_get(field[i], &in, &cell);
		if (cell.value.why == WHY_OK || cell.value.why == WHY_NOT_YET)
			continue;
		counters_reason(m, field[i], cell.value.why, why, sizeof(why));
		snprintf(buf, size, "%s %s - %s", field[i]->header,
			 text_value(cell.value, figure, sizeof(figure)), why);
		return true;
	}
	return false;
}
