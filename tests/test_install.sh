#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make install and uninstall, into a folder of this test.
. "$(dirname "$0")/lib.sh"

make_here()
{
	make --no-print-directory -C "$root" BUILD="$BUILD" DESTDIR="$PWD/root" PREFIX=/usr/local \
		"$@" >log 2>&1 || fail "make $*: $(tail -n 5 log)"
}

installed()
{
	(cd root && find . -type f | sort)
}

test_install_when_done_has_all_parts_and_runs()
{
	local file

	make_here install
	for file in bin/hotline libexec/hotline/hotline-lab share/doc/hotline/README \
		share/doc/hotline/LICENSE share/doc/hotline/page.md; do
		[ -e "root/usr/local/$file" ] || fail "$file is missing; installed: $(installed)"
	done
	run env HOTLINE_LAB="$PWD/root/usr/local/libexec/hotline/hotline-lab" \
		root/usr/local/bin/hotline run -d 0.02 -w 0.01 -r 1 spinlock
	status_is 0
}

test_lab_when_not_beside_is_looked_for_where_it_was_installed()
{
	make_here install
	rm root/usr/local/libexec/hotline/hotline-lab
	[ ! -e /usr/local/libexec/hotline/hotline-lab ] || skip "hotline is installed here"
	run root/usr/local/bin/hotline run -d 0.02 -r 1 spinlock
	[ "$status" -ne 0 ] || fail "it found some lab"
	err_has '/usr/local/libexec/hotline'
}

test_uninstall_when_done_leaves_nothing()
{
	make_here install
	make_here uninstall
	is "$(installed)" "" "files left"
}

test_help_when_asked_names_every_target()
{
	local target

	make --no-print-directory -C "$root" help >out
	for target in all deps run check asan tsan lint format bench soak golden install uninstall \
		clean; do
		out_has "^ *$target "
	done
}

run_tests
