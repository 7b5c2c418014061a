/* SPDX-License-Identifier: MIT */
/*
 * The real operating system of the counters: three system calls and libpfm4.
 *
 * libpfm4 is asked to initialise itself at every use: it does so once and remembers, so that no
 * variable of ours has to.
 */
#include "probes/pmu_sys.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's before libpfm4's, which brings an older copy otherwise. */
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>

static int linux_open(void *ctx, struct perf_event_attr *attr, int tid, int cpu, int group)
{
	long fd = syscall(SYS_perf_event_open, attr, tid, cpu, group, PERF_FLAG_FD_CLOEXEC);

	(void)ctx;
	return fd < 0 ? -errno : (int)fd;
}

static ssize_t linux_read(void *ctx, int fd, void *buf, size_t size)
{
	ssize_t n = read(fd, buf, size);

	(void)ctx;
	return n < 0 ? -errno : n;
}

static int linux_control(void *ctx, int fd, enum pmu_control what)
{
	unsigned long request = what == PMU_ENABLE ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;

	(void)ctx;
	return ioctl(fd, request, PERF_IOC_FLAG_GROUP) < 0 ? -errno : 0;
}

static void linux_close(void *ctx, int fd)
{
	(void)ctx;
	close(fd);
}

/* Modifiers that have no meaning for counters of threads that are read at leisure. */
static bool modifiers_taken(const pfm_perf_encode_arg_t *arg)
{
	const struct perf_event_attr *a = arg->attr;

	return arg->cpu < 0 && !a->pinned && !a->exclusive && !a->precise_ip && !a->freq &&
	       !a->sample_period;
}

static int linux_encode(void *ctx, const char *name, bool kernel, struct perf_event_attr *attr,
			char *full, size_t size)
{
	int levels = kernel ? PFM_PLM3 | PFM_PLM0 : PFM_PLM3;
	char *fstr = NULL;
	pfm_perf_encode_arg_t arg = {.attr = attr, .fstr = &fstr, .size = sizeof(arg), .cpu = -1};
	int rc = pfm_initialize();

	(void)ctx;
	if (rc == PFM_SUCCESS)
		rc = pfm_get_os_event_encoding(name, levels, PFM_OS_PERF_EVENT_EXT, &arg);
	if (rc == PFM_SUCCESS && !modifiers_taken(&arg))
		rc = PFM_ERR_ATTR;
	if (rc == PFM_SUCCESS) {
		/* libpfm4 sets it: old kernels refuse it, and on a host it hides guests' time. */
		attr->exclude_guest = 0;
		snprintf(full, size, "%s", fstr ? fstr : name);
	}
	free(fstr);
	return rc;
}

/*
 * True for a PMU whose names are those of one microarchitecture. Not so: the architectural PMU,
 * active on every Intel CPU, and the old name of Zen 1, active beside the new one.
 */
static bool names_a_core(const pfm_pmu_info_t *p)
{
	return p->is_present && p->type == PFM_PMU_TYPE_CORE && strcmp(p->name, "ix86arch") != 0 &&
	       strcmp(p->name, "amd64_fam17h") != 0;
}

/* Two active ones are the two kinds of core of a hybrid: what one is called is not known of all. */
static const char *linux_core_pmu(void *ctx)
{
	const char *name = "";
	pfm_pmu_t i;

	(void)ctx;
	if (pfm_initialize() != PFM_SUCCESS)
		return "";
	pfm_for_all_pmus(i)
	{
		pfm_pmu_info_t p = {.size = sizeof(p)};

		if (pfm_get_pmu_info(i, &p) != PFM_SUCCESS || !names_a_core(&p))
			continue;
		if (name[0])
			return "";
		name = p.name;
	}
	return name;
}

static int linux_fd_limits(void *ctx, uint64_t *soft, uint64_t *hard, uint64_t *used)
{
	struct rlimit limit;
	DIR *dir;

	(void)ctx;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return -errno;
	dir = opendir("/proc/self/fd");
	if (!dir)
		return -errno;
	*soft = limit.rlim_cur;
	*hard = limit.rlim_max;
	*used = 0;
	for (const struct dirent *d; (d = readdir(dir)) != NULL;)
		*used += d->d_name[0] != '.' && atoi(d->d_name) != dirfd(dir);
	closedir(dir);
	return 0;
}

static int linux_fd_raise(void *ctx)
{
	struct rlimit limit;

	(void)ctx;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return -errno;
	limit.rlim_cur = limit.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &limit) != 0 ? -errno : 0;
}

const char *pmu_sys_encode_error(int rc)
{
	return pfm_strerror(rc);
}

/* Names of one PMU. Returns false if @each wants no more. */
static bool pmu_names(const pfm_pmu_info_t *p, bool (*each)(void *arg, const char *name), void *arg)
{
	for (int i = p->first_event; i != -1; i = pfm_get_event_next(i)) {
		pfm_event_info_t event = {.size = sizeof(event)};

		if (pfm_get_event_info(i, PFM_OS_PERF_EVENT_EXT, &event) != PFM_SUCCESS)
			continue;
		if (!each(arg, event.name))
			return false;
	}
	return true;
}

void pmu_sys_names(const char *pmu, bool (*each)(void *arg, const char *name), void *arg)
{
	pfm_pmu_t i;

	if (pfm_initialize() != PFM_SUCCESS)
		return;
	if (!pmu[0])
		pmu = linux_core_pmu(NULL);
	pfm_for_all_pmus(i)
	{
		pfm_pmu_info_t p = {.size = sizeof(p)};

		if (pfm_get_pmu_info(i, &p) != PFM_SUCCESS || strcasecmp(p.name, pmu) != 0)
			continue;
		if (!pmu_names(&p, each, arg))
			return;
	}
}

int pmu_sys_line(const struct pmu_sys *sys, const char *path, char *buf, size_t size)
{
	char full[4096];
	size_t used = 0;
	ssize_t n = 0;
	int fd;

	if (snprintf(full, sizeof(full), "%s%s", sys->root, path) >= (int)sizeof(full))
		return -ENAMETOOLONG;
	fd = open(full, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	while (used < size - 1 && (n = read(fd, buf + used, size - 1 - used)) > 0)
		used += (size_t)n;
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0)
		return (int)n;
	buf[used] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return (int)strlen(buf);
}

const struct pmu_sys pmu_sys_linux = {
	.ctx = NULL,
	.root = "",
	.open = linux_open,
	.read = linux_read,
	.control = linux_control,
	.close = linux_close,
	.encode = linux_encode,
	.core_pmu = linux_core_pmu,
	.fd_limits = linux_fd_limits,
	.fd_raise = linux_fd_raise,
};
