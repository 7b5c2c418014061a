/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Short numbers, cleaned names, nearest words, strict numbers.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/text.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void si_when_any_size_expect_three_digits(void **state)
{
	static const struct {
		double v;
		const char *text;
	} rows[] = {
		{0, "0"},
		{3740000, "3.74M"},
		{302000, "302k"},
		{12, "12.0"},
		{0.234, "0.234"},
		{0.0234, "0.0234"},
		{0.00002, "2e-05"},
		{1, "1.00"},
		{9.994, "9.99"},
		{9.996, "10.0"},
		{99.94, "99.9"},
		{99.96, "100"},
		{999.4, "999"},
		{999.6, "1.00k"},
		{999499, "999k"},
		{999501, "1.00M"},
		{0.9994, "0.999"},
		{0.9996, "1.00"},
		{0.09996, "0.100"},
		{-1500, "-1.50k"},
		{-0.5, "-0.500"},
		{1e18, "1.00E"},
		{1e22, ">999E"},
		{INFINITY, "inf"},
		{-INFINITY, "-inf"},
		{NAN, "nan"},
	};
	char buf[32];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_string_equal(text_si(rows[i].v, buf, sizeof(buf)), rows[i].text);
}

static void ns_when_any_size_expect_four_cells_and_unit(void **state)
{
	static const struct {
		double ns;
		const char *text, *ascii;
	} rows[] = {
		{126, "126n", "126n"},
		{4100, "4.1\xc2\xb5", "4.1u"},
		{1.2e6, "1.2m", "1.2m"},
		{2e9, "2.0s", "2.0s"},
		{0, "0.0n", "0.0n"},
		{9.94, "9.9n", "9.9n"},
		{9.96, "10n", "10n"},
		{999.4, "999n", "999n"},
		{999.6, "1.0\xc2\xb5", "1.0u"},
		{999600, "1.0m", "1.0m"},
		{3599e9, "3599s", "3599s"},
		{36000e9, "10h", "10h"},
		{1e30, ">9kh", ">9kh"},
		{NAN, "-", "-"},
	};
	char buf[32];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_string_equal(text_ns(rows[i].ns, false, buf, sizeof(buf)), rows[i].text);
		assert_string_equal(text_ns(rows[i].ns, true, buf, sizeof(buf)), rows[i].ascii);
	}
}

static void value_when_missing_expect_letter(void **state)
{
	char buf[32];

	(void)state;
	assert_string_equal(text_value(value_of(1500), buf, sizeof(buf)), "1.50k");
	assert_string_equal(text_value((struct value){1500, WHY_SCALED}, buf, sizeof(buf)),
			    "1.50k~");
	assert_string_equal(text_value(value_missing(WHY_NOT_YET), buf, sizeof(buf)), "-");
	assert_string_equal(text_value(value_missing(WHY_UNSUPPORTED), buf, sizeof(buf)), "n/a:u");
	assert_string_equal(text_value_ns(value_of(126), true, buf, sizeof(buf)), "126n");
	assert_string_equal(text_value_ns((struct value){20, WHY_UNRESOLVED}, true, buf,
					  sizeof(buf)),
			    "<20n");
	assert_string_equal(text_value_ns(value_missing(WHY_UNRESOLVED), true, buf, sizeof(buf)),
			    "n/a:r");
	assert_string_equal(text_value_ns((struct value){20, WHY_SCALED}, true, buf, sizeof(buf)),
			    "20n~");
}

static void clean_when_hostile_expect_question_marks(void **state)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{"plain", "plain"},
		{"a\033[31mb", "a?[31mb"},
		{"tab\tnl\n", "tab?nl?"},
		{"\xc2\xb5s", "\xc2\xb5s"},
		{"\xc2\x9b"
		 "31m",
		 "?31m"}, /* C1: CSI in one character */
		{"\xe2\x80\xae"
		 "gpj",
		 "?gpj"}, /* right-to-left override */
		{"\xff\xfe", "??"},
		{"\xc0\x80", "??"},      /* overlong */
		{"\xed\xa0\x80", "???"}, /* surrogate */
		{"cut\xe2\x82", "cut??"},
		{"\x7f", "?"},
	};
	char buf[64];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_string_equal(text_clean(buf, sizeof(buf), rows[i].in), rows[i].out);
}

static void clean_when_too_long_expect_cut_between_characters(void **state)
{
	char buf[4];

	(void)state;
	assert_string_equal(text_clean(buf, sizeof(buf), "abcdef"), "abc");
	assert_string_equal(text_clean(buf, sizeof(buf), "ab\xc2\xb5"), "ab");
	assert_string_equal(text_clean(buf, 1, "ab"), "");
}

static void nearest_when_misspelt_expect_word_or_null(void **state)
{
	static const char list[] = "spinlock, ticket, mcs, old, old-xchg";
	static const struct {
		const char *word, *near;
	} rows[] = {
		{"sponlock", "spinlock"},
		{"spinlcok", "spinlock"},
		{"SPINLOCK", "spinlock"},
		{"tickets", "ticket"},
		{"msc", "mcs"},
		{"odl", "old"},
		{"old-xhcg", "old-xchg"},
		{"pthread-mutex", NULL},
		{"zz", NULL},
		{"", NULL},
		{"x", NULL},
	};
	char buf[16];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *near = text_nearest(rows[i].word, list, buf, sizeof(buf));

		if (rows[i].near)
			assert_string_equal(near, rows[i].near);
		else
			assert_null(near);
	}
}

static void nearest_when_word_is_huge_expect_null(void **state)
{
	char word[500], buf[16];

	(void)state;
	memset(word, 'a', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	assert_null(text_nearest(word, "spinlock", buf, sizeof(buf)));
}

static void unknown_when_reported_expect_word_nearest_and_list(void **state)
{
	struct err e;

	(void)state;
	assert_int_equal(text_unknown("variant", "odl", "old, new", &e), -EINVAL);
	assert_string_equal(e.text, "unknown variant 'odl' (nearest: old; accepted: old, new)");
	text_unknown("variant", "q\033[2J", "old, new", &e);
	assert_string_equal(e.text, "unknown variant 'q?[2J' (accepted: old, new)");
}

static void whole_numbers_when_malformed_expect_refusal(void **state)
{
	static const struct {
		const char *text;
		int rc;
		uint64_t v;
	} rows[] = {
		{"1", 0, 1},         {"10", 0, 10},       {"007", 0, 7},
		{"0", -ERANGE, 0},   {"11", -ERANGE, 0},  {"99999999999999999999", -ERANGE, 0},
		{"", -EINVAL, 0},    {"-1", -EINVAL, 0},  {"+1", -EINVAL, 0},
		{" 1", -EINVAL, 0},  {"1 ", -EINVAL, 0},  {"1.5", -EINVAL, 0},
		{"0x1", -EINVAL, 0}, {"1e1", -EINVAL, 0}, {"nan", -EINVAL, 0},
	};
	struct err e;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		uint64_t v = 0;

		assert_int_equal(text_u64("n", rows[i].text, 1, 10, &v, &e), rows[i].rc);
		assert_true(v == rows[i].v);
	}
	assert_int_equal(text_u64("--rounds", "x", 1, 10, &(uint64_t){0}, &e), -EINVAL);
	assert_string_equal(e.text, "--rounds 'x': not a whole number (accepted: 1 to 10)");
}

static void signed_numbers_when_malformed_expect_refusal(void **state)
{
	static const struct {
		const char *text;
		int rc;
		int64_t v;
	} rows[] = {
		{"-5", 0, -5},
		{"5", 0, 5},
		{"-6", -ERANGE, 0},
		{"--5", -EINVAL, 0},
		{"-", -EINVAL, 0},
		{"+5", -EINVAL, 0},
		{"-99999999999999999999", -ERANGE, 0},
	};
	struct err e;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		int64_t v = 0;

		assert_int_equal(text_i64("n", rows[i].text, -5, 5, &v, &e), rows[i].rc);
		assert_true(v == rows[i].v);
	}
}

static void real_numbers_when_malformed_expect_refusal(void **state)
{
	static const struct {
		const char *text;
		int rc;
		double v;
	} rows[] = {
		{"0.5", 0, 0.5},       {".5", 0, 0.5},         {"1", 0, 1},
		{"5e-1", 0, 0.5},      {"2", -ERANGE, 0},      {"-1", -ERANGE, 0},
		{"1e999", -ERANGE, 0}, {"nan", -EINVAL, 0},    {"NaN", -EINVAL, 0},
		{"inf", -EINVAL, 0},   {"-inf", -EINVAL, 0},   {"", -EINVAL, 0},
		{".", -EINVAL, 0},     {"0x1p-1", -EINVAL, 0}, {" 0.5", -EINVAL, 0},
		{"0.5s", -EINVAL, 0},  {"+0.5", -EINVAL, 0},   {"0,5", -EINVAL, 0},
		{"1e", -EINVAL, 0},
	};
	struct err e;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double v = 0;

		assert_int_equal(text_double("n", rows[i].text, 0.001, 1, &v, &e), rows[i].rc);
		assert_true(v == rows[i].v);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(si_when_any_size_expect_three_digits),
		cmocka_unit_test(ns_when_any_size_expect_four_cells_and_unit),
		cmocka_unit_test(value_when_missing_expect_letter),
		cmocka_unit_test(clean_when_hostile_expect_question_marks),
		cmocka_unit_test(clean_when_too_long_expect_cut_between_characters),
		cmocka_unit_test(nearest_when_misspelt_expect_word_or_null),
		cmocka_unit_test(nearest_when_word_is_huge_expect_null),
		cmocka_unit_test(unknown_when_reported_expect_word_nearest_and_list),
		cmocka_unit_test(whole_numbers_when_malformed_expect_refusal),
		cmocka_unit_test(signed_numbers_when_malformed_expect_refusal),
		cmocka_unit_test(real_numbers_when_malformed_expect_refusal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
