/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `hotline topology`: the CPUs of this machine, for people and for programs.
 */
#ifndef HOTLINE_SRC_TOPOLOGY_CMD_H
#define HOTLINE_SRC_TOPOLOGY_CMD_H

#include "probes/topology.h"
#include "src/machine.h"

#include <stdio.h>

/*
 * Prints one row a CPU, offline ones included.
 * @format: enum cli_format. Text opens with a line about the machine, and writes "-" for what is
 * not known; CSV leaves the cell empty, JSON says null.
 * @out: any stream; flushed.
 * Errors: -EIO if it cannot be written, -ENOMEM. Returns 0.
 */
int topology_cmd(const struct topology *t, const struct machine *m, int format, FILE *out);

#endif
