/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The worker's side of a trial: opens, waits, runs, books.
 */
#include "src/lab/worker.h"

#include <alloca.h>
#include <ck_pr.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/slot.h"
#include "src/lab/delay.h"

enum {
	WORKER_STACK_BYTES = 256 * 1024,
	WORKER_STACK_STEPS = 256, /* places of 16 bytes a worker's frames may start at */
	WORKER_GATE_SPINS = 1000, /* then let others run: more threads than CPUs */
};

/* The clock and the delay loop, measured where they are used: on the first worker's CPU. */
static void quality_publish(struct crew *c)
{
	struct page_lab *l = &c->lab->page->lab;
	double known = c->lab->page->ctl.delay_per_ns;
	struct tick_quality q = tick_quality_measure(c->source, 0);

	l->tick_hz = q.hz;
	l->stamp_ns = q.stamp_ns;
	l->resolution_ns = q.resolution_ns;
	l->bias_ns = q.bias_ns;
	l->floor_ns = q.floor_ns;
	l->delay_per_ns = known > 0 ? known : delay_measure(c->source, q.hz);
}

/* Keeps the first error of several workers. */
static void open_failed(struct crew *c, const struct err *e)
{
	if (__atomic_fetch_add(&c->failed, 1, __ATOMIC_RELAXED) == 0)
		c->open_error = *e;
}

static void worker_open(struct crew *c, struct lab_worker *w)
{
	const struct page_ctl *ctl = &c->lab->page->ctl;
	struct err e = {0};

	w->lab = c->lab;
	w->stop = &c->lab->stop;
	w->slot = &c->lab->page->slot[w->thread];
	w->rng = rng_seed(ctl->seed, ctl->round, w->thread + 1);
	if (w->thread == 0)
		quality_publish(c);
	if (c->lab->workload->worker_open(w, &e) != 0)
		open_failed(c, &e);
}

/*
 * All threads leave together: the last one opens the gate for the others, who spin, as the parent
 * and the child did in the mail's test.
 */
static void gate_pass(struct crew *c)
{
	uint32_t n = __atomic_add_fetch(&c->arrived, 1, __ATOMIC_ACQ_REL);

	for (unsigned spins = 0; n < c->threads; spins++) {
		ck_pr_stall();
		if (spins > WORKER_GATE_SPINS)
			sched_yield();
		n = __atomic_load_n(&c->arrived, __ATOMIC_ACQUIRE);
	}
}

/* The timed part of one worker's phase. */
static void phase_run(struct crew *c, struct crew_seat *seat, struct lab_worker *w)
{
	bool measured = c->phase == PAGE_PHASE_MEASURED;
	struct page_slot *s = w->slot;

	gate_pass(c);
	seat->begin = tick_now(c->source);
	if (measured)
		__atomic_store_n(&s->begin_ticks, seat->begin, __ATOMIC_RELAXED);
	slot_state(s, measured ? PAGE_SLOT_RUNNING : PAGE_SLOT_WARMING);
	record_begin(&w->record, s, w->row[0], w->row[1], c->source, c->sample_n,
		     c->lab->page->lab.tick_hz);
	w->publish_mask = c->publish_mask;
	c->lab->run(w);
	seat->end = tick_now(c->source);
	seat->ops = w->ops;
	record_fold(&w->record);
}

/* What the kernel says of a worker, before its measured phase is counted. */
static void phase_open(const struct crew *c, struct page_slot *s)
{
	if (c->phase == PAGE_PHASE_MEASURED)
		osstat_read(getpid(), s->tid, s->cpu, &s->begin);
}

/* And after it: the slot is final. */
static void phase_close(const struct crew *c, const struct crew_seat *seat, struct page_slot *s)
{
	if (c->phase != PAGE_PHASE_MEASURED) {
		slot_state(s, PAGE_SLOT_WAITING);
		return;
	}
	osstat_read(getpid(), s->tid, s->cpu, &s->end);
	__atomic_store_n(&s->end_ticks, seat->end, __ATOMIC_RELAXED);
	slot_state(s, PAGE_SLOT_DONE);
}

static void probe_take_part(struct crew *c, unsigned thread)
{
	double hz = c->lab->page->lab.tick_hz;

	if (c->partner < 0)
		return;
	if (thread == 0)
		c->probe_ns = pingpong_lead(&c->pingpong, c->source, hz);
	else if (thread == (unsigned)c->partner)
		pingpong_follow(&c->pingpong, c->source, hz);
}

/* The steps between the barriers; phase_lead() has the main thread's side. */
static void worker_life(struct crew *c, struct crew_seat *seat)
{
	unsigned roles = c->lab->workload->role_count;
	struct lab_worker w = {.thread = seat->thread};
	struct slot_arena arena;

	slot_claim(c->lab->page, w.thread, gettid(), c->lab->page->ctl.cpu[w.thread], &arena);
	worker_open(c, &w);
	pthread_barrier_wait(&c->barrier); /* all are open, or failed is set */
	for (;;) {
		pthread_barrier_wait(&c->barrier); /* a phase is prepared, or the trial is over */
		if (c->over)
			break;
		if (slot_rows(&arena, c->phase, roles, w.row) != 0)
			abort(); /* cannot be full: it holds both phases of the most threads */
		for (unsigned i = 1; i <= roles; i++)
			__atomic_store_n(&w.row[i]->has_contended,
					 c->lab->variant->counts_contended, __ATOMIC_RELAXED);
		c->lab->workload->worker_phase(&w);
		probe_take_part(c, w.thread);
		phase_open(c, w.slot);
		pthread_barrier_wait(&c->barrier); /* the probe is over */
		pthread_barrier_wait(&c->barrier); /* the dashboard has read the counters */
		if (c->over)
			break;
		phase_run(c, seat, &w);
		if (__atomic_sub_fetch(&c->running, 1, __ATOMIC_ACQ_REL) == 0)
			kill(getpid(), CREW_ALL_DONE);
		pthread_barrier_wait(&c->barrier); /* all have left the loop */
		phase_close(c, seat, w.slot);
		probe_take_part(c, w.thread);
		pthread_barrier_wait(&c->barrier); /* the probe is over */
	}
	c->lab->workload->worker_close(&w);
}

/*
 * Starts the worker's frames at a place drawn for this round: a stack never decides a comparison.
 */
static void *worker_main(void *arg)
{
	struct crew_seat *seat = arg;
	const struct page_ctl *ctl = &seat->crew->lab->page->ctl;
	struct lab_rng rng = rng_seed(ctl->seed, ctl->round, PAGE_SLOTS + 1 + seat->thread);
	volatile char *room = alloca(16 * (1 + rng_below(&rng, WORKER_STACK_STEPS)));
	bool over;

	room[0] = 0;
	pthread_mutex_lock(&seat->crew->birth);
	over = seat->crew->over;
	pthread_mutex_unlock(&seat->crew->birth);
	if (!over)
		worker_life(seat->crew, seat);
	return NULL;
}

int worker_start(struct crew *c, unsigned i, struct err *e)
{
	int cpu = c->lab->page->ctl.cpu[i];
	size_t bytes = CPU_ALLOC_SIZE((size_t)cpu + 1);
	cpu_set_t *set = NULL;
	pthread_attr_t attr;
	int rc;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, WORKER_STACK_BYTES);
	if (cpu >= 0) {
		set = CPU_ALLOC((size_t)cpu + 1);
		if (!set)
			return err_set(e, -ENOMEM, "no memory for thread %u", i);
		CPU_ZERO_S(bytes, set);
		CPU_SET_S((size_t)cpu, bytes, set);
		pthread_attr_setaffinity_np(&attr, bytes, set);
	}
	rc = pthread_create(&c->seat[i].id, &attr, worker_main, &c->seat[i]);
	pthread_attr_destroy(&attr);
	CPU_FREE(set);
	if (rc == EINVAL && cpu >= 0)
		return err_set(
			e, -EINVAL,
			"thread %u: CPU %d may not be used (offline, or the cpuset has shrunk)", i,
			cpu);
	if (rc)
		return err_set(e, -rc, "thread %u of %u: %s (fewer threads, or a higher limit)", i,
			       c->threads, strerror(rc));
	return 0;
}
