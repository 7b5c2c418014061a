/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is read of PMUs and privileges: made-up machines, and the one at hand.
 */
#include "probes/pmu_host.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "probes/cpulist.h"
#include "tests/made_root.h"

#define DEVICES "/sys/bus/event_source/devices"

struct machine {
	struct made_root root;
	struct pmu_sys sys;
};

static const char *pmu_spr(void *ctx)
{
	(void)ctx;
	return "spr";
}

static int limits_of_1024(void *ctx, uint64_t *soft, uint64_t *hard, uint64_t *used)
{
	(void)ctx;
	*soft = 1024;
	*hard = 4096;
	*used = 7;
	return 0;
}

static int setup(void **state)
{
	struct machine *m = calloc(1, sizeof(*m));

	assert_non_null(m);
	made_root_init(&m->root);
	m->sys = (struct pmu_sys){.root = m->root.path,
				  .core_pmu = pmu_spr,
				  .fd_limits = limits_of_1024};
	*state = m;
	return 0;
}

static int teardown(void **state)
{
	struct machine *m = *state;

	made_root_fini(&m->root);
	free(m);
	return 0;
}

static void pmu_write(struct machine *m, const char *name, const char *type, const char *cpus)
{
	char path[256];

	snprintf(path, sizeof(path), DEVICES "/%s/type", name);
	made_root_write(&m->root, path, type);
	snprintf(path, sizeof(path), DEVICES "/%s/cpus", name);
	if (cpus)
		made_root_write(&m->root, path, cpus);
}

static void assert_core(const struct pmu_host *h, int cpu, const char *name)
{
	const struct pmu_core *c = pmu_host_core(h, cpu);

	if (!name) {
		assert_null(c);
		return;
	}
	assert_non_null(c);
	assert_string_equal(c->name, name);
}

static void empty_root_expect_unknowns(void **state)
{
	struct machine *m = *state;
	struct pmu_host h;

	pmu_host_read(&h, &m->sys);
	assert_int_equal(h.core_count, 0);
	assert_false(pmu_host_hybrid(&h));
	assert_core(&h, 0, NULL);
	assert_core(&h, -1, NULL);
	assert_int_equal(h.paranoid, PMU_UNKNOWN);
	assert_int_equal(h.nmi_watchdog, PMU_UNKNOWN);
	assert_int_equal(h.seccomp, PMU_UNKNOWN);
	assert_false(h.cap_perfmon);
	assert_false(h.guest);
	assert_string_equal(h.vendor, "");
	assert_string_equal(h.pfm_name, "spr");
	assert_int_equal(h.fd_soft, 1024);
	assert_int_equal(h.fd_hard, 4096);
	assert_int_equal(h.fd_used, 7);
	pmu_host_fini(&h);
}

static void one_core_pmu_without_list_expect_it_for_all_cpus(void **state)
{
	struct machine *m = *state;
	struct pmu_host h;

	pmu_write(m, "cpu", "4\n", NULL);
	pmu_write(m, "cpum_cf", "8\n", NULL);
	pmu_write(m, "uncore_imc_0", "12\n", "0\n");
	pmu_write(m, "arm_spe_0", "9\n", "0-3\n");
	pmu_write(m, "msr", "10\n", NULL);
	pmu_host_read(&h, &m->sys);
	assert_int_equal(h.core_count, 1);
	assert_int_equal(h.core[0].type, 4);
	assert_int_equal(h.core[0].count, 0);
	assert_core(&h, 0, "cpu");
	assert_core(&h, 511, "cpu");
	assert_core(&h, -1, "cpu");
	pmu_host_fini(&h);
}

static void alder_lake_expect_core_by_cpu(void **state)
{
	struct machine *m = *state;
	struct pmu_host h;

	pmu_write(m, "cpu_atom", "10\n", "16-23\n");
	pmu_write(m, "cpu_core", "4\n", "0-15\n");
	pmu_host_read(&h, &m->sys);
	assert_true(pmu_host_hybrid(&h));
	assert_int_equal(h.core_count, 2);
	assert_string_equal(h.core[0].name, "cpu_core");
	assert_int_equal(h.core[0].count, 16);
	assert_int_equal(h.core[1].type, 10);
	assert_int_equal(h.core[1].count, 8);
	assert_core(&h, 0, "cpu_core");
	assert_core(&h, 15, "cpu_core");
	assert_core(&h, 16, "cpu_atom");
	assert_core(&h, 23, "cpu_atom");
	assert_core(&h, 24, NULL);
	assert_core(&h, -1, NULL);
	/* Names of one kind of core mean nothing on the other. */
	assert_string_equal(h.pfm_name, "");
	pmu_host_fini(&h);
}

static void big_little_expect_core_by_cpu(void **state)
{
	struct machine *m = *state;
	struct pmu_host h;

	pmu_write(m, "armv8_cortex_a53", "8\n", "0,3-5\n");
	pmu_write(m, "armv8_cortex_a57", "7\n", "1-2\n");
	made_root_write(&m->root, "/proc/cpuinfo",
			"processor\t: 0\nBogoMIPS\t: 100.00\n"
			"Features\t: fp asimd evtstrm\nCPU implementer\t: 0x41\n"
			"CPU part\t: 0xd03\n");
	pmu_host_read(&h, &m->sys);
	assert_int_equal(h.core_count, 2);
	assert_core(&h, 0, "armv8_cortex_a53");
	assert_core(&h, 1, "armv8_cortex_a57");
	assert_core(&h, 2, "armv8_cortex_a57");
	assert_core(&h, 5, "armv8_cortex_a53");
	assert_string_equal(h.vendor, "arm");
	assert_false(h.guest);
	pmu_host_fini(&h);
}

static void damaged_pmus_expect_them_left_out(void **state)
{
	struct machine *m = *state;
	struct pmu_host h;

	pmu_write(m, "cpu_a", "", NULL);
	pmu_write(m, "cpu_b", "four\n", NULL);
	pmu_write(m, "cpu_c", "-4\n", NULL);
	pmu_write(m, "cpu_with_a_name_of_far_too_many_characters", "4\n", NULL);
	pmu_write(m, "cpu_d", "5\n", "0-\n");
	made_root_write(&m->root, DEVICES "/cpu_e/cpus", "0\n");
	pmu_host_read(&h, &m->sys);
	assert_int_equal(h.core_count, 1);
	assert_core(&h, 3, "cpu_d");
	pmu_host_fini(&h);
}

static void more_kinds_than_room_expect_no_overrun(void **state)
{
	struct machine *m = *state;
	struct pmu_host h;
	char name[16], text[16];

	for (int i = 0; i < PMU_CORES + 3; i++) {
		snprintf(name, sizeof(name), "cpu_%d", i);
		snprintf(text, sizeof(text), "%d\n", 20 - i);
		pmu_write(m, name, text, "0-3\n");
	}
	pmu_host_read(&h, &m->sys);
	assert_int_equal(h.core_count, PMU_CORES);
	for (unsigned i = 1; i < h.core_count; i++)
		assert_true(h.core[i - 1].type < h.core[i].type);
	pmu_host_fini(&h);
}

static void largest_machine_expect_all_cpus_of_its_list(void **state)
{
	struct machine *m = *state;
	struct pmu_host h;
	char list[12288];
	size_t used = 0;

	for (int cpu = 0; cpu < 4096; cpu += 2)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%d", cpu ? "," : "",
					 cpu);
	pmu_write(m, "cpu", "4\n", list);
	pmu_host_read(&h, &m->sys);
	assert_int_equal(h.core[0].count, 2048);
	assert_core(&h, 4094, "cpu");
	assert_core(&h, 4095, NULL);
	pmu_host_fini(&h);
}

static void status_expect_seccomp_and_capabilities(void **state)
{
	static const struct {
		const char *text;
		int seccomp;
		bool perfmon;
	} row[] = {
		{"CapEff:\t0000000000000000\nSeccomp:\t0\nSeccomp_filters:\t0\n", 0, false},
		{"CapEff:\t0000004000000000\nSeccomp:\t2\nSeccomp_filters:\t1\n", 2, true},
		{"CapEff:\t0000000000200000\n", PMU_UNKNOWN, true},
		{"CapInh:\tffffffffffffffff\nCapEff:\t00000000a80425fb\nSeccomp:\t2\n", 2, false},
		{"CapEff:\t000001ffffffffff\nSeccomp_filters:\t3\n", PMU_UNKNOWN, true},
		{"Seccomp:\tx\n", PMU_UNKNOWN, false},
		{"", PMU_UNKNOWN, false},
	};
	struct machine *m = *state;

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct pmu_host h;

		made_root_write(&m->root, "/proc/self/status", row[i].text);
		pmu_host_read(&h, &m->sys);
		assert_int_equal(h.seccomp, row[i].seccomp);
		assert_int_equal(h.cap_perfmon, row[i].perfmon);
		pmu_host_fini(&h);
	}
}

static void cpuinfo_expect_vendor_and_guest(void **state)
{
	static const struct {
		const char *text, *vendor;
		bool guest;
	} row[] = {
		{"processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: fpu hypervisor lahf_lm\n",
		 "intel", true},
		{"vendor_id\t: GenuineIntel\nflags\t\t: fpu xhypervisor hypervisor_x\n"
		 "vmx flags\t: hypervisor\n",
		 "intel", false},
		{"vendor_id\t: AuthenticAMD\nflags\t\t: fpu hypervisor\n", "amd", true},
		{"vendor_id\t: HygonGenuine\nflags\t\t:\n", "amd", false},
		{"processor\t: 0\nCPU implementer\t: 0xc0\n", "arm", false},
		{"processor\t: 0\nhart\t: 1\nisa\t: rv64\n", "", false},
		{"vendor_id\t: IBM/S390\n", "", false},
	};
	struct machine *m = *state;

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct pmu_host h;

		made_root_write(&m->root, "/proc/cpuinfo", row[i].text);
		pmu_host_read(&h, &m->sys);
		assert_string_equal(h.vendor, row[i].vendor);
		assert_int_equal(h.guest, row[i].guest);
		pmu_host_fini(&h);
	}
}

static void sysctls_expect_numbers_or_unknown(void **state)
{
	static const struct {
		const char *text;
		int number;
	} row[] = {
		{"2\n", 2}, {"-1\n", -1}, {"4", 4}, {"", PMU_UNKNOWN}, {"much\n", PMU_UNKNOWN},
	};
	struct machine *m = *state;

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct pmu_host h;

		made_root_write(&m->root, "/proc/sys/kernel/perf_event_paranoid", row[i].text);
		made_root_write(&m->root, "/proc/sys/kernel/nmi_watchdog", row[i].text);
		pmu_host_read(&h, &m->sys);
		assert_int_equal(h.paranoid, row[i].number);
		assert_int_equal(h.nmi_watchdog, row[i].number);
		pmu_host_fini(&h);
	}
}

static void this_machine_expect_what_its_files_say(void **state)
{
	struct pmu_host h;

	(void)state;
	pmu_host_read(&h, &pmu_sys_linux);
	assert_int_equal(access(DEVICES "/cpu/type", R_OK) == 0 ||
				 access(DEVICES "/cpu_core/type", R_OK) == 0,
			 h.core_count > 0 && strncmp(h.core[0].name, "cpu", 3) == 0);
	assert_int_equal(access("/proc/sys/kernel/perf_event_paranoid", R_OK) == 0,
			 h.paranoid != PMU_UNKNOWN);
	assert_true(h.fd_used >= 3 || h.fd_used == 0);
	assert_true(h.fd_soft <= h.fd_hard);
#ifdef __aarch64__
	assert_string_equal(h.vendor, "arm");
#endif
	pmu_host_fini(&h);
}

#define ON_MADE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_MADE(empty_root_expect_unknowns),
		ON_MADE(one_core_pmu_without_list_expect_it_for_all_cpus),
		ON_MADE(alder_lake_expect_core_by_cpu),
		ON_MADE(big_little_expect_core_by_cpu),
		ON_MADE(damaged_pmus_expect_them_left_out),
		ON_MADE(more_kinds_than_room_expect_no_overrun),
		ON_MADE(largest_machine_expect_all_cpus_of_its_list),
		ON_MADE(status_expect_seccomp_and_capabilities),
		ON_MADE(cpuinfo_expect_vendor_and_guest),
		ON_MADE(sysctls_expect_numbers_or_unknown),
		cmocka_unit_test(this_machine_expect_what_its_files_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
