/* SPDX-License-Identifier: MIT */
/*
 * The events of one thread on one kind of core: opened in groups, read group by group.
 *
 * The first event of a group that opens leads it: disabled at first, it takes the others with it.
 * An event that the group does not take leads a group of its own, one that does not open has its
 * reason; neither takes the rest down.
 */
#ifndef HOTLINE_PROBES_PMU_GROUP_H
#define HOTLINE_PROBES_PMU_GROUP_H

#include "probes/pmu_count.h"
#include "probes/pmu_list.h"

/* Where events are opened. */
struct pmu_spot {
	const struct pmu_list *list;
	const struct pmu_host *host; /* for sentences: with the limits of now */
	const struct pmu_core *core; /* hybrid machines only, else NULL */
	int tid;		     /* 0 = the caller */
	int cpu;		     /* the thread is pinned to, -1 = none; for sentences */
	uint64_t fds_needed;	     /* by all that is being opened; for sentences */
};

/* One event there. Written by the functions below. */
struct pmu_cell {
	int fd;		 /* -1 = not open */
	int code;	 /* errno of opening it; 0 = not tried, or open */
	enum reason why; /* it is not open; WHY_OK before = it is wanted */
	unsigned leader; /* index of the cell whose descriptor reads this one */
	uint64_t id;	 /* the kernel's, unique: tells values of a group apart */
};

/* A cell that is not open. */
static inline struct pmu_cell pmu_cell_closed(enum reason why)
{
	return (struct pmu_cell){.fd = -1, .why = why};
}

/* perf_event_open is to count it here; else /proc does, or nothing. */
bool pmu_event_opens(const struct pmu_event *ev);

/*
 * Opens one event with @attr as it stands. If the limit of descriptors is what fails, it is raised;
 * a kernel that knows a shorter attr gets one.
 * @tid, @group: as in struct pmu_sys. Returns a descriptor or -errno.
 */
int pmu_open_one(const struct pmu_sys *sys, const struct perf_event_attr *attr, int tid, int group);

/*
 * Opens what is wanted of @group, not yet enabled. @cell: list->count entries; those of other
 * groups are left alone.
 * Returns 0, or -ESRCH: the thread is gone.
 */
int pmu_group_open(const struct pmu_spot *at, unsigned group, struct pmu_cell *cell);

/* Why event @i did not open there, with its sentence. */
enum reason pmu_cell_why(const struct pmu_spot *at, unsigned i, const struct pmu_cell *cell,
			 char *buf, size_t size);

/* Enables or disables all that is open; what refuses is closed as WHY_LOST. */
void pmu_cells_control(const struct pmu_list *l, struct pmu_cell *cell, enum pmu_control what);

/* Reads all. @out: list->count entries; what is not open has its reason. */
void pmu_cells_read(const struct pmu_list *l, const struct pmu_cell *cell, struct pmu_count *out);

/* Closes all that is open, and leaves @why in its place. Returns how many were open. */
unsigned pmu_cells_close(const struct pmu_list *l, struct pmu_cell *cell, enum reason why);

/*
 * Readings of one event on @n kinds of core as one, @n >= 1. A thread is on one kind at a time,
 * each kind's enabled time goes on meanwhile: counts and running times add up, enabled is the
 * shortest, and no shorter than running. Unless something was multiplexed the two are equal then,
 * and neither ever runs backwards.
 * @part: one every @stride entries, in the order in which they were enabled, read in the reverse
 * order: what the calls are apart then shortens the later ones only.
 * Reason: that of the first missing part: half a count is no count.
 */
struct pmu_count pmu_count_merge(const struct pmu_count *part, unsigned n, unsigned stride);

#endif
