/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of threads on a made-up machine: what is opened, what is read, what fails alone.
 */
#include "probes/pmu_set.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "probes/pmu_group.h"
#include "tests/fake_pmu.h"

static const int cpus[FAKE_RUN_THREADS] = {0, 1, 2, 3};

static void assert_count(const struct fake_run *u, unsigned thread, unsigned event, uint64_t value)
{
	assert_int_equal(fake_run_count(u, thread, event)->why, WHY_OK);
	assert_int_equal(fake_run_count(u, thread, event)->value, value);
}

static void groups_when_opened_expect_software_and_hardware_apart(void **state)
{
	struct fake_run *u = fake_run_new();
	int leader[2] = {-1, -1};

	(void)state;
	fake_run_open(u, cpus, 1);
	for (unsigned i = 0; i < FAKE_RUN_EVENTS; i++) {
		const struct fake_call *c = fake_opened(u->f, i);
		bool hardware = c->attr.type == PERF_TYPE_HARDWARE;
		bool leads = leader[hardware] < 0;

		assert_int_equal(c->tid, fake_tid[0]);
		assert_int_equal(c->cpu, -1);
		assert_int_equal(c->group, leader[hardware]);
		assert_int_equal(c->attr.disabled, leads);
		assert_int_equal(c->attr.pinned + c->attr.exclusive + c->attr.inherit, 0);
		assert_int_equal((c->attr.read_format & PERF_FORMAT_GROUP) != 0, leads);
		if (leads)
			leader[hardware] = c->fd;
	}
	assert_null(fake_opened(u->f, FAKE_RUN_EVENTS));
	assert_int_equal(u->s.open_count, FAKE_RUN_EVENTS);
	assert_int_equal(u->s.dropped, 0);
	assert_string_equal(u->s.note, "");
	/* Both leaders, once each, for all their group; nothing is reset or disabled. */
	assert_int_equal(fake_calls(u->f, FAKE_ENABLE), 2);
	assert_int_equal(fake_calls(u->f, FAKE_DISABLE), 0);
	fake_run_free(u);
}

static void groups_when_read_expect_one_read_each_and_values_by_id(void **state)
{
	struct fake_run *u = fake_run_new();
	unsigned before;

	(void)state;
	fake_run_open(u, cpus, 2);
	u->f->read_as = FAKE_READ_REVERSED;
	before = fake_calls(u->f, FAKE_READ);
	pmu_set_read(&u->s, u->c);
	assert_int_equal(fake_calls(u->f, FAKE_READ) - before, 4);
	for (unsigned t = 0; t < 2; t++) {
		for (unsigned i = 0; i < FAKE_RUN_EVENTS; i++) {
			assert_count(u, t, i, i < FAKE_CYCLES ? 100 + i : 200 + i - FAKE_CYCLES);
			assert_int_equal(fake_run_count(u, t, i)->enabled_ns,
					 i < FAKE_CYCLES ? 5000 : 6000);
		}
	}
	fake_run_free(u);
}

static void readings_when_kernel_is_odd_expect_lost_and_nothing_else(void **state)
{
	static const struct {
		enum fake_read as;
		bool first, last; /* the first and the last of the group have a value */
	} row[] = {
		{FAKE_READ_WELL, true, true},        {FAKE_READ_NOTHING, false, false},
		{FAKE_READ_SHORT, true, false},      {FAKE_READ_HEAD, false, false},
		{FAKE_READ_ERROR, false, false},     {FAKE_READ_NR_MANY, true, true},
		{FAKE_READ_NR_NONE, false, false},   {FAKE_READ_REVERSED, true, true},
		{FAKE_READ_STRANGERS, false, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct fake_run *u = fake_run_new();

		fake_run_open(u, cpus, 1);
		u->f->read_as = row[i].as;
		pmu_set_read(&u->s, u->c);
		assert_int_equal(fake_run_count(u, 0, FAKE_CYCLES)->why,
				 row[i].first ? WHY_OK : WHY_LOST);
		assert_int_equal(fake_run_count(u, 0, FAKE_MISSES)->why,
				 row[i].last ? WHY_OK : WHY_LOST);
		if (row[i].first)
			assert_count(u, 0, FAKE_CYCLES, 200);
		fake_run_free(u);
	}
}

/* cadvisor issue 2629: a counter that never ran, divided by its running time. */
static void group_never_running_expect_not_scheduled_and_no_nan(void **state)
{
	struct fake_run *u = fake_run_new();
	struct pmu_count first[FAKE_RUN_EVENTS];
	struct pmu_delta sum = {.count = {0}};

	(void)state;
	u->f->event[FAKE_CYCLES].running_ns = 0;
	for (unsigned i = FAKE_CYCLES; i < FAKE_RUN_EVENTS; i++)
		u->f->event[i].value = 0;
	fake_run_open(u, cpus, 1);
	memcpy(first, u->c, sizeof(first));
	u->f->event[FAKE_CYCLES].enabled_ns += 1000;
	pmu_set_read(&u->s, u->c);
	for (unsigned i = FAKE_CYCLES; i < FAKE_RUN_EVENTS; i++) {
		struct pmu_delta d = pmu_delta(&first[i], fake_run_count(u, 0, i));

		assert_int_equal(d.count.why, WHY_NOT_SCHEDULED);
		pmu_delta_add(&sum, &d);
		assert_int_equal(value_ratio(sum.count, value_of(10)).why, WHY_NOT_SCHEDULED);
		assert_false(isnan(sum.count.v) || isinf(sum.count.v));
	}
	fake_run_free(u);
}

static void group_running_half_the_time_expect_scaled_deltas(void **state)
{
	struct fake_run *u = fake_run_new();
	struct pmu_count first[FAKE_RUN_EVENTS];
	struct pmu_delta d;

	(void)state;
	fake_run_open(u, cpus, 1);
	memcpy(first, u->c, sizeof(first));
	u->f->event[FAKE_CYCLES].enabled_ns += 1000;
	u->f->event[FAKE_CYCLES].running_ns += 500;
	u->f->event[FAKE_INSTRUCTIONS].value += 70;
	pmu_set_read(&u->s, u->c);
	d = pmu_delta(&first[FAKE_INSTRUCTIONS], fake_run_count(u, 0, FAKE_INSTRUCTIONS));
	assert_int_equal(d.count.why, WHY_SCALED);
	assert_int_equal((int)d.count.v, 140);
	/* The software group has times of its own: it slept. */
	d = pmu_delta(&first[FAKE_SWITCHES], fake_run_count(u, 0, FAKE_SWITCHES));
	assert_int_equal(d.count.why, WHY_OK);
	assert_int_equal((int)d.count.v, 0);
	fake_run_free(u);
}

/* parca-agent issue 2639: one CPU that is offline ended the whole program. */
static void one_cpu_offline_expect_the_others_to_count(void **state)
{
	struct fake_run *u = fake_run_new();
	struct fake_event *off;

	(void)state;
	for (unsigned i = 0; i < FAKE_RUN_EVENTS; i++) {
		off = fake_count(u->f, u->f->event[i].type, u->f->event[i].config, 0, 0, 0);
		*off = u->f->event[i];
		u->f->event[i].tid = fake_tid[1];
		u->f->event[i].open_errno = i < FAKE_CYCLES ? 0 : ENODEV;
	}
	fake_run_open(u, cpus, 3);
	assert_count(u, 0, FAKE_CYCLES, 200);
	assert_count(u, 2, FAKE_MISSES, 202);
	assert_int_equal(fake_run_count(u, 1, FAKE_CYCLES)->why, WHY_OFFLINE);
	assert_int_equal(fake_run_count(u, 1, FAKE_MISSES)->why, WHY_OFFLINE);
	assert_count(u, 1, FAKE_SWITCHES, 101);
	assert_non_null(strstr(u->s.note, "CPU 1 is offline"));
	fake_run_free(u);
}

static void one_event_failing_expect_its_group_to_go_on(void **state)
{
	static const struct {
		unsigned event;
		int code, sibling_code;
		enum reason why;
		unsigned leaders; /* groups that are enabled */
	} row[] = {
		{FAKE_INSTRUCTIONS, ENOENT, 0, WHY_UNSUPPORTED, 2},
		{FAKE_CYCLES, ENOENT, 0, WHY_UNSUPPORTED, 2}, /* the next one leads */
		{FAKE_MISSES, EACCES, 0, WHY_DENIED, 2},
		{FAKE_INSTRUCTIONS, EINVAL, 0, WHY_UNSUPPORTED, 2},
		{FAKE_INSTRUCTIONS, 0, EINVAL, WHY_OK, 3}, /* a group of its own */
		{FAKE_INSTRUCTIONS, 0, EBUSY, WHY_NOT_SCHEDULED, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct fake_run *u = fake_run_new();

		u->f->event[row[i].event].open_errno = row[i].code;
		u->f->event[row[i].event].sibling_errno = row[i].sibling_code;
		fake_run_open(u, cpus, 1);
		for (unsigned k = FAKE_CYCLES; k < FAKE_RUN_EVENTS; k++) {
			if (k == row[i].event)
				assert_int_equal(fake_run_count(u, 0, k)->why, row[i].why);
			else
				assert_count(u, 0, k, 200 + k - FAKE_CYCLES);
		}
		assert_int_equal(fake_calls(u->f, FAKE_ENABLE), row[i].leaders);
		assert_int_equal(u->s.note[0] != '\0', row[i].why != WHY_OK);
		fake_run_free(u);
	}
}

static void thread_gone_expect_lost_and_its_descriptors_closed(void **state)
{
	struct fake_run *u = fake_run_new();

	(void)state;
	/* It ends between the second and the third of its hardware events. */
	*fake_count(u->f, 0, 0, 0, 0, 0) = u->f->event[FAKE_MISSES];
	u->f->event[FAKE_MISSES].tid = fake_tid[0];
	u->f->event[FAKE_MISSES].open_errno = ESRCH;
	fake_run_open(u, cpus, 2);
	for (unsigned i = 0; i < FAKE_RUN_EVENTS; i++)
		assert_int_equal(fake_run_count(u, 0, i)->why, WHY_LOST);
	assert_count(u, 1, FAKE_CYCLES, 200);
	assert_count(u, 1, FAKE_MISSES, 202);
	assert_int_equal(u->s.open_count, FAKE_RUN_EVENTS);
	assert_int_equal(fake_open(u->f), FAKE_RUN_EVENTS);
	fake_run_free(u);
}

static void group_that_cannot_be_enabled_expect_lost(void **state)
{
	struct fake_run *u = fake_run_new();

	(void)state;
	u->f->control_errno = EIO;
	fake_run_open(u, cpus, 1);
	assert_int_equal(fake_run_count(u, 0, FAKE_CYCLES)->why, WHY_LOST);
	assert_int_equal(u->s.open_count, 0);
	fake_run_free(u);
}

static void event_not_of_this_cpu_expect_its_own_reason(void **state)
{
	struct fake_run *u = fake_run_new();

	(void)state;
	u->l.event[FAKE_INSTRUCTIONS].why = WHY_IMPLAUSIBLE;
	u->l.event[FAKE_MISSES].why = WHY_UNSUPPORTED;
	u->l.event[FAKE_MISSES].source = PMU_NOWHERE;
	fake_run_open(u, cpus, 1);
	assert_count(u, 0, FAKE_CYCLES, 200);
	assert_int_equal(fake_run_count(u, 0, FAKE_INSTRUCTIONS)->why, WHY_IMPLAUSIBLE);
	assert_int_equal(fake_run_count(u, 0, FAKE_MISSES)->why, WHY_UNSUPPORTED);
	assert_int_equal(u->s.open_count, FAKE_RUN_EVENTS - 2);
	fake_run_free(u);
}

static void older_kernel_expect_shorter_attr(void **state)
{
	struct fake_run *u = fake_run_new();

	(void)state;
	u->f->attr_size = PERF_ATTR_SIZE_VER5;
	fake_run_open(u, cpus, 1);
	assert_count(u, 0, FAKE_MISSES, 202);
	assert_int_equal(fake_opened(u->f, 0)->attr.size, PERF_ATTR_SIZE_VER5);
	fake_run_free(u);
}

static void set_of_no_threads_expect_nothing(void **state)
{
	struct fake_run *u = fake_run_new();
	struct pmu_set zero = {0};

	(void)state;
	fake_run_open(u, cpus, 0);
	assert_int_equal(u->s.open_count, 0);
	pmu_set_close(&zero);
	fake_run_free(u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_when_opened_expect_software_and_hardware_apart),
		cmocka_unit_test(groups_when_read_expect_one_read_each_and_values_by_id),
		cmocka_unit_test(readings_when_kernel_is_odd_expect_lost_and_nothing_else),
		cmocka_unit_test(group_never_running_expect_not_scheduled_and_no_nan),
		cmocka_unit_test(group_running_half_the_time_expect_scaled_deltas),
		cmocka_unit_test(one_cpu_offline_expect_the_others_to_count),
		cmocka_unit_test(one_event_failing_expect_its_group_to_go_on),
		cmocka_unit_test(thread_gone_expect_lost_and_its_descriptors_closed),
		cmocka_unit_test(group_that_cannot_be_enabled_expect_lost),
		cmocka_unit_test(event_not_of_this_cpu_expect_its_own_reason),
		cmocka_unit_test(older_kernel_expect_shorter_attr),
		cmocka_unit_test(set_of_no_threads_expect_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
