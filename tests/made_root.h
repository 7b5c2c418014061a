/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A made-up root: a temporary folder with the files of /proc and /sys that a test puts there.
 */
#ifndef HOTLINE_TESTS_MADE_ROOT_H
#define HOTLINE_TESTS_MADE_ROOT_H

struct made_root {
	char path[64]; /* no slash at the end */
};

/* An empty root. All of these fail the test if the file system refuses. */
void made_root_init(struct made_root *r);

/* Writes @text to @path ("/proc/..."), with all folders on the way. */
void made_root_write(struct made_root *r, const char *path, const char *text);

/* Removes it with all that is in it. */
void made_root_fini(struct made_root *r);

#endif
