# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# QEMU's virtio-crypto with DPDK's crypto_virtio beside one function of ours: the same guest, the same
# command. Sourced by test/vm/guest.

# Operations per size and run, and runs, an odd number: the median counts.
PEER_OPS=500000
PEER_ROUNDS=5

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
peer_theirs() {
	peer_run "peer-theirs-$1" crypto_virtio --log-level=error --no-telemetry --iova-mode=pa -a "$(peer_find)"
}

# Ours is behind the IOMMU.
peer_ours() { peer_run "peer-ours-$1" crypto_accel "${ACCEL_ARGS[@]}" -a "${FUNCTIONS[0]}"; }

# All rounds, in turn.
peer_rounds() {
	local round
	for ((round = 1; round <= PEER_ROUNDS; round++)); do
		peer_theirs $round && peer_ours $round || return 1
	done
}

# The median of a driver's runs with buffers of $2 bytes: Mops/s and Gbit/s.
peer_median() {
	local round
	for ((round = 1; round <= PEER_ROUNDS; round++)); do perf_rows "peer-$1-$round"; done |
		awk -v size="$2" '$2 == size { print $8, $9 }' | sort -n | sed -n "$(((PEER_ROUNDS + 1) / 2))p"
}

# The table. Timings are no tests here: how many times theirs ours is depends on how fast the guest's CPU is
# beside the host's.
peer_table() {
	local size
	value ""
	value "    AES-128-CBC encrypt, bursts of 32 | crypto_virtio, QEMU's    | crypto_accel,            |"
	value "    on one queue pair                 | virtio-crypto, builtin   | accel-device             | ratio"
	value "    ----------------------------------+--------------------------+--------------------------+------"
	for size in 64 1024; do
		# shellcheck disable=SC2046 # words
		printf '%d %s %s %s %s\n' $size $(peer_median theirs $size) $(peer_median ours $size)
	done | awk '{ printf "    %5d bytes                       | %7.3f Mops %6.2f Gbps | %7.3f Mops %6.2f Gbps | %5.1f\n",
			$1, $2, $3, $4, $5, $2 ? $4 / $2 : 0 }' | while IFS= read -r line; do value "$line"; done
	value ""
}

section_peer() {
	step "QEMU's virtio-crypto beside crypto_accel, dpdk-test-crypto-perf"
	check "$(peer_find) (virtio-crypto): bound to vfio-pci" bind_any "$(peer_find)"
	check "all runs end, all operations come back" peer_rounds
	peer_table
}
