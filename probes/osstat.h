/* SPDX-License-Identifier: MIT */
/*
 * What the kernel says of one thread: CPU time, switches, migrations, run delay.
 *
 * A worker reads its own at the two ends of the measured phase, the dashboard may read a
 * running one's: same files, same function. Nothing here is called in a timed loop.
 */
#ifndef HOTLINE_PROBES_OSSTAT_H
#define HOTLINE_PROBES_OSSTAT_H

#include <stdint.h>

/* Cumulative since the thread began. Fixed width: it lies in the page. */
struct osstat {
	/* utime; 10 ms steps unless the kernel accounts precisely */
	uint64_t user_us;
	uint64_t sys_us;
	uint64_t voluntary_switches;
	uint64_t involuntary_switches;
	uint64_t migrations;		/* valid if has_migrations */
	uint64_t run_delay_ns;		/* runnable but not running; valid if has_run_delay */
	uint64_t run_ns;		/* on a CPU; valid if has_run_delay */
	uint64_t page_faults;		/* minor and major */
	uint64_t steal_us;		/* of the CPU it ran on at that moment, since boot */
	uint32_t has_migrations;	/* /proc/PID/task/TID/sched exists (CONFIG_SCHED_DEBUG) */
	/* /proc/PID/task/TID/schedstat exists (CONFIG_SCHED_INFO) */
	uint32_t has_run_delay;
};
_Static_assert(sizeof(struct osstat) == 80, "lies in the page");

/*
 * Reads the figures of thread @tid of process @pid.
 * @cpu: kernel id whose steal time is wanted, -1 = none.
 * @out: zeroed first; what a kernel does not offer stays 0 with its has_ flag unset.
 * Returns 0, or -ESRCH if the thread is gone.
 * Threads: any. Cost: about 60 us (four files of /proc).
 * Source: proc(5); Documentation/scheduler/sched-stats.rst.
 */
int osstat_read(int pid, int tid, int cpu, struct osstat *out);

#endif
