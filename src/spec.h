/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SPECs: configurations as one types them.
 *
 *   WORKLOAD[:VARIANT[,VARIANT...]][@KEY=VALUE[,KEY=VALUE...]]
 *
 * W alone = its default variant, VARIANT "all" = all that this machine supports. A variant that is
 * named twice runs once. KEY = a knob, or threads, place, cpus (ranges joined by '+'). A SPEC's own
 * keys win over the common options.
 */
#ifndef HOTLINE_SRC_SPEC_H
#define HOTLINE_SRC_SPEC_H

#include "probes/err.h"
#include "probes/topology.h"
#include "src/catalog.h"
#include "src/config.h"

/* The configurations of one run, in the order written. Free with spec_free(). */
struct spec_list {
	unsigned count;
	struct config *config;
};

/*
 * Sets threads, place or cpus of a configuration from text.
 * @key: "threads", "place" or "cpus".
 * Errors: -EINVAL, -ERANGE: the text names the word and what is accepted.
 */
int spec_set(struct config *c, const char *key, const char *value, struct err *e);

/*
 * Parses one SPEC and adds its configurations, complete and checked against the catalogue.
 * @list: zeroed before the first call. @common: what the options -t -c -p -k said.
 * @allowed_cpus: threads of a workload that takes one per CPU.
 * Errors: -EINVAL, -ERANGE, -E2BIG, -ENOSPC (bad usage: the text names the word, what is accepted,
 * the nearest match), -ENOMEM. @list keeps what it had.
 */
int spec_parse(struct spec_list *list, const char *text, const struct config *common,
	       const struct catalog *c, unsigned allowed_cpus, struct err *e);

void spec_free(struct spec_list *list);

/*
 * Checks that a configuration can be placed on this machine.
 * Errors: place_threads()'s, -ENOMEM.
 */
int spec_place_check(const struct config *c, const struct topology *t, struct err *e);

/*
 * Names configuration @i of a list: "spinlock:old", and behind '@' only those keys in which the
 * configurations of the list differ. Returns @buf.
 */
char *spec_label(const struct spec_list *list, unsigned i, char *buf, unsigned size);

#endif
