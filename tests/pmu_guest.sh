#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What tests/test_pmu_guest.sh has an emulated machine do, as root: pmu_guest.sh one|four|none
#
# Judges nothing. Each command leaves /out/NAME.out, .err and .status, each test program
# /out/USER/PROGRAM and PROGRAM.status. busybox ash runs it.
set -u

cd /root || exit 2
export PATH="/root/build:/root/build/tests:$PATH" LC_ALL=C.UTF-8
cpus=/sys/devices/system/cpu
paranoid=/proc/sys/kernel/perf_event_paranoid
short='-w 0.1 -r 1 -d 0.3'

# rec NAME CMD...
rec()
{
	name=$1
	shift
	timeout 60 "$@" >"/out/$name.out" 2>"/out/$name.err" </dev/null
	echo $? >"/out/$name.status"
}

# The same as a user without privileges; the command is one word.
rec_user()
{
	rec "$1" su tester -c "$2"
}

# programs USER PATTERN [BUT]: runs test programs.
programs()
{
	mkdir -p "/out/$1"
	for path in build/tests/$2; do
		[ -e "$path" ] || continue
		[ "${path##*/}" != "${3-}" ] || continue
		log=/out/$1/${path##*/}
		timeout 120 su "$1" -c "TMPDIR=/tmp HOME=/tmp /root/$path" >"$log" 2>&1 </dev/null
		echo $? >"$log.status"
	done
}

# One CPU, instructions counted: exact figures.
one()
{
	rec self-test hotline counters --format csv
	rec known pmu_known cycles instructions instructions:u
	for ops in 1000000 2000000; do
		rec "null-$ops" hotline run spinlock:null -t 1 --ops $ops -w 0.05 -r 1 -m off \
			-k hold_ns=0 -k think_ns=0 -e cycles,instructions,instructions:u \
			--format csv
	done
	programs root 'test_pmu_*'
}

# At each level of the kernel's strictness; 3 is Debian's.
unprivileged()
{
	was=$(cat $paranoid)
	for level in 1 2 3; do
		echo $level >$paranoid
		rec_user "user-$level" 'hotline counters --format csv'
		# shellcheck disable=SC2086
		rec_user "user-run-$level" \
			"hotline run spinlock:ttas -t 2 $short -e cycles --format csv"
		rec_user "user-text-$level" "hotline run spinlock:ttas -t 2 $short -e cycles"
	done
	for level in 2 3; do
		echo $level >$paranoid
		programs tester 'test_pmu_*'
		mv /out/tester "/out/tester-$level"
	done
	echo "$was" >$paranoid
}

# shellcheck disable=SC2086
offline()
{
	(
		sleep 1.5
		echo 0 >$cpus/cpu3/online
	) &
	rec offline-while hotline run spinlock:ttas -t 4 -w 0.1 -r 1 -d 3 -e cycles \
		--format csv -o /tmp/while
	wait
	cp /tmp/while-*.csv /out/
	rec offline-counters hotline counters cycles --format csv
	rec offline-run hotline run spinlock:ttas -t 3 $short -e cycles --format csv
	rec offline-asked hotline run spinlock:ttas -c 0,3 $short -e cycles
	echo 1 >$cpus/cpu3/online
	rec online-again hotline run spinlock:ttas -c 0,3 $short -e cycles --format csv
}

# Four CPUs, seven counters each, no event of instructions.
# shellcheck disable=SC2086
four()
{
	mask=cycles,cycles:u,cycles:k,CPU_CYCLES:u,CPU_CYCLES:k
	rec list hotline list
	rec topology hotline topology
	rec plain hotline run spinlock:ttas -d 0.2 -r 1 -t 2
	rec counters hotline counters --format csv
	rec unsupported hotline run spinlock:ttas -t 4 $short -e cycles,instructions \
		--format csv -o /tmp/unsupported
	cp /tmp/unsupported-*.csv /out/
	rec unsupported-text hotline run spinlock:ttas -t 2 $short -e instructions
	rec unknown hotline run spinlock:ttas $short -e cycles,nosuch
	rec taken-some pmu_hog 4 hotline counters cycles CPU_CYCLES cycles:u r08 --format csv
	rec taken-some-run pmu_hog 4 hotline run spinlock:ttas -t 2 $short \
		-e cycles,CPU_CYCLES,cycles:u,r08 --format csv
	rec taken-all pmu_hog 7 hotline counters cycles r08 --format csv
	rec taken-all-run pmu_hog 7 hotline run spinlock:ttas -t 2 $short -e cycles --format csv
	rec scaled hotline run spinlock:ttas -t 4 -w 0.1 -r 1 -d 0.6 \
		-e $mask,r08,r09,r10,r12,r13,r14,r15 --format csv
	rec scaled-text hotline run spinlock:ttas -t 4 -w 0.1 -r 1 -d 0.6 \
		-e $mask,r08,r09,r10,r12,r13,r14,r15
	programs root 'test_*' test_view
	unprivileged
	offline
}

# A CPU whose events libpfm4 knows, and no PMU. And the views, which take long on emulated machines:
# here they delay nobody.
# shellcheck disable=SC2086
none()
{
	rec counters hotline counters --format csv
	rec run hotline run spinlock:ttas -t 2 $short --format csv
	rec text hotline run spinlock:ttas -t 2 $short
	programs root test_view &
	programs root 'test_pmu_*'
	wait
}

"$1"
