/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPU lists: what is accepted, what is refused and how, and that writing undoes parsing.
 */
#include "probes/cpulist.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void parse_of_good_lists_expect_ids_in_written_order(void **state)
{
	static const struct {
		const char *text;
		int count, id[8];
	} row[] = {
		{"0", 1, {0}},
		{"0,2-5", 5, {0, 2, 3, 4, 5}},
		{"0+2-5", 5, {0, 2, 3, 4, 5}},
		{"7,1,3", 3, {7, 1, 3}},
		{"4-4", 1, {4}},
		{"2-3+0,1", 4, {2, 3, 0, 1}},
		{"007", 1, {7}},
		{"65535", 1, {65535}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		int id[8];
		struct err e;

		assert_int_equal(cpulist_parse(row[i].text, id, 8, &e), row[i].count);
		assert_memory_equal(id, row[i].id, (size_t)row[i].count * sizeof(int));
	}
}

static void parse_of_bad_lists_expect_refusal_naming_the_word(void **state)
{
	static const struct {
		const char *text;
		int code;
		const char *word;
	} row[] = {
		{"", -EINVAL, "\"\""},
		{",", -EINVAL, "\"\""},
		{"0,", -EINVAL, "\"\""},
		{"0,,1", -EINVAL, "\"\""},
		{"x", -EINVAL, "\"x\""},
		{"0,1x", -EINVAL, "\"1x\""},
		{" 0", -EINVAL, "\" 0\""},
		{"-1", -EINVAL, "\"-1\""},
		{"3-", -EINVAL, "\"3-\""},
		{"1-2-3", -EINVAL, "\"1-2-3\""},
		{"0,5-2", -EINVAL, "write 2-5"},
		{"0-3,2", -EINVAL, "CPU 2 is listed twice"},
		{"65536", -ERANGE, "65535"},
		{"99999999999999999999", -ERANGE, "65535"},
		{"0-4294967296", -ERANGE, "65535"},
		{"0-8", -ERANGE, "more than 8"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		int id[8];
		struct err e = {0};

		assert_int_equal(cpulist_parse(row[i].text, id, 8, &e), row[i].code);
		assert_int_equal(e.code, row[i].code);
		assert_non_null(strstr(e.text, row[i].word));
	}
}

static void format_expect_runs_joined_and_unpinned_left_out(void **state)
{
	static const struct {
		const char *text;
		unsigned count;
		int id[8];
	} row[] = {
		{"", 0, {0}},
		{"0", 1, {0}},
		{"0-1", 2, {0, 1}},
		{"0,2-5", 5, {0, 2, 3, 4, 5}},
		{"5,4,3", 3, {5, 4, 3}},
		{"0-1,0-1", 4, {0, 1, 0, 1}},
		{"", 3, {-1, -1, -1}},
		{"0,7", 4, {-1, 0, -1, 7}},
	};
	char buf[64];

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		cpulist_format(row[i].id, row[i].count, buf, sizeof(buf));
		assert_string_equal(buf, row[i].text);
	}
}

static void format_at_every_size_expect_whole_parts_and_dots(void **state)
{
	static const int id[] = {0, 2, 3, 4, 100, 1023};
	static const char whole[] = "0,2-4,100,1023";

	(void)state;
	for (unsigned size = 4; size <= sizeof(whole) + 2; size++) {
		char *buf = malloc(size); /* exactly: so that ASan sees a byte too many */
		size_t length;

		assert_non_null(buf);
		cpulist_format(id, 6, buf, size);
		length = strlen(buf);
		if (size >= sizeof(whole)) {
			assert_string_equal(buf, whole);
		} else {
			assert_true(length >= 3 && length < size);
			assert_string_equal(buf + length - 3, "...");
			assert_memory_equal(buf, whole, length - 3);
			/* What was cut goes on with a comma: no number is shown in half. */
			assert_true(length == 3 || whole[length - 3] == ',');
		}
		free(buf);
	}
}

static void parse_of_formatted_list_expect_same_ids(void **state)
{
	uint32_t x = 1;

	(void)state;
	for (int round = 0; round < 200; round++) {
		int id[64], back[64];
		unsigned count = 0;
		char buf[1024];
		int next = 0;

		while (count < 64) {
			x = x * 1664525u + 1013904223u;
			next += 1 + (int)(x >> 30);
			id[count++] = next;
		}
		cpulist_format(id, count, buf, sizeof(buf));
		assert_int_equal(cpulist_parse(buf, back, 64, NULL), 64);
		assert_memory_equal(id, back, sizeof(id));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parse_of_good_lists_expect_ids_in_written_order),
		cmocka_unit_test(parse_of_bad_lists_expect_refusal_naming_the_word),
		cmocka_unit_test(format_expect_runs_joined_and_unpinned_left_out),
		cmocka_unit_test(format_at_every_size_expect_whole_parts_and_dots),
		cmocka_unit_test(parse_of_formatted_list_expect_same_ids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
