/* SPDX-License-Identifier: MIT */
/*
 * Opens the groups of many threads within the limit of descriptors, and reads them.
 *
 * What software counters perf_event_open does not give, /proc does. On hybrid machines an unpinned
 * thread has its hardware events once for every kind of core.
 */
#include "probes/pmu_set.h"

#include <errno.h>
#include <stdlib.h>

#include "probes/pmu_group.h"
#include "probes/pmu_proc.h"
#include "probes/pmu_why.h"

enum { FD_RESERVE = 64 }; /* for files, pipes and pages of the next round */

/* One thread; its cells are @kinds rows of list->count. Written by pmu_set_open(). */
struct pmu_set_thread {
	int tid, cpu;
	unsigned kinds; /* of core on which its hardware events are open */
	uint32_t proc;  /* bit i: event i is read from /proc */
	struct pmu_cell *cell;
};
_Static_assert(PMU_EVENTS <= 32, "a bit each in pmu_set_thread.proc");

/* What fits. */
struct plan {
	struct pmu_host host; /* with the limits of now */
	uint64_t needed;      /* descriptors in all, had everything been opened */
	bool drop[PMU_EVENTS];
};

/* Kinds of core that a thread on @cpu may run on. */
static unsigned kinds_of(const struct pmu_list *l, int cpu)
{
	return pmu_host_hybrid(&l->host) && cpu < 0 ? l->host.core_count : 1;
}

static const struct pmu_core *core_of(const struct pmu_list *l, int cpu, unsigned kind)
{
	if (!pmu_host_hybrid(&l->host))
		return NULL;
	return cpu < 0 ? &l->host.core[kind] : pmu_host_core(&l->host, cpu);
}

static struct pmu_cell *row(const struct pmu_set *s, const struct pmu_set_thread *t, unsigned kind)
{
	return t->cell + (size_t)kind * s->list->count;
}

/* Descriptors of event @i over all threads. */
static uint64_t fds_of(const struct pmu_set *s, unsigned i)
{
	const struct pmu_event *ev = &s->list->event[i];
	uint64_t n = 0;

	if (!pmu_event_opens(ev))
		return 0;
	for (unsigned t = 0; t < s->threads; t++)
		n += ev->source == PMU_HARDWARE ? s->thread[t].kinds : 1;
	return n;
}

/* Descriptors that may be taken, by the limits of now; all if nobody tells. */
static uint64_t room(const struct pmu_sys *sys, struct pmu_host *h)
{
	int rc = sys->fd_limits(sys->ctx, &h->fd_soft, &h->fd_hard, &h->fd_used);

	if (rc != 0)
		return rc == -EMFILE ? 0 : UINT64_MAX;
	if (h->fd_soft <= h->fd_used || h->fd_soft - h->fd_used <= FD_RESERVE)
		return 0;
	return h->fd_soft - h->fd_used - FD_RESERVE;
}

/* Ranks of what is dropped: optional events, then hardware, then software that /proc has too. */
static bool drop_rank(const struct pmu_event *ev, unsigned rank)
{
	return (rank == 0 && ev->optional) || (rank == 1 && ev->source == PMU_HARDWARE) ||
	       rank == 2;
}

/* Decides what is left out, for all threads alike. */
static void plan_make(const struct pmu_set *s, struct plan *p)
{
	const struct pmu_list *l = s->list;
	uint64_t want = 0, have;

	*p = (struct plan){.host = l->host};
	for (unsigned i = 0; i < l->count; i++)
		want += fds_of(s, i);
	have = room(l->sys, &p->host);
	if (want > have && l->sys->fd_raise(l->sys->ctx) == 0)
		have = room(l->sys, &p->host);
	p->needed = p->host.fd_used + FD_RESERVE + want;
	for (unsigned rank = 0; rank < 3; rank++) {
		for (unsigned i = l->count; i-- > 0 && want > have;) {
			uint64_t n = p->drop[i] ? 0 : fds_of(s, i);

			if (!n || !drop_rank(&l->event[i], rank))
				continue;
			p->drop[i] = true;
			want -= n;
		}
	}
}

/* The first failure of all is the set's note. */
static void note_take(struct pmu_set *s, const struct pmu_spot *at, unsigned i,
		      const struct pmu_cell *c)
{
	if (!s->note[0])
		pmu_cell_why(at, i, c, s->note, sizeof(s->note));
}

/* Events that are to come from /proc, or may not be opened, before anything is. */
static void cells_prepare(struct pmu_set *s, struct pmu_set_thread *t, const struct plan *p)
{
	const struct pmu_list *l = s->list;

	for (unsigned k = 0; k < t->kinds; k++) {
		for (unsigned i = 0; i < l->count; i++) {
			const struct pmu_event *ev = &l->event[i];
			struct pmu_cell *c = row(s, t, k) + i;

			*c = pmu_cell_closed(p->drop[i] ? WHY_DENIED : ev->why);
			if (k > 0 && ev->source == PMU_SOFTWARE)
				*c = pmu_cell_closed(WHY_UNSUPPORTED);
			if (ev->why == WHY_OK && ev->source == PMU_PROC)
				t->proc |= 1u << i;
		}
	}
}

/* Software events that perf_event_open has not opened are asked of /proc. */
static void proc_take_over(struct pmu_set *s, struct pmu_set_thread *t)
{
	const struct pmu_list *l = s->list;

	for (unsigned i = 0; i < l->count; i++) {
		const struct pmu_event *ev = &l->event[i];

		if (ev->source == PMU_SOFTWARE && ev->why == WHY_OK && row(s, t, 0)[i].fd < 0 &&
		    pmu_proc_has(ev->role))
			t->proc |= 1u << i;
	}
}

static void thread_close(struct pmu_set *s, struct pmu_set_thread *t, enum reason why)
{
	for (unsigned k = 0; k < t->kinds; k++)
		pmu_cells_close(s->list, row(s, t, k), why);
	for (unsigned i = 0; i < t->kinds * s->list->count; i++)
		t->cell[i].why = why;
}

static void thread_open(struct pmu_set *s, struct pmu_set_thread *t, const struct plan *p)
{
	const struct pmu_list *l = s->list;
	struct pmu_spot at = {
		.list = l,
		.host = &p->host,
		.tid = t->tid,
		.cpu = t->cpu,
		.fds_needed = p->needed,
	};
	int rc = 0;

	cells_prepare(s, t, p);
	for (unsigned k = 0; k < t->kinds && !rc; k++) {
		struct pmu_cell *cell = row(s, t, k);

		at.core = core_of(l, t->cpu, k);
		for (unsigned g = 0; g < l->group_count && !rc; g++)
			rc = pmu_group_open(&at, g, cell);
		for (unsigned i = 0; i < l->count; i++) {
			if (cell[i].code)
				note_take(s, &at, i, &cell[i]);
		}
	}
	if (rc) {
		thread_close(s, t, WHY_LOST);
		t->proc = 0;
		return;
	}
	for (unsigned k = 0; k < t->kinds; k++)
		pmu_cells_control(l, row(s, t, k), PMU_ENABLE);
	proc_take_over(s, t);
}

/* Storage, and where each thread may run. */
static int threads_make(struct pmu_set *s, const int *tid, const int *cpu)
{
	struct pmu_cell *cell;
	size_t cells = 0;

	s->thread = calloc(s->threads + 1, sizeof(*s->thread));
	if (!s->thread)
		return -ENOMEM;
	for (unsigned t = 0; t < s->threads; t++) {
		s->thread[t].tid = tid[t];
		s->thread[t].cpu = cpu[t];
		s->thread[t].kinds = kinds_of(s->list, cpu[t]);
		cells += (size_t)s->thread[t].kinds * s->list->count;
	}
	/* All cells are one block, which the first thread's pointer frees. */
	cell = calloc(cells + 1, sizeof(*cell));
	s->thread[0].cell = cell;
	if (!cell)
		return -ENOMEM;
	for (unsigned t = 0; t < s->threads; t++) {
		s->thread[t].cell = cell;
		cell += (size_t)s->thread[t].kinds * s->list->count;
	}
	return 0;
}

static void note_dropped(struct pmu_set *s, const struct plan *p)
{
	const struct pmu_list *l = s->list;
	const struct pmu_spot at = {.list = l, .host = &p->host, .fds_needed = p->needed};
	const struct pmu_cell full = {.fd = -1, .code = EMFILE};

	for (unsigned i = 0; i < l->count; i++) {
		const struct pmu_event *ev = &l->event[i];

		/* What /proc has too is not missed. */
		if (!p->drop[i] || (ev->source == PMU_SOFTWARE && pmu_proc_has(ev->role)))
			continue;
		s->dropped++;
		note_take(s, &at, i, &full);
	}
}

int pmu_set_open(struct pmu_set *s, const struct pmu_list *l, int pid, const int *tid,
		 const int *cpu, unsigned threads, struct err *e)
{
	struct plan p;

	*s = (struct pmu_set){.list = l, .pid = pid, .threads = threads};
	if (threads_make(s, tid, cpu) != 0) {
		free(s->thread);
		*s = (struct pmu_set){0};
		return err_set(e, -ENOMEM, "counters of %u threads: out of memory", threads);
	}
	plan_make(s, &p);
	note_dropped(s, &p);
	for (unsigned t = 0; t < threads; t++) {
		struct pmu_set_thread *at = &s->thread[t];

		thread_open(s, at, &p);
		for (unsigned i = 0; i < at->kinds * l->count; i++)
			s->open_count += at->cell[i].fd >= 0;
	}
	return 0;
}

void pmu_set_read(struct pmu_set *s, struct pmu_count *out)
{
	const struct pmu_list *l = s->list;
	struct pmu_count part[PMU_CORES * PMU_EVENTS];

	for (unsigned t = 0; t < s->threads; t++) {
		const struct pmu_set_thread *at = &s->thread[t];
		struct pmu_count *mine = out + (size_t)t * l->count;
		struct pmu_proc proc;

		/* The reverse of the order of enabling: pmu_count_merge() counts on it. */
		for (unsigned k = at->kinds; k-- > 0;)
			pmu_cells_read(l, row(s, at, k), part + (size_t)k * l->count);
		if (at->proc)
			pmu_proc_read(s->pid, at->tid, &proc);
		for (unsigned i = 0; i < l->count; i++) {
			const struct pmu_event *ev = &l->event[i];

			if (at->proc & 1u << i)
				mine[i] = pmu_proc_count(&proc, ev->role);
			else
				mine[i] =
					pmu_count_merge(part + i,
							ev->source == PMU_HARDWARE ? at->kinds : 1,
							l->count);
		}
	}
}

void pmu_set_close(struct pmu_set *s)
{
	for (unsigned t = 0; t < s->threads; t++)
		thread_close(s, &s->thread[t], WHY_LOST);
	if (s->thread)
		free(s->thread[0].cell);
	free(s->thread);
	*s = (struct pmu_set){0};
}
