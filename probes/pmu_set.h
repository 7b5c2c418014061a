/* SPDX-License-Identifier: MIT */
/*
 * Counters of running threads: opened by tid from outside, read together with the times.
 *
 * Two kinds of groups, never mixed: software, hardware. The measured threads know nothing of it; a
 * read of a running thread costs it an interrupt of about 2 us.
 */
#ifndef HOTLINE_PROBES_PMU_SET_H
#define HOTLINE_PROBES_PMU_SET_H

#include "probes/err.h"
#include "probes/pmu_count.h"
#include "probes/pmu_list.h"

/* Written by the functions below only. */
struct pmu_set {
	const struct pmu_list *list;
	int pid;
	unsigned threads;
	unsigned open_count;	     /* descriptors held */
	unsigned dropped;	     /* events left out for want of descriptors */
	char note[PMU_NOTE_BYTES];   /* first thing that went wrong at opening; "" = nothing */
	struct pmu_set_thread *thread;
};

/*
 * Opens and enables all events of the list that count here, for every thread.
 * @pid, @tid, @cpu: @threads entries; cpu -1 = unpinned: on a hybrid machine one event per kind of
 * core is opened then. An event that fails for a thread has its reason in that thread's readings,
 * or is read from /proc where that has it too; the rest goes on. Descriptors: the soft limit is
 * raised, 64 are kept in reserve, optional events are dropped first, for all threads alike.
 * Returns 0 or -ENOMEM.
 * Cost: about 0.2 ms an event and thread.
 */
int pmu_set_open(struct pmu_set *s, const struct pmu_list *l, int pid, const int *tid,
		 const int *cpu, unsigned threads, struct err *e);

/*
 * Reads all. @out: threads x list->count entries, a thread's in a row, in the list's order.
 * Cost: 1 us a group and sleeping thread, about 15 us a running one; /proc: 60 us a thread.
 */
void pmu_set_read(struct pmu_set *s, struct pmu_count *out);

/* Closes all; a zeroed set is fine. */
void pmu_set_close(struct pmu_set *s);

#endif
