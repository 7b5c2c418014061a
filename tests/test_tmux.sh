#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The dashboard in a real terminal: keys, snapshots, sizes, locales, a lab that is killed.
. "$(dirname "$0")/lib.sh"
. "$tests/tmux.sh"

# dashboard SIZE [NAME=VALUE...] [-- ARG...]: started and running.
dashboard()
{
	local size=$1 env=()

	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		env+=("$1")
		shift
	done
	[ $# -eq 0 ] || shift
	tmux_open "$size" "${env[@]}" "$HOTLINE" -w 0.05 "$@"
	[ "${size%x*}" -lt 40 ] || tmux_wait 'RUN'
}

quit()
{
	tmux_key q
	is "$(tmux_ended)" 0 "exit status"
	tmux_restored
}

# session SIZE: what the first user does.
session()
{
	local key variant

	dashboard "$1"
	for key in '5 tas' '7 ticket' '6 ttas'; do
		variant=${key#* }
		tmux_key "${key% *}"
		tmux_wait "(\[${key% *}\] |lock |^hotline.*)$variant( |\$)"
		tmux_wait 'RUN'
	done
	tmux_key Space
	tmux_wait 'PAUSE'
	tmux_key e
	tmux_wait 'saved [0-9]+ round'
	quit
	"$BUILD/tests/read_csv" hotline-spinlock-*Z-rounds.csv ops >counts || fail "not a CSV file"
	[ "$(cut -d' ' -f1 counts)" -ge 3 ] || fail "rounds of 3 variants expected: $(cat counts)"
	[ -z "$(find . -name '*tmp*' -not -path './tmux*')" ] || fail "temporary files: $(ls)"
}

test_session_when_80x24_switches_saves_and_quits()
{
	session 80x24
}

test_session_when_120x40_switches_saves_and_quits()
{
	session 120x40
}

test_lab_when_quit_is_gone()
{
	local lab

	dashboard 80x24
	lab=$(lab_of "$(tmux_pid)")
	[ -n "$lab" ] || fail "no lab runs"
	quit
	wait_for 5 not_alive "${lab%% *}" || fail "the lab lives on"
}

# The percentiles and totals that stand on the frozen screen are those of the file.
test_frozen_screen_when_saved_equals_the_csv_files()
{
	dashboard 120x40 -- spinlock:ttas
	tmux_wait 'p50 [0-9.]+'
	tmux_key Space
	tmux_wait 'PAUSE'
	tmux_screen >screen
	tmux_key e
	tmux_wait 'saved [0-9]+ round'
	quit
	python3 "$tests/screen_equals_csv.py" screen hotline-spinlock-*Z-rounds.csv ||
		fail "$(cat screen)"
}

test_recording_when_switched_on_and_off_is_whole()
{
	dashboard 80x24 -- -i 0.1
	tmux_key E
	tmux_wait 'recording every refresh'
	wait_for 20 rows_recorded 3 || fail "no rows: $(ls)"
	tmux_key 6
	tmux_wait 'ttas'
	tmux_key E
	tmux_wait 'recording ended'
	quit
	"$BUILD/tests/read_csv" hotline-spinlock-*-series.csv ops >/dev/null ||
		fail "the series is not a CSV file"
}

rows_recorded()
{
	[ "$(cat hotline-spinlock-*-series.csv 2>/dev/null | wc -l)" -gt "$1" ]
}

test_snapshot_when_it_cannot_be_written_says_so_and_goes_on()
{
	dashboard 80x24 -- -o /proc/nosuch/snap
	tmux_key e
	tmux_wait 'not written.*/proc/nosuch'
	tmux_key 6
	tmux_wait 'ttas'
	tmux_wait 'RUN'
	quit
}

test_resize_storm_when_it_ends_is_drawn_for_the_last_size()
{
	local i

	dashboard 80x24
	for i in $(seq 40); do
		tmux_resize $((20 + i * 37 % 200))x$((5 + i * 13 % 60))
	done
	tmux_resize 80x24
	tmux_wait 'RUN'
	tmux_wait 'quit'
	tmux_resize 120x40
	tmux_wait 'RUN'
	quit
}

test_small_and_large_sizes_do_not_crash()
{
	local size

	dashboard 20x5
	tmux_wait '/s'
	for size in 1x1 2x2 10x3 40x10 20x5 300x80 80x24; do
		tmux_resize $size
		alive "$(tmux_pid)" || fail "ended at $size"
	done
	tmux_wait 'RUN'
	quit
	dashboard 300x80
	quit
}

test_c_locale_starts_in_ascii()
{
	dashboard 80x24 LC_ALL=C LANG=C
	tmux_key 5
	tmux_wait 'tas'
	tmux_key '?'
	tmux_wait 'snapshot'
	tmux_key Escape
	quit
	[ -s tmux/bytes ] || fail "no bytes were recorded"
	! LC_ALL=C grep -q $'[\x80-\xff]' tmux/bytes || fail "a byte above 0x7f was sent"
}

test_ascii_option_when_given_wins_over_the_locale()
{
	dashboard 80x24 -- --ascii
	quit
	! LC_ALL=C grep -q $'[\x80-\xff]' tmux/bytes || fail "a byte above 0x7f was sent"
}

test_lc_ctype_alone_is_enough_for_unicode()
{
	dashboard 80x24 LC_ALL= LANG= LC_CTYPE=C.UTF-8
	tmux_wait '─'
	quit
}

test_no_color_when_set_sends_no_colour()
{
	dashboard 80x24 NO_COLOR=1
	quit
	! grep -Eq $'\e\\[([0-9]+;)*(3[0-7]|4[0-7]|38|48)(;[0-9]+)*m' tmux/bytes ||
		fail "a colour was sent"
}

# cpu_ms PID: time it has used.
cpu_ms()
{
	awk '{ sub(/.*\) /, ""); print ($12 + $13) * 10 }' "/proc/$1/stat"
}

test_every_key_when_pressed_leaves_it_running_and_calm()
{
	local key pid before used

	dashboard 120x40
	pid=$(tmux_pid)
	for key in v Escape w W + - '{' '}' p k Escape m a b Escape e E E Tab z z Up Down PgUp \
		PgDn Home End '[' ']' s / Escape '\' Enter Escape x l Escape '?' Escape F1 Escape \
		c n C-l BTab Left Right M-x F5 DC IC Escape 1 2 3 4 5 6 7 8 9; do
		tmux_key "$key"
		alive "$pid" || fail "ended by $key"
	done
	tmux_wait 'RUN'
	before=$(cpu_ms "$pid")
	sleep 2
	used=$(($(cpu_ms "$pid") - before))
	# A key that leaves the loop spinning takes a whole CPU; the design asks for 1 %.
	[ "$used" -lt 400 ] || fail "$used ms of CPU time in 2 s"
	quit
}

test_lab_when_killed_is_told_and_the_next_variant_works()
{
	dashboard 80x24
	kill -KILL $(lab_of "$(tmux_pid)")
	tmux_wait '(killed by|SIGKILL)'
	tmux_wait 'FAILED'
	tmux_key 7
	tmux_wait 'ticket'
	tmux_wait 'RUN'
	quit
}

test_threads_and_placement_when_changed_start_new_trials()
{
	dashboard 120x40
	tmux_wait '\b2 threads|threads 2'
	tmux_key +
	tmux_wait '\b3 threads|threads 3'
	tmux_wait 'RUN'
	tmux_key '}'
	tmux_wait '\b6 threads|threads 6'
	tmux_key '{'
	tmux_wait '\b3 threads|threads 3'
	tmux_key -
	tmux_wait '\b2 threads|threads 2'
	tmux_key p
	tmux_wait 'place (pack|core|package|none)'
	tmux_wait 'RUN'
	quit
}

test_knob_when_edited_is_in_force()
{
	dashboard 120x40
	tmux_key k
	tmux_wait 'hold_ns'
	tmux_key Enter
	tmux_key BSpace BSpace BSpace
	tmux_type 250
	tmux_key Enter
	tmux_key Escape
	tmux_wait 'hold_ns=250'
	tmux_wait 'RUN'
	quit
}

test_suspend_when_resumed_goes_on()
{
	local lab

	dashboard 80x24
	lab=$(lab_of "$(tmux_pid)")
	tmux_key C-z
	tmux_stopped
	tmux_restored
	wait_for 5 not_alive "${lab%% *}" || fail "the lab runs on while suspended"
	tmux_resume
	tmux_wait 'RUN'
	is "$(tmux_flag alternate_on)" 1 "alternate screen"
	quit
}

test_terminal_when_unknown_is_told_in_one_line()
{
	tmux_open 80x24 TERM=nosuch-terminal "$HOTLINE"
	[ "$(tmux_ended)" -ne 0 ] || fail "status 0"
	tmux_wait 'hotline: .*nosuch-terminal'
}

run_tests
