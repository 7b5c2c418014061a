/* SPDX-License-Identifier: MIT */
/*
 * The operating system as the counters see it: everything that can fail, behind one small table.
 *
 * Tests put a table of their own in its place, so that every failure of every call can be had on a
 * machine without a PMU. Only probes/pmu*.c include the kernel's and libpfm4's headers.
 */
#ifndef HOTLINE_PROBES_PMU_SYS_H
#define HOTLINE_PROBES_PMU_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct perf_event_attr; /* linux/perf_event.h */

enum pmu_control { PMU_ENABLE, PMU_DISABLE }; /* of a whole group, by its leader */

/* All functions return -errno where they fail; @ctx is the table's own. */
struct pmu_sys {
	void *ctx;
	const char *root; /* prefix of /proc and /sys; "" = this machine */

	/*
	 * perf_event_open(2), close-on-exec. @tid: 0 = the caller; @cpu: -1 = wherever it runs;
	 * @group: descriptor of the leader, -1 = none. Returns a descriptor.
	 */
	int (*open)(void *ctx, struct perf_event_attr *attr, int tid, int cpu, int group);
	/* read(2). Returns bytes; 0 is a group in error state. */
	ssize_t (*read)(void *ctx, int fd, void *buf, size_t size);
	/* ioctl(2) with PERF_IOC_FLAG_GROUP. */
	int (*control)(void *ctx, int fd, enum pmu_control what);
	void (*close)(void *ctx, int fd);
	/*
	 * Encodes @name by libpfm4 for the given privilege levels (@kernel: user and kernel, else
	 * user only). @attr: zeroed, size set. @full: the fully qualified name, @size bytes.
	 * Returns 0, or libpfm4's error, which is negative too: pmu_sys_encode_error() has words.
	 */
	int (*encode)(void *ctx, const char *name, bool kernel, struct perf_event_attr *attr,
		      char *full, size_t size);
	/* The libpfm4 name of the active core PMU, "" = it knows none for this CPU. */
	const char *(*core_pmu)(void *ctx);
	/* Soft and hard limit of descriptors and how many are open; 0 or -errno. */
	int (*fd_limits)(void *ctx, uint64_t *soft, uint64_t *hard, uint64_t *used);
	/* Raises the soft limit to the hard one. */
	int (*fd_raise)(void *ctx);
};

/* The real ones. libpfm4 is initialised at the first use; not thread-safe until then. */
extern const struct pmu_sys pmu_sys_linux;

/* What an error of encode() means, in words. Threads: any. */
const char *pmu_sys_encode_error(int rc);

/*
 * Calls @each for every event name of @pmu ("" = the active core PMU) that libpfm4 knows, and for
 * its generic ones if @pmu is "perf". Stops when @each returns false.
 */
void pmu_sys_names(const char *pmu, bool (*each)(void *arg, const char *name), void *arg);

/*
 * Reads the first line of a small file below the table's root, without its newline.
 * Returns its length, or -errno.
 */
int pmu_sys_line(const struct pmu_sys *sys, const char *path, char *buf, size_t size);

#endif
