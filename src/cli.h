/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line: words to options, and the help that describes them. Prints nothing but help.
 */
#ifndef HOTLINE_SRC_CLI_H
#define HOTLINE_SRC_CLI_H

#include "probes/err.h"
#include "src/config.h"
#include "ui/term.h"

#include <stdbool.h>
#include <stdio.h>

enum cli_command {
	CLI_DASHBOARD, /* no command word */
	CLI_RUN,
	CLI_LIST,
	CLI_COUNTERS,
	CLI_TOPOLOGY,
	CLI_HELP,
	CLI_VERSION,
};

enum cli_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

enum cli_color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Bounds of -i: a frame must not take the time of the next; a day is no refresh. */
#define CLI_INTERVAL_MIN_S 0.02
#define CLI_INTERVAL_MAX_S 60.0

/*
 * Filled by cli_parse(); const once settings_apply() and cli_color_settle() have had their turn.
 * Text points into argv.
 */
struct cli_options {
	enum cli_command command;
	struct config common;	/* what -t -c -p -k said; SPECs win */
	struct plan plan;
	const char *events;	/* -e LIST; NULL = the default */
	const char *output;	/* -o STEM; NULL = none. "-" is not kept: see rounds_on_stdout */
	bool rounds_on_stdout;	/* -o -: format is then FORMAT_CSV */
	enum cli_format format;
	enum cli_color color_mode;
	bool color;		/* set by cli_color_settle() */
	bool ascii;
	enum term_theme theme;
	bool mouse;
	unsigned screen_cols, screen_rows; /* --screen; 0 = not asked for */
	int given;		/* private: one bit an option, see cli_given() */
	unsigned arg_count;	/* words behind the command: SPECs, a workload, events, a command */
	char **arg;
};

/*
 * Parses a command line. Options may stand anywhere; "--" ends them.
 * @argv: reordered, as getopt_long(3) does.
 * Errors: -EINVAL, -ERANGE, -E2BIG, -ENOSPC: bad usage; the text names the word, what is accepted
 * and the nearest match.
 * Threads: dashboard only (getopt has globals).
 */
int cli_parse(struct cli_options *o, int argc, char **argv, struct err *e);

/* True if the option with this long name stood on the command line. */
bool cli_given(const struct cli_options *o, const char *name);

/*
 * Decides on colours: --color wins, then NO_COLOR (https://no-color.org), then whether stdout is a
 * terminal.
 * @no_color: value of NO_COLOR, NULL = unset.
 */
void cli_color_settle(struct cli_options *o, const char *no_color, bool tty);

/* The command words as accepted, joined by ", ". */
const char *cli_command_names(void);

/*
 * Prints the help of @command, NULL = the overview.
 * Errors: -EINVAL, there is no such command.
 */
int cli_help(FILE *f, const char *command, struct err *e);

#endif
