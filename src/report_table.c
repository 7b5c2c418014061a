/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fills and prints one table: medians and ranges of the rounds, columns as wide as need be.
 */
#include "src/report_table.h"

#include <stdlib.h>
#include <string.h>

#include "src/text.h"

enum {
	CELL_BYTES = 96,
	COLS_MAX = 10,
};

static int compare_values(const void *a, const void *b)
{
	const struct value *x = a, *y = b;
	/* Unresolved ones first: they are below all that the clock can tell. */
	int low = (y->why == WHY_UNRESOLVED) - (x->why == WHY_UNRESOLVED);

	return low ? low : (x->v > y->v) - (x->v < y->v);
}

struct report_stat report_stat_make(struct value *v, unsigned n)
{
	enum reason why = n ? v[0].why : WHY_NOT_YET;
	struct report_stat s = {.count = 0};
	unsigned below = 0;

	for (unsigned i = 0; i < n; i++) {
		if (value_known(v[i]) || v[i].why == WHY_UNRESOLVED) {
			below += v[i].why == WHY_UNRESOLVED;
			v[s.count++] = v[i];
		}
	}
	if (!s.count) {
		s.median = s.min = s.max = value_missing(why);
		return s;
	}
	qsort(v, s.count, sizeof(*v), compare_values);
	s.min = v[0];
	s.max = v[s.count - 1];
	s.median = v[s.count / 2];
	if ((s.count - 1) / 2 < below)
		s.median = v[below - 1]; /* the largest bound */
	else if (s.count % 2 == 0)
		s.median.v = (v[s.count / 2 - 1].v + s.median.v) / 2;
	for (unsigned i = 0; value_known(s.median) && i < s.count; i++)
		s.median.why = v[i].why == WHY_SCALED ? WHY_SCALED : s.median.why;
	return s;
}

unsigned report_round_next(const struct report_input *in, unsigned config, unsigned i)
{
	while (i < in->round_count && in->config[i] != config)
		i++;
	return i;
}

unsigned report_rounds_of(const struct report_input *in, unsigned config)
{
	unsigned n = 0;

	for (unsigned i = 0; (i = report_round_next(in, config, i)) < in->round_count; i++)
		n++;
	return n;
}

bool report_excludes(const struct report_input *in, unsigned config)
{
	const struct config *c = &in->list->config[config];
	const struct catalog_workload *w = catalog_find(in->catalog, c->workload);
	const struct catalog_variant *v = w ? catalog_variant(w, c->variant) : NULL;

	return !v || v->excludes;
}

/* A table under construction, and what its notes have to explain. */
struct table {
	const struct report_input *in;
	const struct report_cols *set;
	unsigned rows;
	char (*cell)[CELL_BYTES]; /* rows x (1 + columns), the name first */
	unsigned why_seen;        /* bits: reasons that stand in cells */
};

static char *cell_at(const struct table *t, unsigned row, unsigned col)
{
	return t->cell[row * (t->set->count + 1) + col];
}

static void value_print(const struct table *t, enum report_format format, struct value v, char *buf,
			unsigned size)
{
	if (format == REPORT_NS)
		text_value_ns(v, t->in->ascii, buf, size);
	else if (format == REPORT_PCT && value_known(v))
		snprintf(buf, size, "%.1f%%", v.v * 100);
	else
		text_value(v, buf, size);
}

/* Median, and behind it half of the range in per cent of it, padded so that columns line up. */
static void stat_print(const struct table *t, enum report_format format,
		       const struct report_stat *s, char *buf, unsigned size)
{
	char pct[16];
	double half;
	size_t have;

	value_print(t, format, s->median, buf, size);
	if (s->count < 2 || !value_known(s->min) || !(s->median.v > 0))
		return;
	half = (s->max.v - s->min.v) / 2 / s->median.v * 100;
	snprintf(pct, sizeof(pct), half < 9.95 ? "%.1f%%" : "%.0f%%", half);
	have = strlen(buf);
	snprintf(buf + have, size - have, " %s%4s", t->in->ascii ? "+-" : "\xc2\xb1", pct);
}

static void cell_fill(struct table *t, unsigned c, const struct report_row *row, char *buf)
{
	const struct report_input *in = t->in;
	const struct report_col *col = &t->set->col[c];
	const unsigned which = t->set->which ? t->set->which[c] : row->role;
	struct value v[64], *values = v;
	unsigned n = report_rounds_of(in, row->config), have = 0;
	struct report_stat s;
	char lo[24], hi[24];

	if (!col->get) {
		col->print(row, buf, CELL_BYTES);
		return;
	}
	if (n > sizeof(v) / sizeof(v[0]))
		values = calloc(n, sizeof(*values));
	for (unsigned i = 0;
	     values && (i = report_round_next(in, row->config, i)) < in->round_count; i++)
		values[have++] = col->get(in->round[i], which);
	s = report_stat_make(values, have);
	if (values != v)
		free(values);
	if (col->format == REPORT_RANGE && s.count > 1)
		snprintf(buf, CELL_BYTES, "%s..%s", text_value(s.min, lo, sizeof(lo)),
			 text_value(s.max, hi, sizeof(hi)));
	else if (col->format != REPORT_RANGE)
		stat_print(t, col->format, &s, buf, CELL_BYTES);
	if (s.median.why != WHY_OK)
		t->why_seen |= 1u << s.median.why;
}

static void name_print(const struct report_input *in, unsigned config, char *buf, unsigned size)
{
	spec_label(in->list, config, buf, size);
	if (!report_excludes(in, config))
		snprintf(buf + strlen(buf), size - strlen(buf), " (no exclusion)");
}

/* Cells that a terminal draws for @utf8: one a code point. */
static unsigned width_of(const char *utf8)
{
	unsigned n = 0;

	for (; *utf8; utf8++)
		n += (*utf8 & 0xc0) != 0x80;
	return n;
}

/* Prints cells to the right of their columns, names to the left. */
static void line_print(FILE *f, const struct table *t, const unsigned *width,
		       const char *(*text)(const struct table *t, unsigned row, unsigned col),
		       unsigned row)
{
	for (unsigned c = 0; c <= t->set->count; c++) {
		const char *s = text(t, row, c);
		int pad = (int)width[c] - (int)width_of(s);

		if (c == 0)
			fprintf(f, "%s%*s", s, pad, "");
		else
			fprintf(f, "  %*s%s", pad, "", s);
	}
	fputc('\n', f);
}

static const char *head_text(const struct table *t, unsigned row, unsigned col)
{
	return col ? t->set->col[col - 1].head[row] : "";
}

static const char *body_text(const struct table *t, unsigned row, unsigned col)
{
	return cell_at(t, row, col);
}

static void table_print(FILE *f, const struct table *t)
{
	unsigned width[COLS_MAX + 1] = {0};
	bool two_heads = false;

	for (unsigned c = 0; c <= t->set->count; c++) {
		for (unsigned h = 0; h < 2; h++) {
			unsigned w = width_of(head_text(t, h, c));

			width[c] = w > width[c] ? w : width[c];
			two_heads |= h == 0 && w;
		}
		for (unsigned r = 0; r < t->rows; r++) {
			unsigned w = width_of(cell_at(t, r, c));

			width[c] = w > width[c] ? w : width[c];
		}
	}
	if (two_heads)
		line_print(f, t, width, head_text, 0);
	line_print(f, t, width, head_text, 1);
	for (unsigned r = 0; r < t->rows; r++)
		line_print(f, t, width, body_text, r);
}

/* Lines that a configuration has in a table. */
static unsigned rows_of(const struct report_input *in, unsigned config, bool per_lock)
{
	unsigned i = report_round_next(in, config, 0);

	if (i == in->round_count)
		return 0;
	if (!per_lock)
		return 1;
	return in->round[i]->sample_n ? in->round[i]->lock_count : 0;
}

unsigned report_table(FILE *f, const struct report_input *in, const struct report_cols *cols)
{
	struct table t = {.in = in, .set = cols};

	t.cell = calloc((size_t)in->list->count * PAGE_ROLES * (cols->count + 1), sizeof(*t.cell));
	if (!t.cell)
		return 0;
	for (unsigned config = 0; config < in->list->count; config++) {
		unsigned rows = rows_of(in, config, cols->per_lock);

		for (unsigned role = 0; role < rows; role++, t.rows++) {
			struct report_row row = {in, config, role};

			name_print(in, config, cell_at(&t, t.rows, 0), CELL_BYTES);
			for (unsigned c = 0; c < cols->count; c++)
				cell_fill(&t, c, &row, cell_at(&t, t.rows, c + 1));
		}
	}
	if (t.rows) {
		fputc('\n', f);
		table_print(f, &t);
	}
	free(t.cell);
	return t.why_seen;
}
