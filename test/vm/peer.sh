# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# QEMU's virtio-crypto with DPDK's crypto_virtio beside one function of ours: the same guest, the same
# command. And crypto_null, which does nothing: more the guest's CPU could not do with any device.
# Sourced by test/vm/guest.

# Operations per size, as many as take each a second, and runs, an odd number: the median counts. The first
# size is not shown: the main lcore spins beside the worker, and takes half of its CPU, until main_yields()
# saw it.
declare -A PEER_OPS=([theirs]=2000000 [ours]=10000000 [null]=25000000)
PEER_SIZES=(16 64 1024)
PEER_ROUNDS=5

# The place of the virtio-crypto device.
peer_find() { lspci -Dn -d 1af4:1054 | cut -d' ' -f1; }

# peer_run WHO ROUND DRIVER EAL-ARGUMENT... -- ARGUMENT...: one run, and all of it came back.
peer_run() {
	local name=peer-$1-$2 ops=${PEER_OPS[$1]} sizes
	shift 2
	sizes=$(printf '%s,' "${PEER_SIZES[@]}")
	# At the same addresses each time: what collides in the translator's TLB changes with them.
	PERF_WRAP="setarch -R" perf "$name" "$@" --ptest throughput --total-ops "$ops" --burst-sz 32 \
		--buffer-sz "${sizes%,}" &&
		perf_complete "$name" "${#PEER_SIZES[@]}" "$ops"
}

# Its device lies outside the IOMMU's protection, so addresses are physical; there is no other way.
peer_theirs() {
	peer_run theirs "$1" crypto_virtio --log-level=error --no-telemetry --iova-mode=pa -a "$(peer_find)" \
		-- "${CBC[@]}"
}

# Ours is behind the IOMMU.
peer_ours() { peer_run ours "$1" crypto_accel "${ACCEL_ARGS[@]}" -a "${FUNCTIONS[0]}" -- "${CBC[@]}"; }

# No device and no cryptography.
peer_null() {
	peer_run null "$1" crypto_null --log-level=error --no-telemetry --no-pci --vdev crypto_null \
		-- --optype cipher-only --cipher-algo null --cipher-op encrypt --cipher-key-sz 0 --cipher-iv-sz 0
}

# All rounds, in turn.
peer_rounds() {
	local round
	for ((round = 1; round <= PEER_ROUNDS; round++)); do
		peer_theirs $round && peer_ours $round && peer_null $round || return 1
	done
}

# The median of a driver's runs with buffers of $2 bytes: Mops/s and Gbit/s.
peer_median() {
	local round
	for ((round = 1; round <= PEER_ROUNDS; round++)); do perf_rows "peer-$1-$round"; done |
		awk -v size="$2" '$2 == size { print $8, $9 }' | sort -n | sed -n "$(((PEER_ROUNDS + 1) / 2))p"
}

# peer_row TITLE SIZE NAME: its median, and how many times theirs that is.
peer_row() {
	# shellcheck disable=SC2046 # words
	value "$(echo "$1" "$2" $(peer_median "$3" "$2") $(peer_median theirs "$2" | cut -d' ' -f1) |
		awk '{ printf "    %-42s | %5d bytes | %7.3f Mops %6.2f Gbps | %5.1f", $1, $2, $3, $4, $5 ? $3 / $5 : 0 }')"
}

# The table. Timings are no tests here: how many times theirs ours is depends on how fast the guest's CPU is
# beside the host's.
peer_table() {
	local size
	value ""
	value "    AES-128-CBC encrypt, bursts of 32, one queue pair, medians of $PEER_ROUNDS runs"
	for size in "${PEER_SIZES[@]:1}"; do
		peer_row crypto_virtio,QEMU:virtio-crypto,builtin "$size" theirs
		peer_row crypto_accel,accel-device "$size" ours
		peer_row crypto_null:no-device,no-cryptography "$size" null
	done
	value ""
}

section_peer() {
	step "QEMU's virtio-crypto beside crypto_accel, dpdk-test-crypto-perf"
	check "$(peer_find) (virtio-crypto): bound to vfio-pci" bind_any "$(peer_find)"
	check "all runs end, all operations come back" peer_rounds
	peer_table
}
