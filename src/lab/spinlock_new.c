/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variant `new`: the proposed order: as soon as it is free, jump to the decrement; unlock by mov.
 *
 * spinlock_dec.h has the sequence, its source and traits.
 */
#define DEC_IDENT new
#define DEC_ACQUIRE DEC_NEW
#define DEC_RELEASE DEC_MOV
#include "src/lab/spinlock_dec.h"
#include "src/lab/spinlock_variants.h"

const struct variant_ops spinlock_new = {
	.name = "new",
	.doc = "the proposed order: free jumps to the dec (jg); unlock by mov",
	.excludes = true,
	.unsupported = DEC_UNSUPPORTED,
	.run = DEC_RUN,
	.own = &own,
};
