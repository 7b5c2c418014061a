/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The variants of workload `spinlock`, one file each (the decrement locks share one).
 */
#ifndef HOTLINE_LAB_SPINLOCK_VARIANTS_H
#define HOTLINE_LAB_SPINLOCK_VARIANTS_H

#include "src/lab/workload.h"

extern const struct variant_ops spinlock_old;	      /* spinlock_old.c */
extern const struct variant_ops spinlock_new;	      /* spinlock_new.c */
extern const struct variant_ops spinlock_old_xchg;    /* spinlock_old_xchg.c */
extern const struct variant_ops spinlock_new_xchg;    /* spinlock_new_xchg.c */
extern const struct variant_ops spinlock_dec;	      /* spinlock_dec.c */
extern const struct variant_ops spinlock_tas;	      /* spinlock_tas.c */
extern const struct variant_ops spinlock_ttas;	      /* spinlock_ttas.c */
extern const struct variant_ops spinlock_ticket;      /* spinlock_ticket.c */
extern const struct variant_ops spinlock_mcs;	      /* spinlock_mcs.c */
extern const struct variant_ops spinlock_clh;	      /* spinlock_clh.c */
extern const struct variant_ops spinlock_pthread_spin;  /* spinlock_pthread_spin.c */
extern const struct variant_ops spinlock_pthread_mutex; /* spinlock_pthread_mutex.c */
extern const struct variant_ops spinlock_null;	      /* spinlock_null.c */

#endif
