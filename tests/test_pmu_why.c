/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an errno is called, and what the user is told to do.
 */
#include "probes/pmu_why.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "probes/pmu_list.h"

enum { ERRNO_LAST = 133 };

static struct pmu_host host(unsigned cores, bool guest, int paranoid, int seccomp)
{
	return (struct pmu_host){
		.core_count = cores,
		.guest = guest,
		.paranoid = paranoid,
		.seccomp = seccomp,
		.nmi_watchdog = PMU_UNKNOWN,
		.fd_soft = 1024,
		.fd_hard = 4096,
	};
}

static void errno_expect_reason_and_advice(void **state)
{
	static const struct {
		unsigned cores;
		bool guest;
		int paranoid, seccomp;
		bool software;
		int cpu, code;
		enum reason why;
		const char *says;
	} row[] = {
		{0, true, 2, 0, false, -1, ENOENT, WHY_UNSUPPORTED,
		 "No hardware counters: this virtual machine exposes no PMU. Lock timing and "
		 "software counters still work."},
		{0, false, 2, 0, false, -1, ENOENT, WHY_UNSUPPORTED, "exposes no PMU"},
		{1, true, 2, 0, false, -1, ENOENT, WHY_UNSUPPORTED, "bus-cycles does not exist"},
		{1, false, 2, 0, false, -1, ENOENT, WHY_UNSUPPORTED, "on this CPU"},
		{0, true, 2, 0, true, -1, ENOENT, WHY_UNSUPPORTED, "in this kernel"},
		{0, true, 2, 0, false, -1, EOPNOTSUPP, WHY_UNSUPPORTED, "exposes no PMU"},
		{1, true, 2, 0, false, -1, EOPNOTSUPP, WHY_UNSUPPORTED, "bus-cycles: this virtual"},
		{1, false, 4, 0, false, -1, EACCES, WHY_DENIED, "(now 4), or CAP_PERFMON"},
		{1, false, 2, 0, false, -1, EACCES, WHY_DENIED, "perf_event_paranoid <= 1"},
		{1, false, PMU_UNKNOWN, 0, false, -1, EACCES, WHY_DENIED, "(now unknown)"},
		{1, false, 1, 0, false, -1, EACCES, WHY_DENIED, "the limit allows it"},
		{1, true, 2, 2, false, -1, EPERM, WHY_DENIED, "Blocked by the container's seccomp"},
		{1, true, 2, 2, true, -1, EPERM, WHY_DENIED, "--cap-add PERFMON"},
		{1, true, 2, PMU_UNKNOWN, false, -1, EPERM, WHY_DENIED, "looks like a container's"},
		{1, true, 2, 0, false, -1, EPERM, WHY_DENIED, "lockdown"},
		{1, true, 2, 0, false, -1, ENOSYS, WHY_UNSUPPORTED,
		 "This kernel has no perf_event"},
		{1, true, 2, 2, false, -1, ENOSYS, WHY_DENIED, "This container has no perf_event"},
		{1, true, 2, 0, false, -1, EINVAL, WHY_UNSUPPORTED,
		 "bus-cycles: the kernel refuses"},
		{1, true, 2, 0, false, 7, ENODEV, WHY_OFFLINE, "CPU 7 is offline"},
		{1, true, 2, 0, false, -1, ENODEV, WHY_UNSUPPORTED, "feature"},
		{1, true, 2, 0, false, -1, EMFILE, WHY_DENIED,
		 "needs 9000 descriptors, limit 4096"},
		{1, true, 2, 0, false, -1, ENFILE, WHY_DENIED, "fs.file-max"},
		{1, true, 2, 0, false, 3, ESRCH, WHY_LOST, "the thread is gone"},
		{1, true, 2, 0, false, -1, EBUSY, WHY_NOT_SCHEDULED, "exclusive use"},
		{1, true, 2, 0, false, -1, ENOSPC, WHY_NOT_SCHEDULED, "are taken"},
		{1, true, 2, 0, false, -1, E2BIG, WHY_UNSUPPORTED, "too old"},
		{1, true, 2, 0, false, -1, EIO, WHY_UNSUPPORTED, "Input/output error"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		const struct pmu_host h =
			host(row[i].cores, row[i].guest, row[i].paranoid, row[i].seccomp);
		const struct pmu_try t = {
			.event = "bus-cycles",
			.hardware = !row[i].software,
			.cpu = row[i].cpu,
			.group = 1,
			.fds_needed = 9000,
		};
		char buf[PMU_NOTE_BYTES];

		assert_int_equal(pmu_why(&h, &t, row[i].code, buf, sizeof(buf)), row[i].why);
		if (!strstr(buf, row[i].says))
			fail_msg("errno %d: \"%s\" lacks \"%s\"", row[i].code, buf, row[i].says);
	}
}

/* papi issue 354: a level that forbids was read as one that allows. Its number decides nothing. */
static void denied_with_capability_expect_no_advice_to_get_it(void **state)
{
	struct pmu_host h = host(1, false, 4, 0);
	const struct pmu_try t = {.event = "cycles", .hardware = true, .cpu = -1, .group = 1};
	char buf[PMU_NOTE_BYTES];

	(void)state;
	h.cap_perfmon = true;
	assert_int_equal(pmu_why(&h, &t, EACCES, buf, sizeof(buf)), WHY_DENIED);
	assert_non_null(strstr(buf, "CAP_PERFMON is held"));
	assert_null(strstr(buf, "needs"));
}

static void group_refused_expect_its_size(void **state)
{
	const struct pmu_host h = host(1, false, 1, 0);
	const struct pmu_try t = {.event = "cycles", .hardware = true, .cpu = -1, .group = 6};
	char buf[PMU_NOTE_BYTES];

	(void)state;
	assert_int_equal(pmu_why(&h, &t, EINVAL, buf, sizeof(buf)), WHY_UNSUPPORTED);
	assert_non_null(strstr(buf, "group of 6 events"));
}

static void every_errno_and_host_expect_whole_sentence_of_one_line(void **state)
{
	char id[sizeof(((struct pmu_event *)0)->id)], buf[PMU_NOTE_BYTES + 64];

	(void)state;
	memset(id, 'x', sizeof(id) - 1);
	id[sizeof(id) - 1] = '\0';
	for (int code = 1; code <= ERRNO_LAST; code++) {
		for (unsigned bits = 0; bits < 64; bits++) {
			struct pmu_host h = host(bits & 1, bits & 2, bits & 4 ? 1 : PMU_UNKNOWN,
						 bits & 8 ? 2 : 0);
			const struct pmu_try t = {
				.event = id,
				.hardware = bits & 16,
				.cpu = bits & 32 ? 65535 : -1,
				.group = bits & 32 ? 32 : 1,
				.fds_needed = UINT64_MAX,
			};
			enum reason why;

			h.cap_perfmon = bits & 32;
			h.fd_hard = UINT64_MAX;
			why = pmu_why(&h, &t, code, buf, sizeof(buf));
			assert_true(why != WHY_OK && why != WHY_SCALED && why < WHY_COUNT);
			if (strlen(buf) < 10 || strlen(buf) >= PMU_NOTE_BYTES)
				fail_msg("%zu bytes: %s", strlen(buf), buf);
			assert_null(strchr(buf, '\n'));
			/* A short buffer is filled, not overrun. */
			memset(buf, '#', sizeof(buf));
			assert_int_equal(pmu_why(&h, &t, code, buf, 8), why);
			assert_int_equal(strlen(buf), 7);
			assert_int_equal(buf[8], '#');
		}
	}
}

static void group_never_run_expect_watchdog_only_where_it_is_on(void **state)
{
	struct pmu_host h = host(1, false, 1, 0);
	const struct pmu_try t = {.event = "cycles", .hardware = true, .cpu = -1, .group = 4};
	static const int watchdog[] = {0, 1, PMU_UNKNOWN};
	char buf[PMU_NOTE_BYTES];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		h.nmi_watchdog = watchdog[i];
		pmu_why_not_scheduled(&h, &t, buf, sizeof(buf));
		assert_non_null(strstr(buf, "cycles never ran"));
		assert_int_equal(strstr(buf, "kernel.nmi_watchdog=1 holds one counter: sysctl "
					     "kernel.nmi_watchdog=0") != NULL,
				 watchdog[i] == 1);
	}
	h.guest = true;
	pmu_why_not_scheduled(&h, &t, buf, sizeof(buf));
	assert_non_null(strstr(buf, "of the host"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errno_expect_reason_and_advice),
		cmocka_unit_test(denied_with_capability_expect_no_advice_to_get_it),
		cmocka_unit_test(group_refused_expect_its_size),
		cmocka_unit_test(every_errno_and_host_expect_whole_sentence_of_one_line),
		cmocka_unit_test(group_never_run_expect_watchdog_only_where_it_is_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
