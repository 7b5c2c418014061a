#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Labs that crash, hang, leave and break exclusion: a trial ends, the program does not.
. "$(dirname "$0")/lib.sh"
. "$tests/tmux.sh"

FAULTY=$BUILD/tests/hotline-lab-faulty
# A sanitizer would turn the crash into an exit.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0

# fails REGEX VARIANT: `hotline run` says what happened in one line, and reports what is sound.
fails()
{
	run env HOTLINE_LAB="$FAULTY" timeout 60 "$HOTLINE" run -d 0.2 -w 0.01 -r 2 -t 2 \
		--format csv "faulty:fine,$2"
	status_is 1
	err_has "^hotline: .*$1"
	grep -q ',fine,' out || fail "the sound variant is not reported; $(show_run)"
}

test_crash_when_running_names_signal_thread_cpu_and_ops()
{
	fails '(SIGSEGV|Segmentation)' crash
	err_has 'thread [0-9]+'
	err_has '(cpu|CPU) [0-9]+'
	err_has 'at (op [0-9]+|[0-9]+ ops)'
}

test_exit_when_running_names_the_status()
{
	fails 'status 3' exit
}

test_hang_when_running_is_ended_by_the_watchdog()
{
	local before=$SECONDS

	fails '(no progress|stalled|hang)' hang
	err_has 'thread [0-9]+'
	[ $((SECONDS - before)) -lt 40 ] || fail "it took $((SECONDS - before)) s"
}

test_broken_exclusion_when_seen_fails_the_run()
{
	fails '(exclusion|broke)' broken
	err_has 'broken'
}

test_fine_when_alone_passes()
{
	run env HOTLINE_LAB="$FAULTY" "$HOTLINE" run -d 0.05 -w 0.01 -r 1 faulty:fine
	status_is 0
}

# survives REGEX VARIANT: the dashboard tells, and the next variant works.
survives()
{
	tmux_open 120x40 HOTLINE_LAB="$FAULTY" "$HOTLINE" -w 0.01 "faulty:$2"
	tmux_wait "$1" 30
	tmux_wait 'FAILED'
	tmux_wait 'thread [0-9]+.*(cpu|CPU) [0-9]+'
	tmux_key "$fine_key"
	tmux_wait '\bfine\b'
	tmux_wait 'RUN'
	tmux_key q
	is "$(tmux_ended)" 0 "exit status"
	tmux_restored
}

# The key of `fine` is its place in the list.
find_fine()
{
	HOTLINE_LAB="$FAULTY" "$FAULTY" --describe |
		awk -F '\t' '$1 == "variant" { n++ } $2 == "fine" { print n }'
}

test_dashboard_when_lab_crashes_offers_the_next_variant()
{
	fine_key=$(find_fine)
	survives '(SIGSEGV|Segmentation)' crash
}

test_dashboard_when_lab_exits_offers_the_next_variant()
{
	fine_key=$(find_fine)
	survives 'status 3' exit
}

test_dashboard_when_lab_hangs_offers_the_next_variant()
{
	fine_key=$(find_fine)
	survives '(no progress|stalled|hang)' hang
}

test_dashboard_when_exclusion_breaks_says_so()
{
	tmux_open 120x40 HOTLINE_LAB="$FAULTY" "$HOTLINE" -w 0.01 --ops 100000 -t 2 faulty:broken
	tmux_wait '(exclusion|broke)' 30
	tmux_key q
	is "$(tmux_ended)" 0 "exit status"
}

run_tests
