/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `hotline counters`: which counters work here, which don't, why, and what to do.
 */
#ifndef HOTLINE_SRC_COUNTERS_CMD_H
#define HOTLINE_SRC_COUNTERS_CMD_H

#include "probes/err.h"
#include "probes/pmu_sys.h"
#include "src/cli.h"

#include <stdio.h>

/*
 * Opens and tries events, and prints what came of it. Without names: facts about this machine's
 * counters, and all events of the presets as a table. With names (presets, events of libpfm4, lists
 * of both): how each was encoded, and whether it works.
 * @sys: the operating system, pmu_sys_linux or a test's own.
 * Text is ASCII, at most 80 columns where names allow it; "n/a:x" stands for a missing count. JSON
 * has the facts as keys and the events as an array, missing numbers are null; CSV is a row an
 * event, missing numbers are empty cells.
 * Returns 0 also if no event works.
 * Errors: -EINVAL (no such event: the text names it and the nearest match), -ENOSPC (more than
 * PMU_EVENTS), -ENOMEM. Whether @f could be written is the caller's to see.
 */
int counters_cmd(const struct pmu_sys *sys, char **names, unsigned count, enum cli_format format,
		 FILE *f, struct err *e);

#endif
