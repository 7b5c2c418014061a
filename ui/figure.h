/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures that only the screen shows: shares, small counts, the running time.
 */
#ifndef HOTLINE_UI_FIGURE_H
#define HOTLINE_UI_FIGURE_H

#include "probes/value.h"

enum { FIGURE_SIZE = 24 };

/* A share 0..1 in per cent: "96%", "6.4%"; missing values as text_value(). Returns @buf. */
char *figure_percent(struct value v, char buf[FIGURE_SIZE]);

/* A count: whole numbers below 1000 without decimals, else as text_value(). Returns @buf. */
char *figure_count(struct value v, char buf[FIGURE_SIZE]);

/* Seconds as "00:01:42", 100 hours and more as "4d 04:00". Returns @buf. */
char *figure_clock(double seconds, char buf[FIGURE_SIZE]);

/* Seconds as "16 s" or "0.5 s". Returns @buf. */
char *figure_seconds(double seconds, char buf[FIGURE_SIZE]);

#endif
