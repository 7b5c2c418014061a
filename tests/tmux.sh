# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2154
#
# A terminal for test scripts: one tmux server of its own, without anybody's settings.
# Sourced after tests/lib.sh. Nothing here sleeps for a fixed time: what is expected is waited for.
#
#   tmux_open 80x24 [NAME=VALUE...] CMD ARG...   starts CMD in a terminal of that size
#   tmux_wait REGEX [SECONDS]                    until a line of the screen matches
#   tmux_gone REGEX [SECONDS]                    until none does
#   tmux_key KEY...   tmux_type TEXT             keys by tmux's names; text as it is
#   tmux_screen   tmux_resize 120x40   tmux_flag alternate_on
#   tmux_pid                                     the process id of CMD
#   tmux_ended [SECONDS]                         until CMD has ended; prints its status
#   tmux_stopped   tmux_resume                   until CMD has stopped itself; lets it go on
#   tmux_restored                                fails unless the terminal is as it was
#   tmux_close                                   ends it all; done at exit too
#
# The terminal outlives CMD, so that what CMD left behind can be looked at. All bytes that
# CMD sent are in the file tmux/bytes.

TMUX_WAIT_S=${TMUX_WAIT_S:-20}
TMUX_NAME=hotline-test-$$-$RANDOM

tmux_do()
{
	env -u TMUX tmux -u -L "$TMUX_NAME" "$@"
}

tmux_close()
{
	tmux_do kill-server 2>/dev/null
	rm -f "${TMUX_TMPDIR:-/tmp}/tmux-$(id -u)/$TMUX_NAME"
}

tmux_open()
{
	local size=$1

	shift
	tmux_close
	rm -rf tmux
	mkdir tmux
	printf '%s\n' 'set -g status off' 'set -g default-terminal screen-256color' \
		'set -s escape-time 0' 'set -g history-limit 0' 'set -g remain-on-exit on' \
		>tmux/conf
	# The pane waits until its bytes are recorded; then the command becomes a job of its own, as
	# under a shell. A stopped one goes on once tmux_resume was called.
	cat >tmux/pane <<-'END'
		until [ -e tmux/go ]; do sleep 0.01; done
		stty -g >tmux/stty.before
		set -m
		sh -c 'echo $$ >tmux/pid; exec env "$@"' sh "$@"
		status=$?
		while [ -n "$(jobs -s)" ]; do
			stty -g >tmux/stty.after
			touch tmux/stopped
			until [ -e tmux/resume ]; do sleep 0.01; done
			rm tmux/stopped tmux/resume
			fg >/dev/null
			status=$?
		done
		stty -g >tmux/stty.after
		echo $status >tmux/status.new
		mv tmux/status.new tmux/status
		exec sleep 1000
	END
	trap tmux_close EXIT
	tmux_do -f tmux/conf new-session -d -x "${size%x*}" -y "${size#*x}" \
		bash "$PWD/tmux/pane" "$@" || fail "tmux does not start"
	tmux_do pipe-pane -o "cat >'$PWD/tmux/bytes'"
	touch tmux/go
}

tmux_screen()
{
	tmux_do capture-pane -p
}

tmux_matches()
{
	tmux_screen | grep -Eq -- "$1"
}

tmux_not_matches()
{
	! tmux_matches "$1"
}

tmux_wait()
{
	wait_for "${2:-$TMUX_WAIT_S}" tmux_matches "$1" ||
		fail "never on the screen: /$1/"$'\n'"$(tmux_screen)"
}

tmux_gone()
{
	wait_for "${2:-$TMUX_WAIT_S}" tmux_not_matches "$1" ||
		fail "still on the screen: /$1/"$'\n'"$(tmux_screen)"
}

tmux_key()
{
	tmux_do send-keys -- "$@"
}

tmux_type()
{
	tmux_do send-keys -l -- "$1"
}

tmux_resize()
{
	tmux_do resize-window -x "${1%x*}" -y "${1#*x}"
}

tmux_flag()
{
	tmux_do display-message -p "#{$1}"
}

tmux_pid()
{
	wait_for "$TMUX_WAIT_S" test -s tmux/pid || fail "the command was never started"
	cat tmux/pid
}

tmux_ended()
{
	wait_for "${1:-$TMUX_WAIT_S}" test -e tmux/status ||
		fail "has not ended"$'\n'"$(tmux_screen)"
	cat tmux/status
}

tmux_stopped()
{
	wait_for "$TMUX_WAIT_S" test -e tmux/stopped || fail "has not stopped"$'\n'"$(tmux_screen)"
}

tmux_resume()
{
	touch tmux/resume
}

# The terminal is as it was: main screen, visible cursor, the modes of before.
tmux_restored()
{
	is "$(tmux_flag alternate_on)" 0 "alternate screen on"
	is "$(tmux_flag cursor_flag)" 1 "cursor visible"
	is "$(tmux_flag mouse_any_flag)" 0 "mouse reports on"
	cmp -s tmux/stty.before tmux/stty.after ||
		fail "modes differ"$'\n'"$(diff tmux/stty.before tmux/stty.after)"
}
