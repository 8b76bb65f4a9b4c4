# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Drives a virtual function in the inner guest of test/vm/nested.sh: known answers, throughput by size with
# dpdk-test-crypto-perf, and polling beside a notification per completion, also with RSA. test/vm/guest sources
# this file.

# shellcheck source=test/bench/notify/notify.sh
. /host/source/test/bench/notify/notify.sh

SIZES=(512 1024 2048 4096 8192 16384 32768 65536)
RSA_SIZES=(128 256 384 512 1024) # bytes of a modulus
SHA256=(--optype auth-only --auth-algo sha2-256 --auth-op generate --auth-key-sz 0 --digest-sz 32)
ROUNDS=3
# A guest in a translated guest on a busy machine is slow, and late is not dead.
# shellcheck disable=SC2034 # for perf
PERF_SECONDS=300

# inner_perf_run NAME OPS SIZES OPTION...: true when every operation of each size came back.
inner_perf_run() {
	local name=$1 ops=$2 sizes=$3 lines
	shift 3
	lines=$(tr ',' '\n' <<<"$sizes" | wc -l)
	perf "$name" crypto_accel "${ACCEL_ARGS[@]}" -a "${FUNCTIONS[0]}" -- "$@" --ptest throughput \
		--total-ops "$ops" --burst-sz 32 --desc-nb 256 --pool-sz 1024 --buffer-sz "$sizes" &&
		perf_complete "$name" "$lines" "$ops"
}

# inner_perf NAME OPTION...: runs dpdk-test-crypto-perf for all sizes of one algorithm. A buffer of 65536 bytes
# has two segments, since the length of an mbuf has 16 bits.
inner_perf() {
	local name=$1 round
	shift
	for ((round = 1; round <= ROUNDS; round++)); do
		inner_perf_run "$name-one-$round" 40000 512,1024,2048,4096,8192,16384,32768 "$@" &&
			inner_perf_run "$name-two-$round" 4000 65536 --segment-sz 32768 "$@" || return 1
	done
}

# inner_gbps NAME SIZE: prints the Gbit/s of that size, the median of the rounds, or "-".
inner_gbps() {
	cat "$RESULTS/$1"-{one,two}-*.log 2>/dev/null | grep -E '^ *[0-9]+, *[0-9]+,' | tr ',' ' ' |
		awk -v size="$2" '$2 == size { print $9 }' | sort -g | awk -v rounds="$ROUNDS" '
			{ gbps[NR] = $1 }
			END { if (NR == rounds) printf "%.3f\n", gbps[int((NR + 1) / 2)]; else print "-" }'
}

# inner_row NAME COMMAND...: prints a row of a table: the name, and what the command prints for each size.
inner_row() {
	local row size
	row=$(printf '%-24s' "$1")
	shift
	for size in "${SIZES[@]}"; do row+=$(printf ' %8s' "$("$@" "$size")"); done
	value "    $row"
}

# Prints the table of throughput.
inner_table() {
	local name
	inner_row 'bytes' echo
	for name in AES-128-CBC SHA-256; do inner_row "$name, Gbit/s" inner_gbps "$name"; done
	note "bursts of 32, medians of $ROUNDS rounds; 65536 bytes are two segments, since an mbuf holds less"
}

# inner_full COMMAND...: true when the command prints a number above 0 for each size.
inner_full() {
	local size number
	for size in "${SIZES[@]}"; do
		number=$("$@" "$size")
		awk -v number="$number" 'BEGIN { exit !(number + 0 > 0) }' || return 1
	done
}

# True when the table has each size of each algorithm.
inner_table_full() { inner_full inner_gbps AES-128-CBC && inner_full inner_gbps SHA-256; }

# inner_notify KIND IN-FLIGHT OPTION...: polls, and sleeps until the VF announces a completion by MSI-X, in turns. The
# card announces each one, since it writes each one back (wb_count=1).
inner_notify() {
	local kind=$1 depth=$2
	shift 2
	program "notify-$kind-$depth" 600 "$BUILD/release/test/bench/accel-notify" --lcores 0@0 "${ACCEL_ARGS[@]}" \
		-a "${FUNCTIONS[0]},wb_count=1" -- --kind "$kind" --in-flight "$depth" --seconds 0.05 "$@" &&
		notify_complete "$RESULTS/notify-$kind-$depth.log" $((2 * ${#SIZES[@]})) &&
		notify_announced "$RESULTS/notify-$kind-$depth.log"
}

# notify_rate FILE HOW SIZE: prints the rate of one way and size in its best round, which other programs of the
# machine disturbed least: Gbit/s, or signatures per second.
notify_rate() { awk -F, -v how="$2" -v size="$3" '$1 == how && $3 == size { printf "%.3f\n", $8 }' "$RESULTS/$1.log"; }

# notify_each FILE SIZE: prints how many completions of that size an announcement stood for.
notify_each() { awk -F, -v size="$2" '$1 == "notify" && $3 == size && $9 > 0 { printf "%.1f\n", $6 / $9 }' "$RESULTS/$1.log"; }

# notify_hertz FILE SIZE: prints how many announcements there were per second.
notify_hertz() { awk -F, -v size="$2" '$1 == "notify" && $3 == size { printf "%.0f\n", $11 }' "$RESULTS/$1.log"; }

# inner_curves KIND IN-FLIGHT UNIT OPTION...: prints both curves, and checks that they have each size.
inner_curves() {
	local kind=$1 depth=$2 unit=$3 how
	shift 3
	check "$kind, $depth in flight: every operation came back, polled and announced" inner_notify "$kind" "$depth" "$@"
	inner_row 'bytes' echo
	for how in poll notify; do
		inner_row "$how, $unit" notify_rate "notify-$kind-$depth" "$how"
		check "$kind, $depth in flight, $how: each size" inner_full notify_rate "notify-$kind-$depth" "$how"
	done
	inner_row 'done per interrupt' notify_each "notify-$kind-$depth"
	inner_row 'interrupts per second' notify_hertz "notify-$kind-$depth"
}

# Signs with RSA, whose keys the host has made.
inner_rsa() {
	local SIZES=("${RSA_SIZES[@]}") depth
	for depth in 32 1; do inner_curves rsa-sign "$depth" 'signatures/s' --rounds 5 --keys "$RESULTS/keys"; done
}

section_inner() {
	local bdf=${FUNCTIONS[0]}
	step "The VF in the inner guest: $bdf, Linux $(uname -r)"
	check "$bdf: a virtual function" grep -qix 0xacc1 "/sys/bus/pci/devices/$bdf/device"
	check "$bdf: vfio-pci binds it" [ "$(driver_of "$bdf")" = vfio-pci ]
	E2E_SECONDS=300 e2e kat "known answers" "$bdf" --quick --only 'kat/*'
	check "AES-128-CBC: every operation of each size came back" inner_perf AES-128-CBC "${CBC[@]}"
	check "SHA-256: every operation of each size came back" inner_perf SHA-256 "${SHA256[@]}"
	inner_table
	check "the table has each size" inner_table_full
	step "Polling, and waiting for an interrupt for each completion"
	note "the best of 21 rounds of 50 ms, in which the two take turns"
	note "the interrupt is of a card for this bench alone, since the manual forbids it ([PCI-6])"
	inner_curves aes-128-cbc 32 Gbit/s --rounds 21
	inner_curves aes-128-cbc 1 Gbit/s --rounds 21
	inner_curves sha-256 32 Gbit/s --rounds 21
	step "RSA signatures"
	inner_rsa
}
