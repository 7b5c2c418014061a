/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports of the mouse as the terminal sends them.
 */
#include "ui/term_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ui/state.h"

static void reports_expect_press_wheel_or_nothing(void **state)
{
	static const struct {
		const char *report;
		char last;
		bool known;
		struct ui_mouse mouse;
	} cases[] = {
		{"0;1;1", 'M', true, {MOUSE_PRESS, 0, 0}},
		{"0;300;78", 'M', true, {MOUSE_PRESS, 77, 299}},
		{"64;12;5", 'M', true, {MOUSE_WHEEL_UP, 4, 11}},
		{"65;12;5", 'M', true, {MOUSE_WHEEL_DOWN, 4, 11}},
		{"0;12;5", 'm', false, {0}},  /* let go */
		{"1;12;5", 'M', false, {0}},  /* middle */
		{"2;12;5", 'M', false, {0}},  /* right */
		{"4;12;5", 'M', false, {0}},  /* with shift: a selection begins */
		{"32;12;5", 'M', false, {0}}, /* moved */
		{"66;12;5", 'M', false, {0}}, /* the wheel, sideways */
		{"0;0;5", 'M', false, {0}},   /* there is no column 0 */
		{"0;12", 'M', false, {0}},
		{"0;12;5;6", 'M', false, {0}},
		{"", 'M', false, {0}},
		{";;", 'M', false, {0}},
		{"0;12;x", 'M', false, {0}},
		{"-1;12;5", 'M', false, {0}},
		{"0;12;5", 'q', false, {0}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ui_mouse out = {0};
		bool known = term_mouse_parse(cases[i].report, cases[i].last, &out);

		if (known != cases[i].known)
			fail_msg("'%s%c'", cases[i].report, cases[i].last);
		if (!known)
			continue;
		assert_int_equal(out.kind, cases[i].mouse.kind);
		assert_int_equal(out.row, cases[i].mouse.row);
		assert_int_equal(out.col, cases[i].mouse.col);
	}
}

static void numbers_beyond_all_screens_expect_no_overflow(void **state)
{
	struct ui_mouse out;

	(void)state;
	assert_false(term_mouse_parse("0;99999999999999999999;5", 'M', &out));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_expect_press_wheel_or_nothing),
		cmocka_unit_test(numbers_beyond_all_screens_expect_no_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
