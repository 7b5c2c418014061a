/* SPDX-License-Identifier: MIT */
/*
 * Placement: which thread runs on which CPU.
 *
 * Pure functions over struct topology: the same machine, list and policy always
 * give the same answer, so placements of machines nobody here owns are testable.
 */
#ifndef HOTLINE_PROBES_PLACE_H
#define HOTLINE_PROBES_PLACE_H

#include "probes/cpulist.h"
#include "probes/err.h"
#include "probes/topology.h"

enum place_policy {
	PLACE_SPREAD,  /* far apart first: packages, then last-level caches, cores, siblings last */
	PLACE_PACK,    /* fill a core, then the next core of the same cache and package */
	PLACE_SMT,     /* siblings: whole cores with SMT, all their threads */
	PLACE_CORE,    /* one per core, cores in order; siblings only when cores run out */
	PLACE_PACKAGE, /* stay in one package; the next package only when it is full */
	PLACE_NONE,    /* unpinned: every entry is -1 */
	PLACE_COUNT
};

/* The name on the command line and in CSV: "spread", "pack", ... Threads: any. */
const char *place_name(enum place_policy p);

/* Finds a policy by name. Returns 0, or -EINVAL if there is none of that name. */
int place_parse(const char *name, enum place_policy *out);

/*
 * Maps threads to CPUs. More threads than CPUs wrap around in the same order.
 * @want: kernel ids the user listed, in his order, @want_count of them (0 = all allowed).
 *   A list with PLACE_SPREAD, PACK, CORE or PACKAGE is ordered by the policy within the list.
 *   A list given by the user with the default policy is used in the list's own order:
 *   the caller passes PLACE_SPREAD and sets @keep_order.
 *   PLACE_SMT leaves out the CPUs that have no sibling in the list.
 * @out: @threads entries, kernel ids; -1 = unpinned.
 * Errors: -ENODEV a CPU that does not exist, is offline or not allowed (the text says which
 *   and why, and what is allowed), or no CPU is allowed at all; -EINVAL a list that names a CPU
 *   twice; -ENOTSUP PLACE_SMT on a machine or list without siblings; -ENOMEM.
 * Threads: any. Cost: O(cpus log cpus).
 */
struct place_request {
	enum place_policy policy;
	bool keep_order;
	const int *want;
	unsigned want_count;
	unsigned threads;
};
int place_threads(const struct topology *t, const struct place_request *rq, int *out,
		  struct err *e);

/*
 * The CPUs a request would use, in placement order, each once; returns how many (or -errno).
 * @out_max: at least t->allowed_count. PLACE_NONE: those the threads may float over, by id.
 * Errors: as place_threads(), and -ERANGE if @out_max is too small.
 */
int place_order(const struct topology *t, const struct place_request *rq, int *out,
		unsigned out_max, struct err *e);

#endif
