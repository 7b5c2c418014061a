#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Counters on the dashboard, as a person sees them.
. "$(dirname "$0")/lib.sh"
. "$tests/tmux.sh"

# Columns by their heads; software ones have numbers on every machine.
test_software_columns_are_live_on_any_machine()
{
	tmux_open 120x40 "$HOTLINE" -w 0.05 -t 2 spinlock:pthread-mutex
	tmux_wait 'RUN'
	tmux_wait ' IPC .*/op.* csw/s'
	# The last figures of a row: IPC, transfers, misses, bus cycles, then switches a second.
	tmux_wait '^ +[0-9]+ n[0-9]+c[0-9]+ .*([0-9.]+[kM]?~?|n/a:[a-z]|-) +([0-9.]+[kM]?|0)( |$)'
}

# Where the kernel exposes no PMU, hardware columns say so, once, and nothing reads 0.
test_missing_pmu_is_said_once_and_no_column_is_zero()
{
	if "$HOTLINE" counters --format csv | grep -q '^cycles,.*,yes,'; then
		skip "hardware counters work here"
	fi
	tmux_open 120x40 "$HOTLINE" -w 0.05 -t 2 spinlock:ttas
	tmux_wait 'RUN'
	tmux_wait '(No hardware counters|n/a:p)'
	tmux_wait '^ +[0-9]+ n[0-9]+c[0-9]+ .* n/a:[a-z] +n/a:[a-z] +n/a:[a-z] +n/a:[a-z] '
	tmux_key l
	tmux_wait 'messages'
	is "$(tmux_screen | head -n -2 | grep -c 'No hardware counters')" 1 "notes"
}

test_brackets_scroll_the_columns()
{
	tmux_open 80x24 "$HOTLINE" -w 0.05 spinlock:ttas
	tmux_wait 'RUN'
	tmux_wait 'op/s.* IPC '
	tmux_key ']'
	tmux_gone 'op/s.* IPC '
	tmux_key '['
	tmux_wait 'op/s.* IPC '
	tmux_key '['
	tmux_wait 'first of [0-9]+ counter columns'
}

test_no_events_means_no_columns()
{
	tmux_open 80x24 "$HOTLINE" -w 0.05 -e none spinlock:ttas
	tmux_wait 'RUN'
	tmux_wait 'op/s +share'
	tmux_gone ' IPC '
	tmux_key ']'
	tmux_wait 'no counters were asked for'
}

test_unpinned_threads_have_no_cpu_to_count_on()
{
	tmux_open 120x40 "$HOTLINE" -w 0.05 -p none -t 2 spinlock:ttas
	tmux_wait 'RUN'
	tmux_wait 'all +any CPU .*n/a:f'
}

run_tests
