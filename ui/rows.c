/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of the tables: filtered by what the user typed, then sorted by value.
 */
#include "ui/rows.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "ui/counters.h"

/* Columns beside the counters. */
static const struct rows_sort cpu_sorts[] = {
	{"cpu", "CPU", false, NULL, 0},
	{"ops_per_s", "op/s", true, NULL, 0},
};
/* In the order in which the best stands first. */
static const struct rows_sort variant_sorts[] = {
	{"ops_per_s", "op/s", true, NULL, 0},
	{"wait_p99_ns", "wait p99", false, NULL, 0},
	{"fairness_jain", "fair", true, NULL, 0},
};
enum {
	CPU_SORTS = sizeof(cpu_sorts) / sizeof(cpu_sorts[0]),
	VARIANT_SORTS = sizeof(variant_sorts) / sizeof(variant_sorts[0]),
};

/* The @nth column of a table that can be sorted by; false behind the last. */
static bool sort_nth(const struct model *m, enum rows_table table, unsigned nth,
		     struct rows_sort *out)
{
	const struct field *field[COUNTERS_MAX];
	unsigned fixed = table == ROWS_CPUS ? CPU_SORTS : VARIANT_SORTS;
	unsigned counters = table == ROWS_CPUS ? counters_fields(m, field, COUNTERS_MAX) : 0;

	if (nth < fixed) {
		*out = table == ROWS_CPUS ? cpu_sorts[nth] : variant_sorts[nth];
		return true;
	}
	nth -= fixed;
	if (nth >= counters)
		return false;
	*out = (struct rows_sort){field[nth]->id, field[nth]->header, true, field[nth], nth};
	return true;
}

bool rows_sort_find(const struct model *m, enum rows_table table, const char *id,
		    struct rows_sort *out)
{
	for (unsigned i = 0; sort_nth(m, table, i, out); i++) {
		if (!strcmp(out->id, id))
			return true;
	}
	return false;
}

const char *rows_sort_next(const struct model *m, enum rows_table table, const char *id)
{
	struct rows_sort s;
	unsigned i = 0;

	while (*id && sort_nth(m, table, i, &s) && strcmp(s.id, id) != 0)
		i++;
	i += *id != '\0';
	return sort_nth(m, table, i, &s) ? s.id : "";
}

bool rows_sort_valid(enum rows_table table, const char *id)
{
	size_t n = strspn(id, "abcdefghijklmnopqrstuvwxyz"
			      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:=-");

	for (unsigned i = 0; table == ROWS_VARIANTS && i < VARIANT_SORTS; i++) {
		if (!strcmp(id, variant_sorts[i].id))
			return true;
	}
	/* Which counters there are is known only once they are asked for. */
	return !*id || (table == ROWS_CPUS && !id[n] && n < ROWS_SORT_BYTES);
}

/* NAN, a missing value, is behind everything. */
static bool comes_before(double a, double b)
{
	return !isnan(a) && (isnan(b) || a < b);
}

/* Merges two neighbouring sorted runs; of equals the left one comes first. */
static void merge(const uint16_t *from, uint16_t *to, unsigned left, unsigned mid, unsigned right,
		  const double *key)
{
	unsigned a = left, b = mid;

	for (unsigned i = left; i < right; i++) {
		if (a < mid && (b >= right || !comes_before(key[from[b]], key[from[a]])))
			to[i] = from[a++];
		else
			to[i] = from[b++];
	}
}

/* Merge sort bottom-up: stable, and qsort() may allocate. @key: by index, smallest first. */
static void rows_sort(struct rows *r, const double *key)
{
	uint16_t other[PAGE_SLOTS];

	for (unsigned width = 1; width < r->count; width *= 2) {
		for (unsigned left = 0; left < r->count; left += 2 * width) {
			unsigned mid = left + width < r->count ? left + width : r->count;
			unsigned right = mid + width < r->count ? mid + width : r->count;

			merge(r->at, other, left, mid, right, key);
		}
		memcpy(r->at, other, r->count * sizeof(r->at[0]));
	}
}

/* Smallest first is what rows_sort() does. */
static double key_of(struct value v, bool largest_first)
{
	if (!value_known(v))
		return NAN;
	return largest_first ? -v.v : v.v;
}

static struct value cpu_value(const struct model *m, const struct rows_sort *s, unsigned row)
{
	struct field_input in = {m->machine, &m->live, row};
	struct field_cell cell;

	if (!s->field)
		return strcmp(s->id, "cpu") ? m->cpu[row].ops_per_s
					    : value_of((double)m->cpu[row].cpu);
	if (row >= m->live.cpu_count)
		return value_missing(WHY_NOT_YET);
	field_get(s->field, &in, &cell);
	return cell.value;
}

void rows_cpus(struct rows *r, const struct model *m, const char *sort, const char *filter)
{
	double key[PAGE_SLOTS];
	struct rows_sort s;

	r->count = 0;
	for (unsigned i = 0; i < m->cpu_count && i < PAGE_SLOTS; i++) {
		if (rows_cpu_matches(&m->cpu[i], filter))
			r->at[r->count++] = (uint16_t)i;
	}
	if (!*sort || !rows_sort_find(m, ROWS_CPUS, sort, &s))
		return;
	for (unsigned i = 0; i < r->count; i++)
		key[r->at[i]] = key_of(cpu_value(m, &s, r->at[i]), s.largest_first);
	rows_sort(r, key);
}

struct rows_variant rows_variant_figures(const struct model *m, const struct model_variant *v)
{
	if (m->state == MODEL_RUNNING && !strcmp(v->info->name, m->config.variant))
		return (struct rows_variant){true, m->ops_per_s_mean, m->wait[0].stat.p50_ns,
					     m->wait[0].stat.p99_ns, m->fairness_jain};
	return (struct rows_variant){false, v->ops_per_s, v->wait_p50_ns, v->wait_p99_ns,
				     v->fairness};
}

void rows_variants(struct rows *r, const struct model *m, const char *sort, const char *filter)
{
	double key[MODEL_VARIANTS];
	struct rows_sort s;

	r->count = 0;
	for (unsigned i = 0; i < m->variant_count && i < MODEL_VARIANTS; i++) {
		if (strcasestr(m->variant[i].info->name, filter))
			r->at[r->count++] = (uint16_t)i;
	}
	if (!*sort || !rows_sort_find(m, ROWS_VARIANTS, sort, &s))
		return;
	for (unsigned i = 0; i < r->count; i++) {
		const struct rows_variant f = rows_variant_figures(m, &m->variant[r->at[i]]);
		struct value v = !strcmp(s.id, "ops_per_s")     ? f.ops_per_s
				 : !strcmp(s.id, "wait_p99_ns") ? f.wait_p99_ns
								: f.fairness;

		/* Below what the clock can tell is shorter than every wait that it can tell. */
		if (v.why == WHY_UNRESOLVED)
			v = value_of(0);
		key[r->at[i]] = key_of(v, s.largest_first);
	}
	rows_sort(r, key);
}

void rows_workloads(struct rows *r, const struct model *m, const char *filter)
{
	r->count = 0;
	for (unsigned i = 0; m->catalog && i < m->catalog->workload_count && i < PAGE_SLOTS; i++) {
		if (strcasestr(m->catalog->workload[i].name, filter))
			r->at[r->count++] = (uint16_t)i;
	}
}

/* Reads digits at *@p and moves it behind them. Returns -1 if there are none. */
static long number_next(const char **p)
{
	long n = 0;

	if (!isdigit((unsigned char)**p))
		return -1;
	for (; isdigit((unsigned char)**p); (*p)++)
		n = n < 1000000 ? n * 10 + (**p - '0') : n;
	return n;
}

/* "n1c12": every part of it fits. A letter alone waits for its number. */
static bool place_matches(const struct model_cpu *c, const char *p, const char *end)
{
	while (p < end) {
		char letter = (char)tolower((unsigned char)*p++);
		long number = number_next(&p);
		int at = letter == 'n' ? c->numa_node : letter == 'c' ? c->core : c->package;

		/* What is not known is shown as 0. */
		if (!strchr("ncp", letter) || (number >= 0 && (at < 0 ? 0 : at) != number))
			return false;
	}
	return true;
}

/* "12", "2-5", "2-": kernel ids. */
static bool id_matches(const struct model_cpu *c, const char *p, const char *end)
{
	long first = number_next(&p), last = first;

	if (p < end && *p == '-') {
		p++;
		last = p < end ? number_next(&p) : PAGE_SLOTS * 1000L;
	}
	return p == end && c->cpu >= first && c->cpu <= last;
}

bool rows_cpu_matches(const struct model_cpu *c, const char *text)
{
	bool any_term = false;

	while (*text) {
		size_t n = strcspn(text, " ,");
		const char *end = text + n;

		if (n) {
			any_term = true;
			if (isdigit((unsigned char)*text) ? id_matches(c, text, end)
							  : place_matches(c, text, end))
				return true;
		}
		text = *end ? end + 1 : end;
	}
	return !any_term;
}
