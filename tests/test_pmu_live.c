/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of this machine, whatever it has: the real kernel, its threads, its multiplexing.
 */
#include "probes/pmu_set.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "probes/pmu_check.h"
#include "tests/fake_pmu.h"

enum { SLEEPS = 10, PAGES = 64, PAGE_BYTES = 4096, BURN_NS = 20000000 };

/* A thread that sleeps and faults a known number of times. */
struct sleeper {
	pthread_t thread;
	sem_t ready, go, done, end;
	int tid;
};

static void *sleeper_run(void *arg)
{
	struct sleeper *s = arg;
	const struct timespec ms = {.tv_nsec = 1000000};
	char *area;

	s->tid = gettid();
	sem_post(&s->ready);
	sem_wait(&s->go);
	for (int i = 0; i < SLEEPS; i++)
		nanosleep(&ms, NULL);
	area = mmap(NULL, PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	if (area != MAP_FAILED) {
		madvise(area, PAGES * PAGE_BYTES, MADV_NOHUGEPAGE);
		for (int i = 0; i < PAGES; i++)
			area[i * PAGE_BYTES] = 1;
		munmap(area, PAGES * PAGE_BYTES);
	}
	sem_post(&s->done);
	sem_wait(&s->end);
	return NULL;
}

static void sleeper_start(struct sleeper *s)
{
	sem_init(&s->ready, 0, 0);
	sem_init(&s->go, 0, 0);
	sem_init(&s->done, 0, 0);
	sem_init(&s->end, 0, 0);
	assert_int_equal(pthread_create(&s->thread, NULL, sleeper_run, s), 0);
	sem_wait(&s->ready);
}

static void sleeper_end(struct sleeper *s)
{
	sem_post(&s->end);
	pthread_join(s->thread, NULL);
	/* Joined is not gone: the kernel takes a moment to bury it. */
	while (tgkill(getpid(), s->tid, 0) == 0)
		sched_yield();
}

/* The software events of this machine; false if perf_event_open is denied. */
static bool software_list(struct pmu_list *l)
{
	struct err e = {0};

	pmu_list_init(l, &pmu_sys_linux);
	assert_int_equal(pmu_list_finish(l, &e), 0);
	pmu_check(l, NULL);
	return l->event[pmu_list_find(l, PMU_SWITCHES)].source == PMU_SOFTWARE;
}

static struct pmu_delta change(const struct pmu_list *l, const struct pmu_count *from,
			       const struct pmu_count *to, enum pmu_role role)
{
	int i = pmu_list_find(l, role);

	assert_true(i >= 0);
	return pmu_delta(&from[i], &to[i]);
}

/* What a sleeper did, as @l counts it. */
static void assert_sleeper_counted(const struct pmu_list *l)
{
	struct sleeper s;
	struct pmu_set set;
	struct pmu_count from[PMU_EVENTS], to[PMU_EVENTS];
	struct pmu_delta d;
	const int any = -1;

	sleeper_start(&s);
	assert_int_equal(pmu_set_open(&set, l, getpid(), &s.tid, &any, 1, NULL), 0);
	assert_string_equal(set.note, "");
	pmu_set_read(&set, from);
	sem_post(&s.go);
	sem_wait(&s.done);
	pmu_set_read(&set, to);
	sleeper_end(&s);
	pmu_set_close(&set);
	d = change(l, from, to, PMU_SWITCHES);
	assert_int_equal(d.count.why, WHY_OK);
	assert_true(d.count.v >= SLEEPS && d.count.v < 1000 * SLEEPS);
	d = change(l, from, to, PMU_FAULTS);
	assert_int_equal(d.count.why, WHY_OK);
	assert_true(d.count.v >= PAGES && d.count.v < 100 * PAGES);
	d = change(l, from, to, PMU_TASK_CLOCK);
	assert_int_equal(d.count.why, WHY_OK);
	assert_true(d.count.v > 1000 && d.count.v < 10e9);
	assert_true(pmu_delta_running(&d).v == 1);
	d = change(l, from, to, PMU_MIGRATIONS);
	assert_true(d.count.why == WHY_UNSUPPORTED || d.count.v < 1000);
}

static void thread_that_sleeps_expect_its_switches_by_perf(void **state)
{
	struct pmu_list l;
	bool open = software_list(&l);

	(void)state;
	if (open)
		assert_sleeper_counted(&l);
	pmu_list_fini(&l);
	if (!open) {
		print_message("skip thread_that_sleeps_expect_its_switches_by_perf: "
			      "perf_event_open is denied here\n");
		skip();
	}
}

static void thread_that_sleeps_expect_its_switches_by_proc(void **state)
{
	struct pmu_list l;

	(void)state;
	software_list(&l);
	for (unsigned i = 0; i < l.count; i++)
		l.event[i].source = PMU_PROC;
	assert_sleeper_counted(&l);
	pmu_list_fini(&l);
}

static void thread_that_ended_expect_lost(void **state)
{
	struct pmu_list l;
	struct pmu_set set;
	struct pmu_count c[PMU_EVENTS];
	struct sleeper s;
	const int any = -1;

	(void)state;
	software_list(&l);
	sleeper_start(&s);
	sem_post(&s.go);
	sleeper_end(&s);
	assert_int_equal(pmu_set_open(&set, &l, getpid(), &s.tid, &any, 1, NULL), 0);
	pmu_set_read(&set, c);
	for (unsigned i = 0; i < l.count; i++)
		assert_int_equal(c[i].why, WHY_LOST);
	assert_int_equal(set.open_count, 0);
	pmu_set_close(&set);
	pmu_list_fini(&l);
}

/* nanobench issue 106, here: whatever is missing has its reason, the rest counts. */
static void preset_on_this_machine_expect_count_or_reason_for_all(void **state)
{
	struct pmu_list l;
	struct pmu_checked c[PMU_EVENTS];
	bool hardware = false;
	struct err e = {0};

	(void)state;
	pmu_list_init(&l, &pmu_sys_linux);
	assert_int_equal(pmu_list_add_preset(&l, pmu_preset_find("contention"), &e), 0);
	assert_int_equal(pmu_list_finish(&l, &e), 0);
	pmu_check(&l, c);
	for (unsigned i = 0; i < l.count; i++) {
		const struct pmu_event *ev = &l.event[i];

		assert_int_equal(ev->why == WHY_OK, value_known(c[i].count));
		assert_true(ev->why == WHY_OK || ev->note[0]);
		if (ev->source == PMU_HARDWARE && ev->why == WHY_OK)
			hardware = true;
		if (ev->role == PMU_SWITCHES || ev->role == PMU_FAULTS)
			assert_int_equal(ev->why, WHY_OK);
	}
	assert_true(hardware || l.note[0]);
	if (!l.host.core_count)
		assert_false(hardware);
	pmu_list_fini(&l);
}

/* Counts on one CPU only, wherever the thread runs: running < enabled on any machine. */
static int open_on_cpu(void *ctx, struct perf_event_attr *attr, int tid, int cpu, int group)
{
	(void)cpu;
	return pmu_sys_linux.open(NULL, attr, tid, *(int *)ctx, group);
}

static void burn(int cpu)
{
	struct timespec from, now;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - from.tv_sec) * 1000000000 + now.tv_nsec - from.tv_nsec < BURN_NS);
}

/* The readings before, after a burn on cpu[0], after another on cpu[1], where it counts. */
static void burn_and_read(struct pmu_list *l, int *cpu, struct pmu_count c[3][PMU_EVENTS])
{
	struct pmu_sys sys = pmu_sys_linux;
	const int self = gettid(), any = -1;
	struct pmu_set set;

	sys.ctx = &cpu[1];
	sys.open = open_on_cpu;
	l->sys = &sys;
	assert_int_equal(pmu_set_open(&set, l, getpid(), &self, &any, 1, NULL), 0);
	pmu_set_read(&set, c[0]);
	burn(cpu[0]);
	pmu_set_read(&set, c[1]);
	burn(cpu[1]);
	pmu_set_read(&set, c[2]);
	pmu_set_close(&set);
	l->sys = &pmu_sys_linux;
}

static void counter_away_half_the_time_expect_scaled_and_never_run(void **state)
{
	struct pmu_list l;
	struct pmu_count c[3][PMU_EVENTS];
	struct pmu_delta d;
	cpu_set_t before;
	int cpu[2], n = 0;
	bool open = software_list(&l);

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	for (int i = 0; i < CPU_SETSIZE && n < 2; i++) {
		if (CPU_ISSET((size_t)i, &before))
			cpu[n++] = i;
	}
	if (!open || n < 2) {
		print_message("skip counter_away_half_the_time_expect_scaled_and_never_run: needs "
			      "two CPUs and perf_event_open\n");
		pmu_list_fini(&l);
		skip();
	}
	burn(cpu[0]);
	burn_and_read(&l, cpu, c);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
	/* cadvisor issue 2629: enabled, and never running. */
	d = change(&l, c[0], c[1], PMU_TASK_CLOCK);
	assert_int_equal(d.count.why, WHY_NOT_SCHEDULED);
	d = change(&l, c[0], c[2], PMU_TASK_CLOCK);
	assert_int_equal(d.count.why, WHY_SCALED);
	assert_in_range((uint64_t)(pmu_delta_running(&d).v * 1000), 50, 950);
	/* It burned all the time: scaled, the clock is the time enabled. */
	assert_true(d.count.v > d.enabled_ns / 2 && d.count.v < d.enabled_ns * 2);
	pmu_list_fini(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thread_that_sleeps_expect_its_switches_by_perf),
		cmocka_unit_test(thread_that_sleeps_expect_its_switches_by_proc),
		cmocka_unit_test(thread_that_ended_expect_lost),
		cmocka_unit_test(preset_on_this_machine_expect_count_or_reason_for_all),
		cmocka_unit_test(counter_away_half_the_time_expect_scaled_and_never_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
