/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Snapshot and series files: complete or absent, never over another file.
 */
#include "src/flow/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TABLES = 6, PATH_BYTES = 600, PATH_SHOWN = 130 };

static const struct {
	enum field_scope scope;
	const char *name;
} tables[TABLES] = {
	{FIELD_ROUND, "rounds"}, {FIELD_CPU, "cpus"},  {FIELD_THREAD, "threads"},
	{FIELD_LOCK, "locks"},   {FIELD_HIST, "hist"}, {FIELD_METRIC, "metrics"},
};

const char *csv_table_name(enum field_scope scope)
{
	for (unsigned i = 0; i < TABLES; i++)
		if (tables[i].scope == scope)
			return tables[i].name;
	return NULL;
}

static bool exists(const char *stem, const char *table)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "%s-%s.csv", stem, table);
	return access(path, F_OK) == 0;
}

static bool stem_taken(const char *stem)
{
	for (unsigned i = 0; i < TABLES; i++)
		if (exists(stem, tables[i].name))
			return true;
	return exists(stem, "series");
}

char *csv_stem_free(const char *stem, const char *workload, time_t now, char *buf, unsigned size)
{
	char base[400], stamp[32];
	struct tm tm;

	if (stem) {
		snprintf(base, sizeof(base), "%s", stem);
	} else {
		gmtime_r(&now, &tm);
		strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &tm);
		snprintf(base, sizeof(base), "hotline-%s-%s", workload, stamp);
	}
	snprintf(buf, size, "%s", base);
	for (unsigned n = 2; n < 10000 && stem_taken(buf); n++)
		snprintf(buf, size, "%s-%u", base, n);
	return buf;
}

/* What a person can do about a file that could not be written. */
static const char *advice(int code)
{
	switch (code) {
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return "make room, or name another place with -o";
	case EEXIST:
		return "nothing is overwritten: name another stem with -o";
	case ENOENT:
		return "make the folder first";
	default:
		return "name another place with -o";
	}
}

/* Of a long path the end is named: the reason must not be cut off. */
static int file_error(const char *path, int code, struct err *e)
{
	const size_t len = strlen(path), cut = len > PATH_SHOWN ? len - PATH_SHOWN : 0;

	return err_set(e, -code, "writing %s%s: %s (%s)", cut ? "..." : "", path + cut,
		       strerror(code), advice(code));
}

/* What a snapshot is made of. */
struct content {
	const struct fields *fields;
	const struct machine *machine;
	const struct round *const *round;
	unsigned count;
};

/* Writes one table to @temporary, whole and on the disk. */
static int table_write(const char *temporary, enum field_scope scope, const struct content *c)
{
	int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
	int code = 0;

	if (!f) {
		code = errno;
		if (fd >= 0)
			close(fd);
		return code;
	}
	errno = 0;
	csv_header(f, c->fields, scope);
	for (unsigned i = 0; i < c->count && !ferror(f) && !code; i++)
		if (csv_rows(f, c->fields, scope, c->machine, c->round[i]) == -ENOMEM)
			code = ENOMEM;
	if (ferror(f) || fflush(f) != 0 || fsync(fd) != 0)
		code = errno ? errno : EIO;
	if (fclose(f) != 0 && !code)
		code = errno;
	return code;
}

/* The names of one table's file. */
struct names {
	char final[PATH_BYTES];
	char temporary[PATH_BYTES];
};

static int names_make(struct names *n, const char *stem, const char *table)
{
	int len = snprintf(n->temporary, sizeof(n->temporary), "%s-%s.csv.%d.tmp", stem, table,
			   (int)getpid());

	if (len < 0 || (size_t)len >= sizeof(n->temporary))
		return ENAMETOOLONG;
	snprintf(n->final, sizeof(n->final), "%s-%s.csv", stem, table);
	return 0;
}

/* Gives a finished file its name, unless the name is taken: never over another file. */
static int place(const struct names *n)
{
	if (renameat2(AT_FDCWD, n->temporary, AT_FDCWD, n->final, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return errno;
	return link(n->temporary, n->final) == 0 ? 0 : errno; /* old file systems */
}

int csv_snapshot(const char *stem, const struct fields *fs, const struct machine *m,
		 const struct round *const *rounds, unsigned count, struct err *e)
{
	const struct content c = {.fields = fs, .machine = m, .round = rounds, .count = count};
	struct names names[TABLES];
	unsigned written = 0, placed = 0;
	int code = 0;

	for (; written < TABLES && !code; written += !code) {
		code = names_make(&names[written], stem, tables[written].name);
		if (!code)
			code = table_write(names[written].temporary, tables[written].scope, &c);
		if (code) {
			file_error(names[written].final, code, e);
			if (code != EEXIST)
				unlink(names[written].temporary);
		}
	}
	for (; placed < TABLES && !code; placed += !code) {
		code = place(&names[placed]);
		if (code)
			file_error(names[placed].final, code, e);
	}
	for (unsigned i = 0; i < written; i++)
		unlink(names[i].temporary);
	if (!code)
		return 0;
	for (unsigned i = 0; i < placed; i++)
		unlink(names[i].final);
	return -code;
}

int csv_series_open(struct csv_series *s, const char *stem, const struct fields *fs, struct err *e)
{
	int fd;

	memset(s, 0, sizeof(*s));
	s->fields = fs;
	if ((size_t)snprintf(s->path, sizeof(s->path), "%s-series.csv", stem) >= sizeof(s->path))
		return file_error(s->path, ENAMETOOLONG, e);
	fd = open(s->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		return file_error(s->path, errno, e);
	s->f = fdopen(fd, "w");
	if (!s->f || csv_header(s->f, fs, FIELD_ROUND) != 0 || fflush(s->f) != 0) {
		int code = errno ? errno : EIO;

		if (s->f)
			fclose(s->f);
		else
			close(fd);
		s->f = NULL;
		unlink(s->path);
		return file_error(s->path, code, e);
	}
	s->bytes = ftello(s->f);
	return 0;
}

int csv_series_add(struct csv_series *s, const struct machine *m, const struct round *r,
		   struct err *e)
{
	int code;

	errno = 0;
	if (csv_rows(s->f, s->fields, FIELD_ROUND, m, r) == 0 && fflush(s->f) == 0) {
		s->bytes = ftello(s->f);
		s->rows++;
		return 0;
	}
	code = errno ? errno : EIO;
	/* Back to the last complete row. */
	if (ftruncate(fileno(s->f), s->bytes) != 0)
		code = errno;
	csv_series_close(s);
	return file_error(s->path, code, e);
}

void csv_series_close(struct csv_series *s)
{
	if (s->f)
		fclose(s->f);
	s->f = NULL;
}
