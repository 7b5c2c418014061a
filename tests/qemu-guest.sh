#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs one shell command inside a small emulated Linux machine.
#
# The guest is a Debian kernel with a busybox initramfs under QEMU's software emulation: it needs no
# KVM, no root, no disk image and no network. An arm64 guest has a working PMUv3, so perf_event_open
# counts hardware events there even where the host has no hardware counters. CPU count, sockets,
# clusters or dies, cores, threads and NUMA nodes are free to choose.
#
# Needs on the host (Debian names): qemu-system-arm and/or qemu-system-x86, cpio, apt, dpkg.
# Programs for the guest are built by the caller and handed over as a folder of files.
#
# Usage: tests/qemu-guest.sh [OPTION...] COMMAND
#   COMMAND          one string, run as root by the guest's /bin/sh (busybox ash) in /root;
#                    `su tester -c CMD` runs CMD as uid 1000
#   --arch A         arm64 (default) or amd64
#   --cpu MODEL      QEMU's CPU model; default cortex-a57 for arm64 (libpfm4 calls it arm_ac57),
#                    max,vendor=GenuineIntel for amd64
#   --smp SPEC       as QEMU's -smp: 4, or 8,sockets=2,cores=2,threads=2; default 2
#   --numa N         spread CPUs and memory over N NUMA nodes
#   --mem MIB        memory; default 512
#   --icount SHIFT   every instruction takes 2^SHIFT ns of guest time; the arm64 event of
#                    instructions exists in this mode only
#   --files DIR      copy DIR's contents to / in the guest (may be repeated)
#   --packages LIST  unpack these Debian packages of the guest's architecture in the guest, e.g.
#                    "libc6 libpfm4"; dependencies are not added
#   --out DIR        afterwards copy what the command left in /out to DIR
#   --append ARGS    more kernel parameters, e.g. maxcpus=2
#   --qemu ARG       one more QEMU argument (may be repeated)
#   --time SECONDS   limit for boot and command together; default 120
#   --log FILE       keep everything that the guest's console printed
#   --tty            give the command the caller's terminal (interactive)
#   --fetch-only     download what is missing into the cache and stop
#   --sysroot DIR    unpack the packages of --packages in DIR and stop: headers and libraries to
#                    cross-compile with (gcc's -isystem, -L and -Wl,-rpath-link)
#
# Environment: QEMU_GUEST_CACHE = folder for downloads (about 50 MB an architecture), default
# ${XDG_CACHE_HOME:-~/.cache}/qemu-guest. Nothing is downloaded when it holds all that is needed.
#
# Standard output: what the command printed, standard error included, byte for byte. Exit status:
# the command's; 124 the time limit was reached; 125 the guest ended without reporting a status;
# 126 a download, a tool or an option failed.
set -u -o pipefail

arch=arm64 cpu='' smp=2 numa=1 mem=512 icount='' packages='' out='' append='' limit_s=120
log='' tty=0 fetch_only=0 sysroot='' command='' files=() extra=() updated=0 offline=''

die()
{
	echo "qemu-guest: $*" >&2
	exit 126
}

read_options()
{
	while [ $# -gt 0 ]; do
		case $1 in
		--tty) tty=1; shift; continue ;;
		--fetch-only) fetch_only=1; shift; continue ;;
		--) shift; break ;;
		--*) [ $# -ge 2 ] || die "$1 needs a value" ;;
		*) break ;;
		esac
		case $1 in
		--arch) arch=$2 ;;
		--cpu) cpu=$2 ;;
		--smp) smp=$2 ;;
		--numa) numa=$2 ;;
		--mem) mem=$2 ;;
		--icount) icount=$2 ;;
		--files) files+=("$2") ;;
		--packages) packages=$2 ;;
		--out) out=$2 ;;
		--append) append=$2 ;;
		--qemu) extra+=("$2") ;;
		--time) limit_s=$2 ;;
		--log) log=$2 ;;
		--sysroot) sysroot=$2 ;;
		*) die "unknown option $1" ;;
		esac
		shift 2
	done
	[ $fetch_only = 1 ] || [ -n "$sysroot" ] || [ $# -eq 1 ] ||
		die "give the command as one argument"
	command=${1-}
}

# Sets cpu_count, and what depends on the architecture.
check_options()
{
	cpu_count=${smp%%,*}
	cpu_count=${cpu_count#cpus=}
	[[ $cpu_count =~ ^[1-9][0-9]*$ ]] || die "--smp must start with the number of CPUs"
	[[ $numa =~ ^[1-9][0-9]*$ && $mem =~ ^[1-9][0-9]*$ ]] ||
		die "--numa and --mem take numbers"
	if [ $((cpu_count % numa)) -ne 0 ] || [ $((mem % numa)) -ne 0 ]; then
		die "--numa must divide the CPUs and the memory"
	fi
	case $arch in
	arm64)
		qemu=qemu-system-aarch64 console=ttyAMA0
		machine=virt,gic-version=3 cpu=${cpu:-cortex-a57} ;;
	amd64)
		qemu=qemu-system-x86_64 console=ttyS0
		machine=q35 cpu=${cpu:-max,vendor=GenuineIntel} ;;
	*)
		die "unknown architecture $arch" ;;
	esac
	for tool in "$qemu" cpio gzip flock apt-get dpkg-deb; do
		command -v "$tool" >/dev/null || die "$tool is not installed"
	done
}

# A package list of its own lets apt fetch packages of another architecture without adding that
# architecture to the host.
open_cache()
{
	cache=${QEMU_GUEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/qemu-guest}
	mkdir -p "$cache" || die "cannot create $cache"
	cache=$(cd "$cache" && pwd)/$arch
	mkdir -p "$cache/lists/partial" "$cache/apt" "$cache/debs" || die "cannot create $cache"
	exec 9>"$cache/lock"
	flock 9 # one run downloads, others wait
	apt=(-qq -o "APT::Architecture=$arch" -o "APT::Architectures=$arch"
		-o "Dir::State::Lists=$cache/lists" -o "Dir::Cache=$cache/apt"
		-o APT::Sandbox::User=root -o Acquire::Languages=none)
}

update_lists()
{
	[ $updated -eq 0 ] || return 0
	updated=1
	if ! apt-get "${apt[@]}" update >&2; then
		echo "qemu-guest: apt-get update failed, trying on" >&2
		offline=' (apt-get update failed: no network?)'
	fi
}

# fetch PACKAGE: sets deb to its file in the cache.
fetch()
{
	local found=("$cache/debs/$1"_*.deb)

	if [ ! -e "${found[-1]}" ]; then
		update_lists
		(cd "$cache/debs" && apt-get "${apt[@]}" download "$1" >&2) ||
			die "cannot download $1$offline"
		found=("$cache/debs/$1"_*.deb)
	fi
	deb=${found[-1]}
}

# The meta package names the current kernel package.
fetch_kernel()
{
	local image

	kernel=$cache/vmlinuz
	[ ! -s "$kernel" ] || return 0
	update_lists
	image=$(apt-cache "${apt[@]}" depends "linux-image-cloud-$arch" |
		sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	[ -n "$image" ] || die "no linux-image-cloud-$arch in the package lists$offline"
	fetch "$image"
	dpkg-deb --fsys-tarfile "$deb" | tar -xO --wildcards './boot/vmlinuz-*' >"$kernel.new" ||
		die "no kernel in $deb"
	mv "$kernel.new" "$kernel"
	rm -f "$deb"
}

# unpack FOLDER: lays the packages out there.
unpack()
{
	for deb in "${debs[@]}"; do
		dpkg-deb -x "$deb" "$1" || die "cannot unpack $deb"
	done
}

# Absolute links of the packages are made to point into the folder.
make_sysroot()
{
	mkdir -p "$sysroot" || die "cannot create $sysroot"
	unpack "$sysroot"
	find "$sysroot" -lname '/*' | while read -r link; do
		ln -snfr "$sysroot$(readlink "$link")" "$link"
	done
}

write_init()
{
	local size setup='stty -opost' # no \r before \n: exact output
	local run='sh /command </dev/null 2>&1' send=:

	if [ $tty = 1 ]; then
		size=$(stty size 2>/dev/null || echo 24 80)
		setup="stty rows ${size% *} cols ${size#* }"
		run='setsid cttyhack sh /command'
	fi
	[ -z "$out" ] || send='tar -C /out -cz . | base64'
	cat <<-END
		#!/bin/busybox sh
		/bin/busybox mkdir -p /sbin /usr/bin /usr/sbin
		/bin/busybox --install -s
		mount -t proc proc /proc
		mount -t sysfs sysfs /sys
		mount -t devtmpfs dev /dev 2>/dev/null
		mkdir -p /dev/shm /dev/pts
		mount -t tmpfs shm /dev/shm
		mount -t devpts pts /dev/pts
		mount -t tmpfs -o mode=1777 tmp /tmp
		export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
		export HOME=/root TERM=${TERM:-linux} LANG=C.UTF-8
		exec </dev/console >/dev/console 2>&1
		$setup
		dmesg -n 1
		cd /root
		echo '$mark begin'
		$run
		status=\$?
		cd /
		stty -opost
		printf '\n%s %s\n' '$mark status' \$status
		$send
		echo '$mark end'
		poweroff -f
	END
}

make_initramfs()
{
	local root=$work/root dir

	mkdir -p "$root"/{bin,dev,etc,proc,root,sys,tmp,out}
	unpack "$root"
	rm -rf "$root"/usr/share/{doc,man,locale,lintian,bug,initramfs-tools} \
		"$root"/usr/lib/*/gconv
	for dir in ${files[@]+"${files[@]}"}; do
		cp -a "$dir/." "$root/" || die "cannot copy $dir"
	done
	printf 'root:x:0:0::/root:/bin/sh\ntester:x:1000:1000::/tmp:/bin/sh\n' >"$root/etc/passwd"
	printf 'root:x:0:\ntester:x:1000:\n' >"$root/etc/group"
	printf '%s\n' "$command" >"$root/command"
	write_init >"$root/init"
	chmod 755 "$root/init"
	(cd "$root" && find . -print0 | sort -z | cpio --quiet -0 -o -H newc -R 0:0 | gzip -1) \
		>"$work/initrd" || die "cannot pack the initramfs"
}

qemu_arguments()
{
	local n per_cpu=$((cpu_count / numa)) per_mem=$((mem / numa)) signal=on last

	[ $tty = 0 ] || signal=off
	args=(-machine "$machine" -cpu "$cpu" -smp "$smp" -m "$mem" -display none
		-nodefaults -no-reboot -kernel "$kernel" -initrd "$work/initrd"
		-append "console=$console rdinit=/init panic=-1 quiet loglevel=3 $append"
		-chardev "stdio,id=con,signal=$signal" -serial chardev:con)
	if [ -n "$icount" ]; then
		args+=(-icount "shift=$icount,sleep=off")
	elif [ "$cpu_count" -gt 4 ]; then
		# Many emulated CPUs that spin in as many threads starve each other on a small
		# host; one thread that runs them in turn boots several times faster.
		args+=(-accel "tcg,thread=single")
	else
		args+=(-accel "tcg,thread=multi")
	fi
	for ((n = 0; numa > 1 && n < numa; n++)); do
		last=$(((n + 1) * per_cpu - 1))
		args+=(-object "memory-backend-ram,id=mem$n,size=${per_mem}M"
			-numa "node,nodeid=$n,cpus=$((n * per_cpu))-$last,memdev=mem$n")
	done
	args+=(${extra[@]+"${extra[@]}"})
}

# Leaves the console's text in $raw and QEMU's status in qemu_status.
boot()
{
	raw=$work/console
	if [ $tty = 1 ]; then
		timeout --foreground -k 5 "$limit_s" "$qemu" "${args[@]}" | tee "$raw"
		qemu_status=$?
	else
		timeout --foreground -k 5 "$limit_s" "$qemu" "${args[@]}" \
			</dev/null >"$raw" 2>"$work/errors" &
		trap 'kill $!' HUP INT TERM # ending this script ends the guest
		wait $!
		qemu_status=$?
	fi
	[ -z "$log" ] || cp "$raw" "$log"
}

# What lies between the two marks, less the newline put before the second.
print_output()
{
	LC_ALL=C awk -v m="$mark" '
		!on && index($0, m " begin") { on = 1; next }
		on && index($0, m " status") == 1 { done = 1; exit }
		on { if (n++) print prev; prev = $0 }
		END {
			if (n && !(done && prev == ""))
				printf "%s%s", prev, done ? "" : "\n"
		}' "$raw"
}

unpack_out()
{
	mkdir -p "$out" || die "cannot create $out"
	sed -n "/^$mark status /,/^$mark end/p" "$raw" | sed '1d;$d' | tr -d '\r' |
		base64 -d | tar -C "$out" -xz --no-same-owner || die "cannot unpack /out"
}

# Ends the script with the command's status, or says why there is none.
end()
{
	local status

	status=$(sed -n "s/^$mark status \([0-9]*\).*/\1/p" "$raw" | tail -n 1)
	[ $tty = 1 ] || print_output
	[ -z "$out" ] || [ -z "$status" ] || unpack_out
	if grep -q "^$mark end" "$raw" && [ -n "$status" ]; then
		exit "$status"
	fi
	[ $tty = 1 ] || cat "$work/errors" >&2
	if [ $qemu_status -eq 124 ] || [ $qemu_status -eq 137 ]; then
		echo "qemu-guest: stopped after $limit_s seconds; the console's end:" >&2
		tail -n 15 "$raw" >&2
		exit 124
	fi
	echo "qemu-guest: the guest reported no status (QEMU's was $qemu_status); the" \
		"console's end:" >&2
	tail -n 15 "$raw" >&2
	exit 125
}

read_options "$@"
check_options
open_cache
[ -n "$sysroot" ] || fetch_kernel
debs=()
for package in $([ -n "$sysroot" ] || echo busybox-static) $packages; do
	fetch "$package"
	debs+=("$deb")
done
exec 9>&-
if [ -n "$sysroot" ]; then
	make_sysroot
	exit 0
fi
[ $fetch_only = 0 ] || exit 0

work=$(mktemp -d "${TMPDIR:-/tmp}/qemu-guest.XXXXXX") || die "no temporary folder"
trap 'rm -rf "$work"' EXIT
mark="qemu-guest-$$-$RANDOM" # tells our lines from the command's
make_initramfs
qemu_arguments
boot
end
