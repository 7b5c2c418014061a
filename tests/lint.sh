#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The rules of the house that a program can check: tests/lint.sh [ROOT [BUILD]].
#
# Prints each finding as file:line: text and exits 1 if there was one. doc/layers.txt gives the
# order of modules, doc/permits.txt who may use what. Objects are looked at if BUILD has any.
set -u
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-.}" || exit 2
build=${2:-build}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# Everything that people wrote; golden screens are data.
files()
{
	find Makefile README .ci probes src ui tests doc -path tests/golden -prune -o -type f \
		! -name '*.xml' ! -name '*.csv' -print 2>/dev/null | sort
}

# In an object: undefined symbols, and variables that lie in a writable section. What only the
# dynamic linker writes (.data.rel.ro) is const.
object_facts()
{
	local module=$1 object=$2

	nm -u "$object" | awk -v m="$module" '{ print m, "symbol", $NF }'
	objdump -t "$object" | awk -v m="$module" '
		{
			for (i = 2; i <= NF; i++)
				if ($i ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/)
					break
			if (i < NF && $i !~ /^\.data\.rel\.ro/ && $NF !~ /^\./)
				print m, "data", $NF
		}'
}

objects_check()
{
	local source object

	for source in $(files | grep -E '^(probes|src|ui)/.*\.c$'); do
		object=$build/${source%.c}.o
		[ -e "$object" ] && object_facts "${source%.c}" "$object"
	done >"$work/facts"
	awk -f "$here/lint_objects.awk" doc/permits.txt "$work/facts"
}

format_check()
{
	local sources

	[ -e .clang-format ] || return 0
	if ! command -v clang-format >/dev/null; then
		echo "lint: no clang-format here, layout of text not checked" >&2
		return 0
	fi
	sources=$(files | grep '\.c$')
	[ -z "$sources" ] || clang-format --dry-run -Werror $sources 2>&1 |
		sed -n 's/^\([^ :]*:[0-9]*\):[0-9]*: error: .*/\1/p' | sort -u |
		sed 's/$/: not as clang-format lays it out/'
}

# uninitvar: wrong about arrays that a loop fills; the compiler and the sanitizers look for it.
cppcheck_check()
{
	local folder folders=

	for folder in probes src ui; do
		[ -d "$folder" ] && folders="$folders $folder"
	done
	if ! command -v cppcheck >/dev/null; then
		echo "lint: no cppcheck here, not run" >&2
		return 0
	fi
	[ -z "$folders" ] || cppcheck --quiet --std=c11 --enable=warning,portability \
		--inline-suppr -I. -D_GNU_SOURCE -D__x86_64__ --suppress=missingIncludeSystem \
		--suppress=uninitvar --suppress=allocaCalled \
		--template='{file}:{line}: {message} [{id}]' $folders 2>&1
}

# shellcheck disable=SC2046
{
	awk -f "$here/lint.awk" doc/layers.txt doc/permits.txt \
		$(files | grep -v -e '^doc/layers.txt$' -e '^doc/permits.txt$')
	objects_check
	format_check
	cppcheck_check
} >"$work/findings"

sort -t: -k1,1 -k2,2n -u "$work/findings"
if [ -s "$work/findings" ]; then
	echo "lint: $(sort -u "$work/findings" | wc -l) findings" >&2
	exit 1
fi
