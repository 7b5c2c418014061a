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

/* Why a figure is missing: its event's own sentence, or what holds the counters now. */
static void why_format(const struct model *m, const struct field *f, enum reason why, char *buf,
		       size_t size)
{
	const struct pmu_list *l = m->events;
	const struct pmu_try t = {.event = f->header, .hardware = true, .cpu = -1, .group = 1};

	for (unsigned e = 0; e < l->count; e++) {
		if (l->event[e].why == why && l->event[e].note[0]) {
			snprintf(buf, size, "%s", l->event[e].note);
			return;
		}
	}
	if (why == WHY_NOT_SCHEDULED)
		pmu_why_not_scheduled(&l->host, &t, buf, size);
	else
		snprintf(buf, size, "%s", reason_sentence(why));
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
		why_format(m, field[i], cell.value.why, why, sizeof(why));
		snprintf(buf, size, "%s %s - %s", field[i]->header,
			 text_value(cell.value, figure, sizeof(figure)), why);
		return true;
	}
	return false;
}
