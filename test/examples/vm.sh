#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests the files of examples/vm as far as that needs no virtual machine: the settings of accel-device, and what the
# script says when it is called wrongly. `meson test` calls it as vm.sh ACCEL-DEVICE. It prints TAP.
set -euo pipefail
# shellcheck source=tools/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"
# shellcheck source=test/common/ok.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common/ok.sh"

EXAMPLE=$ACCEL_ROOT/examples/vm

# script CODE PATTERN ARGUMENT...: true when the script ends with this code, and its output has the pattern. QEMU's place
# has a program that lists the device vfio-user-pci, else prints its arguments and fails with 99.
script() {
	local want=$1 pattern=$2 code=0 output
	shift 2
	output=$(PATH=$ACCEL_SCRATCH:$PATH QEMU=${FAKE:+$ACCEL_SCRATCH/$FAKE} "$EXAMPLE/qemu-vfio-user" "$@" 2>&1) || code=$?
	printf '%s\nexit code %d\n' "$output" "$code"
	[ "$code" = "$want" ] && grep -q -e "$pattern" <<<"$output"
}

# Prints the options of the settings as systemd does, with a folder of this test in place of the service's, and a group
# that every machine has.
options() {
	sed -n 's/^ACCEL_DEVICE_OPTIONS=//p' "$EXAMPLE/accel-device.default" |
		sed "s|/run/accel-device|$ACCEL_SCRATCH|g; s|--socket-group kvm|--socket-group $(id -gn)|"
}

# True when both sockets are there with the mode that the settings say.
sockets_there() { [ "$(stat -c '%F %a' "$ACCEL_SCRATCH/s0" "$ACCEL_SCRATCH/s1" 2>/dev/null)" = $'socket 660\nsocket 660' ]; }

# True when accel-device serves the sockets with the settings, and ends well.
settings() {
	local pid code=0
	# shellcheck disable=SC2046 # words
	"$DEVICE" $(options) &
	pid=$!
	while ! sockets_there && kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
	sockets_there || return 1
	kill "$pid"
	wait "$pid" || code=$?
	[ "$code" = 0 ]
}

# True when the service, with a program that is there, is a unit without complaints.
unit() {
	local file=$ACCEL_SCRATCH/accel-device.service output
	sed "s|^ExecStart=[^ ]*|ExecStart=$(command -v true)|" "${DEVICE%/*}/accel-device.service" >"$file"
	output=$(systemd-analyze verify "$file" 2>&1) || true
	printf '%s\n' "$output"
	! grep -q 'accel-device.service' <<<"$output"
}

# Runs all tests.
main() {
	DEVICE=$(realpath "$1")
	scratch_prepare
	printf '%s\n' '#!/bin/sh' '[ "$*" = "-device help" ] && echo "name \"vfio-user-pci\"" && exit' 'echo "$*"' 'exit 99' \
		>"$ACCEL_SCRATCH/qemu-system-x86_64"
	printf '%s\n' '#!/bin/sh' 'echo "name \"vfio-pci\""' >"$ACCEL_SCRATCH/old-qemu"
	chmod +x "$ACCEL_SCRATCH/qemu-system-x86_64" "$ACCEL_SCRATCH/old-qemu"
	printf '1..8\n'
	ok "accel-device serves with the settings" settings
	if command -v systemd-analyze >/dev/null; then
		ok "systemd takes the unit that reads them" unit
	else
		skip "systemd takes the unit that reads them" "systemd-analyze is not installed"
	fi
	ok "the script without arguments: its usage" script 2 '^Starts QEMU .*qemu-vfio-user SOCKET'
	ok "a socket that nobody serves: says what to start" script 1 'start accel-device --socket /nonexistent' \
		/nonexistent -nographic
	PLUG=no ok "a guest that arrives: a port without a function" script 99 'id=port0,chassis=1,addr=10$' /nonexistent
	ok "a file that is no socket" script 1 'is no socket' "$EXAMPLE/domain.xml"
	FAKE=old-qemu PLUG=no ok "an old QEMU: says which one to take" \
		script 1 'old-qemu is missing or older than 10.1; set QEMU=' /nonexistent
	FAKE=no-qemu PLUG=no ok "no QEMU" script 1 'no-qemu is missing' /nonexistent
}

supervised main "$@"
