/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takes counters away: pmu_hog COUNT COMMAND [ARGUMENT...]
 *
 * Opens COUNT pinned events of CPU cycles on every CPU that is online, then runs COMMAND and exits
 * with its status. A pinned event of a CPU goes before all others and never gives its counter back,
 * so COMMAND has COUNT counters less than the PMU has: what another profiler does to a user.
 * Exits with 3 if an event does not open or is not counting: then the counters are not taken.
 */
#include <linux/perf_event.h>

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_TAKEN = 3, USAGE = 2 };

/* Returns false if the event cannot be had. The descriptor stays open until the end. */
static bool take(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.pinned = 1,
	};
	uint64_t count;
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && errno == ENODEV)
		return true; /* offline */
	/* A pinned event that got no counter is in error: its read gives 0 bytes. */
	if (fd < 0 || read(fd, &count, sizeof(count)) != (ssize_t)sizeof(count)) {
		fprintf(stderr, "pmu_hog: no counter on CPU %d: %s\n", cpu,
			fd < 0 ? strerror(errno) : "all are taken");
		return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	int per_cpu = argc > 2 ? atoi(argv[1]) : 0;
	int status;
	pid_t child;

	if (per_cpu <= 0) {
		fprintf(stderr, "pmu_hog COUNT COMMAND [ARGUMENT...]\n");
		return USAGE;
	}
	for (int cpu = 0; cpu < (int)sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		for (int i = 0; i < per_cpu; i++) {
			if (!take(cpu))
				return NOT_TAKEN;
		}
	}
	child = fork();
	if (child == 0) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0) {
		perror("pmu_hog");
		return NOT_TAKEN;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
