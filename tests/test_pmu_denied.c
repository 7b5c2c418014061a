/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes with fewer rights on this machine: behind a seccomp filter, and without root.
 */
#include "probes/pmu_check.h"

#include <errno.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "probes/pmu_set.h"

enum { NOBODY = 65534 };

/* What a child with fewer rights saw. */
struct seen {
	bool ran;
	int open_rc; /* of the trial open with the kernel's part */
	struct pmu_list l;
	struct pmu_count c[PMU_EVENTS];
};

static void look(struct seen *out)
{
	const int self = gettid(), any = -1;
	struct pmu_set set;

	pmu_list_init(&out->l, &pmu_sys_linux);
	if (pmu_list_add_preset(&out->l, pmu_preset_find("contention"), NULL) != 0 ||
	    pmu_list_finish(&out->l, NULL) != 0)
		return;
	out->open_rc =
		pmu_sys_linux.open(NULL, out->l.event[pmu_list_find(&out->l, PMU_SWITCHES)].attr, 0,
				   -1, -1);
	pmu_check(&out->l, NULL);
	if (pmu_set_open(&set, &out->l, getpid(), &self, &any, 1, NULL) != 0)
		return;
	pmu_set_read(&set, out->c);
	out->ran = true;
}

/* Runs look() in a child behind @restrict_self; NULL if that was not possible. Free by munmap. */
static struct seen *look_restricted(bool (*restrict_self)(void))
{
	struct seen *seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = -1;
	pid_t pid;

	assert_true(seen != MAP_FAILED);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (!restrict_self())
			_exit(1);
		look(seen);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 1) {
		munmap(seen, sizeof(*seen));
		return NULL;
	}
	assert_int_equal(status, 0);
	assert_true(seen->ran);
	return seen;
}

static bool filter_out_perf(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog prog = {.len = 4, .filter = code};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) == 0;
}

static bool become_nobody(void)
{
	return setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0;
}

/* Software counters as the kernel gives them to @s, by perf or by /proc. */
static void assert_software(const struct seen *s, enum pmu_source source)
{
	int i = pmu_list_find(&s->l, PMU_SWITCHES);

	assert_int_equal(s->l.event[i].source, source);
	assert_int_equal(s->l.event[i].why, WHY_OK);
	assert_int_equal(s->c[i].why, WHY_OK);
	assert_int_equal(s->c[pmu_list_find(&s->l, PMU_FAULTS)].why, WHY_OK);
}

static void seccomp_filter_expect_container_blamed_and_proc(void **state)
{
	struct seen *s = look_restricted(filter_out_perf);
	const struct pmu_event *cycles;

	(void)state;
	if (!s) {
		print_message("skip seccomp_filter_expect_container_blamed_and_proc: no seccomp "
			      "filters here\n");
		skip();
	}
	cycles = &s->l.event[pmu_list_find(&s->l, PMU_CYCLES)];
	assert_int_equal(s->open_rc, -EPERM);
	assert_software(s, PMU_PROC);
	assert_int_equal(cycles->why, WHY_DENIED);
	assert_non_null(strstr(cycles->note, "Blocked by the container's seccomp profile"));
	assert_string_equal(s->l.note, cycles->note);
	munmap(s, sizeof(*s));
}

/* papi issue 354: an ordinary user is told by a trial, not by the level of perf_event_paranoid. */
static void ordinary_user_expect_what_the_trial_open_says(void **state)
{
	struct seen *s = look_restricted(become_nobody);

	(void)state;
	if (!s) {
		print_message("skip ordinary_user_expect_what_the_trial_open_says: needs root\n");
		skip();
	}
	assert_software(s, s->open_rc >= 0 ? PMU_SOFTWARE : PMU_PROC);
	for (unsigned i = 0; i < s->l.count; i++) {
		const struct pmu_event *ev = &s->l.event[i];

		assert_true(ev->why == WHY_OK || ev->note[0]);
		if (ev->why == WHY_OK && ev->source == PMU_HARDWARE && s->open_rc == -EACCES)
			assert_true(ev->user_only);
	}
	munmap(s, sizeof(*s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seccomp_filter_expect_container_blamed_and_proc),
		cmocka_unit_test(ordinary_user_expect_what_the_trial_open_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
