/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lab whose locks misbehave: what the dashboard must survive. Takes the place of src/lab/table.c
 * in hotline-lab-faulty, which tests select by HOTLINE_LAB.
 *
 * After 50,000 operations of one thread: `crash` raises SIGSEGV, `hang` never comes back from its
 * acquire, `exit` ends the process with status 3. `broken` claims to exclude and does not. `fine`
 * is sound.
 */
#include <ck_spinlock.h>
#include <signal.h>
#include <unistd.h>

#include "src/lab/spinlock_op.h"
#include "src/lab/spinlock_variants.h"

enum { FAULT_AFTER_OPS = 50000 };

SPINLOCK_INLINE bool due(struct spinlock_local *me)
{
	unsigned *count = (unsigned *)(void *)me->storage;

	return ++*count == FAULT_AFTER_OPS;
}

SPINLOCK_INLINE void crash_acquire(void *lock, struct spinlock_local *me)
{
	if (due(me))
		raise(SIGSEGV);
	ck_spinlock_fas_lock(lock);
}

SPINLOCK_INLINE void hang_acquire(void *lock, struct spinlock_local *me)
{
	ck_spinlock_fas_lock(lock);
	while (due(me) || *(volatile unsigned *)(void *)me->storage > FAULT_AFTER_OPS)
		ck_pr_stall();
}

SPINLOCK_INLINE void exit_acquire(void *lock, struct spinlock_local *me)
{
	if (due(me))
		_exit(3);
	ck_spinlock_fas_lock(lock);
}

SPINLOCK_INLINE void fine_acquire(void *lock, struct spinlock_local *me)
{
	(void)me;
	ck_spinlock_fas_lock(lock);
}

SPINLOCK_INLINE void broken_acquire(void *lock, struct spinlock_local *me)
{
	(void)lock;
	(void)me;
	__asm__ __volatile__("" ::: "memory");
}

SPINLOCK_INLINE void release(void *lock, struct spinlock_local *me)
{
	(void)me;
	ck_spinlock_fas_unlock(lock);
}

static void init(void *lock)
{
	ck_spinlock_fas_init(lock);
}

static const struct spinlock_ops own = {.lock_bytes = sizeof(ck_spinlock_fas_t), .init = init};

#define LOOP_PLACE
#define LOOP_RELEASE(lock, me) release(lock, me)
#define LOOP_NAME run_crash
#define LOOP_ACQUIRE(lock, me) crash_acquire(lock, me)
#include "src/lab/spinlock_loop.h"
#undef LOOP_NAME
#undef LOOP_ACQUIRE
#define LOOP_NAME run_hang
#define LOOP_ACQUIRE(lock, me) hang_acquire(lock, me)
#include "src/lab/spinlock_loop.h"
#undef LOOP_NAME
#undef LOOP_ACQUIRE
#define LOOP_NAME run_exit
#define LOOP_ACQUIRE(lock, me) exit_acquire(lock, me)
#include "src/lab/spinlock_loop.h"
#undef LOOP_NAME
#undef LOOP_ACQUIRE
#define LOOP_NAME run_fine
#define LOOP_ACQUIRE(lock, me) fine_acquire(lock, me)
#include "src/lab/spinlock_loop.h"
#undef LOOP_NAME
#undef LOOP_ACQUIRE
#define LOOP_NAME run_broken
#define LOOP_ACQUIRE(lock, me) broken_acquire(lock, me)
#include "src/lab/spinlock_loop.h"

static const struct variant_ops fine = {.name = "fine",
					.doc = "a sound lock",
					.excludes = true,
					.run = run_fine,
					.own = &own};
static const struct variant_ops crash = {.name = "crash",
					 .doc = "raises SIGSEGV",
					 .excludes = true,
					 .run = run_crash,
					 .own = &own};
static const struct variant_ops hang = {.name = "hang",
					.doc = "never comes back",
					.excludes = true,
					.run = run_hang,
					.own = &own};
static const struct variant_ops leave = {.name = "exit",
					 .doc = "ends its process",
					 .excludes = true,
					 .run = run_exit,
					 .own = &own};
static const struct variant_ops broken = {.name = "broken",
					  .doc = "claims to exclude",
					  .excludes = true,
					  .run = run_broken,
					  .own = &own};
static const struct variant_ops absent = {.name = "absent",
					  .doc = "cannot run here",
					  .excludes = true,
					  .unsupported = "needs another CPU"};

static const struct variant_ops *const variants[] = {&fine,   &crash,  &hang, &leave,
						     &broken, &absent, NULL};
static const struct page_role roles[] = {{.name = "lock", .acquires_per_op = 1}};
static const struct lab_knob knobs[] = {
	{"hold_ns", "work inside the lock", "ns", LAB_KNOB_INT, "0", "100", 0, 1000000000, NULL,
	 NULL},
	{"think_ns", "work outside", "ns", LAB_KNOB_INT, "0", "200", 0, 1000000000, NULL, NULL},
	{"jitter", "vary the think time", "", LAB_KNOB_INT, "1", "1", 0, 1, NULL, NULL},
	{"pad", "distance to the counter", "bytes", LAB_KNOB_INT, "128", "128", 0, 4096, NULL,
	 NULL},
};

static int faulty_open(struct lab *lab, struct lab_rng *rng, struct err *e)
{
	return spinlock_workload.open(lab, rng, e);
}

static int faulty_worker_open(struct lab_worker *w, struct err *e)
{
	return spinlock_workload.worker_open(w, e);
}

static void faulty_worker_phase(struct lab_worker *w)
{
	spinlock_workload.worker_phase(w);
}

static void faulty_phase_begin(struct lab *lab)
{
	spinlock_workload.phase_begin(lab);
}

static int faulty_check(const struct lab *lab, uint64_t ops, uint64_t *expected, uint64_t *found)
{
	return spinlock_workload.check(lab, ops, expected, found);
}

static void faulty_worker_close(struct lab_worker *w)
{
	spinlock_workload.worker_close(w);
}

static void faulty_close(struct lab *lab)
{
	spinlock_workload.close(lab);
}

static const struct workload_ops faulty_workload = {
	.name = "faulty",
	.doc = "locks that misbehave, for tests",
	.op_doc = "one acquisition",
	.threads_min = 1,
	.threads_default = 2,
	.threads_max = 8,
	.place_free = true,
	.roles = roles,
	.role_count = 1,
	.knobs = knobs,
	.knob_count = sizeof(knobs) / sizeof(knobs[0]),
	.variants = variants,
	.open = faulty_open,
	.worker_open = faulty_worker_open,
	.worker_phase = faulty_worker_phase,
	.phase_begin = faulty_phase_begin,
	.check = faulty_check,
	.worker_close = faulty_worker_close,
	.close = faulty_close,
};

const struct workload_ops *const workload_table[] = {&spinlock_workload, &faulty_workload, NULL};
