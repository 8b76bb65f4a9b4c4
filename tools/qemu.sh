# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# QEMU with the device of app/qemu-accel, for tools/qemu-accel and tools/vm-test. Both QEMU and the headers
# for the device come from Debian's archive and lie below build/deps/qemu; nothing of QEMU is compiled.
# Scripts source this file after lib.sh and vm.sh.
# shellcheck disable=SC2034 # variables are for the scripts that source this

QEMU_ACCEL_DIR=$ACCEL_DEPS/qemu
QEMU_ACCEL_BUILD=$ACCEL_BUILD/qemu-accel
QEMU_ACCEL_SO=$QEMU_ACCEL_BUILD/qemu-accel.so
# The device is written for this series, and other ones have other structures.
QEMU_ACCEL_SERIES=10.0
# Debian 13 has it itself, and for Debian 12 it is among the backports.
case $VM_GUEST_SUITE in
trixie) QEMU_ACCEL_SUITE=trixie ;;
*) QEMU_ACCEL_SUITE=$VM_GUEST_SUITE-backports ;;
esac
# Packages for this machine, beside those of tools/setup.
QEMU_ACCEL_PACKAGES=(mmdebstrap libglib2.0-dev)
# What the headers need of the source.
QEMU_ACCEL_PARTS=(
	'*/VERSION' '*/COPYING' '*/include' '*/linux-headers' '*/qapi' '*/scripts/qapi' '*/scripts/qapi-gen.py'
)

# Ends the script because this machine's Debian archive does not have what it needs. That is no failure
# of the project.
qemu_accel_unavailable() {
	warn "$*"
	exit "$ACCEL_UNAVAILABLE"
}

# Prints "VERSION SHA256 SIZE FILE" of the original source of QEMU in the archive of $1/sources.list.
qemu_accel_source() {
	private_apt "$1" apt-cache showsrc qemu 2>/dev/null | awk '
		/^Version:/ { version = $2 }
		/^Directory:/ { directory = $2 }
		/^[^ ]/ { sums = /^Checksums-Sha256:/ }
		sums && $3 ~ /\.orig\.tar\.xz$/ { sum = $1; size = $2; file = $3 }
		END { if (file != "") print version, sum, size, directory "/" file }'
}

# Unpacks the headers' sources of the archive "URI|suite|keyring" $1, file $3 with the SHA-256 sum $2.
qemu_accel_fetch() {
	local uri=${1%%|*} sum=$2 file=$3 dir=$QEMU_ACCEL_DIR archive=$QEMU_ACCEL_DIR/source.tar.xz
	rm -rf "$dir/source" "$dir/source.new"
	mkdir -p "$dir/source.new"
	run_logged qemu-source /usr/lib/apt/apt-helper download-file "${uri%/}/$file" "$archive" "SHA256:$sum" &&
		run_logged qemu-unpack tar -xJf "$archive" -C "$dir/source.new" --strip-components=1 \
			--wildcards --no-wildcards-match-slash "${QEMU_ACCEL_PARTS[@]}" &&
		rm -f "$archive" && mv "$dir/source.new" "$dir/source"
}

# Makes the headers that QEMU's build would make: those of its QAPI schema, and the few settings that matter
# here and are the same in all builds for amd64. QEMU's own configure needs a newer meson than Debian 12 has.
# The device compares the layout that comes out with that of the QEMU that loads it.
qemu_accel_generate() {
	local to=$QEMU_ACCEL_DIR/generated setting
	rm -rf "$to"
	mkdir -p "$to"
	run_logged qemu-qapi "$ACCEL_PYTHON" "$QEMU_ACCEL_DIR/source/scripts/qapi-gen.py" -b -o "$to/qapi" \
		"$QEMU_ACCEL_DIR/source/qapi/qapi-schema.json" || return 1
	find "$to/qapi" ! -name '*.h' -type f -delete
	for setting in CONFIG_LINUX CONFIG_POSIX CONFIG_IOVEC CONFIG_ATOMIC64 CONFIG_INT128 CONFIG_INT128_TYPE \
		HAVE_SYSTEM_FUNCTION; do
		printf '#define %s 1\n' "$setting"
	done >"$to/config-host.h"
	: >"$to/config-poison.h"
}

# Unpacks QEMU and the libraries of the device from the archive "URI|suite|keyring" $1.
qemu_accel_tree() {
	# shellcheck disable=SC2016 # mmdebstrap's shell expands $1
	unpack_tree qemu-tree "$QEMU_ACCEL_DIR/tree" "$VM_GUEST_SUITE" \
		"base-files,libc6,qemu-system-x86,$(IFS=, && echo "${VM_LIBRARIES[*]}")" \
		"$(archive_line "$1" "$VM_GUEST_SUITE")" "$(archive_line "$1" "$QEMU_ACCEL_SUITE")" -- \
		--setup-hook='mkdir -p "$1/etc/apt/preferences.d" && printf "%s\n" "Package: *" \
			"Pin: release n='"$QEMU_ACCEL_SUITE"'" "Pin-Priority: 990" \
			>"$1/etc/apt/preferences.d/backports"'
}

# Prepares headers and QEMU of one version.
qemu_accel_prepare() {
	local dir=$QEMU_ACCEL_DIR apt=$QEMU_ACCEL_DIR/apt stamp main version sum size file
	stamp="$QEMU_ACCEL_SERIES $({ declare -f qemu_accel_fetch qemu_accel_generate qemu_accel_tree &&
		echo "${QEMU_ACCEL_PARTS[*]}"; } | sha256sum)"
	if [ "$(cat "$dir/.accel-stamp" 2>/dev/null)" = "$stamp" ]; then
		note "QEMU $(cat "$dir/source/VERSION") and its headers are in place: $dir"
		return 0
	fi
	archives_known
	main=$(debian_archives "$VM_GUEST_SUITE" | head -n 1)
	archive_answers "$main" "$QEMU_ACCEL_SUITE" ||
		qemu_accel_unavailable "this machine's Debian archive does not offer $QEMU_ACCEL_SUITE"
	rm -rf "$dir"
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
	archive_line "$main" "$QEMU_ACCEL_SUITE" | sed 's/^deb /deb-src /' >"$apt/sources.list"
	run_logged qemu-lists private_apt "$apt" apt-get update ||
		die "cannot read the source lists of $QEMU_ACCEL_SUITE"
	read -r version sum size file < <(qemu_accel_source "$apt") || true
	[[ ${version#*:} == "$QEMU_ACCEL_SERIES".* ]] || qemu_accel_unavailable \
		"$QEMU_ACCEL_SUITE has QEMU ${version:-unknown}, and app/qemu-accel is for $QEMU_ACCEL_SERIES"
	note "downloading the source of QEMU $version ($((size / 1000000)) MB), for its headers"
	qemu_accel_fetch "$main" "$sum" "$file" || die "cannot get the source of QEMU $version"
	qemu_accel_generate || die "cannot make QEMU's headers"
	note "unpacking QEMU of $QEMU_ACCEL_SUITE into $dir/tree (takes about 10 s and 160 MB)"
	qemu_accel_tree "$main" || die "cannot unpack QEMU"
	printf '%s\n' "$stamp" >"$dir/.accel-stamp"
}

# Builds the device, with the model of the release build.
qemu_accel_build() {
	local dir=$QEMU_ACCEL_BUILD options=(
		"-Dqemu_source=$QEMU_ACCEL_DIR/source" "-Dqemu_generated=$QEMU_ACCEL_DIR/generated"
		"-Dmodel=$ACCEL_BUILD/release/lib/accel_model"
	)
	if ! [ "$dir/build.ninja" -nt "$QEMU_ACCEL_DIR/.accel-stamp" ] ||
		! meson configure "$dir" "${options[@]}" >/dev/null 2>&1; then
		rm -rf "$dir"
		run_logged configure-qemu-accel meson setup "$dir" "$ACCEL_ROOT/app/qemu-accel" "${options[@]}" ||
			die "meson setup failed"
	fi
	run_logged build-qemu-accel ninja -C "$dir" -j "$ACCEL_JOBS" || die "the build failed"
}

# Sets QEMU_ACCEL to the command of the unpacked QEMU with the device.
qemu_accel_command() {
	local tree=$QEMU_ACCEL_DIR/tree
	QEMU_ACCEL=(
		env "QEMU_MODULE_DIR=$tree/usr/lib/x86_64-linux-gnu/qemu"
		"$tree/lib64/ld-linux-x86-64.so.2" --preload "$QEMU_ACCEL_SO"
		--library-path "$tree/usr/lib/x86_64-linux-gnu:$tree/lib/x86_64-linux-gnu"
		"$tree/usr/bin/qemu-system-x86_64" -L "$tree/usr/share/qemu" -L "$tree/usr/share/seabios"
		-L "$tree/usr/lib/ipxe/qemu"
	)
}
