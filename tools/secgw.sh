# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Builds DPDK's ipsec-secgw for the scripts of tools/. They source it after lib.sh; tools/py/gateway/secgw.py
# runs the program.

SECGW_BUILD=$ACCEL_BUILD/gateway
SECGW_PROGRAM=$SECGW_BUILD/ipsec-secgw/build/ipsec-secgw

# Installs what the gateway needs, and builds the project's release build and the stock ipsec-secgw. It
# is DPDK's source as it is, compiled with its own Makefile against Debian's libdpdk, in a copy of its
# folder.
secgw_build() {
	export ACCEL_SECGW=$SECGW_PROGRAM
	if [ -n "${ACCEL_BUILT:-}" ] && [ -x "$SECGW_PROGRAM" ]; then return 0; fi
	if [ -z "${ACCEL_SETUP_DONE:-}" ]; then "$ACCEL_ROOT/tools/setup"; fi
	source_need
	install_packages "${SECGW_PACKAGES[@]}"
	ACCEL_SETUP_DONE=1 "$ACCEL_ROOT/tools/build" release
	with_lock secgw secgw_compile
}

# Compiles the program, unless that is done.
secgw_compile() {
	local source stamp
	step "Building DPDK's ipsec-secgw, unmodified, against Debian's libdpdk"
	source=$(readlink -f "$ACCEL_DEPS/dpdk")
	stamp=$(cat "$source/.accel-stamp")
	if [ ! -x "$SECGW_PROGRAM" ] || [ "$(cat "$SECGW_BUILD/.accel-stamp" 2>/dev/null)" != "$stamp" ]; then
		rm -rf "$SECGW_BUILD/ipsec-secgw" "$SECGW_BUILD/common"
		mkdir -p "$SECGW_BUILD"
		cp -a "$source/examples/ipsec-secgw" "$source/examples/common" "$SECGW_BUILD/"
		run_logged secgw-build make -C "$SECGW_BUILD/ipsec-secgw" || die "the build failed"
		printf '%s\n' "$stamp" >"$SECGW_BUILD/.accel-stamp"
	fi
	note "$SECGW_PROGRAM (DPDK $stamp)"
}

# secgw_private COMMAND...: runs a command in a network namespace of its own, in which it may make
# interfaces. A user that is not root gets a user namespace for that.
secgw_private() {
	if [ "$(id -u)" = 0 ]; then
		unshare --net -- "$@"
	else
		unshare --user --map-root-user --net -- "$@"
	fi
}

# Ends the script if this user cannot have interfaces of TAP devices. That is no failure of the project.
secgw_need_taps() {
	if [ -w /dev/net/tun ] && secgw_private true 2>/dev/null; then return 0; fi
	warn "this user cannot make TAP devices in a network namespace; run it as root"
	exit "$ACCEL_UNAVAILABLE"
}
