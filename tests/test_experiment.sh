#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The spinlock experiment: what it must show, as ratios with wide bounds.
. "$(dirname "$0")/lib.sh"

# column NAME FILE: the values of one column, one a line.
column()
{
	python3 -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[2])):
    print(row[sys.argv[1]])' "$1" "$2"
}

two_cpus()
{
	[ "$(nproc)" -ge 2 ] || skip "two threads that run at once need two CPUs"
}

# 1.9x on the machines of the mail and on ours; a busy neighbour slows both.
test_unlock_by_xchg_when_uncontended_costs_more_than_mov()
{
	[ "$(uname -m)" = x86_64 ] || skip "old and old-xchg exist on x86-64 only"
	run "$HOTLINE" run -t 1 -m off -d 0.15 -w 0.05 -r 7 -o snap spinlock:old,old-xchg
	status_is 0
	ratio=$(python3 -c 'import csv, statistics as s
rows = list(csv.DictReader(open("snap-rounds.csv")))
rate = lambda v: s.median(float(r["ops_per_s"]) for r in rows if r["variant"] == v)
print(rate("old") / rate("old-xchg"))')
	echo "old / old-xchg, one thread: $ratio"
	awk -v r="$ratio" 'BEGIN {exit !(r > 1.25 && r < 3)}' ||
		fail "ratio $ratio, 1.25 to 3 expected"
}

# FIFO: the lock changes hands nearly every time. One preempted thread lets the other run alone, so
# the best
# of seven rounds counts.
test_ticket_when_two_threads_fight_has_an_average_run_below_two()
{
	two_cpus
	run "$HOTLINE" run -t 2 -d 0.15 -w 0.05 -r 7 -o snap spinlock:ticket
	best=$(column handovers_per_op snap-rounds.csv | sort -g | tail -n 1)
	echo "hand-overs per op, best of 7: $best"
	awk -v h="$best" 'BEGIN {exit !(h > 0.5)}' || fail "average run $best ops per hand-over"
}

# The mail's four columns from one run; what old shows against new is printed, not asserted.
test_email_table_when_old_and_new_do_fixed_work_is_filled()
{
	[ "$(uname -m)" = x86_64 ] || skip "old and new exist on x86-64 only"
	two_cpus
	run "$HOTLINE" run spinlock:old,new --ops 2000000 -t 2 -r 3 -o snap
	status_is 0
	cat out
	for name in clocks_per_op handovers_per_op; do
		[ "$(column "$name" snap-rounds.csv | grep -c '^[0-9.]')" -eq 6 ] || fail "no $name"
	done
	for name in share runs run_max run_mean; do
		[ "$(column "$name" snap-threads.csv | grep -c '^[0-9.]')" -eq 12 ] ||
			fail "no $name"
	done
	# The threads' counts add up to the quota, or one more: both may be past the test at once.
	column ops snap-rounds.csv | awk '{if ($1 < 2000000 || $1 > 2000001) exit 1}' ||
		fail "ops: $(column ops snap-rounds.csv | tr '\n' ' ')"
}

test_wait_hold_and_gap_when_every_op_is_stamped_fill_the_time()
{
	run "$HOTLINE" run -t 1 -m every -d 0.3 -w 0.05 -r 3 -o snap \
		spinlock:ttas@hold_ns=1000,think_ns=1000
	status_is 0
	python3 - <<'PY' || fail "the parts are a tenth off the time of an op"
import csv, sys
for r in csv.DictReader(open("snap-rounds.csv")):
    op = 1e9 / float(r["ops_per_s"])
    gap = n = 0
    for h in csv.DictReader(open("snap-hist.csv")):
        if h["kind"] == "gap" and h["round"] == r["round"]:
            n += int(h["count"])
            gap += int(h["count"]) * (float(h["ge"]) + float(h["lt"])) / 2
    total = float(r["wait_mean_ns"]) + float(r["hold_mean_ns"]) + gap / n
    print("op %.0f ns, wait + hold + outside %.0f ns" % (op, total))
    if not 0.9 < total / op < 1.1:
        sys.exit(1)
PY
}

run_tests
