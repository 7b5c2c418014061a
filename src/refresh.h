/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the dashboard refreshes: as asked, unless a refresh takes too much of that time. Then
 * it waits longer, so that keys are answered between two, and goes back when refreshes are cheap
 * again.
 */
#ifndef HOTLINE_SRC_REFRESH_H
#define HOTLINE_SRC_REFRESH_H

#include "src/session.h"

#include <stdbool.h>
#include <stdint.h>

enum { REFRESH_COSTS = 3 };

/* Written by the functions below only. */
struct refresh {
	int timer;	/* descriptor to poll; -1 = none */
	double asked_s; /* between two refreshes, as the user asked */
	double now_s;	/* as it is: a whole multiple of asked_s */
	double cost_s[REFRESH_COSTS]; /* of the last refreshes since now_s changed, a ring */
	unsigned cost_count;	      /* ever since then */
	unsigned threads;	      /* of the trial they belong to */
	uint64_t missed; /* intervals without a sample of the history: a gap when there is one */
};

/* Opens the timer. Returns 0, or -errno, then timer is -1. */
int refresh_open(struct refresh *r, double asked_s);

void refresh_close(struct refresh *r);

/* Reads the timer. Returns the times asked_s that have passed since the last refresh; 0 = wait. */
uint64_t refresh_due(struct refresh *r);

/*
 * The interval that suits refreshes of @cost_s (time that passes, not CPU time): 10 times the cost
 * once it exceeds 25 % of @now_s, 5 s at most and never below @asked_s; a shorter one once the
 * cost allows for half of @now_s or for @asked_s. A whole multiple of @asked_s. Pure.
 */
double refresh_interval(double asked_s, double cost_s, double now_s);

/*
 * Ticks the session for a refresh that is due after @passed times asked_s. A sample of the history
 * stands for asked_s: one that covers more time is repeated, time without one becomes a gap once
 * something runs and is shown.
 */
void refresh_tick(struct refresh *r, struct session *s, uint64_t passed);

/*
 * A refresh, the frame included, has taken @cost_s. All of the last REFRESH_COSTS must suggest the
 * same, so that one that was held up by others changes nothing; with another number of threads the
 * interval is as asked until they are known. Sets the timer anew if need be; a longer interval is
 * said in @m.
 * Returns true if the interval has changed.
 */
bool refresh_took(struct refresh *r, double cost_s, struct model *m);

/*
 * Lets the calling thread have the CPU before others, where that is permitted: with a thousand busy
 * workers beside it, its fair share of one CPU is a frame in many seconds. Children do not inherit
 * it. Source: sched_setscheduler(2), SCHED_RESET_ON_FORK; sched(7), the nice value.
 */
void refresh_hurry(void);

#endif
