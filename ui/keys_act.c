/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the keys of all modes share: actions, scrolling.
 */
#include "ui/keys.h"

#include <stdarg.h>
#include <stdio.h>

struct ui_action keys_act(enum ui_action_kind kind)
{
	return (struct ui_action){.kind = kind};
}

struct ui_action keys_beep(const char *fmt, ...)
{
	struct ui_action a = keys_act(ACT_BEEP);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(a.text, sizeof(a.text), fmt, ap);
	va_end(ap);
	return a;
}

struct ui_action keys_trial(struct ui_state *s, enum ui_action_kind kind)
{
	s->frozen = false;
	return keys_act(kind);
}

struct ui_action keys_variant(struct ui_state *s, const struct model *m, unsigned index)
{
	struct ui_action a;

	if (index >= m->variant_count)
		return keys_beep("there is no variant %u: %s has %u", index + 1, m->config.workload,
				 m->variant_count);
	if (!m->variant[index].info->supported)
		return keys_beep("%s does not run here: %s", m->variant[index].info->name,
				 m->variant[index].info->why);
	a = keys_trial(s, ACT_VARIANT);
	a.index = index;
	return a;
}

bool keys_scroll(unsigned *at, unsigned limit, unsigned page, unsigned key)
{
	unsigned now = *at < limit ? *at : limit;

	switch (key) {
	case KEYCODE_UP:
		now -= now > 0;
		break;
	case KEYCODE_DOWN:
		now += now < limit;
		break;
	case KEYCODE_PAGE_UP:
		now = now > page ? now - page : 0;
		break;
	case KEYCODE_PAGE_DOWN:
		now = limit - now > page ? now + page : limit;
		break;
	case KEYCODE_HOME:
		now = 0;
		break;
	case KEYCODE_END:
		now = limit;
		break;
	default:
		return false;
	}
	*at = now;
	return true;
}
