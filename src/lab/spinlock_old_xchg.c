/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variant `old-xchg`: the old order, unlocked by xchg, a second locked instruction.
 *
 * spinlock_dec.h has the sequence, its source and traits.
 */
#define DEC_IDENT old_xchg
#define DEC_ACQUIRE DEC_OLD
#define DEC_RELEASE DEC_XCHG
#include "src/lab/spinlock_dec.h"
#include "src/lab/spinlock_variants.h"

const struct variant_ops spinlock_old_xchg = {
	.name = "old-xchg",
	.doc = "old order, unlock by xchg: a second locked instruction",
	.excludes = true,
	.unsupported = DEC_UNSUPPORTED,
	.run = DEC_RUN,
	.own = &own,
};
