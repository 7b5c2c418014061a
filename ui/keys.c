/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One key: what it means depends on the mode.
 */
#include "ui/keys.h"

struct ui_action ui_key(struct ui_state *s, const struct model *m, unsigned key)
{
	/* These mean the same in every mode. */
	if (key == KEY_CTRL_L)
		return keys_act(ACT_REPAINT);
	if (key == KEY_CTRL_Z)
		return keys_act(ACT_SUSPEND);
	if (key == KEYCODE_F10)
		return keys_act(ACT_QUIT);
	if (key == KEYCODE_MOUSE) /* without its place it says nothing */
		return keys_act(ACT_NONE);
	switch (s->mode) {
	case UI_MAIN:
		return keys_main(s, m, key);
	case UI_HELP:
		return keys_help(s, m, key);
	case UI_VARIANTS:
		return keys_variants(s, m, key);
	case UI_KNOBS:
		return keys_knobs(s, m, key);
	case UI_MESSAGES:
		return keys_messages(s, m, key);
	case UI_WORKLOADS:
		return keys_workloads(s, m, key);
	case UI_CPU:
		return keys_cpu(s, m, key);
	case UI_CONFIRM:
		return keys_confirm(s, key);
	}
	return keys_act(ACT_NONE);
}
