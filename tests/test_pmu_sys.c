/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The real table: what libpfm4 makes of names, and the calls on a counter that every machine has.
 */
#include "probes/pmu_sys.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <unistd.h>
#include <cmocka.h>

#include <linux/perf_event.h>
#include <perfmon/pfmlib.h>

#include "tests/made_root.h"

static const struct pmu_sys *sys = &pmu_sys_linux;

static int encode(const char *name, bool kernel, struct perf_event_attr *a, char *full, size_t size)
{
	memset(a, 0, sizeof(*a));
	a->size = sizeof(*a);
	full[0] = '\0';
	return sys->encode(sys->ctx, name, kernel, a, full, size);
}

static void names_expect_type_config_and_levels(void **state)
{
	static const struct {
		const char *name;
		bool kernel;
		unsigned type;
		uint64_t config;
		bool no_user, no_kernel;
		const char *full;
	} row[] = {
		{"cycles", true, 0, 0, false, false, "perf::PERF_COUNT_HW_CPU_CYCLES:"},
		{"CYCLES", true, 0, 0, false, false, "perf::PERF_COUNT_HW_CPU_CYCLES:"},
		{"cycles", false, 0, 0, false, true, "perf::PERF_COUNT_HW_CPU_CYCLES:"},
		{"cycles:u", true, 0, 0, false, true, "perf::PERF_COUNT_HW_CPU_CYCLES:"},
		{"cycles:k", true, 0, 0, true, false, "perf::PERF_COUNT_HW_CPU_CYCLES:"},
		{"cycles:k", false, 0, 0, true, false, "perf::PERF_COUNT_HW_CPU_CYCLES:"},
		{"context-switches", true, 1, 3, false, false,
		 "perf::PERF_COUNT_SW_CONTEXT_SWITCHES:"},
		{"dTLB-load-misses", true, 3, 0x10003, false, false,
		 "perf::PERF_COUNT_HW_CACHE_DTLB:READ:MISS:"},
		{"r01c4", true, 4, 0x1c4, false, false, "perf_raw::"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct perf_event_attr a;
		char full[224];

		assert_int_equal(encode(row[i].name, row[i].kernel, &a, full, sizeof(full)), 0);
		assert_int_equal(a.type, row[i].type);
		assert_int_equal(a.config, row[i].config);
		assert_int_equal(a.exclude_user, row[i].no_user);
		assert_int_equal(a.exclude_kernel, row[i].no_kernel);
		assert_int_equal(a.exclude_guest, 0);
		assert_int_equal(a.pinned, 0);
		assert_int_equal(strncmp(full, row[i].full, strlen(row[i].full)), 0);
	}
}

static void encode_expect_callers_fields_kept(void **state)
{
	struct perf_event_attr a = {.size = sizeof(a), .read_format = PERF_FORMAT_GROUP};
	char small[8];

	(void)state;
	assert_int_equal(sys->encode(sys->ctx, "cycles", true, &a, small, sizeof(small)), 0);
	assert_int_equal(a.read_format, PERF_FORMAT_GROUP);
	assert_int_equal(a.size, sizeof(a));
	assert_string_equal(small, "perf::P");
}

static void bad_names_expect_libpfm4s_error_in_words(void **state)
{
	static const struct {
		const char *name;
		int rc;
	} row[] = {
		{"no_such_event", PFM_ERR_NOTFOUND},    {"", PFM_ERR_NOTFOUND},
		{"cycles,instructions", PFM_ERR_INVAL}, {"cycles:", PFM_ERR_ATTR},
		{"cycles:nonsense", PFM_ERR_ATTR},      {"cycles:u=2", PFM_ERR_ATTR_VAL},
		{"cycles:cpu=0", PFM_ERR_ATTR},         {"cycles:pinned", PFM_ERR_ATTR},
		{"cycles:excl", PFM_ERR_ATTR},          {"cycles:period=1000", PFM_ERR_ATTR},
		{"cycles:freq=100", PFM_ERR_ATTR},      {"cycles:precise=2", PFM_ERR_ATTR},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct perf_event_attr a;
		char full[224];
		int rc = encode(row[i].name, true, &a, full, sizeof(full));

		if (rc != row[i].rc)
			fail_msg("%s: %d, not %d", row[i].name, rc, row[i].rc);
		assert_string_equal(full, "");
		assert_true(strlen(pmu_sys_encode_error(rc)) > 4);
	}
	assert_string_not_equal(pmu_sys_encode_error(PFM_ERR_UMASK),
				pmu_sys_encode_error(PFM_ERR_NOTFOUND));
}

/* What a walk through names saw. */
struct walk {
	const char *wanted;
	unsigned seen, stop_at;
	bool found;
};

static bool walk_on(void *arg, const char *name)
{
	struct walk *w = arg;

	w->found = w->found || strcmp(name, w->wanted) == 0;
	return ++w->seen != w->stop_at;
}

static void names_of_a_pmu_expect_each_until_stopped(void **state)
{
	struct walk all = {.wanted = "PERF_COUNT_HW_CPU_CYCLES"};
	struct walk three = {.wanted = "", .stop_at = 3}, none = {.wanted = ""};

	(void)state;
	pmu_sys_names("perf", walk_on, &all);
	assert_true(all.found);
	assert_true(all.seen > 20);
	pmu_sys_names("PERF", walk_on, &three);
	assert_int_equal(three.seen, 3);
	pmu_sys_names("no_such_pmu", walk_on, &none);
	assert_int_equal(none.seen, 0);
	pmu_sys_names("", walk_on, &none);
	assert_int_equal(none.seen > 0, sys->core_pmu(sys->ctx)[0] != '\0');
}

static void line_expect_first_one_below_the_root(void **state)
{
	struct made_root root;
	struct pmu_sys made = {.root = root.path};
	char buf[16];

	(void)state;
	made_root_init(&root);
	made_root_write(&root, "/proc/two", "first\nsecond\n");
	made_root_write(&root, "/proc/bare", "no end");
	made_root_write(&root, "/proc/empty", "");
	made_root_write(&root, "/proc/long", "0123456789abcdefghij\n");
	assert_int_equal(pmu_sys_line(&made, "/proc/two", buf, sizeof(buf)), 5);
	assert_string_equal(buf, "first");
	assert_int_equal(pmu_sys_line(&made, "/proc/bare", buf, sizeof(buf)), 6);
	assert_string_equal(buf, "no end");
	assert_int_equal(pmu_sys_line(&made, "/proc/empty", buf, sizeof(buf)), 0);
	assert_string_equal(buf, "");
	assert_int_equal(pmu_sys_line(&made, "/proc/long", buf, sizeof(buf)), 15);
	assert_string_equal(buf, "0123456789abcde");
	assert_int_equal(pmu_sys_line(&made, "/proc/none", buf, sizeof(buf)), -ENOENT);
	assert_int_equal(pmu_sys_line(&made, "/proc", buf, sizeof(buf)), -EISDIR);
	made_root_fini(&root);
}

static unsigned descriptors_open(void)
{
	unsigned n = 0;

	for (int fd = 0; fd < 4096; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void descriptors_expect_each_counted_and_limit_raised(void **state)
{
	struct rlimit old, low;
	uint64_t soft, hard, before, after;
	int fd;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	low = old;
	low.rlim_cur = 64;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	assert_int_equal(sys->fd_limits(sys->ctx, &soft, &hard, &before), 0);
	assert_int_equal(soft, 64);
	assert_int_equal(hard, old.rlim_max);
	assert_int_equal(before, descriptors_open());
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(sys->fd_limits(sys->ctx, &soft, &hard, &after), 0);
	assert_int_equal(after, before + 1);
	close(fd);
	assert_int_equal(sys->fd_raise(sys->ctx), 0);
	assert_int_equal(sys->fd_limits(sys->ctx, &soft, &hard, &after), 0);
	assert_int_equal(soft, hard);
	assert_int_equal(after, before);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
}

static void task_clock_expect_it_to_run_between_enable_and_disable(void **state)
{
	uint64_t first = 0, second = 0, third = 0;
	struct perf_event_attr a;
	char full[224];
	int fd;

	(void)state;
	assert_int_equal(encode("task-clock", false, &a, full, sizeof(full)), 0);
	a.disabled = 1;
	fd = sys->open(sys->ctx, &a, 0, -1, -1);
	if (fd == -EACCES || fd == -EPERM || fd == -ENOSYS) {
		print_message("skip task_clock_expect_it_to_run_between_enable_and_disable: %s\n",
			      strerror(-fd));
		skip();
	}
	assert_true(fd >= 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(sys->read(sys->ctx, fd, &first, sizeof(first)), sizeof(first));
	assert_int_equal(first, 0);
	assert_int_equal(sys->control(sys->ctx, fd, PMU_ENABLE), 0);
	while (second < 1000)
		assert_int_equal(sys->read(sys->ctx, fd, &second, sizeof(second)), sizeof(second));
	assert_int_equal(sys->control(sys->ctx, fd, PMU_DISABLE), 0);
	assert_int_equal(sys->read(sys->ctx, fd, &second, sizeof(second)), sizeof(second));
	assert_int_equal(sys->read(sys->ctx, fd, &third, sizeof(third)), sizeof(third));
	assert_int_equal(second, third);
	assert_int_equal(sys->read(sys->ctx, fd, &third, 4), -ENOSPC);
	sys->close(sys->ctx, fd);
	assert_int_equal(sys->read(sys->ctx, fd, &third, sizeof(third)), -EBADF);
	assert_int_equal(sys->control(sys->ctx, fd, PMU_ENABLE), -EBADF);
}

static void open_of_unknown_type_expect_errno(void **state)
{
	struct perf_event_attr a = {.size = sizeof(a), .type = 0x7ffffff0, .exclude_kernel = 1};
	int fd;

	(void)state;
	fd = sys->open(sys->ctx, &a, 0, -1, -1);
	assert_true(fd == -ENOENT || fd == -EACCES || fd == -EPERM || fd == -ENOSYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_expect_type_config_and_levels),
		cmocka_unit_test(encode_expect_callers_fields_kept),
		cmocka_unit_test(bad_names_expect_libpfm4s_error_in_words),
		cmocka_unit_test(names_of_a_pmu_expect_each_until_stopped),
		cmocka_unit_test(line_expect_first_one_below_the_root),
		cmocka_unit_test(descriptors_expect_each_counted_and_limit_raised),
		cmocka_unit_test(task_clock_expect_it_to_run_between_enable_and_disable),
		cmocka_unit_test(open_of_unknown_type_expect_errno),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
