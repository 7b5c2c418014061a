/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of a trial share: trial.c the process, trial_watch.c the watchdog, trial_counts.c
 * the counters, trial_cpus.c CPUs that come and go.
 */
#ifndef HOTLINE_SRC_TRIAL_PARTS_H
#define HOTLINE_SRC_TRIAL_PARTS_H

#include "src/trial.h"

static inline const struct snap *trial_newest(const struct trial *t)
{
	return &t->snap[t->cur];
}

/*
 * The trial has failed: @what, and the thread that is behind all others, as one sentence in @e.
 * Returns -EIO.
 */
int trial_failed(struct trial *t, struct err *e, const char *what);

/* One look of the watchdog at a lab that lives. */
void trial_watch(struct trial *t, struct err *e);

/* Room for readings. Returns 0 or -ENOMEM. */
int trial_counts_init(struct trial *t);

/*
 * The two ends of the bell: t->sync_fd and @child_fd for the child; none if nothing is counted.
 * Errors: those of socketpair(2).
 */
int trial_sync_open(struct trial *t, int *child_fd, struct err *e);

/*
 * Answers the lab's bell (opens the counters, reads them at the ends of the measured phase), and
 * gives the newest snapshot its counts.
 */
void trial_counts_tick(struct trial *t);

/* The readings at the end of the phase, or the newest; NULL = none yet. */
const struct pmu_count *trial_counts_newest(const struct trial *t);

/* Closes the counters. */
void trial_counts_fini(struct trial *t);

/* Room for flags. Returns 0 or -ENOMEM. */
int trial_cpus_init(struct trial *t);

/*
 * Which of the trial's CPUs are online. The kernel moves a worker off a CPU that goes; when the CPU
 * is back, or was away between two looks, the worker is pinned to it again.
 */
void trial_cpus_look(struct trial *t);

/* The same once a second. */
void trial_cpus_tick(struct trial *t);

void trial_cpus_fini(struct trial *t);

#endif
