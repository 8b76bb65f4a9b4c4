# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Drives a virtual function in the inner guest of test/vm/nested.sh: known answers, throughput by size with
# dpdk-test-crypto-perf, and polling beside a notification per completion. test/vm/guest sources this file.

SIZES=(512 1024 2048 4096 8192 16384 32768 65536)
SHA256=(--optype auth-only --auth-algo sha2-256 --auth-op generate --auth-key-sz 0 --digest-sz 32)

# Few operations of large sizes, and many of small ones. A buffer of 65536 bytes does not fit in one segment,
# since lengths of mbufs have 16 bits.
# inner_perf NAME OPTION...: runs dpdk-test-crypto-perf for all sizes of one algorithm.
inner_perf() {
	local name=$1
	shift
	inner_perf_run "$name-1" 100000 512,1024,2048,4096 "$@" &&
		inner_perf_run "$name-2" 10000 8192,16384,32768 "$@" &&
		inner_perf_run "$name-3" 4000 65536 --segment-sz 32768 "$@"
}

# inner_perf_run NAME OPS SIZES OPTION...: true when every operation of each size came back.
inner_perf_run() {
	local name=$1 ops=$2 sizes=$3 lines
	shift 3
	lines=$(tr ',' '\n' <<<"$sizes" | wc -l)
	perf "$name" crypto_accel "${ACCEL_ARGS[@]}" -a "${FUNCTIONS[0]}" -- "$@" --ptest throughput \
		--total-ops "$ops" --burst-sz 32 --desc-nb 256 --pool-sz 1024 --buffer-sz "$sizes" &&
		perf_complete "$name" "$lines" "$ops"
}

# inner_gbps NAME SIZE: prints the Gbit/s of that size, or "-".
inner_gbps() {
	cat "$RESULTS/$1"-[123].log 2>/dev/null | grep -E '^ *[0-9]+, *[0-9]+,' | tr ',' ' ' |
		awk -v size="$2" '$2 == size { gbps = sprintf("%.2f", $9) } END { print gbps == "" ? "-" : gbps }'
}

# Prints the table of throughput, a column for each size.
inner_table() {
	local size row name
	row=$(printf '%-14s' 'Gbit/s')
	for size in "${SIZES[@]}"; do row+=$(printf '%8s' "$size"); done
	value "    $row"
	for name in AES-128-CBC SHA-256; do
		row=$(printf '%-14s' "$name")
		for size in "${SIZES[@]}"; do row+=$(printf '%8s' "$(inner_gbps "$name" "$size")"); done
		value "    $row"
	done
	value "    $(printf '%-14s%s' RSA '       - (the card has no asymmetric operations yet)')"
	note "bursts of 32; 65536 bytes are two segments, since an mbuf of 64 KiB does not exist"
}

# True when the table has a number for each size.
inner_table_full() {
	local name size
	for name in AES-128-CBC SHA-256; do
		for size in "${SIZES[@]}"; do [ "$(inner_gbps "$name" "$size")" != - ] || return 1; done
	done
}

section_inner() {
	local bdf=${FUNCTIONS[0]}
	step "The VF in the inner guest: $bdf, Linux $(uname -r)"
	check "$bdf: a virtual function" grep -qix 0xacc1 "/sys/bus/pci/devices/$bdf/device"
	check "$bdf: vfio-pci binds it" [ "$(driver_of "$bdf")" = vfio-pci ]
	e2e kat "known answers" "$bdf" --quick --only 'kat/*'
	check "AES-128-CBC: every operation of each size came back" inner_perf AES-128-CBC "${CBC[@]}"
	check "SHA-256: every operation of each size came back" inner_perf SHA-256 "${SHA256[@]}"
	inner_table
	check "the table has each size" inner_table_full
}
