/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where each CPU's cell stands in the strip: by NUMA node, in runs of ids that follow one another.
 *
 * "node 0  cpu   0-15 ........  smt  64-79 ........": a run is split into segments of the same
 * width, so that cells stand below one another.
 */
#ifndef HOTLINE_UI_STRIP_H
#define HOTLINE_UI_STRIP_H

#include "probes/topology.h"

enum { STRIP_CPUS = 4096, STRIP_SEGMENTS = 1024, STRIP_TEXT = 32 };

/* Ids first, first + step, ... last: one label and a row of cells. */
struct strip_segment {
	int line, col;	     /* of its first cell */
	unsigned at, count;  /* its CPUs are order[at] and so on */
	int first, last, step; /* kernel ids */
	int node;	     /* kernel id; -1: no label of the node stands in front */
	bool is_smt;	     /* second and further hardware threads of their cores */
};

/* Made by strip_make(); about 45 KiB, on the caller's stack. */
struct strip {
	int lines;
	int node_cells, word_cells, range_cells; /* of the labels; 0 = no room for it */
	unsigned cpu_count;			 /* CPUs that have a cell */
	unsigned segment_count;
	struct strip_segment segment[STRIP_SEGMENTS];
	unsigned short order[STRIP_CPUS]; /* indices of topology.cpu, by node and id */
};

/*
 * Lays out all present CPUs of @t in lines of @cols cells (1 and more). CPUs beyond STRIP_CPUS or
 * STRIP_SEGMENTS have no cell: cpu_count tells. An offline CPU, whose node the kernel does not
 * tell, stands with the one in front of it. No CPUs or @t NULL: no lines.
 * Cost: a pass over the CPUs for each node.
 */
void strip_make(struct strip *s, const struct topology *t, int cols);

/* "0-15", or "0-62/2" for every second one, or "5". Returns @buf. */
char *strip_range(const struct strip_segment *s, char buf[STRIP_TEXT]);

#endif
