/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A keyboard and a mouse for tests: the made-up model, a state, and what is pressed on it.
 */
#ifndef HOTLINE_TESTS_KEYBOARD_H
#define HOTLINE_TESTS_KEYBOARD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/fixture.h"
#include "ui/state.h"
#include "ui/view.h"

enum { ESC = 27, ENTER = 13, TAB = 9, CTRL_L = 12, CTRL_Z = 26, BACKSPACE = 127 };

struct fixture {
	struct model model;
	struct ui_state s;
};

static inline int setup(void **state)
{
	struct fixture *f = malloc(sizeof(*f));

	assert_non_null(f);
	fixture_model(&f->model, 16);
	f->s = ui_state_default();
	*state = f;
	return 0;
}

static inline int teardown(void **state)
{
	struct fixture *f = *state;

	fixture_free(&f->model);
	free(f);
	return 0;
}

static inline struct ui_action press(struct fixture *f, unsigned key)
{
	return ui_key(&f->s, &f->model, key);
}

static inline struct ui_action type(struct fixture *f, const char *keys)
{
	struct ui_action a = {.kind = ACT_NONE};

	for (; *keys; keys++)
		a = press(f, (unsigned char)*keys);
	return a;
}

/* What the mouse does on the frame that stands on the screen. */
static inline struct ui_action mouse(struct fixture *f, enum ui_mouse_kind kind, unsigned row,
				     unsigned col)
{
	struct ui_mouse e = {.kind = kind, .row = row, .col = col};
	struct ui_action a;
	struct grid g;

	assert_int_equal(grid_init(&g, f->s.cols, f->s.rows, TIER_UTF8), 0);
	view_render(&f->model, &f->s, &g);
	a = ui_mouse(&f->s, &f->model, &g, &e);
	grid_fini(&g);
	return a;
}

#define WITH_MODEL(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

#endif
