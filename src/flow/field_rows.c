/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fields of what a round has many of: CPUs, threads, locks, buckets, metrics.
 */
#include "src/flow/field_tables.h"

#include <stdio.h>

#include "probes/hist.h"

static void text_set(struct field_cell *out, const char *text)
{
	snprintf(out->text, sizeof(out->text), "%s", text);
	out->value = value_of(0);
}

/* An id of the kernel or hwloc; -1 = there is none. */
static struct value id_value(int id, enum reason why)
{
	return id >= 0 ? value_of(id) : value_missing(why);
}

static void cpu_value(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	out->value = *(const struct value *)((const char *)&in->round->cpu[in->row] + f->offset);
}

/* The reason of the same. */
static void cpu_why(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	cpu_value(f, in, out);
	text_set(out, reason_word(out->value.why));
}

static void thread_value(const struct field *f, const struct field_input *in,
			 struct field_cell *out)
{
	out->value = *(const struct value *)((const char *)&in->round->thread[in->row] + f->offset);
}

static void lock_value(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	out->value = *(const struct value *)((const char *)&in->round->lock[in->row] + f->offset);
}

static void cpu_cpu(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = id_value(in->round->cpu[in->row].cpu, WHY_UNPINNED);
}

static void cpu_core(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = id_value(in->round->cpu[in->row].core, WHY_UNSUPPORTED);
}

static void cpu_package(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = id_value(in->round->cpu[in->row].package, WHY_UNSUPPORTED);
}

static void cpu_numa_node(const struct field *f, const struct field_input *in,
			  struct field_cell *out)
{
	(void)f;
	out->value = id_value(in->round->cpu[in->row].numa_node, WHY_UNSUPPORTED);
}

static void cpu_threads(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = value_of(in->round->cpu[in->row].threads_on_cpu);
}

static void cpu_ops(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = value_of((double)in->round->cpu[in->row].ops);
}

static void thread_number(const struct field *f, const struct field_input *in,
			  struct field_cell *out)
{
	(void)f;
	out->value = value_of(in->round->thread[in->row].thread);
}

static void thread_tid(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = value_of(in->round->thread[in->row].tid);
}

static void thread_cpu(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = id_value(in->round->thread[in->row].cpu, WHY_UNPINNED);
}

static void thread_ops(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = value_of((double)in->round->thread[in->row].ops);
}

static void lock_role(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	text_set(out, in->round->lock[in->row].role);
}

static bool is_run(const struct field_input *in)
{
	return in->round->bucket[in->row].kind == ROUND_RUN;
}

static void hist_role(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	const struct round_bucket *b = &in->round->bucket[in->row];

	text_set(out, b->kind == ROUND_WAIT || b->kind == ROUND_HOLD ? in->round->lock[b->role].role
								     : "");
}

static void hist_thread(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = value_of(in->round->bucket[in->row].thread);
}

static void hist_kind(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	static const char *const kinds[ROUND_KINDS] = {"wait", "hold", "gap", "run"};

	text_set(out, kinds[in->round->bucket[in->row].kind]);
}

/* A bound of a bucket: ticks become ns, run lengths are operations. */
static struct value bound(const struct field_input *in, uint64_t v)
{
	if (is_run(in))
		return value_of((double)v);
	if (in->round->tick_hz <= 0)
		return value_missing(WHY_NOT_YET);
	return value_of((double)v * 1e9 / in->round->tick_hz);
}

static void hist_ge(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = bound(in, hist_lower(in->round->bucket[in->row].index));
}

static void hist_lt(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = bound(in, hist_upper(in->round->bucket[in->row].index));
}

static void hist_unit(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	text_set(out, is_run(in) ? "op" : "ns");
}

static void hist_count_cell(const struct field *f, const struct field_input *in,
			    struct field_cell *out)
{
	(void)f;
	out->value = value_of((double)in->round->bucket[in->row].count);
}

static void metric_scope(const struct field *f, const struct field_input *in,
			 struct field_cell *out)
{
	(void)f;
	text_set(out, in->round->metric[in->row].scope);
}

static void metric_name(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	text_set(out, in->round->metric[in->row].name);
}

static void metric_unit(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	text_set(out, in->round->metric[in->row].unit);
}

static void metric_value(const struct field *f, const struct field_input *in,
			 struct field_cell *out)
{
	(void)f;
	out->value = in->round->metric[in->row].value;
}

static void metric_why(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	text_set(out, reason_word(in->round->metric[in->row].value.why));
}

static const struct field cpus[] = {
	{"cpu", "cpu", "", "kernel id of the CPU; empty = unpinned threads", FIELD_CPU, FIELD_COUNT,
	 BETTER_NONE, 4, cpu_cpu, 0},
	{"core", "core", "", "machine-wide index of its core", FIELD_CPU, FIELD_COUNT, BETTER_NONE,
	 5, cpu_core, 0},
	{"package", "pkg", "", "machine-wide index of its package", FIELD_CPU, FIELD_COUNT,
	 BETTER_NONE, 4, cpu_package, 0},
	{"numa_node", "node", "", "kernel id of its NUMA node", FIELD_CPU, FIELD_COUNT, BETTER_NONE,
	 4, cpu_numa_node, 0},
	{"threads_on_cpu", "thr", "", "workers pinned to it", FIELD_CPU, FIELD_COUNT, BETTER_NONE,
	 4, cpu_threads, 0},
	{"ops", "ops", "op", "operations of its workers", FIELD_CPU, FIELD_COUNT, BETTER_NONE, 8,
	 cpu_ops, 0},
	{"ops_per_s", "op/s", "op/s", "throughput of its workers", FIELD_CPU, FIELD_NUMBER,
	 BETTER_HIGHER, 8, cpu_value, offsetof(struct round_cpu, ops_per_s)},
	FIELD_COUNTS(FIELD_CPU, cpu_value, cpu_why, struct round_cpu),
};

static const struct field threads[] = {
	{"thread", "thr", "", "number in the crew", FIELD_THREAD, FIELD_COUNT, BETTER_NONE, 4,
	 thread_number, 0},
	{"tid", "tid", "", "thread id of the kernel", FIELD_THREAD, FIELD_COUNT, BETTER_NONE, 8,
	 thread_tid, 0},
	{"cpu", "cpu", "", "CPU it is pinned to", FIELD_THREAD, FIELD_COUNT, BETTER_NONE, 4,
	 thread_cpu, 0},
	{"ops", "ops", "op", "operations it did", FIELD_THREAD, FIELD_COUNT, BETTER_HIGHER, 8,
	 thread_ops, 0},
	{"share", "share", "", "its part of all operations, 0 to 1", FIELD_THREAD, FIELD_NUMBER,
	 BETTER_NONE, 6, thread_value, offsetof(struct round_thread, share)},
	{"runs", "runs", "", "times it got the lock from another thread", FIELD_THREAD, FIELD_COUNT,
	 BETTER_NONE, 8, thread_value, offsetof(struct round_thread, runs)},
	{"run_max", "longest", "op", "its longest run of operations without another thread",
	 FIELD_THREAD, FIELD_COUNT, BETTER_NONE, 8, thread_value,
	 offsetof(struct round_thread, run_max)},
	{"run_mean", "mean run", "op", "its ops divided by its runs", FIELD_THREAD, FIELD_NUMBER,
	 BETTER_NONE, 8, thread_value, offsetof(struct round_thread, run_mean)},
};

static const struct field locks[] = {
	{"role", "role", "", "name of the lock in the workload", FIELD_LOCK, FIELD_TEXT,
	 BETTER_NONE, 8, lock_role, 0},
	{"acquires", "acq", "", "acquisitions", FIELD_LOCK, FIELD_COUNT, BETTER_NONE, 8, lock_value,
	 offsetof(struct round_lock, acquires)},
	{"contended", "cont", "", "acquisitions that found it taken, where the variant knows",
	 FIELD_LOCK, FIELD_COUNT, BETTER_LOWER, 8, lock_value,
	 offsetof(struct round_lock, contended)},
	{"wait_mean_ns", "wait mean", "ns", "mean wait", FIELD_LOCK, FIELD_NUMBER, BETTER_LOWER, 8,
	 lock_value, offsetof(struct round_lock, wait.mean_ns)},
	{"wait_p50_ns", "wait p50", "ns", "median wait", FIELD_LOCK, FIELD_NUMBER, BETTER_LOWER, 8,
	 lock_value, offsetof(struct round_lock, wait.p50_ns)},
	{"wait_p99_ns", "wait p99", "ns", "99th percentile wait", FIELD_LOCK, FIELD_NUMBER,
	 BETTER_LOWER, 8, lock_value, offsetof(struct round_lock, wait.p99_ns)},
	{"hold_mean_ns", "hold mean", "ns", "mean hold", FIELD_LOCK, FIELD_NUMBER, BETTER_LOWER, 8,
	 lock_value, offsetof(struct round_lock, hold.mean_ns)},
	{"hold_p50_ns", "hold p50", "ns", "median hold", FIELD_LOCK, FIELD_NUMBER, BETTER_LOWER, 8,
	 lock_value, offsetof(struct round_lock, hold.p50_ns)},
	{"hold_p99_ns", "hold p99", "ns", "99th percentile hold", FIELD_LOCK, FIELD_NUMBER,
	 BETTER_LOWER, 8, lock_value, offsetof(struct round_lock, hold.p99_ns)},
};

static const struct field buckets[] = {
	{"role", "role", "", "lock of a wait or hold; empty for gap and run", FIELD_HIST,
	 FIELD_TEXT, BETTER_NONE, 8, hist_role, 0},
	{"thread", "thr", "", "number in the crew", FIELD_HIST, FIELD_COUNT, BETTER_NONE, 4,
	 hist_thread, 0},
	{"kind", "kind", "",
	 "wait, hold, gap (time of a run of plain operations) or run (operations in a row)",
	 FIELD_HIST, FIELD_TEXT, BETTER_NONE, 5, hist_kind, 0},
	{"ge", "ge", "", "smallest value of the bucket", FIELD_HIST, FIELD_NUMBER, BETTER_NONE, 8,
	 hist_ge, 0},
	{"lt", "lt", "", "smallest value of the bucket above", FIELD_HIST, FIELD_NUMBER,
	 BETTER_NONE, 8, hist_lt, 0},
	{"unit", "unit", "", "unit of ge and lt: ns or op", FIELD_HIST, FIELD_TEXT, BETTER_NONE, 4,
	 hist_unit, 0},
	{"count", "n", "", "records in the bucket, as recorded: one in sample_n operations",
	 FIELD_HIST, FIELD_COUNT, BETTER_NONE, 8, hist_count_cell, 0},
};

static const struct field metrics[] = {
	{"scope", "scope", "", "total, or which thread or CPU", FIELD_METRIC, FIELD_TEXT,
	 BETTER_NONE, 8, metric_scope, 0},
	{"name", "name", "", "name of the figure", FIELD_METRIC, FIELD_TEXT, BETTER_NONE, 16,
	 metric_name, 0},
	{"unit", "unit", "", "its unit", FIELD_METRIC, FIELD_TEXT, BETTER_NONE, 6, metric_unit, 0},
	{"value", "value", "", "the figure", FIELD_METRIC, FIELD_NUMBER, BETTER_NONE, 8,
	 metric_value, 0},
	{"why", "why", "", "reason of a missing value", FIELD_METRIC, FIELD_TEXT, BETTER_NONE, 8,
	 metric_why, 0},
};

const struct field_list field_list_cpu = {cpus, sizeof(cpus) / sizeof(cpus[0])};
const struct field_list field_list_thread = {threads, sizeof(threads) / sizeof(threads[0])};
const struct field_list field_list_lock = {locks, sizeof(locks) / sizeof(locks[0])};
const struct field_list field_list_hist = {buckets, sizeof(buckets) / sizeof(buckets[0])};
const struct field_list field_list_metric = {metrics, sizeof(metrics) / sizeof(metrics[0])};
