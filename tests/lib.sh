# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034
#
# For test scripts: sourced first, `run_tests` called last.
#
# Every function named test_WHAT_WHEN_EXPECT is one test: it runs in a subshell, in an empty folder
# of its own, and passes unless it calls fail or skip. Results are printed as tests/run.sh reads
# them. BUILD and HOTLINE come from the environment, else ./build is used.

tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$tests")
BUILD=${BUILD:-$root/build}
HOTLINE=${HOTLINE:-$BUILD/hotline}
LAB=${LAB:-$BUILD/hotline-lab}
status=0 out='' err=''

fail()
{
	printf '%s\n' "$*"
	exit 1
}

skip()
{
	printf '%s\n' "$*"
	exit 77
}

# run CMD...: leaves status, out and err; output is also in the files out and err.
run()
{
	"$@" >out 2>err </dev/null
	status=$?
	out=$(cat out)
	err=$(cat err)
}

show_run()
{
	printf 'status %s\nstdout: %s\nstderr: %s\n' "$status" "$(head -c 2000 out)" \
		"$(head -c 2000 err)"
}

status_is()
{
	[ "$status" -eq "$1" ] || fail "status $1 expected; $(show_run)"
}

# Regular expressions, extended.
out_has()
{
	grep -Eq -- "$1" out || fail "stdout without /$1/; $(show_run)"
}

err_has()
{
	grep -Eq -- "$1" err || fail "stderr without /$1/; $(show_run)"
}

err_is_one_line()
{
	[ "$(wc -l <err)" -eq 1 ] || fail "one line on stderr expected; $(show_run)"
}

is()
{
	[ "$1" = "$2" ] || fail "${3:-value}: '$2' expected, '$1' found"
}

# wait_for SECONDS CMD...: until CMD succeeds; its failure is the caller's to judge.
wait_for()
{
	local until=$((SECONDS + $1))

	shift
	until "$@"; do
		[ $SECONDS -lt $until ] || return 1
		sleep 0.05
	done
}

# lab_of PID: the process ids of the lab a dashboard has running.
lab_of()
{
	local task

	for task in /proc/"$1"/task/*/children; do
		cat "$task" 2>/dev/null
	done
}

# alive PID: it exists and is no zombie.
alive()
{
	[ -e "/proc/$1" ] && ! grep -q '^State:[[:space:]]*[ZX]' "/proc/$1/status" 2>/dev/null
}

not_alive()
{
	! alive "$1"
}

run_tests()
{
	local name result log bad=0 base

	base=$(mktemp -d) || exit 2
	trap 'rm -rf "$base"' EXIT
	for name in $(sed -n 's/^\(test_[a-z0-9_]*\)()$/\1/p' "$0"); do
		[ -z "${ONLY:-}" ] || [ "$ONLY" = "$name" ] || continue
		mkdir "$base/$name"
		log=$(cd "$base/$name" && "$name" 2>&1)
		result=$?
		case $result in
		0) echo "ok $name" ;;
		77) echo "skip $name: $(tail -n 1 <<<"$log")" ;;
		*)
			echo "not ok $name"
			sed 's/^/  /' <<<"$log"
			bad=1
			;;
		esac
	done
	exit $bad
}
