/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks of all roles: readable on black, white and Solarized, and without any colour.
 */
#include "ui/theme.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct rgb {
	unsigned r, g, b;
};

/* Source: xterm's 256colres.h: a cube of six steps, then greys. */
static struct rgb rgb_of(int color)
{
	static const unsigned step[] = {0, 95, 135, 175, 215, 255};
	unsigned n = (unsigned)color - 16;

	assert_in_range(color, 16, 231);
	return (struct rgb){step[n / 36], step[n / 6 % 6], step[n % 6]};
}

static double channel(unsigned v)
{
	double x = v / 255.0;

	return x <= 0.03928 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double luminance(struct rgb c)
{
	return 0.2126 * channel(c.r) + 0.7152 * channel(c.g) + 0.0722 * channel(c.b);
}

/* Source: WCAG 2.1, contrast ratio; 3:1 is what it asks of graphics (1.4.11). */
static double contrast(struct rgb a, struct rgb b)
{
	double x = luminance(a), y = luminance(b);

	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

static void colours_on_their_grounds_expect_three_to_one(void **state)
{
	static const struct {
		enum term_theme theme;
		struct rgb ground;
	} cases[] = {
		{THEME_DARK, {0, 0, 0}},
		{THEME_DARK, {0x00, 0x2b, 0x36}}, /* Solarized, dark */
		{THEME_LIGHT, {255, 255, 255}},
		{THEME_LIGHT, {0xfd, 0xf6, 0xe3}}, /* Solarized, light */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (unsigned role = 0; role < ROLE_COUNT; role++) {
			struct theme_look look = theme_look(role, cases[i].theme, 256);

			if (look.color < 0)
				continue;
			if (contrast(rgb_of(look.color), cases[i].ground) < 3)
				fail_msg("role %u, ground %zu: %.2f", role, i,
					 contrast(rgb_of(look.color), cases[i].ground));
		}
	}
}

/* Text is in the terminal's own colour: whatever its background, it was chosen to be read. */
static void text_roles_expect_no_colour_in_any_theme(void **state)
{
	static const enum grid_role text[] = {
		ROLE_TEXT, ROLE_DIM,      ROLE_TITLE,   ROLE_RULE,  ROLE_LABEL,
		ROLE_KEY,  ROLE_SELECTED, ROLE_WARNING, ROLE_ERROR,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
		for (unsigned theme = THEME_DARK; theme <= THEME_MONO; theme++)
			assert_int_equal(theme_look(text[i], theme, 256).color, -1);
	}
}

static void mono_or_few_colours_expect_none_used(void **state)
{
	static const int few[] = {-1, 0, 2, 7};

	(void)state;
	for (unsigned role = 0; role < ROLE_COUNT; role++) {
		assert_int_equal(theme_look(role, THEME_MONO, 256).color, -1);
		for (size_t i = 0; i < sizeof(few) / sizeof(few[0]); i++)
			assert_int_equal(theme_look(role, THEME_DARK, few[i]).color, -1);
	}
}

/* What must stand out does so by more than hue, the same in all themes. */
static void marks_expect_attributes_in_all_themes(void **state)
{
	(void)state;
	for (unsigned theme = THEME_DARK; theme <= THEME_MONO; theme++) {
		assert_true(theme_look(ROLE_SELECTED, theme, 256).reverse);
		assert_true(theme_look(ROLE_WARNING, theme, 256).bold);
		assert_true(theme_look(ROLE_ERROR, theme, 256).reverse);
		assert_true(theme_look(ROLE_KEY, theme, 256).bold);
		for (unsigned role = 0; role < ROLE_COUNT; role++) {
			/* Bold and dim at once is what terminals disagree about. */
			struct theme_look look = theme_look(role, theme, 256);

			assert_false(look.bold && look.dim);
			/* Bold black was invisible where bold is a colour: no colour is black. */
			assert_int_not_equal(theme_look(role, theme, 8).color, 0);
		}
	}
}

static void a_and_b_expect_different_colours_of_8_and_256(void **state)
{
	(void)state;
	for (unsigned theme = THEME_DARK; theme <= THEME_LIGHT; theme++) {
		assert_int_not_equal(theme_look(ROLE_A, theme, 256).color,
				     theme_look(ROLE_B, theme, 256).color);
		assert_int_not_equal(theme_look(ROLE_A, theme, 8).color,
				     theme_look(ROLE_B, theme, 8).color);
		assert_in_range(theme_look(ROLE_A, theme, 8).color, 1, 7);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colours_on_their_grounds_expect_three_to_one),
		cmocka_unit_test(text_roles_expect_no_colour_in_any_theme),
		cmocka_unit_test(mono_or_few_colours_expect_none_used),
		cmocka_unit_test(marks_expect_attributes_in_all_themes),
		cmocka_unit_test(a_and_b_expect_different_colours_of_8_and_256),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
