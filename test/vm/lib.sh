# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Shared by the test scripts of the guest: what they say to the host, the PCI functions, DPDK's programs.
# Sourced by test/vm/guest, in the guest.

RESULTS=/host/results
BUILD=/host/build
PLUGIN=/root/plugin/librte_crypto_accel.so
HUGEPAGES=300
# Ours, and how to find them: vendor, device, class.
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

# ask ACTION ARGUMENT...: has the host do something; true when it did.
ask() {
	local answer
	tell "do $*"
	read -r answer <&5 || return 1
	case "$answer" in ok*) return 0 ;; esac
	note "the host: $answer"
	return 1
}

# check TITLE COMMAND...: a test.
check() {
	local title=$1
	shift
	if "$@"; then pass "$title"; else fail "$title"; fi
}

# ---------------------------------------------------------------- begin and end

# Opens the way to the host; mounts and loads what all need.
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
	modprobe vfio-pci
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

# ---------------------------------------------------------------- PCI functions

# Sets FUNCTIONS to what is there now.
functions_find() {
	mapfile -t FUNCTIONS < <(lspci -Dn | awk -v ids="$ACCEL_IDS" 'index($3, ids) == 1 {print $1}')
}

# The name of the driver of the function $1, or nothing.
driver_of() { basename "$(readlink "/sys/bus/pci/devices/$1/driver")"; }

# Binds the function $1 to vfio-pci as the guide says.
bind() { dpdk-devbind.py -b vfio-pci "$1" >>"$RESULTS/devbind.txt" 2>&1 && [ "$(driver_of "$1")" = vfio-pci ]; }

# The same for a function that dpdk-devbind.py does not take for a crypto device.
bind_any() {
	local dir=/sys/bus/pci/devices/$1
	echo vfio-pci >"$dir/driver_override"
	[ ! -e "$dir/driver" ] || echo "$1" >"$dir/driver/unbind"
	echo "$1" >/sys/bus/pci/drivers_probe
	[ "$(driver_of "$1")" = vfio-pci ]
}

# ---------------------------------------------------------------- DPDK's programs

# program NAME SECONDS COMMAND...: runs it with a limit in time; its output goes to NAME.log. DPDK's main
# lcore spins while it waits for the others: it gets idle priority, else it takes half of their CPU.
program() {
	local log=$RESULTS/$1.log seconds=$2 code=0 pid main
	shift 2
	printf '$ %s\n' "$*" >"$log"
	timeout --kill-after=5 "$seconds" stdbuf -oL "$@" >>"$log" 2>&1 </dev/null &
	pid=$!
	while kill -0 $pid 2>/dev/null; do
		main=$(pgrep -P $pid -n) || true
		if [ -n "$main" ] && grep -qs '^rte-worker' "/proc/$main"/task/*/comm; then
			sleep 0.3
			chrt -i -a -p 0 "$main" >/dev/null 2>&1 || true
			break
		fi
		sleep 0.1
	done
	wait $pid || code=$?
	printf '\n$ exit code %d\n' "$code" >>"$log"
	return "$code"
}

# What all runs of dpdk-test-crypto-perf have in common: AES-128-CBC.
CBC=(--optype cipher-only --cipher-algo aes-cbc --cipher-op encrypt --cipher-key-sz 16 --cipher-iv-sz 16)

# perf NAME SECONDS EAL-ARGUMENT... -- ARGUMENT...: one run of it.
perf() {
	local name=$1 seconds=$2
	shift 2
	program "$name" "$seconds" dpdk-test-crypto-perf --lcores '0@0,1@1' --log-level=error --no-telemetry "$@"
}
