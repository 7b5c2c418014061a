/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of the made-up model, in the states that a machine can put them in.
 */
#include "tests/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/flow/model_live.h"

/* What the contention preset is on the made-up machine, and how much of it an op takes. */
static const struct {
	const char *id, *label;
	enum pmu_role role;
	enum pmu_source source;
	double per_op;
} events[] = {
	{"task-clock", "task-clk", PMU_TASK_CLOCK, PMU_SOFTWARE, 300},
	{"context-switches", "csw", PMU_SWITCHES, PMU_SOFTWARE, 6e-5},
	{"cpu-migrations", "mig", PMU_MIGRATIONS, PMU_SOFTWARE, 0},
	{"page-faults", "faults", PMU_FAULTS, PMU_SOFTWARE, 0},
	{"cycles", "cycles", PMU_CYCLES, PMU_HARDWARE, 970},
	{"instructions", "instr", PMU_INSTRUCTIONS, PMU_HARDWARE, 410},
	{"amd64_fam19h_zen4::ANY_DATA_CACHE_FILLS_FROM_SYSTEM:LOCAL_CCX", "fills", PMU_TRANSFERS,
	 PMU_HARDWARE, 3.4},
	{"amd64_fam19h_zen4::REQUESTS_TO_L2_GROUP1:CHANGE_TO_X", "own-req", PMU_OWN, PMU_HARDWARE,
	 2.1},
	{"cache-misses", "L2-miss", PMU_MISSES, PMU_HARDWARE, 2.1},
	{"bus-cycles", "bus", PMU_BUS_CYCLES, PMU_HARDWARE, 0},
};

enum { EVENTS = sizeof(events) / sizeof(events[0]) };

static void list_fill(struct pmu_list *l, enum fixture_counters state)
{
	static const char no_pmu[] = "No hardware counters: this virtual machine exposes no PMU. "
				     "Lock timing and software counters still work.";

	l->count = EVENTS;
	for (unsigned i = 0; i < EVENTS; i++) {
		struct pmu_event *ev = &l->event[i];

		snprintf(ev->id, sizeof(ev->id), "%s", events[i].id);
		snprintf(ev->label, sizeof(ev->label), "%s", events[i].label);
		ev->role = events[i].role;
		ev->source = events[i].source;
		if (state == COUNTERS_NO_PMU && ev->source == PMU_HARDWARE) {
			ev->why = WHY_UNSUPPORTED;
			snprintf(ev->note, sizeof(ev->note), "%s", no_pmu);
		} else if (ev->role == PMU_BUS_CYCLES) {
			ev->why = WHY_UNSUPPORTED;
			snprintf(ev->note, sizeof(ev->note),
				 "bus-cycles does not exist on this CPU");
		}
	}
	if (state == COUNTERS_NO_PMU)
		snprintf(l->note, sizeof(l->note), "%s", no_pmu);
}

/* A count of @ops operations; CPUs differ a little. */
static struct value counted(const struct pmu_list *l, unsigned event, double ops, unsigned cpu,
			    enum fixture_counters state)
{
	const struct pmu_event *ev = &l->event[event];
	double v = events[event].per_op * ops * (1 + 0.02 * (cpu % 5));

	if (ev->why != WHY_OK)
		return value_missing(ev->why);
	if (ev->source != PMU_HARDWARE)
		return value_of(round(v));
	if (state == COUNTERS_SCALED)
		return (struct value){v, ev->role == PMU_MISSES ? WHY_NOT_SCHEDULED : WHY_SCALED};
	if (state == COUNTERS_DENIED)
		return value_missing(WHY_DENIED);
	return value_of(v);
}

void fixture_counters(struct model *m, enum fixture_counters state)
{
	const struct value dt_s = value_of(0.25);
	struct pmu_list *l = calloc(1, sizeof(*l));
	struct fields *fs = calloc(1, sizeof(*fs));

	if (!l || !fs)
		abort();
	list_fill(l, state);
	m->events = l;
	m->fields = fs;
	if (fields_init(fs, l) != 0 || model_live_layout(m, m->cpu_count) != 0)
		abort();
	model_live_begin(m);
	for (unsigned i = 0; i < m->cpu_count; i++) {
		struct round_cpu *c = &m->live.cpu[i];
		double ops = m->cpu[i].ops_per_s.v * dt_s.v;

		c->ops_per_s = m->cpu[i].ops_per_s;
		c->ops = (uint64_t)ops;
		for (unsigned e = 0; e < EVENTS; e++)
			c->count[e].count = value_known(c->ops_per_s)
						    ? counted(l, e, ops, i, state)
						    : value_missing(c->ops_per_s.why);
		counts_derive(&c->counts, l, c->count, value_of(ops), dt_s);
	}
	for (unsigned e = 0; e < EVENTS; e++)
		m->live.count[e].count = counted(l, e, m->ops_per_s.v * dt_s.v, 0, state);
	counts_derive(&m->live.counts, l, m->live.count, value_of(m->ops_per_s.v * dt_s.v), dt_s);
}

void fixture_counters_free(struct model *m)
{
	struct fields *fs = (struct fields *)m->fields;

	if (fs)
		fields_fini(fs);
	free(fs);
	free((struct pmu_list *)m->events);
	round_free(&m->live);
	m->events = NULL;
	m->fields = NULL;
}
