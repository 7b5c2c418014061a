/* SPDX-License-Identifier: MIT */
/*
 * Reads sysfs and procfs for what is known of counters before one is opened.
 *
 * A folder of a PMU does not prove that anything can be counted: a trial open does, elsewhere.
 * Kinds of core are ordered by their type, which puts the P-cores of Intel hybrids first.
 */
#include "probes/pmu_host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/cpulist.h"

#define DEVICES "/sys/bus/event_source/devices"

/* Bits of CapEff, linux/capability.h. */
enum { BIT_SYS_ADMIN = 21, BIT_PERFMON = 38 };

enum {
	LINE_BYTES = 16384, /* a CPU list of the largest machine, every other CPU */
	HEAD_BYTES = 16384, /* of cpuinfo: more than the first CPU's paragraph */
};

/* Reads the head of a file below the root. Returns its length, or -errno. */
static int head_read(const struct pmu_sys *sys, const char *path, char *buf, size_t size)
{
	char full[PATH_MAX];
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
	close(fd);
	buf[used] = '\0';
	return n < 0 ? -EIO : (int)used;
}

/* What stands behind "@key<blanks>:<blanks>" at the start of a line, or NULL. */
static const char *field_find(const char *text, const char *key)
{
	size_t length = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		const char *p;

		line += *line == '\n';
		if (strncmp(line, key, length) != 0)
			continue;
		p = line + length + strspn(line + length, " \t");
		if (*p == ':')
			return p + 1 + strspn(p + 1, " \t");
	}
	return NULL;
}

static int number_read(const struct pmu_sys *sys, const char *path)
{
	char buf[32], *end;
	long v;

	if (pmu_sys_line(sys, path, buf, sizeof(buf)) <= 0)
		return PMU_UNKNOWN;
	v = strtol(buf, &end, 10);
	return end == buf || v < PMU_UNKNOWN || v > INT_MAX ? PMU_UNKNOWN : (int)v;
}

static void status_read(struct pmu_host *h, const struct pmu_sys *sys)
{
	char buf[8192];
	const char *p;

	h->seccomp = PMU_UNKNOWN;
	if (head_read(sys, "/proc/self/status", buf, sizeof(buf)) <= 0)
		return;
	p = field_find(buf, "Seccomp");
	if (p && *p >= '0' && *p <= '9')
		h->seccomp = (int)strtol(p, NULL, 10);
	p = field_find(buf, "CapEff");
	if (p) {
		unsigned long long caps = strtoull(p, NULL, 16);

		h->cap_perfmon = (caps >> BIT_PERFMON & 1) || (caps >> BIT_SYS_ADMIN & 1);
	}
}

/* True if @word is one of the words of the line at @p. */
static bool line_has(const char *p, const char *word)
{
	size_t length = strlen(word), n;

	for (; *p && *p != '\n'; p += n) {
		p += strspn(p, " \t");
		n = strcspn(p, " \t\n");
		if (n == length && strncmp(p, word, n) == 0)
			return true;
	}
	return false;
}

/* All of Arm's makers share one PMU architecture, and the kernel one table for it. */
static void cpuinfo_read(struct pmu_host *h, const struct pmu_sys *sys)
{
	char buf[HEAD_BYTES];
	const char *p, *vendor = "";

	if (head_read(sys, "/proc/cpuinfo", buf, sizeof(buf)) <= 0)
		return;
	p = field_find(buf, "vendor_id");
	if (p && line_has(p, "GenuineIntel"))
		vendor = "intel";
	else if (p && (line_has(p, "AuthenticAMD") || line_has(p, "HygonGenuine")))
		vendor = "amd";
	else if (field_find(buf, "CPU implementer"))
		vendor = "arm";
	snprintf(h->vendor, sizeof(h->vendor), "%s", vendor);
	p = field_find(buf, "flags");
	h->guest = p && line_has(p, "hypervisor");
}

static bool names_core(const char *name)
{
	return strcmp(name, "cpu") == 0 || strncmp(name, "cpu_", 4) == 0 ||
	       strncmp(name, "armv", 4) == 0;
}

/* The CPUs a PMU lists; no list or one that cannot be read leaves it with all. */
static void core_cpus_read(struct pmu_core *c, const struct pmu_sys *sys)
{
	char path[128], *line = malloc(LINE_BYTES);
	int *cpu = malloc((CPULIST_ID_MAX + 1) * sizeof(*cpu));
	int n = 0;

	snprintf(path, sizeof(path), DEVICES "/%s/cpus", c->name);
	if (line && cpu && pmu_sys_line(sys, path, line, LINE_BYTES) > 0)
		n = cpulist_parse(line, cpu, CPULIST_ID_MAX + 1, NULL);
	if (n > 0)
		c->cpu = malloc((size_t)n * sizeof(*cpu));
	if (c->cpu) {
		memcpy(c->cpu, cpu, (size_t)n * sizeof(*cpu));
		c->count = (unsigned)n;
	}
	free(line);
	free(cpu);
}

/* Adds the PMU @name in the order of types, if it has one. */
static void core_add(struct pmu_host *h, const struct pmu_sys *sys, const char *name)
{
	struct pmu_core core = {0};
	char path[128];
	unsigned at;
	int type;

	if (h->core_count == PMU_CORES || strlen(name) >= sizeof(core.name))
		return;
	memcpy(core.name, name, strlen(name) + 1);
	snprintf(path, sizeof(path), DEVICES "/%s/type", core.name);
	type = number_read(sys, path);
	if (type < 0)
		return;
	core.type = (uint32_t)type;
	core_cpus_read(&core, sys);
	for (at = h->core_count++; at > 0 && h->core[at - 1].type > core.type; at--)
		h->core[at] = h->core[at - 1];
	h->core[at] = core;
}

static void cores_read(struct pmu_host *h, const struct pmu_sys *sys)
{
	char path[PATH_MAX];
	DIR *dir;

	if (snprintf(path, sizeof(path), "%s" DEVICES, sys->root) >= (int)sizeof(path))
		return;
	dir = opendir(path);
	if (!dir)
		return;
	for (const struct dirent *d; (d = readdir(dir)) != NULL;) {
		if (names_core(d->d_name))
			core_add(h, sys, d->d_name);
	}
	closedir(dir);
}

void pmu_host_read(struct pmu_host *h, const struct pmu_sys *sys)
{
	memset(h, 0, sizeof(*h));
	cores_read(h, sys);
	cpuinfo_read(h, sys);
	status_read(h, sys);
	h->paranoid = number_read(sys, "/proc/sys/kernel/perf_event_paranoid");
	h->nmi_watchdog = number_read(sys, "/proc/sys/kernel/nmi_watchdog");
	/* A native event of one kind of core is another one, or none, on the other kind. */
	if (!pmu_host_hybrid(h))
		snprintf(h->pfm_name, sizeof(h->pfm_name), "%s", sys->core_pmu(sys->ctx));
	if (sys->fd_limits(sys->ctx, &h->fd_soft, &h->fd_hard, &h->fd_used) != 0)
		h->fd_soft = h->fd_hard = h->fd_used = 0;
}

void pmu_host_fini(struct pmu_host *h)
{
	for (unsigned i = 0; i < h->core_count; i++)
		free(h->core[i].cpu);
	memset(h, 0, sizeof(*h));
}

const struct pmu_core *pmu_host_core(const struct pmu_host *h, int cpu)
{
	if (cpu < 0)
		return h->core_count == 1 ? &h->core[0] : NULL;
	for (unsigned i = 0; i < h->core_count; i++) {
		const struct pmu_core *c = &h->core[i];

		if (c->count == 0)
			return c;
		for (unsigned k = 0; k < c->count; k++) {
			if (c->cpu[k] == cpu)
				return c;
		}
	}
	return NULL;
}
