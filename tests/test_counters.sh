#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Counters from the command line: what works here, what -e takes, what stands in place of a count.
. "$(dirname "$0")/lib.sh"

# As short as a round can be and still be one.
QUICK=(-d 0.02 -w 0.01)

test_counters_when_asked_say_what_works_and_why_not()
{
	run "$HOTLINE" counters
	status_is 0
	is "$err" "" stderr
	out_has '^PMU '
	out_has '^cycles(:u)? '
	out_has '^context-switches .* yes '
	run "$HOTLINE" counters cycles context-switches
	status_is 0
	out_has '^  config +0x0, config1 0x0'
	out_has '^  works +(yes|no: .)'
	run "$HOTLINE" counters --format csv
	python3 - out <<-'END' || fail "CSV: $(show_run)"
		import csv, sys
		for row in csv.DictReader(open(sys.argv[1], newline="")):
		    works = row["works"] != "no"
		    assert works == (row["count"] != ""), row
		    assert works or (row["why"] and row["note"]), row
	END
}

# The events' columns of the rounds table: a count, or none and a reason; never a 0 in its place.
counts_or_reasons()
{
	python3 - "$@" <<-'END' || fail "$*: $(show_run)"
		import csv, sys
		rows = list(csv.DictReader(open(sys.argv[1], newline="")))
		assert rows
		for row in rows:
		    for event in sys.argv[2:]:
		        id = event if event in row else event + ":u"
		        assert (row[id] == "") == (row[id + "_why"] not in ("", "scaled")), row
		        assert (row[id] == "") == (row[id + "_per_op"] == ""), row
	END
}

test_run_when_events_are_given_has_their_columns()
{
	run "$HOTLINE" run "${QUICK[@]}" -r 1 -e cache,bus --format csv spinlock:ttas
	status_is 0
	counts_or_reasons out cache-references cache-misses bus-cycles context-switches
	run "$HOTLINE" run "${QUICK[@]}" -r 1 -e cache,bus spinlock:ttas
	status_is 0
	out_has 'per op'
	run "$HOTLINE" run "${QUICK[@]}" -r 1 --format csv spinlock:ttas
	counts_or_reasons out cycles instructions task-clock page-faults
}

test_run_when_events_are_none_counts_nothing()
{
	run "$HOTLINE" run "${QUICK[@]}" -r 1 -e none --format csv spinlock:ttas
	status_is 0
	! head -n 1 out | grep -q 'context-switches' || fail "columns of events: $(show_run)"
	run "$HOTLINE" run "${QUICK[@]}" -r 1 -e none spinlock:ttas
	status_is 0
	! grep -Eq 'IPC|per s' out || fail "a table of counters: $(show_run)"
}

test_run_when_there_is_no_pmu_says_so_once_and_counts_in_software()
{
	"$HOTLINE" counters | grep -q '^PMU *none' || skip "this machine has a PMU"
	run "$HOTLINE" run "${QUICK[@]}" -r 2 spinlock:ttas,ticket
	status_is 0
	is "$(grep -c 'No hardware counters' out)" 1 "notes on missing counters"
	out_has 'IPC'
	is "$(grep -cE '^spinlock:(ttas|ticket) +n/a:u +n/a:u ' out)" 2 "rows without a count"
	run "$HOTLINE" run "${QUICK[@]}" -r 1 --format json spinlock:ttas
	python3 - out <<-'END' || fail "JSON: $(show_run)"
		import json, sys
		row = json.load(open(sys.argv[1]))["rounds"][0]
		assert row["ipc"] is None and row["ipc_why"] == "unsupported"
		assert row["cycles"] is None
		assert row["task-clock"] > 0 and row["switches_per_s"] is not None
	END
}

run_tests
