/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of CSV: numbers, quoting, empty cells, and all of it read back by libcsv.
 */
#include "src/flow/csv.h"

#include <csv.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/made_trial.h"

struct scene {
	struct made_trial m;
	struct round r;
};

static int scene_setup(void **state)
{
	static struct scene s;

	*state = &s;
	made_trial_init(&s.m, 3);
	if (round_make(&s.r, &s.m.in) != 0)
		return -1;
	return 0;
}

static int scene_teardown(void **state)
{
	struct scene *s = *state;

	round_free(&s->r);
	made_trial_fini(&s->m);
	return 0;
}

static void headers_expect_key_columns_then_those_of_the_table(void **state)
{
	(void)state;
	for (enum field_scope scope = FIELD_ROUND; scope < FIELD_SCOPES; scope++) {
		char *text = NULL, *expected = NULL;
		size_t size = 0, expected_size = 0;
		FILE *f = open_memstream(&text, &size);
		FILE *g = open_memstream(&expected, &expected_size);

		assert_true(f && g);
		for (unsigned part = 0; part < 2; part++) {
			unsigned count;
			const struct field *x = field_table(NULL, part ? scope : FIELD_KEY, &count);

			for (unsigned i = 0; i < count; i++)
				fprintf(g, "%s%s", part || i ? "," : "", x[i].id);
		}
		fputc('\n', g);
		assert_int_equal(csv_header(f, NULL, scope), 0);
		fclose(f);
		fclose(g);
		assert_string_equal(text, expected);
		free(text);
		free(expected);
	}
}

static const struct {
	double v;
	const char *text;
} numbers[] = {
	{0, "0"},
	{1, "1"},
	{-1.5, "-1.5"},
	{0.1, "0.1"},
	{1.0 / 3, "0.3333333333333333"},
	{0.1 + 0.2, "0.30000000000000004"},
	{3000, "3000"},
	{1e15, "1e+15"},
	{123456789012345, "123456789012345"},
	{9007199254740992, "9007199254740992"},
	{1e-7, "1e-07"},
	{DBL_MAX, "1.7976931348623157e+308"},
};

static void numbers_expect_shortest_text(void **state)
{
	char buf[40];

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		assert_string_equal(csv_number(numbers[i].v, buf, sizeof(buf)), numbers[i].text);
}

static void any_number_expect_read_back_the_same(void **state)
{
	uint64_t bits = 1;
	char buf[40];

	(void)state;
	for (int i = 0; i < 100000; i++) {
		double v;

		bits = bits * 6364136223846793005u + 1442695040888963407u;
		memcpy(&v, &bits, sizeof(v));
		if (!isfinite(v))
			continue;
		csv_number(v, buf, sizeof(buf));
		assert_true(strtod(buf, NULL) == v);
		assert_true(strspn(buf, "0123456789.e+-") == strlen(buf));
	}
}

/* Makes a locale whose numbers have @point, if this machine has the means, and uses it. */
static bool locale_use(const char *folder, const char *point)
{
	char command[256], path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/source", folder);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "LC_NUMERIC\ndecimal_point \"%s\"\nthousands_sep \"\"\n", point);
	fprintf(f, "grouping -1\nEND LC_NUMERIC\n");
	fclose(f);
	/* Only one category is there, so it says 1. */
	snprintf(command, sizeof(command), "localedef -c -i %s -f UTF-8 %s/xx.UTF-8 >%s/log 2>&1",
		 path, folder, folder);
	if (system(command) < 0)
		return false;
	setenv("LOCPATH", folder, 1);
	return setlocale(LC_NUMERIC, "xx.UTF-8") != NULL;
}

static void numbers_in_locales_with_other_points_expect_dots(void **state)
{
	/* As in de_DE; as in ps_AF, where it takes two bytes. */
	static const char *const points[] = {",", "<U066B>"};
	unsigned used = 0;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		char folder[] = "/tmp/test_csv.XXXXXX", command[64], buf[40];

		assert_non_null(mkdtemp(folder));
		if (locale_use(folder, points[i])) {
			assert_string_not_equal(localeconv()->decimal_point, ".");
			csv_number(1.0 / 3, buf, sizeof(buf));
			assert_string_equal(buf, "0.3333333333333333");
			assert_string_equal(csv_number(-2.5e-9, buf, sizeof(buf)), "-2.5e-09");
			assert_string_equal(csv_number(1e6, buf, sizeof(buf)), "1000000");
			used++;
		}
		setlocale(LC_NUMERIC, "C");
		unsetenv("LOCPATH");
		snprintf(command, sizeof(command), "rm -rf %s", folder);
		assert_int_equal(system(command), 0);
	}
	if (!used) {
		print_message(
			"skip numbers_in_locales_with_other_points_expect_dots: localedef makes "
			"no locale here\n");
		skip();
	}
}

/* The rows of a table as text. The caller frees. */
static char *rows_of(const struct scene *s, enum field_scope scope)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	assert_int_equal(csv_header(f, NULL, scope), 0);
	assert_int_equal(csv_rows(f, NULL, scope, &s->m.machine, &s->r), 0);
	assert_int_equal(fclose(f), 0);
	return text;
}

static void text_expect_quoted_only_where_it_must_be(void **state)
{
	static const struct {
		const char *text, *cell;
	} row[] = {
		{"plain", ",plain,"},         {"two words", ",two words,"},
		{"a,b", ",\"a,b\","},         {"say \"so\"", ",\"say \"\"so\"\"\","},
		{"a\nb", ",\"a\nb\","},       {"a\rb", ",\"a\rb\","},
		{"\xc2\xb5s", ",\xc2\xb5s,"}, {"", ",,"},
	};
	struct scene *s = *state;

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		char *text;

		snprintf(s->m.machine.cpu_model, sizeof(s->m.machine.cpu_model), "%s", row[i].text);
		text = rows_of(s, FIELD_ROUND);
		assert_non_null(strstr(strchr(text, '\n'), row[i].cell));
		free(text);
	}
}

/* A table as libcsv reads it back. */
struct table {
	char cell[64][96][80]; /* row, column; longer text is cut */
	unsigned rows, columns, column;
	bool ragged;
};

static void on_cell(void *text, size_t size, void *data)
{
	struct table *t = data;

	assert_true(t->rows < 64 && t->column < 96);
	snprintf(t->cell[t->rows][t->column++], 80, "%.*s", (int)size, (char *)text);
}

static void on_row(int end, void *data)
{
	struct table *t = data;

	(void)end;
	if (t->rows == 0)
		t->columns = t->column;
	t->ragged = t->ragged || t->column != t->columns;
	t->column = 0;
	t->rows++;
}

static struct table *table_read(const char *text)
{
	struct table *t = calloc(1, sizeof(*t));
	struct csv_parser p;

	assert_non_null(t);
	assert_int_equal(csv_init(&p, CSV_STRICT | CSV_STRICT_FINI), 0);
	assert_int_equal(csv_parse(&p, text, strlen(text), on_cell, on_row, t), strlen(text));
	assert_int_equal(csv_fini(&p, on_cell, on_row, t), 0);
	csv_free(&p);
	assert_false(t->ragged);
	return t;
}

static const char *cell_at(const struct table *t, unsigned row, const char *column)
{
	for (unsigned i = 0; i < t->columns; i++)
		if (strcmp(t->cell[0][i], column) == 0)
			return t->cell[row][i];
	fail_msg("no column %s", column);
	return NULL;
}

static void tables_read_back_expect_every_cell_as_it_was(void **state)
{
	struct scene *s = *state;

	snprintf(s->m.machine.host, sizeof(s->m.machine.host), "a \"host\",\nor two");
	for (enum field_scope scope = FIELD_ROUND; scope < FIELD_SCOPES; scope++) {
		char *text = rows_of(s, scope);
		struct table *t = table_read(text);
		unsigned count;
		const struct field *x = field_table(NULL, scope, &count);

		assert_int_equal(t->rows, 1 + field_rows(scope, &s->r));
		for (unsigned row = 1; row < t->rows; row++) {
			struct field_input in = {&s->m.machine, &s->r, row - 1};

			assert_string_equal(cell_at(t, row, "host"), s->m.machine.host);
			for (unsigned i = 0; i < count; i++) {
				const char *cell = t->cell[row][t->columns - count + i];
				struct field_cell got;

				field_get(&x[i], &in, &got);
				if (x[i].kind == FIELD_TEXT)
					assert_string_equal(cell, got.text);
				else if (value_known(got.value))
					assert_true(*cell && strtod(cell, NULL) == got.value.v);
				else
					assert_string_equal(cell, "");
			}
		}
		free(text);
		free(t);
	}
}

static void missing_numbers_expect_empty_cells_and_their_word(void **state)
{
	struct scene *s = *state;
	struct table *t;
	char *text;

	s->r.lock[0].contended = value_missing(WHY_UNSUPPORTED);
	s->r.clocks_per_op = value_missing(WHY_LOST);
	s->r.ops_per_s = value_of(0);
	s->r.lock[0].wait.p50_ns = (struct value){20, WHY_UNRESOLVED};
	s->r.lock[0].wait.p99_ns = (struct value){30, WHY_SCALED};
	text = rows_of(s, FIELD_ROUND);
	t = table_read(text);
	assert_string_equal(cell_at(t, 1, "contended"), "");
	assert_string_equal(cell_at(t, 1, "contended_why"), "unsupported");
	assert_string_equal(cell_at(t, 1, "clocks_per_op"), "");
	/* A number that is 0 is there. */
	assert_string_equal(cell_at(t, 1, "ops_per_s"), "0");
	assert_string_equal(cell_at(t, 1, "wait_p50_ns"), "");
	assert_string_equal(cell_at(t, 1, "wait_p99_ns"), "30");
	free(text);
	free(t);
}

static void round_of_nothing_expect_header_only_in_tables_of_many(void **state)
{
	struct scene *s = *state;

	round_free(&s->r);
	for (enum field_scope scope = FIELD_CPU; scope < FIELD_SCOPES; scope++) {
		char *text = rows_of(s, scope);

		assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
		free(text);
	}
}

static void stream_that_fails_expect_io_error(void **state)
{
	struct scene *s = *state;
	FILE *f = fopen("/dev/full", "w");

	assert_non_null(f);
	setvbuf(f, NULL, _IONBF, 0);
	assert_true(csv_header(f, NULL, FIELD_ROUND) < 0);
	assert_true(csv_rows(f, NULL, FIELD_HIST, &s->m.machine, &s->r) < 0);
	fclose(f);
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_setup, scene_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_expect_key_columns_then_those_of_the_table),
		cmocka_unit_test(numbers_expect_shortest_text),
		cmocka_unit_test(any_number_expect_read_back_the_same),
		cmocka_unit_test(numbers_in_locales_with_other_points_expect_dots),
		SCENE(text_expect_quoted_only_where_it_must_be),
		SCENE(tables_read_back_expect_every_cell_as_it_was),
		SCENE(missing_numbers_expect_empty_cells_and_their_word),
		SCENE(round_of_nothing_expect_header_only_in_tables_of_many),
		SCENE(stream_that_fails_expect_io_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
