/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A made-up machine for lists of events: a root of its own, and a libpfm4 with one active core PMU.
 */
#ifndef HOTLINE_TESTS_MADE_LIST_H
#define HOTLINE_TESTS_MADE_LIST_H

#include "probes/pmu_list.h"
#include "tests/made_root.h"

#define MADE_DEVICES "/sys/bus/event_source/devices"
#define MADE_INTEL "vendor_id\t: GenuineIntel\n"

/* Tests write files below root and change the fields of encode(). */
struct made_list {
	struct made_root root;
	struct pmu_sys sys;
	char pmu[64];	       /* the active one; "" = none */
	const char *refused;   /* name that encode() refuses, NULL = none */
	int refusal;	       /* with what */
	uint32_t type_instead; /* of PERF_TYPE_RAW, 0 = as it is */
	struct pmu_list list;
};

/*
 * Have libpfm4 encode names of PMUs that this machine lacks: before it is first used, by setenv()
 * of LIBPFM_ENCODE_INACTIVE. Encoding then works for the made-up machine's own PMU only.
 */
void made_list_main(void);

/* For cmocka: *@state becomes a struct made_list. */
int made_list_setup(void **state);
int made_list_teardown(void **state);

/* Starts the list anew on a CPU with @pmu. */
struct pmu_list *made_list_begin(struct made_list *m, const char *pmu);

/* Add, and fail the test if that fails. */
void made_list_preset(struct pmu_list *l, const char *name);
void made_list_event(struct pmu_list *l, const char *name);

/* The event of a role that is there. */
const struct pmu_event *made_list_role(const struct pmu_list *l, enum pmu_role role);

/* libpfm4 has the PMUs of the architecture that it was built for. */
bool made_list_pmu_known(const char *pmu);

/* Asserts what holds of every list. */
void made_list_check(const struct pmu_list *l);

#endif
