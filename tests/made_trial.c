/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The made-up trial: machine, configuration, snapshot.
 */
#include "tests/made_trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const uint64_t ticks_per_ns = MADE_HZ / 1000000000u;

void made_hist(struct hist *h, uint64_t value, uint64_t count)
{
	unsigned i = hist_index(value);

	h->bucket[i] += count;
	h->used_mask |= 1ull << (i >> HIST_SUB_BITS);
	h->sum += value * count;
	if (value > h->max)
		h->max = value;
}

bool made_number_is(struct value v, double expected)
{
	return v.why == WHY_OK && isfinite(expected) &&
	       fabs(v.v - expected) <= fabs(expected) * 1e-9;
}

static void machine_fill(struct made_trial *m)
{
	for (int i = 0; i < MADE_CPUS; i++)
		m->cpu[i] = (struct topology_cpu){.cpu = i,
						  .core = i,
						  .package = i / 2,
						  .numa_node = i / 2,
						  .online = true,
						  .allowed = true};
	m->topology = (struct topology){.cpu_count = MADE_CPUS,
					.online_count = MADE_CPUS,
					.allowed_count = MADE_CPUS,
					.package_count = 2,
					.core_count = MADE_CPUS,
					.numa_count = 2,
					.smt_per_core = 1,
					.cpu = m->cpu};
	m->machine = (struct machine){.host = "node17",
				      .cpu_model = "Some CPU",
				      .kernel = "6.1.0",
				      .virt = "none",
				      .governor = "performance",
				      .packages = 2,
				      .cores = MADE_CPUS,
				      .cpus = MADE_CPUS,
				      .smt = 1,
				      .tick = {TICK_COUNTER, "tsc", "made up"}};
}

static void lab_fill(struct page_lab *l)
{
	l->state = PAGE_LAB_DONE;
	l->role_count = 1;
	l->sample_n = 1;
	l->tick_hz = MADE_HZ;
	l->stamp_ns = 10;
	l->resolution_ns = 10;
	l->bias_ns = 5;
	l->floor_ns = 20;
	l->probe_before_ns = 100;
	l->probe_after_ns = 110;
	l->invariant_checked = 1;
	snprintf(l->role[0].name, sizeof(l->role[0].name), "lock");
	l->role[0].acquires_per_op = 1;
}

/* Of one second: 0.9 s user, 0.1 s system, 0.5 % run delay, 1 % steal. */
static void os_fill(struct osstat *begin, struct osstat *end)
{
	*begin = (struct osstat){.user_us = 7, .has_migrations = 1, .has_run_delay = 1};
	*end = (struct osstat){.user_us = 900007,
			       .sys_us = 100000,
			       .voluntary_switches = 3,
			       .involuntary_switches = 2,
			       .migrations = 1,
			       .run_delay_ns = 5000000,
			       .steal_us = 10000,
			       .has_migrations = 1,
			       .has_run_delay = 1};
}

static void thread_fill(struct snap_thread *t, unsigned i)
{
	const uint64_t ops = 1000 * (i + 1);

	t->state = PAGE_SLOT_DONE;
	t->gen = 1;
	t->tid = 1000 + (int)i;
	t->cpu = (int)i % MADE_CPUS;
	t->thread = i;
	t->phase = PAGE_PHASE_MEASURED;
	t->row_count = 2;
	t->begin_ticks = MADE_BEGIN_TICKS;
	t->end_ticks = MADE_BEGIN_TICKS + MADE_HZ;
	t->taken_ticks = t->end_ticks + MADE_HZ / 4;
	os_fill(&t->begin, &t->end);
	t->row[0].valid = t->row[1].valid = 1;
	t->row[0].ops = ops;
	t->row[1].has_contended = 1;
	t->row[1].contended = ops / 4;
	made_hist(&t->row[0].a, MADE_GAP_NS * ticks_per_ns, ops);
	made_hist(&t->row[0].b, MADE_RUN_OPS, ops / MADE_RUN_OPS);
	made_hist(&t->row[1].a, MADE_WAIT_NS * ticks_per_ns, ops);
	made_hist(&t->row[1].b, MADE_HOLD_NS * ticks_per_ns, ops);
}

void made_trial_init(struct made_trial *m, unsigned threads)
{
	memset(m, 0, sizeof(*m));
	machine_fill(m);
	snprintf(m->config.workload, sizeof(m->config.workload), "spinlock");
	snprintf(m->config.variant, sizeof(m->config.variant), "mcs");
	m->config.threads = threads;
	m->config.place = PLACE_SPREAD;
	m->plan = plan_default();
	assert_int_equal(snap_init(&m->snap, threads, 0), 0);
	m->snap.role_count = 1;
	m->snap.taken_ticks = MADE_BEGIN_TICKS + MADE_HZ + MADE_HZ / 4;
	lab_fill(&m->snap.lab);
	for (unsigned i = 0; i < threads; i++)
		thread_fill(&m->snap.thread[i], i);
	m->in = (struct round_input){.snap = &m->snap,
				     .config = &m->config,
				     .plan = &m->plan,
				     .topology = &m->topology,
				     .tick_hz = MADE_HZ,
				     .source = TICK_COUNTER,
				     .tick_is_clock = true,
				     .utc = "2026-11-30T12:00:00Z",
				     .trial = 3,
				     .number = 2,
				     .order = 5,
				     .interleaved = true,
				     .buckets = true};
}

void made_trial_fini(struct made_trial *m)
{
	snap_fini(&m->snap);
}
