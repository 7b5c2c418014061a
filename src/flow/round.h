/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A round: all figures of one trial's measured phase, finished or so far. An observation.
 *
 * round_make() turns a snapshot into numbers with units; the field table, the CSV files, the report
 * and the dashboard read nothing else. Rows of the page start at 0 with the phase, so a round is
 * the snapshot itself, not a difference.
 */
#ifndef HOTLINE_FLOW_ROUND_H
#define HOTLINE_FLOW_ROUND_H

#include "probes/topology.h"
#include "probes/value.h"
#include "src/config.h"
#include "src/flow/counts.h"
#include "src/flow/snap.h"
#include "src/machine.h"

#include <stdbool.h>
#include <stdint.h>

/* One worker. Lives in struct round. */
struct round_thread {
	unsigned thread;
	unsigned slot;	/* index in the snapshot */
	int tid, cpu;	/* -1 = unpinned */
	uint64_t ops;
	struct value ops_per_s;
	struct value share; /* of all operations, 0..1 */
	struct value runs, run_max, run_mean;
	struct pmu_delta *count; /* one an event; points into the round's */
};

/* One CPU that was used; cpu -1: the one row of unpinned threads. */
struct round_cpu {
	int cpu, core, package, numa_node;
	unsigned threads_on_cpu;
	uint64_t ops;
	struct value ops_per_s;
	struct counts counts;
	struct pmu_delta *count; /* one an event; points into the round's */
};

/* Mean, percentiles and maximum of one distribution, ns. */
struct round_dist {
	uint64_t samples; /* records in the histogram */
	struct value mean_ns, p50_ns, p99_ns, p999_ns, max_seen_ns;
};

/* One lock role. */
struct round_lock {
	char role[16];
	struct value acquires, contended;
	struct round_dist wait, hold;
};

enum round_hist_kind { ROUND_WAIT, ROUND_HOLD, ROUND_GAP, ROUND_RUN, ROUND_KINDS };

/* One non-empty bucket of one thread: what the -hist table holds. 16 bytes. */
struct round_bucket {
	uint64_t count;
	uint16_t thread, index; /* bucket index of probes/hist.h */
	uint8_t role, kind;	/* enum round_hist_kind; role is 0 for gap and run */
	uint8_t reserved[2];
};

/* What only one workload has. */
struct round_metric {
	char scope[16]; /* "total", "thread 3", "cpu 0" */
	char name[32];
	char unit[16];
	struct value value;
};

enum round_disturbed { /* bits of disturbed_why */
	DISTURBED_RUN_DELAY = 1, /* run delay above 2 % of a worker's time */
	DISTURBED_STEAL = 2,	 /* steal above 2 % */
	DISTURBED_GAP = 4,	 /* a gap above 10 ms */
	DISTURBED_PROBE = 8,	 /* a probe more than 1.5x off the series' median */
	DISTURBED_OFFLINE = 16,	 /* a CPU went offline: its workers ran elsewhere */
	DISTURBED_STOPPED = 32,	 /* the lab stood still, stopped by a signal */
};

/* Made by round_make(), owned by whoever holds it, freed by round_free(); const for all readers. */
struct round {
	struct config config;
	struct plan plan;
	/* when the measured phase ended or the snapshot was taken, ISO 8601 */
	char utc[32];
	unsigned trial, number, order; /* trial id; round of its configuration; place in the run */
	bool interleaved;      /* false: from a running dashboard, never fed to a test */
	bool finished;	       /* the phase has ended by itself */
	bool limit_hit;	       /* fixed work that ended short */
	unsigned sample_n;     /* in force; 0 = nothing stamped */
	double tick_hz, tick_resolution_ns, tick_floor_ns, tick_bias_ns, stamp_ns;
	int invariant;	       /* 1 held, 2 broken, 0 not claimed or not checked yet */
	uint64_t invariant_expected, invariant_found;

	struct value duration_s; /* last end - first begin of the workers */
	struct value real_s, user_s, sys_s;
	struct value ops, ops_per_s, clocks_per_op, fairness_jain, handovers_per_op;
	struct value runs, run_mean, run_max; /* over all threads; runs = hand-overs */
	char wait_basis[12];   /* "all": uncontended ones included; "contended" in a trace */
	struct value gap_max_ns;
	struct value ctx_switches, involuntary_switches, migrations, run_delay_ns, steal_ratio;
	struct value probe_before_ns, probe_after_ns;
	unsigned disturbed_why; /* enum round_disturbed */
	struct value backwards; /* stamps that ran backwards */
	struct counts counts;	/* of all threads together */

	unsigned thread_count, cpu_count, lock_count, bucket_count, metric_count;
	struct round_thread *thread;
	struct round_cpu *cpu;
	struct round_lock lock[PAGE_ROLES];
	struct round_bucket *bucket;
	struct round_metric *metric;

	const struct pmu_list *events; /* NULL = none; outlives the round */
	struct pmu_delta *count;       /* of all threads, one an event */
	struct pmu_delta *count_of_all; /* owned: the round's, the CPUs', the threads' */
};

/* Everything round_make() needs beside the snapshot. Borrowed during the call only. */
struct round_input {
	const struct snap *snap;
	const struct config *config;
	const struct plan *plan;
	const struct topology *topology;
	double tick_hz;
	enum tick_source source;
	bool tick_is_clock; /* ticks are CPU reference clocks (TSC): clocks_per_op has a meaning */
	const char *utc;
	unsigned trial, number, order;
	bool interleaved;
	/* running trial: figures per thread at the snapshot; NULL = none */
	const struct osstat *now;
	/* readings at the begin of the measured phase and at its end or now; NULL = none */
	const struct pmu_list *events;
	const struct pmu_count *counts_from, *counts_to; /* threads x events */
	const bool *moved;  /* per thread: its CPU was offline; NULL = none was */
	bool stopped;	    /* by a signal, for a while */
	bool buckets;	    /* fill bucket[] */
};

/*
 * Makes a round.
 * Reasons: WHY_NOT_YET (phase not begun), WHY_UNSUPPORTED (measure off, no schedstat, no TSC),
 * WHY_UNRESOLVED (a percentile below the floor of the clock; v = the bound).
 * Returns 0 or -ENOMEM.
 */
int round_make(struct round *r, const struct round_input *in);

void round_free(struct round *r);

/*
 * Marks rounds whose probes are more than 1.5x off the series' median (both probes of all rounds).
 * Pure; needs 3 or more rounds to say anything.
 */
void round_series_disturbed(struct round *const *rounds, unsigned count);

/*
 * The CPUs used, in placement order, as "0,2-5"; "" if the threads are unpinned. What does not fit
 * ends in "...". Returns @buf.
 */
char *round_cpus_format(const struct round *r, char *buf, unsigned size);

/* The reasons as words joined by '+', "run-delay+gap"; "" if undisturbed. Returns @buf. */
char *round_disturbed_format(unsigned why, char *buf, unsigned size);

/*
 * Distribution figures of @h (ticks) at @hz; percentiles and the maximum below @floor_ns are
 * WHY_UNRESOLVED, v = @floor_ns.
 */
void round_dist_make(struct round_dist *d, const struct hist *h, double hz, double floor_ns);

/* A distribution without figures: not begun (WHY_NOT_YET), nothing stamped (WHY_UNSUPPORTED). */
void round_dist_missing(struct round_dist *d, enum reason why);

/*
 * Merges one kind of histogram over all threads of a snapshot.
 * @role: for ROUND_WAIT and ROUND_HOLD. @out: cleared first.
 */
void round_hist_merge(struct hist *out, const struct snap *s, enum round_hist_kind kind,
		      unsigned role);

#endif
