/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Missing numbers: their reasons as letter, word and sentence, and what a ratio makes of them.
 */
#include "probes/value.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Letters and words are a contract: users' scripts know them. */
static const struct {
	enum reason why;
	char letter;
	const char *word;
} table[] = {
	{WHY_OK, '\0', ""},
	{WHY_SCALED, '~', "scaled"},
	{WHY_NOT_YET, 'y', "not-yet"},
	{WHY_UNSUPPORTED, 'u', "unsupported"},
	{WHY_DENIED, 'p', "denied"},
	{WHY_NOT_SCHEDULED, 'm', "not-scheduled"},
	{WHY_IMPLAUSIBLE, 'v', "implausible"},
	{WHY_OFFLINE, 'o', "offline"},
	{WHY_NOT_ALLOWED, 'c', "not-allowed"},
	{WHY_LOST, 'l', "lost"},
	{WHY_UNPINNED, 'f', "unpinned"},
	{WHY_UNRESOLVED, 'r', "unresolved"},
};

static void reasons_expect_letters_and_words_of_the_contract(void **state)
{
	(void)state;
	assert_int_equal(sizeof(table) / sizeof(table[0]), WHY_COUNT);
	for (unsigned i = 0; i < WHY_COUNT; i++) {
		assert_int_equal(table[i].why, i);
		assert_int_equal(reason_letter(table[i].why), table[i].letter);
		assert_string_equal(reason_word(table[i].why), table[i].word);
	}
}

static void reasons_expect_one_sentence_each_without_full_stop(void **state)
{
	(void)state;
	assert_string_equal(reason_sentence(WHY_OK), "");
	for (enum reason why = WHY_SCALED; why < WHY_COUNT; why++) {
		const char *s = reason_sentence(why);

		assert_true(strlen(s) > 10 && strlen(s) < 80);
		assert_int_not_equal(s[strlen(s) - 1], '.');
		assert_null(strchr(s, '\n'));
		for (enum reason other = WHY_SCALED; other < why; other++)
			assert_string_not_equal(s, reason_sentence(other));
	}
}

static void only_plain_and_scaled_values_expect_known(void **state)
{
	(void)state;
	for (enum reason why = WHY_OK; why < WHY_COUNT; why++) {
		assert_int_equal(value_known(value_missing(why)),
				 why == WHY_OK || why == WHY_SCALED);
		assert_int_equal(value_missing(why).why, why);
	}
	assert_true(value_known(value_of(-3.5)) && value_of(-3.5).v == -3.5);
}

static void ratio_expect_quotient_or_the_first_reason(void **state)
{
	static const struct {
		struct value num, den, out;
	} row[] = {
		{{6, WHY_OK}, {4, WHY_OK}, {1.5, WHY_OK}},
		{{0, WHY_OK}, {4, WHY_OK}, {0, WHY_OK}},
		{{6, WHY_SCALED}, {4, WHY_OK}, {1.5, WHY_SCALED}},
		{{6, WHY_OK}, {4, WHY_SCALED}, {1.5, WHY_SCALED}},
		{{6, WHY_OK}, {0, WHY_OK}, {0, WHY_NOT_YET}},
		{{0, WHY_OK}, {0, WHY_OK}, {0, WHY_NOT_YET}},
		{{6, WHY_OK}, {-0.0, WHY_OK}, {0, WHY_NOT_YET}},
		{{6, WHY_SCALED}, {0, WHY_SCALED}, {0, WHY_NOT_YET}},
		{{6, WHY_LOST}, {4, WHY_OK}, {6, WHY_LOST}},
		{{6, WHY_OK}, {0, WHY_DENIED}, {0, WHY_DENIED}},
		{{6, WHY_LOST}, {4, WHY_DENIED}, {6, WHY_LOST}},
		{{20, WHY_UNRESOLVED}, {4, WHY_OK}, {20, WHY_UNRESOLVED}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct value out = value_ratio(row[i].num, row[i].den);

		assert_int_equal(out.why, row[i].out.why);
		assert_true(out.v == row[i].out.v);
		assert_true(isfinite(out.v));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reasons_expect_letters_and_words_of_the_contract),
		cmocka_unit_test(reasons_expect_one_sentence_each_without_full_stop),
		cmocka_unit_test(only_plain_and_scaled_values_expect_known),
		cmocka_unit_test(ratio_expect_quotient_or_the_first_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
