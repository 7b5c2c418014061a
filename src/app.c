/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The poll loop, and what each action of the user does.
 */
#include "src/app.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "src/refresh.h"
#include "src/session.h"
#include "src/settings.h"
#include "ui/term.h"
#include "ui/view.h"

struct app {
	const struct cli_options *options;
	const struct settings *saved;
	struct session session;
	struct ui_state ui;
	struct grid grid;
	struct refresh refresh;
	int signals;
	int exit_status; /* -1 = go on */
	bool draw, repaint;
};

static int session_open(struct session *s, const struct cli_options *o, struct trial_env *env,
			const struct config *first, struct err *e)
{
	struct config cfg = *first;

	session_knobs_open(env->catalog, &cfg);
	return session_init(s, env, &cfg, &o->plan, o->output, e);
}

static void frame(struct app *a)
{
	unsigned cols, rows;

	term_size(&cols, &rows);
	if (grid_resize(&a->grid, cols, rows) != 0)
		return;
	ui_resize(&a->ui, cols, rows);
	view_render(a->session.model, &a->ui, &a->grid);
	term_draw(&a->grid, a->repaint);
	a->draw = a->repaint = false;
}

static void suspend(struct app *a)
{
	bool ran = a->session.have_trial;

	session_pause(&a->session);
	term_suspend();
	term_resized();
	model_say(a->session.model, MODEL_NOTE, "resumed: the trial before ended with the suspend");
	if (ran)
		session_start(&a->session);
	refresh_due(&a->refresh); /* no sample stands for the time in between */
	a->repaint = true;
}

/* Looks and habits as they are now, what keys changed included. */
static void save(struct app *a)
{
	const struct cli_options *o = a->options;
	struct session *s = &a->session;
	struct settings now = *a->saved;
	struct err e = {0};

	now.theme = o->theme;
	now.color = o->color_mode;
	now.ascii = o->ascii;
	now.mouse = o->mouse;
	now.interval_s = o->plan.interval_s;
	now.measure = s->plan.measure;
	now.sample_n = s->plan.sample_n;
	snprintf(now.events, sizeof(now.events), "%s", o->events ? o->events : "");
	memcpy(now.sort, a->ui.sort, sizeof(now.sort));
	if (o->events && strlen(o->events) >= sizeof(now.events))
		err_set(&e, -E2BIG, "the list of events is too long");
	if (e.code || settings_write(&now, &e) != 0)
		model_say(s->model, MODEL_ERROR, "settings not saved: %s", e.text);
	else
		model_say(s->model, MODEL_NOTE, "settings saved: %s", now.path);
}

static void act(struct app *a, struct ui_action *x)
{
	struct session *s = &a->session;

	switch (x->kind) {
	case ACT_NONE:
	case ACT_REDRAW:
		break;
	case ACT_REPAINT:
		a->repaint = true;
		break;
	case ACT_QUIT:
		a->exit_status = 0;
		break;
	case ACT_SUSPEND:
		suspend(a);
		break;
	case ACT_VARIANT:
		session_variant(s, x->index);
		break;
	case ACT_WORKLOAD:
		session_workload(s, x->index);
		break;
	case ACT_THREADS:
		session_threads(s, x->number);
		break;
	case ACT_PLACE:
		session_place_next(s);
		break;
	case ACT_MEASURE:
		session_measure_next(s);
		break;
	case ACT_KNOB:
		session_knob(s, x->text);
		break;
	case ACT_MARK_A:
	case ACT_MARK_B:
		model_mark_ab(s->model, x->kind == ACT_MARK_A ? AB_A : AB_B);
		break;
	case ACT_SNAPSHOT:
		session_snapshot(s);
		break;
	case ACT_RECORD:
		session_record_toggle(s);
		break;
	case ACT_FREEZE:
		session_freeze(s, a->ui.frozen);
		break;
	case ACT_CLEAR:
		session_clear(s);
		break;
	case ACT_SAVE:
		save(a);
		break;
	case ACT_RESTART:
		session_start(s);
		break;
	case ACT_BEEP:
		model_say(s->model, MODEL_NOTE, "%s", x->text);
		break;
	}
	a->draw = a->draw || x->kind != ACT_NONE;
}

/* A press means what is seen there: keys before it may have changed that. */
static struct ui_action mouse_act(struct app *a)
{
	struct ui_mouse mouse;

	term_mouse(&mouse);
	if (a->draw)
		frame(a);
	return ui_mouse(&a->ui, a->session.model, &a->grid, &mouse);
}

static void keys_read(struct app *a)
{
	unsigned key;
	int rc;

	while (a->exit_status < 0 && (rc = term_key(&key)) != 0) {
		struct ui_action x;

		if (rc < 0) { /* the terminal is gone */
			a->exit_status = 128 + SIGHUP;
			return;
		}
		x = key == KEYCODE_MOUSE ? mouse_act(a) : ui_key(&a->ui, a->session.model, key);
		act(a, &x);
	}
}

static void stderr_read(struct app *a)
{
	char line[256];

	while (term_stderr_line(line, sizeof(line)) > 0) {
		model_say(a->session.model, MODEL_WARNING, "stderr: %s", line);
		a->draw = true;
	}
}

static void signals_read(struct app *a)
{
	struct signalfd_siginfo si;

	while (read(a->signals, &si, sizeof(si)) == (ssize_t)sizeof(si)) {
		switch (si.ssi_signo) {
		case SIGWINCH:
			term_resized();
			a->draw = true;
			break;
		case SIGTSTP:
			suspend(a);
			break;
		case SIGCONT:
			a->repaint = true;
			break;
		default:
			a->exit_status = 128 + (int)si.ssi_signo;
		}
	}
}

static sigset_t app_signals(void)
{
	static const int wanted[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		sigaddset(&set, wanted[i]);
	return set;
}

/* All of a refresh: what is measured, and the frame that shows it. */
static void refresh(struct app *a, uint64_t passed)
{
	uint64_t begin = tick_monotonic_ns();

	refresh_tick(&a->refresh, &a->session, passed);
	frame(a);
	a->draw = refresh_took(&a->refresh, (double)(tick_monotonic_ns() - begin) / 1e9,
			       a->session.model);
}

static void loop(struct app *a)
{
	enum { TTY, TIMER, SIGNALS, STDERR, LAB, BELL, FDS };

	while (a->exit_status < 0) {
		struct pollfd p[FDS] = {
			[TTY] = {.fd = STDIN_FILENO, .events = POLLIN},
			[TIMER] = {.fd = a->refresh.timer, .events = POLLIN},
			[SIGNALS] = {.fd = a->signals, .events = POLLIN},
			[STDERR] = {.fd = term_stderr_fd(), .events = POLLIN},
			[LAB] = {.fd = a->session.have_trial ? a->session.trial.pidfd : -1,
				 .events = POLLIN},
			[BELL] = {.fd = a->session.have_trial ? a->session.trial.sync_fd : -1,
				  .events = POLLIN},
		};
		uint64_t passed;
		int n = poll(p, FDS, session_hurry_ms(&a->session));

		if (n < 0 && errno != EINTR)
			break;
		if (p[SIGNALS].revents)
			signals_read(a);
		if (p[TTY].revents)
			keys_read(a);
		if (p[STDERR].revents)
			stderr_read(a);
		if (n == 0 || p[LAB].revents || p[BELL].revents) {
			session_tick(&a->session, false);
			a->draw = a->draw || p[LAB].revents;
		}
		if (a->exit_status < 0 && p[TIMER].revents &&
		    (passed = refresh_due(&a->refresh)) > 0)
			refresh(a, passed);
		if (a->exit_status < 0 && (a->draw || a->repaint))
			frame(a);
	}
}

/* What was wrong with the file of the settings. */
static void warnings_say(struct app *a)
{
	const struct settings *s = a->saved;
	unsigned shown =
		s->warning_count < SETTINGS_WARNINGS ? s->warning_count : SETTINGS_WARNINGS;

	for (unsigned i = 0; i < shown; i++)
		model_say(a->session.model, MODEL_WARNING, "%s", s->warning[i]);
	if (shown < s->warning_count)
		model_say(a->session.model, MODEL_WARNING, "%s: %u more lines are not understood",
			  s->path, s->warning_count - shown);
}

int app_run(const struct cli_options *o, const struct settings *saved, struct trial_env *env,
	    const struct config *first, struct err *e)
{
	struct app a = {.options = o, .saved = saved, .exit_status = -1, .signals = -1};
	struct term_options t = {.ascii = o->ascii,
				 .color = o->color,
				 .mouse = o->mouse,
				 .theme = o->theme};
	sigset_t set = app_signals(), before;

	if (session_open(&a.session, o, env, first, e) != 0)
		return 1;
	sigprocmask(SIG_BLOCK, &set, &before);
	a.draw = true;
	a.ui = ui_state_default();
	memcpy(a.ui.sort, saved->sort, sizeof(a.ui.sort));
	warnings_say(&a);
	a.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	refresh_hurry();
	if (refresh_open(&a.refresh, o->plan.interval_s) != 0 || a.signals < 0) {
		err_set(e, -errno, "signalfd, timerfd: %s", strerror(errno));
		a.exit_status = 1;
	} else if (term_open(&t, e) != 0) {
		a.exit_status = 1;
	} else if (grid_init(&a.grid, 80, 24, term_tier()) != 0) {
		err_set(e, -ENOMEM, "no memory for the screen");
		a.exit_status = 1;
	}
	if (a.exit_status < 0) {
		frame(&a); /* at once: everything that takes time goes on behind it */
		session_start(&a.session);
		loop(&a);
	}
	term_close();
	session_fini(&a.session);
	grid_fini(&a.grid);
	refresh_close(&a.refresh);
	close(a.signals);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return a.exit_status;
}

int app_screen(const struct cli_options *o, struct trial_env *env, const struct config *first,
	       struct err *e)
{
	struct session s;
	struct ui_state ui = ui_state_default();
	struct grid g = {0};
	enum grid_tier tier = o->ascii ? TIER_ASCII : TIER_UTF8;
	size_t bytes = (size_t)o->screen_cols * o->screen_rows * 4 + o->screen_rows + 1;
	char *text = malloc(bytes);
	int status = 1;

	if (session_open(&s, o, env, first, e) != 0 || !text ||
	    grid_init(&g, o->screen_cols, o->screen_rows, tier) != 0) {
		err_set(e, -ENOMEM, "no memory for a screen of %ux%u", o->screen_cols,
			o->screen_rows);
		goto out;
	}
	session_start(&s);
	while (s.have_trial && s.model->elapsed_s < o->plan.duration_s) {
		struct pollfd p[] = {{.fd = s.trial.pidfd, .events = POLLIN},
				     {.fd = s.trial.sync_fd, .events = POLLIN}};

		poll(p, 2, (int)(o->plan.interval_s * 1000));
		session_tick(&s, true);
	}
	ui_resize(&ui, o->screen_cols, o->screen_rows);
	view_render(s.model, &ui, &g);
	grid_to_text(&g, text, bytes);
	status = s.have_trial && fputs(text, stdout) >= 0 && putchar('\n') != EOF ? 0 : 1;
	if (!s.have_trial)
		err_set(e, -EIO, "%s",
			s.model->message[(s.model->message_count - 1) % MODEL_MESSAGES].text);
out:
	session_fini(&s);
	grid_fini(&g);
	free(text);
	return status;
}
