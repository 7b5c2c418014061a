/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The timer of the dashboard and what its interval is.
 */
#include "src/refresh.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

static const double share_max = 0.25;    /* of the interval, spent in a refresh */
static const double longest_s = 5;       /* unless the user asks for more */
static const double intervals_cost = 10; /* interval / cost that is aimed at */

static int timer_set(int fd, double interval_s)
{
	struct itimerspec it = {0};

	it.it_interval.tv_sec = (time_t)interval_s;
	it.it_interval.tv_nsec = (long)((interval_s - (double)it.it_interval.tv_sec) * 1e9);
	it.it_value = it.it_interval;
	return timerfd_settime(fd, 0, &it, NULL) == 0 ? 0 : -errno;
}

int refresh_open(struct refresh *r, double asked_s)
{
	int rc;

	*r = (struct refresh){.asked_s = asked_s, .now_s = asked_s};
	r->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (r->timer < 0)
		return -errno;
	rc = timer_set(r->timer, asked_s);
	if (rc)
		refresh_close(r);
	return rc;
}

void refresh_close(struct refresh *r)
{
	if (r->timer >= 0)
		close(r->timer);
	r->timer = -1;
}

uint64_t refresh_due(struct refresh *r)
{
	uint64_t ticks;

	if (read(r->timer, &ticks, sizeof(ticks)) != sizeof(ticks))
		return 0;
	return ticks * (uint64_t)llround(r->now_s / r->asked_s);
}

double refresh_interval(double asked_s, double cost_s, double now_s)
{
	double longest = fmax(floor(longest_s / asked_s), 1);
	double wanted = fmax(ceil(cost_s * intervals_cost / asked_s - 1e-9), 1);
	double next_s = fmin(wanted, longest) * asked_s;

	if (cost_s > now_s * share_max)
		return fmax(next_s, now_s);
	return next_s <= now_s / 2 || wanted <= 1 ? next_s : now_s;
}

void refresh_tick(struct refresh *r, struct session *s, uint64_t passed)
{
	struct model *m = s->model;
	uint64_t before;

	/* More than is kept is as good as all of it. */
	passed = passed < MODEL_HISTORY ? passed : MODEL_HISTORY;
	if (r->missed && s->have_trial && !s->frozen) {
		model_gap(m, (unsigned)r->missed);
		r->missed = 0;
	}
	before = m->sample_count;
	m->plan.interval_s = r->now_s; /* how far apart samples and windows may be */
	session_tick(s, true);
	if (m->sample_count == before + 1)
		model_repeat(m, (unsigned)passed);
	else if (m->sample_count == before && m->trial)
		r->missed = r->missed + passed < MODEL_HISTORY ? r->missed + passed : MODEL_HISTORY;
}

/* What the last refreshes suggest: the cheapest of them if slower, the dearest if faster. */
static double interval_wanted(const struct refresh *r, double *least_s)
{
	double most_s = r->cost_s[0], slower, faster;

	*least_s = r->cost_s[0];
	for (unsigned i = 1; i < REFRESH_COSTS; i++) {
		*least_s = fmin(*least_s, r->cost_s[i]);
		most_s = fmax(most_s, r->cost_s[i]);
	}
	slower = refresh_interval(r->asked_s, *least_s, r->now_s);
	faster = refresh_interval(r->asked_s, most_s, r->now_s);
	return slower > r->now_s ? slower : fmin(faster, r->now_s);
}

bool refresh_took(struct refresh *r, double cost_s, struct model *m)
{
	double next_s = r->now_s, least_s = cost_s;
	bool seconds;

	if (r->threads != m->config.threads) {
		r->cost_count = 0;
		next_s = r->asked_s;
	}
	r->threads = m->config.threads;
	r->cost_s[r->cost_count++ % REFRESH_COSTS] = cost_s;
	if (r->cost_count >= REFRESH_COSTS)
		next_s = interval_wanted(r, &least_s);
	if (next_s == r->now_s || timer_set(r->timer, next_s) != 0)
		return false;
	seconds = least_s >= 1;
	if (next_s > r->now_s)
		model_say(m, MODEL_NOTE,
			  "refresh slowed to %.3g s: one takes %.3g %s with %u threads", next_s,
			  seconds ? least_s : least_s * 1e3, seconds ? "s" : "ms", r->threads);
	r->now_s = next_s;
	r->cost_count = 0;
	return true;
}

void refresh_hurry(void)
{
	struct sched_param none = {0};

	/* Without the reset a lab would inherit it, and nothing be gained. */
	if (sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &none) == 0)
		setpriority(PRIO_PROCESS, 0, -20);
}
