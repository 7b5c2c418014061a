/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of a trial share: trial.c the process, trial_counts.c the counters, trial_cpus.c
 * CPUs that come and go.
 */
#ifndef HOTLINE_SRC_TRIAL_PARTS_H
#define HOTLINE_SRC_TRIAL_PARTS_H

#include "src/trial.h"

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
 * Once a second: which of the trial's CPUs are online. The kernel moves a worker off a CPU that
 * goes; when the CPU is back the worker is pinned to it again.
 */
void trial_cpus_tick(struct trial *t);

void trial_cpus_fini(struct trial *t);

#endif
