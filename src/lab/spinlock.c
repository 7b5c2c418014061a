/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workload `spinlock`: the i386 spinlock experiment of October 2005, on any lock.
 *
 * Two threads by default fight over one lock that protects one counter. The layout (where in its
 * pages the lock lies) is drawn anew for every round from seed and round.
 * Source: C. Ebbert's patch and test, linux-kernel, 14 October 2005, and I. Molnar's answer.
 */
#include "src/lab/spinlock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/lab/spinlock_variants.h"

enum {
	SPINLOCK_MAP_BYTES = 1 << 20,
	SPINLOCK_LAYOUT_STEPS = 4096, /* places of 128 bytes the lock may start at */
};

static const struct page_role roles[] = {{.name = "lock", .acquires_per_op = 1}};

static const struct lab_knob knobs[] = {
	{"hold_ns", "work inside the lock, beyond the counter", "ns", LAB_KNOB_INT, "0", "100", 0,
	 1000000000, NULL, NULL},
	{"think_ns", "work between unlock and the next lock", "ns", LAB_KNOB_INT, "0", "200", 0,
	 1000000000, NULL, NULL},
	{"jitter", "think time uniform in 50..150 % instead of constant", "", LAB_KNOB_INT, "1",
	 "1", 0, 1, NULL, NULL},
	{"pad", "distance from the lock to the protected counter; 0 = right behind it", "bytes",
	 LAB_KNOB_INT, "128", "128", 0, 4096, NULL, NULL},
	{"width", "size of the lock word", "bits", LAB_KNOB_CHOICE, "32", "32", 0, 0, "32|8",
	 "old,new,old-xchg,new-xchg"},
	{"pause", "pause instruction in the waiting loop", "", LAB_KNOB_INT, "1", "1", 0, 1, NULL,
	 "old,new,old-xchg,new-xchg"},
	{"code_offset", "where in its 64-byte line the loop's code begins", "bytes", LAB_KNOB_INT,
	 "0", "0", 0, 63, NULL, "old,new,old-xchg,new-xchg"},
};

static size_t align_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

/* Copies the template that the knobs choose to an executable page at code_offset. */
static int code_place(struct lab *lab, struct spinlock_shared *s, const struct spinlock_ops *ops,
		      struct err *e)
{
	bool narrow = lab_knob_int(lab, "width") == 8;
	const struct lab_code *c = &ops->code[narrow][lab_knob_int(lab, "pause") == 0];
	size_t offset = (size_t)lab_knob_int(lab, "code_offset");
	size_t bytes = (size_t)(c->stop - c->start);
	uintptr_t entry;

	if (narrow && lab->page->ctl.threads > 127)
		return err_set(e, -EINVAL,
			       "knob width=8: %u threads overflow an 8-bit lock word (at most 127)",
			       lab->page->ctl.threads);
	s->code_bytes = align_up(bytes + offset, (size_t)sysconf(_SC_PAGESIZE));
	s->code = mmap(NULL, s->code_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);
	if (s->code == MAP_FAILED) {
		s->code = NULL;
		return err_set(e, -errno, "mmap of %zu bytes for the loop: %s", s->code_bytes,
			       strerror(errno));
	}
	memcpy((char *)s->code + offset, c->start, bytes);
	if (mprotect(s->code, s->code_bytes, PROT_READ | PROT_EXEC) != 0)
		return err_set(
			e, -errno,
			"mprotect(exec) of the copied loop: %s (a security module forbids new "
			"code: take another variant)",
			strerror(errno));
	entry = (uintptr_t)s->code + offset + ((uintptr_t)c->run - (uintptr_t)c->start);
	lab->run = (void (*)(struct lab_worker *))entry;
	return 0;
}

static int spinlock_open(struct lab *lab, struct lab_rng *rng, struct err *e)
{
	const struct spinlock_ops *ops = lab->variant->own;
	struct spinlock_shared *s = calloc(1, sizeof(*s));
	size_t pad = (size_t)lab_knob_int(lab, "pad");

	if (!s)
		return err_set(e, -ENOMEM, "no memory for the shared data");
	lab->shared = s;
	s->map_bytes = SPINLOCK_MAP_BYTES;
	s->map = mmap(NULL, s->map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		      0);
	if (s->map == MAP_FAILED) {
		s->map = NULL;
		return err_set(e, -errno, "mmap of the shared data: %s", strerror(errno));
	}
	s->lock = (char *)s->map + PAGE_LINE_PAIR * rng_below(rng, SPINLOCK_LAYOUT_STEPS);
	if (pad < ops->lock_bytes)
		pad = ops->lock_bytes;
	s->count = (uint64_t *)(void *)((char *)s->lock + align_up(pad, sizeof(uint64_t)));
	ops->init(s->lock);
	if (ops->code)
		return code_place(lab, s, ops, e);
	return 0;
}

static void spinlock_close(struct lab *lab)
{
	struct spinlock_shared *s = lab->shared;

	if (!s)
		return;
	if (s->code)
		munmap(s->code, s->code_bytes);
	if (s->map)
		munmap(s->map, s->map_bytes);
	free(s);
	lab->shared = NULL;
}

static int spinlock_worker_open(struct lab_worker *w, struct err *e)
{
	const struct spinlock_ops *ops = w->lab->variant->own;
	struct spinlock_local *me = aligned_alloc(_Alignof(struct spinlock_local), sizeof(*me));

	if (!me)
		return err_set(e, -ENOMEM, "no memory for thread %u", w->thread);
	memset(me, 0, sizeof(*me));
	w->local = me;
	if (ops->local_init)
		ops->local_init(me);
	return 0;
}

static void spinlock_worker_phase(struct lab_worker *w)
{
	struct spinlock_local *me = w->local;
	double per_ns = w->lab->page->lab.delay_per_ns;

	me->lock_row = w->row[1];
	w->hold_loops = (uint64_t)((double)lab_knob_int(w->lab, "hold_ns") * per_ns + 0.5);
	w->think_loops = (uint64_t)((double)lab_knob_int(w->lab, "think_ns") * per_ns + 0.5);
	w->think_jitter = lab_knob_int(w->lab, "jitter") != 0;
}

static void spinlock_worker_close(struct lab_worker *w)
{
	free(w->local);
	w->local = NULL;
}

static void spinlock_phase_begin(struct lab *lab)
{
	struct spinlock_shared *s = lab->shared;

	__atomic_store_n(s->count, 0, __ATOMIC_RELAXED);
}

static int spinlock_check(const struct lab *lab, uint64_t ops, uint64_t *expected, uint64_t *found)
{
	const struct spinlock_shared *s = lab->shared;

	*expected = ops;
	*found = __atomic_load_n(s->count, __ATOMIC_RELAXED);
	return *found == *expected ? 0 : -EILSEQ;
}

static const struct variant_ops *const variants[] = {
	&spinlock_old, &spinlock_new,          &spinlock_old_xchg,      &spinlock_new_xchg,
#if !defined(__x86_64__)
	&spinlock_dec,
#endif
	&spinlock_tas, &spinlock_ttas,         &spinlock_ticket,        &spinlock_mcs,
	&spinlock_clh, &spinlock_pthread_spin, &spinlock_pthread_mutex, &spinlock_null,
	NULL,
};

const struct workload_ops spinlock_workload = {
	.name = "spinlock",
	.doc = "two i386 spinlock sequences of 2005, and today's locks, fighting for one counter",
	.op_doc = "one acquisition of the lock",
	.threads_min = 1,
	.threads_default = 2,
	.threads_max = PAGE_SLOTS,
	.place_free = true,
	.roles = roles,
	.role_count = 1,
	.knobs = knobs,
	.knob_count = sizeof(knobs) / sizeof(knobs[0]),
	.variants = variants,
	.open = spinlock_open,
	.worker_open = spinlock_worker_open,
	.worker_phase = spinlock_worker_phase,
	.phase_begin = spinlock_phase_begin,
	.check = spinlock_check,
	.worker_close = spinlock_worker_close,
	.close = spinlock_close,
};
