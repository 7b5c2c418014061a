/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The settings as text: one table of keys for reading and for writing.
 */
#include "src/settings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/events.h"
#include "src/text.h"

static const char *const themes[] = {"dark", "light", "mono", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const switches[] = {"no", "yes", NULL};

enum setting {
	SET_THEME,
	SET_COLOR,
	SET_ASCII,
	SET_MOUSE,
	SET_INTERVAL,
	SET_MEASURE,
	SET_EVENTS,
	SET_SORT_CPUS,
	SET_SORT_VARIANTS,
	SETTINGS
};

static const struct {
	const char *key, *doc;
	const char *const *words; /* NULL = not one of a few words */
} table[SETTINGS] = {
	[SET_THEME] = {"theme", "dark, light, mono", themes},
	[SET_COLOR] = {"color", "auto, always, never", colors},
	[SET_ASCII] = {"ascii", "yes: ASCII only", switches},
	[SET_MOUSE] = {"mouse", "no: the mouse is left to the terminal", switches},
	[SET_INTERVAL] = {"interval", "refresh, seconds", NULL},
	[SET_MEASURE] = {"measure", "auto, off, sampled:N, every", NULL},
	[SET_EVENTS] = {"events", "counters, as -e takes them", NULL},
	[SET_SORT_CPUS] = {"sort_cpus", "order, cpu, ops_per_s, or a counter's CSV column", NULL},
	[SET_SORT_VARIANTS] = {"sort_variants", "order, ops_per_s, wait_p99_ns, fairness_jain",
			       NULL},
};

struct settings settings_default(void)
{
	const struct plan plan = plan_default();

	return (struct settings){
		.theme = THEME_DARK,
		.color = COLOR_AUTO,
		.mouse = true,
		.interval_s = plan.interval_s,
		.measure = plan.measure,
		.sample_n = plan.sample_n,
	};
}

int settings_path(struct settings *s, const char *xdg, const char *home, struct err *e)
{
	int n;

	s->path[0] = '\0';
	if (xdg && *xdg == '/')
		n = snprintf(s->path, sizeof(s->path), "%s/hotline/config", xdg);
	else if (home && *home == '/')
		n = snprintf(s->path, sizeof(s->path), "%s/.config/hotline/config", home);
	else
		return err_set(e, -ENOENT, "neither XDG_CONFIG_HOME nor HOME names a folder");
	if ((size_t)n < sizeof(s->path))
		return 0;
	s->path[0] = '\0';
	return err_set(e, -ENAMETOOLONG, "the path of the settings is too long");
}

void settings_warn(struct settings *s, unsigned line, const char *fmt, ...)
{
	char text[256], number[16] = "", whole[sizeof(text) + 160];
	size_t length = strlen(s->path);
	bool is_long = length > 120; /* of a long path the end tells more */
	va_list ap;

	if (s->warning_count++ >= SETTINGS_WARNINGS)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (line)
		snprintf(number, sizeof(number), ":%u", line);
	snprintf(whole, sizeof(whole), "%s%.120s%s: %s", is_long ? "..." : "",
		 is_long ? s->path + length - 117 : s->path, number, text);
	text_clean(s->warning[s->warning_count - 1], sizeof(s->warning[0]), whole);
}

/* Position among the words of @k, or -EINVAL. */
static int word_read(enum setting k, const char *text, struct err *e)
{
	for (int i = 0; table[k].words[i]; i++) {
		if (!strcmp(text, table[k].words[i]))
			return i;
	}
	return err_set(e, -EINVAL, "unknown value '%.40s' (%s)", text, table[k].doc);
}

static int sort_read(struct settings *s, enum rows_table t, const char *text, struct err *e)
{
	const char *id = strcmp(text, "order") ? text : "";

	if (!*text || !rows_sort_valid(t, id))
		return err_set(e, -EINVAL, "'%.40s' is no column of this table", text);
	snprintf(s->sort[t].id, sizeof(s->sort[t].id), "%s", id);
	return 0;
}

static int value_read(struct settings *s, enum setting k, const char *text, struct err *e)
{
	int word = table[k].words ? word_read(k, text, e) : 0;

	if (word < 0)
		return word;
	switch (k) {
	case SET_THEME:
		s->theme = (enum term_theme)word;
		break;
	case SET_COLOR:
		s->color = (enum cli_color)word;
		break;
	case SET_ASCII:
		s->ascii = word;
		break;
	case SET_MOUSE:
		s->mouse = word;
		break;
	case SET_INTERVAL:
		return text_double("interval", text, CLI_INTERVAL_MIN_S, CLI_INTERVAL_MAX_S,
				   &s->interval_s, e);
	case SET_MEASURE:
		return measure_parse(text, &s->measure, &s->sample_n, e);
	case SET_EVENTS:
		/* Whether there are such events shows when they are looked up. */
		if (!*text || strlen(text) >= sizeof(s->events))
			return err_set(e, -EINVAL, "empty or longer than %zu bytes",
				       sizeof(s->events) - 1);
		snprintf(s->events, sizeof(s->events), "%s", text);
		break;
	case SET_SORT_CPUS:
		return sort_read(s, ROWS_CPUS, text, e);
	case SET_SORT_VARIANTS:
		return sort_read(s, ROWS_VARIANTS, text, e);
	case SETTINGS:
		break;
	}
	return 0;
}

static const char *sort_text(const struct settings *s, enum rows_table t)
{
	return s->sort[t].id[0] ? s->sort[t].id : "order";
}

static char *value_write(const struct settings *s, enum setting k, char *buf, unsigned size)
{
	switch (k) {
	case SET_THEME:
		snprintf(buf, size, "%s", themes[s->theme]);
		break;
	case SET_COLOR:
		snprintf(buf, size, "%s", colors[s->color]);
		break;
	case SET_ASCII:
		snprintf(buf, size, "%s", switches[s->ascii]);
		break;
	case SET_MOUSE:
		snprintf(buf, size, "%s", switches[s->mouse]);
		break;
	case SET_INTERVAL:
		snprintf(buf, size, "%.6g", s->interval_s);
		break;
	case SET_MEASURE:
		measure_format(s->measure, s->sample_n, buf, size);
		break;
	case SET_EVENTS:
		snprintf(buf, size, "%s", s->events[0] ? s->events : EVENTS_DEFAULT);
		break;
	case SET_SORT_CPUS:
		snprintf(buf, size, "%s", sort_text(s, ROWS_CPUS));
		break;
	case SET_SORT_VARIANTS:
		snprintf(buf, size, "%s", sort_text(s, ROWS_VARIANTS));
		break;
	case SETTINGS:
		break;
	}
	return buf;
}

/* The line without blanks at both ends; what follows a # is none of it. */
static char *trim(char *text)
{
	size_t n;

	text[strcspn(text, "#")] = '\0';
	text += strspn(text, " \t\r\f\v");
	for (n = strlen(text); n && strchr(" \t\r\f\v", text[n - 1]); n--)
		text[n - 1] = '\0';
	return text;
}

/* "theme, color, ...", for the nearest match. */
static char *keys_text(char *buf, size_t size)
{
	size_t have = 0;

	for (unsigned k = 0; k < SETTINGS; k++)
		have += (size_t)snprintf(buf + have, size - have, "%s%s", k ? ", " : "",
					 table[k].key);
	return buf;
}

static void line_read(struct settings *s, unsigned number, char *line)
{
	char *key = trim(line), *value = strchr(key, '=');
	char keys[160];
	struct err e = {0};

	if (!*key)
		return;
	if (!value) {
		settings_warn(s, number, "'%.40s' is not of the form key = value", key);
		return;
	}
	*value++ = '\0';
	key = trim(key);
	value = trim(value);
	for (unsigned k = 0; k < SETTINGS; k++) {
		if (strcmp(key, table[k].key) != 0)
			continue;
		if (value_read(s, k, value, &e) < 0)
			settings_warn(s, number, "%s: %s", key, e.text);
		else if (k == SET_EVENTS)
			s->events_line = number;
		return;
	}
	text_unknown("setting", key, keys_text(keys, sizeof(keys)), &e);
	settings_warn(s, number, "%s", e.text);
}

void settings_parse(struct settings *s, char *text)
{
	unsigned number = 1;

	for (char *next; text; text = next, number++) {
		next = strchr(text, '\n');
		if (next)
			*next++ = '\0';
		line_read(s, number, text);
	}
}

size_t settings_format(const struct settings *s, char *buf, size_t size)
{
	const struct settings def = settings_default();
	char value[SETTINGS_EVENTS], usual[SETTINGS_EVENTS];
	size_t n = (size_t)snprintf(buf, size,
				    "# hotline: looks and habits, saved by the key S, which writes "
				    "this file anew.\n# The command line wins. A line that begins "
				    "with # is as by default.\n");

	for (unsigned k = 0; k < SETTINGS; k++) {
		value_write(s, k, value, sizeof(value));
		value_write(&def, k, usual, sizeof(usual));
		n += (size_t)snprintf(n < size ? buf + n : NULL, n < size ? size - n : 0,
				      "%s%s = %s    # %s\n", strcmp(value, usual) ? "" : "# ",
				      table[k].key, value, table[k].doc);
	}
	return n;
}

void settings_apply(const struct settings *s, struct cli_options *o)
{
	if (!cli_given(o, "theme"))
		o->theme = s->theme;
	if (!cli_given(o, "color"))
		o->color_mode = s->color;
	if (!cli_given(o, "ascii") && !cli_given(o, "no-ascii"))
		o->ascii = s->ascii;
	if (!cli_given(o, "no-mouse") && !cli_given(o, "mouse"))
		o->mouse = s->mouse;
	if (!cli_given(o, "interval"))
		o->plan.interval_s = s->interval_s;
	if (!cli_given(o, "measure")) {
		o->plan.measure = s->measure;
		o->plan.sample_n = s->sample_n;
	}
	if (!cli_given(o, "events") && s->events[0])
		o->events = s->events;
}
