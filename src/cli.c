/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses the command line: one table of options, which also says for which commands each is meant.
 */
#include "src/cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "src/spec.h"
#include "src/text.h"

enum {
	DAY_S = 86400,
	SCREEN_MAX = 1000, /* grid_init()'s limit */
};

/* Which commands an option belongs to. */
enum {
	FOR_DASHBOARD = 1 << CLI_DASHBOARD,
	FOR_RUN = 1 << CLI_RUN,
	FOR_TABLES = 1 << CLI_LIST | 1 << CLI_COUNTERS | 1 << CLI_TOPOLOGY,
	FOR_TRIALS = FOR_DASHBOARD | FOR_RUN,
	FOR_ALL = ~0,
};

/* Values of options without a letter. */
enum {
	OPT_OPS = 256,
	OPT_LIMIT,
	OPT_SEED,
	OPT_FORMAT,
	OPT_COLOR,
	OPT_ASCII,
	OPT_THEME,
	OPT_NO_ASCII,
	OPT_MOUSE,
	OPT_NO_MOUSE,
	OPT_SCREEN,
	OPT_VERSION,
};

static const struct {
	const char *name;
	int has_arg;
	int value;
	int commands;
} options[] = {
	{"threads", required_argument, 't', FOR_TRIALS},
	{"cpus", required_argument, 'c', FOR_TRIALS},
	{"place", required_argument, 'p', FOR_TRIALS},
	{"knob", required_argument, 'k', FOR_TRIALS},
	{"events", required_argument, 'e', FOR_TRIALS},
	{"measure", required_argument, 'm', FOR_TRIALS},
	{"duration", required_argument, 'd', FOR_TRIALS},
	{"ops", required_argument, OPT_OPS, FOR_TRIALS},
	{"limit", required_argument, OPT_LIMIT, FOR_TRIALS},
	{"warmup", required_argument, 'w', FOR_TRIALS},
	{"rounds", required_argument, 'r', FOR_TRIALS},
	{"interval", required_argument, 'i', FOR_TRIALS},
	{"seed", required_argument, OPT_SEED, FOR_TRIALS},
	{"output", required_argument, 'o', FOR_TRIALS},
	{"format", required_argument, OPT_FORMAT, FOR_TRIALS | FOR_TABLES},
	{"color", required_argument, OPT_COLOR, FOR_ALL},
	{"ascii", no_argument, OPT_ASCII, FOR_ALL},
	{"no-ascii", no_argument, OPT_NO_ASCII, FOR_ALL},
	{"theme", required_argument, OPT_THEME, FOR_TRIALS},
	{"mouse", no_argument, OPT_MOUSE, FOR_TRIALS},
	{"no-mouse", no_argument, OPT_NO_MOUSE, FOR_TRIALS},
	{"screen", required_argument, OPT_SCREEN, FOR_DASHBOARD},
	{"help", no_argument, 'h', FOR_ALL},
	{"version", no_argument, OPT_VERSION, FOR_ALL},
};

enum { OPTION_COUNT = sizeof(options) / sizeof(options[0]) };

static const char short_options[] = ":t:c:p:k:e:m:d:w:r:i:o:h";

static const struct {
	const char *name;
	enum cli_command command;
	unsigned args_max; /* words behind it */
} commands[] = {
	{"run", CLI_RUN, UINT32_MAX},
	{"list", CLI_LIST, 1},
	{"counters", CLI_COUNTERS, UINT32_MAX},
	{"topology", CLI_TOPOLOGY, 0},
	{"help", CLI_HELP, 1},
};

enum { COMMAND_COUNT = sizeof(commands) / sizeof(commands[0]) };

const char *cli_command_names(void)
{
	return "run, list, counters, topology, help";
}

/* Position of @word in @words, which end with NULL; -1 and an error if it is none of them. */
static int word_find(const char *what, const char *word, const char *const *words, struct err *e)
{
	char accepted[128] = "";
	size_t have = 0;

	for (int i = 0; words[i]; i++) {
		if (strcmp(word, words[i]) == 0)
			return i;
		have += (size_t)snprintf(accepted + have, sizeof(accepted) - have, "%s%s",
					 i ? ", " : "", words[i]);
	}
	text_unknown(what, word, accepted, e);
	return -1;
}

static int knob_option(struct config *c, char *text, struct err *e)
{
	char *value = strchr(text, '=');

	if (!value || value == text)
		return err_set(e, -EINVAL, "--knob '%.40s': not of the form NAME=VALUE", text);
	*value++ = '\0';
	return config_knob_set(c, text, value, e);
}

static int screen_option(struct cli_options *o, const char *text, struct err *e)
{
	char cols[16], *rows;
	uint64_t c, r;

	if (strlen(text) < sizeof(cols)) {
		snprintf(cols, sizeof(cols), "%s", text);
		rows = strchr(cols, 'x');
		if (rows) {
			*rows++ = '\0';
			if (text_u64("", cols, 1, SCREEN_MAX, &c, NULL) == 0 &&
			    text_u64("", rows, 1, SCREEN_MAX, &r, NULL) == 0) {
				o->screen_cols = (unsigned)c;
				o->screen_rows = (unsigned)r;
				return 0;
			}
		}
	}
	return err_set(e, -EINVAL, "--screen '%.40s': not WIDTHxHEIGHT (accepted: 1x1 to %dx%d)",
		       text, SCREEN_MAX, SCREEN_MAX);
}

static int output_option(struct cli_options *o, const char *text, struct err *e)
{
	if (!*text)
		return err_set(e, -EINVAL,
			       "--output '': empty (accepted: a file stem, or - for stdout)");
	o->rounds_on_stdout = strcmp(text, "-") == 0;
	o->output = o->rounds_on_stdout ? NULL : text;
	return 0;
}

static int looks_option(struct cli_options *o, int value, const char *text, struct err *e)
{
	static const char *const formats[] = {"text", "csv", "json", NULL};
	static const char *const colors[] = {"auto", "always", "never", NULL};
	static const char *const themes[] = {"dark", "light", "mono", NULL};
	int i;

	switch (value) {
	case OPT_FORMAT:
		i = word_find("format", text, formats, e);
		o->format = i < 0 ? FORMAT_TEXT : (enum cli_format)i;
		return i < 0 ? -EINVAL : 0;
	case OPT_COLOR:
		i = word_find("color", text, colors, e);
		o->color_mode = i < 0 ? COLOR_AUTO : (enum cli_color)i;
		return i < 0 ? -EINVAL : 0;
	default:
		i = word_find("theme", text, themes, e);
		o->theme = i < 0 ? THEME_DARK : (enum term_theme)i;
		return i < 0 ? -EINVAL : 0;
	}
}

static int rounds_option(struct plan *p, const char *text, struct err *e)
{
	uint64_t n;
	int rc = text_u64("--rounds", text, 1, 10000, &n, e);

	if (!rc)
		p->rounds = (unsigned)n;
	return rc;
}

static int option_apply(struct cli_options *o, int value, char *text, struct err *e)
{
	struct plan *p = &o->plan;

	switch (value) {
	case 't':
		return spec_set(&o->common, "threads", text, e);
	case 'c':
		return spec_set(&o->common, "cpus", text, e);
	case 'p':
		return spec_set(&o->common, "place", text, e);
	case 'k':
		return knob_option(&o->common, text, e);
	case 'e':
		o->events = text;
		return 0;
	case 'm':
		return measure_parse(text, &p->measure, &p->sample_n, e);
	case 'd':
		return text_double("--duration", text, 0.001, DAY_S, &p->duration_s, e);
	case OPT_OPS:
		return text_u64("--ops", text, 1, 1000000000000000, &p->ops, e);
	case OPT_LIMIT:
		return text_double("--limit", text, 0.001, DAY_S, &p->limit_s, e);
	case 'w':
		return text_double("--warmup", text, 0, DAY_S, &p->warmup_s, e);
	case 'r':
		return rounds_option(p, text, e);
	case 'i':
		return text_double("--interval", text, CLI_INTERVAL_MIN_S, CLI_INTERVAL_MAX_S,
				   &p->interval_s, e);
	case OPT_SEED:
		/* 2^53: a number in CSV and JSON is a double. */
		return text_u64("--seed", text, 0, 1ull << 53, &p->seed, e);
	case 'o':
		return output_option(o, text, e);
	case OPT_SCREEN:
		return screen_option(o, text, e);
	case OPT_ASCII:
	case OPT_NO_ASCII:
		o->ascii = value == OPT_ASCII;
		return 0;
	case OPT_MOUSE:
	case OPT_NO_MOUSE:
		o->mouse = value == OPT_MOUSE;
		return 0;
	case 'h':
		o->command = CLI_HELP;
		return 0;
	case OPT_VERSION:
		o->command = CLI_VERSION;
		return 0;
	default:
		return looks_option(o, value, text, e);
	}
}

/* Long name of the option with this value, or NULL. */
static const char *option_name(int value)
{
	for (int i = 0; i < OPTION_COUNT; i++) {
		if (options[i].value == value)
			return options[i].name;
	}
	return NULL;
}

/* All long options, or those that begin with @prefix, joined by ", ". */
static char *option_names(const char *prefix, char *buf, size_t size)
{
	size_t have = 0;

	buf[0] = '\0';
	for (int i = 0; i < OPTION_COUNT; i++) {
		if (strncmp(options[i].name, prefix, strlen(prefix)) == 0 && have < size)
			have += (size_t)snprintf(buf + have, size - have, "%s--%s",
						 have ? ", " : "", options[i].name);
	}
	return buf;
}

/*
 * getopt_long() did not like @word. @letter: 0 = an unknown or ambiguous long option; the value of
 * one that takes no value; else an unknown letter, and then @word may be another word.
 */
static int option_refuse(const char *word, int letter, struct err *e)
{
	char names[512], near[32], name[48];

	if (letter && option_name(letter))
		return err_set(e, -EINVAL, "option --%s takes no value", option_name(letter));
	if (letter)
		return err_set(e, -EINVAL, "unknown option '-%c' (see hotline --help)",
			       letter > ' ' && letter < 0x7f ? letter : '?');
	text_clean(name, sizeof(name), word);
	name[strcspn(name, "=")] = '\0';
	if (*option_names(name + 2, names, sizeof(names)))
		return err_set(e, -EINVAL, "option '%s' is ambiguous (%s)", name, names);
	option_names("", names, sizeof(names));
	if (text_nearest(name, names, near, sizeof(near)))
		return err_set(e, -EINVAL, "unknown option '%s' (nearest: %s; see hotline --help)",
			       name, near);
	return err_set(e, -EINVAL, "unknown option '%s' (accepted: %s)", name, names);
}

static int options_parse(struct cli_options *o, int argc, char **argv, struct err *e)
{
	struct option table[OPTION_COUNT + 1] = {0};
	char safe[64];
	int value;

	for (int i = 0; i < OPTION_COUNT; i++) {
		table[i].name = options[i].name;
		table[i].has_arg = options[i].has_arg;
		table[i].val = options[i].value;
	}
	opterr = 0;
	optind = 0; /* glibc: start anew, for a second call */
	while ((value = getopt_long(argc, argv, short_options, table, NULL)) != -1) {
		int rc;

		if (value == ':')
			return err_set(e, -EINVAL, "option '%s' needs a value (see hotline --help)",
				       text_clean(safe, sizeof(safe), argv[optind - 1]));
		if (value == '?')
			return option_refuse(argv[optind > 1 ? optind - 1 : 1], optopt, e);
		rc = option_apply(o, value, optarg, e);
		if (rc)
			return rc;
		for (int i = 0; i < OPTION_COUNT; i++)
			o->given |= options[i].value == value ? 1 << i : 0;
	}
	return 0;
}

/* The first word may be a command; what is behind it are its arguments. Else all are SPECs. */
static int command_find(struct cli_options *o, char **word, unsigned count, struct err *e)
{
	bool asked = o->command == CLI_HELP || o->command == CLI_VERSION;
	char safe[48];

	o->arg = word;
	o->arg_count = count;
	for (unsigned i = 0; count && i < COMMAND_COUNT; i++) {
		if (strcmp(word[0], commands[i].name) != 0)
			continue;
		if (asked) /* hotline run --help */
			return 0;
		o->command = commands[i].command;
		o->arg++;
		o->arg_count--;
		if (o->arg_count > commands[i].args_max)
			return err_set(e, -EINVAL, "unexpected word '%s' (hotline %s takes %s)",
				       text_clean(safe, sizeof(safe), o->arg[commands[i].args_max]),
				       commands[i].name, commands[i].args_max ? "one" : "none");
		return 0;
	}
	if (asked)
		o->arg_count = 0; /* help on a SPEC is the overview */
	return 0;
}

/* Options that mean nothing to the command, and pairs that contradict each other. */
static int options_check(struct cli_options *o, struct err *e)
{
	bool ops = false, duration = false, format = false;

	for (int i = 0; i < OPTION_COUNT; i++) {
		bool given = o->given & 1 << i;

		if (given && !(options[i].commands & 1 << o->command))
			return err_set(e, -EINVAL, "option --%s does not apply to this command",
				       options[i].name);
		ops |= given && options[i].value == OPT_OPS;
		duration |= given && options[i].value == 'd';
		format |= given && options[i].value == OPT_FORMAT;
	}
	if (ops && duration)
		return err_set(e, -EINVAL,
			       "--ops and --duration exclude each other: a round is fixed "
			       "work or fixed time");
	if (o->rounds_on_stdout && format && o->format != FORMAT_CSV)
		return err_set(e, -EINVAL,
			       "--output - prints CSV: --format can only be csv with it");
	if (o->rounds_on_stdout)
		o->format = FORMAT_CSV;
	return 0;
}

int cli_parse(struct cli_options *o, int argc, char **argv, struct err *e)
{
	int rc;

	_Static_assert(OPTION_COUNT < 31, "one bit an option");
	*o = (struct cli_options){.plan = plan_default(), .mouse = true};
	rc = options_parse(o, argc, argv, e);
	if (!rc)
		rc = command_find(o, argv + optind, (unsigned)(argc - optind), e);
	if (!rc && o->command != CLI_HELP && o->command != CLI_VERSION)
		rc = options_check(o, e);
	return rc;
}

bool cli_given(const struct cli_options *o, const char *name)
{
	for (int i = 0; i < OPTION_COUNT; i++) {
		if (o->given & 1 << i && strcmp(options[i].name, name) == 0)
			return true;
	}
	return false;
}

void cli_color_settle(struct cli_options *o, const char *no_color, bool tty)
{
	switch (o->color_mode) {
	case COLOR_ALWAYS:
		o->color = true;
		break;
	case COLOR_NEVER:
		o->color = false;
		break;
	case COLOR_AUTO:
		o->color = tty && !(no_color && *no_color);
		break;
	}
}
