# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# QEMU's virtio-crypto with DPDK's crypto_virtio beside one function of ours: the same guest, the same
# command. Sourced by test/vm/guest.

# Operations per size and run, and runs; each driver's best counts: what else the machine does only takes.
PEER_OPS=100000
PEER_ROUNDS=3

# The place of the virtio-crypto device.
peer_find() { lspci -Dn -d 1af4:1054 | cut -d' ' -f1; }

# peer_run NAME DRIVER EAL-ARGUMENT...: one run, and all of it came back.
peer_run() {
	local name=$1 driver=$2
	shift 2
	perf "$name" "$driver" "$@" -- "${CBC[@]}" --ptest throughput --total-ops $PEER_OPS --burst-sz 32 \
		--buffer-sz 64,1024 && perf_complete "$name" 2 $PEER_OPS
}

# Its device lies outside the IOMMU's protection, so addresses are physical; there is no other way.
peer_theirs() { peer_run "peer-theirs-$1" crypto_virtio --log-level=error --no-telemetry -a "$(peer_find)" --iova-mode=pa; }
peer_ours() { peer_run "peer-ours-$1" crypto_accel "${ACCEL_ARGS[@]}" -a "${FUNCTIONS[0]}"; }

# All rounds, in turn.
peer_rounds() {
	local round
	for ((round = 1; round <= PEER_ROUNDS; round++)); do
		peer_theirs $round && peer_ours $round || return 1
	done
}

# The best of a driver's runs with buffers of $2 bytes: Mops/s and Gbit/s.
peer_best() {
	local round
	for ((round = 1; round <= PEER_ROUNDS; round++)); do perf_rows "peer-$1-$round"; done |
		awk -v size="$2" '$2 == size && $8 > best { best = $8; rate = $9 } END { print best, rate }'
}

# The table; the ratio is what the project promises, its goal is 4.
peer_table() {
	local size theirs ours line
	value ""
	value "    AES-128-CBC encrypt, burst 32   |  crypto_virtio, QEMU's   |  crypto_accel,           |"
	value "    one queue pair, $(cat "$RESULTS/accel" 2>/dev/null || echo QEMU)            |  builtin backend         |  accel-device            | ratio"
	value "    --------------------------------+--------------------------+--------------------------+------"
	for size in 64 1024; do
		theirs=$(peer_best theirs $size)
		ours=$(peer_best ours $size)
		line=$(awk -v s=$size -v t="$theirs" -v o="$ours" 'BEGIN { split(t, a, " "); split(o, b, " ")
			printf "    %5d bytes                     | %7.3f Mops %6.2f Gbps | %7.3f Mops %6.2f Gbps | %5.1f",
				s, a[1], a[2], b[1], b[2], a[1] > 0 ? b[1] / a[1] : 0 }')
		value "$line"
	done
	value ""
}

section_peer() {
	step "QEMU's virtio-crypto beside crypto_accel, dpdk-test-crypto-perf"
	check "$(peer_find) (virtio-crypto): bound to vfio-pci" bind_any "$(peer_find)"
	check "all runs end, all operations come back" peer_rounds
	peer_table
}
