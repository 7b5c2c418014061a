/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The whole dashboard on a pseudo-terminal: time to the first frame, CPU time and memory while it
 * runs at 4 Hz on 200x50, with htop at 10 Hz measured beside it.
 */
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probes/tick.h"
#include "tests/bench.h"

struct watched {
	double first_ms;  /* to the first byte of output */
	double cpu_ratio; /* of one CPU, over the watched time */
	double rss_mib;
};

/* Resident memory of process @pid. */
static double rss_mib(int pid)
{
	long pages = 0;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/statm", pid);
	f = fopen(path, "re");
	if (f) {
		if (fscanf(f, "%*d %ld", &pages) != 1)
			pages = 0;
		fclose(f);
	}
	return (double)pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

/* Time on a CPU of process @pid, s: schedstat, for stat counts in steps of 10 ms. */
static double run_s(int pid)
{
	unsigned long long ns = 0;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", pid);
	f = fopen(path, "re");
	if (f) {
		if (fscanf(f, "%llu", &ns) != 1)
			ns = 0;
		fclose(f);
	}
	return (double)ns / 1e9;
}

/*
 * Reads and throws away what the program draws until @until; returns when the first byte came, ns.
 */
static uint64_t drain(int fd, uint64_t until)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	uint64_t first = 0, now;
	char buf[65536];

	while ((now = tick_monotonic_ns()) < until) {
		if (poll(&p, 1, (int)((until - now) / 1000000) + 1) <= 0)
			continue;
		if (read(fd, buf, sizeof(buf)) <= 0)
			break;
		if (!first)
			first = tick_monotonic_ns();
	}
	return first;
}

static int watch(char *const argv[], double seconds, struct watched *w)
{
	struct winsize size = {.ws_row = 50, .ws_col = 200};
	uint64_t begin = tick_monotonic_ns(), first;
	double before;
	int tries = 0;
	int fd, status;
	pid_t pid = forkpty(&fd, NULL, NULL, &size);

	if (pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0)
		return -1;
	first = drain(fd, begin + 2000000000u);
	before = run_s(pid);
	drain(fd, tick_monotonic_ns() + (uint64_t)(seconds * 1e9));
	w->first_ms = first ? (double)(first - begin) / 1e6 : -1;
	w->cpu_ratio = (run_s(pid) - before) / seconds;
	w->rss_mib = rss_mib(pid);
	kill(pid, SIGTERM);
	while (waitpid(pid, &status, WNOHANG) == 0 && tries++ < 50)
		drain(fd, tick_monotonic_ns() + 20000000);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	close(fd);
	return WIFEXITED(status) && WEXITSTATUS(status) == 127 ? -1 : 0;
}

void bench_dashboard(const char *hotline, double seconds)
{
	char *ours[] = {(char *)hotline, "spinlock:ticket", NULL};
	char *htop[] = {"htop", "-d", "1", NULL};
	struct watched w, h;
	char note[96] = "htop is not installed";

	if (watch(ours, seconds, &w) != 0 || w.first_ms < 0) {
		bench_at_most("dashboard", 1e9, 0, "", "did not start");
		return;
	}
	if (watch(htop, seconds / 2, &h) == 0 && h.cpu_ratio > 0)
		snprintf(note, sizeof(note), "htop beside it: %.2f ms a frame at 10 Hz, %.1f MiB",
			 h.cpu_ratio / 10 * 1e3, h.rss_mib);
	bench_at_most("first frame", w.first_ms, 50, "ms", "from exec to the first output");
	bench_at_most("dashboard CPU, 200x50, 4 Hz", w.cpu_ratio * 100, 0.6, "% of a CPU", note);
	bench_at_most("dashboard, a frame", w.cpu_ratio / 4 * 1e3, 1.5, "ms", "all of a refresh");
	bench_at_most("dashboard, resident", w.rss_mib, 16, "MiB", "");
}
