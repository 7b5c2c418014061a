/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The finished model: everything a frame shows, const from here on.
 *
 * model_update() is the only writer, called by the app once a tick. Views, fields and files read.
 * It knows no page, terminal or clock: times come in as arguments.
 */
#ifndef HOTLINE_FLOW_MODEL_H
#define HOTLINE_FLOW_MODEL_H

#include "probes/hist.h"
#include "probes/topology.h"
#include "probes/value.h"
#include "src/catalog.h"
#include "src/config.h"
#include "src/flow/field.h"
#include "src/flow/interval.h"
#include "src/flow/round.h"
#include "src/machine.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	MODEL_HISTORY = 480,  /* samples of total throughput kept: 120 s at 4 Hz */
	MODEL_CPU_HISTORY = 64, /* samples of each CPU kept */
	MODEL_MESSAGES = 64,
	MODEL_VARIANTS = 64,
};

enum model_state {
	MODEL_IDLE,	/* no trial: the last one ended and none was started */
	MODEL_STARTING,
	MODEL_WARMING,
	MODEL_RUNNING,
	MODEL_STALLED,	/* the watchdog saw no progress */
	MODEL_FAILED,	/* the trial ended badly; a message says how */
};

/*
 * One CPU of the table, in placement order: what struct round_cpu in model.live does not have. Rows
 * of the two have the same index.
 */
struct model_cpu {
	int cpu;		 /* kernel id; -1: the one row of unpinned threads */
	int core, package, numa_node;
	unsigned threads;	 /* workers pinned here */
	struct value ops_per_s;	 /* of the last interval; missing with its reason */
	struct value share;	 /* of the machine's total, 0..1 */
	bool offline;		 /* now: its workers run elsewhere */
	float history[MODEL_CPU_HISTORY]; /* op/s, ring; NAN = no sample */
};

/* A distribution of the current trial, cumulative over its measured phase (or warm-up). */
struct model_dist {
	struct hist hist;	 /* ticks for wait, hold, gap; operations for run */
	struct round_dist stat;	 /* ns; for run lengths the same fields hold operations */
};

struct model_mark {
	uint64_t sample; /* number of the history sample it stands at */
	char text[24];	 /* "ttas>mcs" */
};

enum model_severity { MODEL_NOTE, MODEL_WARNING, MODEL_ERROR };

struct model_message {
	double at_s;	 /* since the dashboard started */
	enum model_severity severity;
	char text[256];
};

/* Latest result of a variant under the present settings, for the list. */
struct model_variant {
	const struct catalog_variant *info;
	struct value ops_per_s; /* mean of its last trial */
	struct value wait_p50_ns, wait_p99_ns, fairness;
	double ended_at_s;	/* -1 = not run; since the dashboard started */
	struct config config;	/* under which it was seen */
};

struct model {
	const struct machine *machine;
	const struct topology *topology;
	const struct catalog *catalog;
	const struct pmu_list *events; /* set by the session, NULL = nothing is counted */
	const struct fields *fields;   /* of these events, NULL = the fixed ones */
	const struct catalog_workload *workload; /* of the current configuration */

	struct config config;
	struct plan plan;
	enum model_state state;
	unsigned trial;		/* number of the trial, 1.. */
	double now_s;		/* since the dashboard started */
	double elapsed_s;	/* since the measured phase of this trial began; 0 before */
	unsigned sample_n;	/* stamped one in N; 0 = not known or nothing stamped */
	double tick_hz, tick_resolution_ns, tick_floor_ns, tick_bias_ns, stamp_ns; /* 0 = not yet */
	bool figures_warming;	/* all figures below are of the warm-up */

	struct value ops_per_s;	/* last interval */
	struct value ops_per_s_mean; /* of the measured phase so far */
	struct value clocks_per_op, fairness_jain, handovers_per_op;
	struct value wait_ratio, hold_ratio; /* shares of thread time, 0..1 */
	struct value gap_max_ns;
	unsigned disturbed_why;
	uint64_t total_ops;

	unsigned cpu_count;
	struct model_cpu *cpu;	/* PAGE_SLOTS entries at most, allocated at trial start */
	/*
	 * The last interval in the form of a round, for the field table: CPU rows with their ops
	 * and counts, and the counts of all threads. Only these members are filled.
	 */
	struct round live;
	/* history samples so far; the newest is (sample_count - 1) % size */
	uint64_t sample_count;
	float history[MODEL_HISTORY]; /* total op/s; NAN = gap between trials */
	float history_interval_s;
	unsigned mark_count;
	struct model_mark mark[16];

	unsigned role_count;
	char role_name[PAGE_ROLES][16];
	struct model_dist wait[PAGE_ROLES], hold[PAGE_ROLES];
	struct model_dist gap, run;
	struct value runs, run_mean, run_max;

	unsigned variant_count;
	struct model_variant variant[MODEL_VARIANTS]; /* in catalogue order: key n = entry n - 1 */

	unsigned message_count;	/* total ever; the newest is (message_count - 1) % MODEL_MESSAGES */
	struct model_message message[MODEL_MESSAGES];

	unsigned rounds_kept;	/* finished and running rounds that a snapshot would write */
	bool recording;
	char recording_path[256];
	struct value self_cpu_ratio; /* of one CPU */
	struct value self_rss_bytes;
	int self_cpu;		/* kernel id the dashboard runs on; -1 = anywhere */
	bool self_shares_cpu;	/* no CPU was free for the dashboard */
};

/* Zeroes @m and binds what does not change. Returns 0 or -ENOMEM. */
int model_init(struct model *m, const struct machine *mc, const struct topology *t,
	       const struct catalog *c);
void model_fini(struct model *m);

/*
 * The configuration that is about to run: its workload's variants are listed, nothing is measured
 * yet.
 */
void model_configure(struct model *m, const struct config *c, const struct plan *p);

/*
 * A new trial begins: CPU rows are laid out for the placement, figures go to WHY_NOT_YET, history
 * gets a gap and a mark if the configuration changed.
 * @cpus: per thread, -1 = unpinned.
 * Returns 0 or -ENOMEM.
 */
int model_trial(struct model *m, const struct config *c, const struct plan *p, unsigned trial,
		const int *cpus);

/* One tick's worth of news. Borrowed during the call. */
struct model_input {
	const struct snap *snap;
	const struct interval *interval;
	const struct round *round; /* the trial so far */
	enum model_state state;
	const bool *away;	   /* per thread: its CPU is offline; NULL = none is */
	double now_s;
	bool add_sample; /* false while the display only redraws */
};
void model_update(struct model *m, const struct model_input *in);

/* A trial ended: its mean goes to the variant list. */
void model_trial_ended(struct model *m, const struct round *r);

/* Clears history, marks and the variant list's results. */
void model_clear(struct model *m);

/* Adds a message; long text is cut, control characters are removed. */
void model_say(struct model *m, enum model_severity s, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
