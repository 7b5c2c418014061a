/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lab describes itself: one record a line, fields separated by tabs, no field holds a tab or a
 * newline.
 *
 *   hotline-lab 1                                                   (first line: format version)
 *   workload NAME DOC OP_DOC THREADS_MIN THREADS_DEFAULT THREADS_MAX PLACE_FREE
 *   role     NAME ACQUIRES_PER_OP
 *   knob     NAME KIND UNIT DEFAULT DEFAULT_DASHBOARD MIN MAX CHOICES ONLY DOC
 *   variant  NAME EXCLUDES SUPPORTED WHY_NOT DOC
 *
 * role, knob and variant lines belong to the workload line above them. KIND is int, choice or
 * text; CHOICES are joined by '|', ONLY by ','; an empty field is "-". Flags are 0 or 1.
 * src/catalog.c reads it.
 */
#ifndef HOTLINE_LAB_DESCRIBE_H
#define HOTLINE_LAB_DESCRIBE_H

#include <stdio.h>

/* Prints the description of everything in the workload table. Returns 0 or -EIO. */
int describe_print(FILE *f);

#endif
