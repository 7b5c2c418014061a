/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starting and ending the measured process: exec, never just fork.
 */
#ifndef HOTLINE_SRC_CHILD_H
#define HOTLINE_SRC_CHILD_H

#include "probes/err.h"

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Finds hotline-lab: $HOTLINE_LAB, beside this program, then the libexec folder it was installed
 * for.
 * Errors: -ENOENT, the text lists where it looked. Returns 0; @buf holds the path.
 */
int child_lab_path(char *buf, size_t size, struct err *e);

/* What to start. Borrowed during the call. */
struct child_spec {
	const char *path;
	const char *arg;       /* its only argument; NULL = none */
	int page_fd;	       /* becomes PAGE_FD; -1 = none */
	int sync_fd;	       /* becomes PAGE_SYNC_FD; -1 = none */
	int stdout_fd;	       /* becomes its stdout; -1 = inherited */
	const cpu_set_t *mask; /* affinity to give it; NULL = inherited */
	size_t mask_bytes;
};

/*
 * Starts a program in a session of its own (so in a scheduling group of its own, where the kernel
 * makes them, and a dashboard is not starved), to die with this process (PR_SET_PDEATHSIG), with
 * default signal dispositions and an empty signal mask; all other descriptors but 0, 1 and 2 are
 * closed.
 * @pidfd: readable when it has exited.
 * Errors: -ENOENT, -EACCES, ... of exec (known before this returns), -EAGAIN (no more processes).
 * Cost: about 1 ms.
 */
int child_start(const struct child_spec *spec, pid_t *pid, int *pidfd, struct err *e);

/*
 * Runs `PATH --describe` and returns what it printed, malloced, for catalog_parse().
 * Errors: child_start()'s, -EIO (it failed or was killed: the text says how), -ETIMEDOUT (2 s).
 */
int child_describe(const char *path, char **out, struct err *e);

/*
 * How a wait status reads: "exited with status 1", "was killed by SIGSEGV (Segmentation fault)".
 * Returns @buf.
 */
char *child_status_format(int wait_status, char *buf, size_t size);

/* True if process @pid is stopped (state T): the watchdog then stands still. */
bool child_is_stopped(pid_t pid);

#endif
