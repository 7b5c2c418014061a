/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of fields: its columns are a contract, and doc/fields is made from it.
 *
 * GOLDEN_UPDATE=1 in the environment writes doc/fields anew (`make golden` does); look at the
 * difference before keeping it.
 */
#include "src/flow/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/flow/field.h"
#include "tests/made_trial.h"

static const char doc_path[] = "doc/fields";

/* Names and order of the columns: users' scripts know them. New ones go to the end of a table. */
static const char key_columns[] =
	"schema, hotline_version, utc, host, cpu_model, kernel, virt, packages, cores, cpus, smt, "
	"governor, tick_resolution_ns, workload, variant, threads, placement, cpu_list, knobs, "
	"measure, sample_n, seed, trial, round, order, interleaved";
#define COUNTER_COLUMNS                                                                            \
	"ipc, ipc_why, transfers_per_op, transfers_per_op_why, misses_per_op, misses_per_op_why, " \
	"bus_cycles_per_op, bus_cycles_per_op_why, switches_per_s, switches_per_s_why"
static const char round_columns[] =
	"duration_s, real_s, user_s, sys_s, ops, ops_per_s, clocks_per_op, fairness_jain, "
	"handovers_per_op, acquires, contended, contended_why, wait_basis, wait_mean_ns, "
	"wait_p50_ns, wait_p99_ns, wait_p999_ns, wait_max_seen_ns, hold_mean_ns, hold_p50_ns, "
	"hold_p99_ns, hold_p999_ns, hold_max_seen_ns, gap_max_ns, ctx_switches, "
	"involuntary_switches, migrations, run_delay_ns, steal_ratio, probe_before_ns, "
	"probe_after_ns, disturbed, disturbed_why, " COUNTER_COLUMNS;
static const char lock_columns[] =
	"role, acquires, contended, wait_mean_ns, wait_p50_ns, wait_p99_ns, hold_mean_ns, "
	"hold_p50_ns, hold_p99_ns";

static const char *const columns[FIELD_SCOPES] = {
	[FIELD_KEY] = key_columns,
	[FIELD_ROUND] = round_columns,
	[FIELD_CPU] =
		"cpu, core, package, numa_node, threads_on_cpu, ops, ops_per_s, " COUNTER_COLUMNS,
	[FIELD_THREAD] = "thread, tid, cpu, ops, share, runs, run_max, run_mean",
	[FIELD_LOCK] = lock_columns,
	[FIELD_HIST] = "role, thread, kind, ge, lt, unit, count",
	[FIELD_METRIC] = "scope, name, unit, value, why",
};

static void tables_expect_columns_of_the_contract_in_order(void **state)
{
	(void)state;
	for (enum field_scope scope = FIELD_KEY; scope < FIELD_SCOPES; scope++) {
		char line[2048] = "";
		unsigned count, used = 0;
		const struct field *f = field_table(NULL, scope, &count);

		for (unsigned i = 0; i < count && used < sizeof(line); i++)
			used += (unsigned)snprintf(line + used, sizeof(line) - used, "%s%s",
						   i ? ", " : "", f[i].id);
		assert_string_equal(line, columns[scope]);
	}
}

/* pandas renames a second column of one name, sqlite refuses it. */
static void columns_of_one_file_expect_unique_names(void **state)
{
	unsigned keys;
	const struct field *key = field_table(NULL, FIELD_KEY, &keys);

	(void)state;
	for (enum field_scope scope = FIELD_KEY; scope < FIELD_SCOPES; scope++) {
		unsigned count;
		const struct field *f = field_table(NULL, scope, &count);

		for (unsigned i = 0; i < count; i++) {
			for (unsigned k = 0; k < i; k++)
				assert_string_not_equal(f[i].id, f[k].id);
			for (unsigned k = 0; k < keys && scope != FIELD_KEY; k++)
				assert_string_not_equal(f[i].id, key[k].id);
		}
	}
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n > m && strcmp(text + n - m, end) == 0;
}

static void names_that_end_in_a_unit_expect_that_unit(void **state)
{
	/* The first that fits counts. */
	static const struct {
		const char *end, *unit;
	} row[] = {
		{"switches_per_s", "1/s"},
		{"_per_s", "op/s"},
		{"_ns", "ns"},
		{"_us", "us"},
		{"_s", "s"},
		{"_hz", "Hz"},
		{"_bytes", "bytes"},
		{"_ratio", ""},
		{"_why", ""},
		{"clocks_per_op", "clock"},
		{"_per_op", ""},
	};
	const size_t rows = sizeof(row) / sizeof(row[0]);

	(void)state;
	for (enum field_scope scope = FIELD_KEY; scope < FIELD_SCOPES; scope++) {
		unsigned count;
		const struct field *f = field_table(NULL, scope, &count);

		for (unsigned i = 0; i < count; i++) {
			size_t k = 0;

			while (k < rows && !ends_with(f[i].id, row[k].end) &&
			       strcmp(f[i].id, row[k].end) != 0)
				k++;
			if (k < rows)
				assert_string_equal(f[i].unit, row[k].unit);
			else /* no unit of time or rate without a name that says so */
				assert_true(!*f[i].unit || strcmp(f[i].unit, "op") == 0);
		}
	}
}

static void fields_expect_complete_entries(void **state)
{
	(void)state;
	for (enum field_scope scope = FIELD_KEY; scope < FIELD_SCOPES; scope++) {
		unsigned count;
		const struct field *f = field_table(NULL, scope, &count);

		assert_true(count > 0);
		for (unsigned i = 0; i < count; i++) {
			assert_int_equal(f[i].scope, scope);
			assert_true(f[i].id[0] && f[i].header[0] && f[i].unit && f[i].get);
			assert_true(strlen(f[i].doc) > 2 && strlen(f[i].doc) < 120);
			assert_null(strpbrk(f[i].doc, "\n\t"));
			assert_int_equal(strspn(f[i].id, "abcdefghijklmnopqrstuvwxyz0123456789_"),
					 strlen(f[i].id));
			/* Text and flags have no better direction. */
			assert_true(f[i].better == BETTER_NONE || f[i].kind == FIELD_COUNT ||
				    f[i].kind == FIELD_NUMBER);
			assert_ptr_equal(field_find(NULL, scope, f[i].id), &f[i]);
		}
		assert_null(field_find(NULL, scope, "no_such_field"));
		assert_null(field_find(NULL, scope, ""));
	}
}

static void rows_expect_one_a_thing(void **state)
{
	const struct round r = {.cpu_count = 2,
				.thread_count = 3,
				.lock_count = 4,
				.bucket_count = 5,
				.metric_count = 6};
	static const unsigned rows[FIELD_SCOPES] = {
		[FIELD_KEY] = 1,  [FIELD_ROUND] = 1, [FIELD_CPU] = 2,    [FIELD_THREAD] = 3,
		[FIELD_LOCK] = 4, [FIELD_HIST] = 5,  [FIELD_METRIC] = 6,
	};

	(void)state;
	for (enum field_scope scope = FIELD_KEY; scope < FIELD_SCOPES; scope++)
		assert_int_equal(field_rows(scope, &r), rows[scope]);
}

/* A cell as text: what it prints, or the word of its reason. */
static void cell_text(enum field_scope scope, const char *id, const struct field_input *in,
		      char *buf, unsigned size)
{
	const struct field *f = field_find(NULL, scope, id);
	struct field_cell cell;

	assert_non_null(f);
	field_get(f, in, &cell);
	if (f->kind == FIELD_TEXT)
		snprintf(buf, size, "%.255s", cell.text);
	else if (value_known(cell.value))
		csv_number(cell.value.v, buf, size);
	else
		snprintf(buf, size, "%s", reason_word(cell.value.why));
}

static const struct {
	enum field_scope scope;
	unsigned row;
	const char *id, *text;
} cells[] = {
	{FIELD_KEY, 0, "schema", "1"},
	{FIELD_KEY, 0, "hotline_version", HOTLINE_VERSION},
	{FIELD_KEY, 0, "utc", "2026-11-30T12:00:00Z"},
	{FIELD_KEY, 0, "host", "node17"},
	{FIELD_KEY, 0, "cpu_model", "Some CPU"},
	{FIELD_KEY, 0, "kernel", "6.1.0"},
	{FIELD_KEY, 0, "virt", "none"},
	{FIELD_KEY, 0, "packages", "2"},
	{FIELD_KEY, 0, "cores", "4"},
	{FIELD_KEY, 0, "cpus", "4"},
	{FIELD_KEY, 0, "smt", "1"},
	{FIELD_KEY, 0, "governor", "performance"},
	{FIELD_KEY, 0, "tick_resolution_ns", "10"},
	{FIELD_KEY, 0, "workload", "spinlock"},
	{FIELD_KEY, 0, "variant", "mcs"},
	{FIELD_KEY, 0, "threads", "2"},
	{FIELD_KEY, 0, "placement", "spread"},
	{FIELD_KEY, 0, "cpu_list", "0-1"},
	{FIELD_KEY, 0, "knobs", "hold_ns=100,pad=64"},
	{FIELD_KEY, 0, "measure", "auto"},
	{FIELD_KEY, 0, "sample_n", "1"},
	{FIELD_KEY, 0, "seed", "42"},
	{FIELD_KEY, 0, "trial", "3"},
	{FIELD_KEY, 0, "round", "2"},
	{FIELD_KEY, 0, "order", "5"},
	{FIELD_KEY, 0, "interleaved", "1"},
	{FIELD_ROUND, 0, "ops", "3000"},
	{FIELD_ROUND, 0, "user_s", "1.8"},
	{FIELD_ROUND, 0, "contended", "750"},
	{FIELD_ROUND, 0, "contended_why", ""},
	{FIELD_ROUND, 0, "wait_basis", "all"},
	{FIELD_ROUND, 0, "wait_p99_ns", "100"},
	{FIELD_ROUND, 0, "hold_mean_ns", "50"},
	{FIELD_ROUND, 0, "gap_max_ns", "250"},
	{FIELD_ROUND, 0, "disturbed", "1"},
	{FIELD_ROUND, 0, "disturbed_why", "gap+probe"},
	{FIELD_CPU, 1, "cpu", "1"},
	{FIELD_CPU, 1, "core", "1"},
	{FIELD_CPU, 1, "package", "0"},
	{FIELD_CPU, 1, "numa_node", "unsupported"},
	{FIELD_CPU, 1, "threads_on_cpu", "1"},
	{FIELD_CPU, 1, "ops", "2000"},
	{FIELD_CPU, 1, "ops_per_s", "2000"},
	{FIELD_THREAD, 1, "thread", "1"},
	{FIELD_THREAD, 1, "tid", "1001"},
	{FIELD_THREAD, 0, "cpu", "0"},
	{FIELD_THREAD, 1, "cpu", "unpinned"},
	{FIELD_THREAD, 1, "ops", "2000"},
	{FIELD_THREAD, 1, "runs", "1000"},
	{FIELD_THREAD, 1, "run_max", "2"},
	{FIELD_LOCK, 0, "role", "lock"},
	{FIELD_LOCK, 0, "acquires", "3000"},
	{FIELD_LOCK, 0, "wait_mean_ns", "100"},
	/* Thread 0: wait, hold, gap, run. 200 ticks of 0.5 ns lie in {200 .. 203}. */
	{FIELD_HIST, 0, "role", "lock"},
	{FIELD_HIST, 0, "thread", "0"},
	{FIELD_HIST, 0, "kind", "wait"},
	{FIELD_HIST, 0, "ge", "100"},
	{FIELD_HIST, 0, "lt", "102"},
	{FIELD_HIST, 0, "unit", "ns"},
	{FIELD_HIST, 0, "count", "1000"},
	{FIELD_HIST, 1, "kind", "hold"},
	{FIELD_HIST, 2, "kind", "gap"},
	{FIELD_HIST, 2, "role", ""},
	{FIELD_HIST, 3, "kind", "run"},
	{FIELD_HIST, 3, "role", ""},
	{FIELD_HIST, 3, "ge", "2"},
	{FIELD_HIST, 3, "lt", "3"},
	{FIELD_HIST, 3, "unit", "op"},
	{FIELD_HIST, 3, "count", "500"},
	{FIELD_HIST, 4, "thread", "1"},
	{FIELD_METRIC, 0, "scope", "total"},
	{FIELD_METRIC, 0, "name", "runs"},
	{FIELD_METRIC, 0, "unit", "run"},
	{FIELD_METRIC, 0, "value", "1500"},
	{FIELD_METRIC, 0, "why", ""},
	{FIELD_METRIC, 2, "value", "lost"},
	{FIELD_METRIC, 2, "why", "lost"},
};

static void cells_of_a_made_up_round_expect_its_figures(void **state)
{
	struct made_trial m;
	struct round r;

	(void)state;
	made_trial_init(&m, 2);
	assert_int_equal(config_knob_set(&m.config, "pad", "64", NULL), 0);
	assert_int_equal(config_knob_set(&m.config, "hold_ns", "100", NULL), 0);
	assert_int_equal(round_make(&r, &m.in), 0);
	r.disturbed_why = DISTURBED_GAP | DISTURBED_PROBE;
	r.cpu[1].numa_node = -1;
	r.thread[1].cpu = -1;
	r.metric[2].value = value_missing(WHY_LOST);
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		struct field_input in = {&m.machine, &r, cells[i].row};
		char text[256];

		cell_text(cells[i].scope, cells[i].id, &in, text, sizeof(text));
		if (strcmp(text, cells[i].text) != 0)
			fail_msg("%s: '%s', expected '%s'", cells[i].id, text, cells[i].text);
	}
	round_free(&r);
	made_trial_fini(&m);
}

/* Cut, two different placements would look alike. */
static void cpus_of_a_large_machine_expect_all_in_the_list(void **state)
{
	static struct round_cpu cpu[600];
	static struct field_cell cell;
	const struct round r = {.cpu = cpu, .cpu_count = 600};
	const struct field_input in = {NULL, &r, 0};

	(void)state;
	for (int i = 0; i < 600; i++)
		cpu[i].cpu = 2 * i;
	field_get(field_find(NULL, FIELD_KEY, "cpu_list"), &in, &cell);
	assert_int_equal(strncmp(cell.text, "0,2,4,", 6), 0);
	assert_true(ends_with(cell.text, ",1196,1198"));
}

static const char *const titles[FIELD_SCOPES] = {
	[FIELD_KEY] = "Key columns: first in every file",
	[FIELD_ROUND] = "STEM-rounds.csv: one row a round. STEM-series.csv: one row a refresh",
	[FIELD_CPU] = "STEM-cpus.csv: one row a CPU and round",
	[FIELD_THREAD] = "STEM-threads.csv: one row a worker and round",
	[FIELD_LOCK] = "STEM-locks.csv: one row a lock role and round",
	[FIELD_HIST] = "STEM-hist.csv: one row a bucket that is not empty",
	[FIELD_METRIC] = "STEM-metrics.csv: one row a figure that only one workload has",
};

/* The columns of an event that is called EVENT. */
static void events_print(FILE *f, enum field_scope scope, unsigned fixed)
{
	static struct pmu_list one = {.count = 1, .event = {{.id = "EVENT"}}};
	const struct field *x;
	struct fields fs;
	unsigned count;

	assert_int_equal(fields_init(&fs, &one), 0);
	x = field_table(&fs, scope, &count);
	assert_true(count > fixed);
	fprintf(f, "\n  and for each event, by the name that -e takes:\n\n");
	for (unsigned i = fixed; i < count; i++)
		fprintf(f, "  %-20s %-6s %-5s %-6s  %s\n", x[i].id,
			x[i].kind == FIELD_TEXT ? "text" : "number", x[i].unit, "", x[i].doc);
	fields_fini(&fs);
}

static void doc_print(FILE *f)
{
	static const char *const kinds[] = {"text", "count", "number", "flag"};
	static const char *const better[] = {"", "higher", "lower"};

	fprintf(f, "The columns of the files that hotline writes, in order, and the keys of its "
		   "JSON.\nMade from the table of fields by `make golden`; a test compares.\n\n"
		   "NAME, kind, unit, which direction is better, meaning. A missing number is an "
		   "empty cell.\n");
	for (enum field_scope scope = FIELD_KEY; scope < FIELD_SCOPES; scope++) {
		unsigned count;
		const struct field *x = field_table(NULL, scope, &count);

		fprintf(f, "\n%s\n\n", titles[scope]);
		for (unsigned i = 0; i < count; i++)
			fprintf(f, "  %-20s %-6s %-5s %-6s  %s\n", x[i].id, kinds[x[i].kind],
				x[i].unit, better[x[i].better], x[i].doc);
		if (scope == FIELD_ROUND || scope == FIELD_CPU || scope == FIELD_THREAD)
			events_print(f, scope, count);
	}
}

static void doc_fields_expect_what_the_table_says(void **state)
{
	char *made = NULL, kept[16384];
	size_t made_size = 0, kept_size;
	FILE *f = open_memstream(&made, &made_size);

	(void)state;
	assert_non_null(f);
	doc_print(f);
	assert_int_equal(fclose(f), 0);
	if (getenv("GOLDEN_UPDATE")) {
		f = fopen(doc_path, "w");
		assert_non_null(f);
		assert_int_equal(fwrite(made, 1, made_size, f), made_size);
		assert_int_equal(fclose(f), 0);
	}
	f = fopen(doc_path, "r");
	if (!f)
		fail_msg("%s: cannot be read (run from the top folder; `make golden` writes it)",
			 doc_path);
	kept_size = fread(kept, 1, sizeof(kept) - 1, f);
	kept[kept_size] = '\0';
	fclose(f);
	if (strcmp(made, kept) != 0)
		fail_msg("%s is not what the table of fields says (`make golden` writes it)",
			 doc_path);
	free(made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_expect_columns_of_the_contract_in_order),
		cmocka_unit_test(columns_of_one_file_expect_unique_names),
		cmocka_unit_test(names_that_end_in_a_unit_expect_that_unit),
		cmocka_unit_test(fields_expect_complete_entries),
		cmocka_unit_test(rows_expect_one_a_thing),
		cmocka_unit_test(cpus_of_a_large_machine_expect_all_in_the_list),
		cmocka_unit_test(cells_of_a_made_up_round_expect_its_figures),
		cmocka_unit_test(doc_fields_expect_what_the_table_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
