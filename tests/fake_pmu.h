/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An operating system with counters as the test wants them: every failure of every call, on a
 * machine without a PMU; and lists of events made by hand.
 */
#ifndef HOTLINE_TESTS_FAKE_PMU_H
#define HOTLINE_TESTS_FAKE_PMU_H

#include <linux/perf_event.h>

#include "probes/pmu_check.h"
#include "probes/pmu_set.h"

enum { FAKE_EVENTS = 48, FAKE_CALLS = 8192, FAKE_FDS = 4096, FAKE_FD_FIRST = 100000 };

/* What the machine can count; a later change shows at the next read. */
struct fake_event {
	uint32_t type;
	uint64_t config; /* without the type of a hybrid's PMU */
	uint32_t pmu;	 /* that type; 0 = on any */
	int tid;	 /* of this thread only; 0 = any */
	/* errno of opening it: at all, with the kernel's part, as a sibling; 0 = it opens */
	int open_errno, kernel_errno, sibling_errno;
	uint64_t value, enabled_ns, running_ns; /* cumulative, once enabled; times of a leader */
};

/* How a group that was enabled is read. */
enum fake_read {
	FAKE_READ_WELL,
	FAKE_READ_NOTHING,   /* 0 bytes: in error state */
	FAKE_READ_SHORT,     /* the last value is cut off, nr still counts it */
	FAKE_READ_HEAD,	     /* not even the times are whole */
	FAKE_READ_ERROR,     /* -ENOSPC */
	FAKE_READ_NR_MANY,   /* nr far above what is there */
	FAKE_READ_NR_NONE,   /* nr 0 */
	FAKE_READ_REVERSED,  /* members in another order */
	FAKE_READ_STRANGERS, /* ids of nobody */
};

enum fake_call_kind { FAKE_OPEN, FAKE_READ, FAKE_ENABLE, FAKE_DISABLE, FAKE_CLOSE, FAKE_RAISE };

struct fake_call {
	enum fake_call_kind kind;
	int rc, fd, tid, cpu, group;
	struct perf_event_attr attr; /* of FAKE_OPEN */
};

struct fake_fd {
	bool open, enabled;
	const struct fake_event *event;
	int leader; /* descriptor */
	uint64_t id, read_format;
};

/* Zeroed = no event, no descriptor; fake_init() gives the table and 1,024 descriptors. */
struct fake_pmu {
	struct pmu_sys sys;
	unsigned event_count;
	struct fake_event event[FAKE_EVENTS];
	enum fake_read read_as;
	unsigned group_fits; /* larger ones of hardware never run; 0 = all fit */
	uint32_t attr_size;  /* the kernel knows no larger attr; 0 = any */
	uint64_t soft, hard, used;
	int raise_errno, control_errno;
	unsigned fd_count, call_count;
	struct fake_fd fd[FAKE_FDS];
	struct fake_call call[FAKE_CALLS];
};

/* Allocates; aborts if there is no memory. Free with free(). */
struct fake_pmu *fake_new(void);

/* The machine can count this from now on. Returns it. */
struct fake_event *fake_count(struct fake_pmu *f, uint32_t type, uint64_t config, uint64_t value,
			      uint64_t enabled_ns, uint64_t running_ns);

/* Calls of a kind so far. */
unsigned fake_calls(const struct fake_pmu *f, enum fake_call_kind kind);

/* The @nth successful open, from 0; NULL if there was none. */
const struct fake_call *fake_opened(const struct fake_pmu *f, unsigned nth);

/* Descriptors that are open. */
unsigned fake_open(const struct fake_pmu *f);

/*
 * An empty list on @sys whose host has a PMU "cpu", no filter, paranoid 2, no capability, and
 * limits of descriptors as @sys says. Free with pmu_list_fini().
 */
void fake_list(struct pmu_list *l, const struct pmu_sys *sys);

/* A hybrid's kind of core; the first call takes "cpu" away. */
void fake_list_core(struct pmu_list *l, const char *name, uint32_t type, const char *cpus);

/* Adds an event that is to be opened; keeps group_count. Returns it. */
struct pmu_event *fake_list_add(struct pmu_list *l, const char *id, enum pmu_role role,
				unsigned group, uint32_t type, uint64_t config);

/* Adds the four software events as group 0. */
void fake_list_software(struct pmu_list *l);

/* Adds cycles, instructions, cache misses as group 1. */
void fake_list_hardware(struct pmu_list *l);

/* The events of a fake_run, in the order of its list and of its machine. */
enum { FAKE_CLOCK, FAKE_SWITCHES, FAKE_MIGRATIONS, FAKE_FAULTS, FAKE_CYCLES, FAKE_INSTRUCTIONS,
       FAKE_MISSES, FAKE_RUN_EVENTS };
enum { FAKE_RUN_THREADS = 4 };

/*
 * A machine that counts those seven, a list of them, and a set of threads. Software counts 100,
 * 101, ... in 5000 ns, hardware 200, 201, 202 in 6000 ns.
 */
struct fake_run {
	struct fake_pmu *f;
	struct pmu_list l;
	struct pmu_set s;
	struct pmu_count c[FAKE_RUN_THREADS * FAKE_RUN_EVENTS]; /* of the last reading */
	struct pmu_checked checked[PMU_EVENTS];		/* for the self-test */
};

/* Thread ids that no kernel gives out: /proc knows none of them. */
extern const int fake_tid[FAKE_RUN_THREADS];

/* Allocates; aborts if there is no memory. fake_run_free() closes the set. */
struct fake_run *fake_run_new(void);
void fake_run_free(struct fake_run *u);

/* Opens the first @threads of fake_tid on @cpu[], and reads once. */
void fake_run_open(struct fake_run *u, const int *cpu, unsigned threads);

const struct pmu_count *fake_run_count(const struct fake_run *u, unsigned thread, unsigned event);

#endif
