#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every way out of the dashboard restores the terminal, completes its files and takes the lab along.
. "$(dirname "$0")/lib.sh"
. "$tests/tmux.sh"

# ends_well SIGNAL NUMBER: while recording.
ends_well()
{
	local pid lab

	tmux_open 80x24 "$HOTLINE" -w 0.05 -i 0.1 -o snap spinlock:ttas
	tmux_wait 'RUN'
	tmux_key E
	wait_for 20 test -s snap-series.csv || fail "no recording"$'\n'"$(tmux_screen)"
	pid=$(tmux_pid)
	lab=$(lab_of "$pid")
	[ -n "$lab" ] || fail "no lab runs"
	kill -"$1" "$pid"
	is "$(tmux_ended)" $((128 + $2)) "exit status"
	tmux_restored
	wait_for 5 not_alive "${lab%% *}" || fail "the lab lives on"
	"$BUILD/tests/read_csv" snap-series.csv >/dev/null || fail "the recording is not whole"
}

test_sigterm_restores_and_ends_with_143()
{
	ends_well TERM 15
}

test_sighup_restores_and_ends_with_129()
{
	ends_well HUP 1
}

test_sigint_restores_and_ends_with_130()
{
	ends_well INT 2
}

test_sigquit_restores_and_ends_with_131()
{
	ends_well QUIT 3
}

test_ctrl_c_restores_and_ends_with_130()
{
	tmux_open 80x24 "$HOTLINE" -w 0.05
	tmux_wait 'RUN'
	tmux_key C-c
	is "$(tmux_ended)" 130 "exit status"
	tmux_restored
}

test_crash_of_the_dashboard_restores_the_terminal()
{
	local lab

	tmux_open 80x24 "$HOTLINE" -w 0.05
	tmux_wait 'RUN'
	lab=$(lab_of "$(tmux_pid)")
	kill -SEGV "$(tmux_pid)"
	is "$(tmux_ended)" 139 "exit status"
	tmux_restored
	wait_for 5 not_alive "${lab%% *}" || fail "the lab lives on"
}

test_kill_of_the_dashboard_takes_the_lab_along()
{
	local lab

	tmux_open 80x24 "$HOTLINE" -w 0.05
	tmux_wait 'RUN'
	lab=$(lab_of "$(tmux_pid)")
	[ -n "$lab" ] || fail "no lab runs"
	kill -KILL "$(tmux_pid)"
	is "$(tmux_ended)" 137 "exit status"
	wait_for 5 not_alive "${lab%% *}" || fail "the lab lives on"
}

test_terminal_when_it_goes_away_ends_both()
{
	local pid lab

	tmux_open 80x24 "$HOTLINE" -w 0.05
	tmux_wait 'RUN'
	pid=$(tmux_pid)
	lab=$(lab_of "$pid")
	tmux_close
	wait_for 10 not_alive "$pid" || fail "the dashboard lives on"
	wait_for 5 not_alive "${lab%% *}" || fail "the lab lives on"
}

run_tests
