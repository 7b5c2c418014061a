#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Builds all for arm64 beside the machine's own build: tests/arm64.sh FOLDER
#
# FOLDER/sysroot = headers and libraries, FOLDER/guest = what tests/qemu-guest.sh --files hands to a
# guest (programs, tests and their data, in /root there), FOLDER/packages = what it needs in
# --packages. Downloads only what tests/qemu-guest.sh has not cached. Status 77, with the reason in
# the last line, where that cannot be: other Debian releases and machines without a network.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
mkdir -p "${1:?folder}" || exit 2
folder=$(cd "$1" && pwd)
triplet=aarch64-linux-gnu

# Libraries of the program and its tests, in a guest and to link with.
libraries="libncursesw6 libtinfo6 libhwloc15 libudev1 libjansson4 libck0 libcsv3 libpfm4 libgsl27
	libgslcblas0 libcmocka0"
headers="libncurses-dev libhwloc-dev libjansson-dev libck-dev libcsv-dev libpfm4-dev libgsl-dev
	libcmocka-dev"

skip()
{
	echo "$*"
	exit 77
}

guest()
{
	"$here/qemu-guest.sh" "$@" 2>"$folder/errors" || skip "$(tail -n 1 "$folder/errors")"
}

# A word list on one line.
words()
{
	echo "$@"
}

make_sysroot()
{
	local all

	# shellcheck disable=SC2086
	all=$(words $libraries $headers)
	guest --fetch-only --packages "libc6 $all"
	[ "$(cat "$folder/sysroot/packages" 2>/dev/null)" != "$all" ] || return 0
	rm -rf "$folder/sysroot"
	guest --sysroot "$folder/sysroot" --packages "$all"
	echo "$all" >"$folder/sysroot/packages"
}

# Nothing of an outer make reaches the inner one: its BUILD and flags are the machine's own.
build()
{
	local sys=$folder/sysroot libs=$folder/sysroot/usr/lib/$triplet

	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u SANITIZE -u CFLAGS \
		PKG_CONFIG_SYSROOT_DIR="$sys" \
		PKG_CONFIG_LIBDIR="$libs/pkgconfig:$sys/usr/share/pkgconfig" \
		CPPFLAGS="-isystem $sys/usr/include -isystem $sys/usr/include/$triplet" \
		LDFLAGS="-L$libs -L$sys/lib/$triplet -Wl,-rpath-link,$libs:$sys/lib/$triplet" \
		make --no-print-directory -s -j"$(nproc)" -C "$root" BUILD="$folder" \
		CC=$triplet-gcc AR=$triplet-ar guest
}

# Without symbols: the guest's disk is its memory.
stage()
{
	local to=$folder/guest/root program

	rm -rf "$folder/guest"
	mkdir -p "$to/build/tests" || exit 2
	cp "$folder/hotline" "$folder/hotline-lab" "$to/build/"
	for program in "$folder"/tests/*; do
		if [ -x "$program" ] && [ -f "$program" ]; then
			cp "$program" "$to/build/tests/"
		fi
	done
	$triplet-strip "$to"/build/hotline* "$to"/build/tests/*
	cp -r "$here" "$root/doc" "$root/README" "$to/"
	# shellcheck disable=SC2086
	words libc6 $libraries >"$folder/packages"
}

for tool in qemu-system-aarch64 $triplet-gcc cpio apt-get dpkg-deb pkg-config; do
	command -v "$tool" >/dev/null || skip "no $tool here: tests/deps.sh pmu installs it"
done
make_sysroot
build || exit 1
stage
