/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A made-up model whose figures agree with one another: for screens and keys.
 *
 * One worker a CPU, all on one MCS lock: threads / throughput = mean wait + hold + think, shares
 * add up, percentiles are those of the histograms.
 */
#ifndef HOTLINE_TESTS_FIXTURE_H
#define HOTLINE_TESTS_FIXTURE_H

#include "src/flow/model.h"

/*
 * Fills @m for a machine of @cpus CPUs, @cpus >= 1; with 7 and more one of them went offline.
 * Aborts if there is no memory. Free with fixture_free().
 */
void fixture_model(struct model *m, unsigned cpus);

/* Takes every figure away, each for another reason. */
void fixture_missing(struct model *m);

/* Another variant by index, marked as running. */
void fixture_variant(struct model *m, unsigned index);

void fixture_free(struct model *m);

#endif
