/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of -e: presets, names of libpfm4, and what is said of others.
 */
#include "src/events.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/fake_pmu.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A machine that nothing is known of: generic names encode everywhere. */
static int setup(void **state)
{
	struct fake_pmu *f = fake_new();

	f->sys.encode = pmu_sys_linux.encode;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static int parse(struct fake_pmu *f, struct pmu_list *l, const char *text, struct err *e)
{
	pmu_list_init(l, &f->sys);
	return events_parse(l, text, e);
}

static void parse_when_preset_expect_its_roles_and_the_software_group(void **state)
{
	static const enum pmu_role software[] = {PMU_TASK_CLOCK, PMU_SWITCHES, PMU_MIGRATIONS,
						 PMU_FAULTS};
	unsigned count;
	const struct pmu_preset *p = pmu_presets(&count);

	for (unsigned i = 0; i < count; i++) {
		struct pmu_list l;

		assert_int_equal(parse(*state, &l, p[i].name, NULL), 0);
		for (unsigned k = 0; k < PMU_PRESET_ROLES && p[i].role[k] != PMU_OTHER; k++)
			assert_true(pmu_list_find(&l, p[i].role[k]) >= 0);
		for (unsigned k = 0; k < COUNT(software); k++)
			assert_true(pmu_list_find(&l, software[k]) >= 0);
		pmu_list_fini(&l);
	}
	assert_non_null(pmu_preset_find(EVENTS_DEFAULT));
}

static void parse_when_none_expect_an_empty_list(void **state)
{
	struct pmu_list l;

	assert_int_equal(parse(*state, &l, "none", NULL), 0);
	assert_int_equal(l.count, 0);
	pmu_list_fini(&l);
}

static void parse_when_named_twice_expect_it_once(void **state)
{
	static const struct {
		const char *once, *twice;
	} rows[] = {
		{"contention", "contention,contention"},
		{"contention", "contention,cycles,instructions"},
		{"cycles", "cycles,CYCLES,cycles"},
		{"switch", "switch,context-switches,page-faults"},
		{"cache,bus", "bus,cache,bus"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmu_list a, b;

		assert_int_equal(parse(*state, &a, rows[i].once, NULL), 0);
		assert_int_equal(parse(*state, &b, rows[i].twice, NULL), 0);
		if (a.count != b.count)
			fail_msg("%s: %u events, %s: %u", rows[i].once, a.count, rows[i].twice,
				 b.count);
		pmu_list_fini(&a);
		pmu_list_fini(&b);
	}
}

static void parse_when_events_are_named_expect_them_in_that_order(void **state)
{
	struct pmu_list l;

	assert_int_equal(parse(*state, &l, "branches,cycles,minor-faults", NULL), 0);
	assert_string_equal(l.event[0].id, "branches");
	assert_string_equal(l.event[1].id, "cycles");
	assert_string_equal(l.event[2].id, "minor-faults");
	assert_int_equal(l.event[0].role, PMU_OTHER);
	assert_int_equal(l.event[2].source, PMU_SOFTWARE);
	pmu_list_fini(&l);
}

static void parse_when_wrong_expect_word_and_what_is_accepted(void **state)
{
	static const struct {
		const char *text, *found;
	} rows[] = {
		{"cahce",
		 "unknown event 'cahce' (nearest: cache; accepted: contention, cache, bus, "
		 "tlb, switch, none, or a libpfm4 event)"},
		{"contention,swtich", "unknown event 'swtich' (nearest: switch"},
		{"cylces", "(nearest: CYCLES;"},
		{"instrutcions:u", "(nearest: INSTRUCTIONS;"},
		{"perf::cylces", "(nearest: CYCLES;"},
		{"nonsense-without-likeness",
		 "unknown event 'nonsense-without-likeness' (accepted:"},
		{"", "events '': an empty word"},
		{",cache", "an empty word"},
		{"cache,", "an empty word"},
		{"cache,,bus", "an empty word"},
		{"cache,none", "event 'none': only -e takes it, and alone"},
		{"none,none", "event 'none'"},
		{"cycles:nosuchmask", "cycles:nosuchmask"},
		{"cyc\033[31m", "unknown event 'cyc?[31m'"},
		{"cycles:\033[31m", "cycles:?[31m"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmu_list l;
		struct err e = {0};

		assert_int_equal(parse(*state, &l, rows[i].text, &e), -EINVAL);
		if (!strstr(e.text, rows[i].found) || strchr(e.text, '\n'))
			fail_msg("'%s': '%s' not in '%s'", rows[i].text, rows[i].found, e.text);
		pmu_list_fini(&l);
	}
}

static void parse_when_a_word_is_too_long_expect_refusal(void **state)
{
	char text[400];
	struct pmu_list l;
	struct err e;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(parse(*state, &l, text, &e), -EINVAL);
	pmu_list_fini(&l);
	text[120] = '\0'; /* longer than an id */
	assert_int_equal(parse(*state, &l, text, &e), -EINVAL);
	pmu_list_fini(&l);
}

/* @count raw events, all different. */
static char *raw_names(unsigned count, char *buf, size_t size)
{
	size_t have = 0;

	for (unsigned i = 0; i < count; i++)
		have += (size_t)snprintf(buf + have, size - have, "%sr%x", i ? "," : "", 0x100 + i);
	return buf;
}

static void parse_when_too_many_expect_the_limit(void **state)
{
	static const struct {
		unsigned count;
		int rc;
		const char *found;
	} rows[] = {
		{PMU_EVENTS - 4, 0, NULL},
		{PMU_EVENTS - 3, -ENOSPC, "too many events (at most 32 with the software ones)"},
		{PMU_EVENTS, -ENOSPC, "at most 32"},
		{PMU_EVENTS + 1, -ENOSPC, "too many events: 'r120' does not fit (at most 32)"},
	};
	char text[512];

	_Static_assert(PMU_EVENTS == 32, "the texts above");
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmu_list l;
		struct err e = {0};

		assert_int_equal(parse(*state, &l, raw_names(rows[i].count, text, sizeof(text)),
				       &e),
				 rows[i].rc);
		if (rows[i].rc && !strstr(e.text, rows[i].found))
			fail_msg("'%s' not in '%s'", rows[i].found, e.text);
		pmu_list_fini(&l);
	}
}

static void sentence_when_name_leads_expect_it_gone(void **state)
{
	static const struct {
		const char *id, *note, *sentence;
	} rows[] = {
		{"cycles", "", ""},
		{"cycles", "cycles: denied", "denied"},
		{"cycles:u", "cycles:u: denied", "denied"},
		{"cycles:u", "cycles: denied", "denied"},
		{"bus-cycles", "bus-cycles does not exist", "does not exist"},
		{"cycles", "Blocked by the profile", "Blocked by the profile"},
		{"bus", "bus-cycles: denied", "bus-cycles: denied"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmu_event ev = {.why = WHY_DENIED};

		snprintf(ev.id, sizeof(ev.id), "%s", rows[i].id);
		snprintf(ev.note, sizeof(ev.note), "%s", rows[i].note);
		assert_string_equal(events_sentence(&ev), rows[i].sentence);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parse_when_preset_expect_its_roles_and_the_software_group),
		cmocka_unit_test(parse_when_none_expect_an_empty_list),
		cmocka_unit_test(parse_when_named_twice_expect_it_once),
		cmocka_unit_test(parse_when_events_are_named_expect_them_in_that_order),
		cmocka_unit_test(parse_when_wrong_expect_word_and_what_is_accepted),
		cmocka_unit_test(parse_when_a_word_is_too_long_expect_refusal),
		cmocka_unit_test(parse_when_too_many_expect_the_limit),
		cmocka_unit_test(sentence_when_name_leads_expect_it_gone),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
