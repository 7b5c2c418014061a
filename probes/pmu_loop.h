/* SPDX-License-Identifier: MIT */
/*
 * A loop whose instructions are known: what the self-test of the counters runs.
 */
#ifndef HOTLINE_PROBES_PMU_LOOP_H
#define HOTLINE_PROBES_PMU_LOOP_H

/* Instructions of the loop itself; the walk adds less than 2 %, the kernel's own come on top. */
enum { PMU_LOOP_INSTRUCTIONS = 4000000 };

/*
 * The loop: exactly PMU_LOOP_INSTRUCTIONS instructions of user mode, then a walk through fresh
 * memory that must miss the first cache. Inline assembly; x86-64 and aarch64. Cost: about 1 ms.
 */
void pmu_loop_run(void);

#endif
