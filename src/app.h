/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The dashboard: one thread, one poll loop over terminal, timer, signals and the lab's exit.
 */
#ifndef HOTLINE_SRC_APP_H
#define HOTLINE_SRC_APP_H

#include "probes/err.h"
#include "src/cli.h"
#include "src/config.h"
#include "src/settings.h"
#include "src/trial.h"

/*
 * Runs the dashboard until the user quits.
 * @saved: what the settings file said, @o has it already; S writes that file.
 * @first: complete; the dashboard's own knob defaults are put in where the user gave none.
 * Returns the exit status: 0, 128 + n after signal n, 1 with @e if the terminal cannot be used.
 */
int app_run(const struct cli_options *o, const struct settings *saved, struct trial_env *env,
	    const struct config *first, struct err *e);

/*
 * Prints one frame of @cols x @rows as text on stdout after one round (--screen), without a
 * terminal.
 * Returns the exit status.
 */
int app_screen(const struct cli_options *o, struct trial_env *env, const struct config *first,
	       struct err *e);

#endif
