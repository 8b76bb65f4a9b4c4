# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Compares QEMU's virtio-crypto with DPDK's crypto_virtio and one function of the accelerator: the same guest,
# the same command. crypto_null does nothing, so its rate is the most that the guest's CPU can reach.
# test/vm/guest sources this file.

# Each driver gets as many operations as it does in a second. Each size is a run of its own, with buffers made
# for it, and is given twice. The first row does not count, because the main lcore takes half of the worker's
# CPU until main_yields() has found it. The median of all runs counts. With one round only, each does a tenth.
declare -A PEER_OPS=([theirs]=2000000 [ours]=10000000 [null]=25000000)
PEER_SIZES=(64 1024)

# Prints the address of the virtio-crypto device.
peer_find() { lspci -Dn -d 1af4:1054 | cut -d' ' -f1; }

# peer_run WHO SIZE ROUND DRIVER EAL-ARGUMENT... -- ARGUMENT...: true when all operations of a run came back.
peer_run() {
	local name=peer-$1-$2-$3 ops=$((PEER_OPS[$1] / (PEER_ROUNDS > 1 ? 1 : 10))) size=$2
	shift 3
	# Each run has the same addresses, because collisions in the emulator's TLB depend on them.
	PERF_WRAP="setarch -R" perf "$name" "$@" --ptest throughput --total-ops "$ops" --burst-sz 32 \
		--buffer-sz "$size,$size" &&
		perf_complete "$name" 2 "$ops"
}

# Runs crypto_virtio. The IOMMU does not cover its device, so addresses must be physical.
peer_theirs() {
	peer_run theirs "$1" "$2" crypto_virtio --log-level=error --no-telemetry --iova-mode=pa -a "$(peer_find)" \
		-- "${CBC[@]}"
}

# Runs crypto_accel, whose function is behind the IOMMU.
peer_ours() { peer_run ours "$1" "$2" crypto_accel "${ACCEL_ARGS[@]}" -a "${FUNCTIONS[0]}" -- "${CBC[@]}"; }

# Runs crypto_null, without a device and without cryptography.
peer_null() {
	peer_run null "$1" "$2" crypto_null --log-level=error --no-telemetry --no-pci --vdev crypto_null \
		-- --optype cipher-only --cipher-algo null --cipher-op encrypt --cipher-key-sz 0 --cipher-iv-sz 0
}

# Runs all rounds of all drivers in turn.
peer_rounds() {
	local round size
	for ((round = 1; round <= PEER_ROUNDS; round++)); do
		for size in "${PEER_SIZES[@]}"; do
			peer_theirs "$size" $round && peer_ours "$size" $round && peer_null "$size" $round || return 1
		done
	done
}

# Prints the median of a driver's runs with buffers of $2 bytes: Mops/s and Gbit/s.
peer_median() {
	local round
	for ((round = 1; round <= PEER_ROUNDS; round++)); do perf_rows "peer-$1-$2-$round" | tail -n 1; done |
		awk '{ print $8, $9 }' | sort -n | sed -n "$(((PEER_ROUNDS + 1) / 2))p"
}

# peer_row TITLE SIZE NAME: prints a driver's median and its ratio to crypto_virtio's.
peer_row() {
	# shellcheck disable=SC2046 # words
	value "$(echo "$1" "$2" $(peer_median "$3" "$2") $(peer_median theirs "$2" | cut -d' ' -f1) |
		awk '{ printf "    %-42s | %5d bytes | %7.3f Mops %6.2f Gbps | %5.1f", $1, $2, $3, $4, $5 ? $3 / $5 : 0 }')"
}

# Prints the table. Its ratios are no tests, because they depend on how fast the guest's CPU is beside the
# host's.
peer_table() {
	local size
	value ""
	value "    AES-128-CBC encrypt, bursts of 32, one queue pair, medians of $PEER_ROUNDS rounds"
	for size in "${PEER_SIZES[@]}"; do
		peer_row crypto_virtio,QEMU:virtio-crypto,builtin "$size" theirs
		peer_row crypto_accel,accel-device "$size" ours
		peer_row crypto_null:no-device,no-cryptography "$size" null
	done
	value ""
}

section_peer() {
	PEER_ROUNDS=$(cat "$RESULTS/peer-rounds")
	step "QEMU's virtio-crypto beside crypto_accel, dpdk-test-crypto-perf"
	check "$(peer_find) (virtio-crypto): bound to vfio-pci" bind_any "$(peer_find)"
	check "all runs end, all operations come back" peer_rounds
	peer_table
}
