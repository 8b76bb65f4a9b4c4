# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Runs Debian's dpdk-test-crypto-perf on one function: known answers, and its other three tests.
# test/vm/guest sources this file.

# Runs known answers of NIST and RFCs, as tools/demo does on the embedded device.
perf_verify() {
	local passed failed
	ACCEL_FUNCTION=${FUNCTIONS[0]} ACCEL_PLUGIN=$PLUGIN ACCEL_EAL='--no-telemetry --iova-mode=va' \
		ACCEL_LCORES=$LCORES ACCEL_LOGS_DIR=$RESULTS PYTHONDONTWRITEBYTECODE=1 \
		python3 /host/source/tools/py/run/demo.py verify crypto_accel >"$RESULTS/verify.log" 2>&1
	read -r passed failed < <(sed -nE 's/.*known answers: ([0-9]+) passed, ([0-9]+) failed.*/\1 \2/p' \
		"$RESULTS/verify.log")
	[ "${failed:-1}" = 0 ] || grep -A2 FAILED "$RESULTS/verify.log" | while read -r line; do note "$line"; done
	tell "count ${passed:-0} ${failed:-1} verify: known answers"
}

# perf_ptest PTEST OPS ROWS: true when a test of dpdk-test-crypto-perf ends well and prints ROWS rows.
perf_ptest() {
	perf "$1" crypto_accel "${ACCEL_ARGS[@]}" -a "${FUNCTIONS[0]}" -- "${CBC[@]}" --ptest "$1" \
		--total-ops "$2" --burst-sz 32 --buffer-sz 64,1024 && [ "$(perf_rows "$1" | wc -l)" = "$3" ]
}

# True when all operations of the throughput test came back.
perf_throughput() { perf_ptest throughput 20000 2 && perf_complete throughput 2 20000; }

section_perf() {
	step "dpdk-test-crypto-perf on ${FUNCTIONS[0]}"
	perf_verify
	check "throughput" perf_throughput
	# This test prints a row for each operation.
	check "latency" perf_ptest latency 2000 4000
	check "pmd-cyclecount" perf_ptest pmd-cyclecount 20000 2
}
