/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the lab can run: workloads, their variants, knobs and lock roles.
 *
 * The lab describes itself (`hotline-lab --describe`, the format is in src/lab/describe.h); the
 * dashboard never links lab code, so a plug-in that crashes while it is opened ends a child and
 * nothing else.
 */
#ifndef HOTLINE_SRC_CATALOG_H
#define HOTLINE_SRC_CATALOG_H

#include "probes/err.h"
#include "src/config.h"

#include <stdbool.h>
#include <stdint.h>

struct catalog_variant {
	char name[32];
	char doc[256];	 /* one line */
	bool excludes;	 /* claims mutual exclusion: checked in every round */
	bool supported;	 /* on this machine */
	char why[128];	 /* why not, if not supported */
};

enum catalog_knob_kind { KNOB_INT, KNOB_CHOICE, KNOB_TEXT };

struct catalog_knob {
	char name[24];
	char doc[160];
	char unit[16];	       /* "ns", "bytes", "bits"; "" = a count or a choice */
	enum catalog_knob_kind kind;
	char def[32];	       /* default of the command line */
	char def_dashboard[32]; /* default of the dashboard; the same text if it does not differ */
	int64_t min, max;      /* KNOB_INT */
	char choices[128];     /* KNOB_CHOICE: "spin|adaptive|block" */
	char only[128];	       /* variants it applies to, "old,new"; "" = all */
};

struct catalog_role {
	char name[16];
	unsigned acquires_per_op;
};

struct catalog_workload {
	char name[32];
	char doc[256];
	char op_doc[128]; /* what one op is */
	unsigned threads_min, threads_default, threads_max; /* default 0 = one per allowed CPU */
	bool place_free;  /* placement may be chosen */
	unsigned variant_count, knob_count, role_count;
	struct catalog_variant *variant;
	struct catalog_knob *knob;
	struct catalog_role role[PAGE_ROLES];
};

/* Filled once by catalog_load(), const from then on. */
struct catalog {
	unsigned workload_count;
	struct catalog_workload *workload;
};

/*
 * Reads a description.
 * @text: what `hotline-lab --describe` printed; modified while it is read.
 * Errors: -EINVAL (line number and what is wrong), -ENOMEM.
 */
int catalog_parse(struct catalog *c, char *text, struct err *e);

void catalog_free(struct catalog *c);

/* By name, or NULL. Threads: any. */
const struct catalog_workload *catalog_find(const struct catalog *c, const char *workload);
const struct catalog_variant *catalog_variant(const struct catalog_workload *w, const char *name);
const struct catalog_knob *catalog_knob(const struct catalog_workload *w, const char *name);

/* Names of the workloads, variants or knobs joined by ", ", for messages. Returns @buf. */
char *catalog_workload_names(const struct catalog *c, char *buf, unsigned size);
char *catalog_variant_names(const struct catalog_workload *w, char *buf, unsigned size);
char *catalog_knob_names(const struct catalog_workload *w, char *buf, unsigned size);

/*
 * Checks a configuration against the catalogue and fills in what was left open: variant (the first
 * one), threads (the default, or @allowed_cpus).
 * Errors: -EINVAL (unknown name with the nearest match; a number out of range; a knob that does not
 * apply to the variant; a variant that this machine does not support), one line each.
 */
int catalog_complete(const struct catalog *c, struct config *cfg, unsigned allowed_cpus,
		     struct err *e);

/* True if a knob has a meaning for a variant of its workload. Threads: any. */
bool catalog_knob_applies(const struct catalog_knob *k, const char *variant);

/*
 * Checks one knob's value for @variant of @w. Errors: -EINVAL, -ERANGE; the text names the knob and
 * what is accepted.
 */
int catalog_knob_check(const struct catalog_workload *w, const char *variant,
		       const struct config_knob *set, struct err *e);

/* The value of a knob in force: the configuration's, else the default. "" if there is none. */
const char *catalog_knob_value(const struct catalog_workload *w, const struct config *cfg,
			       const char *name);

#endif
