/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The settings as text: read, written, overridden by the command line.
 */
#include "src/settings.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void parse(struct settings *s, const char *text)
{
	char copy[2048];

	*s = settings_default();
	snprintf(s->path, sizeof(s->path), "/c/hotline/config");
	snprintf(copy, sizeof(copy), "%s", text);
	settings_parse(s, copy);
}

static void check_default(const struct settings *s)
{
	const struct settings def = settings_default();

	assert_int_equal(s->theme, def.theme);
	assert_int_equal(s->color, def.color);
	assert_int_equal(s->ascii, def.ascii);
	assert_int_equal(s->mouse, def.mouse);
	assert_true(s->interval_s >= 0.25 && s->interval_s <= 0.25);
	assert_int_equal(s->measure, def.measure);
	assert_string_equal(s->events, "");
	assert_string_equal(s->sort[ROWS_CPUS].id, "");
	assert_string_equal(s->sort[ROWS_VARIANTS].id, "");
}

static void path_expect_by_the_environment(void **state)
{
	static const struct {
		const char *xdg, *home, *path; /* NULL: none */
	} cases[] = {
		{"/c", "/h", "/c/hotline/config"},
		{NULL, "/h", "/h/.config/hotline/config"},
		{"", "/h", "/h/.config/hotline/config"},
		{"relative", "/h", "/h/.config/hotline/config"},
		{NULL, NULL, NULL},
		{"relative", "", NULL},
		{NULL, "relative", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct settings s = settings_default();
		struct err e = {0};
		int rc = settings_path(&s, cases[i].xdg, cases[i].home, &e);

		assert_int_equal(rc, cases[i].path ? 0 : -ENOENT);
		assert_string_equal(s.path, cases[i].path ? cases[i].path : "");
		if (rc)
			assert_int_equal(settings_write(&s, &e), -ENOENT);
	}
}

static void path_too_long_expect_reason(void **state)
{
	char *xdg = malloc(SETTINGS_PATH + 1);
	struct settings s;
	struct err e;

	(void)state;
	assert_non_null(xdg);
	memset(xdg, 'a', SETTINGS_PATH);
	xdg[0] = '/';
	xdg[SETTINGS_PATH] = '\0';
	assert_int_equal(settings_path(&s, xdg, NULL, &e), -ENAMETOOLONG);
	assert_string_equal(s.path, "");
	free(xdg);
}

static void lines_expect_values_without_blanks_and_comments(void **state)
{
	struct settings s;

	(void)state;
	parse(&s, "# a comment\n"
		  "\n"
		  "theme = light\n"
		  "  color=never # behind a value\n"
		  "\tascii\t=\tyes\r\n"
		  "mouse = no\n"
		  "interval = 0.5\n"
		  "measure = sampled:64\n"
		  "events = cache,bus\n"
		  "sort_cpus = LLC-miss=x_per_op\n"
		  "sort_variants = wait_p99_ns");
	assert_int_equal(s.warning_count, 0);
	assert_int_equal(s.theme, THEME_LIGHT);
	assert_int_equal(s.color, COLOR_NEVER);
	assert_true(s.ascii);
	assert_false(s.mouse);
	assert_true(s.interval_s >= 0.5 && s.interval_s <= 0.5);
	assert_int_equal(s.measure, PAGE_MEASURE_SAMPLED);
	assert_int_equal(s.sample_n, 64);
	assert_string_equal(s.events, "cache,bus");
	assert_int_equal(s.events_line, 9);
	assert_string_equal(s.sort[ROWS_CPUS].id, "LLC-miss=x_per_op");
	assert_string_equal(s.sort[ROWS_VARIANTS].id, "wait_p99_ns");
}

static void bad_lines_expect_one_warning_each_and_the_default(void **state)
{
	static const struct {
		const char *text;
		const char *says; /* with the line */
	} cases[] = {
		{"thme = light", ":1: unknown setting 'thme' (nearest: theme"},
		{"\n\ntheme = pink", ":3: theme: unknown value 'pink' (dark, light, mono)"},
		{"color = yes", ":1: color: unknown value 'yes'"},
		{"ascii = 1", ":1: ascii: unknown value '1'"},
		{"mouse =", ":1: mouse: unknown value ''"},
		{"interval = 0", ":1: interval: "},
		{"interval = 0.5s", ":1: interval: "},
		{"interval = nan", ":1: interval: "},
		{"measure = often", ":1: measure: "},
		{"events =", ":1: events: empty"},
		{"sort_cpus = two words", ":1: sort_cpus: "},
		{"sort_variants = ipc", ":1: sort_variants: 'ipc' is no column"},
		{"light", ":1: 'light' is not of the form key = value"},
		{"= light", ":1: unknown setting ''"},
		{"theme\033[31m = light", ":1: unknown setting"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct settings s;

		parse(&s, cases[i].text);
		assert_int_equal(s.warning_count, 1);
		assert_int_equal(strncmp(s.warning[0], "/c/hotline/config", 17), 0);
		if (!strstr(s.warning[0], cases[i].says))
			fail_msg("'%s': '%s'", cases[i].text, s.warning[0]);
		assert_null(strpbrk(s.warning[0], "\033\n"));
		check_default(&s);
	}
}

static void bad_line_among_good_ones_expect_those_kept(void **state)
{
	struct settings s;

	(void)state;
	parse(&s, "theme = mono\nnonsense\ninterval = 1\n");
	assert_int_equal(s.warning_count, 1);
	assert_int_equal(s.theme, THEME_MONO);
	assert_true(s.interval_s >= 1);
}

static void many_bad_lines_expect_counted(void **state)
{
	char text[1024] = "";
	struct settings s;

	(void)state;
	for (unsigned i = 0; i < 100; i++)
		strcat(text, "x = 1\n");
	parse(&s, text);
	assert_int_equal(s.warning_count, 100);
	assert_non_null(strstr(s.warning[7], ":8: "));
}

static void defaults_written_expect_comments_only(void **state)
{
	const struct settings def = settings_default();
	char text[4096];
	size_t n = settings_format(&def, text, sizeof(text));

	(void)state;
	assert_true(n < sizeof(text) && n == strlen(text));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		assert_int_equal(line[0], '#');
	/* As snprintf() does. */
	assert_int_equal(settings_format(&def, text, 10), n);
	assert_int_equal(strlen(text), 9);
}

static struct cli_options options(const char *line)
{
	static char words[256], *argv[16];
	int argc = 0;
	struct cli_options o;
	struct err e;

	snprintf(words, sizeof(words), "%s", line);
	for (char *w = strtok(words, " "); w; w = strtok(NULL, " "))
		argv[argc++] = w;
	argv[argc] = NULL;
	assert_int_equal(cli_parse(&o, argc, argv, &e), 0);
	return o;
}

static void settings_expect_in_force_unless_the_command_line_says_otherwise(void **state)
{
	struct cli_options o = options("hotline");
	struct settings s;

	(void)state;
	parse(&s, "theme = light\ncolor = never\nascii = yes\nmouse = no\ninterval = 2\n"
		  "measure = every\nevents = bus\n");
	settings_apply(&s, &o);
	assert_int_equal(o.theme, THEME_LIGHT);
	assert_int_equal(o.color_mode, COLOR_NEVER);
	assert_true(o.ascii);
	assert_false(o.mouse);
	assert_true(o.plan.interval_s >= 2);
	assert_int_equal(o.plan.measure, PAGE_MEASURE_EVERY);
	assert_string_equal(o.events, "bus");

	o = options("hotline --theme dark --color auto --no-ascii --mouse -i 0.25 -m auto -e none");
	settings_apply(&s, &o);
	assert_int_equal(o.theme, THEME_DARK);
	assert_int_equal(o.color_mode, COLOR_AUTO);
	assert_false(o.ascii);
	assert_true(o.mouse);
	assert_true(o.plan.interval_s < 0.3);
	assert_int_equal(o.plan.measure, PAGE_MEASURE_AUTO);
	assert_string_equal(o.events, "none");

	s = settings_default();
	o = options("hotline --ascii --no-mouse --theme mono");
	settings_apply(&s, &o);
	assert_true(o.ascii);
	assert_false(o.mouse);
	assert_int_equal(o.theme, THEME_MONO);
	assert_null(o.events);
}

/* Saved colours win over NO_COLOR, as https://no-color.org has it; so does the command line. */
static void no_color_expect_weaker_than_saved_colours(void **state)
{
	struct cli_options o = options("hotline");
	struct settings s;

	(void)state;
	parse(&s, "color = always\n");
	settings_apply(&s, &o);
	cli_color_settle(&o, "1", true);
	assert_true(o.color);
	o = options("hotline --color never");
	settings_apply(&s, &o);
	cli_color_settle(&o, NULL, true);
	assert_false(o.color);
	s = settings_default();
	o = options("hotline");
	settings_apply(&s, &o);
	cli_color_settle(&o, "1", true);
	assert_false(o.color);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(path_expect_by_the_environment),
		cmocka_unit_test(path_too_long_expect_reason),
		cmocka_unit_test(lines_expect_values_without_blanks_and_comments),
		cmocka_unit_test(bad_lines_expect_one_warning_each_and_the_default),
		cmocka_unit_test(bad_line_among_good_ones_expect_those_kept),
		cmocka_unit_test(many_bad_lines_expect_counted),
		cmocka_unit_test(defaults_written_expect_comments_only),
		cmocka_unit_test(settings_expect_in_force_unless_the_command_line_says_otherwise),
		cmocka_unit_test(no_color_expect_weaker_than_saved_colours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
