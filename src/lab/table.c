/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The workloads of this lab, one line each.
 */
#include "src/lab/spinlock.h"

const struct workload_ops *const workload_table[] = {
	&spinlock_workload,
	NULL,
};
