/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variant `old`: the i386 spinlock as it was: while not free, jump back to the pause; unlock by
 * mov.
 *
 * spinlock_dec.h has the sequence, its source and traits.
 */
#define DEC_IDENT old
#define DEC_ACQUIRE DEC_OLD
#define DEC_RELEASE DEC_MOV
#include "src/lab/spinlock_dec.h"
#include "src/lab/spinlock_variants.h"

const struct variant_ops spinlock_old = {
	.name = "old",
	.doc = "i386 of 2005: locked dec; while not free jump back (jle); unlock by mov",
	.excludes = true,
	.unsupported = DEC_UNSUPPORTED,
	.run = DEC_RUN,
	.own = &own,
};
