/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Too few descriptors: on a made-up machine, and under a real limit in a child.
 */
#include "probes/pmu_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "tests/fake_pmu.h"

static const int cpus[FAKE_RUN_THREADS] = {0, 1, 2, 3};

/* numatop issue 62: "probably permission denied" where descriptors had run out. */
static void descriptors_short_expect_optional_dropped_first_and_figures(void **state)
{
	static const struct {
		uint64_t soft, hard; /* 3 are used, 64 kept, 2 threads need 14 */
		unsigned open, dropped;
		bool optional, cycles, raised;
		const char *says;
	} row[] = {
		{1024, 1024, 14, 0, true, true, false, ""},
		{81, 81, 14, 0, true, true, false, ""},
		{80, 4096, 14, 0, true, true, true, ""},
		{80, 80, 12, 1, false, true, true, "instructions: needs 81 descriptors, limit 80"},
		{79, 79, 12, 1, false, true, true, "limit 79"},
		{77, 77, 10, 2, false, true, true, "limit 77"},
		{75, 75, 8, 3, false, false, true, "limit 75"},
		{40, 40, 0, 3, false, false, true, "needs 81 descriptors, limit 40"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct fake_run *u = fake_run_new();

		u->l.event[FAKE_INSTRUCTIONS].optional = true;
		u->f->soft = row[i].soft;
		u->f->hard = row[i].hard;
		fake_run_open(u, cpus, 2);
		assert_int_equal(u->s.open_count, row[i].open);
		assert_int_equal(u->s.dropped, row[i].dropped);
		assert_int_equal(fake_calls(u->f, FAKE_RAISE) > 0, row[i].raised);
		for (unsigned t = 0; t < 2; t++) {
			assert_int_equal(fake_run_count(u, t, FAKE_INSTRUCTIONS)->why,
					 row[i].optional ? WHY_OK : WHY_DENIED);
			assert_int_equal(fake_run_count(u, t, FAKE_CYCLES)->why,
					 row[i].cycles ? WHY_OK : WHY_DENIED);
		}
		if (!strstr(u->s.note, row[i].says) || (!row[i].says[0] && u->s.note[0]))
			fail_msg("\"%s\" is not \"%s\"", u->s.note, row[i].says);
		fake_run_free(u);
	}
}

static void descriptors_for_no_software_group_expect_proc(void **state)
{
	struct fake_run *u = fake_run_new();
	const int self = gettid(), here = 0;
	struct err e = {0};

	(void)state;
	u->f->soft = u->f->hard = 40;
	assert_int_equal(pmu_set_open(&u->s, &u->l, getpid(), &self, &here, 1, &e), 0);
	pmu_set_read(&u->s, u->c);
	assert_int_equal(u->s.open_count, 0);
	assert_int_equal(fake_run_count(u, 0, FAKE_SWITCHES)->why, WHY_OK);
	assert_int_equal(fake_run_count(u, 0, FAKE_FAULTS)->why, WHY_OK);
	assert_true(fake_run_count(u, 0, FAKE_FAULTS)->value > 50);
	assert_int_equal(fake_run_count(u, 0, FAKE_CYCLES)->why, WHY_DENIED);
	fake_run_free(u);
}

/* What the child under a limit saw. */
struct seen {
	int rc;
	unsigned open, dropped;
	char note[PMU_NOTE_BYTES];
	struct pmu_count c[FAKE_RUN_EVENTS];
};

/* Opens the real counters of the caller with @limit descriptors. */
static void look_under_limit(rlim_t limit, struct seen *out)
{
	const struct rlimit r = {limit, limit};
	const int self = gettid(), here = -1;
	struct pmu_list l;
	struct pmu_set s;

	out->rc = setrlimit(RLIMIT_NOFILE, &r);
	fake_list(&l, &pmu_sys_linux);
	fake_list_software(&l);
	fake_list_hardware(&l);
	if (!out->rc)
		out->rc = pmu_set_open(&s, &l, getpid(), &self, &here, 1, NULL);
	if (out->rc)
		return;
	pmu_set_read(&s, out->c);
	out->open = s.open_count;
	out->dropped = s.dropped;
	memcpy(out->note, s.note, sizeof(out->note));
	pmu_set_close(&s);
	pmu_list_fini(&l);
}

static void real_limit_expect_figures_and_software_counters_still(void **state)
{
	static const struct {
		rlim_t limit;
		const char *says;
	} row[] = {
		{20, "limit 20"}, /* no descriptor may be taken: all of it from /proc */
		{64 + 3 + 4, "limit 71"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct seen *seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE,
					 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		int status = -1;
		pid_t pid;

		assert_true(seen != MAP_FAILED);
		seen->rc = -1;
		pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			look_under_limit(row[i].limit, seen);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
		assert_int_equal(seen->rc, 0);
		assert_true(seen->open <= 4);
		assert_int_equal(seen->dropped, 3);
		if (!strstr(seen->note, row[i].says) || !strstr(seen->note, "needs "))
			fail_msg("\"%s\" lacks \"%s\"", seen->note, row[i].says);
		assert_int_equal(seen->c[FAKE_CYCLES].why, WHY_DENIED);
		assert_int_equal(seen->c[FAKE_SWITCHES].why, WHY_OK);
		assert_int_equal(seen->c[FAKE_FAULTS].why, WHY_OK);
		assert_true(seen->c[FAKE_FAULTS].enabled_ns == seen->c[FAKE_FAULTS].running_ns);
		munmap(seen, sizeof(*seen));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptors_short_expect_optional_dropped_first_and_figures),
		cmocka_unit_test(descriptors_for_no_software_group_expect_proc),
		cmocka_unit_test(real_limit_expect_figures_and_software_counters_still),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
