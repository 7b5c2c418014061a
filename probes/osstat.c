/* SPDX-License-Identifier: MIT */
/*
 * Reads /proc/PID/task/TID/{stat,status,schedstat,sched} and the steal column of /proc/stat.
 */
#include "probes/osstat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Reads a small file whole. Returns its length, or -errno. */
static int slurp(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t used = 0;
	ssize_t n = 0;

	if (fd < 0)
		return -errno;
	while (used < size - 1 && (n = read(fd, buf + used, size - 1 - used)) > 0)
		used += (size_t)n;
	close(fd);
	if (n < 0)
		return -EIO;
	buf[used] = '\0';
	return (int)used;
}

/* The number behind the first "@key" in @text, or @missing. */
static uint64_t number_after(const char *text, const char *key, uint64_t missing)
{
	const char *p = strstr(text, key);

	if (!p)
		return missing;
	p += strlen(key);
	p += strspn(p, " \t:");
	if (*p < '0' || *p > '9')
		return missing;
	return strtoull(p, NULL, 10);
}

/* Fields 10, 12, 14 and 15 of stat, counted from behind the command's closing bracket. */
static void stat_parse(const char *stat, struct osstat *out)
{
	const char *p = strrchr(stat, ')');
	unsigned long long minor = 0, major = 0, user = 0, sys = 0;
	long hz = sysconf(_SC_CLK_TCK);

	if (!p || hz <= 0)
		return;
	if (sscanf(p + 1, " %*c %*d %*d %*d %*d %*d %*u %llu %*u %llu %*u %llu %llu", &minor,
		   &major, &user, &sys) != 4)
		return;
	out->page_faults = minor + major;
	out->user_us = user * 1000000u / (unsigned long)hz;
	out->sys_us = sys * 1000000u / (unsigned long)hz;
}

/* A thread that asks for itself gets microseconds from getrusage instead of clock ticks. */
static void times_refine(int tid, struct osstat *out)
{
	struct rusage ru;

	if (tid != (int)gettid() || getrusage(RUSAGE_THREAD, &ru) != 0)
		return;
	out->user_us = (uint64_t)ru.ru_utime.tv_sec * 1000000u + (uint64_t)ru.ru_utime.tv_usec;
	out->sys_us = (uint64_t)ru.ru_stime.tv_sec * 1000000u + (uint64_t)ru.ru_stime.tv_usec;
}

static uint64_t steal_us(int cpu)
{
	static const size_t size = 1 << 16;
	char *buf = malloc(size);
	unsigned long long steal = 0;
	long hz = sysconf(_SC_CLK_TCK);
	char key[24];
	char *p;

	if (!buf)
		return 0;
	snprintf(key, sizeof(key), "\ncpu%d ", cpu);
	if (slurp("/proc/stat", buf, size) > 0 && (p = strstr(buf, key)) && hz > 0 &&
	    sscanf(p + strlen(key), "%*u %*u %*u %*u %*u %*u %*u %llu", &steal) == 1)
		steal = steal * 1000000u / (unsigned long)hz;
	free(buf);
	return steal;
}

int osstat_read(int pid, int tid, int cpu, struct osstat *out)
{
	char path[64], buf[8192];

	memset(out, 0, sizeof(*out));
	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	if (slurp(path, buf, sizeof(buf)) <= 0)
		return -ESRCH;
	stat_parse(buf, out);
	times_refine(tid, out);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", pid, tid);
	if (slurp(path, buf, sizeof(buf)) > 0) {
		out->voluntary_switches = number_after(buf, "\nvoluntary_ctxt_switches", 0);
		out->involuntary_switches = number_after(buf, "\nnonvoluntary_ctxt_switches", 0);
	}
	snprintf(path, sizeof(path), "/proc/%d/task/%d/sched", pid, tid);
	if (slurp(path, buf, sizeof(buf)) > 0) {
		out->migrations = number_after(buf, "se.nr_migrations", UINT64_MAX);
		out->has_migrations = out->migrations != UINT64_MAX;
		if (!out->has_migrations)
			out->migrations = 0;
	}
	snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", pid, tid);
	if (slurp(path, buf, sizeof(buf)) > 0) {
		unsigned long long run, delay;

		if (sscanf(buf, "%llu %llu", &run, &delay) == 2) {
			out->run_ns = run;
			out->run_delay_ns = delay;
			out->has_run_delay = 1;
		}
	}
	if (cpu >= 0)
		out->steal_us = steal_us(cpu);
	return 0;
}
