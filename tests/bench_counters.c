/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What reading the counters of running threads costs those threads.
 *
 * At 4 reads a second the loss drowns in noise, so it is measured at READS_HZ and divided: rounds
 * with and without reads in turn, the loss a read from their ratio.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "probes/pmu_check.h"
#include "probes/pmu_set.h"
#include "probes/tick.h"
#include "tests/bench.h"

enum { THREADS = 2, READS_HZ = 2000, ROUND_MS = 50, DASHBOARD_HZ = 4 };

/* One worker that counts its turns. Written by it, read when it waits. */
struct spinner {
	pthread_t id;
	int cpu;
	int tid;        /* atomic: 0 until it runs */
	int over;       /* atomic */
	uint64_t turns; /* atomic */
} __attribute__((aligned(128)));

static void *spin(void *arg)
{
	struct spinner *s = arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)s->cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	__atomic_store_n(&s->tid, (int)gettid(), __ATOMIC_RELEASE);
	while (!__atomic_load_n(&s->over, __ATOMIC_RELAXED))
		__atomic_store_n(&s->turns, s->turns + 1, __ATOMIC_RELAXED);
	return NULL;
}

static int cpu_nth(unsigned n)
{
	cpu_set_t set;
	unsigned seen = 0;

	sched_getaffinity(0, sizeof(set), &set);
	for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set) && seen++ == n % (unsigned)CPU_COUNT(&set))
			return (int)cpu;
	return 0;
}

static void sleep_ns(long ns)
{
	struct timespec ts = {0, ns};

	nanosleep(&ts, NULL);
}

/* Turns of both workers in one round; @set: read READS_HZ times a second, NULL = wake up only. */
static double round_turns(struct spinner *s, struct pmu_set *set, struct pmu_count *out)
{
	uint64_t begin = tick_monotonic_ns(), turns = 0;

	for (unsigned i = 0; i < THREADS; i++)
		turns -= __atomic_load_n(&s[i].turns, __ATOMIC_RELAXED);
	while (tick_monotonic_ns() - begin < ROUND_MS * 1000000ull) {
		sleep_ns(1000000000 / READS_HZ);
		if (set)
			pmu_set_read(set, out);
	}
	for (unsigned i = 0; i < THREADS; i++)
		turns += __atomic_load_n(&s[i].turns, __ATOMIC_RELAXED);
	return (double)turns * 1e9 / (double)(tick_monotonic_ns() - begin);
}

/* Eight events: software alone where there is no PMU. */
static unsigned list_make(struct pmu_list *l)
{
	static const char *const more[] = {"cycles",       "instructions",   "cache-misses",
					   "bus-cycles",   "cpu-clock",      "minor-faults",
					   "major-faults", "cgroup-switches"};
	unsigned counting = 0;

	pmu_list_init(l, &pmu_sys_linux);
	for (unsigned i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		pmu_list_add_event(l, more[i], NULL);
	pmu_list_finish(l, NULL);
	pmu_check(l, NULL);
	for (unsigned i = 0; i < l->count; i++)
		counting += l->event[i].why == WHY_OK;
	return counting;
}

void bench_counters(unsigned pairs)
{
	static struct pmu_count out[THREADS * PMU_EVENTS];
	static struct spinner s[THREADS];
	static struct bench_pairs p;
	int tid[THREADS], cpu[THREADS];
	struct bench_ratio r;
	struct pmu_list list;
	struct pmu_set set;
	char note[96];
	double loss;

	memset(s, 0, sizeof(s));
	for (unsigned i = 0; i < THREADS; i++) {
		s[i].cpu = cpu[i] = cpu_nth(i);
		if (pthread_create(&s[i].id, NULL, spin, &s[i]) != 0)
			exit(1);
		while (!(tid[i] = __atomic_load_n(&s[i].tid, __ATOMIC_ACQUIRE)))
			sleep_ns(100000);
	}
	snprintf(note, sizeof(note), "%u events count here", list_make(&list));
	if (pmu_set_open(&set, &list, getpid(), tid, cpu, THREADS, NULL) != 0)
		exit(1);
	for (p.count = 0; p.count < pairs; p.count++) {
		p.a[p.count] = round_turns(s, &set, out);
		p.b[p.count] = round_turns(s, NULL, out);
	}
	r = bench_ratio_of(&p);
	loss = 1 - r.median;
	printf("counters: read %d times a second, turns %.4f [%.4f, %.4f] of those without reads\n",
	       READS_HZ, r.median, r.low, r.high);
	bench_at_most("counter reads, 2 threads at 4 Hz",
		      100 * (loss > 0 ? loss : 0) * DASHBOARD_HZ / READS_HZ, 0.1,
		      "% of the workers' time", note);
	pmu_set_close(&set);
	pmu_list_fini(&list);
	for (unsigned i = 0; i < THREADS; i++) {
		__atomic_store_n(&s[i].over, 1, __ATOMIC_RELAXED);
		pthread_join(s[i].id, NULL);
	}
}
