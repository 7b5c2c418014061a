/* SPDX-License-Identifier: MIT */
/*
 * Lists of CPU ids as people and the kernel write them: "0,2-5".
 */
#ifndef HOTLINE_PROBES_CPULIST_H
#define HOTLINE_PROBES_CPULIST_H

#include "probes/err.h"

enum { CPULIST_ID_MAX = 65535 }; /* far above CONFIG_NR_CPUS of any kernel; bounds the parser */

/*
 * Parses a list of CPU ids: "0,2-5", with '+' allowed for ',' ("0+2-5", as in a SPEC).
 * @out: ids in the order written, duplicates refused; @out_max entries.
 * Returns the number of ids, or -EINVAL (the text names the word and the form), -ERANGE
 * (more than @out_max, or an id above CPULIST_ID_MAX).
 * Threads: any.
 */
int cpulist_parse(const char *text, int *out, unsigned out_max, struct err *e);

/*
 * Writes ids in the order given as "0,2-5"; ids below 0 (unpinned threads) are left out.
 * @size: at least 4; what does not fit ends in "...". Returns @buf.
 */
char *cpulist_format(const int *cpu, unsigned count, char *buf, unsigned size);

#endif
