#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Keys of tables, the mouse and the settings in a real terminal.
. "$(dirname "$0")/lib.sh"
. "$tests/tmux.sh"

# dashboard SIZE [ARG...]: started and running, in ASCII: a byte is a cell.
dashboard()
{
	local size=$1

	shift
	tmux_open "$size" XDG_CONFIG_HOME="$PWD/config" "$HOTLINE" -w 0.05 --ascii "$@"
	tmux_wait 'RUN'
}

quit()
{
	tmux_key q
	is "$(tmux_ended)" 0 "exit status"
	tmux_restored
}

# report BUTTON COLUMN ROW: what a terminal sends when the mouse is used there, from 1.
report()
{
	local text=$'\e'"[<$1;$2;$3M"

	# A press, and its end.
	[ "$1" -ge 64 ] || text+=$'\e'"[<$1;$2;$3m"
	tmux_do send-keys -H $(printf '%s' "$text" | od -An -v -tx1)
}

# at REGEX [RIGHT]: column and row of the first match on the screen, RIGHT cells further.
at()
{
	tmux_screen | LC_ALL=C awk -v re="$1" -v right="${2:-0}" '
		match($0, re) { print RSTART + right, NR; found = 1; exit }
		END { exit !found }' || fail "not on the screen: /$1/"$'\n'"$(tmux_screen)"
}

click()
{
	local place

	place=$(at "$@") || fail "$place"
	report 0 $place
}

test_mouse_when_used_runs_marks_scrolls_and_presses()
{
	dashboard 80x24
	is "$(tmux_flag mouse_any_flag)" 1 "mouse reports"
	is "$(tmux_flag mouse_sgr_flag)" 1 "reports as text"
	click '6 ttas' 3
	tmux_wait '\[6\] ttas'
	tmux_wait 'RUN'
	click '1-9 lock' 5
	tmux_wait 'choose a variant'
	click ' ticket'
	tmux_wait '^> +7 ticket'
	click ' ticket'
	tmux_wait '\[7\] ticket'
	click 'run length' 3
	tmux_wait '^-.?>run length'
	click '\? help'
	tmux_wait 'arrows scroll'
	report 65 10 10
	tmux_wait 'keys -+ 4-'
	report 64 10 10
	tmux_wait 'keys -+ 1-'
	click 'Esc back'
	tmux_wait 'RUN'
	click 'q quit'
	is "$(tmux_ended)" 0 "exit status"
	tmux_restored
}

test_mouse_when_off_is_left_to_the_terminal()
{
	dashboard 80x24 --no-mouse
	is "$(tmux_flag mouse_any_flag)" 0 "mouse reports"
	# What comes all the same is read away, and is no key.
	report 0 20 21
	tmux_key 5
	tmux_wait '\[5\] tas'
	quit
	! grep -q '?1000h' tmux/bytes || fail "reports were switched on"
}

test_mouse_when_suspended_is_off_and_on_again()
{
	dashboard 80x24
	tmux_key C-z
	tmux_stopped
	tmux_restored
	tmux_resume
	tmux_wait 'RUN'
	is "$(tmux_flag mouse_any_flag)" 1 "mouse reports"
	quit
}

# A slow line cuts a report: its end must not be taken for keys.
test_report_when_cut_in_two_is_no_key()
{
	dashboard 80x24
	tmux_wait '\[1\] old'
	tmux_do send-keys -H 1b 5b 3c 30 3b
	tmux_do send-keys -H 32 3b 39 39 4d
	tmux_key '?'
	tmux_wait 'arrows scroll'
	tmux_key Escape
	tmux_wait '\[1\] old'
	quit
}

test_table_when_sorted_filtered_and_entered_shows_that_cpu()
{
	dashboard 120x40 -t 2
	tmux_key s s
	tmux_wait 'vop/s'
	tmux_key '\'
	tmux_type 0
	tmux_wait 'CPU 1 of [12] match .0_'
	tmux_key Enter Enter
	tmux_wait '>CPU 0 -'
	tmux_wait 'core [0-9]+ +package'
	tmux_wait 'n/a:u +.*[a-z]'
	tmux_key Escape
	tmux_wait 'CPU 1 of'
	tmux_key Escape
	tmux_gone 'match'
	tmux_key /
	tmux_type 0
	tmux_wait '/0_'
	tmux_key Escape
	tmux_key w
	tmux_wait 'choose a workload'
	tmux_wait '^>\* spinlock'
	tmux_key Enter
	tmux_wait 'RUN'
	quit
}

test_a_and_b_when_marked_are_shown()
{
	dashboard 120x40
	tmux_key a
	tmux_key 6
	tmux_wait '\[6\] ttas'
	tmux_wait 'RUN'
	tmux_key b
	tmux_wait 'A +old|A/B'
	tmux_key A
	tmux_wait 'no autopilot yet'
	tmux_key x
	tmux_wait 'no core-to-core matrix yet'
	tmux_key W
	tmux_wait 'no presets yet'
	quit
}

test_settings_when_saved_are_honoured_and_overridden()
{
	local file=config/hotline/config

	dashboard 80x24 --theme light -i 0.5
	[ ! -e config ] || fail "written without being asked"
	tmux_key s m S
	tmux_wait 'settings saved: /'
	quit
	is "$(stat -c %a config/hotline)" 700 "mode of the folder"
	is "$(stat -c %a $file)" 600 "mode of the file"
	grep -q '^theme = light' $file || fail "$(cat $file)"
	grep -q '^ascii = yes' $file || fail "$(cat $file)"
	grep -q '^interval = 0.5' $file || fail "$(cat $file)"
	grep -q '^measure = off' $file || fail "$(cat $file)"
	grep -q '^sort_cpus = cpu' $file || fail "$(cat $file)"
	grep -q '^# mouse = yes' $file || fail "$(cat $file)"

	# Honoured: ASCII, sorted, not stamped.
	tmux_open 80x24 XDG_CONFIG_HOME="$PWD/config" "$HOTLINE" -w 0.05
	tmux_wait 'RUN'
	tmux_wait '>CPU \^'
	tmux_wait '[|] off'
	quit
	! LC_ALL=C grep -q $'[\x80-\xff]' tmux/bytes || fail "a byte above 0x7f was sent"
	# Overridden.
	tmux_open 80x24 XDG_CONFIG_HOME="$PWD/config" "$HOTLINE" -w 0.05 --no-ascii -m every
	tmux_wait 'RUN'
	tmux_wait '│ every'
	quit
	# A run is the same for everybody.
	run env XDG_CONFIG_HOME="$PWD/config" "$HOTLINE" run spinlock -d 0.05 -w 0.05 -r 1 -o - \
		--format csv
	status_is 0
	out_has ',auto,'
}

test_settings_when_wrong_are_told_with_file_and_line_and_go_on()
{
	mkdir -p config/hotline
	printf 'theme = pink\nmuose = no\nevents = nosuch-event\nascii = yes\n' \
		>config/hotline/config
	tmux_open 200x60 XDG_CONFIG_HOME="$PWD/config" "$HOTLINE" -w 0.05
	tmux_wait 'RUN'
	tmux_key l
	tmux_wait 'config:1: theme: unknown value .pink.'
	tmux_wait 'config:2: unknown setting .muose. .nearest:'
	tmux_wait 'config:3: events: '
	tmux_key Escape
	quit
	run env XDG_CONFIG_HOME="$PWD/config" "$HOTLINE" --screen 80x24 -d 0.05 -w 0.05
	status_is 0
	err_has '^hotline: .*config:1: theme'
	[ "$(wc -l <err)" -eq 3 ] || fail "3 warnings expected: $(cat err)"
}

test_settings_when_something_else_is_there_do_no_harm()
{
	mkdir -p config/hotline/config
	dashboard 200x60
	tmux_key l
	tmux_wait 'config: not read: it is a directory'
	tmux_key Escape S
	tmux_wait 'settings not saved: .*config: Is a directory'
	quit
	rmdir config/hotline/config
	ln -s /dev/null config/hotline/config
	dashboard 120x40
	tmux_key S
	tmux_wait 'settings not saved: '
	quit
	[ -c /dev/null ] || fail "/dev/null is no device any more"
}

test_settings_when_there_is_no_home_say_so()
{
	tmux_open 80x24 -u XDG_CONFIG_HOME -u HOME "$HOTLINE" -w 0.05
	tmux_wait 'RUN'
	tmux_key S
	tmux_wait 'settings not saved: neither XDG_CONFIG_HOME nor HOME'
	quit
}

# cpu_us PID: CPU time of all its threads.
cpu_us()
{
	awk '{ us += $1 / 1000 } END { printf "%d\n", us }' /proc/"$1"/task/*/schedstat
}

# A key that leaves the loop spinning takes a whole CPU: the dashboard takes 2 % of one at most.
test_every_key_when_pressed_leaves_two_percent()
{
	local key pid before used keys

	[ -r /proc/self/schedstat ] || skip "no schedstat here"
	grep -q __asan_init "$HOTLINE" && skip "a sanitizer takes more than 2 %"
	dashboard 120x40
	pid=$(tmux_pid)
	keys='v Escape w Escape W + - { } p k Escape m m m a b A e E E Tab BTab z z Up Down PgUp
		PgDn Home End [ ] s s / n Up Escape \ n Escape Enter Up Escape x l Escape ? Escape
		F1 Escape c n C-l Left Right M-x F5 DC IC S h q r Escape 1 2 3 4 5 6 7 8 9 Escape'
	for key in $keys; do
		tmux_key "$key"
		alive "$pid" || fail "ended by $key"
	done
	report 0 5 5
	report 65 5 5
	tmux_key Escape
	tmux_wait 'RUN'
	# The last of the digits takes its time to come into force; then five seconds count.
	tmux_wait '\[9\] clh'
	tmux_wait 'RUN'
	before=$(cpu_us "$pid")
	sleep 5
	used=$(($(cpu_us "$pid") - before))
	[ "$used" -lt 100000 ] || fail "$used us of CPU time in 5 s"
	quit
}

run_tests
