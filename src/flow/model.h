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
#include "src/flow/ab.h"
#include "src/flow/field.h"
#include "src/flow/interval.h"
#include "src/flow/round.h"
#include "src/flow/window.h"
#include "src/machine.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	MODEL_HISTORY = 480,  /* samples of total throughput kept: 120 s at 4 Hz */
	MODEL_CPU_HISTORY = 64, /* samples of each CPU kept */
	MODEL_MESSAGES = 64,
	MODEL_VARIANTS = 64,
	MODEL_HEAT_ROWS = 24,   /* octaves of the heat map, from 16 ns up */
	MODEL_MARKS = 16,	/* of the history; the oldest give way */
};

enum model_state {
	MODEL_IDLE,	/* no trial: the last one ended and none was started */
	MODEL_STARTING,
	MODEL_WARMING,
	MODEL_RUNNING,
	MODEL_STALLED,	/* the watchdog saw no progress */
	MODEL_FAILED,	/* the trial ended badly; a message says how */
};

#define MODEL_SHARE_TOLERANCE 0.05

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
	double offline_since_s;	 /* since the dashboard started; -1 = it is not */
	float history[MODEL_CPU_HISTORY]; /* op/s, ring; NAN = no sample */
};

/* A distribution of the current trial, cumulative over its measured phase (or warm-up). */
struct model_dist {
	struct hist hist;	 /* ticks for wait, hold, gap; operations for run */
	struct round_dist stat;	 /* ns; for run lengths the same fields hold operations */
};

/* What changed before a sample of the history. */
struct model_mark {
	uint64_t sample; /* number of the history sample it stands at */
	char kind;	 /* the key: w workload, v variant, t threads, p placement or CPUs, k knobs,
			    m measuring mode */
	char text[24];	 /* "ttas>mcs", "2>4 thr", "pack", "hold_ns=5", "every" */
};

/*
 * One column of the wait heat map: the records of lock role 0 that came in between two history
 * samples. Row r counts waits of [2^(r+4), 2^(r+5)) ns, the first row also all below, the last all
 * above. A bucket of the histogram belongs to the octave that its middle lies in.
 */
struct model_heat {
	bool known; /* false: no sample here (a gap), or nothing that it could be taken from */
	uint32_t count[MODEL_HEAT_ROWS];
};

/* Private to model_heat.c: the counts so far, from which the next column is the difference. */
struct model_heat_mark {
	bool known;
	bool warming; /* they are of the warm-up */
	uint64_t taken_ticks;
	uint64_t count[MODEL_HEAT_ROWS];
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
	uint64_t settings;	/* private: under which it was seen, but for the variant; a hash */
	bool settings_same;	/* as the present ones; meaningful once it has run */
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
	/*
	 * Where the threads' time goes: shares of it, of lock role 0, the outermost. Inner roles
	 * lie inside its hold and are in no sum.
	 *
	 * Wait and hold are measured: mean of the stamped ops, times acquisitions a second of
	 * thread time. Neither is clamped. Outside is measured where every op is stamped, from the
	 * gaps between ops; else it is what is left of 1, a remainder and no measurement: the time
	 * of an op that has not ended is in it (see threads_idle), and so is what stamps get wrong.
	 *
	 * The three add up to 1 within MODEL_SHARE_TOLERANCE, or sums_disagree says that they do
	 * not. A remainder below 0 within the tolerance is 0, beyond it WHY_UNRESOLVED; so is a
	 * share above 1: the ops are shorter than their stamps.
	 */
	struct value wait_ratio, hold_ratio, outside_ratio;
	bool outside_measured;
	bool sums_disagree;
	/*
	 * Threads that finished no op since the measured phase began, half a second ago or longer:
	 * all figures are of the others.
	 */
	unsigned threads_idle;
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
	struct model_heat heat[MODEL_HISTORY]; /* the same samples */
	struct model_heat_mark heat_mark;
	float history_interval_s;
	unsigned mark_count;
	struct model_mark mark[MODEL_MARKS]; /* oldest first */

	unsigned role_count;
	char role_name[PAGE_ROLES][16];
	struct model_dist wait[PAGE_ROLES], hold[PAGE_ROLES];
	struct model_dist gap, run;
	struct value runs, run_mean, run_max;

	unsigned variant_count;
	struct model_variant variant[MODEL_VARIANTS]; /* in catalogue order: key n = entry n - 1 */

	unsigned message_count;	/* total ever; the newest is (message_count - 1) % MODEL_MESSAGES */
	struct model_message message[MODEL_MESSAGES];

	struct ab ab;		/* A and B, and their windows */
	double window_s;	/* wanted length of a window: 1.0 */
	struct window window;	/* private: the one that is under way */

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

/*
 * The newest sample was taken @n intervals after the one before, not one: it is repeated, and its
 * waits in the heat map are divided.
 */
void model_repeat(struct model *m, unsigned n);

/* For @n intervals there was no sample: nothing ran, or the display stood still. */
void model_gap(struct model *m, unsigned n);

/* A trial ended: its mean goes to the variant list. */
void model_trial_ended(struct model *m, const struct round *r);

/* Clears history, marks, the windows of A and B, and the variant list's results. */
void model_clear(struct model *m);

/*
 * The current configuration becomes A or B; a message says so. Windows that end from now on count,
 * also the one that is under way.
 */
void model_mark_ab(struct model *m, enum ab_name name);

/* Adds a message; long text is cut, control characters are removed. */
void model_say(struct model *m, enum model_severity s, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
