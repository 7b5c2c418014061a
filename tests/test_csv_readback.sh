#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A snapshot, read back by libcsv, sqlite3 and Python: the three agree, and the tables agree.
. "$(dirname "$0")/lib.sh"

KEYS=$(tr -d "\n" <<-END
	schema,hotline_version,utc,host,cpu_model,kernel,virt,packages,cores,cpus,smt,governor,
	tick_resolution_ns,workload,variant,threads,placement,cpu_list,knobs,measure,sample_n,
	seed,trial,round,order,interleaved
	END
)
FIGURES=$(tr -d "\n" <<-END
	ipc,ipc_why,transfers_per_op,transfers_per_op_why,misses_per_op,misses_per_op_why,
	bus_cycles_per_op,bus_cycles_per_op_why,switches_per_s,switches_per_s_why
	END
)
ROUNDS=$(tr -d "\n" <<-END
	duration_s,real_s,user_s,sys_s,ops,ops_per_s,clocks_per_op,fairness_jain,
	handovers_per_op,acquires,contended,contended_why,wait_basis,wait_mean_ns,wait_p50_ns,
	wait_p99_ns,wait_p999_ns,wait_max_seen_ns,hold_mean_ns,hold_p50_ns,hold_p99_ns,
	hold_p999_ns,hold_max_seen_ns,gap_max_ns,ctx_switches,involuntary_switches,migrations,
	run_delay_ns,steal_ratio,probe_before_ns,probe_after_ns,disturbed,disturbed_why
	END
)

# Which column of a table adds up.
summed()
{
	case $1 in
	rounds | cpus | threads) echo ops ;;
	locks) echo acquires ;;
	hist) echo count ;;
	esac
}

# Each prints rows, columns and the sum, as read_csv does.
by_libcsv()
{
	# shellcheck disable=SC2086
	"$BUILD/tests/read_csv" "$1" $2
}

by_sqlite()
{
	sqlite3 -bail :memory: ".mode list" ".separator ' '" ".import --csv $1 t" \
		"select (select count(*) from t), (select count(*) from pragma_table_info('t')),
		${2:+(select sum(cast($2 as integer)) from t)}${2:-'-'}" 2>&1
}

by_python()
{
	python3 - "$@" <<-'END'
		import csv, sys
		file = open(sys.argv[1], newline="", encoding="utf-8")
		rows = list(csv.reader(file, strict=True))
		assert all(len(row) == len(rows[0]) for row in rows)
		total = "-"
		if len(sys.argv) > 2:
		    at = rows[0].index(sys.argv[2])
		    total = sum(int(row[at] or 0) for row in rows[1:])
		print(len(rows) - 1, len(rows[0]), total)
	END
}

# The knobs hold a comma, so there is a cell to quote.
snapshot()
{
	run "$HOTLINE" run -d 0.05 -w 0.02 -r 2 -k hold_ns=50 -k think_ns=60 -o snap \
		spinlock:tas,ttas "$@"
	status_is 0
}

test_snapshot_when_read_by_three_readers_agrees()
{
	local table file column want

	snapshot
	for table in rounds cpus threads locks hist metrics; do
		file=snap-$table.csv
		[ -e "$file" ] || fail "$file is missing"
		column=$(summed $table)
		want=$(by_libcsv "$file" $column) || fail "libcsv refuses $file"
		is "$(by_sqlite "$file" $column)" "$want" "$file by sqlite3 against libcsv"
		is "$(by_python "$file" $column)" "$want" "$file by python against libcsv"
	done
}

test_snapshot_when_written_has_the_contract_columns()
{
	local table

	snapshot
	is "$(head -n 1 snap-rounds.csv | cut -d, -f1-59)" "$KEYS,$ROUNDS" "columns of rounds"
	for table in cpus threads locks hist metrics; do
		is "$(head -n 1 snap-$table.csv | cut -d, -f1-26)" "$KEYS" "key columns of $table"
	done
	is "$(head -n 1 snap-rounds.csv | cut -d, -f60-69)" "$FIGURES" "figures of rounds"
	is "$(head -n 1 snap-cpus.csv | cut -d, -f27-33)" \
		"cpu,core,package,numa_node,threads_on_cpu,ops,ops_per_s" "columns of cpus"
	is "$(head -n 1 snap-cpus.csv | cut -d, -f34-43)" "$FIGURES" "figures of cpus"
	is "$(head -n 1 snap-threads.csv | cut -d, -f27-34)" \
		"thread,tid,cpu,ops,share,runs,run_max,run_mean" "columns of threads"
	for table in rounds cpus threads; do
		head -n 1 snap-$table.csv |
			grep -q ',context-switches,context-switches_per_op,' ||
			fail "no columns of context-switches in $table"
	done
	is "$(head -n 1 snap-hist.csv | cut -d, -f27-)" "role,thread,kind,ge,lt,unit,count" \
		"columns of hist"
	is "$(head -n 1 snap-metrics.csv | cut -d, -f27-)" "scope,name,unit,value,why" \
		"columns of metrics"
}

test_tables_of_a_snapshot_agree_with_one_another()
{
	local table

	snapshot
	python3 - <<-'END' || fail "the tables differ"
		import csv, collections
		def read(name):
		    return list(csv.DictReader(open(f"snap-{name}.csv", newline="")))
		rounds = {row["trial"]: row for row in read("rounds")}
		assert len(rounds) == 4, rounds.keys()
		for name in "threads", "cpus":
		    total = collections.Counter()
		    for row in read(name):
		        total[row["trial"]] += int(row["ops"])
		    for trial, row in rounds.items():
		        assert total[trial] == int(row["ops"]), (name, trial, total, row["ops"])
		samples = collections.Counter()
		for row in read("hist"):
		    assert float(row["ge"]) < float(row["lt"]) and int(row["count"]) > 0, row
		    samples[row["trial"], row["kind"], row["variant"]] += int(row["count"])
		for trial, row in rounds.items():
		    n = int(row["sample_n"])
		    waits = samples[trial, "wait", row["variant"]]
		    assert waits == samples[trial, "hold", row["variant"]] > 0, (trial, samples)
		    ops = int(row["ops"])
		    assert waits * n <= 2 * ops + 4096 * n, (trial, waits, n, ops)
		    rate = ops / float(row["duration_s"])
		    assert 0.8 < float(row["ops_per_s"]) / rate < 1.25, row
		    assert row["knobs"] == "hold_ns=50,think_ns=60", row["knobs"]
	END
}

test_csv_on_stdout_equals_the_rounds_file_in_its_header()
{
	snapshot
	run "$HOTLINE" run -d 0.02 -w 0.01 -r 1 --format csv spinlock:tas
	is "$(head -n 1 out)" "$(head -n 1 snap-rounds.csv)" header
}

test_files_when_written_are_plain_text()
{
	local file

	snapshot
	for file in snap-*.csv; do
		! grep -q $'\r' "$file" || fail "$file has carriage returns"
		[ "$(tail -c 1 "$file" | wc -l)" -eq 1 ] || fail "$file has no last newline"
		! grep -Eiq '(^|,)(nan|inf|-nan)(,|$)' "$file" || fail "$file has a NaN or infinity"
	done
	is "$(find . -name '*tmp*' -o -name '.snap*')" "" "temporary files"
}

run_tests
