/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Snapshot and series files: complete or absent, never over another file.
 */
#include "src/flow/csv.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/made_trial.h"

static const char *const tables[] = {"rounds", "cpus", "threads", "locks", "hist", "metrics"};
enum { TABLES = sizeof(tables) / sizeof(tables[0]) };

/* An empty folder to write into, and two rounds to write. */
struct scene {
	struct made_trial m;
	struct round r;
	const struct round *list[2];
	char folder[64], stem[96];
};

static int scene_setup(void **state)
{
	static struct scene s;

	*state = &s;
	snprintf(s.folder, sizeof(s.folder), "/tmp/test_csv_files.XXXXXX");
	if (!mkdtemp(s.folder))
		return -1;
	snprintf(s.stem, sizeof(s.stem), "%s/shot", s.folder);
	made_trial_init(&s.m, 2);
	s.list[0] = s.list[1] = &s.r;
	return round_make(&s.r, &s.m.in);
}

/* Calls @each for every file of the folder. Returns how many there are. */
static unsigned files_walk(const struct scene *s, void (*each)(const char *path))
{
	DIR *d = opendir(s->folder);
	unsigned count = 0;
	char path[400];

	assert_non_null(d);
	for (struct dirent *x = readdir(d); x; x = readdir(d)) {
		if (x->d_name[0] == '.')
			continue;
		count++;
		snprintf(path, sizeof(path), "%s/%s", s->folder, x->d_name);
		if (each)
			each(path);
	}
	closedir(d);
	return count;
}

static void file_remove(const char *path)
{
	assert_int_equal(remove(path), 0);
}

static int scene_teardown(void **state)
{
	struct scene *s = *state;

	files_walk(s, file_remove);
	round_free(&s->r);
	made_trial_fini(&s->m);
	return rmdir(s->folder);
}

static void file_put(const char *stem, const char *table, const char *text)
{
	char path[400];
	FILE *f;

	snprintf(path, sizeof(path), "%s-%s.csv", stem, table);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* The whole file; the caller frees. NULL = there is none. */
static char *file_get(const char *stem, const char *table)
{
	char path[400], *text = calloc(1, 65536);
	FILE *f;

	assert_non_null(text);
	snprintf(path, sizeof(path), "%s-%s.csv", stem, table);
	f = fopen(path, "r");
	if (!f) {
		free(text);
		return NULL;
	}
	assert_true(fread(text, 1, 65535, f) < 65535);
	fclose(f);
	return text;
}

static void snapshot_expect_all_tables_whole(void **state)
{
	static const enum field_scope scopes[] = {FIELD_ROUND, FIELD_CPU,  FIELD_THREAD,
						  FIELD_LOCK,  FIELD_HIST, FIELD_METRIC};
	struct scene *s = *state;
	struct err e;

	assert_int_equal(csv_snapshot(s->stem, NULL, &s->m.machine, s->list, 2, &e), 0);
	assert_int_equal(files_walk(s, NULL), TABLES);
	assert_null(csv_table_name(FIELD_KEY));
	for (unsigned i = 0; i < TABLES; i++) {
		char *text = file_get(s->stem, tables[i]), *expected = NULL;
		size_t size = 0;
		FILE *f = open_memstream(&expected, &size);

		assert_non_null(f);
		csv_header(f, NULL, scopes[i]);
		csv_rows(f, NULL, scopes[i], &s->m.machine, &s->r);
		csv_rows(f, NULL, scopes[i], &s->m.machine, &s->r);
		fclose(f);
		assert_string_equal(csv_table_name(scopes[i]), tables[i]);
		assert_non_null(text);
		assert_string_equal(text, expected);
		free(text);
		free(expected);
	}
}

static void snapshot_where_any_file_exists_expect_nothing_touched(void **state)
{
	struct scene *s = *state;

	for (unsigned i = 0; i < TABLES; i++) {
		struct err e = {0};
		char *text;

		file_put(s->stem, tables[i], "mine\n");
		assert_int_equal(csv_snapshot(s->stem, NULL, &s->m.machine, s->list, 1, &e),
				 -EEXIST);
		assert_non_null(strstr(e.text, tables[i]));
		assert_non_null(strstr(e.text, "nothing is overwritten"));
		assert_int_equal(files_walk(s, NULL), 1);
		text = file_get(s->stem, tables[i]);
		assert_string_equal(text, "mine\n");
		free(text);
		files_walk(s, file_remove);
	}
}

static void places_that_cannot_be_written_expect_error_and_nothing_left(void **state)
{
	struct scene *s = *state;
	char nowhere[128], file[128], longest[700], longer[700];
	const struct {
		const char *stem;
		int code;
		const char *advice;
	} row[] = {
		{nowhere, -ENOENT, "make the folder first"},
		{file, -ENOTDIR, "name another place"},
		{longest, -ENAMETOOLONG, "name another place"}, /* for the kernel */
		{longer, -ENAMETOOLONG, "name another place"},  /* for us */
		{"/proc/self/stem", -ENOENT, "make the folder first"},
	};

	snprintf(nowhere, sizeof(nowhere), "%s/none/shot", s->folder);
	snprintf(file, sizeof(file), "%s-rounds.csv/shot", s->stem);
	snprintf(longest, sizeof(longest), "%s/%0300d", s->folder, 0);
	snprintf(longer, sizeof(longer), "%s/%0600d", s->folder, 0);
	file_put(s->stem, "rounds", "a file, no folder\n");
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct csv_series series;
		struct err e = {0};

		assert_int_equal(csv_snapshot(row[i].stem, NULL, &s->m.machine, s->list, 1, &e),
				 row[i].code);
		assert_non_null(strstr(e.text, row[i].advice));
		assert_int_equal(e.code, row[i].code);
		assert_int_equal(csv_series_open(&series, row[i].stem, NULL, &e), row[i].code);
		assert_null(series.f);
		assert_int_equal(files_walk(s, NULL), 1);
	}
}

/* In a child, as the limit cannot be taken back. Returns its exit status. */
static int with_file_limit(rlim_t bytes, int (*run)(struct scene *s), struct scene *s)
{
	pid_t pid = fork();
	int status = 0;

	assert_true(pid >= 0);
	if (pid == 0) {
		const struct rlimit limit = {bytes, bytes};

		signal(SIGXFSZ, SIG_IGN);
		_exit(setrlimit(RLIMIT_FSIZE, &limit) == 0 ? run(s) : 99);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* 0 = written, 1 = refused as it must be, else wrong. */
static int snapshot_try(struct scene *s)
{
	struct err e = {0};
	int rc = csv_snapshot(s->stem, NULL, &s->m.machine, s->list, 2, &e);

	if (!rc)
		return 0;
	if (rc != -EFBIG && rc != -ENOSPC)
		return 2;
	return strstr(e.text, "make room") && strstr(e.text, s->stem) ? 1 : 3;
}

static void snapshot_on_a_full_disk_expect_nothing_left(void **state)
{
	static const rlim_t limits[] = {0, 1, 100, 1000, 1500, 4000};
	struct scene *s = *state;
	unsigned refused = 0;

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		int status = with_file_limit(limits[i], snapshot_try, s);

		assert_in_range(status, 0, 1);
		assert_int_equal(files_walk(s, NULL), status ? 0 : TABLES);
		files_walk(s, file_remove);
		refused += (unsigned)status;
	}
	/* The later limits let some tables pass, but not all. */
	assert_true(refused >= 5);
	assert_int_equal(with_file_limit(1 << 20, snapshot_try, s), 0);
}

static void stems_expect_the_first_that_is_free(void **state)
{
	struct scene *s = *state;
	char buf[400], expected[400];

	assert_string_equal(csv_stem_free(s->stem, "spinlock", 0, buf, sizeof(buf)), s->stem);
	file_put(s->stem, "metrics", "");
	snprintf(expected, sizeof(expected), "%s-2", s->stem);
	assert_string_equal(csv_stem_free(s->stem, "spinlock", 0, buf, sizeof(buf)), expected);
	/* A recording takes a stem, too. */
	file_put(expected, "series", "");
	snprintf(expected, sizeof(expected), "%s-3", s->stem);
	assert_string_equal(csv_stem_free(s->stem, "spinlock", 0, buf, sizeof(buf)), expected);
	/* Files of other tables do not. */
	file_put(expected, "notes", "");
	assert_string_equal(csv_stem_free(s->stem, "spinlock", 0, buf, sizeof(buf)), expected);
}

static void stem_not_given_expect_workload_and_utc(void **state)
{
	struct scene *s = *state;
	char buf[400], before[400];
	const char name[] = "hotline-spinlock-20261130T235958Z";

	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(s->folder), 0);
	setenv("TZ", "Asia/Tokyo", 1);
	assert_string_equal(csv_stem_free(NULL, "spinlock", 1796083198, buf, sizeof(buf)), name);
	file_put(name, "rounds", "");
	csv_stem_free(NULL, "spinlock", 1796083198, buf, sizeof(buf));
	unsetenv("TZ");
	assert_int_equal(chdir(before), 0);
	assert_string_equal(buf, "hotline-spinlock-20261130T235958Z-2");
}

static unsigned lines_of(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void series_expect_each_row_on_disk_when_added(void **state)
{
	struct scene *s = *state;
	struct csv_series series, second;
	struct err e = {0};

	assert_int_equal(csv_series_open(&series, s->stem, NULL, &e), 0);
	for (unsigned i = 0; i <= 3; i++) {
		char *text = file_get(s->stem, "series");

		assert_int_equal(lines_of(text), 1 + i);
		assert_int_equal(series.bytes, strlen(text));
		assert_int_equal(series.rows, i);
		free(text);
		assert_int_equal(csv_series_add(&series, &s->m.machine, &s->r, &e), 0);
	}
	assert_int_equal(csv_series_open(&second, s->stem, NULL, &e), -EEXIST);
	assert_null(second.f);
	csv_series_close(&series);
	assert_null(series.f);
	csv_series_close(&series);
}

/* Adds rows until the disk is full. 0 = all as it must be. */
static int series_fill(struct scene *s)
{
	struct csv_series series;
	struct err e = {0};
	int rc = csv_series_open(&series, s->stem, NULL, &e);

	if (rc)
		return rc == -EFBIG && !series.f ? 0 : 2;
	for (int i = 0; i < 100; i++) {
		rc = csv_series_add(&series, &s->m.machine, &s->r, &e);
		if (rc)
			break;
	}
	if (rc != -EFBIG && rc != -ENOSPC)
		return 3;
	if (!strstr(e.text, "make room") || !strstr(e.text, "-series.csv"))
		return 4;
	return series.f ? 5 : 0; /* it has closed itself */
}

static void series_on_a_full_disk_expect_whole_rows_kept(void **state)
{
	struct scene *s = *state;
	char *header = NULL;
	size_t header_bytes = 0;
	FILE *f = open_memstream(&header, &header_bytes);

	assert_non_null(f);
	csv_header(f, NULL, FIELD_ROUND);
	fclose(f);
	free(header);
	for (rlim_t limit = 0; limit < 6000; limit += 137) {
		char *text;

		assert_int_equal(with_file_limit(limit, series_fill, s), 0);
		text = file_get(s->stem, "series");
		if (text) {
			assert_true(strlen(text) > 0 && strlen(text) <= limit);
			assert_int_equal(text[strlen(text) - 1], '\n');
		}
		/* Without room for the header there is no file. */
		assert_int_equal(text != NULL, limit >= header_bytes);
		free(text);
		files_walk(s, file_remove);
	}
}

#define SCENE(test) cmocka_unit_test_setup_teardown(test, scene_setup, scene_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE(snapshot_expect_all_tables_whole),
		SCENE(snapshot_where_any_file_exists_expect_nothing_touched),
		SCENE(places_that_cannot_be_written_expect_error_and_nothing_left),
		SCENE(snapshot_on_a_full_disk_expect_nothing_left),
		SCENE(stems_expect_the_first_that_is_free),
		SCENE(stem_not_given_expect_workload_and_utc),
		SCENE(series_expect_each_row_on_disk_when_added),
		SCENE(series_on_a_full_disk_expect_whole_rows_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
