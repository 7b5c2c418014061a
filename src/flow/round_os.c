/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel says of the workers of a round: CPU time, switches, delays, steal.
 */
#include "src/flow/round_parts.h"

/* End minus begin of a counter that only grows; backwards = lost. */
static double grown(uint64_t begin, uint64_t end, bool *lost)
{
	if (end < begin)
		*lost = true;
	return end >= begin ? (double)(end - begin) : 0;
}

static struct value unless(bool lost, bool unsupported, double v)
{
	if (unsupported)
		return value_missing(WHY_UNSUPPORTED);
	return lost ? value_missing(WHY_LOST) : value_of(v);
}

/* What the kernel says of the threads; @worst_delay: largest share of a worker's time. */
void round_os_make(struct round *r, const struct round_input *in, double *worst_delay)
{
	const struct snap *s = in->snap;
	double user = 0, sys = 0, switches = 0, involuntary = 0, migrations = 0, delay = 0;
	double steal = 0;
	bool lost = false, no_migrations = false, no_delay = false, have = r->thread_count > 0;

	for (unsigned i = 0; i < s->thread_count; i++) {
		const struct snap_thread *t = &s->thread[i];
		const struct osstat *b = &t->begin, *e = t->end_ticks ? &t->end : NULL;
		double own;

		if (!round_thread_row(t))
			continue;
		if (!e)
			e = in->now ? &in->now[i] : NULL;
		if (!e) {
			have = false;
			continue;
		}
		user += grown(b->user_us, e->user_us, &lost) / 1e6;
		sys += grown(b->sys_us, e->sys_us, &lost) / 1e6;
		involuntary += grown(b->involuntary_switches, e->involuntary_switches, &lost);
		switches += grown(b->voluntary_switches, e->voluntary_switches, &lost);
		migrations += grown(b->migrations, e->migrations, &lost);
		no_migrations = no_migrations || !b->has_migrations || !e->has_migrations;
		no_delay = no_delay || !b->has_run_delay || !e->has_run_delay;
		own = grown(b->run_delay_ns, e->run_delay_ns, &lost);
		delay += own;
		if (round_thread_ticks(t) > 0 &&
		    own / round_thread_ticks(t) * in->tick_hz / 1e9 > *worst_delay)
			*worst_delay = own / round_thread_ticks(t) * in->tick_hz / 1e9;
		/* Threads of one CPU tell of the same steal: their mean, weighted below. */
		steal += grown(b->steal_us, e->steal_us, &lost) / 1e6;
	}
	if (!have) {
		r->user_s = r->sys_s = r->ctx_switches = r->involuntary_switches = r->migrations =
			r->run_delay_ns = r->steal_ratio = value_missing(WHY_NOT_YET);
		return;
	}
	r->user_s = unless(lost, false, user);
	r->sys_s = unless(lost, false, sys);
	r->ctx_switches = unless(lost, false, switches + involuntary);
	r->involuntary_switches = unless(lost, false, involuntary);
	r->migrations = unless(lost, no_migrations, migrations);
	r->run_delay_ns = unless(lost, no_delay, delay);
	r->steal_ratio = value_ratio(unless(lost, in->config->place == PLACE_NONE, steal),
				     value_of(r->duration_s.v * r->thread_count));
}
