/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts about the machine, read from made-up /proc and /sys trees, and from the real one.
 */
#include "src/machine.h"

#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

struct file {
	const char *path, *text;
};

static void folders_make(char *path)
{
	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		assert_true(mkdir(path, 0755) == 0 || errno == EEXIST);
		*p = '/';
	}
}

static void file_write(const char *root, const struct file *file)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", root, file->path);
	folders_make(path);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(file->text, f);
	fclose(f);
}

static int entry_remove(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

#define CPU0 "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
#define CPU2 "/sys/devices/system/cpu/cpu2/cpufreq/scaling_governor"
#define CLOCKS "/sys/devices/system/clocksource/clocksource0/available_clocksource"
#define X86 "processor\t: 0\nmodel name\t: Some CPU @ 2.0GHz\nflags\t\t: fpu tsc"

/* CPU 0 is offline, as topology_init() gives it. */
static const struct {
	struct file file[4];
	const char *cpu_model, *virt, *governor;
} rows[] = {
	{{{0}}, "", "unknown", ""},
	{{{"/proc/cpuinfo", X86 "\n\n"}, {CPU0, "powersave\n"}, {CPU2, "performance\n"}},
	 "Some CPU @ 2.0GHz",
	 "none",
	 "performance"},
	{{{"/proc/cpuinfo", X86 " hypervisor\n\n"}}, "Some CPU @ 2.0GHz", "vm", ""},
	{{{"/proc/cpuinfo", X86 " hypervisor_like\n"}}, "Some CPU @ 2.0GHz", "none", ""},
	{{{"/proc/cpuinfo", X86 " hypervisor lm\n"}, {CLOCKS, "tsc kvm-clock acpi_pm \n"}},
	 "Some CPU @ 2.0GHz",
	 "kvm",
	 ""},
	{{{"/proc/cpuinfo", X86 " hypervisor\n"}, {"/sys/class/dmi/id/sys_vendor", "QEMU\n"}},
	 "Some CPU @ 2.0GHz",
	 "kvm",
	 ""},
	{{{"/proc/cpuinfo", X86 " hypervisor\n"}, {"/sys/hypervisor/type", "xen\n"}},
	 "Some CPU @ 2.0GHz",
	 "xen",
	 ""},
	/* Only the first CPU's block counts. */
	{{{"/proc/cpuinfo", X86 "\n\nprocessor\t: 1\nmodel name\t: Other\nflags\t: hypervisor\n"}},
	 "Some CPU @ 2.0GHz",
	 "none",
	 ""},
	{{{"/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"}},
	 "implementer 0x41 part 0xd0c",
	 "unknown",
	 ""},
	{{{"/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\n"},
	  {"/proc/device-tree/hypervisor/compatible", "linux,kvm"}},
	 "implementer 0x41 part unknown",
	 "kvm",
	 ""},
	{{{"/proc/device-tree/model", "A small board"}}, "A small board", "unknown", ""},
	/* Escapes do not reach the terminal. */
	{{{"/proc/cpuinfo", "model name\t: A\033[31mB\n"}, {CPU2, "x\ty\n"}},
	 "A?[31mB",
	 "unknown",
	 "x?y"},
	{{{"/proc/cpuinfo", ""}, {CPU2, ""}}, "", "unknown", ""},
};

static void made_up_trees_expect_model_virt_and_governor(void **state)
{
	struct topology_source src = {.synthetic = "core:4 pu:1", .offline_list = "0-1"};
	struct topology t;

	(void)state;
	assert_int_equal(topology_init(&t, &src, NULL), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char root[] = "/tmp/test_machine.XXXXXX";
		struct machine m;

		memset(&m, 'x', sizeof(m));
		assert_non_null(mkdtemp(root));
		for (size_t k = 0; k < 4 && rows[i].file[k].path; k++)
			file_write(root, &rows[i].file[k]);
		machine_read_files(&m, &t, root);
		nftw(root, entry_remove, 8, FTW_DEPTH | FTW_PHYS);
		assert_string_equal(m.cpu_model, rows[i].cpu_model);
		assert_string_equal(m.virt, rows[i].virt);
		assert_string_equal(m.governor, rows[i].governor);
	}
	topology_fini(&t);
}

static void this_machine_expect_names_and_counts(void **state)
{
	struct topology t;
	struct machine m;

	(void)state;
	assert_int_equal(topology_init(&t, NULL, NULL), 0);
	unsetenv("HOTLINE_CLOCK");
	machine_read(&m, &t);
	assert_true(m.host[0] && m.kernel[0] && m.virt[0] && m.tick.name[0]);
	assert_int_equal(m.cpus, t.cpu_count);
	assert_int_equal(m.cores, t.core_count);
	assert_int_equal(m.packages, t.package_count);
	assert_int_equal(m.smt, t.smt_per_core);
	setenv("HOTLINE_CLOCK", "monotonic", 1);
	machine_read(&m, &t);
	assert_int_equal(m.tick.source, TICK_MONOTONIC);
	unsetenv("HOTLINE_CLOCK");
	topology_fini(&t);
}

static void machine_without_cpus_expect_no_governor(void **state)
{
	struct topology t = {0};
	struct machine m;

	(void)state;
	machine_read(&m, &t);
	assert_string_equal(m.governor, "");
	assert_int_equal(m.cpus, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(made_up_trees_expect_model_virt_and_governor),
		cmocka_unit_test(this_machine_expect_names_and_counts),
		cmocka_unit_test(machine_without_cpus_expect_no_governor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
