/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts a loop of known length on another thread, as a run does: pmu_known EVENT...
 *
 * A thread turns 20 million instructions of inline assembly between two readings. Prints a line
 * for each event: its id, the count, the instructions expected, running / enabled, the reason.
 */
#include "probes/pmu_check.h"
#include "probes/pmu_list.h"
#include "probes/pmu_set.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { TURNS = 10000000, INSTRUCTIONS = 2 * TURNS };

struct meeting {
	sem_t there, go, done, end; /* in this order; posted by worker, main, worker, main */
	int tid;                    /* since `there` */
};

static void turn(void)
{
	unsigned n = TURNS;

#if defined(__x86_64__)
	__asm__ volatile("1:\tdecl %0\n\tjnz 1b" : "+r"(n) : : "cc");
#elif defined(__aarch64__)
	__asm__ volatile("1:\tsubs %w0, %w0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#endif
}

static void *work(void *arg)
{
	struct meeting *m = arg;

	m->tid = (int)gettid();
	sem_post(&m->there);
	sem_wait(&m->go);
	turn();
	sem_post(&m->done);
	sem_wait(&m->end);
	return NULL;
}

static void print(const struct pmu_list *l, const struct pmu_count *from,
		  const struct pmu_count *to)
{
	for (unsigned i = 0; i < l->count; i++) {
		const struct pmu_delta d = pmu_delta(&from[i], &to[i]);

		printf("%s %.0f %d %.4f %s\n", l->event[i].id, d.count.v, INSTRUCTIONS,
		       pmu_delta_running(&d).v, reason_word(d.count.why));
	}
}

static int count_worker(struct pmu_list *l, struct meeting *m, struct err *e)
{
	struct pmu_count from[PMU_EVENTS], to[PMU_EVENTS];
	struct pmu_set set = {0};
	int cpu = -1, rc;

	sem_wait(&m->there);
	rc = pmu_set_open(&set, l, (int)getpid(), &m->tid, &cpu, 1, e);
	if (rc == 0) {
		pmu_set_read(&set, from);
		sem_post(&m->go);
		sem_wait(&m->done);
		pmu_set_read(&set, to);
		print(l, from, to);
	}
	pmu_set_close(&set);
	sem_post(&m->go);
	sem_post(&m->end);
	return rc;
}

int main(int argc, char **argv)
{
	static struct pmu_list l;
	struct meeting m;
	struct err e = {0};
	pthread_t thread;
	int rc = 0;

	sem_init(&m.there, 0, 0);
	sem_init(&m.go, 0, 0);
	sem_init(&m.done, 0, 0);
	sem_init(&m.end, 0, 0);
	pmu_list_init(&l, &pmu_sys_linux);
	for (int i = 1; i < argc && rc == 0; i++)
		rc = pmu_list_add_event(&l, argv[i], &e);
	if (rc == 0)
		rc = pmu_list_finish(&l, &e);
	if (rc == 0) {
		pmu_check(&l, NULL);
		rc = pthread_create(&thread, NULL, work, &m);
	}
	if (rc == 0) {
		rc = count_worker(&l, &m, &e);
		pthread_join(thread, NULL);
	}
	if (rc)
		fprintf(stderr, "pmu_known: %s\n", e.text);
	pmu_list_fini(&l);
	return rc != 0;
}
