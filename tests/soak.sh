#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The dashboard for a while, at ten frames a second, with a new trial every few seconds and a
# snapshot now and then: its memory must stay flat. tests/soak.sh [MINUTES], default 10, at least 2.
. "$(dirname "$0")/lib.sh"
. "$tests/tmux.sh"

minutes=${1:-10}
filled_s=90 # by then all that is kept is full: rounds, history, messages
grown_max_kib=1024

rss_kib()
{
	awk '/^VmRSS:/ { print $2 }' "/proc/$1/status"
}

fd_count()
{
	ls "/proc/$1/fd" | wc -l
}

# One turn of what a user does: variants, threads, panes, help, a snapshot, sizes.
turn()
{
	local key

	for key in $((1 + $1 % 9)) + - Tab z z '?' Escape v Escape p e; do
		tmux_key "$key"
		sleep 0.2
	done
	tmux_resize $((80 + $1 * 7 % 120))x$((24 + $1 * 5 % 36))
	rm -f hotline-spinlock-*.csv
	alive "$pid" || fail "the dashboard ended"$'\n'"$(tmux_screen)"
	tmux_wait 'RUN|WARM|START'
}

soak()
{
	local begin=$SECONDS end n=0 first= first_fds= now=0

	tmux_open 120x40 "$HOTLINE" -w 0.05 -i 0.1
	tmux_wait 'RUN'
	pid=$(tmux_pid)
	end=$((begin + minutes * 60))
	while [ $SECONDS -lt $end ]; do
		turn $((n++))
		[ $((SECONDS - begin)) -ge $filled_s ] || continue
		now=$(rss_kib "$pid")
		: "${first:=$now}" "${first_fds:=$(fd_count "$pid")}"
		[ $((n % 10)) -ne 0 ] || echo "$((SECONDS - begin)) s: $now KiB, $n turns"
	done
	[ -n "$first" ] || fail "two minutes are the least"
	echo "resident after $filled_s s: $first KiB, at the end: $now KiB; $n turns"
	[ $((now - first)) -le $grown_max_kib ] || fail "grew by $((now - first)) KiB"
	[ "$(fd_count "$pid")" -le $((first_fds + 2)) ] || fail "descriptors leak"
	tmux_key q
	is "$(tmux_ended)" 0 "exit status"
}

folder=$(mktemp -d) || exit 2
trap 'tmux_close; rm -rf "$folder"' EXIT
cd "$folder" && (soak)
