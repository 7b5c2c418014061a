/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `hotline counters` says of made-up machines.
 */
#include "src/counters_cmd.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <jansson.h>

#include "probes/pmu_check.h"
#include "tests/fake_pmu.h"
#include "tests/made_root.h"

#define DEVICES "/sys/bus/event_source/devices"

enum { MS = 1000000, COLUMNS = 80, CSV_COLUMNS = 12 };

/* A made-up root and a made-up kernel. */
struct place {
	struct made_root root;
	struct fake_pmu *f;
};

static int setup(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	assert_non_null(p);
	made_root_init(&p->root);
	p->f = fake_new();
	p->f->sys.root = p->root.path;
	p->f->sys.encode = pmu_sys_linux.encode;
	*state = p;
	return 0;
}

static int teardown(void **state)
{
	struct place *p = *state;

	made_root_fini(&p->root);
	free(p->f);
	free(p);
	return 0;
}

static void software_count(struct place *p)
{
	static const uint64_t config[] = {PERF_COUNT_SW_TASK_CLOCK, PERF_COUNT_SW_CONTEXT_SWITCHES,
					  PERF_COUNT_SW_CPU_MIGRATIONS, PERF_COUNT_SW_PAGE_FAULTS};

	for (size_t i = 0; i < sizeof(config) / sizeof(config[0]); i++)
		fake_count(p->f, PERF_TYPE_SOFTWARE, config[i], 5, MS, MS);
}

static void guest_make(struct place *p)
{
	made_root_write(&p->root, "/proc/cpuinfo",
			"vendor_id\t: GenuineIntel\nflags\t\t: fpu hypervisor\n");
	made_root_write(&p->root, "/proc/sys/kernel/perf_event_paranoid", "2\n");
	software_count(p);
}

/* A PMU that counts cycles and instructions well and misses half of the time; no bus cycles. */
static struct fake_event *pmu_make(struct place *p)
{
	struct fake_event *cycles;

	made_root_write(&p->root, DEVICES "/cpu/type", "4\n");
	made_root_write(&p->root, "/proc/sys/kernel/perf_event_paranoid", "2\n");
	made_root_write(&p->root, "/proc/sys/kernel/nmi_watchdog", "1\n");
	software_count(p);
	cycles = fake_count(p->f, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 3 * MS, MS, MS);
	fake_count(p->f, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS,
		   PMU_LOOP_INSTRUCTIONS + 100, MS, MS);
	fake_count(p->f, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, 600, 2 * MS, MS);
	return cycles;
}

/* What the command prints for @words, cut at blanks; malloced. */
static char *printed(const struct place *p, const char *words, enum cli_format format)
{
	char *names[8], *copy = strdup(words), *rest = *words ? copy : NULL, *text = NULL;
	unsigned count = 0;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	struct err e = {0};

	assert_non_null(f);
	while (rest)
		names[count++] = strsep(&rest, " ");
	if (counters_cmd(&p->f->sys, names, count, format, f, &e))
		fail_msg("counters %s: %s", words, e.text);
	fclose(f);
	free(copy);
	assert_int_equal(fake_open(p->f), 0);
	return text;
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' not in:\n%s", part, text);
}

static unsigned times(const char *text, const char *part)
{
	unsigned n = 0;

	for (const char *p = strstr(text, part); p; p = strstr(p + 1, part))
		n++;
	return n;
}

static void fits(const char *text)
{
	for (const char *end; (end = strchr(text, '\n')); text = end + 1)
		assert_in_range(end - text, 0, COLUMNS);
	assert_string_equal(text, "");
}

static void text_of_a_guest_without_pmu_expect_one_reason_and_live_software(void **state)
{
	char *text;

	guest_make(*state);
	text = printed(*state, "", FORMAT_TEXT);
	has(text, "PMU                   none: ");
	has(text, "perf_event_paranoid   2\n");
	has(text, "descriptors           3 of 1024 open, hard limit 1024\n");
	has(text, "virtual machine       yes: ");
	has(text, "cycles            cycles      no [1]              n/a:u\n");
	has(text, "context-switches  switches    yes                     5\n");
	assert_int_equal(times(text, "No hardware counters:"), 1);
	assert_int_equal(times(text, "[1]  No hardware counters: this virtual machine exposes"), 1);
	assert_null(strstr(text, "NMI watchdog"));
	fits(text);
	free(text);
}

static void text_of_a_pmu_expect_yes_scaled_and_why_not(void **state)
{
	char *text;

	pmu_make(*state);
	text = printed(*state, "", FORMAT_TEXT);
	has(text, "PMU                   cpu, type 4\n");
	has(text, "this user may count   own threads, user and kernel mode\n");
	has(text, "NMI watchdog          on: it holds one hardware counter");
	has(text, "cycles            cycles      yes                 3.00M\n");
	has(text, "cache-misses      misses      scaled [");
	has(text, "1.20k~\n");
	has(text, "bus-cycles        bus-cyc     no [");
	/* One sentence for the four generic events that this CPU lacks. */
	assert_int_equal(times(text, "does not exist on this CPU"), 1);
	assert_null(strstr(text, "virtual machine"));
	fits(text);
	free(text);
}

static void text_when_the_kernel_is_denied_expect_user_only(void **state)
{
	struct fake_event *cycles = pmu_make(*state);
	char *text;

	cycles->kernel_errno = EACCES;
	text = printed(*state, "", FORMAT_TEXT);
	has(text, "cycles:u          cycles      user-only [1]       3.00M\n");
	has(text, "instructions      instr       yes ");
	has(text, "[1]  Counters ending in :u are of user mode only");
	assert_int_equal(times(text, "user mode only:"), 1);
	free(text);
	text = printed(*state, "cycles", FORMAT_TEXT);
	has(text, "  levels    user (the kernel's part is not permitted)\n");
	has(text, "  works     user-only: Counters ending in :u");
	free(text);
	text = printed(*state, "cycles:u", FORMAT_TEXT); /* as it was asked for */
	has(text, "  levels    user\n");
	has(text, "  works     yes\n");
	free(text);
}

static void text_when_all_is_denied_expect_the_sentence_once(void **state)
{
	struct place *p = *state;
	char *text;

	pmu_make(p);
	for (unsigned i = 0; i < p->f->event_count; i++)
		p->f->event[i].open_errno = EACCES;
	text = printed(p, "", FORMAT_TEXT);
	has(text, "cycles            cycles      no [");
	has(text, "n/a:p\n");
	assert_int_equal(times(text, "needs kernel.perf_event_paranoid"), 1);
	assert_null(strstr(text, "own threads"));
	has(text, "]  read from /proc");
	fits(text);
	free(text);
}

static void details_expect_encoding_levels_group_and_answer(void **state)
{
	char *text;

	pmu_make(*state);
	text = printed(*state, "cycles instructions r1a2:u bus-cycles", FORMAT_TEXT);
	has(text, "cycles\n  name      perf::PERF_COUNT_HW_CPU_CYCLES");
	has(text, "  PMU       cpu\n  type      0 (hardware)\n"
		  "  config    0x0, config1 0x0, config2 0x0\n  levels    user, kernel\n"
		  "  group     1, with instructions, r1a2:u, bus-cycles\n");
	has(text, "  self-test 3.00M, counted 100 % of the time\n  works     yes\n");
	has(text, "  type      4 (raw)\n  config    0x1a2, config1 0x0, config2 0x0\n"
		  "  levels    user\n");
	has(text, "  works     no: bus-cycles does not exist on this CPU\n");
	/* The software group is opened, but was not asked for. */
	assert_null(strstr(text, "page-faults"));
	free(text);
	text = printed(*state, "cache", FORMAT_TEXT);
	has(text, "cache-references\n");
	has(text, "cache-misses\n");
	free(text);
}

static void details_of_a_hybrid_expect_the_encoding_for_each_kind(void **state)
{
	struct place *p = *state;
	char *text;

	pmu_make(p);
	made_root_write(&p->root, DEVICES "/cpu_atom/type", "10\n");
	made_root_write(&p->root, DEVICES "/cpu_atom/cpus", "4096-4099\n");
	text = printed(p, "cycles r1a2", FORMAT_TEXT);
	has(text, "  PMU       cpu, cpu_atom\n");
	has(text, "            on cpu: type 0, config 0x400000000\n"
		  "            on cpu_atom: type 0, config 0xa00000000\n");
	has(text, "on cpu_atom: type 10, config 0x1a2\n");
	free(text);
	text = printed(p, "", FORMAT_TEXT);
	has(text, "PMU                   cpu, type 4\n"
		  "                      cpu_atom, type 10, of CPUs 4096-4099\n"
		  "kinds of core         2: ");
	free(text);
}

static void names_when_unknown_expect_refusal_with_the_nearest(void **state)
{
	const struct place *p = *state;
	char *names[] = {"cycles", "cahce"}, *none[] = {"none"};
	struct err e = {0};

	assert_int_equal(counters_cmd(&p->f->sys, names, 2, FORMAT_TEXT, stdout, &e), -EINVAL);
	assert_non_null(strstr(e.text, "unknown event 'cahce' (nearest: cache;"));
	assert_int_equal(counters_cmd(&p->f->sys, none, 1, FORMAT_TEXT, stdout, &e), -EINVAL);
	assert_int_equal(fake_open(p->f), 0);
}

static const json_t *event_of(const json_t *root, const char *id)
{
	const json_t *events = json_object_get(root, "events");

	for (size_t i = 0; i < json_array_size(events); i++) {
		const json_t *o = json_array_get(events, i);

		if (strcmp(json_string_value(json_object_get(o, "event")), id) == 0)
			return o;
	}
	fail_msg("no event %s", id);
	return NULL;
}

static const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));

	return text ? text : "(null)";
}

static void json_expect_facts_and_nulls_for_what_is_missing(void **state)
{
	char *text;
	json_t *root;
	const json_t *ev, *attr;

	pmu_make(*state);
	text = printed(*state, "", FORMAT_JSON);
	root = json_loads(text, 0, NULL);
	assert_non_null(root);
	assert_int_equal(json_integer_value(json_object_get(root, "perf_event_paranoid")), 2);
	assert_int_equal(json_integer_value(json_object_get(root, "nmi_watchdog")), 1);
	assert_true(json_is_null(json_object_get(root, "seccomp")));
	assert_true(json_is_null(json_object_get(root, "libpfm4_name")));
	assert_true(json_is_false(json_object_get(root, "hybrid")));
	assert_int_equal(json_array_size(json_object_get(root, "pmus")), 1);
	ev = event_of(root, "cycles");
	assert_string_equal(text_of(ev, "works"), "yes");
	assert_true(json_real_value(json_object_get(ev, "count")) == 3 * MS);
	assert_true(json_is_null(json_object_get(ev, "why")));
	attr = json_object_get(ev, "attr");
	assert_int_equal(json_integer_value(json_object_get(attr, "type")), 0);
	assert_string_equal(text_of(attr, "config"), "0x0");
	ev = event_of(root, "cache-misses");
	assert_string_equal(text_of(ev, "works"), "scaled");
	assert_string_equal(text_of(ev, "why"), "scaled");
	assert_true(json_real_value(json_object_get(ev, "running_ratio")) == 0.5);
	ev = event_of(root, "bus-cycles");
	assert_string_equal(text_of(ev, "works"), "no");
	assert_string_equal(text_of(ev, "why"), "unsupported");
	assert_true(json_is_null(json_object_get(ev, "count")));
	assert_true(json_is_null(json_object_get(ev, "running_ratio")));
	ev = event_of(root, "line-transfers");
	assert_string_equal(text_of(ev, "source"), "nowhere");
	assert_true(json_is_null(json_object_get(ev, "attr")));
	json_decref(root);
	free(text);
}

/* Commas outside quotes, plus one. */
static unsigned cells_of(const char *line)
{
	unsigned n = 1;
	bool quoted = false;

	for (; *line && *line != '\n'; line++) {
		quoted ^= *line == '"';
		n += *line == ',' && !quoted;
	}
	return n;
}

static void csv_expect_a_row_an_event_and_empty_cells(void **state)
{
	char *text;

	pmu_make(*state);
	text = printed(*state, "", FORMAT_CSV);
	has(text,
	    "event,label,role,source,works,why,count,running_ratio,type,config,config1,note\n");
	has(text, "\ncycles,cycles,cycles,hardware,yes,,3000000,1,0,0x0,0x0,\n");
	has(text, "\ncache-misses,misses,cache-misses,hardware,scaled,scaled,1200,0.5,0,0x3,0x0,");
	has(text, "\nbus-cycles,bus-cyc,bus-cycles,hardware,no,unsupported,,,0,0x6,0x0,");
	has(text, "\nline-transfers,xfer,line-transfers,nowhere,no,unsupported,,,,,,");
	for (const char *p = text, *end; (end = strchr(p, '\n')); p = end + 1)
		assert_int_equal(cells_of(p), CSV_COLUMNS);
	free(text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(text_of_a_guest_without_pmu_expect_one_reason_and_live_software),
		TEST(text_of_a_pmu_expect_yes_scaled_and_why_not),
		TEST(text_when_the_kernel_is_denied_expect_user_only),
		TEST(text_when_all_is_denied_expect_the_sentence_once),
		TEST(details_expect_encoding_levels_group_and_answer),
		TEST(details_of_a_hybrid_expect_the_encoding_for_each_kind),
		TEST(names_when_unknown_expect_refusal_with_the_nearest),
		TEST(json_expect_facts_and_nulls_for_what_is_missing),
		TEST(csv_expect_a_row_an_event_and_empty_cells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
