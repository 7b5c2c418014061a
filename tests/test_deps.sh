#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installing what is missing, played on a machine made of stubs: nothing is installed here.
. "$(dirname "$0")/lib.sh"

# machine MANAGER...: ./bin is all there is: the shell's helpers, a pkg-config that knows the
# modules listed in ./modules, and package managers that note their arguments in ./installed.
machine()
{
	local tool manager

	mkdir bin include include/perfmon
	for tool in sh id cut tr mktemp rm grep tail env touch cat; do
		ln -s "$(command -v $tool)" bin/
	done
	for tool in gcc make tmux sqlite3 python3; do
		stub $tool true
	done
	touch include/csv.h include/perfmon/pfmlib.h
	printf '%s\n' ncursesw hwloc gsl jansson ck cmocka >modules
	stub pkg-config 'grep -qx "$2" modules'
	stub id 'echo 0'
	for manager in "$@"; do
		stub "$manager" "echo $manager \$* >>installed; [ ! -e offline ] || {
			echo 'E: Unable to fetch some archives' ; exit 100; }
			echo cmocka >>modules; : >bin/tmux"
	done
}

stub()
{
	rm -f "bin/$1"
	printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
	chmod +x "bin/$1"
}

deps()
{
	run env -i PATH="$PWD/bin" DEPS_INCLUDE="$PWD/include" "$PWD/bin/sh" "$tests/deps.sh" "$@"
}

test_all_there_when_run_is_silent()
{
	machine apt-get
	deps build check
	status_is 0
	is "$out$err" ""
	[ ! -e installed ] || fail "it called $(cat installed)"
}

test_missing_library_when_apt_is_there_is_installed()
{
	machine apt-get
	sed -i /cmocka/d modules
	deps build check
	status_is 0
	grep -q '^apt-get install .* libcmocka-dev$' installed || fail "called: $(cat installed)"
}

test_missing_library_of_another_mode_when_run_is_left()
{
	machine apt-get
	sed -i /cmocka/d modules
	deps build
	status_is 0
	[ ! -e installed ] || fail "it called $(cat installed)"
}

test_missing_command_when_dnf_is_there_uses_its_names()
{
	machine dnf
	sed -i /cmocka/d modules
	deps check
	status_is 0
	grep -q '^dnf install -y libcmocka-devel$' installed || fail "called: $(cat installed)"
}

test_missing_library_when_pacman_has_no_package_says_so()
{
	machine pacman
	rm include/csv.h
	deps build
	status_is 1
	err_is_one_line
	err_has 'csv.h.*by hand'
}

test_missing_library_when_no_manager_is_there_says_so()
{
	machine
	sed -i /hwloc/d modules
	deps build
	status_is 1
	err_is_one_line
	err_has 'missing: hwloc .*no apt-get, dnf or pacman'
}

test_missing_library_when_network_is_down_says_so_in_one_line()
{
	machine apt-get
	touch offline
	sed -i /hwloc/d modules
	deps build
	status_is 1
	is "$(grep -vc '^deps: installing' err)" 1 "lines of explanation"
	err_has 'could not install libhwloc-dev: E: Unable to fetch'
}

test_missing_library_when_not_root_and_no_sudo_prints_the_command()
{
	machine apt-get
	stub id 'echo 1000'
	sed -i /hwloc/d modules
	deps build
	status_is 1
	err_is_one_line
	err_has 'as root, apt-get install libhwloc-dev'
}

test_missing_library_when_not_root_uses_sudo()
{
	machine apt-get
	stub id 'echo 1000'
	stub sudo 'echo sudo >>installed; exec "$@"'
	sed -i /cmocka/d modules
	deps check
	status_is 0
	grep -q '^sudo$' installed || fail "called: $(cat installed)"
}

test_cross_tools_when_apt_is_there_are_installed()
{
	machine apt-get
	stub dpkg-deb true
	run env -i PATH="$PWD/bin" DEPS_CROSS="$PWD/none" "$PWD/bin/sh" "$tests/deps.sh" pmu
	grep -q '^apt-get install .* qemu-system-arm gcc-aarch64-linux-gnu libc6-dev-arm64-cross' \
		installed || fail "called: $(cat installed)"
}

test_cross_tools_when_dnf_is_there_are_left_to_the_user()
{
	machine dnf
	run env -i PATH="$PWD/bin" DEPS_CROSS="$PWD/none" "$PWD/bin/sh" "$tests/deps.sh" pmu
	status_is 1
	err_is_one_line
	err_has 'apt-get.*by hand'
	[ ! -e installed ] || fail "it called $(cat installed)"
}

test_unknown_mode_when_given_is_refused()
{
	machine apt-get
	deps biuld
	status_is 1
	err_has "unknown mode 'biuld'"
}

run_tests
