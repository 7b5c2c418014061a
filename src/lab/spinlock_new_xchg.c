/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variant `new-xchg`: the new order, unlocked by xchg, a second locked instruction.
 *
 * spinlock_dec.h has the sequence, its source and traits.
 */
#define DEC_IDENT new_xchg
#define DEC_ACQUIRE DEC_NEW
#define DEC_RELEASE DEC_XCHG
#include "src/lab/spinlock_dec.h"
#include "src/lab/spinlock_variants.h"

const struct variant_ops spinlock_new_xchg = {
	.name = "new-xchg",
	.doc = "new order, unlock by xchg: a second locked instruction",
	.excludes = true,
	.unsupported = DEC_UNSUPPORTED,
	.run = DEC_RUN,
	.own = &own,
};
