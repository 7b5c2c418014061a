/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Machines with any core PMU that libpfm4 knows, on the real encoder.
 */
#include "tests/made_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <cmocka.h>

#include <linux/perf_event.h>
#include <perfmon/pfmlib.h>

static const char *pmu_active(void *ctx)
{
	return ((const struct made_list *)ctx)->pmu;
}

/* The test's libpfm4 knows all PMUs of an architecture; a machine's only its own. */
static int encode_active(void *ctx, const char *name, bool kernel, struct perf_event_attr *a,
			 char *full, size_t size)
{
	const struct made_list *m = ctx;
	const char *colons = strstr(name, "::");
	int rc;

	if (m->refused && strcmp(name, m->refused) == 0)
		return m->refusal;
	if (colons && strncasecmp(name, "perf", 4) != 0 &&
	    (strlen(m->pmu) != (size_t)(colons - name) ||
	     strncasecmp(name, m->pmu, strlen(m->pmu)) != 0))
		return PFM_ERR_NOTFOUND;
	rc = pmu_sys_linux.encode(NULL, name, kernel, a, full, size);
	if (!rc && m->type_instead && a->type == PERF_TYPE_RAW)
		a->type = m->type_instead;
	return rc;
}

void made_list_main(void)
{
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
}

int made_list_setup(void **state)
{
	struct made_list *m = calloc(1, sizeof(*m));

	assert_non_null(m);
	made_root_init(&m->root);
	m->sys = pmu_sys_linux;
	m->sys.ctx = m;
	m->sys.root = m->root.path;
	m->sys.core_pmu = pmu_active;
	m->sys.encode = encode_active;
	*state = m;
	return 0;
}

int made_list_teardown(void **state)
{
	struct made_list *m = *state;

	pmu_list_fini(&m->list);
	made_root_fini(&m->root);
	free(m);
	return 0;
}

struct pmu_list *made_list_begin(struct made_list *m, const char *pmu)
{
	pmu_list_fini(&m->list);
	snprintf(m->pmu, sizeof(m->pmu), "%s", pmu);
	pmu_list_init(&m->list, &m->sys);
	return &m->list;
}

void made_list_preset(struct pmu_list *l, const char *name)
{
	struct err e = {0};

	assert_non_null(pmu_preset_find(name));
	if (pmu_list_add_preset(l, pmu_preset_find(name), &e) != 0)
		fail_msg("%s: %s", name, e.text);
}

void made_list_event(struct pmu_list *l, const char *name)
{
	struct err e = {0};

	if (pmu_list_add_event(l, name, &e) != 0)
		fail_msg("%s: %s", name, e.text);
}

const struct pmu_event *made_list_role(const struct pmu_list *l, enum pmu_role role)
{
	int i = pmu_list_find(l, role);

	assert_true(i >= 0);
	return &l->event[i];
}

static bool name_seen(void *arg, const char *name)
{
	(void)name;
	*(bool *)arg = true;
	return false;
}

bool made_list_pmu_known(const char *pmu)
{
	bool known = false;

	pmu_sys_names(pmu, name_seen, &known);
	return known;
}

void made_list_check(const struct pmu_list *l)
{
	unsigned members[PMU_EVENTS] = {0};

	for (unsigned i = 0; i < l->count; i++) {
		const struct pmu_event *ev = &l->event[i];

		assert_true(ev->id[0] && ev->label[0]);
		assert_true(strlen(ev->label) <= 8);
		assert_int_equal(ev->source == PMU_NOWHERE, ev->why != WHY_OK);
		assert_int_equal(ev->source == PMU_NOWHERE, ev->note[0] != '\0');
		assert_int_equal(ev->source == PMU_NOWHERE, ev->attr == NULL);
		assert_int_equal(ev->source == PMU_HARDWARE, ev->group > 0);
		assert_int_equal(ev->optional, ev->group > 1);
		assert_true(ev->group < l->group_count);
		members[ev->group]++;
		for (unsigned k = 0; k < i; k++) {
			assert_string_not_equal(ev->id, l->event[k].id);
			assert_true(ev->role == PMU_OTHER || ev->role != l->event[k].role);
		}
		if (!ev->attr)
			continue;
		assert_int_equal(ev->attr->size, sizeof(*ev->attr));
		assert_int_equal(ev->attr->read_format, PERF_FORMAT_GROUP | PERF_FORMAT_ID |
								PERF_FORMAT_TOTAL_TIME_ENABLED |
								PERF_FORMAT_TOTAL_TIME_RUNNING);
		assert_false(ev->attr->disabled || ev->attr->pinned || ev->attr->exclude_guest);
		assert_int_equal(ev->user_only, ev->attr->exclude_kernel);
	}
	for (unsigned g = 1; g < l->group_count; g++)
		assert_in_range(members[g], 1, PMU_GROUP);
}
