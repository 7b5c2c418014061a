/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A worker of the crew: one pinned thread and its way through the phases.
 */
#ifndef HOTLINE_LAB_WORKER_H
#define HOTLINE_LAB_WORKER_H

#include "src/lab/pingpong.h"
#include "src/lab/workload.h"

#include <pthread.h>
#include <signal.h>

#define CREW_ALL_DONE SIGUSR1 /* the last worker tells the main thread */

/*
 * One worker's place in the crew. Written by the main thread before, by the worker after a phase.
 */
struct crew_seat {
	struct crew *crew;
	unsigned thread;
	pthread_t id;
	uint64_t begin, end; /* ticks of the last phase */
	uint64_t ops;	     /* done in it */
};

/* Written by the main thread while the workers wait, except where noted. */
struct crew {
	struct lab *lab;
	unsigned threads;
	enum tick_source source;
	struct crew_seat *seat;
	pthread_barrier_t barrier; /* all workers and the main thread */
	pthread_mutex_t birth;	   /* held until all workers exist, or over is set */
	struct pingpong pingpong;
	int partner;		   /* worker that answers worker 0's probe; -1 = no probe */
	double probe_ns;	   /* written by worker 0 */
	enum page_phase phase;
	uint64_t sample_n, publish_mask;
	bool over;		   /* the trial is to end */
	struct err open_error;	   /* written by the first worker that failed */
	uint32_t failed;	   /* atomic: workers that could not open */
	uint32_t running;	   /* atomic: workers still in the loop */
	uint32_t arrived __attribute__((aligned(PAGE_LINE_PAIR))); /* atomic: at the start gate */
	char pad[PAGE_LINE_PAIR - sizeof(uint32_t)];
};

/*
 * Starts worker @i on its CPU; it waits at the barrier until all are there.
 * Errors: -EINVAL (a CPU that may not be used), -EAGAIN (no more threads), -ENOMEM.
 * Threads: the main thread.
 */
int worker_start(struct crew *c, unsigned i, struct err *e);

#endif
