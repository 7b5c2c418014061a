#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Counters of a real PMU: the program on emulated arm64 machines, and its tests there.
#
# Three boots leave the output of all commands in folders (tests/pmu_guest.sh); the tests below
# judge it. One CPU: instructions are counted, and take 2^SHIFT ns each: figures are exact. Four
# CPUs: seven counters each, no event of instructions. None: no PMU.
. "$(dirname "$0")/lib.sh"

SHIFT=2
arm64=$BUILD/arm64
seen=$arm64/seen

# boot PART OPTION...
boot()
{
	local part=$1

	shift
	"$tests/qemu-guest.sh" --time 300 --files "$arm64/guest" \
		--packages "$(cat "$arm64/packages")" --out "$seen/$part" "$@" \
		"sh tests/pmu_guest.sh $part"
}

# Status 77 is this script's too: the last line says why. Two guests that need one CPU of the host
# each run at the same time, the one with four is alone.
prepare()
{
	local one

	"$tests/arm64.sh" "$arm64" || exit
	rm -rf "$seen"
	mkdir -p "$seen"
	boot one --smp 1 --icount $SHIFT &
	one=$!
	boot none --smp 2 --cpu cortex-a57,pmu=off || exit
	wait $one || exit
	boot four --smp 4 || exit
}

# look BOOT/NAME: the outcome of a command, as run leaves it.
look()
{
	[ -e "$seen/$1.status" ] || fail "$1 was not run"
	cp "$seen/$1.out" out
	cp "$seen/$1.err" err
	status=$(cat "$seen/$1.status") out=$(cat out) err=$(cat err)
}

# cell COLUMN [KEY [FILE]]: of the row whose first cell is KEY, or of the first row.
cell()
{
	awk -F, -v column="$1" -v key="${2-}" '
		{ gsub(/"[^"]*"/, "quoted") }
		NR == 1 {
			for (i = 1; i <= NF; i++)
				at[$i] = i
			if (!(column in at)) {
				print "no column " column
				exit
			}
			next
		}
		key == "" || $1 == key { print $(at[column]); exit }' "${3:-out}"
}

# sum COLUMN FILE: over all rows.
sum()
{
	awk -F, -v column="$1" '
		{ gsub(/"[^"]*"/, "quoted") }
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i; next }
		{ n += $at }
		END { printf "%.0f\n", n }' "$2"
}

cell_is()
{
	is "$(cell "$1" "${3-}")" "$2" "$1 ${3-}"
}

# true_of EXPRESSION WHAT: in awk's arithmetic.
true_of()
{
	awk "BEGIN { exit !($1) }" || fail "$2: not $1; $(show_run)"
}

# near A B RATIO WHAT: A within RATIO of B.
near()
{
	true_of "${1:-0} > $2 * (1 - $3) && ${1:-0} < $2 * (1 + $3)" "$4"
}

# programs BOOT/USER: all passed there, and skipped no more than is listed for their platform.
programs()
{
	local log name

	for log in "$seen/$1"/*.status; do
		[ -e "$log" ] || fail "no test program was run in $1"
		name=$(basename "$log" .status)
		printf '#!/bin/sh\ncat "%s"\nexit %s\n' "$seen/$1/$name" "$(cat "$log")" >"$name"
		chmod +x "$name"
	done
	run env TEST_PLATFORM="${2:-aarch64}" "$tests/run.sh" ./*test_*
	[ "$status" -eq 0 ] || fail "$(cat out)"
}

test_program_when_on_arm64_lists_and_measures()
{
	look four/list
	status_is 0
	out_has '^spinlock '
	look four/topology
	status_is 0
	out_has '4 of 4 CPUs allowed; clock cntvct'
	look four/plain
	status_is 0
	out_has '^spinlock:ttas +1 '
}

test_programs_when_on_arm64_pass()
{
	programs four/root
}

test_programs_when_instructions_are_counted_pass()
{
	programs one/root
}

test_programs_when_there_is_no_pmu_pass()
{
	programs none/root
}

test_programs_when_user_is_unprivileged_pass()
{
	local level

	for level in 2 3; do
		mkdir $level
		(cd $level && programs four/tester-$level) || exit 1
	done
}

# 20 million instructions of assembly; what the kernel adds to them on that thread is little.
test_known_loop_when_on_one_cpu_counts_its_instructions()
{
	look one/known
	status_is 0
	near "$(awk '$1 == "instructions:u" { print $2 }' out)" 20000000 0.0001 "in user mode"
	near "$(awk '$1 == "instructions" { print $2 }' out)" 20000000 0.01 "in all"
	near "$(awk '$1 == "cycles" { print $2 }' out)" $((20000000 << SHIFT)) 0.01 "cycles"
}

test_self_test_when_instructions_are_counted_believes_them()
{
	look one/self-test
	status_is 0
	cell_is works yes cycles
	cell_is works yes instructions
	true_of "$(cell count instructions) >= 4000000" "instructions of the loop"
	near "$(cell count cycles)" "$(cell count instructions) * 2 ^ $SHIFT" 0.001 "cycles"
}

# An operation has a whole number of instructions: twice the operations, so many more of them.
test_run_when_operations_double_counts_whole_instructions_each()
{
	local more each

	look one/null-1000000
	status_is 0
	is "$(cell instructions_why)$(cell cycles_why)" "" "reasons"
	is "$(cell instructions_running_ratio)" 1 "running ratio"
	more=$(cell instructions:u)
	look one/null-2000000
	more=$(awk "BEGIN { printf \"%.0f\", $(cell instructions:u) - ${more:-0} }")
	each=$(((more + 500000) / 1000000))
	true_of "$each >= 4" "instructions of an operation"
	near "$more" $((each * 1000000)) 0.01 "instructions of 1000000 operations"
	near "$(cell instructions:u_per_op)" $each 0.01 "instructions of one"
}

test_ipc_when_on_one_cpu_is_what_the_emulator_fixes()
{
	look one/null-2000000
	near "$(cell ipc)" "1 / 2 ^ $SHIFT" 0.0001 ipc
	cell_is ipc_why ""
}

test_event_when_this_cpu_lacks_it_says_so()
{
	look four/counters
	status_is 0
	cell_is works yes cycles
	cell_is works no instructions
	cell_is why unsupported instructions
	cell_is count "" instructions
	out_has '^instructions,.*does not exist on this CPU'
	out_has '^line-transfers,.*this CPU \(arm_ac57\) has no event'
	look four/unsupported-text
	status_is 0
	out_has 'instructions does not exist on this CPU'
}

test_event_when_the_others_count_leaves_them_alone()
{
	look four/unsupported
	status_is 0
	cell_is instructions ""
	cell_is instructions_per_op ""
	cell_is instructions_why unsupported
	cell_is ipc ""
	cell_is ipc_why unsupported
	cell_is cycles_why ""
	cell_is cycles_running_ratio 1
	true_of "$(cell cycles_per_op) > 1" "cycles of an operation"
}

# Virtual cycles are ns: CPU time has the same number.
test_cycles_when_counted_are_the_threads_cpu_time()
{
	look four/unsupported
	near "$(cell cycles)" "$(cell task-clock)" 0.2 cycles
}

test_threads_when_counted_add_up_to_the_round()
{
	local part

	look four/unsupported
	for part in threads cpus; do
		near "$(sum cycles "$seen/four/unsupported-$part.csv")" "$(cell cycles)" 0.000001 \
			"sum over $part"
	done
}

test_unknown_event_when_asked_for_is_a_usage_error()
{
	look four/unknown
	status_is 2
	err_is_one_line
	err_has "unknown event 'nosuch'"
}

# Three counters are left for a group of four: each counts alone.
test_group_when_too_large_is_split()
{
	local event

	look four/taken-some
	status_is 0
	for event in cycles CPU_CYCLES cycles:u r08; do
		cell_is works yes $event
	done
	look four/taken-some-run
	status_is 0
	for event in cycles CPU_CYCLES cycles:u; do
		true_of "$(cell ${event}_running_ratio) < 1" "$event"
		cell_is ${event}_why scaled
		true_of "$(cell $event) > 1000000" "$event"
	done
}

test_group_when_no_counter_is_left_is_marked_not_scheduled()
{
	look four/taken-all
	status_is 0
	cell_is works no cycles
	cell_is why not-scheduled cycles
	cell_is count "" cycles
	out_has '^cycles,.*cycles never ran: another program holds the counters'
	look four/taken-all-run
	status_is 0
	cell_is cycles ""
	cell_is cycles_per_op ""
	cell_is cycles_why not-scheduled
	true_of "$(cell ops) > 0 && $(cell task-clock) > 0" "all else is measured"
}

# Twelve events on seven counters: estimates, and near enough to agree among each other.
test_events_when_more_than_counters_are_scaled_and_marked()
{
	local event

	look four/scaled
	status_is 0
	for event in cycles CPU_CYCLES:u r15; do
		cell_is ${event}_why scaled
		true_of "$(cell ${event}_running_ratio) > 0.1" "$event"
		true_of "$(cell ${event}_running_ratio) < 0.95" "$event"
	done
	near "$(cell cycles)" "$(cell task-clock)" 0.3 cycles
	near "$(cell cycles:u) + $(cell cycles:k)" "$(cell cycles)" 0.3 "user and kernel"
	near "$(cell CPU_CYCLES:u)" "$(cell cycles:u)" 0.3 "the same by another name"
	look four/scaled-text
	status_is 0
	out_has '~'
}

test_user_when_denied_all_is_told_what_to_do()
{
	look four/user-3
	status_is 0
	cell_is works no cycles
	cell_is why denied cycles
	out_has '^cycles,.*kernel.perf_event_paranoid <= 1.*\(now 3\).*CAP_PERFMON'
	cell_is source proc context-switches
	cell_is works yes context-switches
	look four/user-run-3
	status_is 0
	cell_is cycles ""
	cell_is cycles_why denied
	true_of "$(cell task-clock) > 0" "CPU time, from /proc"
	look four/user-text-3
	out_has 'kernel.perf_event_paranoid <= 1.*\(now 3\)'
}

test_user_when_denied_the_kernels_part_counts_his_own()
{
	look four/user-2
	status_is 0
	cell_is works user-only cycles:u
	look four/user-run-2
	status_is 0
	cell_is cycles:u_why ""
	true_of "$(cell cycles:u) > 0" "cycles in user mode"
	look four/user-text-2
	out_has 'user mode only.*kernel.perf_event_paranoid <= 1'
}

test_user_when_allowed_counts_all()
{
	look four/user-1
	status_is 0
	cell_is works yes cycles
	look four/user-run-1
	status_is 0
	cell_is cycles_why ""
}

test_cpu_when_taken_offline_in_a_round_is_told()
{
	look four/offline-while
	status_is 0
	is "$(cell disturbed)" 1 disturbed
	[[ $(cell disturbed_why) == *cpu-offline* ]] || fail "disturbed by $(cell disturbed_why)"
	near "$(cell cycles)" "$(cell task-clock)" 0.2 "cycles go on where the thread went"
}

test_cpu_when_offline_is_left_out_or_refused()
{
	look four/offline-counters
	status_is 0
	cell_is works yes cycles
	look four/offline-run
	status_is 0
	cell_is cycles_why ""
	look four/offline-asked
	true_of "$status != 0" status
	err_is_one_line
	err_has 'CPU 3: it is offline'
	look four/online-again
	status_is 0
	cell_is cycles_why ""
	near "$(cell cycles)" "$(cell task-clock)" 0.2 cycles
}

test_counters_when_there_is_no_pmu_say_so_once()
{
	look none/counters
	status_is 0
	cell_is works no cycles
	cell_is why unsupported cycles
	out_has '^cycles,.*No hardware counters: '
	cell_is works yes context-switches
	look none/text
	status_is 0
	is "$(grep -c 'No hardware counters' out)" 1 "sentences"
}

test_run_when_there_is_no_pmu_measures_the_rest()
{
	look none/run
	status_is 0
	cell_is cycles ""
	cell_is cycles_why unsupported
	true_of "$(cell ops) > 0 && $(cell task-clock) > 0" "all else is measured"
}

prepare
run_tests
