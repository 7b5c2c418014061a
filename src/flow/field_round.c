/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fields of a round and the key columns of every table.
 */
#include "src/flow/field_tables.h"

#include <stdio.h>

#include "probes/place.h"

/* Fetches the struct value at the field's offset in the round. */
static void round_value(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	out->value = *(const struct value *)((const char *)in->round + f->offset);
}

static void text_set(struct field_cell *out, const char *text)
{
	snprintf(out->text, sizeof(out->text), "%s", text);
	out->value = value_of(0);
}

/* The reason of the same. */
static void round_why(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	round_value(f, in, out);
	text_set(out, reason_word(out->value.why));
}

static void key_schema(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	(void)in;
	text_set(out, "1");
}

static void key_hotline_version(const struct field *f, const struct field_input *in,
				struct field_cell *out)
{
	(void)f;
	(void)in;
	text_set(out, HOTLINE_VERSION);
}

static void key_utc(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	text_set(out, in->round->utc);
}

static void key_host(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	text_set(out, in->machine->host);
}

static void key_cpu_model(const struct field *f, const struct field_input *in,
			  struct field_cell *out)
{
	(void)f;
	text_set(out, in->machine->cpu_model);
}

static void key_kernel(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	text_set(out, in->machine->kernel);
}

static void key_virt(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	text_set(out, in->machine->virt);
}

static void key_packages(const struct field *f, const struct field_input *in,
			 struct field_cell *out)
{
	(void)f;
	out->value = value_of((double)in->machine->packages);
}

static void key_cores(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = value_of((double)in->machine->cores);
}

static void key_cpus(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = value_of((double)in->machine->cpus);
}

static void key_smt(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = value_of((double)in->machine->smt);
}

static void key_governor(const struct field *f, const struct field_input *in,
			 struct field_cell *out)
{
	(void)f;
	text_set(out, in->machine->governor);
}

static void key_tick_resolution_ns(const struct field *f, const struct field_input *in,
				   struct field_cell *out)
{
	(void)f;
	out->value = value_of(in->round->tick_resolution_ns);
}

static void key_workload(const struct field *f, const struct field_input *in,
			 struct field_cell *out)
{
	(void)f;
	text_set(out, in->round->config.workload);
}

static void key_variant(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	text_set(out, in->round->config.variant);
}

static void key_threads(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = value_of((double)in->round->config.threads);
}

static void key_placement(const struct field *f, const struct field_input *in,
			  struct field_cell *out)
{
	(void)f;
	text_set(out, place_name(in->round->config.place));
}

static void key_cpu_list(const struct field *f, const struct field_input *in,
			 struct field_cell *out)
{
	(void)f;
	round_cpus_format(in->round, out->text, sizeof(out->text));
	out->value = value_of(0);
}

static void key_seed(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = value_of((double)in->round->plan.seed);
}

static void key_trial(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = value_of((double)in->round->trial);
}

static void key_round(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = value_of((double)in->round->number);
}

static void key_order(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	out->value = value_of((double)in->round->order);
}

static void key_interleaved(const struct field *f, const struct field_input *in,
			    struct field_cell *out)
{
	(void)f;
	out->value = value_of((double)in->round->interleaved);
}

static void key_knobs(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	config_knobs_format(&in->round->config, out->text, sizeof(out->text));
	out->value = value_of(0);
}

static void key_measure(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	measure_format(in->round->plan.measure, in->round->plan.sample_n, out->text,
		       sizeof(out->text));
	out->value = value_of(0);
}

static void key_sample_n(const struct field *f, const struct field_input *in,
			 struct field_cell *out)
{
	(void)f;
	out->value = in->round->sample_n ? value_of(in->round->sample_n)
					 : value_missing(WHY_UNSUPPORTED);
}

static void contended_why(const struct field *f, const struct field_input *in,
			  struct field_cell *out)
{
	(void)f;
	text_set(out, in->round->lock_count ? reason_word(in->round->lock[0].contended.why) : "");
}

static void wait_basis(const struct field *f, const struct field_input *in, struct field_cell *out)
{
	(void)f;
	text_set(out, in->round->wait_basis);
}

static void is_disturbed(const struct field *f, const struct field_input *in,
			 struct field_cell *out)
{
	(void)f;
	out->value = value_of(in->round->disturbed_why != 0);
}

static void disturbed_why(const struct field *f, const struct field_input *in,
			  struct field_cell *out)
{
	(void)f;
	round_disturbed_format(in->round->disturbed_why, out->text, sizeof(out->text));
	out->value = value_of(0);
}

static const struct field keys[] = {
	{"schema", "schema", "", "version of these files' columns", FIELD_KEY, FIELD_TEXT,
	 BETTER_NONE, 0, key_schema, 0},
	{"hotline_version", "hotline_version", "", "program that wrote the row", FIELD_KEY,
	 FIELD_TEXT, BETTER_NONE, 0, key_hotline_version, 0},
	{"utc", "utc", "", "end of the round, or when the snapshot was taken; ISO 8601", FIELD_KEY,
	 FIELD_TEXT, BETTER_NONE, 0, key_utc, 0},
	{"host", "host", "", "name of the machine", FIELD_KEY, FIELD_TEXT, BETTER_NONE, 0, key_host,
	 0},
	{"cpu_model", "cpu_model", "", "model of the CPU", FIELD_KEY, FIELD_TEXT, BETTER_NONE, 0,
	 key_cpu_model, 0},
	{"kernel", "kernel", "", "release of the kernel", FIELD_KEY, FIELD_TEXT, BETTER_NONE, 0,
	 key_kernel, 0},
	{"virt", "virt", "", "hypervisor, or none", FIELD_KEY, FIELD_TEXT, BETTER_NONE, 0, key_virt,
	 0},
	{"packages", "packages", "", "CPU packages present", FIELD_KEY, FIELD_COUNT, BETTER_NONE, 0,
	 key_packages, 0},
	{"cores", "cores", "", "cores present", FIELD_KEY, FIELD_COUNT, BETTER_NONE, 0, key_cores,
	 0},
	{"cpus", "cpus", "", "logical CPUs present", FIELD_KEY, FIELD_COUNT, BETTER_NONE, 0,
	 key_cpus, 0},
	{"smt", "smt", "", "hardware threads a core", FIELD_KEY, FIELD_COUNT, BETTER_NONE, 0,
	 key_smt, 0},
	{"governor", "governor", "", "frequency governor; empty = none is exposed", FIELD_KEY,
	 FIELD_TEXT, BETTER_NONE, 0, key_governor, 0},
	{"tick_resolution_ns", "tick_resolution_ns", "ns", "smallest step of the clock", FIELD_KEY,
	 FIELD_NUMBER, BETTER_NONE, 0, key_tick_resolution_ns, 0},
	{"workload", "workload", "", "what was run", FIELD_KEY, FIELD_TEXT, BETTER_NONE, 0,
	 key_workload, 0},
	{"variant", "variant", "", "which lock or algorithm", FIELD_KEY, FIELD_TEXT, BETTER_NONE, 0,
	 key_variant, 0},
	{"threads", "threads", "", "worker threads", FIELD_KEY, FIELD_COUNT, BETTER_NONE, 0,
	 key_threads, 0},
	{"placement", "placement", "", "placement policy", FIELD_KEY, FIELD_TEXT, BETTER_NONE, 0,
	 key_placement, 0},
	{"cpu_list", "cpu_list", "", "CPUs used, in placement order; empty = unpinned", FIELD_KEY,
	 FIELD_TEXT, BETTER_NONE, 0, key_cpu_list, 0},
	{"knobs", "knobs", "", "knobs that were set, NAME=VALUE", FIELD_KEY, FIELD_TEXT,
	 BETTER_NONE, 0, key_knobs, 0},
	{"measure", "measure", "", "how stamps were taken", FIELD_KEY, FIELD_TEXT, BETTER_NONE, 0,
	 key_measure, 0},
	{"sample_n", "sample_n", "", "one stamped operation in N; empty = none was stamped",
	 FIELD_KEY, FIELD_COUNT, BETTER_NONE, 0, key_sample_n, 0},
	{"seed", "seed", "", "seed of every pseudo-random choice", FIELD_KEY, FIELD_COUNT,
	 BETTER_NONE, 0, key_seed, 0},
	{"trial", "trial", "", "number of the lab process", FIELD_KEY, FIELD_COUNT, BETTER_NONE, 0,
	 key_trial, 0},
	{"round", "round", "", "number of the round of its configuration", FIELD_KEY, FIELD_COUNT,
	 BETTER_NONE, 0, key_round, 0},
	{"order", "order", "", "place in the run; 0 = from a dashboard", FIELD_KEY, FIELD_COUNT,
	 BETTER_NONE, 0, key_order, 0},
	{"interleaved", "interleaved", "",
	 "1 = one of the interleaved rounds of a run; 0 = a window of a running dashboard",
	 FIELD_KEY, FIELD_FLAG, BETTER_NONE, 0, key_interleaved, 0},
};

#define AT(member) round_value, offsetof(struct round, member)

static const struct field rounds[] = {
	{"duration_s", "dur", "s", "last end minus first begin of the workers", FIELD_ROUND,
	 FIELD_NUMBER, BETTER_NONE, 8, AT(duration_s)},
	{"real_s", "real", "s", "the same, as time(1) calls it: what fixed work took", FIELD_ROUND,
	 FIELD_NUMBER, BETTER_LOWER, 8, AT(real_s)},
	{"user_s", "user", "s", "CPU time of the workers in user mode", FIELD_ROUND, FIELD_NUMBER,
	 BETTER_LOWER, 8, AT(user_s)},
	{"sys_s", "sys", "s", "CPU time of the workers in the kernel", FIELD_ROUND, FIELD_NUMBER,
	 BETTER_LOWER, 8, AT(sys_s)},
	{"ops", "ops", "op", "operations of all workers", FIELD_ROUND, FIELD_COUNT, BETTER_NONE, 8,
	 AT(ops)},
	{"ops_per_s", "op/s", "op/s", "throughput", FIELD_ROUND, FIELD_NUMBER, BETTER_HIGHER, 8,
	 AT(ops_per_s)},
	{"clocks_per_op", "clk/op", "clock",
	 "TSC clocks of the whole round divided by ops, as the mail of 2005 counts", FIELD_ROUND,
	 FIELD_NUMBER, BETTER_LOWER, 8, AT(clocks_per_op)},
	{"fairness_jain", "fair", "",
	 "Jain index of the threads' ops: 1 = equal shares, 1/n = one took all", FIELD_ROUND,
	 FIELD_NUMBER, BETTER_HIGHER, 5, AT(fairness_jain)},
	{"handovers_per_op", "hand/op", "", "runs divided by ops: how often the lock changed hands",
	 FIELD_ROUND, FIELD_NUMBER, BETTER_NONE, 7, AT(handovers_per_op)},
	{"acquires", "acq", "", "acquisitions of the first lock role", FIELD_ROUND, FIELD_COUNT,
	 BETTER_NONE, 8, AT(lock[0].acquires)},
	{"contended", "cont", "", "acquisitions that found the lock taken, where the variant knows",
	 FIELD_ROUND, FIELD_COUNT, BETTER_LOWER, 8, AT(lock[0].contended)},
	{"contended_why", "contended_why", "", "reason of a missing contended", FIELD_ROUND,
	 FIELD_TEXT, BETTER_NONE, 0, contended_why, 0},
	{"wait_basis", "wait_basis", "",
	 "all = every sampled acquisition; contended = only those that waited", FIELD_ROUND,
	 FIELD_TEXT, BETTER_NONE, 0, wait_basis, 0},
	{"wait_mean_ns", "wait mean", "ns", "mean wait of the first lock role", FIELD_ROUND,
	 FIELD_NUMBER, BETTER_LOWER, 8, AT(lock[0].wait.mean_ns)},
	{"wait_p50_ns", "wait p50", "ns",
	 "median wait of the first lock role; empty = below what the clock can tell", FIELD_ROUND,
	 FIELD_NUMBER, BETTER_LOWER, 8, AT(lock[0].wait.p50_ns)},
	{"wait_p99_ns", "wait p99", "ns",
	 "99th percentile wait of the first lock role; empty = below what the clock can tell",
	 FIELD_ROUND, FIELD_NUMBER, BETTER_LOWER, 8, AT(lock[0].wait.p99_ns)},
	{"wait_p999_ns", "wait p999", "ns",
	 "99.9th percentile wait of the first lock role; empty = below what the clock can tell",
	 FIELD_ROUND, FIELD_NUMBER, BETTER_LOWER, 8, AT(lock[0].wait.p999_ns)},
	{"wait_max_seen_ns", "wait max_seen", "ns", "largest sampled wait of the first lock role",
	 FIELD_ROUND, FIELD_NUMBER, BETTER_LOWER, 8, AT(lock[0].wait.max_seen_ns)},
	{"hold_mean_ns", "hold mean", "ns", "mean hold of the first lock role", FIELD_ROUND,
	 FIELD_NUMBER, BETTER_LOWER, 8, AT(lock[0].hold.mean_ns)},
	{"hold_p50_ns", "hold p50", "ns",
	 "median hold of the first lock role; empty = below what the clock can tell", FIELD_ROUND,
	 FIELD_NUMBER, BETTER_LOWER, 8, AT(lock[0].hold.p50_ns)},
	{"hold_p99_ns", "hold p99", "ns",
	 "99th percentile hold of the first lock role; empty = below what the clock can tell",
	 FIELD_ROUND, FIELD_NUMBER, BETTER_LOWER, 8, AT(lock[0].hold.p99_ns)},
	{"hold_p999_ns", "hold p999", "ns",
	 "99.9th percentile hold of the first lock role; empty = below what the clock can tell",
	 FIELD_ROUND, FIELD_NUMBER, BETTER_LOWER, 8, AT(lock[0].hold.p999_ns)},
	{"hold_max_seen_ns", "hold max_seen", "ns", "largest sampled hold of the first lock role",
	 FIELD_ROUND, FIELD_NUMBER, BETTER_LOWER, 8, AT(lock[0].hold.max_seen_ns)},
	{"gap_max_ns", "gap max", "ns",
	 "longest run of plain operations between two samples: no stall is lost", FIELD_ROUND,
	 FIELD_NUMBER, BETTER_LOWER, 8, AT(gap_max_ns)},
	{"ctx_switches", "csw", "", "context switches of the workers, voluntary and not",
	 FIELD_ROUND, FIELD_COUNT, BETTER_LOWER, 8, AT(ctx_switches)},
	{"involuntary_switches", "icsw", "", "preemptions of the workers", FIELD_ROUND, FIELD_COUNT,
	 BETTER_LOWER, 8, AT(involuntary_switches)},
	{"migrations", "mig", "", "moves of workers between CPUs", FIELD_ROUND, FIELD_COUNT,
	 BETTER_LOWER, 8, AT(migrations)},
	{"run_delay_ns", "delay", "ns", "time workers were runnable but not running, summed",
	 FIELD_ROUND, FIELD_NUMBER, BETTER_LOWER, 8, AT(run_delay_ns)},
	{"steal_ratio", "steal", "", "share of the CPUs' time that the hypervisor took",
	 FIELD_ROUND, FIELD_NUMBER, BETTER_LOWER, 6, AT(steal_ratio)},
	{"probe_before_ns", "probe", "ns",
	 "round trip of one line between the first two CPUs, before", FIELD_ROUND, FIELD_NUMBER,
	 BETTER_NONE, 8, AT(probe_before_ns)},
	{"probe_after_ns", "probe", "ns", "the same, after the round", FIELD_ROUND, FIELD_NUMBER,
	 BETTER_NONE, 8, AT(probe_after_ns)},
	{"disturbed", "disturbed", "",
	 "1 = run delay or steal above 2 %, a gap above 10 ms, or what disturbed_why says",
	 FIELD_ROUND, FIELD_FLAG, BETTER_NONE, 0, is_disturbed, 0},
	{"disturbed_why", "disturbed_why", "", "which of them, joined by +", FIELD_ROUND,
	 FIELD_TEXT, BETTER_NONE, 0, disturbed_why, 0},
	FIELD_COUNTS(FIELD_ROUND, round_value, round_why, struct round),
};

const struct field_list field_list_key = {keys, sizeof(keys) / sizeof(keys[0])};
const struct field_list field_list_round = {rounds, sizeof(rounds) / sizeof(rounds[0])};
