# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# QEMU's virtio-crypto with DPDK's crypto_virtio. Sourced by test/vm/guest.

# Prints the place of the virtio-crypto device.
peer_find() { lspci -Dn -d 1af4:1054 | cut -d' ' -f1; }

section_peer() {
	local bdf
	bdf=$(peer_find)
	bind_any "$bdf"
	perf peer 60 -a "$bdf" --iova-mode=pa -- --devtype crypto_virtio "${CBC[@]}" --ptest throughput --silent --csv-friendly --total-ops 200000 --burst-sz 32 --buffer-sz 64,1024 
	note "$? $(cat $RESULTS/peer.log | tail -5 | tr '\n' ' ')"
}
