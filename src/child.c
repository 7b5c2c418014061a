/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fork, exec and the manners of a child that must not outlive its parent.
 */
#include "src/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probes/page.h"

enum { DESCRIBE_TIMEOUT_MS = 2000, DESCRIBE_MAX_BYTES = 1 << 20 };

int child_lab_path(char *buf, size_t size, struct err *e)
{
	const char *asked = getenv("HOTLINE_LAB");
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (asked && *asked) {
		if ((size_t)snprintf(buf, size, "%s", asked) < size && access(buf, X_OK) == 0)
			return 0;
		return err_set(e, -ENOENT, "HOTLINE_LAB=%s: %s (unset it, or name the program)",
			       asked, strerror(errno));
	}
	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash) {
		slash[1] = '\0';
		if ((size_t)snprintf(buf, size, "%shotline-lab", self) < size &&
		    access(buf, X_OK) == 0)
			return 0;
	}
	if ((size_t)snprintf(buf, size, "%s/hotline-lab", HOTLINE_LIBEXECDIR) < size &&
	    access(buf, X_OK) == 0)
		return 0;
	return err_set(e, -ENOENT,
		       "hotline-lab is neither in %s nor in %s (make install, or set HOTLINE_LAB)",
		       self, HOTLINE_LIBEXECDIR);
}

/* A copy of @fd out of the way of the descriptors that a child inherits; -1 stays -1. */
static int fd_aside(int fd)
{
	if (fd < 0)
		return fd;
	fd = fcntl(fd, F_DUPFD_CLOEXEC, PAGE_SYNC_FD + 1);
	if (fd < 0)
		_exit(127);
	return fd;
}

/* In the child: from here on only async-signal-safe calls. Never returns. */
static void exec_child(const struct child_spec *s, pid_t parent, int report)
{
	char *argv[] = {(char *)s->path, (char *)s->arg, NULL};
	struct sigaction dfl = {.sa_handler = SIG_DFL};
	sigset_t none;
	int page, sync, code;

	for (int sig = 1; sig < NSIG; sig++)
		sigaction(sig, &dfl, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	/* Dead parents send no signal: the second look closes the gap between fork and prctl. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	if (s->mask)
		sched_setaffinity(0, s->mask_bytes, s->mask);
	report = fd_aside(report);
	page = fd_aside(s->page_fd);
	sync = fd_aside(s->sync_fd);
	if (s->stdout_fd >= 0 && dup2(s->stdout_fd, STDOUT_FILENO) < 0)
		_exit(127);
	for (int fd = STDERR_FILENO + 1; fd < report; fd++)
		close(fd);
	if ((page >= 0 && dup2(page, PAGE_FD) < 0) || (sync >= 0 && dup2(sync, PAGE_SYNC_FD) < 0))
		_exit(127);
	syscall(SYS_close_range, report + 1, ~0u, 0);
	execv(s->path, argv);
	code = errno;
	if (write(report, &code, sizeof(code)) < 0)
		_exit(126);
	_exit(127);
}

int child_start(const struct child_spec *s, pid_t *pid, int *pidfd, struct err *e)
{
	pid_t parent = getpid();
	int report[2];
	int code = 0;
	ssize_t n;

	if (pipe2(report, O_CLOEXEC) != 0)
		return err_set(e, -errno, "pipe: %s", strerror(errno));
	*pid = fork();
	if (*pid < 0) {
		code = errno;
		close(report[0]);
		close(report[1]);
		return err_set(e, -code, "fork: %s (fewer processes, or a higher limit)",
			       strerror(code));
	}
	if (*pid == 0)
		exec_child(s, parent, report[1]);
	close(report[1]);
	do
		n = read(report[0], &code, sizeof(code));
	while (n < 0 && errno == EINTR);
	close(report[0]);
	if (n == (ssize_t)sizeof(code)) {
		waitpid(*pid, NULL, 0);
		return err_set(e, -code, "exec of %s: %s", s->path, strerror(code));
	}
	*pidfd = (int)syscall(SYS_pidfd_open, *pid, 0);
	if (*pidfd < 0) {
		code = errno;
		kill(*pid, SIGKILL);
		waitpid(*pid, NULL, 0);
		return err_set(e, -code, "pidfd_open: %s (Linux 5.3 or newer is needed)",
			       strerror(code));
	}
	fcntl(*pidfd, F_SETFD, FD_CLOEXEC);
	return 0;
}

/* Reads @fd to its end, at most DESCRIBE_MAX_BYTES, within the time limit. */
static int read_all(int fd, char *buf, struct err *e)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	size_t used = 0;

	for (;;) {
		ssize_t n;

		if (poll(&p, 1, DESCRIBE_TIMEOUT_MS) == 0)
			return err_set(e, -ETIMEDOUT, "hotline-lab --describe: no answer in %d s",
				       DESCRIBE_TIMEOUT_MS / 1000);
		n = read(fd, buf + used, DESCRIBE_MAX_BYTES - 1 - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		used += (size_t)n;
	}
	buf[used] = '\0';
	return 0;
}

int child_describe(const char *path, char **out, struct err *e)
{
	struct child_spec s = {.path = path, .arg = "--describe", .page_fd = -1, .sync_fd = -1};
	char *buf = malloc(DESCRIBE_MAX_BYTES);
	char how[96];
	int fd[2], pidfd = -1, status, rc;
	pid_t pid;

	if (!buf)
		return err_set(e, -ENOMEM, "no memory for the description of %s", path);
	if (pipe2(fd, O_CLOEXEC) != 0) {
		free(buf);
		return err_set(e, -errno, "pipe: %s", strerror(errno));
	}
	s.stdout_fd = fd[1];
	rc = child_start(&s, &pid, &pidfd, e);
	close(fd[1]);
	if (rc)
		goto out;
	rc = read_all(fd[0], buf, e);
	if (rc)
		kill(pid, SIGKILL);
	close(pidfd);
	waitpid(pid, &status, 0);
	if (!rc && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
		rc = err_set(e, -EIO, "%s --describe %s", path,
			     child_status_format(status, how, sizeof(how)));
out:
	close(fd[0]);
	if (rc)
		free(buf);
	else
		*out = buf;
	return rc;
}

char *child_status_format(int status, char *buf, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(buf, size, "was killed by SIG%s (%s)", sigabbrev_np(WTERMSIG(status)),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(buf, size, "exited with status %d", WEXITSTATUS(status));
	return buf;
}

bool child_is_stopped(pid_t pid)
{
	char path[64], line[256] = "";
	const char *p;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	fclose(f);
	p = strrchr(line, ')');
	return p && p[1] == ' ' && (p[2] == 'T' || p[2] == 't');
}
