/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a workload and a variant are: the types every file of src/lab shares.
 *
 * Registration is by const table (table.c): a variant is one file that ends with its ops and one
 * line in its workload's list; a workload is one file and one line in workload_table[].
 */
#ifndef HOTLINE_LAB_WORKLOAD_H
#define HOTLINE_LAB_WORKLOAD_H

#include "probes/err.h"
#include "probes/page.h"
#include "probes/tick.h"
#include "src/lab/record.h"
#include "src/lab/rng.h"

#include <stdbool.h>
#include <stdint.h>

struct lab_worker;

/* Code that may be moved: a function alone in its section, free of references to the outside. */
struct lab_code {
	void (*run)(struct lab_worker *w);
	const char *start, *stop; /* of the section */
};

enum lab_knob_kind { LAB_KNOB_INT, LAB_KNOB_CHOICE, LAB_KNOB_TEXT };

/* A knob, as the description prints it. All text is const and free of tabs. */
struct lab_knob {
	const char *name, *doc, *unit;
	enum lab_knob_kind kind;
	const char *def, *def_dashboard;
	int64_t min, max;
	const char *choices; /* "a|b"; NULL unless LAB_KNOB_CHOICE */
	const char *only;    /* variants it applies to, "old,new"; NULL = all */
};

/* One trial, as its lab process sees it. Written by the main thread only. */
struct lab {
	struct page *page;
	const struct workload_ops *workload;
	const struct variant_ops *variant;
	void (*run)(struct lab_worker *w); /* the variant's timed loop, perhaps moved */
	uint64_t quota;		/* of this phase's shared work; UINT64_MAX = fixed time */
	void *shared;		/* the workload's own */
	/* 1 = leave the loop; read every op */
	uint32_t stop __attribute__((aligned(PAGE_LINE_PAIR)));
	char pad[PAGE_LINE_PAIR - sizeof(uint32_t)];
};

/*
 * One thread's working set: private to it, on its own pages, first touched by itself.
 * The timed loop copies what it needs into registers.
 */
struct lab_worker {
	struct lab *lab;
	const uint32_t *stop;
	struct page_slot *slot;
	struct page_row *row[1 + PAGE_ROLES]; /* thread row, then lock roles */
	struct lab_rng rng;
	struct lab_record record;
	uint64_t publish_mask; /* ops are published when their number has none of these bits */
	uint64_t hold_loops, think_loops; /* of delay_loops(); 0 = none */
	bool think_jitter;
	uint64_t ops;	 /* done in this phase: set when the loop is left */
	unsigned thread; /* number in the crew */
	void *local;	 /* the workload's own, per thread */
};

struct variant_ops {
	const char *name, *doc;
	bool excludes;		 /* claims mutual exclusion: checked after every phase */
	bool counts_contended;	 /* knows it for free; else "unsupported" */
	const char *unsupported; /* NULL = runs on this machine, else why not */
	void (*run)(struct lab_worker *w);
	const void *own;	 /* the workload's view of the variant, e.g. struct spinlock_ops */
};

struct workload_ops {
	const char *name, *doc, *op_doc;
	unsigned threads_min, threads_default, threads_max; /* default 0 = one per allowed CPU */
	bool place_free;
	const struct page_role *roles;
	unsigned role_count;
	const struct lab_knob *knobs;
	unsigned knob_count;
	const struct variant_ops *const *variants; /* ended by NULL */

	/* Allocates the shared data; @rng draws the layout. Main thread, before any worker. */
	int (*open)(struct lab *lab, struct lab_rng *rng, struct err *e);
	/* Allocates the worker's own data. On the worker's thread, after pinning. */
	int (*worker_open)(struct lab_worker *w, struct err *e);
	/* A phase begins: rows are new. On the worker's thread, before the start gate. */
	void (*worker_phase)(struct lab_worker *w);
	/* Puts the protected data back to its start. Main thread, no worker runs. */
	void (*phase_begin)(struct lab *lab);
	/*
	 * Compares the protected data with what @ops operations must have left: 0 = held, -EILSEQ =
	 * broken; @expected and @found are set. Main thread, no worker runs.
	 */
	int (*check)(const struct lab *lab, uint64_t ops, uint64_t *expected, uint64_t *found);
	void (*worker_close)(struct lab_worker *w);
	void (*close)(struct lab *lab);
};

/* Ended by NULL. */
extern const struct workload_ops *const workload_table[];

/* By name, or NULL. */
const struct workload_ops *workload_find(const char *name);
const struct variant_ops *workload_variant(const struct workload_ops *w, const char *name);

/*
 * The text of a knob in force: the page's, else the default. NULL if the workload has no such knob.
 */
const char *lab_knob_text(const struct lab *lab, const char *name);

/* The number of an integer knob; the dashboard has checked its range. */
int64_t lab_knob_int(const struct lab *lab, const char *name);

#endif
