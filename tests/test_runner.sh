#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The test runner: what it counts, what it takes for a failure.
. "$(dirname "$0")/lib.sh"

# script NAME TEXT: an executable test.
script()
{
	printf '#!/bin/sh\n%s\n' "$2" >"$1"
	chmod +x "$1"
}

runner()
{
	run env TEST_EXPECTED_SKIPS="$PWD/expected" "$tests/run.sh" "$@"
}

last_line_is()
{
	is "$(tail -n 1 out)" "$1" "last line"
}

test_good_program_when_silent_counts_as_one()
{
	script t.sh 'exit 0'
	runner ./t.sh
	status_is 0
	last_line_is "1 passed, 0 failed, 0 skipped"
}

test_script_lines_when_printed_are_counted()
{
	script t.sh 'echo ok a; echo ok b; echo not ok c; exit 1'
	runner ./t.sh
	status_is 1
	last_line_is "2 passed, 1 failed, 0 skipped"
	out_has '\| not ok c'
}

test_not_ok_when_status_is_0_fails()
{
	script t.sh 'echo not ok c; exit 0'
	runner ./t.sh
	status_is 1
	last_line_is "0 passed, 1 failed, 0 skipped"
}

test_cmocka_lines_when_printed_are_counted()
{
	script t.sh 'echo "[       OK ] a"; echo "[  FAILED  ] b"
		echo "[  FAILED  ] 1 test(s)" >&2; exit 1'
	runner ./t.sh
	status_is 1
	last_line_is "1 passed, 1 failed, 0 skipped"
}

test_crash_when_nothing_printed_fails_and_names_the_signal()
{
	script t.sh 'kill -SEGV $$'
	runner ./t.sh
	status_is 1
	last_line_is "0 passed, 1 failed, 0 skipped"
	out_has 'signal 11'
}

test_hang_when_limit_passed_fails()
{
	script t.sh 'exec sleep 60'
	run env TEST_LIMIT_S=0.2 "$tests/run.sh" ./t.sh
	status_is 1
	last_line_is "0 passed, 1 failed, 0 skipped"
	out_has 'longer than 0.2 s'
}

test_skip_when_not_listed_fails()
{
	script t.sh 'echo no such thing here; exit 77'
	runner ./t.sh
	status_is 1
	last_line_is "0 passed, 1 failed, 0 skipped"
	out_has 'no such thing here'
}

test_skip_when_listed_is_counted_with_its_reason()
{
	script t.sh 'echo no such thing here; exit 77'
	echo 'any t machines without the thing' >expected
	runner ./t.sh
	status_is 0
	last_line_is "0 passed, 0 failed, 1 skipped"
	out_has 'no such thing here'
}

test_skip_when_listed_for_another_platform_fails()
{
	script t.sh 'echo no such thing here; exit 77'
	echo 'vax t machines without the thing' >expected
	runner ./t.sh
	status_is 1
}

test_single_skip_when_listed_is_counted()
{
	script t.sh 'echo ok a; echo "skip b: no such thing"; exit 0'
	echo "$(uname -m) t:b machines without the thing" >expected
	runner ./t.sh
	status_is 0
	last_line_is "1 passed, 0 failed, 1 skipped"
	out_has 'b: no such thing'
}

test_single_skip_when_not_listed_fails()
{
	script t.sh 'echo "[       OK ] a"; echo "[  SKIPPED ] b"; exit 0'
	runner ./t.sh
	status_is 1
	last_line_is "1 passed, 1 failed, 0 skipped"
}

test_no_programs_when_called_fails()
{
	runner
	status_is 1
}

run_tests
