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

# The best of a driver's runs with buffers of $2 bytes: Mops/s and Gbit/s.
peer_best() {
	local round
	for ((round = 1; round <= PEER_ROUNDS; round++)); do perf_rows "peer-$1-$round"; done |
		awk -v size="$2" '$2 == size && $8 > best { best = $8; rate = $9 } END { print best, rate }'
}

# The table, and in the file "ratios" how many times theirs ours is.
peer_table() {
	local size
	value ""
	value "    AES-128-CBC encrypt, bursts of 32 | crypto_virtio, QEMU's    | crypto_accel,            |"
	value "    on one queue pair                 | virtio-crypto, builtin   | accel-device             | ratio"
	value "    ----------------------------------+--------------------------+--------------------------+------"
	for size in 64 1024; do
		# shellcheck disable=SC2046 # words
		printf '%d %s %s %s %s\n' $size $(peer_best theirs $size) $(peer_best ours $size)
	done | awk -v ratios="$RESULTS/ratios" '{
		ratio = $2 ? $4 / $2 : 0
		print ratio >ratios
		printf "    %5d bytes                       | %7.3f Mops %6.2f Gbps | %7.3f Mops %6.2f Gbps | %5.1f\n",
			$1, $2, $3, $4, $5, ratio }' | while IFS= read -r line; do value "$line"; done
	value ""
}

# The project's goal is 4 times; both take part in what else the machine does, so half of it must be there.
peer_ratio() { awk '$1 < 2 { bad = 1 } END { exit bad || NR != 2 }' "$RESULTS/ratios"; }

section_peer() {
	step "QEMU's virtio-crypto beside crypto_accel, dpdk-test-crypto-perf"
	check "$(peer_find) (virtio-crypto): bound to vfio-pci" bind_any "$(peer_find)"
	check "all runs end, all operations come back" peer_rounds
	peer_table
	check "at least twice its operations per second at both sizes (goal: 4 times)" peer_ratio
}
