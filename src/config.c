/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Configurations and plans as plain data: setting, comparing, writing them down.
 */
#include "src/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/text.h"

enum {
	SAMPLED_MIN = 2, /* 1 in 1 is "every" */
	SAMPLED_MAX = 1000000,
};

struct plan plan_default(void)
{
	return (struct plan){
		.measure = PAGE_MEASURE_AUTO,
		.duration_s = 1,
		.warmup_s = 0.2,
		.limit_s = 60,
		.rounds = 5,
		.seed = 42,
		.interval_s = 0.25,
	};
}

int config_knob_set(struct config *c, const char *name, const char *value, struct err *e)
{
	struct config_knob *k = c->knob;
	struct config_knob *end = c->knob + c->knob_count;

	if (!*name || strlen(name) >= sizeof(k->name))
		return err_set(e, -E2BIG, "knob '%.40s': a name has 1 to %zu characters", name,
			       sizeof(k->name) - 1);
	if (strlen(value) >= sizeof(k->value))
		return err_set(e, -E2BIG, "knob %s: its value is longer than %zu characters", name,
			       sizeof(k->value) - 1);
	while (k < end && strcmp(k->name, name) != 0)
		k++;
	if (k == end) {
		if (c->knob_count == PAGE_KNOBS)
			return err_set(e, -ENOSPC, "knob %s: more than %d knobs", name, PAGE_KNOBS);
		snprintf(k->name, sizeof(k->name), "%s", name);
		c->knob_count++;
	}
	snprintf(k->value, sizeof(k->value), "%s", value);
	return 0;
}

const char *config_knob_get(const struct config *c, const char *name)
{
	for (unsigned i = 0; i < c->knob_count; i++) {
		if (strcmp(c->knob[i].name, name) == 0)
			return c->knob[i].value;
	}
	return NULL;
}

bool config_equal(const struct config *a, const struct config *b)
{
	if (strcmp(a->workload, b->workload) != 0 || strcmp(a->variant, b->variant) != 0 ||
	    a->threads != b->threads || a->place != b->place || strcmp(a->cpus, b->cpus) != 0 ||
	    a->knob_count != b->knob_count)
		return false;
	/* A list of CPUs is kept in its own order only while no policy was named. */
	if (a->cpus[0] && a->place_given != b->place_given)
		return false;
	for (unsigned i = 0; i < a->knob_count; i++) {
		const char *other = config_knob_get(b, a->knob[i].name);

		if (!other || strcmp(other, a->knob[i].value) != 0)
			return false;
	}
	return true;
}

static int compare_names(const void *a, const void *b)
{
	const struct config_knob *const *x = a;
	const struct config_knob *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

char *config_knobs_format(const struct config *c, char *buf, unsigned size)
{
	const struct config_knob *sorted[PAGE_KNOBS];
	unsigned have = 0;

	for (unsigned i = 0; i < c->knob_count; i++)
		sorted[i] = &c->knob[i];
	qsort(sorted, c->knob_count, sizeof(sorted[0]), compare_names);
	if (size)
		buf[0] = '\0';
	for (unsigned i = 0; i < c->knob_count && have < size; i++) {
		int n = snprintf(buf + have, size - have, "%s%s=%s", i ? "," : "", sorted[i]->name,
				 sorted[i]->value);

		have += n > 0 ? (unsigned)n : 0;
	}
	return buf;
}

int measure_parse(const char *text, enum page_measure *mode, unsigned *sample_n, struct err *e)
{
	static const char sampled[] = "sampled:";
	uint64_t n;
	int rc;

	*sample_n = 0;
	if (strcmp(text, "auto") == 0) {
		*mode = PAGE_MEASURE_AUTO;
	} else if (strcmp(text, "off") == 0) {
		*mode = PAGE_MEASURE_OFF;
	} else if (strcmp(text, "every") == 0) {
		*mode = PAGE_MEASURE_EVERY;
		*sample_n = 1;
	} else if (strncmp(text, sampled, strlen(sampled)) == 0) {
		rc = text_u64("measuring mode sampled:N, N", text + strlen(sampled), SAMPLED_MIN,
			      SAMPLED_MAX, &n, e);
		if (rc)
			return rc;
		*mode = PAGE_MEASURE_SAMPLED;
		*sample_n = (unsigned)n;
	} else {
		return text_unknown("measuring mode", text, "auto, off, sampled:N, every", e);
	}
	return 0;
}

char *measure_format(enum page_measure mode, unsigned sample_n, char *buf, unsigned size)
{
	switch (mode) {
	case PAGE_MEASURE_AUTO:
		snprintf(buf, size, "auto");
		break;
	case PAGE_MEASURE_OFF:
		snprintf(buf, size, "off");
		break;
	case PAGE_MEASURE_SAMPLED:
		snprintf(buf, size, "sampled:%u", sample_n);
		break;
	case PAGE_MEASURE_EVERY:
		snprintf(buf, size, "every");
		break;
	}
	return buf;
}
