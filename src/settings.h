/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks and habits that the user had saved: `key = value` lines, # begins a comment.
 *
 * Read at the start of the dashboard, written only by its key S. What the command line says wins.
 * No part of it says what is measured: a run with the same SPEC is the same for everybody.
 */
#ifndef HOTLINE_SRC_SETTINGS_H
#define HOTLINE_SRC_SETTINGS_H

#include "probes/err.h"
#include "src/cli.h"
#include "ui/state.h"

enum { SETTINGS_WARNINGS = 8, SETTINGS_BYTES = 65536, SETTINGS_PATH = 4096, SETTINGS_EVENTS = 512 };

/* Filled by settings_read(), or by whoever writes; plain data. */
struct settings {
	char path[SETTINGS_PATH];      /* of the file; "" = the environment names none */
	enum term_theme theme;
	enum cli_color color;
	bool ascii, mouse;
	double interval_s;
	enum page_measure measure;
	unsigned sample_n;	       /* for PAGE_MEASURE_SAMPLED */
	char events[SETTINGS_EVENTS];  /* "" = the default */
	struct ui_sort sort[ROWS_TABLES];
	unsigned events_line;	       /* where the file has them, for a warning; 0 = nowhere */
	unsigned warning_count;	       /* beyond SETTINGS_WARNINGS they are only counted */
	char warning[SETTINGS_WARNINGS][256]; /* file, line and what is wrong, no newline */
};

/* What holds without a file; no path. */
struct settings settings_default(void);

/*
 * Sets the path of the file: @xdg/hotline/config, or @home/.config/hotline/config if @xdg is NULL,
 * empty or relative (XDG Base Directory Specification). The environment comes in as arguments.
 * Errors: -ENOENT (neither is set), -ENAMETOOLONG.
 */
int settings_path(struct settings *s, const char *xdg, const char *home, struct err *e);

/*
 * Takes over what @text says, the contents of the file; @text is modified. Each line that is not
 * understood becomes a warning, and its default stays.
 */
void settings_parse(struct settings *s, char *text);

/* The text of the file. Returns the length needed without the final 0, as snprintf does. */
size_t settings_format(const struct settings *s, char *buf, size_t size);

/*
 * Reads the file s->path into @s, which is the default. A file that is not there is none. What
 * cannot be read or understood becomes a warning, and its default stays.
 */
void settings_read(struct settings *s);

/* Adds a warning: "PATH:LINE: ...", without the line if it is 0. Control characters are removed. */
void settings_warn(struct settings *s, unsigned line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Writes the file anew, whole or not at all; folders that are missing are made, for the user alone.
 * A symbolic link is followed. What is as by default is written as a comment.
 * Errors: -errno of what failed; the text names it and the path.
 */
int settings_write(const struct settings *s, struct err *e);

/* Puts into @o what its command line left open. Text points into @s. */
void settings_apply(const struct settings *s, struct cli_options *o);

#endif
