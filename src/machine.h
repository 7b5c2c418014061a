/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts about this machine for headers and the key columns of every file.
 */
#ifndef HOTLINE_SRC_MACHINE_H
#define HOTLINE_SRC_MACHINE_H

#include "probes/tick.h"
#include "probes/topology.h"

/* Filled once at start, const from then on. Names are cleaned of control characters. */
struct machine {
	char host[64];
	char cpu_model[96];
	char kernel[64];
	char virt[32];	   /* "none", "kvm", "xen", ..., "vm" = some other; "unknown" */
	char governor[32]; /* cpufreq governor of the first online CPU; "" = none exposed */
	unsigned packages, cores, cpus; /* present CPUs */
	unsigned smt;	   /* hardware threads per core */
	struct tick_choice tick;
};

/*
 * Reads them. @t: the topology. Cost: a few small files. Never fails: unknowns stay "".
 * $HOTLINE_CLOCK is what tick_choose() is asked for.
 */
void machine_read(struct machine *m, const struct topology *t);

/*
 * The part that comes from /proc and /sys alone: cpu_model, virt, governor.
 * @root: prefix of their paths, "" = this machine; tests pass a folder of their own.
 */
void machine_read_files(struct machine *m, const struct topology *t, const char *root);

#endif
