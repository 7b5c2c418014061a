/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `hotline list`: what can be run, for people and for programs.
 */
#ifndef HOTLINE_SRC_LIST_H
#define HOTLINE_SRC_LIST_H

#include "probes/err.h"
#include "src/catalog.h"
#include "src/cli.h"

#include <stdio.h>

/*
 * Prints the workloads, or one workload's variants, knobs and lock roles.
 * @workload: NULL = all.
 * Errors: -EINVAL (no such workload: the text names it and the nearest match), -ENOMEM. Whether
 * @out could be written is the caller's to see.
 */
int list_cmd(const struct catalog *c, const char *workload, enum cli_format format, FILE *out,
	     struct err *e);

#endif
