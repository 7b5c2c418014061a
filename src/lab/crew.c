/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The main thread's side of a trial: starts the workers, leads them through the phases, ends them.
 */
#include "src/lab/crew.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "probes/value.h"
#include "src/lab/worker.h"

enum {
	CREW_WARM_SAMPLE_N = 64,     /* stamped one in N before N is known */
	CREW_WARM_MIN_NS = 10000000, /* auto needs that much to choose N */
};

static void lab_state(struct lab *lab, enum page_lab_state state)
{
	__atomic_store_n(&lab->page->lab.state, (uint32_t)state, __ATOMIC_RELEASE);
}

/* Tells the workers to leave their loops. Pairs with the relaxed load after every op. */
static void crew_stop(struct crew *c)
{
	__atomic_store_n(&c->lab->stop, 1, __ATOMIC_RELAXED);
}

uint64_t crew_sample_n(double op_ns, double stamp_ns, double handover_ns)
{
	const double share = 0.02, stamps = 3, book_ns = 25, handover_most_ns = 500;
	double cost = stamps * stamp_ns + book_ns + fmin(handover_ns, handover_most_ns);
	double n;

	if (!(op_ns > 0) || !(stamp_ns > 0))
		return CREW_WARM_SAMPLE_N;
	/* cost / (N op + cost) <= share */
	n = ceil(cost * (1 - share) / (share * op_ns));
	return n < 1 ? 1 : n > 1e6 ? 1000000 : (uint64_t)n;
}

uint64_t crew_publish_mask(double op_ns)
{
	const double late_ns = 50000;
	uint64_t mask = 0;

	while (op_ns > 0 && mask < 63 && op_ns * (double)(2 * mask + 2) <= late_ns)
		mask = 2 * mask + 1;
	return mask;
}

/* The signals the main thread waits for; blocked in all threads. */
static sigset_t crew_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, CREW_ALL_DONE);
	return set;
}

/* Waits for a signal, at most @ns (0 = for ever). Returns it, or 0 when the time is over. */
static int signal_wait(uint64_t ns)
{
	sigset_t set = crew_signals();
	uint64_t end = tick_monotonic_ns() + ns;
	int sig;

	for (;;) {
		uint64_t now = tick_monotonic_ns();
		uint64_t rest = !ns ? 3600000000000u : end > now ? end - now : 0;
		struct timespec ts = {(time_t)(rest / 1000000000u), (long)(rest % 1000000000u)};

		sig = sigtimedwait(&set, NULL, &ts);
		if (sig > 0)
			return sig;
		if (ns && errno == EAGAIN)
			return 0;
	}
}

/*
 * Rings at the dashboard and waits for its answer: it opens or reads the workers' counters. A peer
 * that is gone answers with an end of file.
 */
static void sync_point(struct crew *c, enum page_sync point)
{
	char byte = (char)point;

	if (!c->lab->page->ctl.sync)
		return;
	while (send(PAGE_SYNC_FD, &byte, 1, MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
	while (recv(PAGE_SYNC_FD, &byte, 1, 0) < 0 && errno == EINTR)
		;
}

/* True if a SIGTERM has come meanwhile; it is taken. */
static bool told_already(void)
{
	const struct timespec now = {0, 0};
	sigset_t term;

	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	return sigtimedwait(&term, NULL, &now) == SIGTERM;
}

/* Waits for the last worker, SIGTERM or the end of the time: as signal_wait(), for one phase. */
static int phase_wait(const struct crew *c, uint64_t ns)
{
	uint64_t end = tick_monotonic_ns() + ns;

	for (;;) {
		uint64_t now = tick_monotonic_ns();
		int sig = signal_wait(!ns ? 0 : end > now ? end - now : 1);

		/* Anybody may send a signal; only the last worker leaves nobody running. */
		if (sig != CREW_ALL_DONE || !__atomic_load_n(&c->running, __ATOMIC_ACQUIRE))
			return sig;
	}
}

/*
 * One phase, the main thread's side: prepares, lets run for @ns (0 = until told), collects.
 * @limit: the time is a limit, not the plan. Returns true if the trial was told to end; if that
 * was before the phase began, nothing has run and c->over is set.
 */
static bool phase_lead(struct crew *c, enum page_phase phase, uint64_t ns, bool limit)
{
	struct lab *lab = c->lab;
	bool told = false;
	int sig;

	c->phase = phase;
	__atomic_store_n(&lab->stop, 0, __ATOMIC_RELAXED);
	c->arrived = 0;
	c->running = c->threads;
	memset(&c->pingpong, 0, sizeof(c->pingpong));
	lab->workload->phase_begin(lab);
	pthread_barrier_wait(&c->barrier);
	pthread_barrier_wait(&c->barrier);
	if (phase == PAGE_PHASE_MEASURED)
		lab->page->lab.probe_before_ns = c->probe_ns;
	sync_point(c, phase == PAGE_PHASE_MEASURED ? PAGE_SYNC_MEASURED : PAGE_SYNC_WARM);
	c->over = told_already();
	pthread_barrier_wait(&c->barrier);
	if (c->over)
		return true;
	lab_state(lab, phase == PAGE_PHASE_MEASURED ? PAGE_LAB_RUNNING : PAGE_LAB_WARMING);
	sig = phase_wait(c, ns);
	if (sig != CREW_ALL_DONE) {
		told = sig == SIGTERM;
		if (limit && !told)
			lab->page->lab.limit_hit = 1;
		crew_stop(c);
		while (phase_wait(c, 0) != CREW_ALL_DONE)
			told = true;
	}
	memset(&c->pingpong, 0, sizeof(c->pingpong));
	if (phase == PAGE_PHASE_MEASURED)
		sync_point(c, PAGE_SYNC_END);
	pthread_barrier_wait(&c->barrier);
	lab_state(lab, PAGE_LAB_CHECKING);
	pthread_barrier_wait(&c->barrier);
	if (phase == PAGE_PHASE_MEASURED)
		lab->page->lab.probe_after_ns = c->probe_ns;
	return told;
}

/* Compares the protected data with the operations done. Every variant that claims to exclude. */
static void invariant_check(struct crew *c)
{
	struct page_lab *l = &c->lab->page->lab;
	uint64_t ops = 0;
	int rc;

	for (unsigned i = 0; i < c->threads; i++)
		ops += c->seat[i].ops;
	rc = c->lab->workload->check(c->lab, ops, &l->invariant_expected, &l->invariant_found);
	/* Once broken stays broken: the warm-up counts as well. */
	if (c->lab->variant->excludes && l->invariant_checked != 2)
		l->invariant_checked = rc == 0 ? 1 : 2;
}

/* Time of one operation of all threads together in the phase before, ns; 0 = there was none. */
static double op_ns(const struct crew *c)
{
	uint64_t ops = 0, ticks = 0;

	for (unsigned i = 0; i < c->threads; i++) {
		ops += c->seat[i].ops;
		if (c->seat[i].end - c->seat[i].begin > ticks)
			ticks = c->seat[i].end - c->seat[i].begin;
	}
	return ops ? (double)ticks / (double)ops * 1e9 / c->lab->page->lab.tick_hz : 0;
}

static void sample_choose(struct crew *c)
{
	struct page *p = c->lab->page;

	switch ((enum page_measure)p->ctl.measure) {
	case PAGE_MEASURE_OFF:
		c->sample_n = 0;
		break;
	case PAGE_MEASURE_EVERY:
		c->sample_n = 1;
		break;
	case PAGE_MEASURE_SAMPLED:
		c->sample_n = p->ctl.sample_n ? p->ctl.sample_n : 1;
		break;
	case PAGE_MEASURE_AUTO:
		c->sample_n = crew_sample_n(op_ns(c), p->lab.stamp_ns, c->probe_ns);
		break;
	}
	p->lab.sample_n = (uint32_t)c->sample_n;
	c->publish_mask = crew_publish_mask(op_ns(c) * c->threads);
}

/* The first worker on another CPU answers the probe. */
static void partner_choose(struct crew *c)
{
	const int32_t *cpu = c->lab->page->ctl.cpu;

	c->partner = -1;
	if (cpu[0] < 0) {
		c->lab->page->lab.probe_why = WHY_UNPINNED;
		return;
	}
	c->lab->page->lab.probe_why = WHY_UNSUPPORTED;
	for (unsigned i = 1; i < c->threads && c->partner < 0; i++)
		if (cpu[i] != cpu[0])
			c->partner = (int)i;
	if (c->partner >= 0)
		c->lab->page->lab.probe_why = WHY_LOST; /* of a probe that got no answer */
}

/* Warm-up, choice of N, measured phase, checks. */
static void crew_lead(struct crew *c)
{
	const struct page_ctl *ctl = &c->lab->page->ctl;
	uint64_t warm = ctl->warmup_ns;
	bool told = false;

	if (ctl->measure == PAGE_MEASURE_AUTO && warm < CREW_WARM_MIN_NS)
		warm = CREW_WARM_MIN_NS;
	sample_choose(c);
	c->lab->quota = UINT64_MAX;
	if (warm) {
		told = phase_lead(c, PAGE_PHASE_WARM, warm, false);
		c->lab->page->lab.told = told;
		if (c->over)
			return;
		invariant_check(c);
		sample_choose(c);
	}
	if (told)
		return;
	if (ctl->ops)
		c->lab->quota = ctl->ops;
	told = phase_lead(c, PAGE_PHASE_MEASURED, ctl->ops ? ctl->limit_ns : ctl->duration_ns,
			  ctl->ops != 0);
	c->lab->page->lab.told = told;
	if (!c->over)
		invariant_check(c);
}

/*
 * Starts all workers, or none that does anything: they wait for birth. Returns how many threads
 * exist; fewer than wanted: @e says why.
 */
static unsigned crew_start(struct crew *c, struct err *e)
{
	unsigned n = 0;

	pthread_mutex_lock(&c->birth);
	for (; n < c->threads; n++) {
		c->seat[n] = (struct crew_seat){.crew = c, .thread = n};
		if (worker_start(c, n, e) != 0)
			break;
	}
	c->over = n < c->threads;
	pthread_mutex_unlock(&c->birth);
	return n;
}

/* The whole crew is there: opens, leads, ends it. */
static int crew_work(struct crew *c, struct err *e)
{
	int rc = 0;

	pthread_barrier_wait(&c->barrier);
	if (c->failed) {
		*e = c->open_error;
		rc = e->code;
	} else {
		crew_lead(c);
	}
	if (!c->over) { /* else they have left already */
		c->over = true;
		pthread_barrier_wait(&c->barrier);
	}
	return rc;
}

static int crew_live(struct crew *c, struct err *e)
{
	unsigned born;
	int rc;

	pthread_barrier_init(&c->barrier, NULL, c->threads + 1);
	pthread_mutex_init(&c->birth, NULL);
	partner_choose(c);
	born = crew_start(c, e);
	rc = born == c->threads ? crew_work(c, e) : e->code;
	for (unsigned i = 0; i < born; i++)
		pthread_join(c->seat[i].id, NULL);
	pthread_mutex_destroy(&c->birth);
	pthread_barrier_destroy(&c->barrier);
	return rc;
}

int crew_run(struct lab *lab, struct err *e)
{
	const struct page_ctl *ctl = &lab->page->ctl;
	struct lab_rng rng = rng_seed(ctl->seed, ctl->round, 0);
	struct crew c = {.lab = lab, .threads = ctl->threads};
	sigset_t set = crew_signals();
	int rc;

	c.source = (enum tick_source)ctl->tick_source;
	c.seat = calloc(c.threads, sizeof(*c.seat));
	if (!c.seat)
		return err_set(e, -ENOMEM, "no memory for %u threads", c.threads);
	sigprocmask(SIG_BLOCK, &set, NULL);
	lab_state(lab, PAGE_LAB_STARTING);
	lab->run = lab->variant->run;
	rc = lab->workload->open(lab, &rng, e);
	if (!rc)
		rc = crew_live(&c, e);
	lab->workload->close(lab);
	free(c.seat);
	if (!rc)
		lab_state(lab, PAGE_LAB_DONE);
	return rc;
}
