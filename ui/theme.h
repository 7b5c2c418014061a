/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a role looks like: in which colour, if any, and bold, dim or reversed.
 *
 * Text stays in the terminal's own colour and on its own background: it is readable wherever the
 * terminal is. Only bars, and the marks of A and B beside their letters, have a colour, so nothing
 * is said by hue alone.
 */
#ifndef HOTLINE_UI_THEME_H
#define HOTLINE_UI_THEME_H

#include "ui/grid.h"

enum term_theme { THEME_DARK, THEME_LIGHT, THEME_MONO };

struct theme_look {
	int color; /* number of the palette, -1 = the terminal's own */
	bool bold, dim, reverse;
};

/*
 * @colors: that the terminal has: below 8 none is used, below 256 the basic ones.
 * Source of the colours: Okabe and Ito, Color Universal Design (2008), as near as the palette
 * comes.
 * Threads: any.
 */
struct theme_look theme_look(enum grid_role role, enum term_theme theme, int colors);

#endif
