#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What may befall a lab from outside, and what the watchdog must leave alone.
. "$(dirname "$0")/lib.sh"

# start ARG...: hotline run in the background; sets pid and lab.
start()
{
	"$HOTLINE" run "$@" >out 2>err &
	pid=$!
	wait_for 10 lab_runs || fail "no lab: $(cat err)"
}

# The child with a bell: the one that describes the workloads has none.
lab_runs()
{
	lab=$(lab_of $pid)
	lab=${lab%% *}
	[ -n "$lab" ] && [ -e "/proc/$lab/fd/4" ]
}

ended()
{
	wait $pid
	status=$? out=$(cat out) err=$(cat err)
}

test_sigterm_from_elsewhere_is_no_round()
{
	start spinlock:ticket -r 1 -d 20 -w 0.05
	sleep 0.5
	kill -TERM "$lab"
	ended
	status_is 1
	err_has 'was ended by a signal from elsewhere'
	out_has 'No round was finished'
}

test_sigterm_before_the_round_is_no_round()
{
	start spinlock:ticket -r 1 -d 20 -w 20
	sleep 0.3
	kill -TERM "$lab"
	ended
	status_is 1
	out_has 'No round was finished'
}

# The signal that the last worker sends, from somebody else: the round goes on to its end.
test_sigusr1_from_elsewhere_changes_nothing()
{
	start spinlock:ticket -r 1 -d 1 -w 0.05 --format csv
	sleep 0.3
	kill -USR1 "$lab"
	ended
	status_is 0
	python3 - out <<-'END' || fail "$out"
		import csv, sys
		row = next(csv.DictReader(open(sys.argv[1])))
		assert float(row["duration_s"]) > 0.9, row["duration_s"]
	END
}

test_stop_of_the_lab_is_told_in_the_row()
{
	start spinlock:ticket -r 1 -d 1 -w 0.05 -m off --format csv
	sleep 0.3
	kill -STOP "$lab"
	sleep 2.5
	kill -CONT "$lab"
	ended
	status_is 0
	out_has 'stopped'
}

# An operation may take longer than the watchdog's two seconds, if that is what was asked for.
test_slow_operations_are_no_hang()
{
	run "$HOTLINE" run -r 1 -d 3 -w 0 -m off spinlock:ticket@hold_ns=1000000000,threads=4
	status_is 0
	is "$err" "" stderr
}

test_short_round_is_counted_without_its_preparations()
{
	run "$HOTLINE" run -e task-clock -d 0.01 -w 0.02 -r 5 --format csv spinlock:mcs -t 2
	status_is 0
	python3 - out <<-'END' || fail "$out"
		import csv, sys
		rows = list(csv.DictReader(open(sys.argv[1])))
		over = sorted(float(r["task-clock"]) / 2e9 / float(r["duration_s"]) for r in rows)
		assert over[len(over) // 2] < 1.2, over
	END
}

run_tests
