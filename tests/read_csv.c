/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a CSV file with libcsv, strictly, for test scripts: read_csv FILE [COLUMN].
 *
 * Prints the number of rows (without the header), of columns, and the sum of a column of whole
 * numbers ("-" without one). A row with another number of columns than the header, or text that
 * libcsv refuses, is an error: status 1 and one line on stderr.
 */
#include <csv.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
	const char *wanted; /* NULL = no column is summed */
	uint64_t rows, columns, column;
	uint64_t sum;
	uint64_t wanted_at; /* number of the wanted column; UINT64_MAX = not in the header */
	bool ragged;
};

static void on_field(void *text, size_t size, void *data)
{
	struct table *t = data;
	char cell[512];

	if (size >= sizeof(cell))
		size = sizeof(cell) - 1;
	memcpy(cell, text, size);
	cell[size] = '\0';
	if (t->rows == 0 && t->wanted && strcmp(cell, t->wanted) == 0)
		t->wanted_at = t->column;
	if (t->rows > 0 && t->column == t->wanted_at)
		t->sum += strtoull(cell, NULL, 10);
	t->column++;
}

static void on_row(int end, void *data)
{
	struct table *t = data;

	(void)end;
	if (t->rows == 0)
		t->columns = t->column;
	else if (t->column != t->columns)
		t->ragged = true;
	t->rows++;
	t->column = 0;
}

static int read_all(FILE *f, struct csv_parser *parser, struct table *t)
{
	char block[4096];
	size_t n;

	while ((n = fread(block, 1, sizeof(block), f)) > 0)
		if (csv_parse(parser, block, n, on_field, on_row, t) != n)
			return -1;
	return csv_fini(parser, on_field, on_row, t) == 0 && !ferror(f) ? 0 : -1;
}

/* What is wrong with the table, or NULL. @parsed: what read_all() returned. */
static const char *defect(const struct table *t, int parsed, struct csv_parser *parser)
{
	if (parsed)
		return csv_strerror(csv_error(parser));
	if (t->rows == 0)
		return "empty";
	if (t->ragged)
		return "rows of different lengths";
	if (t->wanted && t->wanted_at == UINT64_MAX)
		return "no such column";
	return NULL;
}

int main(int argc, char **argv)
{
	struct table t = {.wanted = argc > 2 ? argv[2] : NULL, .wanted_at = UINT64_MAX};
	struct csv_parser parser;
	FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
	const char *wrong;

	if (!f || csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0) {
		fprintf(stderr, "read_csv: cannot read %s\n", argc > 1 ? argv[1] : "nothing");
		return 1;
	}
	wrong = defect(&t, read_all(f, &parser, &t), &parser);
	if (wrong)
		fprintf(stderr, "read_csv: %s: %s\n", argv[1], wrong);
	else if (t.wanted)
		printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", t.rows - 1, t.columns, t.sum);
	else
		printf("%" PRIu64 " %" PRIu64 " -\n", t.rows - 1, t.columns);
	csv_free(&parser);
	fclose(f);
	return wrong != NULL;
}
