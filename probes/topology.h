/* SPDX-License-Identifier: MIT */
/*
 * The CPUs of this machine, by their kernel ids, as hwloc and the kernel see them.
 *
 * The struct is plain data: placement, views and CSV read it and know no hwloc.
 * A CPU is its kernel id everywhere (screen, CSV, affinity, events), never an
 * ordinal. allowed = online and in this process's affinity mask and cpuset.
 */
#ifndef HOTLINE_PROBES_TOPOLOGY_H
#define HOTLINE_PROBES_TOPOLOGY_H

#include "probes/err.h"

#include <stdbool.h>

/* One logical CPU. Ids are as the kernel gives them where it does, -1 where it does not. */
struct topology_cpu {
	int cpu;	     /* kernel id */
	int core;	     /* machine-wide index of its core, 0.. in hwloc's order; -1 offline */
	int package;	     /* machine-wide index of its package, 0..; -1 offline */
	int numa_node;	     /* kernel id of its NUMA node; -1 unknown */
	int llc;	     /* machine-wide index of its last-level cache, 0..; -1 none known */
	int smt_rank;	     /* 0 = first hardware thread of its core, 1 = second, ... */
	int efficiency_kind; /* hybrid: hwloc's CPU kind, 0 = most efficient; -1 = all alike */
	bool online;
	bool allowed;
};

/* Filled once by topology_init(), then const for all readers. cpu[] is sorted by id. */
struct topology {
	unsigned cpu_count; /* entries of cpu[]: present CPUs, offline ones included */
	unsigned online_count, allowed_count;
	unsigned package_count, core_count, numa_count;
	unsigned smt_per_core; /* most hardware threads in one core; 1 = no SMT */
	unsigned line_bytes;   /* coherence line, 0 = unknown */
	struct topology_cpu *cpu;
};

/*
 * Where the facts come from; all NULL = this machine.
 * Owned by the caller, used only during topology_init().
 */
struct topology_source {
	const char *synthetic;	  /* hwloc synthetic description, e.g. "package:2 core:8 pu:2" */
	const char *xml_path;	  /* a topology saved by lstopo as XML */
	const char *offline_list; /* with the two above: ids to mark offline, "0,5-7" */
	const char *allowed_list; /* with the two above: ids that are allowed; NULL = all online */
};

/*
 * Reads the topology.
 * @src: NULL = this machine (hwloc, /sys/devices/system/cpu/{present,online}, affinity mask).
 * Errors: -ENOENT or -EINVAL for a file or description hwloc refuses, -ENOMEM.
 * Threads: dashboard only. Cost: a few ms. Source: hwloc 2 manual, cpusets.
 */
int topology_init(struct topology *t, const struct topology_source *src, struct err *e);

/* Releases what topology_init() allocated; @t may be zeroed. */
void topology_fini(struct topology *t);

/* The entry of kernel id @cpu, or NULL if there is no such CPU. */
const struct topology_cpu *topology_find(const struct topology *t, int cpu);

#endif
