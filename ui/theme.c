/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one table of looks.
 */
#include "ui/theme.h"

/* Colours of the 8 that every terminal with colours has (ECMA-48, SGR 30 to 37). */
enum { RED = 1, GREEN, YELLOW, BLUE, MAGENTA, CYAN };

static const struct {
	bool bold, dim, reverse;
	short dark, light; /* of 256: 3:1 on black and white, and on Solarized; 0 = none */
	short dark_basic, light_basic; /* of 8 */
} looks[ROLE_COUNT] = {
	[ROLE_TEXT] = {.bold = false},
	[ROLE_DIM] = {.dim = true},
	[ROLE_TITLE] = {.bold = true},
	[ROLE_RULE] = {.dim = true},
	[ROLE_LABEL] = {.bold = true},
	[ROLE_KEY] = {.bold = true},
	[ROLE_SELECTED] = {.reverse = true},
	[ROLE_WARNING] = {.bold = true},
	[ROLE_ERROR] = {.bold = true, .reverse = true},
	[ROLE_BAR] = {.dark = 74, .light = 25, .dark_basic = CYAN, .light_basic = BLUE},
	[ROLE_WAIT] = {.dark = 178, .light = 166, .dark_basic = YELLOW, .light_basic = RED},
	[ROLE_HOLD] = {.dark = 35, .light = 29, .dark_basic = GREEN, .light_basic = GREEN},
	[ROLE_RUN] = {.dark = 175, .light = 132, .dark_basic = MAGENTA, .light_basic = MAGENTA},
	[ROLE_A] = {.dark = 69, .light = 25, .dark_basic = CYAN, .light_basic = BLUE},
	[ROLE_B] = {.dark = 166, .light = 166, .dark_basic = RED, .light_basic = RED},
};

struct theme_look theme_look(enum grid_role role, enum term_theme theme, int colors)
{
	struct theme_look look = {-1, looks[role].bold, looks[role].dim, looks[role].reverse};
	bool light = theme == THEME_LIGHT;

	if (theme == THEME_MONO || colors < 8 || !looks[role].dark)
		return look;
	if (colors < 256)
		look.color = light ? looks[role].light_basic : looks[role].dark_basic;
	else
		look.color = light ? looks[role].light : looks[role].dark;
	return look;
}
