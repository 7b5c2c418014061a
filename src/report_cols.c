/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of `hotline run`.
 */
#include "src/report_cols.h"

#include <stdint.h>
#include <string.h>

#include "src/text.h"

static struct value get_ops_per_s(const struct round *r, unsigned role)
{
	(void)role;
	return r->ops_per_s;
}

static struct value get_clocks_per_op(const struct round *r, unsigned role)
{
	(void)role;
	return r->clocks_per_op;
}

static struct value get_share(const struct round *r, unsigned role)
{
	(void)role;
	return r->thread_count ? r->thread[0].share : value_missing(WHY_NOT_YET);
}

static struct value get_runs(const struct round *r, unsigned role)
{
	(void)role;
	return r->runs;
}

static struct value get_run_mean(const struct round *r, unsigned role)
{
	(void)role;
	return r->run_mean;
}

static struct value get_run_max(const struct round *r, unsigned role)
{
	(void)role;
	return r->run_max;
}

static struct value get_fairness(const struct round *r, unsigned role)
{
	(void)role;
	return r->fairness_jain;
}

static struct value get_real(const struct round *r, unsigned role)
{
	(void)role;
	return r->real_s;
}

static struct value get_user(const struct round *r, unsigned role)
{
	(void)role;
	return r->user_s;
}

static struct value get_sys(const struct round *r, unsigned role)
{
	(void)role;
	return r->sys_s;
}

static struct value get_gap_max(const struct round *r, unsigned role)
{
	(void)role;
	return r->gap_max_ns;
}

static struct value get_wait_p50(const struct round *r, unsigned role)
{
	return r->lock[role].wait.p50_ns;
}

static struct value get_wait_p99(const struct round *r, unsigned role)
{
	return r->lock[role].wait.p99_ns;
}

static struct value get_hold_p50(const struct round *r, unsigned role)
{
	return r->lock[role].hold.p50_ns;
}

static struct value get_hold_p99(const struct round *r, unsigned role)
{
	return r->lock[role].hold.p99_ns;
}

static void print_rounds(const struct report_row *row, char *buf, unsigned size)
{
	unsigned n = report_rounds_of(row->in, row->config);

	if (n == row->in->plan->rounds)
		snprintf(buf, size, "%u", n);
	else
		snprintf(buf, size, "%u of %u", n, row->in->plan->rounds);
}

static void print_disturbed(const struct report_row *row, char *buf, unsigned size)
{
	const struct report_input *in = row->in;
	unsigned n = 0, why = 0, limit = 0;
	char words[64];

	for (unsigned i = 0; (i = report_round_next(in, row->config, i)) < in->round_count; i++) {
		n += in->round[i]->disturbed_why != 0;
		why |= in->round[i]->disturbed_why;
		limit += in->round[i]->limit_hit;
	}
	if (n)
		snprintf(buf, size, "%u (%s)", n,
			 round_disturbed_format(why, words, sizeof(words)));
	else
		snprintf(buf, size, "0");
	if (limit)
		snprintf(buf + strlen(buf), size - strlen(buf), ", %u at limit", limit);
}

static void print_role(const struct report_row *row, char *buf, unsigned size)
{
	unsigned i = report_round_next(row->in, row->config, 0);

	snprintf(buf, size, "%s", row->in->round[i]->lock[row->role].role);
}

static void print_sampling(const struct report_row *row, char *buf, unsigned size)
{
	const struct report_input *in = row->in;
	unsigned lo = 0, hi = 0;

	for (unsigned i = 0; (i = report_round_next(in, row->config, i)) < in->round_count; i++) {
		unsigned n = in->round[i]->sample_n;

		lo = !lo || n < lo ? n : lo;
		hi = n > hi ? n : hi;
	}
	if (lo == hi)
		snprintf(buf, size, "1 in %u", lo);
	else
		snprintf(buf, size, "1 in %u..%u", lo, hi);
}

static void print_samples(const struct report_row *row, char *buf, unsigned size)
{
	const struct report_input *in = row->in;
	double n = 0;

	for (unsigned i = 0; (i = report_round_next(in, row->config, i)) < in->round_count; i++)
		n += (double)in->round[i]->lock[row->role].wait.samples;
	text_si(n, buf, size);
}

static const struct report_col throughput_cols[] = {
	{{"", "n"}, REPORT_TEXT, NULL, print_rounds},
	{{"", "ops/s"}, REPORT_SI, get_ops_per_s, NULL},
	{{"", "min..max"}, REPORT_RANGE, get_ops_per_s, NULL},
	{{"fairness", "(Jain)"}, REPORT_SI, get_fairness, NULL},
	{{"disturbed", "rounds"}, REPORT_TEXT, NULL, print_disturbed},
};

static const struct report_col turns_cols[] = {
	{{"clocks", "per op"}, REPORT_SI, get_clocks_per_op, NULL},
	{{"share of", "thread 0"}, REPORT_PCT, get_share, NULL},
	{{"runs", "a round"}, REPORT_SI, get_runs, NULL},
	{{"average", "run, ops"}, REPORT_SI, get_run_mean, NULL},
	{{"longest", "run, ops"}, REPORT_SI, get_run_max, NULL},
};

static const struct report_col work_cols[] = {
	{{"real,", "s"}, REPORT_SI, get_real, NULL},
	{{"user,", "s"}, REPORT_SI, get_user, NULL},
	{{"sys,", "s"}, REPORT_SI, get_sys, NULL},
};

static const struct report_col lock_cols[] = {
	{{"", "lock"}, REPORT_TEXT, NULL, print_role},
	{{"ops", "stamped"}, REPORT_TEXT, NULL, print_sampling},
	{{"", "samples"}, REPORT_TEXT, NULL, print_samples},
	{{"wait", "p50"}, REPORT_NS, get_wait_p50, NULL},
	{{"wait", "p99"}, REPORT_NS, get_wait_p99, NULL},
	{{"hold", "p50"}, REPORT_NS, get_hold_p50, NULL},
	{{"hold", "p99"}, REPORT_NS, get_hold_p99, NULL},
	{{"longest", "gap"}, REPORT_NS, get_gap_max, NULL},
};

#define COLS(table, per)                                             \
	{                                                            \
		sizeof(table) / sizeof((table)[0]), per, table, NULL \
	}

const struct report_cols report_throughput = COLS(throughput_cols, false);
const struct report_cols report_turns = COLS(turns_cols, false);
const struct report_cols report_work = COLS(work_cols, false);
const struct report_cols report_locks = COLS(lock_cols, true);

static struct value get_ipc(const struct round *r, unsigned event)
{
	(void)event;
	return r->counts.ipc;
}

static struct value get_transfers(const struct round *r, unsigned event)
{
	(void)event;
	return r->counts.transfers_per_op;
}

static struct value get_misses(const struct round *r, unsigned event)
{
	(void)event;
	return r->counts.misses_per_op;
}

static struct value get_bus_cycles(const struct round *r, unsigned event)
{
	(void)event;
	return r->counts.bus_cycles_per_op;
}

static struct value get_switches(const struct round *r, unsigned event)
{
	(void)event;
	return r->counts.switches_per_s;
}

static struct value get_event(const struct round *r, unsigned event)
{
	if (!r->events || !r->count || event >= r->events->count)
		return value_missing(WHY_UNSUPPORTED);
	return value_ratio(r->count[event].count, r->ops);
}

static void counter_add(struct report_counters *c, const char *head, const char *unit,
			struct value (*get)(const struct round *r, unsigned event), unsigned event)
{
	if (c->cols.count == REPORT_COUNTERS) {
		c->left_out++;
		return;
	}
	c->col[c->cols.count] = (struct report_col){{head, unit}, REPORT_SI, get, NULL};
	c->which[c->cols.count++] = event;
}

/* The kernel's own counts, which are in every list. */
static bool is_software(enum pmu_role role)
{
	return role == PMU_TASK_CLOCK || role == PMU_SWITCHES || role == PMU_MIGRATIONS ||
	       role == PMU_FAULTS;
}

/* Figures made of the events with a role. Returns the bits of the events that they show. */
static uint64_t derived_add(struct report_counters *c, const struct pmu_list *l)
{
	static const struct {
		enum pmu_role role;
		const char *unit;
		struct value (*get)(const struct round *r, unsigned event);
	} rows[] = {
		{PMU_TRANSFERS, "per op", get_transfers},
		{PMU_MISSES, "per op", get_misses},
		{PMU_BUS_CYCLES, "per op", get_bus_cycles},
		{PMU_SWITCHES, "per s", get_switches},
	};
	int cycles = pmu_list_find(l, PMU_CYCLES), instr = pmu_list_find(l, PMU_INSTRUCTIONS);
	uint64_t shown = 0;

	if (cycles >= 0 && instr >= 0) {
		counter_add(c, "", "IPC", get_ipc, 0);
		shown |= 1ull << cycles | 1ull << instr;
	}
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int event = pmu_list_find(l, rows[i].role);

		if (event < 0)
			continue;
		counter_add(c, l->event[event].label, rows[i].unit, rows[i].get, (unsigned)event);
		shown |= 1ull << event;
	}
	return shown;
}

void report_counters_make(struct report_counters *c, const struct pmu_list *l)
{
	bool software = true;
	uint64_t shown;

	_Static_assert(PMU_EVENTS <= 64, "one bit an event");
	memset(c, 0, sizeof(*c));
	c->cols.col = c->col;
	c->cols.which = c->which;
	for (unsigned i = 0; i < l->count; i++)
		software &= is_software(l->event[i].role);
	shown = derived_add(c, l);
	for (unsigned i = 0; i < l->count; i++) {
		const struct pmu_event *ev = &l->event[i];

		if (!(shown & 1ull << i) && (software || !is_software(ev->role)))
			counter_add(c, ev->label, "per op", get_event, i);
	}
}
