/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two configurations are told apart by what differs; all they share would only take room.
 */
#include "ui/ab_text.h"

#include <stdio.h>
#include <string.h>

bool ab_text_both(const struct ab *ab)
{
	return ab->side[AB_A].set && ab->side[AB_B].set;
}

static void append(char *buf, size_t size, const char *sep, const char *text)
{
	size_t used = strlen(buf);

	snprintf(buf + used, size - used, "%s%s", *buf ? sep : "", text);
}

/* Knobs of @c that @o has not, or has with another value. */
static void append_knobs(const struct config *c, const struct config *o, char *buf, size_t size)
{
	char text[300];

	for (unsigned i = 0; i < c->knob_count; i++) {
		const char *other = config_knob_get(o, c->knob[i].name);

		if (other && !strcmp(other, c->knob[i].value))
			continue;
		snprintf(text, sizeof(text), "%s=%s", c->knob[i].name, c->knob[i].value);
		append(buf, size, " ", text);
	}
	/* What only the other one sets stands at its default here. */
	for (unsigned i = 0; i < o->knob_count; i++) {
		if (config_knob_get(c, o->knob[i].name))
			continue;
		snprintf(text, sizeof(text), "%s unset", o->knob[i].name);
		append(buf, size, " ", text);
	}
}

void ab_text_differs(const struct ab *ab, enum ab_name name, char *buf, size_t size)
{
	const struct config *c = &ab->side[name].config;
	const struct config *o = &ab->side[name == AB_A ? AB_B : AB_A].config;
	char text[300];

	snprintf(buf, size, "%s", "");
	if (!ab->side[name].set) {
		snprintf(buf, size, "not set");
		return;
	}
	if (!ab_text_both(ab)) {
		snprintf(buf, size, "%s", c->variant);
		return;
	}
	if (strcmp(c->workload, o->workload) != 0)
		append(buf, size, " ", c->workload);
	if (strcmp(c->variant, o->variant) != 0)
		append(buf, size, " ", c->variant);
	if (c->threads != o->threads) {
		snprintf(text, sizeof(text), "%u thread%s", c->threads, c->threads == 1 ? "" : "s");
		append(buf, size, " ", text);
	}
	if (c->place != o->place)
		append(buf, size, " ", place_name(c->place));
	if (strcmp(c->cpus, o->cpus) != 0) {
		snprintf(text, sizeof(text), "cpus %s", *c->cpus ? c->cpus : "all");
		append(buf, size, " ", text);
	}
	append_knobs(c, o, buf, size);
	if (!*buf)
		append(buf, size, "", "the same");
}

void ab_text_whole(const struct ab_side *s, char *buf, size_t size)
{
	const struct config *c = &s->config;
	char knobs[AB_TEXT / 2];

	snprintf(buf, size, "%s %s, %u thread%s, place %s%s%s%s%s", c->workload, c->variant,
		 c->threads, c->threads == 1 ? "" : "s", place_name(c->place),
		 *c->cpus ? ", cpus " : "", c->cpus, c->knob_count ? ", " : "",
		 config_knobs_format(c, knobs, sizeof(knobs)));
}
