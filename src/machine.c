/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what this machine is from uname, /proc and /sys. Every file may be missing: containers,
 * stripped kernels and other architectures each lack some of them.
 */
#include "src/machine.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "src/text.h"

enum { PATH_BYTES = 512 };

/* What the first block of /proc/cpuinfo says. */
struct cpuinfo {
	char model[96];       /* "model name" */
	char implementer[16]; /* arm: "0x41" */
	char part[16];        /* arm: "0xd0c" */
	bool has_flags;       /* there is an x86 line of flags ... */
	bool is_guest;        /* ... and "hypervisor" is among them */
};

static FILE *file_open(const char *root, const char *path)
{
	char full[PATH_BYTES];
	int n = snprintf(full, sizeof(full), "%s%s", root, path);

	return n > 0 && (size_t)n < sizeof(full) ? fopen(full, "re") : NULL;
}

/* The first line of a file (device tree strings end in NUL), cleaned; "" if there is none. */
static void line_read(const char *root, const char *path, char *buf, unsigned size)
{
	FILE *f = file_open(root, path);
	char line[256];

	buf[0] = '\0';
	if (!f)
		return;
	if (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		text_clean(buf, size, line);
	}
	fclose(f);
}

/* The value of a cpuinfo line "KEY\t: VALUE", NULL if the line has another key. */
static const char *value_of_key(const char *line, const char *key)
{
	size_t length = strlen(key);
	const char *p = line + length;

	if (strncmp(line, key, length) != 0)
		return NULL;
	p += strspn(p, " \t");
	if (*p != ':')
		return NULL;
	p++;
	return p + strspn(p, " \t");
}

static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *p = strstr(list, word); p; p = strstr(p + length, word)) {
		if ((p == list || p[-1] == ' ') && (p[length] == ' ' || !p[length]))
			return true;
	}
	return false;
}

static void cpuinfo_line(struct cpuinfo *c, const char *line)
{
	const char *v;

	if ((v = value_of_key(line, "model name"))) {
		text_clean(c->model, sizeof(c->model), v);
	} else if ((v = value_of_key(line, "CPU implementer"))) {
		text_clean(c->implementer, sizeof(c->implementer), v);
	} else if ((v = value_of_key(line, "CPU part"))) {
		text_clean(c->part, sizeof(c->part), v);
	} else if ((v = value_of_key(line, "flags"))) {
		c->has_flags = true;
		c->is_guest = has_word(v, "hypervisor");
	}
}

/* Reads the first CPU's block: it ends with an empty line. */
static void cpuinfo_read(struct cpuinfo *c, const char *root)
{
	FILE *f = file_open(root, "/proc/cpuinfo");
	char *line = NULL;
	size_t size = 0;

	memset(c, 0, sizeof(*c));
	while (f && getline(&line, &size, f) > 0 && line[0] != '\n') {
		line[strcspn(line, "\n")] = '\0';
		cpuinfo_line(c, line);
	}
	free(line);
	if (f)
		fclose(f);
}

static void model_read(struct machine *m, const struct cpuinfo *c, const char *root)
{
	if (c->model[0])
		snprintf(m->cpu_model, sizeof(m->cpu_model), "%s", c->model);
	else if (c->implementer[0])
		snprintf(m->cpu_model, sizeof(m->cpu_model), "implementer %s part %s",
			 c->implementer, c->part[0] ? c->part : "unknown");
	else
		line_read(root, "/proc/device-tree/model", m->cpu_model, sizeof(m->cpu_model));
}

/* KVM shows in the guest's clock, in the DMI names that QEMU gives, or in the device tree. */
static bool mentions_kvm(const char *root)
{
	static const struct {
		const char *path, *word;
	} sign[] = {
		{"/sys/devices/system/clocksource/clocksource0/available_clocksource", "kvm-clock"},
		{"/sys/class/dmi/id/sys_vendor", "QEMU"},
		{"/sys/class/dmi/id/product_name", "KVM"},
		{"/proc/device-tree/hypervisor/compatible", "linux,kvm"},
	};
	char line[128];

	for (size_t i = 0; i < sizeof(sign) / sizeof(sign[0]); i++) {
		line_read(root, sign[i].path, line, sizeof(line));
		if (strstr(line, sign[i].word))
			return true;
	}
	return false;
}

/*
 * /sys/hypervisor names Xen by itself. Else x86 says in its flags whether there is a hypervisor at
 * all; other architectures do not, so that there only a positive sign means anything.
 */
static void virt_read(struct machine *m, const struct cpuinfo *c, const char *root)
{
	const char *virt = "unknown";

	line_read(root, "/sys/hypervisor/type", m->virt, sizeof(m->virt));
	if (m->virt[0])
		return;
	if (c->has_flags && !c->is_guest)
		virt = "none";
	else if (mentions_kvm(root))
		virt = "kvm";
	else if (c->is_guest)
		virt = "vm";
	snprintf(m->virt, sizeof(m->virt), "%s", virt);
}

static void governor_read(struct machine *m, const struct topology *t, const char *root)
{
	char path[96];
	unsigned i = 0;

	m->governor[0] = '\0';
	while (i < t->cpu_count && !t->cpu[i].online)
		i++;
	if (i == t->cpu_count)
		return;
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor",
		 t->cpu[i].cpu);
	line_read(root, path, m->governor, sizeof(m->governor));
}

void machine_read_files(struct machine *m, const struct topology *t, const char *root)
{
	struct cpuinfo c;

	cpuinfo_read(&c, root);
	model_read(m, &c, root);
	virt_read(m, &c, root);
	governor_read(m, t, root);
}

void machine_read(struct machine *m, const struct topology *t)
{
	struct utsname un;

	memset(m, 0, sizeof(*m));
	if (uname(&un) == 0) {
		text_clean(m->host, sizeof(m->host), un.nodename);
		text_clean(m->kernel, sizeof(m->kernel), un.release);
	}
	machine_read_files(m, t, "");
	m->packages = t->package_count;
	m->cores = t->core_count;
	m->cpus = t->cpu_count;
	m->smt = t->smt_per_core;
	m->tick = tick_choose(getenv("HOTLINE_CLOCK"));
}
