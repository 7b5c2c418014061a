#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs tests one after another: tests/run.sh PROGRAM...
#
# A PROGRAM is a cmocka binary or a script that prints "ok NAME", "not ok NAME" and "skip NAME:
# REASON" (tests/lib.sh does). Status 77 = the whole program is skipped, its last line says why.
# Skips that tests/expected-skips does not list are failures. Output is shown of failures only.
# The last line is "N passed, N failed, N skipped"; the status is 1 if any failed.
set -u

here=$(cd "$(dirname "$0")" && pwd)
limit_s=${TEST_LIMIT_S:-120}
expected=${TEST_EXPECTED_SKIPS:-$here/expected-skips}
platform=${TEST_PLATFORM:-$(uname -m)}
passed=0 failed=0 skipped=0

# Nothing of the user's own settings reaches a test, and nothing of a test stays.
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$work/tmp" "$work/home"
export TMPDIR=$work/tmp HOME=$work/home XDG_CONFIG_HOME=$work/home/.config LC_ALL=C.UTF-8
unset HOTLINE_LAB HOTLINE_CLOCK GOLDEN_UPDATE NO_COLOR LANG LC_CTYPE COLUMNS LINES TMUX
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:strict_string_checks=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1}

# skip_expected NAME: listed for this platform.
skip_expected()
{
	[ -e "$expected" ] && awk -v p="$platform" -v name="$1" '
		$1 !~ /^#/ && ($1 == "any" || $1 == p) && $2 == name { found = 1 }
		END { exit !found }' "$expected"
}

# Counts one program's results from its log: sets p, f and the list skips (one name a line).
count_results()
{
	local log=$1

	p=$(grep -c -e '^\[       OK \] ' -e '^ok ' "$log")
	f=$(awk '
		/^\[  FAILED  \] [0-9]+ test/ { n += $4 }
		/^not ok / { n++ }
		END { print n + 0 }' "$log")
	skips=$(awk '
		/^\[  SKIPPED \] / && NF == 4 && !seen[$4]++ { print $4 }
		/^skip / { sub(/:$/, "", $2); if (!seen[$2]++) print $2 }' "$log")
}

# The line that a skipped test printed of its reason.
skip_reason()
{
	local log=$1 name=$2

	sed -n "s/^skip $name: *//p" "$log" | head -n 1
}

# Adds up the skips of one program; those that nobody expects are failures.
count_skips()
{
	local program=$1 log=$2 name

	while read -r name; do
		[ -n "$name" ] || continue
		if skip_expected "$program:$name"; then
			skipped_here=$((skipped_here + 1))
			notes+="     skipped: $name: $(skip_reason "$log" "$name")"$'\n'
		else
			f=$((f + 1))
			notes+="     skipped, but not listed in expected-skips: $program:$name"$'\n'
		fi
	done <<<"$skips"
}

# Skipped as a whole.
program_skipped()
{
	local program=$1 log=$2

	if skip_expected "$program"; then
		skipped_here=1
		notes="     skipped: $(tail -n 1 "$log")"$'\n'
	else
		f=1
		notes="     skipped, but not listed in expected-skips: $(tail -n 1 "$log")"$'\n'
	fi
}

run_one()
{
	local path=$1 program log=$work/log status begin took_ms p=0 f=0 skips= notes=
	local skipped_here=0

	program=$(basename "$path" .sh)
	begin=${EPOCHREALTIME//[!0-9]/}
	# Two files joined later: a program's two streams never tear each other's lines.
	timeout -k 5 "$limit_s" "$path" </dev/null >"$work/out" 2>"$work/err"
	status=$?
	took_ms=$(((${EPOCHREALTIME//[!0-9]/} - begin) / 1000))
	cat "$work/out" "$work/err" >"$log"
	if [ $status -eq 77 ]; then
		program_skipped "$program" "$log"
	else
		count_results "$log"
		count_skips "$program" "$log"
		[ $((p + f + skipped_here)) -gt 0 ] || [ $status -ne 0 ] || p=1
		[ $status -eq 0 ] || [ $f -gt 0 ] || f=1
		[ $status -ne 124 ] || notes+="     ended: longer than $limit_s s"$'\n'
		[ $status -lt 128 ] || notes+="     ended by signal $((status - 128))"$'\n'
	fi
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + skipped_here))
	printf '%-4s %-24s %3d passed %3d failed %3d skipped %4d.%03d s\n' \
		"$([ $f -eq 0 ] && echo ok || echo FAIL)" "$program" $p $f $skipped_here \
		$((took_ms / 1000)) $((took_ms % 1000))
	printf '%s' "$notes"
	[ $f -eq 0 ] || sed 's/^/     | /' "$log"
}

for path in "$@"; do
	run_one "$path"
done
if [ $((passed + failed + skipped)) -eq 0 ]; then
	echo "run.sh: no tests were run" >&2
	failed=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
