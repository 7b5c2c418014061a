/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words of the command line to options.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/cli.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { WORDS_MAX = 24 };

/* One command line, cut at blanks; the caller frees copy. */
struct line {
	char *copy;
	char *argv[WORDS_MAX + 1];
	int argc;
};

static void line_make(struct line *l, const char *text)
{
	char *rest = l->copy = strdup(text);

	assert_non_null(rest);
	l->argc = 0;
	while (rest && l->argc < WORDS_MAX)
		l->argv[l->argc++] = strsep(&rest, " ");
	l->argv[l->argc] = NULL;
}

static int parse(struct line *l, const char *text, struct cli_options *o, struct err *e)
{
	line_make(l, text);
	return cli_parse(o, l->argc, l->argv, e);
}

static void parse_when_no_options_expect_documented_defaults(void **state)
{
	struct cli_options o;
	struct line l;

	(void)state;
	assert_int_equal(parse(&l, "hotline", &o, NULL), 0);
	assert_int_equal(o.command, CLI_DASHBOARD);
	assert_int_equal(o.arg_count, 0);
	assert_int_equal(o.plan.measure, PAGE_MEASURE_AUTO);
	assert_true(o.plan.duration_s == 1);
	assert_true(o.plan.warmup_s == 0.2);
	assert_true(o.plan.limit_s == 60);
	assert_true(o.plan.interval_s == 0.25);
	assert_true(o.plan.ops == 0);
	assert_true(o.plan.seed == 42);
	assert_int_equal(o.plan.rounds, 5);
	assert_int_equal(o.common.threads, 0);
	assert_int_equal(o.common.place, PLACE_SPREAD);
	assert_false(o.common.place_given);
	assert_int_equal(o.format, FORMAT_TEXT);
	assert_int_equal(o.theme, THEME_DARK);
	assert_true(o.mouse);
	assert_null(o.output);
	assert_null(o.events);
	free(l.copy);
}

static void parse_when_every_option_is_given_expect_its_value(void **state)
{
	struct cli_options o;
	struct line l;

	(void)state;
	assert_int_equal(parse(&l,
			       "hotline run a -t 3 -c 0,2-5 -p pack -k hold_ns=7 -m sampled:9 "
			       "-r 2 -w 0",
			       &o, NULL),
			 0);
	assert_int_equal(o.common.threads, 3);
	assert_string_equal(o.common.cpus, "0,2-5");
	assert_int_equal(o.common.place, PLACE_PACK);
	assert_true(o.common.place_given);
	assert_string_equal(config_knob_get(&o.common, "hold_ns"), "7");
	assert_int_equal(o.plan.measure, PAGE_MEASURE_SAMPLED);
	assert_int_equal(o.plan.sample_n, 9);
	assert_int_equal(o.plan.rounds, 2);
	assert_true(o.plan.warmup_s == 0);
	free(l.copy);
	assert_int_equal(parse(&l,
			       "hotline run a --ops 10 --limit 2.5 --seed 0 -o x --format json "
			       "-e cache,cycles",
			       &o, NULL),
			 0);
	assert_true(o.plan.ops == 10);
	assert_true(o.plan.limit_s == 2.5);
	assert_true(o.plan.seed == 0);
	assert_string_equal(o.output, "x");
	assert_string_equal(o.events, "cache,cycles");
	assert_int_equal(o.format, FORMAT_JSON);
	free(l.copy);
	assert_int_equal(parse(&l,
			       "hotline -d .5 -i 0.1 --color always --ascii --theme=light "
			       "--no-mouse --screen 80x24",
			       &o, NULL),
			 0);
	assert_true(o.plan.duration_s == 0.5);
	assert_true(o.plan.interval_s == 0.1);
	assert_int_equal(o.color_mode, COLOR_ALWAYS);
	assert_true(o.ascii);
	assert_int_equal(o.theme, THEME_LIGHT);
	assert_false(o.mouse);
	assert_int_equal(o.screen_cols, 80);
	assert_int_equal(o.screen_rows, 24);
	free(l.copy);
}

static void parse_when_words_are_given_expect_command_and_arguments(void **state)
{
	static const struct {
		const char *line;
		enum cli_command command;
		unsigned args;
		const char *first;
	} rows[] = {
		{"hotline fight:a", CLI_DASHBOARD, 1, "fight:a"},
		{"hotline -t 2 fight", CLI_DASHBOARD, 1, "fight"},
		{"hotline compare a", CLI_DASHBOARD, 2, "compare"}, /* refused by its name later */
		{"hotline run", CLI_RUN, 0, NULL},
		{"hotline run a b", CLI_RUN, 2, "a"},
		{"hotline -t 2 run a -r 3 b", CLI_RUN, 2, "a"},
		{"hotline run -- a", CLI_RUN, 1, "a"},
		{"hotline list", CLI_LIST, 0, NULL},
		{"hotline list fight --format csv", CLI_LIST, 1, "fight"},
		{"hotline counters", CLI_COUNTERS, 0, NULL},
		{"hotline counters a --format json b c", CLI_COUNTERS, 3, "a"},
		{"hotline topology", CLI_TOPOLOGY, 0, NULL},
		{"hotline help", CLI_HELP, 0, NULL},
		{"hotline help run", CLI_HELP, 1, "run"},
		{"hotline --help", CLI_HELP, 0, NULL},
		{"hotline -h", CLI_HELP, 0, NULL},
		{"hotline run --help", CLI_HELP, 1, "run"},
		{"hotline fight --help", CLI_HELP, 0, NULL},
		{"hotline --version", CLI_VERSION, 0, NULL},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct cli_options o;
		struct err e;
		struct line l;

		if (parse(&l, rows[i].line, &o, &e))
			fail_msg("%s: %s", rows[i].line, e.text);
		assert_int_equal(o.command, rows[i].command);
		assert_int_equal(o.arg_count, rows[i].args);
		if (rows[i].first)
			assert_string_equal(o.arg[0], rows[i].first);
		free(l.copy);
	}
}

static const struct {
	const char *line, *found;
} refused[] = {
	{"hotline --thraeds 2", "unknown option '--thraeds' (nearest: --threads"},
	{"hotline --sweep t=1", "unknown option '--sweep'"},
	{"hotline --ministat", "unknown option '--ministat'"},
	{"hotline -z x", "unknown option '-z'"},
	{"hotline --ascii -xz", "unknown option '-x'"},
	{"hotline --color=auto -Q", "unknown option '-Q'"},
	{"hotline --ascii=1", "option --ascii takes no value"},
	{"hotline --help=1", "option --help takes no value"},
	{"hotline --l", "--l"},
	{"hotline --th", "ambiguous (--threads, --theme)"},
	{"hotline -t", "option '-t' needs a value"},
	{"hotline --ops", "option '--ops' needs a value"},
	{"hotline -t 0", "threads '0': out of range (accepted: 1 to 4096)"},
	{"hotline -t 5000", "threads '5000': out of range"},
	{"hotline -t 2x", "threads '2x': not a whole number"},
	{"hotline -c 0,0", "0"},
	{"hotline -c 5-2", "5-2"},
	{"hotline -c a", "a"},
	{"hotline -p spred", "unknown placement policy 'spred' (nearest: spread; accepted:"},
	{"hotline -k hold_ns", "--knob 'hold_ns': not of the form NAME=VALUE"},
	{"hotline -k =1", "not of the form"},
	{"hotline -m evry", "nearest: every"},
	{"hotline -d 0", "--duration '0': out of range"},
	{"hotline -d -1", "--duration '-1': out of range"},
	{"hotline -d nan", "--duration 'nan': not a number"},
	{"hotline -d inf", "--duration 'inf': not a number"},
	{"hotline -d 1s", "--duration '1s': not a number"},
	{"hotline -w -0.1", "--warmup '-0.1': out of range"},
	{"hotline -w NaN", "--warmup 'NaN': not a number"},
	{"hotline -r 0", "--rounds '0': out of range"},
	{"hotline -r 1.5", "--rounds '1.5': not a whole number"},
	{"hotline -i 0", "--interval '0': out of range"},
	{"hotline --limit 0", "--limit '0': out of range"},
	{"hotline --ops 0", "--ops '0': out of range"},
	{"hotline --seed -1", "--seed '-1': not a whole number"},
	{"hotline --seed 18446744073709551616", "--seed '18446744073709551616': out of range"},
	{"hotline --format cvs", "unknown format 'cvs' (nearest: csv; accepted: text, csv, json)"},
	{"hotline --color on", "unknown color 'on'"},
	{"hotline --theme drak", "unknown theme 'drak' (nearest: dark"},
	{"hotline --screen 80", "--screen '80': not WIDTHxHEIGHT"},
	{"hotline --screen 0x24", "--screen '0x24'"},
	{"hotline --screen 80x24x", "--screen '80x24x'"},
	{"hotline --screen 9999x24", "--screen '9999x24'"},
	{"hotline run a --screen 80x24", "option --screen does not apply"},
	{"hotline -e", "option '-e' needs a value"},
	{"hotline --evnets x", "unknown option '--evnets' (nearest: --events"},
	{"hotline counters -e cache", "option --events does not apply"},
	{"hotline counters -t 2", "option --threads does not apply"},
	{"hotline list -t 2", "option --threads does not apply"},
	{"hotline run a --ops 5 -d 1", "--ops and --duration exclude each other"},
	{"hotline run a -o - --format json", "--output - prints CSV"},
	{"hotline list a b", "unexpected word 'b'"},
	{"hotline topology a", "unexpected word 'a'"},
	{"hotline help run list", "unexpected word 'list'"},
};
static void parse_when_wrong_expect_word_and_what_is_accepted(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(refused); i++) {
		struct err e = {0};
		struct cli_options o;
		struct line l;

		if (!parse(&l, refused[i].line, &o, &e))
			fail_msg("'%s' was accepted", refused[i].line);
		if (!strstr(e.text, refused[i].found) || strchr(e.text, '\n'))
			fail_msg("'%s': '%s' not in '%s'", refused[i].line, refused[i].found,
				 e.text);
		free(l.copy);
	}
}

static void parse_when_output_is_empty_expect_refusal(void **state)
{
	char *argv[] = {"hotline", "run", "a", "-o", "", NULL};
	struct cli_options o;
	struct err e;

	(void)state;
	assert_int_equal(cli_parse(&o, 5, argv, &e), -EINVAL);
}

static void parse_when_output_is_dash_expect_csv_on_stdout(void **state)
{
	struct cli_options o;
	struct line l;

	(void)state;
	assert_int_equal(parse(&l, "hotline run a -o -", &o, NULL), 0);
	assert_true(o.rounds_on_stdout);
	assert_null(o.output);
	assert_int_equal(o.format, FORMAT_CSV);
	free(l.copy);
}

static void color_when_settled_expect_option_then_variable_then_tty(void **state)
{
	static const struct {
		enum cli_color mode;
		const char *no_color;
		bool tty, color;
	} rows[] = {
		{COLOR_AUTO, NULL, true, true},   {COLOR_AUTO, NULL, false, false},
		{COLOR_AUTO, "1", true, false},   {COLOR_AUTO, "", true, true},
		{COLOR_ALWAYS, "1", false, true}, {COLOR_NEVER, NULL, true, false},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct cli_options o = {.color_mode = rows[i].mode};

		cli_color_settle(&o, rows[i].no_color, rows[i].tty);
		assert_int_equal(o.color, rows[i].color);
	}
}

/* A screenful: every help is at most 48 lines of at most 82 columns. */
static void help_when_printed_expect_one_screenful(void **state)
{
	static const char *const topics[] = {NULL, "run", "list", "counters", "topology", "help"};

	(void)state;
	for (size_t i = 0; i < COUNT(topics); i++) {
		char *text = NULL;
		size_t bytes = 0;
		unsigned lines = 0;
		FILE *f = open_memstream(&text, &bytes);

		assert_int_equal(cli_help(f, topics[i], NULL), 0);
		fclose(f);
		for (char *p = text, *end; (end = strchr(p, '\n')); p = end + 1, lines++)
			assert_in_range(end - p, 0, 82);
		assert_in_range(lines, 3, 48);
		free(text);
	}
}

static void help_when_topic_is_unknown_expect_nearest(void **state)
{
	struct err e;

	(void)state;
	assert_int_equal(cli_help(stdout, "rnu", &e), -EINVAL);
	assert_string_equal(
		e.text,
		"unknown command 'rnu' (nearest: run; accepted: run, list, counters, topology, "
		"help)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parse_when_no_options_expect_documented_defaults),
		cmocka_unit_test(parse_when_every_option_is_given_expect_its_value),
		cmocka_unit_test(parse_when_words_are_given_expect_command_and_arguments),
		cmocka_unit_test(parse_when_wrong_expect_word_and_what_is_accepted),
		cmocka_unit_test(parse_when_output_is_empty_expect_refusal),
		cmocka_unit_test(parse_when_output_is_dash_expect_csv_on_stdout),
		cmocka_unit_test(color_when_settled_expect_option_then_variable_then_tty),
		cmocka_unit_test(help_when_printed_expect_one_screenful),
		cmocka_unit_test(help_when_topic_is_unknown_expect_nearest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
