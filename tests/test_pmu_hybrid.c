/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Machines with two kinds of core: each thread is counted where it runs.
 */
#include "probes/pmu_set.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "probes/pmu_group.h"
#include "tests/fake_pmu.h"

enum { P_TYPE = 4, E_TYPE = 10 };

static const int cpus[FAKE_RUN_THREADS] = {0, 1, 2, 3};
static const int unpinned[FAKE_RUN_THREADS] = {-1, -1, -1, -1};

static void assert_count(const struct fake_run *u, unsigned thread, unsigned event, uint64_t value)
{
	assert_int_equal(fake_run_count(u, thread, event)->why, WHY_OK);
	assert_int_equal(fake_run_count(u, thread, event)->value, value);
}

/* The type of the kind of core that a generic attr is bound to. */
static uint32_t bound_to(const struct fake_call *c)
{
	return (uint32_t)(c->attr.config >> 32);
}

/* P-cores are CPUs 0-1, E-cores 2-3; each counts the same events with values of its own. */
static void setup_hybrid(struct fake_run *u)
{
	fake_list_core(&u->l, "cpu_core", P_TYPE, "0-1");
	fake_list_core(&u->l, "cpu_atom", E_TYPE, "2-3");
	for (unsigned i = FAKE_CYCLES; i < FAKE_RUN_EVENTS; i++) {
		struct fake_event *e = fake_count(u->f, 0, 0, 0, 0, 0);

		*e = u->f->event[i];
		e->pmu = E_TYPE;
		e->value += 1000;
		u->f->event[i].pmu = P_TYPE;
	}
}

/* gem5 issue 1064: threads on E-cores counted 0, bound to the P-cores' PMU. */
static void hybrid_pinned_expect_pmu_of_its_cpu(void **state)
{
	struct fake_run *u = fake_run_new();

	(void)state;
	setup_hybrid(u);
	fake_run_open(u, cpus, 4);
	assert_count(u, 1, FAKE_INSTRUCTIONS, 201);
	assert_count(u, 2, FAKE_INSTRUCTIONS, 1201);
	assert_count(u, 3, FAKE_CYCLES, 1200);
	for (unsigned i = 0; i < 4 * FAKE_RUN_EVENTS; i++) {
		const struct fake_call *c = fake_opened(u->f, i);

		if (c->attr.type == PERF_TYPE_HARDWARE)
			assert_int_equal(bound_to(c), c->tid < fake_tid[2] ? P_TYPE : E_TYPE);
		else
			assert_int_equal(bound_to(c), 0);
	}
	assert_int_equal(u->s.open_count, 4 * FAKE_RUN_EVENTS);
	fake_run_free(u);
}

static void hybrid_unpinned_expect_sum_of_both_kinds(void **state)
{
	struct fake_run *u = fake_run_new();
	struct pmu_count first[FAKE_RUN_EVENTS];
	struct pmu_delta d;

	(void)state;
	setup_hybrid(u);
	/* 4 us on P, 2 us on E; E was enabled 10 ns later. */
	u->f->event[FAKE_CYCLES].running_ns = 4000;
	u->f->event[FAKE_RUN_EVENTS].enabled_ns = 5990;
	u->f->event[FAKE_RUN_EVENTS].running_ns = 1995;
	fake_run_open(u, unpinned, 1);
	assert_int_equal(u->s.open_count, FAKE_RUN_EVENTS + 3);
	assert_count(u, 0, FAKE_CYCLES, 200 + 1200);
	assert_int_equal(fake_run_count(u, 0, FAKE_CYCLES)->enabled_ns,
			 fake_run_count(u, 0, FAKE_CYCLES)->running_ns);
	assert_count(u, 0, FAKE_SWITCHES, 101);
	memcpy(first, u->c, sizeof(first));
	/* 3 us more on E, and both are only read. */
	u->f->event[FAKE_CYCLES].enabled_ns += 3000;
	u->f->event[FAKE_RUN_EVENTS].enabled_ns += 3000;
	u->f->event[FAKE_RUN_EVENTS].running_ns += 3000;
	u->f->event[FAKE_RUN_EVENTS].value += 77;
	pmu_set_read(&u->s, u->c);
	d = pmu_delta(&first[FAKE_CYCLES], fake_run_count(u, 0, FAKE_CYCLES));
	assert_int_equal(d.count.why, WHY_OK);
	assert_int_equal((int)d.count.v, 77);
	assert_true(pmu_delta_running(&d).v == 1);
	fake_run_free(u);
}

static void hybrid_unpinned_with_event_of_one_kind_expect_no_half_count(void **state)
{
	struct fake_run *u = fake_run_new();

	(void)state;
	setup_hybrid(u);
	u->f->event[FAKE_RUN_EVENTS + 2].open_errno = ENOENT; /* misses on E-cores */
	fake_run_open(u, unpinned, 1);
	assert_count(u, 0, FAKE_CYCLES, 1400);
	assert_int_equal(fake_run_count(u, 0, FAKE_MISSES)->why, WHY_UNSUPPORTED);
	fake_run_free(u);
}

static void parts_when_merged_expect_running_of_the_whole(void **state)
{
	static const struct {
		struct pmu_count part[2];
		uint64_t value, enabled_ns, running_ns;
		enum reason why;
	} row[] = {
		{{{.value = 3, .enabled_ns = 100, .running_ns = 60},
		  {.value = 4, .enabled_ns = 100, .running_ns = 40}},
		 7,
		 100,
		 100,
		 WHY_OK},
		/* Multiplexed: half of what it ran on each. */
		{{{.value = 3, .enabled_ns = 100, .running_ns = 30},
		  {.value = 4, .enabled_ns = 100, .running_ns = 20}},
		 7,
		 100,
		 50,
		 WHY_OK},
		/* The second was enabled later and read earlier. */
		{{{.value = 3, .enabled_ns = 100, .running_ns = 60},
		  {.value = 4, .enabled_ns = 90, .running_ns = 32}},
		 7,
		 92,
		 92,
		 WHY_OK},
		{{{.value = 3, .enabled_ns = 100, .running_ns = 0},
		  {.value = 4, .enabled_ns = 100, .running_ns = 0}},
		 7,
		 100,
		 0,
		 WHY_OK},
		{{{.value = 3, .enabled_ns = 100, .running_ns = 60}, {.why = WHY_DENIED}},
		 0,
		 0,
		 0,
		 WHY_DENIED},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct pmu_count c = pmu_count_merge(row[i].part, 2, 1);

		assert_int_equal(c.why, row[i].why);
		assert_int_equal(c.value, row[i].value);
		assert_int_equal(c.enabled_ns, row[i].enabled_ns);
		assert_int_equal(c.running_ns, row[i].running_ns);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hybrid_pinned_expect_pmu_of_its_cpu),
		cmocka_unit_test(hybrid_unpinned_expect_sum_of_both_kinds),
		cmocka_unit_test(hybrid_unpinned_with_event_of_one_kind_expect_no_half_count),
		cmocka_unit_test(parts_when_merged_expect_running_of_the_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
