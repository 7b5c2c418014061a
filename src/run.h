/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `hotline run`: all rounds of all configurations, interleaved, without a terminal.
 */
#ifndef HOTLINE_SRC_RUN_H
#define HOTLINE_SRC_RUN_H

#include "probes/err.h"
#include "src/cli.h"
#include "src/spec.h"
#include "src/trial.h"

#include <stdbool.h>

/*
 * Runs and reports. A trial that fails is one line on stderr, the others go on; SIGINT, SIGTERM,
 * SIGHUP and SIGQUIT end the run, and what was finished is reported.
 * @list: complete configurations, at least one. @ascii: no UTF-8 in the report.
 * Prints on stdout and stderr; whether stdout could be written is the caller's to see.
 * Returns the exit status: 0; 1 a trial failed, a variant did not exclude, the limit was reached,
 * or a file could not be written (@e then has a text); 128 + n after signal n.
 */
int run_cmd(const struct cli_options *o, struct trial_env *env, const struct spec_list *list,
	    bool ascii, struct err *e);

/*
 * Which configuration runs at @place (0..) of round @round (0..): ABBA for two, rotated for more,
 * so that no configuration always follows the same one at the same place. Pure.
 */
unsigned run_order(unsigned configs, unsigned round, unsigned place);

#endif
