/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The crew: the pinned threads of one trial, from their birth to the check after the round.
 *
 *   open -> [worker 0 measures the clock] -> warm-up -> N is chosen -> probe -> measured phase ->
 *   check of the invariant -> probe -> done
 *
 * Between the phases all threads wait at a barrier, so that counts of a phase are exact. The
 * measured phase gets rows of its own: nothing is ever reset.
 */
#ifndef HOTLINE_LAB_CREW_H
#define HOTLINE_LAB_CREW_H

#include "src/lab/workload.h"

/*
 * Runs the trial that lab->page->ctl describes; lab->workload and lab->variant are set.
 * SIGTERM ends the phase in progress and the trial in good order.
 * Errors: workload's open, -EINVAL (a CPU that may not be used), -EAGAIN (no more threads).
 * Threads: the lab's main thread, once.
 */
int crew_run(struct lab *lab, struct err *e);

/*
 * One stamped operation in how many, so that stamps take at most 2 % of the time.
 * @op_ns: time of one operation of all threads together: a lock is a serial resource, and every
 *   stamp beside it may delay all; @stamp_ns: cost of a stamp; @handover_ns: a round trip of the
 *   lock's line, which a stamp may cause by giving the other thread its chance; 0 = there is no
 *   other. Counted up to 500 ns: beyond, it was not the line that took the time.
 * Returns 1 or more. Pure. Source: a sampled op was measured at three stamps + 18 ns alone, and at
 * about one hand-over more under contention.
 */
uint64_t crew_sample_n(double op_ns, double stamp_ns, double handover_ns);

/*
 * How often a worker publishes its ops: the mask of crew_publish_mask(). A store to the page
 * between two locked instructions has to drain in between: up to 20 % of an uncontended ticket
 * lock.
 * @op_ns: time of one operation of one thread; 0 = unknown.
 * Returns 0 (every op) to 63 (every 64th), never later than 50 us. Pure.
 */
uint64_t crew_publish_mask(double op_ns);

#endif
