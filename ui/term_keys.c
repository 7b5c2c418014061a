/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes of the terminal to keys: what ncurses knows, and what it leaves to be read away.
 */
#include "ui/term_keys.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ui/state.h"

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

/*
 * The rest of a sequence that ncurses does not know, after its Esc: read to its end, so that its
 * letters are not taken for keys. Home and End as some terminals send them get their meaning, all
 * else gives 0. Source: ECMA-48 5.4 (CSI: parameters, then one byte of 0x40..0x7e).
 */
static unsigned sequence_rest(WINDOW *keys)
{
	unsigned number = 0;
	wint_t code;

	while (wget_wch(keys, &code) == OK) {
		if (code >= '0' && code <= '9')
			number = number * 10 + (unsigned)(code - '0');
		if (code >= 0x40 && code <= 0x7e)
			break;
	}
	if (code == '~' && (number == 1 || number == 7))
		return KEYCODE_HOME;
	if (code == '~' && (number == 4 || number == 8))
		return KEYCODE_END;
	return 0;
}

int term_keys_read(WINDOW *keys, unsigned *key)
{
	wint_t code, next;

	for (;;) {
		int kind = wget_wch(keys, &code);

		if (kind == ERR)
			return input_ended() ? -EIO : 0;
		if (kind == OK && code == 27 && wget_wch(keys, &next) == OK) {
			if (next == '[' || next == 'O') {
				*key = sequence_rest(keys);
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
