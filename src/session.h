/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A dashboard's session without its terminal: the running trial, the model, the rounds that were
 * seen, the recording. src/app.c gives it ticks and the user's wishes.
 *
 * A wish that changes the configuration asks the running trial to end; the next one starts when it
 * has, so no number ever mixes two configurations.
 */
#ifndef HOTLINE_SRC_SESSION_H
#define HOTLINE_SRC_SESSION_H

#include "src/flow/csv.h"
#include "src/flow/model.h"
#include "src/trial.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	SESSION_ROUNDS = 64,		   /* rounds kept for a snapshot */
	SESSION_ROUND_BYTES = 4 << 20,	   /* and their memory together; the oldest go first */
};

/* Written by the functions below only. */
struct session {
	struct trial_env *env;
	struct model *model;
	struct plan plan;
	struct config config; /* of the running trial, or of the one that ended last */
	struct config next;   /* to be started when the running trial has ended */
	bool have_next;
	bool have_trial;
	struct trial trial;
	bool frozen;	      /* the model stands still */
	struct round shown;   /* what the model shows; with buckets while frozen */
	bool have_shown;
	struct round *kept[SESSION_ROUNDS];
	unsigned kept_count;
	struct csv_series series;
	bool recording;
	char stem[400];	      /* -o; "" = default names */
	uint64_t begin_ns;    /* CLOCK_MONOTONIC at the start */
	uint64_t cpu_at_ns, cpu_used_us; /* own cost: at the last look */
	uint64_t os_at_ns;	  /* trial_os_read() was called then */
};

/*
 * @first: complete, with the dashboard's knob defaults. Starts no trial.
 * Returns 0 or -ENOMEM.
 */
int session_init(struct session *s, struct trial_env *env, const struct config *first,
		 const struct plan *p, const char *stem, struct err *e);

/* Ends the trial, closes the recording, frees everything. */
void session_fini(struct session *s);

/* Starts the current configuration if no trial runs; an error becomes a message. */
void session_start(struct session *s);

/*
 * Ticks the trial, updates the model, starts what is due.
 * @refresh: a refresh is due: adds a sample to the history and a row to the recording.
 */
void session_tick(struct session *s, bool refresh);

/*
 * Milliseconds until session_tick() is due before the next refresh, as when a trial ends; -1 = not.
 */
int session_hurry_ms(const struct session *s);

/*
 * Asks for another configuration. It is completed and checked first; a bad one becomes a message
 * and changes nothing. @mark: what the history shows, "ttas>mcs".
 */
void session_switch(struct session *s, const struct config *c);

/* Knobs that @cfg leaves open take the dashboard's defaults: some contention to look at. */
void session_knobs_open(const struct catalog *c, struct config *cfg);

/*
 * session_switch() with one thing changed: another variant or workload by its index, a knob as
 * "name=value" (@text is modified), the number of threads. A workload begins with its defaults, on
 * the CPUs that were asked for.
 */
void session_variant(struct session *s, unsigned index);
void session_workload(struct session *s, unsigned index);
void session_knob(struct session *s, char *text);
void session_threads(struct session *s, long n);

/* The next measuring mode: auto, off, sampled where the user gave an N, every. */
void session_measure_next(struct session *s);

/* The same for another measuring mode. */
void session_measure(struct session *s, enum page_measure mode);

/* The next placement policy that this machine can do. */
void session_place_next(struct session *s);

/* Freezes or thaws the display; workers go on. */
void session_freeze(struct session *s, bool frozen);

/* Keeps a round for the snapshot, taking it over; the oldest give way, which becomes a message. */
void session_keep(struct session *s, const struct round *r);

/* Forgets the oldest of the kept rounds; there must be one. */
void session_drop_oldest(struct session *s);

/* Writes all kept rounds and the one shown; the outcome becomes a message. */
void session_snapshot(struct session *s);

/* Starts or ends the series file; the outcome becomes a message. */
void session_record_toggle(struct session *s);

/* Forgets history and rounds. */
void session_clear(struct session *s);

/* Ends the trial and waits for it, at most 0.4 s: before a suspend. */
void session_pause(struct session *s);

#endif
