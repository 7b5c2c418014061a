#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line: what is refused and how, what is printed, exit statuses, signals.
. "$(dirname "$0")/lib.sh"

# As short as a round can be and still be one.
QUICK=(-d 0.02 -w 0.01)

# refused REGEX ARG...: bad usage, one line on stderr that matches, nothing on stdout.
refused()
{
	local regex=$1

	shift
	run "$HOTLINE" "$@"
	[ "$status" -eq 2 ] || fail "hotline $*: status 2 expected; $(show_run)"
	[ "$(wc -l <err)" -eq 1 ] || fail "hotline $*: one line expected; $(show_run)"
	grep -Eq -- "^hotline: .*($regex)" err || fail "hotline $*: /$regex/ expected; $(show_run)"
	is "$out" "" "stdout of hotline $*"
}

# csv_column NAME FILE: the cells of one column; no cell of ours before it holds a newline.
csv_column()
{
	python3 -c '
import csv, sys
for row in csv.DictReader(open(sys.argv[2], newline="")):
    print(row[sys.argv[1]])' "$1" "$2"
}

test_unknown_names_when_given_are_refused_with_the_nearest()
{
	refused 'nosuch.*spinlock' run nosuch
	refused 'spinlokc.*spinlock' run spinlokc
	refused 'tickte.*ticket' run spinlock:tickte
	refused 'ticket.*' run spinlock:
	refused 'hold_nz.*hold_ns' run spinlock@hold_nz=3
	refused 'hold_nz.*hold_ns' run -k hold_nz=3 spinlock
	refused 'spred.*spread' run -p spred spinlock
	refused 'spred.*spread' run spinlock@place=spred
	refused 'evrey.*every' run -m evrey spinlock
	refused 'xml.*text.*csv.*json' run --format xml spinlock
	refused '--thraeds.*--threads' run --thraeds 2 spinlock
	refused 'cahce.*nearest: cache' run -e cahce spinlock
	refused 'nonsense.*contention.*switch.*libpfm4' run -e nonsense spinlock
	refused 'cahce.*nearest: cache' counters cycles cahce
	refused 'nonsense.*contention' counters nonsense
	refused 'nosuch' list nosuch
	refused 'nosuch' help nosuch
}

test_numbers_when_bad_are_refused_with_what_is_accepted()
{
	refused 'threads.*\babc\b' run -t abc spinlock
	refused 'threads.*\b0\b' run -t 0 spinlock
	refused 'threads.*99999' run -t 99999 spinlock
	refused 'threads.*-3' run -t -3 spinlock
	refused '2x' run -t 2x spinlock
	refused 'duration.*-1' run -d -1 spinlock
	refused 'duration.*nan' run -d nan spinlock
	refused 'warmup.*\bx\b' run -w x spinlock
	refused 'rounds.*1\.5' run -r 1.5 spinlock
	refused 'rounds.*\b0\b' run -r 0 spinlock
	refused 'ops.*10x' run --ops 10x spinlock
	refused 'limit.*soon' run --limit soon spinlock
	refused 'seed.*-1' run --seed -1 spinlock
	refused 'sampled.*\b0\b' run -m sampled:0 spinlock
	refused 'sampled:' run -m sampled: spinlock
	refused 'hold_ns.*-5' run -k hold_ns=-5 spinlock
	refused 'hold_ns.*long' run spinlock@hold_ns=long
	refused 'width.*16.*(32|8)' run spinlock:old@width=16
}

test_cpus_when_bad_are_refused_with_the_allowed()
{
	refused '60000' run -c 60000 spinlock
	refused '\b3-1\b' run -c 3-1 spinlock
	refused 'CPU list' run -c 0,,1 spinlock
	refused 'zero' run -c zero spinlock
	refused '\b0\b.*twice|twice.*\b0\b|0,0' run -c 0,0 spinlock
	refused '60000' run spinlock@cpus=60000
}

test_usage_when_incomplete_is_refused()
{
	refused 'SPEC|spinlock' run
	refused '--knob|-k' run -k
	refused 'hold_ns' run -k hold_ns spinlock
	refused 'frobnicate' frobnicate
	refused 'spinlock' run 'spinlock@'
	refused 'unknown key' run 'spinlock@=3'
	refused 'surplus' topology surplus
	refused 'events.*empty' run -e '' spinlock
	refused 'none.*alone' run -e cache,none spinlock
	refused 'none' counters none
	refused 'at most' run -e "$(seq -s, -f 'r%03g' 100 140)" spinlock
}

test_hostile_words_when_refused_are_cleaned()
{
	run "$HOTLINE" run $'no\e[31msuch\n'
	status_is 2
	err_is_one_line
	! grep -q $'\e' err || fail "an escape character reached stderr"
}

test_help_when_asked_names_all_commands_and_options()
{
	local word

	run "$HOTLINE" --help
	status_is 0
	is "$err" "" stderr
	for word in run list counters topology --threads --cpus --place --knob --measure \
		--duration --ops --limit --warmup --rounds --seed --events --output --format \
		ascii; do
		out_has "$word"
	done
	run "$HOTLINE" help run
	status_is 0
	out_has SPEC
}

test_version_when_asked_is_one_line()
{
	run "$HOTLINE" --version
	status_is 0
	is "$(wc -l <out)" 1 lines
	out_has '^hotline [0-9]+\.[0-9]+\.[0-9]+'
}

test_list_when_asked_shows_variants_and_knobs()
{
	local word

	run "$HOTLINE" list
	status_is 0
	out_has '^ *spinlock'
	run "$HOTLINE" list spinlock
	status_is 0
	for word in old new old-xchg new-xchg tas ttas ticket mcs clh pthread-spin pthread-mutex \
		null hold_ns think_ns pad; do
		out_has "(^|[ :,])$word([ ,=]|\$)"
	done
}

test_machine_formats_when_asked_parse()
{
	local command

	for command in 'list spinlock' list topology counters 'counters tlb cycles:u r1c4'; do
		# shellcheck disable=SC2086
		run "$HOTLINE" $command --format json
		status_is 0
		python3 -m json.tool out >/dev/null || fail "$command --format json: not JSON"
		# shellcheck disable=SC2086
		run "$HOTLINE" $command --format csv
		status_is 0
		"$BUILD/tests/read_csv" out >counts || fail "$command --format csv: not CSV"
	done
}

test_topology_when_asked_lists_the_allowed_cpus()
{
	local cpu

	run "$HOTLINE" topology
	status_is 0
	run "$HOTLINE" topology --format csv
	for cpu in $(csv_column cpu out); do
		[ -d "/sys/devices/system/cpu/cpu$cpu" ] || fail "cpu $cpu does not exist"
	done
	is "$(csv_column cpu out | wc -l)" "$(ls -d /sys/devices/system/cpu/cpu[0-9]* | wc -l)" \
		"rows of the topology"
}

test_topology_when_affinity_is_narrow_says_not_allowed()
{
	local first

	first=$(taskset -pc $$ | sed 's/.*: *//; s/[,-].*//')
	[ "$(nproc)" -gt 1 ] || skip "one CPU only"
	run taskset -c "$first" "$HOTLINE" topology --format csv
	status_is 0
	is "$(csv_column allowed out | grep -c 1)" 1 "allowed CPUs"
}

test_run_when_text_shows_each_variant()
{
	run "$HOTLINE" run "${QUICK[@]}" -r 2 spinlock:ttas,ticket,null
	status_is 0
	out_has ttas
	out_has ticket
	out_has 'null.*no exclusion|no exclusion.*null'
}

test_run_when_csv_has_a_row_a_round_in_abba_order()
{
	run "$HOTLINE" run "${QUICK[@]}" -r 2 --format csv spinlock:ttas,ticket
	status_is 0
	is "$(csv_column variant out | tr '\n' ' ')" "ttas ticket ticket ttas " "order of rounds"
	is "$(csv_column interleaved out | sort -u)" 1 interleaved
}

test_run_when_output_is_dash_prints_the_rounds_table()
{
	run "$HOTLINE" run "${QUICK[@]}" -r 1 -o - spinlock:ttas
	status_is 0
	is "$(csv_column variant out)" ttas variant
}

test_run_when_json_parses_and_has_the_csv_ids()
{
	run "$HOTLINE" run "${QUICK[@]}" -r 1 --format json spinlock:ttas
	status_is 0
	python3 - out <<-'END' || fail "JSON: $(show_run)"
		import json, sys
		text = json.dumps(json.load(open(sys.argv[1])))
		for part in '"ops_per_s"', '"fairness_jain"', '"variant": "ttas"':
		    assert part in text, part
	END
}

# As in the experiment of 2005, each thread but the one that ends the work may do one more.
test_run_when_work_is_fixed_does_that_much()
{
	local ops

	run "$HOTLINE" run -w 0.01 -r 2 --ops 100000 -t 2 --format csv spinlock:ttas,mcs
	status_is 0
	for ops in $(csv_column ops out); do
		[ "$ops" -ge 100000 ] && [ "$ops" -le 100001 ] || fail "$ops operations"
	done
}

test_run_when_threads_exceed_cpus_ends()
{
	run timeout 60 "$HOTLINE" run "${QUICK[@]}" -r 1 -t $((3 * $(nproc))) --format csv \
		spinlock:mcs,ticket,pthread-mutex
	status_is 0
	is "$(csv_column threads out | sort -u)" $((3 * $(nproc))) threads
}

test_run_when_limit_is_reached_marks_and_fails()
{
	run "$HOTLINE" run -w 0.01 -r 1 --ops 1000000000000 --limit 0.1 -t 2 spinlock:ttas
	status_is 1
	err_has '^hotline: .*limit'
}

test_run_when_sample_is_given_is_used()
{
	run "$HOTLINE" run "${QUICK[@]}" -r 1 -m sampled:16 --format csv spinlock:ttas
	status_is 0
	is "$(csv_column sample_n out)" 16 sample_n
	run "$HOTLINE" run "${QUICK[@]}" -r 1 -m off --format csv spinlock:ttas
	status_is 0
	is "$(csv_column wait_p50_ns out)" "" wait_p50_ns
	is "$(csv_column contended_why out)" unsupported contended_why
}

test_run_when_cpus_are_given_uses_them_in_that_order()
{
	[ "$(nproc)" -gt 1 ] || skip "one CPU only"
	run "$HOTLINE" run "${QUICK[@]}" -r 1 -t 2 -c 1,0 --format csv spinlock:ttas
	status_is 0
	is "$(csv_column cpu_list out)" "1,0" cpu_list
}

test_no_terminal_when_started_plain_runs_and_says_so()
{
	run "$HOTLINE" "${QUICK[@]}" -r 1
	status_is 0
	err_has '^hotline: .*terminal'
	out_has spinlock
}

test_output_when_file_exists_leaves_it_and_fails()
{
	run "$HOTLINE" run "${QUICK[@]}" -r 1 -o snap spinlock:ttas
	status_is 0
	cp snap-rounds.csv before
	run "$HOTLINE" run "${QUICK[@]}" -r 1 -o snap spinlock:ttas
	[ "$status" -ne 0 ] || fail "an existing snapshot was accepted"
	err_has '^hotline: .*snap-rounds\.csv'
	cmp -s before snap-rounds.csv || fail "the existing file was changed"
}

test_output_when_folder_is_missing_fails_before_measuring()
{
	run timeout 5 "$HOTLINE" run -d 30 -r 1 -o nosuch/snap spinlock:ttas
	[ "$status" -eq 1 ] || [ "$status" -eq 2 ] || fail "status 1 or 2 expected; $(show_run)"
	err_is_one_line
	err_has '^hotline: .*nosuch'
}

# in_tmpfs OPTIONS CMD...: with a small file system of its own mounted on ./place.
in_tmpfs()
{
	local options=$1

	shift
	mkdir -p place
	# shellcheck disable=SC2016
	unshare -rm sh -c 'mount -t tmpfs -o "$0" none place && exec "$@"' "$options" "$@"
}

test_output_when_place_is_full_leaves_nothing_half_written()
{
	in_tmpfs size=8k true 2>/dev/null || skip "no mount namespaces here"
	run in_tmpfs size=8k sh -c '"$@"; echo $? >status; ls place >left' sh \
		"$HOTLINE" run "${QUICK[@]}" -r 1 -o place/snap spinlock:ttas
	is "$(cat status)" 1 status
	is "$(cat left)" "" "files left"
	err_has '^hotline: .*place.*(space|full)'
}

test_output_when_place_is_read_only_says_so()
{
	in_tmpfs ro true 2>/dev/null || skip "no mount namespaces here"
	run in_tmpfs ro "$HOTLINE" run "${QUICK[@]}" -r 1 -o place/snap spinlock:ttas
	[ "$status" -eq 1 ] || [ "$status" -eq 2 ] || fail "status 1 or 2 expected; $(show_run)"
	err_has '^hotline: .*place.*[Rr]ead-only'
}

test_stdout_when_full_fails()
{
	"$HOTLINE" list >/dev/full 2>err </dev/null
	is $? 1 status
	grep -q '^hotline: ' err || fail "no message: $(cat err)"
}

# labs PID: true when a lab other than $seen runs.
another_lab()
{
	local now

	now=$(lab_of "$1")
	[ -n "$now" ] && [ "$now" != "$seen" ]
}

# interrupted SIGNAL: starts a long run, lets a round finish, sends the signal.
interrupted()
{
	local pid seen=

	env --default-signal=INT,TERM,HUP,QUIT "$HOTLINE" run -d 0.05 -w 0.01 -r 5000 \
		--format csv spinlock:ttas >out 2>err </dev/null &
	pid=$!
	wait_for 20 another_lab $pid || fail "no lab was started"
	seen=$(lab_of $pid)
	wait_for 20 another_lab $pid || fail "no second round was started"
	seen=$(lab_of $pid)
	wait_for 20 another_lab $pid || fail "no third round was started"
	seen=$(lab_of $pid)
	kill -"$1" $pid
	wait $pid
	status=$?
	wait_for 5 not_alive "${seen%% *}" || fail "the lab lives on"
}

test_run_when_interrupted_reports_finished_rounds()
{
	interrupted INT
	status_is 130
	[ "$(csv_column ops out | grep -c .)" -ge 1 ] || fail "no finished round; $(show_run)"
}

test_run_when_terminated_reports_and_ends_by_signal()
{
	interrupted TERM
	status_is 143
	[ "$(csv_column ops out | grep -c .)" -ge 1 ] || fail "no finished round; $(show_run)"
}

test_lab_when_started_by_hand_says_what_to_do()
{
	run "$LAB"
	status_is 2
	err_is_one_line
	err_has 'hotline'
}

test_lab_when_program_is_missing_says_where_it_looked()
{
	run env HOTLINE_LAB=/nonexistent/lab "$HOTLINE" run "${QUICK[@]}" spinlock
	[ "$status" -ne 0 ] || fail "status 0"
	err_is_one_line
	err_has '/nonexistent/lab'
}

test_numbers_when_locale_has_commas_keep_their_dots()
{
	run env LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 "$HOTLINE" run "${QUICK[@]}" -r 1 \
		--format csv spinlock:ttas
	status_is 0
	csv_column duration_s out | grep -Eq '^0\.[0-9]+$' || fail "duration: $(show_run)"
}

run_tests
