#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs what is missing to build, check, lint, bench or check-pmu: tests/deps.sh MODE...
#
# What is there is seen by what it gives (a command, a pkg-config module, a header), so a library
# installed by hand counts. Silent when nothing is missing. apt, dnf and pacman; sudo when not root.
set -u
export LC_ALL=C

# mode, what is looked for, then its package on Debian, Fedora and Arch; - = not packaged there.
table='
build cmd:gcc           gcc             gcc                 gcc
build cmd:make          make            make                make
build cmd:pkg-config    pkg-config      pkgconf-pkg-config  pkgconf
build pc:ncursesw       libncurses-dev  ncurses-devel       ncurses
build pc:hwloc          libhwloc-dev    hwloc-devel         hwloc
build pc:gsl            libgsl-dev      gsl-devel           gsl
build pc:jansson        libjansson-dev  jansson-devel       jansson
build pc:ck             libck-dev       ck-devel            -
build h:csv.h           libcsv-dev      libcsv-devel        -
build h:perfmon/pfmlib.h libpfm4-dev    libpfm-devel        libpfm
check pc:cmocka         libcmocka-dev   libcmocka-devel     cmocka
check cmd:tmux          tmux            tmux                tmux
check cmd:sqlite3       sqlite3         sqlite              sqlite
check cmd:python3       python3         python3             python
lint  cmd:clang-format  clang-format    clang-tools-extra   clang
lint  cmd:cppcheck      cppcheck        cppcheck            cppcheck
bench cmd:htop          htop            htop                htop
pmu   cmd:pkg-config    pkg-config      pkgconf-pkg-config  pkgconf
pmu   cmd:qemu-system-aarch64 qemu-system-arm qemu-system-aarch64 qemu-system-aarch64
pmu   cmd:aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu gcc-aarch64-linux-gnu aarch64-linux-gnu-gcc
pmu   cross:stdio.h     libc6-dev-arm64-cross - aarch64-linux-gnu-glibc
pmu   cmd:cpio          cpio            cpio                cpio
pmu   cmd:apt-get       apt             -                   -
pmu   cmd:dpkg-deb      dpkg            -                   -
'

die()
{
	printf 'deps: %s\n' "$1" >&2
	exit 1
}

# h:NAME, in the folders a compiler looks in without being told.
header_there()
{
	for d in ${DEPS_INCLUDE:-/usr/include /usr/local/include /usr/include/*-linux-gnu*}; do
		[ -e "$d/$1" ] && return 0
	done
	return 1
}

there()
{
	case $1 in
	cmd:*) command -v "${1#cmd:}" >/dev/null 2>&1 ;;
	pc:*) pkg-config --exists "${1#pc:}" >/dev/null 2>&1 ;;
	h:*) header_there "${1#h:}" ;;
	cross:*) [ -e "${DEPS_CROSS:-/usr/aarch64-linux-gnu/include}/${1#cross:}" ] ;;
	esac
}

# Sets missing to the lines of the wanted modes whose thing is not there.
look()
{
	missing=
	while read -r mode thing deb fed arch; do
		case " $modes " in
		*" $mode "*) there "$thing" || missing="$missing$thing $deb $fed $arch
" ;;
		esac
	done <<-END
	$table
	END
}

# The column of the table that holds the names of this package manager.
manager_choose()
{
	if command -v apt-get >/dev/null 2>&1; then
		manager=apt-get column=2
	elif command -v dnf >/dev/null 2>&1; then
		manager=dnf column=3
	elif command -v pacman >/dev/null 2>&1; then
		manager=pacman column=4
	else
		die "missing: $things (no apt-get, dnf or pacman here: install them by hand)"
	fi
}

as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

install_packages()
{
	case $manager in
	apt-get)
		as_root apt-get update
		as_root env DEBIAN_FRONTEND=noninteractive \
			apt-get install -y --no-install-recommends "$@" ;;
	dnf)
		as_root dnf install -y "$@" ;;
	pacman)
		as_root pacman -Sy --needed --noconfirm "$@" ;;
	esac
}

modes="${*:-build}"
for m in $modes; do
	case $m in
	build | check | lint | bench | pmu) ;;
	*) die "unknown mode '$m' (build, check, lint, bench, pmu)" ;;
	esac
done
look
[ -z "$missing" ] && exit 0

things=$(printf '%s' "$missing" | while read -r thing rest; do printf '%s ' "${thing#*:}"; done)
things=${things% }
manager_choose
packages=$(printf '%s' "$missing" | cut -d' ' -f$column | tr '\n' ' ')
packages=${packages% }
case " $packages " in
*" - "*) die "missing: $things (not all of them are packaged for $manager: install them by hand)" ;;
esac
if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
	die "missing: $things (not root and no sudo: as root, $manager install $packages)"
fi

printf 'deps: installing %s (%s)\n' "$packages" "$manager" >&2
log=$(mktemp) || die "mktemp failed"
trap 'rm -f "$log"' EXIT
# Word splitting wanted: one argument a package.
# shellcheck disable=SC2086
if ! install_packages $packages >"$log" 2>&1 </dev/null; then
	why=$(grep -i -e '^E:' -e error -e 'unable' "$log" | tail -n 1)
	: "${why:=$(tail -n 1 "$log")}"
	die "$manager could not install $packages: $why (network? try it by hand)"
fi
look
[ -z "$missing" ] || die "$manager installed $packages, yet this is still not found: $missing"
