/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lab's timed loop against a loop written by hand, and its measuring modes against each other.
 *
 * Both run on the same pinned threads over locks of the same kind, 50 ms each, in turn (ABBA). The
 * hand-written loop does the same work: exclusion invariant, run-length compare, stop check. A pair
 * counts only if the probe before each half agrees within a quarter: virtual CPUs change their
 * distance.
 */
#include <ck_spinlock.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/slot.h"
#include "src/lab/crew.h"
#include "src/lab/pingpong.h"
#include "src/lab/spinlock.h"
#include "tests/bench.h"

enum { THREADS = 2, HALF_US = 50000 };

static const double disturbed_share = 0.02, probe_agrees = 1.25;

/* One side of a comparison. */
struct side {
	const struct variant_ops *variant;
	void (*hand)(struct lab_worker *w); /* NULL = the lab's loop */
	uint64_t sample_n;
	bool drop; /* stamps are taken, nothing is folded */
};

/* Everything the two worker threads share. Written by the main thread while they wait. */
static struct {
	struct page *page;
	struct lab lab;
	struct lab_worker *worker[THREADS];
	pthread_barrier_t barrier;
	struct pingpong *pingpong;
	void (*run)(struct lab_worker *w);
	unsigned threads; /* that take part */
	double hz, stamp_ns, probe_ns;
	uint64_t ticks[THREADS], publish_mask;
	int tid[THREADS];
	bool probing, over;
	bool disturbed; /* a worker was kept from its CPU in the last half */
} b;

/* Hand-written: what a careful person would write for one lock, with nothing around it. */
#define HAND(name, type, acquire, release)                                                   \
	static __attribute__((noinline, aligned(64))) void hand_##name(struct lab_worker *w) \
	{                                                                                    \
		struct spinlock_shared *s = w->lab->shared;                                  \
		type *lock = s->lock;                                                        \
		uint64_t *count = s->count;                                                  \
		const uint32_t *stop = w->stop;                                              \
		uint64_t ops = 0, left = 0, run = 0, runs[16] = {0};                         \
		struct spinlock_local *me = w->local;                                        \
                                                                                             \
		(void)me;                                                                    \
		do {                                                                         \
			uint64_t n;                                                          \
                                                                                             \
			acquire;                                                             \
			n = *count;                                                          \
			*count = n + 1;                                                      \
			release;                                                             \
			if (n != left) {                                                     \
				runs[run < 15 ? run : 15]++;                                 \
				run = 0;                                                     \
			}                                                                    \
			run++;                                                               \
			left = n + 1;                                                        \
			ops++;                                                               \
		} while (!__atomic_load_n(stop, __ATOMIC_RELAXED));                          \
		__asm__ __volatile__("" ::"r"(runs) : "memory");                             \
		w->ops = ops;                                                                \
	}

HAND(ttas, ck_spinlock_fas_t, ck_spinlock_fas_lock(lock), ck_spinlock_fas_unlock(lock))
HAND(ticket, ck_spinlock_ticket_t, ck_spinlock_ticket_lock(lock), ck_spinlock_ticket_unlock(lock))
HAND(mcs, ck_spinlock_mcs_t,
     ck_spinlock_mcs_lock(lock, (ck_spinlock_mcs_context_t *)(void *)me->storage),
     ck_spinlock_mcs_unlock(lock, (ck_spinlock_mcs_context_t *)(void *)me->storage))
HAND(mutex, pthread_mutex_t, pthread_mutex_lock(lock), pthread_mutex_unlock(lock))

static void *worker_main(void *arg)
{
	unsigned i = (unsigned)(uintptr_t)arg;

	b.tid[i] = gettid();
	for (;;) {
		pthread_barrier_wait(&b.barrier);
		if (b.over)
			return NULL;
		if (b.probing) {
			if (i == 0)
				b.probe_ns = pingpong_lead(b.pingpong, TICK_COUNTER, b.hz);
			else
				pingpong_follow(b.pingpong, TICK_COUNTER, b.hz);
		} else if (i < b.threads) {
			uint64_t begin = tick_now(TICK_COUNTER);

			b.run(b.worker[i]);
			b.ticks[i] = tick_now(TICK_COUNTER) - begin;
		}
		pthread_barrier_wait(&b.barrier);
	}
}

static double probe(void)
{
	memset(b.pingpong, 0, sizeof(*b.pingpong));
	b.probing = true;
	pthread_barrier_wait(&b.barrier);
	pthread_barrier_wait(&b.barrier);
	b.probing = false;
	return b.probe_ns;
}

static void record_drop(struct lab_record *r)
{
	r->fill = 0;
	r->folded_at = r->last;
}

/* Time the workers that take part were runnable but not running, ns. */
static uint64_t run_delay_ns(void)
{
	struct osstat os;
	uint64_t ns = 0;

	for (unsigned i = 0; i < b.threads; i++)
		if (osstat_read(getpid(), b.tid[i], -1, &os) == 0)
			ns += os.run_delay_ns;
	return ns;
}

/* Operations a second of both threads together, over one half. */
static double half_run(const struct side *s)
{
	struct page_row *row[2];
	uint64_t delay;
	double rate = 0;

	b.lab.variant = s->variant;
	b.lab.run = s->variant->run;
	b.lab.stop = 0;
	b.run = s->hand ? s->hand : b.lab.run;
	b.lab.workload->phase_begin(&b.lab);
	for (unsigned i = 0; i < THREADS; i++) {
		struct lab_worker *w = b.worker[i];

		row[0] = w->row[0];
		row[1] = w->row[1];
		record_begin(&w->record, w->slot, row[0], row[1], TICK_COUNTER, s->sample_n, b.hz);
		if (s->drop)
			w->record.fold = record_drop;
		w->ops = 0;
		w->publish_mask = b.publish_mask;
	}
	delay = run_delay_ns();
	pthread_barrier_wait(&b.barrier);
	usleep(HALF_US);
	__atomic_store_n(&b.lab.stop, 1, __ATOMIC_RELAXED);
	pthread_barrier_wait(&b.barrier);
	b.disturbed = (double)(run_delay_ns() - delay) > disturbed_share * HALF_US * 1e3;
	for (unsigned i = 0; i < b.threads; i++)
		rate += (double)b.worker[i]->ops * b.hz / (double)b.ticks[i];
	return rate;
}

static void variant_open(const struct variant_ops *v)
{
	struct lab_rng rng = rng_seed(42, 0, 0);
	struct err e;

	b.lab.variant = v;
	b.lab.run = v->run;
	if (b.lab.workload->open(&b.lab, &rng, &e) != 0) {
		fprintf(stderr, "bench: %s\n", e.text);
		exit(1);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		if (b.lab.workload->worker_open(b.worker[i], &e) != 0)
			exit(1);
		b.lab.workload->worker_phase(b.worker[i]);
	}
}

static void variant_close(void)
{
	for (unsigned i = 0; i < THREADS; i++)
		b.lab.workload->worker_close(b.worker[i]);
	b.lab.workload->close(&b.lab);
}

/*
 * Pairs of halves in ABBA order; pairs whose probes disagree are run again, up to three times as
 * many.
 */
static void pairs_run(struct bench_pairs *p, const struct side *x, const struct side *y,
		      unsigned pairs)
{
	p->count = 0;
	half_run(x);
	half_run(y);
	for (unsigned tries = 0; p->count < pairs && tries < 4 * pairs; tries++) {
		bool swap = tries % 2;
		double before = b.threads > 1 ? probe() : 1;
		double first = half_run(swap ? y : x);
		bool disturbed = b.disturbed;
		double between = b.threads > 1 ? probe() : 1;
		double second = half_run(swap ? x : y);

		if (disturbed || b.disturbed || before > between * probe_agrees ||
		    between > before * probe_agrees)
			continue;
		p->a[p->count] = swap ? second : first;
		p->b[p->count++] = swap ? first : second;
	}
}

/* The rate of the plain loop decides N and how often ops are published, as in a trial's warm-up. */
static double op_ns_learn(const struct side *off)
{
	double best = 0;

	b.publish_mask = 0;
	for (unsigned i = 0; i < 3; i++)
		best = fmax(best, half_run(off));
	b.publish_mask = crew_publish_mask(1e9 / best * b.threads);
	return 1e9 / best;
}

static void hand_compare(const char *name, void (*hand)(struct lab_worker *w), unsigned pairs)
{
	const struct variant_ops *v = workload_variant(b.lab.workload, name);
	struct side lab = {.variant = v}, by_hand = {.variant = v, .hand = hand};
	static struct bench_pairs p;
	struct bench_ratio self;
	char what[64], note[128];

	variant_open(v);
	op_ns_learn(&lab);
	pairs_run(&p, &lab, &lab, pairs);
	self = bench_ratio_of(&p);
	pairs_run(&p, &lab, &by_hand, pairs);
	snprintf(what, sizeof(what), "off / hand-written %s, %u thr", name, b.threads);
	snprintf(note, sizeof(note), "%u pairs, %.1f M/s; against itself %.3f [%.3f, %.3f]",
		 p.count, bench_median(p.a, p.count) / 1e6, self.median, self.low, self.high);
	bench_judge(what, bench_ratio_of(&p), 0.98, note);
	variant_close();
}

static void modes_compare(const struct variant_ops *v, unsigned pairs)
{
	struct side off = {.variant = v}, sampled = {.variant = v};
	struct side every = {.variant = v, .sample_n = 1};
	struct side stamps = {.variant = v, .sample_n = 1, .drop = true};
	static struct bench_pairs p;
	char what[64], note[160];
	double op_ns;

	variant_open(v);
	op_ns = op_ns_learn(&off);
	sampled.sample_n = crew_sample_n(op_ns, b.stamp_ns, b.threads > 1 ? probe() : 0);
	pairs_run(&p, &sampled, &off, pairs);
	op_ns = 1e9 / bench_median(p.b, p.count);
	snprintf(what, sizeof(what), "auto / off %s, %u thr", v->name, b.threads);
	snprintf(note, sizeof(note), "%u pairs, N = %llu, off %.1f M/s", p.count,
		 (unsigned long long)sampled.sample_n, 1e3 / op_ns);
	bench_judge(what, bench_ratio_of(&p), 0.97, note);
	pairs_run(&p, &every, &stamps, pairs);
	snprintf(what, sizeof(what), "every / bare stamps %s, %u thr", v->name, b.threads);
	snprintf(note, sizeof(note), "%u pairs; %.1f ns an op, three stamps of %.1f + op of %.1f",
		 p.count, 1e9 / bench_median(p.a, p.count), b.stamp_ns, op_ns);
	bench_judge(what, bench_ratio_of(&p), 0.9, note);
	variant_close();
}

static void threads_start(pthread_t *id)
{
	cpu_set_t all, one;
	int cpu = -1;

	sched_getaffinity(0, sizeof(all), &all);
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_attr_t attr;

		do
			cpu = (cpu + 1) % CPU_SETSIZE;
		while (!CPU_ISSET((size_t)cpu, &all));
		CPU_ZERO(&one);
		CPU_SET((size_t)cpu, &one);
		pthread_attr_init(&attr);
		pthread_attr_setaffinity_np(&attr, sizeof(one), &one);
		pthread_create(&id[i], &attr, worker_main, (void *)(uintptr_t)i);
		pthread_attr_destroy(&attr);
	}
}

static void bench_open(void)
{
	struct tick_quality q = tick_quality_measure(TICK_COUNTER, 0);
	struct slot_arena arena;
	struct err e;
	int fd;

	if (page_create(&fd, &b.page, &e) != 0) {
		fprintf(stderr, "bench: %s\n", e.text);
		exit(1);
	}
	b.hz = q.hz;
	b.stamp_ns = q.stamp_ns;
	b.lab.page = b.page;
	b.lab.workload = workload_find("spinlock");
	b.lab.quota = UINT64_MAX;
	b.pingpong = aligned_alloc(PAGE_LINE_PAIR, sizeof(*b.pingpong));
	for (unsigned i = 0; i < THREADS; i++) {
		struct lab_worker *w = aligned_alloc(256, 4096);

		memset(w, 0, sizeof(*w));
		slot_claim(b.page, i, 0, (int)i, &arena);
		slot_rows(&arena, PAGE_PHASE_MEASURED, 1, w->row);
		w->lab = &b.lab;
		w->stop = &b.lab.stop;
		w->slot = &b.page->slot[i];
		w->rng = rng_seed(42, 0, i);
		w->thread = i;
		b.worker[i] = w;
	}
	pthread_barrier_init(&b.barrier, NULL, THREADS + 1);
}

void bench_loops(unsigned pairs)
{
	pthread_t id[THREADS];

	if (sysconf(_SC_NPROCESSORS_ONLN) < THREADS) {
		printf("loops: skipped, they need %d CPUs\n", THREADS);
		return;
	}
	bench_open();
	threads_start(id);
	printf("# ops/s ratios, medians of pairs of %d ms; a stamp costs %.1f ns here\n",
	       HALF_US / 1000, b.stamp_ns);
	for (b.threads = 1; b.threads <= THREADS; b.threads++) {
		hand_compare("ttas", hand_ttas, pairs);
		hand_compare("ticket", hand_ticket, pairs);
		hand_compare("mcs", hand_mcs, pairs);
		hand_compare("pthread-mutex", hand_mutex, pairs);
		for (const struct variant_ops *const *v = b.lab.workload->variants; *v; v++)
			if (!(*v)->unsupported)
				modes_compare(*v, pairs);
	}
	b.over = true;
	pthread_barrier_wait(&b.barrier);
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
}
