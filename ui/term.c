/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ncurses, and what it does not do: another way out when the process crashes, stderr kept off the
 * screen, the end of input told from its absence, mouse reports with large columns.
 *
 * Rows that changed go to stdscr in runs of one role; ncurses sends the cells that differ. What a
 * role looks like is in ui/theme.c.
 */
#include "ui/term.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "ui/state.h"
#include "ui/tap.h"
#include "ui/term_keys.h"

enum { RESET_BYTES = 128, ALT_STACK = 16384, ROW_CELLS = 1000, ESC_DELAY_MS = 25 };

static const int fatal_signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
static const int curses_signals[] = {SIGINT, SIGTERM};
enum {
	FATAL_SIGNALS = sizeof(fatal_signals) / sizeof(fatal_signals[0]),
	CURSES_SIGNALS = sizeof(curses_signals) / sizeof(curses_signals[0]),
};

/* The terminal is one, and so is its state. Written here only. */
static struct {
	bool is_open;
	SCREEN *screen;
	WINDOW *keys; /* a pad: reading it never redraws */
	enum grid_tier tier;
	attr_t attr[ROLE_COUNT];
	short pair[ROLE_COUNT];
	bool mouse; /* asked for, and the terminal has one */
	struct ui_mouse last_mouse;
	struct termios termios;  /* as we found it */
	char reset[RESET_BYTES]; /* what a crash sends; 0-terminated */
	struct sigaction fatal_before[FATAL_SIGNALS], curses_before[CURSES_SIGNALS];
	stack_t stack_before;
	char stack[ALT_STACK];
	struct tap tap;
	struct grid last; /* the frame that stdscr holds; no cells = none */
} term;

/*
 * Reports of presses and of the wheel (1000), as decimal text, so that columns beyond 223 have a
 * number (1006). Selecting with shift held down stays the terminal's. Source: xterm's ctlseqs,
 * "Mouse Tracking".
 */
static const char mouse_on[] = "\033[?1000h\033[?1006h";
static const char mouse_off[] = "\033[?1006l\033[?1000l";

/* ncurses has sent all it had when this is called: its last act was a flush. */
static void mouse_switch(const char *sequence)
{
	if (term.mouse) {
		ssize_t ignored = write(STDOUT_FILENO, sequence, strlen(sequence));

		(void)ignored;
	}
}

static void looks_set(const struct term_options *o)
{
	bool color = o->color && o->theme != THEME_MONO && has_colors() && start_color() == OK &&
		     use_default_colors() == OK;
	short pairs = 0;

	memset(term.pair, 0, sizeof(term.pair));
	for (unsigned i = 0; i < ROLE_COUNT; i++) {
		struct theme_look look = theme_look(i, o->theme, color ? COLORS : 0);

		term.attr[i] = (look.bold ? A_BOLD : 0) | (look.dim ? A_DIM : 0) |
			       (look.reverse ? A_REVERSE : 0);
		if (look.color >= 0 && pairs + 1 < COLOR_PAIRS &&
		    init_pair((short)(pairs + 1), (short)look.color, -1) == OK)
			term.pair[i] = ++pairs;
	}
}

/* The best glyphs that locale and terminal are known to draw in one cell each. */
static enum grid_tier tier_choose(bool ascii)
{
	const char *name = getenv("TERM");

	if (ascii || wcwidth(L'█') != 1)
		return TIER_ASCII;
	return name && !strcmp(name, "linux") ? TIER_BLOCK : TIER_UTF8;
}

static int reset_putc(int c)
{
	size_t n = strlen(term.reset);

	if (n + 1 < sizeof(term.reset)) {
		term.reset[n] = (char)c;
		term.reset[n + 1] = '\0';
	}
	return c;
}

/* What leaves the screen, as bytes: terminfo is not to be asked in a signal handler. */
static void reset_build(void)
{
	static const char *const names[] = {"sgr0", "op", "rmkx", "cnorm", "rmcup"};

	/* Leaving a mode that was never entered does no harm. */
	snprintf(term.reset, sizeof(term.reset), "%s", term.mouse ? mouse_off : "");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *s = tigetstr(names[i]);

		if (s && s != (char *)-1)
			tputs(s, 1, reset_putc);
	}
}

/*
 * Async-signal-safe throughout: write, tcsetattr, dup2, read, raise. SA_RESETHAND has taken the
 * handler away, so the raised signal ends the process as it would have without us, core file and
 * all.
 */
static void fatal(int number)
{
	ssize_t ignored = write(STDOUT_FILENO, term.reset, strlen(term.reset));

	(void)ignored;
	tcsetattr(STDIN_FILENO, TCSANOW, &term.termios);
	tap_spill(&term.tap);
	raise(number);
}

static void signals_take(void)
{
	struct sigaction sa = {.sa_handler = fatal, .sa_flags = (int)SA_RESETHAND | SA_ONSTACK};
	stack_t stack = {.ss_sp = term.stack, .ss_size = sizeof(term.stack)};

	sigemptyset(&sa.sa_mask);
	/* A stack that overflowed cannot run its own handler. */
	sigaltstack(&stack, &term.stack_before);
	for (size_t i = 0; i < FATAL_SIGNALS; i++)
		sigaction(fatal_signals[i], &sa, &term.fatal_before[i]);
}

static void signals_give_back(void)
{
	for (size_t i = 0; i < FATAL_SIGNALS; i++)
		sigaction(fatal_signals[i], &term.fatal_before[i], NULL);
	sigaltstack(&term.stack_before, NULL);
}

int term_stderr_fd(void)
{
	return term.is_open ? term.tap.pipe : -1;
}

int term_stderr_line(char *buf, unsigned size)
{
	return term.is_open ? tap_line(&term.tap, buf, size) : 0;
}

/* A terminal that cannot place its cursor cannot hold a dashboard. */
static int terminfo_check(struct err *e)
{
	const char *name = getenv("TERM");
	int status = 0;
	bool has_cup;
	char *cup;

	if (!name || !*name)
		return err_set(e, -EINVAL,
			       "TERM is not set (export TERM, e.g. xterm-256color, "
			       "or use `hotline run`)");
	if (setupterm(name, STDOUT_FILENO, &status) != OK)
		return err_set(e, -EINVAL,
			       status < 0 ? "TERM=%s: no terminfo database (install ncurses-base, "
					    "or use `hotline run`)"
					  : "TERM=%s: terminfo does not know it (try "
					    "TERM=xterm-256color, or use `hotline run`)",
			       name);
	cup = tigetstr("cup");
	has_cup = cup && cup != (char *)-1;
	/* newterm() reads its own copy. */
	del_curterm(cur_term);
	if (!has_cup)
		return err_set(e, -EINVAL,
			       "TERM=%s: this terminal cannot place its cursor (use `hotline run`)",
			       name);
	return 0;
}

/*
 * Ctrl-Z comes as a key: the app ends the trial before it stops. Ctrl-C and Ctrl-\ stay signals.
 * Echo off and one byte at a time are ncurses' own.
 */
static void modes_set(void)
{
	struct termios t;

	cbreak();
	noecho();
	nonl();
	if (tcgetattr(STDIN_FILENO, &t) == 0) {
		t.c_cc[VSUSP] = _POSIX_VDISABLE;
		t.c_cc[VLNEXT] = _POSIX_VDISABLE;
		tcsetattr(STDIN_FILENO, TCSANOW, &t);
	}
	/* This, not cbreak() alone, is what coming back from endwin() restores. */
	def_prog_mode();
	curs_set(0);
	set_escdelay(ESC_DELAY_MS);
	keypad(term.keys, TRUE);
	nodelay(term.keys, TRUE);
}

/* Only terminals that say so have a mouse. Its reports are read here, not by ncurses. */
static bool mouse_is_there(void)
{
	char *kmous = tigetstr("kmous");

	define_key(NULL, KEY_MOUSE);
	return kmous && kmous != (char *)-1;
}

int term_open(const struct term_options *o, struct err *e)
{
	int ret;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
	    tcgetattr(STDIN_FILENO, &term.termios) < 0)
		return err_set(e, -ENOTTY,
			       "the dashboard needs a terminal on stdin and stdout "
			       "(use `hotline run`)");
	ret = terminfo_check(e);
	if (ret)
		return ret;
	for (size_t i = 0; i < CURSES_SIGNALS; i++)
		sigaction(curses_signals[i], NULL, &term.curses_before[i]);
	/* The kernel's size wins over LINES and COLUMNS, or no resize would ever be seen. */
	use_env(TRUE);
	use_tioctl(TRUE);
	term.screen = newterm(NULL, stdout, stdin);
	term.keys = term.screen ? newpad(1, 1) : NULL;
	/* ncurses' handlers of these leave by _exit(): files would stay unfinished. */
	for (size_t i = 0; i < CURSES_SIGNALS; i++)
		sigaction(curses_signals[i], &term.curses_before[i], NULL);
	if (!term.keys)
		return err_set(e, -EINVAL, "TERM=%s: ncurses cannot use it (use `hotline run`)",
			       getenv("TERM"));
	modes_set();
	term.tier = tier_choose(o->ascii);
	looks_set(o);
	term.mouse = mouse_is_there() && o->mouse;
	reset_build();
	tap_open(&term.tap);
	signals_take();
	mouse_switch(mouse_on);
	term.is_open = true;
	return 0;
}

void term_close(void)
{
	if (!term.is_open)
		return;
	term.is_open = false;
	signals_give_back();
	mouse_switch(mouse_off);
	endwin();
	/* ncurses restores what it found; VSUSP was ours. */
	tcsetattr(STDIN_FILENO, TCSADRAIN, &term.termios);
	delwin(term.keys);
	delscreen(term.screen);
	grid_fini(&term.last);
	tap_close(&term.tap);
}

void term_size(unsigned *cols, unsigned *rows)
{
	*cols = (unsigned)COLS;
	*rows = (unsigned)LINES;
}

enum grid_tier term_tier(void)
{
	return term.tier;
}

void term_resized(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row)
		resizeterm(size.ws_row, size.ws_col);
	grid_fini(&term.last);
}

/* One row in runs of one role: few calls, and ncurses compares the cells anyway. */
static void draw_row(const struct grid *g, unsigned row, unsigned cols)
{
	const struct grid_cell *c = &g->cell[(size_t)row * g->cols];
	wchar_t run[ROW_CELLS];

	for (unsigned col = 0; col < cols;) {
		enum grid_role role = (enum grid_role)c[col].role;
		unsigned n = 0;

		while (col + n < cols && n < ROW_CELLS && c[col + n].role == role) {
			run[n] = c[col + n].glyph ? (wchar_t)c[col + n].glyph : L' ';
			n++;
		}
		attr_set(term.attr[role], term.pair[role], NULL);
		mvaddnwstr((int)row, (int)col, run, (int)n);
		col += n;
	}
}

void term_draw(const struct grid *g, bool whole)
{
	unsigned rows = g->rows < (unsigned)LINES ? g->rows : (unsigned)LINES;
	unsigned cols = g->cols < (unsigned)COLS ? g->cols : (unsigned)COLS;
	size_t row_bytes = g->cols * sizeof(*g->cell);
	bool keep = term.last.cell && term.last.cols == g->cols && term.last.rows == g->rows;

	if (!keep)
		werase(stdscr);
	for (unsigned row = 0; row < rows; row++) {
		size_t at = (size_t)row * g->cols;

		if (!keep || memcmp(&term.last.cell[at], &g->cell[at], row_bytes) != 0)
			draw_row(g, row, cols);
	}
	/* Without memory for the copy every frame is drawn whole. */
	if (keep || grid_resize(&term.last, g->cols, g->rows) == 0)
		memcpy(term.last.cell, g->cell, g->rows * row_bytes);
	if (whole)
		clearok(curscr, TRUE);
	wnoutrefresh(stdscr);
	doupdate();
}

int term_key(unsigned *key)
{
	return term_keys_read(term.keys, key, &term.last_mouse);
}

void term_mouse(struct ui_mouse *out)
{
	*out = term.last_mouse;
}

void term_suspend(void)
{
	struct sigaction fallback = {.sa_handler = SIG_DFL}, before;
	sigset_t stop, mask;

	sigemptyset(&fallback.sa_mask);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	mouse_switch(mouse_off);
	endwin();
	tcsetattr(STDIN_FILENO, TCSADRAIN, &term.termios);
	sigaction(SIGTSTP, &fallback, &before);
	sigprocmask(SIG_UNBLOCK, &stop, &mask);
	/* The whole job, as Ctrl-Z does it: make and sh in front of us stop too. */
	kill(0, SIGTSTP);
	/* Here again after SIGCONT. */
	sigprocmask(SIG_SETMASK, &mask, NULL);
	sigaction(SIGTSTP, &before, NULL);
	reset_prog_mode();
	term_resized();
	clearok(curscr, TRUE);
	mouse_switch(mouse_on);
}
