/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes of the terminal to keys: what ncurses knows, and what it leaves to be read away.
 */
#include "ui/term_keys.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ui/state.h"

enum { SEQUENCE_BYTES = 32, SEQUENCE_MS = 25 };

/* 0 for a key that means nothing to us. */
static unsigned keycode_of(wint_t code)
{
	static const struct {
		wint_t curses;
		unsigned key;
	} codes[] = {
		{KEY_UP, KEYCODE_UP},
		{KEY_DOWN, KEYCODE_DOWN},
		{KEY_LEFT, KEYCODE_LEFT},
		{KEY_RIGHT, KEYCODE_RIGHT},
		{KEY_PPAGE, KEYCODE_PAGE_UP},
		{KEY_NPAGE, KEYCODE_PAGE_DOWN},
		{KEY_HOME, KEYCODE_HOME},
		{KEY_END, KEYCODE_END},
		{KEY_F(1), KEYCODE_F1},
		{KEY_F(10), KEYCODE_F10},
		{KEY_BTAB, KEYCODE_BACKTAB},
		{KEY_BACKSPACE, KEYCODE_BACKSPACE},
		{KEY_ENTER, '\r'},
	};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if (codes[i].curses == code)
			return codes[i].key;
	}
	return 0;
}

/*
 * ncurses says ERR both when there is no key and when there will never be one. A descriptor that is
 * readable but holds no byte, or hung up, is at its end.
 */
static bool input_ended(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	int waiting = 0;

	if (poll(&p, 1, 0) <= 0)
		return false;
	if (p.revents & (POLLHUP | POLLERR | POLLNVAL))
		return true;
	return ioctl(STDIN_FILENO, FIONREAD, &waiting) < 0 || waiting == 0;
}

bool term_mouse_parse(const char *report, char last, struct ui_mouse *out)
{
	/* Bits of the button: 64 the wheel, with 0 up and 1 down; 4, 8, 16 shift, meta, control. */
	enum { LEFT = 0, WHEEL_UP = 64, WHEEL_DOWN = 65 };
	unsigned number[3] = {0}, n = 0;

	for (; *report; report++) {
		if (*report == ';' && n < 2)
			n++;
		else if (*report >= '0' && *report <= '9' && number[n] < 10000)
			number[n] = number[n] * 10 + (unsigned)(*report - '0');
		else
			return false;
	}
	if (n != 2 || last != 'M' || !number[1] || !number[2])
		return false;
	if (number[0] == LEFT)
		out->kind = MOUSE_PRESS;
	else if (number[0] == WHEEL_UP || number[0] == WHEEL_DOWN)
		out->kind = number[0] == WHEEL_UP ? MOUSE_WHEEL_UP : MOUSE_WHEEL_DOWN;
	else
		return false;
	out->col = number[1] - 1;
	out->row = number[2] - 1;
	return true;
}

/*
 * The next character of a sequence that has begun. A slow line may have cut it: what is missing is
 * waited for, or its end would be taken for keys.
 */
static bool sequence_next(WINDOW *keys, wint_t *code)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};

	if (wget_wch(keys, code) == OK)
		return true;
	return poll(&p, 1, SEQUENCE_MS) > 0 && wget_wch(keys, code) == OK;
}

/*
 * The rest of a sequence that ncurses does not know, after its Esc and @kind, '[' or 'O': read to
 * its end, so that its letters are not taken for keys. Reports of the mouse, and Home and End as
 * some terminals send them, get their meaning, all else gives 0. Source: ECMA-48 5.4 (CSI:
 * parameters, then one byte of 0x40..0x7e).
 */
static unsigned sequence_rest(WINDOW *keys, struct ui_mouse *mouse)
{
	char text[SEQUENCE_BYTES] = "";
	size_t n = 0;
	wint_t code = 0;

	while (sequence_next(keys, &code) && (code < 0x40 || code > 0x7e)) {
		if (n + 1 < sizeof(text))
			text[n++] = (char)(code < 0x40 ? code : '?');
	}
	if (text[0] == '<')
		return term_mouse_parse(text + 1, (char)code, mouse) ? KEYCODE_MOUSE : 0;
	if (code == 'M' && !n) /* the old form, from a terminal without 1006: three bytes more */
		for (unsigned i = 0; i < 3 && sequence_next(keys, &code); i++)
			;
	else if (code == '~' && (!strcmp(text, "1") || !strcmp(text, "7")))
		return KEYCODE_HOME;
	else if (code == '~' && (!strcmp(text, "4") || !strcmp(text, "8")))
		return KEYCODE_END;
	return 0;
}

int term_keys_read(WINDOW *keys, unsigned *key, struct ui_mouse *mouse)
{
	wint_t code, next;

	for (;;) {
		int kind = wget_wch(keys, &code);

		if (kind == ERR)
			return input_ended() ? -EIO : 0;
		if (kind == OK && code == 27 && wget_wch(keys, &next) == OK) {
			if (next == '[' || next == 'O') {
				*key = sequence_rest(keys, mouse);
				if (*key)
					return 1;
				continue;
			}
			unget_wch((wchar_t)next); /* Esc, and then a key */
		}
		if (kind == OK) {
			*key = (unsigned)code;
			return 1;
		}
		/* KEY_RESIZE is the echo of term_resized(); keys without a meaning are dropped. */
		*key = keycode_of(code);
		if (*key)
			return 1;
	}
}
