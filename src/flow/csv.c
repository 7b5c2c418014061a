/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of CSV from the field table. Numbers stand plain; text is quoted by libcsv where it must be.
 */
#include "src/flow/csv.h"

#include <csv.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

char *csv_number(double v, char *buf, unsigned size)
{
	const char *point = localeconv()->decimal_point;
	char *at;

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, size, "%.*g", digits, v);
		if (strtod(buf, NULL) == v)
			break;
	}
	at = strstr(buf, point);
	if (at) {
		*at = '.';
		memmove(at + 1, at + strlen(point), strlen(at + strlen(point)) + 1);
	}
	return buf;
}

static void text_write(FILE *f, const char *text)
{
	if (strpbrk(text, ",\"\r\n"))
		csv_fwrite(f, text, strlen(text));
	else
		fputs(text, f);
}

void csv_cell(FILE *f, const char *text, char end)
{
	text_write(f, text);
	fputc(end, f);
}

static void cell_write(FILE *f, const struct field *field, const struct field_input *in)
{
	struct field_cell cell;
	char number[40];

	field_get(field, in, &cell);
	if (field->kind == FIELD_TEXT)
		text_write(f, cell.text);
	else if (value_known(cell.value))
		fputs(csv_number(cell.value.v, number, sizeof(number)), f);
}

int csv_header(FILE *f, const struct fields *fs, enum field_scope scope)
{
	unsigned keys, count;
	const struct field *key = field_table(fs, FIELD_KEY, &keys);
	const struct field *field = field_table(fs, scope, &count);

	for (unsigned i = 0; i < keys; i++)
		fprintf(f, "%s%s", i ? "," : "", key[i].id);
	for (unsigned i = 0; i < count; i++) {
		fputc(',', f);
		text_write(f, field[i].id);
	}
	fputc('\n', f);
	return ferror(f) ? -EIO : 0;
}

/* The key cells of a round, which are the same in all its rows. malloced; NULL = no memory. */
static char *keys_make(const struct fields *fs, const struct field_input *in, size_t *size)
{
	unsigned count;
	const struct field *key = field_table(fs, FIELD_KEY, &count);
	char *text = NULL;
	FILE *f = open_memstream(&text, size);
	bool whole;

	if (!f)
		return NULL;
	for (unsigned i = 0; i < count; i++) {
		if (i)
			fputc(',', f);
		cell_write(f, &key[i], in);
	}
	whole = !ferror(f);
	if (fclose(f) == 0 && whole)
		return text;
	free(text);
	return NULL;
}

int csv_rows(FILE *f, const struct fields *fs, enum field_scope scope, const struct machine *m,
	     const struct round *r)
{
	unsigned count, rows = field_rows(scope, r);
	const struct field *field = field_table(fs, scope, &count);
	struct field_input in = {.machine = m, .round = r};
	size_t key_bytes;
	char *keys = keys_make(fs, &in, &key_bytes);

	if (!keys)
		return -ENOMEM;
	for (in.row = 0; in.row < rows; in.row++) {
		fwrite(keys, 1, key_bytes, f);
		for (unsigned i = 0; i < count; i++) {
			fputc(',', f);
			cell_write(f, &field[i], &in);
		}
		fputc('\n', f);
	}
	free(keys);
	return ferror(f) ? -EIO : 0;
}
