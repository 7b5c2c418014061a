/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pipe in front of stderr. The writer is mostly this process itself, so neither end may ever
 * wait.
 */
#include "ui/tap.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* write() whose failure nobody can be told of. Async-signal-safe. */
static void write_all(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t did = write(fd, p, n);

		if (did <= 0)
			return;
		p += did;
		n -= (size_t)did;
	}
}

void tap_open(struct tap *t)
{
	int fd[2];

	t->real = t->pipe = -1;
	t->used = t->line_from = 0;
	t->full = false;
	if (pipe2(fd, O_CLOEXEC | O_NONBLOCK) < 0)
		return;
	t->real = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (t->real < 0 || dup2(fd[1], STDERR_FILENO) < 0) {
		if (t->real >= 0)
			close(t->real);
		close(fd[0]);
		t->real = -1;
	} else {
		t->pipe = fd[0];
	}
	close(fd[1]);
}

/*
 * Moves what is in the pipe behind what was kept; beyond the room it is dropped, and that is said.
 */
static void tap_read(struct tap *t)
{
	char buf[1024];
	ssize_t n;

	while ((n = read(t->pipe, buf, sizeof(buf))) > 0) {
		size_t room = sizeof(t->text) - t->used;
		size_t take = (size_t)n < room ? (size_t)n : room;

		memcpy(t->text + t->used, buf, take);
		t->used += take;
		t->full = t->full || take < (size_t)n;
	}
}

void tap_close(struct tap *t)
{
	static const char more[] = "hotline: further text on stderr was dropped\n";

	if (t->real < 0)
		return;
	tap_read(t);
	dup2(t->real, STDERR_FILENO);
	close(t->real);
	close(t->pipe);
	t->real = t->pipe = -1;
	write_all(STDERR_FILENO, t->text, t->used);
	if (t->full)
		write_all(STDERR_FILENO, more, sizeof(more) - 1);
}

int tap_line(struct tap *t, char *buf, unsigned size)
{
	const char *from = t->text + t->line_from, *end;

	if (t->real < 0)
		return 0;
	tap_read(t);
	end = memchr(from, '\n', t->used - t->line_from);
	if (!end)
		return 0;
	snprintf(buf, size, "%.*s", (int)(end - from), from);
	t->line_from += (size_t)(end - from) + 1;
	return 1;
}

void tap_spill(const struct tap *t)
{
	char buf[512];
	ssize_t n;

	if (t->real < 0)
		return;
	dup2(t->real, STDERR_FILENO);
	write_all(STDERR_FILENO, t->text, t->used);
	while ((n = read(t->pipe, buf, sizeof(buf))) > 0)
		write_all(STDERR_FILENO, buf, (size_t)n);
}
