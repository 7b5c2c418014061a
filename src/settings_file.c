/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The settings on disk: read whole if it is a file of a sane size, written to a temporary name in
 * the same folder and renamed.
 */
#include "src/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/text.h"

/* Reads all of @fd, a regular file. Returns the bytes read or -errno. */
static ssize_t read_all(int fd, char *buf, size_t size)
{
	size_t have = 0;

	while (have < size) {
		ssize_t n = read(fd, buf + have, size - have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		have += (size_t)n;
	}
	return (ssize_t)have;
}

static void file_parse(struct settings *s, int fd, char *text)
{
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0) {
		settings_warn(s, 0, "not read: %s", strerror(errno));
		return;
	}
	if (!S_ISREG(st.st_mode)) {
		settings_warn(s, 0, "not read: %s",
			      S_ISDIR(st.st_mode) ? "it is a directory" : "it is no regular file");
		return;
	}
	n = read_all(fd, text, SETTINGS_BYTES + 1);
	if (n < 0)
		settings_warn(s, 0, "not read: %s", strerror((int)-n));
	else if (n > SETTINGS_BYTES)
		settings_warn(s, 0, "not read: longer than %d bytes", SETTINGS_BYTES);
	else if (memchr(text, '\0', (size_t)n))
		settings_warn(s, 0, "not read: it is no text");
	else
		settings_parse(s, text); /* calloc() ended it */
}

void settings_read(struct settings *s)
{
	char *text;
	int fd;

	if (!s->path[0])
		return;
	/* Whatever lies there, a pipe without a writer included, must not hold us up. */
	fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			settings_warn(s, 0, "not read: %s", strerror(errno));
		return;
	}
	text = calloc(1, SETTINGS_BYTES + 2);
	if (text)
		file_parse(s, fd, text);
	else
		settings_warn(s, 0, "not read: no memory");
	free(text);
	close(fd);
}

/* "mkdir /home/a/.config: Permission denied". */
static int fail(struct err *e, const char *what, const char *path)
{
	int code = errno;
	char safe[160];

	return err_set(e, -code, "%s %s: %s", what, text_clean(safe, sizeof(safe), path),
		       strerror(code));
}

/* The folders above @path that are not there: for the user alone (XDG Base Directory, 0700). */
static int folders_make(const char *path, struct err *e)
{
	char part[SETTINGS_PATH];

	for (const char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(p - path), path);
		if (mkdir(part, 0700) < 0 && errno != EEXIST)
			return fail(e, "mkdir", part);
	}
	return 0;
}

/* Writes @text to @fd and to the disk. Returns 0 or -1 with errno. */
static int write_all(int fd, const char *text, size_t size)
{
	while (size) {
		ssize_t n = write(fd, text, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		text += n;
		size -= (size_t)n;
	}
	return fsync(fd);
}

/* @path: of the file itself, no link. */
static int replace(const char *path, const char *text, size_t size, struct err *e)
{
	char temp[SETTINGS_PATH + 8];
	int fd, rc = 0;

	snprintf(temp, sizeof(temp), "%s.XXXXXX", path);
	fd = mkostemp(temp, O_CLOEXEC); /* mode 0600 */
	if (fd < 0)
		return fail(e, "making a file beside", path);
	if (write_all(fd, text, size) < 0)
		rc = fail(e, "write", temp);
	if (close(fd) < 0 && !rc)
		rc = fail(e, "close", temp);
	if (!rc && rename(temp, path) < 0)
		rc = fail(e, "rename to", path);
	if (rc)
		unlink(temp);
	return rc;
}

/* Nothing but a file is replaced: a link to /dev/null says that nothing is to be kept. */
static int target_check(const char *path, struct err *e)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno == ENOENT ? 0 : fail(e, "stat", path);
	if (S_ISREG(st.st_mode))
		return 0;
	errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
	return fail(e, "not a regular file:", path);
}

int settings_write(const struct settings *s, struct err *e)
{
	const char *path = s->path;
	char text[4096], *target;
	size_t size = settings_format(s, text, sizeof(text));
	int rc;

	if (!*path)
		return err_set(e, -ENOENT, "neither XDG_CONFIG_HOME nor HOME names a folder");
	if (size >= sizeof(text))
		return err_set(e, -E2BIG, "the settings are too long");
	rc = folders_make(path, e);
	if (!rc)
		rc = target_check(path, e);
	if (rc)
		return rc;
	/* A link stays one: what it points at is replaced. */
	target = realpath(path, NULL);
	if (!target && errno != ENOENT)
		return fail(e, "open", path);
	rc = replace(target ? target : path, text, size, e);
	free(target);
	return rc;
}
