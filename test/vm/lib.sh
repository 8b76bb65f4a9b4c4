# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Has what the test scripts of the guest share: words for the host, the PCI functions, DPDK's programs.
# test/vm/guest sources this file in the guest.

RESULTS=/host/results
BUILD=/host/build
PLUGIN=/root/plugin/librte_crypto_accel.so
HUGEPAGES=300
# This line of the kernel's log divides what the kernel said at boot from what the tests made it say.
TESTS_BEGIN='accel: the tests begin'
# lspci shows these ids for the functions of the accelerator: vendor and device.
ACCEL_IDS='1234:acc'
# The functions of the accelerator, in the order of their slots.
FUNCTIONS=()

# ---------------------------------------------------------------- to the host

tell() { printf '%s\n' "$*" >&5; }
step() { tell "step $*"; }
note() { tell "note $*"; }
value() { tell "value $*"; }
pass() { tell "pass $*"; }
fail() { tell "fail $*"; }

# ask ACTION ARGUMENT...: tells the host to do something. True when the host did it.
ask() {
	local reply
	tell "do $*"
	read -r reply <&5 || return 1
	case "$reply" in ok*) return 0 ;; esac
	note "the host: $reply"
	return 1
}

# check TITLE COMMAND...: a test passes when its command does.
check() {
	local title=$1
	shift
	if "$@"; then pass "$title"; else fail "$title"; fi
}

# ---------------------------------------------------------------- start and end

# Opens the port to the host, and mounts and loads what all sections need.
guest_start() {
	local port='' i
	mount -t tmpfs tmpfs /run
	mount -t tmpfs tmpfs /tmp
	mkdir -p /dev/pts /dev/shm /dev/hugepages
	mount -t devpts devpts /dev/pts
	mount -t tmpfs tmpfs /dev/shm
	ln -s /proc/self/fd /dev/fd
	for ((i = 0; i < 100; i++)); do
		port=$(grep -l '^accel$' /sys/class/virtio-ports/*/name 2>/dev/null | head -n 1)
		[ -z "$port" ] || break
		sleep 0.1
	done
	exec 5<>"/dev/$(basename "$(dirname "$port")")"
	tell hello
	echo "$TESTS_BEGIN" >/dev/kmsg
	modprobe -a vfio-pci pci-pf-stub
	echo $HUGEPAGES >/proc/sys/vm/nr_hugepages
	mount -t hugetlbfs hugetlbfs /dev/hugepages
	if [ -r "$BUILD/release/drivers/librte_crypto_accel.so" ]; then
		# The EAL loads no plugin from below a folder that everyone may write to.
		mkdir -p "${PLUGIN%/*}"
		cp "$BUILD/release/drivers/librte_crypto_accel.so" "$PLUGIN"
	fi
	functions_find
}

# Switches the guest off.
guest_end() {
	dmesg >"$RESULTS/dmesg.txt"
	tell end
	sync
	busybox poweroff -f
	sleep 60
}

# Prints what the kernel has said since the tests began.
kernel_said() { dmesg | sed "1,/$TESTS_BEGIN/d"; }

# ---------------------------------------------------------------- PCI functions

# Sets FUNCTIONS to the functions that are there now.
functions_find() {
	mapfile -t FUNCTIONS < <(lspci -Dn | awk -v ids="$ACCEL_IDS" 'index($3, ids) == 1 {print $1}')
}

# Prints the name of the driver of the function $1, or nothing.
driver_of() { basename "$(readlink "/sys/bus/pci/devices/$1/driver")"; }

# Binds the function $1 to vfio-pci as the guide says.
bind() { dpdk-devbind.py -b vfio-pci "$1" >>"$RESULTS/devbind.txt" 2>&1 && [ "$(driver_of "$1")" = vfio-pci ]; }

# Binds the functions that are not bound.
functions_bind() {
	local bdf
	for bdf in "${FUNCTIONS[@]}"; do
		[ "$(driver_of "$bdf")" = vfio-pci ] || bind "$bdf" || note "$bdf cannot be bound to vfio-pci"
	done
}

# Binds a function that dpdk-devbind.py does not list.
bind_any() {
	local dir=/sys/bus/pci/devices/$1
	echo vfio-pci >"$dir/driver_override"
	[ ! -e "$dir/driver" ] || echo "$1" >"$dir/driver/unbind"
	echo "$1" >/sys/bus/pci/drivers_probe
	[ "$(driver_of "$1")" = vfio-pci ]
}

# ---------------------------------------------------------------- DPDK's programs

# Every run on a function of the accelerator has these arguments. -a BDF follows.
ACCEL_ARGS=(--log-level=error --no-telemetry --iova-mode=va -d "$PLUGIN")
# The worker and the main lcore share a CPU, because the host's other CPU is the device's. The main lcore
# has idle priority, because it spins while it waits for the worker.
LCORES='0@0,1@0'
# Most runs of dpdk-test-crypto-perf have these arguments.
# shellcheck disable=SC2034 # for the sections
CBC=(--optype cipher-only --cipher-algo aes-cbc --cipher-op encrypt --cipher-key-sz 16 --cipher-iv-sz 16)

# Prints the process below $1 that has lcores. Others may be between them (timeout, setpriv, bwrap).
dpdk_child() {
	local pid
	for pid in $(pgrep -P "$1"); do
		if grep -qsE '^(eal-intr|dpdk-intr)' "/proc/$pid"/task/*/comm; then
			printf '%s\n' "$pid"
		else
			dpdk_child "$pid"
		fi
	done
}

# Gives idle priority to the main lcore of the DPDK program below the process $1, once its workers run.
main_yields() {
	local i child
	for ((i = 0; i < 300; i++)); do
		child=$(dpdk_child "$1" | head -n 1)
		if [ -n "$child" ] && grep -qsE '^(rte|lcore)-worker' "/proc/$child"/task/*/comm; then
			sleep 0.3
			chrt -i -p 0 "$child" >/dev/null 2>&1
			return
		fi
		kill -0 "$1" 2>/dev/null || return
		sleep 0.1
	done
}

# program NAME SECONDS COMMAND...: runs a command with a time limit, which is longer in a guest that the host
# translates. Its output goes to NAME.log.
program() {
	local log=$RESULTS/$1.log seconds=$(($2 * $(cat "$RESULTS/slow" 2>/dev/null || echo 1))) code=0 pid
	shift 2
	printf '$ %s\n' "$*" >"$log"
	timeout --kill-after=5 "$seconds" stdbuf -oL "$@" >>"$log" 2>&1 </dev/null &
	pid=$!
	main_yields $pid
	wait $pid || code=$?
	printf '\n$ exit code %d\n' "$code" >>"$log"
	return "$code"
}

# perf NAME DRIVER EAL-ARGUMENT... -- ARGUMENT...: runs dpdk-test-crypto-perf, as an argument of PERF_WRAP if it
# is set.
perf() {
	local name=$1 driver=$2 eal=() wrap=()
	shift 2
	read -ra wrap <<<"${PERF_WRAP:-}"
	while [ "$1" != -- ]; do
		eal+=("$1")
		shift
	done
	shift
	program "$name" "${PERF_SECONDS:-120}" "${wrap[@]}" dpdk-test-crypto-perf \
		--lcores "${PERF_LCORES:-$LCORES}" "${eal[@]}" -- --devtype "$driver" --silent --csv-friendly "$@"
}

# perf_rows NAME: prints the rows of numbers in the CSV output of that run, with blanks for commas.
perf_rows() { grep -E '^ *[0-9]+, *[0-9]+,' "$RESULTS/$1.log" | tr ',' ' '; }

# perf_complete NAME LINES TOTAL: true when the run has LINES rows, each with TOTAL operations sent and received.
perf_complete() {
	perf_rows "$1" | awk -v lines="$2" -v total="$3" \
		'{ n++; if ($4 != total || $5 != total) bad = 1 } END { exit n != lines || bad }'
}

# e2e_run NAME BDF ARGUMENT...: runs the project's own end-to-end test. True when it passed.
e2e_run() {
	local name=$1 bdf=$2
	shift 2
	program "$name" "${E2E_SECONDS:-120}" "$BUILD/release/test/e2e/accel-e2e" --lcores "$LCORES" \
		"${ACCEL_ARGS[@]}" -a "$bdf" -- "$@"
}

# e2e NAME TITLE BDF ARGUMENT...: runs the end-to-end test and counts each of its tests.
e2e() {
	local name=$1 title=$2 bdf=$3 code=0 passed failed
	shift 3
	e2e_run "$name" "$bdf" "$@" || code=$?
	grep -E '^FAILED|^  ' "$RESULTS/$name.log" | head -n 10 | while read -r line; do note "$line"; done
	read -r passed failed < <(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed, .*/\1 \2/p' "$RESULTS/$name.log" |
		tail -n 1)
	[ "$code" = 0 ] || [ "${failed:-0}" != 0 ] || failed=1
	tell "count ${passed:-0} ${failed:-1} $title"
}

# True when all known answers are right on the function $1.
works() { e2e_run "works-$1" "$1" --quick --only 'kat/*'; }
