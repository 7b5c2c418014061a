/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The timed loop of workload `spinlock`, compiled once per variant: a template without include
 * guard.
 *
 * The includer defines LOOP_NAME, LOOP_ACQUIRE(lock, me), LOOP_RELEASE(lock, me) and LOOP_PLACE
 * (empty, or a section attribute for code that is moved: then nothing here may refer to the outside
 * by relative address, which a test checks).
 *
 * One op, as in the mail of 2005: lock; if the counter holds what I left there, my run goes on;
 * count; unlock; leave if the quota is done. Source: C. Ebbert, linux-kernel, 14 October 2005.
 */

#define LOOP_PASTE2(a, b) a##_##b
#define LOOP_PASTE(a, b) LOOP_PASTE2(a, b)
#define LOOP_PHASE LOOP_PASTE(LOOP_NAME, phase)

/*
 * @delays is a constant at both calls: without hold and think work the loop has no trace of them.
 */
static inline __attribute__((always_inline)) void LOOP_PHASE(struct lab_worker *w,
							     const bool delays)
{
	const struct spinlock_shared *shared = w->lab->shared;
	struct spinlock_local *me = w->local;
	struct page_row *row = w->row[0];
	void *lock = shared->lock;
	uint64_t *count = shared->count;
	const uint64_t quota = w->lab->quota;
	const uint32_t *stop = w->stop;
	const uint64_t mask = w->publish_mask;
	const uint64_t hold = w->hold_loops, think = w->think_loops;
	struct lab_rng rng = w->rng;
	uint64_t ops = 0, run = 0, left = UINT64_MAX, plain, found, t0, t1, t2;

	(void)me;
	for (;;) {
		for (plain = record_plain_ops(&w->record, &rng); plain; plain--) {
			LOOP_ACQUIRE(lock, me);
			spinlock_count(count, &found, &left);
			if (delays)
				delay_loops(hold);
			LOOP_RELEASE(lock, me);
			if (spinlock_booked(row, found, left, &run, &ops, mask) >= quota ||
			    spinlock_stopped(stop))
				goto out;
			if (delays)
				spinlock_think(think, w->think_jitter, &rng);
		}
		t0 = record_now(&w->record);
		LOOP_ACQUIRE(lock, me);
		t1 = record_now(&w->record);
		spinlock_count(count, &found, &left);
		if (delays)
			delay_loops(hold);
		LOOP_RELEASE(lock, me);
		t2 = record_now(&w->record);
		record_put(&w->record, t0, t1, t2);
		if (spinlock_booked(row, found, left, &run, &ops, mask) >= quota ||
		    spinlock_stopped(stop))
			goto out;
		if (delays)
			spinlock_think(think, w->think_jitter, &rng);
	}
out:
	hist_add(&row->b, run);
	slot_ops(row, ops);
	w->ops = ops;
	w->rng = rng;
}

/* Both loops of the variant; 64-byte aligned, so that placement is the same in every build. */
static __attribute__((noinline, used, aligned(64))) LOOP_PLACE void LOOP_NAME(struct lab_worker *w)
{
	if (w->hold_loops | w->think_loops)
		LOOP_PHASE(w, true);
	else
		LOOP_PHASE(w, false);
}

#undef LOOP_PHASE
#undef LOOP_PASTE
#undef LOOP_PASTE2
