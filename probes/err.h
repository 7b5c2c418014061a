/* SPDX-License-Identifier: MIT */
/*
 * One failure, as one line for the user: what failed, on what, why, what to do.
 *
 * Functions that can fail return 0 or -errno and leave the sentence in the
 * caller's struct err; only the mains and the app print it.
 */
#ifndef HOTLINE_PROBES_ERR_H
#define HOTLINE_PROBES_ERR_H

/* Written by the function that failed, read by its caller; valid after a non-zero return. */
struct err {
	int code;	/* -errno; 0 = nothing failed */
	char text[256]; /* one line, no newline; truncated, never overrun */
};

/*
 * Records a failure.
 * @e: may be NULL (the text is dropped); @code: -errno, returned as it is;
 * @fmt: "WHAT(ON WHAT): WHY (what to do)".
 * Returns @code, so that callers write `return err_set(e, -EINVAL, ...)`.
 * Threads: any; the struct is the caller's.
 */
int err_set(struct err *e, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
