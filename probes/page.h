/* SPDX-License-Identifier: MIT */
/*
 * The page: the only thing that passes between what is measured and what shows it.
 *
 * One sealed, sparse memfd. The dashboard makes it, writes ctl, and only reads the rest; the
 * measured process writes lab, slots and arena. Fixed-width types, no pointers, no locks; every
 * offset is from the start of the page. The seals keep a peer from truncating it, which would
 * kill the reader by SIGBUS. A peer may crash while it writes: the reader trusts nothing.
 *
 *   head | ctl | lab | slots[PAGE_SLOTS] | arena: chunks of 64 KiB
 *
 * A row = (thread, itself) or (thread, lock role), later (thread, lock). A thread claims whole
 * chunks for itself by one atomic add on lab.next_chunk and carves its rows out of them, so no two
 * writers ever share a line, an adjacent-line pair, or a 4 KiB page.
 * See doc/page.md for the history of the layout.
 */
#ifndef HOTLINE_PROBES_PAGE_H
#define HOTLINE_PROBES_PAGE_H

#include "probes/err.h"
#include "probes/hist.h"
#include "probes/osstat.h"

#include <stddef.h>
#include <stdint.h>

#define PAGE_MAGIC 0x31454e494c544f48ull /* "HOTLINE1" */

enum {
	PAGE_ABI_MAJOR = 2,
	PAGE_FD = 3,	      /* the descriptor a measured child inherits the page on */
	PAGE_SYNC_FD = 4,     /* and the socket it rings at the ends of phases, if ctl.sync */
	PAGE_SLOTS = 4096,    /* most threads of one trial */
	PAGE_KNOBS = 24,
	PAGE_ROLES = 4,	      /* locks a workload may declare */
	PAGE_CHUNK_BYTES = 65536,
	PAGE_LINE_PAIR = 128, /* the spatial prefetcher of x86 pulls lines in pairs */
};
#define PAGE_ARENA_BYTES (4ull << 30) /* address space, memory only where touched */

/* How stamps are taken in a trial. */
enum page_measure {
	PAGE_MEASURE_AUTO,    /* N chosen in the warm-up: stamps take at most 2 % of the time */
	PAGE_MEASURE_OFF,     /* operations are counted, nothing is stamped */
	PAGE_MEASURE_SAMPLED, /* one stamped operation in N */
	PAGE_MEASURE_EVERY,
};

/* Written once by page_create(). */
struct page_head {
	uint64_t magic;
	uint32_t abi_major;
	uint32_t slot_count;
	uint64_t layout_hash;
	uint64_t size_bytes;
	uint64_t arena_offset;
	uint64_t arena_bytes;
	uint64_t reserved[10];
};

/* One knob as text: the workload's own table gives it a type. */
struct page_knob {
	char name[24];
	char value[232];
};

/*
 * The configuration of a trial. Written by the dashboard before the child is started, read by
 * the child; immutable from then on.
 */
struct page_ctl {
	char workload[32];
	char variant[32];
	uint32_t threads;
	uint32_t measure;	 /* enum page_measure */
	uint32_t sample_n;	 /* PAGE_MEASURE_SAMPLED: one in N */
	uint32_t tick_source;	 /* enum tick_source */
	uint32_t knob_count;
	uint32_t round;		 /* number of the round: layout is drawn from seed and round */
	uint64_t seed;
	uint64_t warmup_ns;
	uint64_t duration_ns;	 /* 0 = until told to end */
	uint64_t ops;		 /* fixed work: the round ends at so many; 0 = fixed time */
	uint64_t limit_ns;	 /* fixed work that takes longer ends short; 0 = no limit */
	double delay_per_ns;	 /* delay loops a nanosecond, from an earlier trial; 0 = measure */
	uint64_t sync;		 /* 1 = the dashboard answers on PAGE_SYNC_FD */
	uint64_t reserved[15];
	struct page_knob knob[PAGE_KNOBS];
	int32_t cpu[PAGE_SLOTS]; /* of each thread; -1 = unpinned */
};

/*
 * What the child's main thread sends on PAGE_SYNC_FD, one byte a packet, while all workers wait; it
 * goes on when the same byte comes back, or when the peer is gone. A doorbell: no data pass here.
 */
enum page_sync {
	PAGE_SYNC_WARM = 1, /* all threads exist: slots have their tids; the warm-up follows */
	PAGE_SYNC_MEASURED, /* the measured phase follows */
	PAGE_SYNC_END,	    /* the measured phase is over, the workers have done nothing since */
};

/* Where the child as a whole is. */
enum page_lab_state {
	PAGE_LAB_NONE,	   /* not started, or died before its first write */
	PAGE_LAB_STARTING, /* mapped the page, making threads */
	PAGE_LAB_WARMING,
	PAGE_LAB_RUNNING,  /* the measured phase */
	PAGE_LAB_CHECKING, /* workers are done; probe and invariant */
	PAGE_LAB_DONE,
	PAGE_LAB_FAILED,   /* error[] says why */
};

struct page_role {
	char name[16];
	uint32_t acquires_per_op; /* constant number, or 0: counted in the row */
	uint32_t reserved[3];
};

/*
 * Written by the child's main thread, except next_chunk and lost_rows: atomic adds of any thread.
 */
struct page_lab {
	uint32_t state; /* enum page_lab_state, stored with release */
	uint32_t role_count;
	int32_t pid;
	uint32_t sample_n;	/* in force in the measured phase; 0 = nothing is stamped */
	double tick_hz;		/* as the child measured it; 0 = not yet */
	double stamp_ns, resolution_ns, bias_ns, floor_ns; /* struct tick_quality */
	double delay_per_ns;
	/* round trip of one line; 0 = none, see probe_why */
	double probe_before_ns, probe_after_ns;
	uint32_t probe_why;	/* enum reason of a missing probe */
	uint32_t limit_hit;	/* fixed work ended short */
	uint32_t invariant_checked; /* after the round: 1 = held, 2 = broken, 0 = not claimed */
	uint32_t told;		/* 1 = a SIGTERM ended it */
	uint64_t invariant_expected, invariant_found;
	struct page_role role[PAGE_ROLES];
	char error[256];
	uint64_t reserved[8];
	uint64_t next_chunk __attribute__((aligned(PAGE_LINE_PAIR)));
	uint64_t lost_rows;	/* rows that a full arena could not give */
} __attribute__((aligned(PAGE_LINE_PAIR)));

enum page_phase { PAGE_PHASE_WARM, PAGE_PHASE_MEASURED, PAGE_PHASES };

enum page_slot_state {
	PAGE_SLOT_FREE,
	PAGE_SLOT_STARTING, /* claimed: identity is valid */
	PAGE_SLOT_WARMING,
	PAGE_SLOT_WAITING,  /* at a barrier between phases */
	PAGE_SLOT_RUNNING,
	PAGE_SLOT_DONE,
};

/*
 * One thread. Written by that thread only. A slot that is claimed again gets a new gen: figures of
 * two owners are never differenced.
 */
struct page_slot {
	uint32_t state;	     /* enum page_slot_state, stored with release */
	uint32_t gen;
	int32_t tid;
	int32_t cpu;	     /* pinned to; -1 = unpinned */
	uint32_t thread;     /* number in the crew */
	uint32_t reserved0;
	/* offset of the phase's first row, stored with release; 0 = none */
	uint64_t row[PAGE_PHASES];
	uint64_t begin_ticks; /* of the measured phase */
	uint64_t end_ticks;  /* 0 while it runs */
	uint64_t backwards_count; /* stamps that ran backwards: clamped to 0, counted here */
	uint64_t reserved[7];
	struct osstat begin, end; /* of the measured phase; end is valid in PAGE_SLOT_DONE */
	uint64_t reserved2[12];
} __attribute__((aligned(PAGE_LINE_PAIR)));

enum page_row_kind {
	PAGE_ROW_THREAD = 1, /* a = gap (ticks per run of plain ops), b = run length (ops) */
	PAGE_ROW_LOCK = 2,   /* a = wait (ticks), b = hold (ticks) */
};

/*
 * One set of figures. Written by the thread of its slot only; nothing is ever reset, a new phase
 * gets new rows.
 */
struct page_row {
	uint32_t kind; /* enum page_row_kind */
	uint32_t role; /* PAGE_ROW_LOCK: index of the lock role */
	uint32_t slot;
	uint32_t gen;
	uint64_t next; /* offset of the phase's next row; 0 = last */
	uint64_t lock; /* trace: address of the lock; 0 in the lab */
	uint64_t reserved[12];
	/* PAGE_ROW_THREAD: operations; PAGE_ROW_LOCK: acquires, 0 where acquires_per_op says it */
	uint64_t ops __attribute__((aligned(PAGE_LINE_PAIR)));
	uint64_t contended;	 /* acquisitions that waited; valid if has_contended */
	uint32_t has_contended;
	uint32_t reserved1;
	uint64_t reserved2[13];
	struct hist a __attribute__((aligned(PAGE_LINE_PAIR)));
	struct hist b __attribute__((aligned(PAGE_LINE_PAIR)));
} __attribute__((aligned(PAGE_LINE_PAIR)));

/* The whole page; arena memory begins at head.arena_offset. */
struct page {
	struct page_head head;
	struct page_ctl ctl __attribute__((aligned(4096)));
	struct page_lab lab __attribute__((aligned(4096)));
	struct page_slot slot[PAGE_SLOTS] __attribute__((aligned(4096)));
};

_Static_assert(sizeof(struct page_head) == 128, "page layout");
_Static_assert(sizeof(struct page_slot) == 384, "page layout");
_Static_assert(sizeof(struct page_row) % PAGE_LINE_PAIR == 0, "rows do not share a line pair");
_Static_assert(3 * sizeof(struct page_row) <= PAGE_CHUNK_BYTES, "thread and two roles a chunk");
_Static_assert(offsetof(struct page, ctl) == 4096, "page layout");

/* The hash of sizes and offsets: differently built programs refuse each other. */
uint64_t page_layout_hash(void);

/* Bytes of the whole page, arena included. */
uint64_t page_size_bytes(void);

/*
 * Makes a page and maps it.
 * @fd: the memfd, close-on-exec, sealed against shrinking, growing and further seals.
 * Errors: -ENOMEM, -ENOSYS (no memfd), or that of memfd_create, ftruncate, mmap.
 * Threads: dashboard only. Source: memfd_create(2), fcntl(2) F_ADD_SEALS.
 */
int page_create(int *fd, struct page **out, struct err *e);

/*
 * Maps a page made by another process and checks it.
 * Errors: -EPROTO (magic, version, layout), -EPERM (not sealed), -EINVAL (size), mmap's.
 * Threads: the child's main, once.
 */
int page_attach(int fd, struct page **out, struct err *e);

/* Unmaps @p; NULL is fine. */
void page_unmap(struct page *p);

/*
 * Checks head and size of a mapped page of @bytes bytes.
 * Returns 0, or -EPROTO with the field that differs.
 */
int page_check(const struct page *p, uint64_t bytes, struct err *e);

/*
 * The row at @offset, or NULL if the offset is outside the arena, misaligned, or would reach over
 * the end: offsets in the page are untrusted. Threads: any reader. Cost: 3 compares.
 */
const struct page_row *page_row_at(const struct page *p, uint64_t offset);

/* The state of the child, loaded with acquire: pairs with the release in the child's main. */
static inline enum page_lab_state page_lab_state(const struct page *p)
{
	return (enum page_lab_state)__atomic_load_n(&p->lab.state, __ATOMIC_ACQUIRE);
}

#endif
