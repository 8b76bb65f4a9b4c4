# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Runs dpdk-accel-tool on a function, and asks for the telemetry of another one. test/vm/guest sources this file.

# tool NAME COMMAND OPTION...: runs a subcommand on the first function. It is linked with the driver, so it needs
# no plug-in.
tool() {
	local name=$1 command=$2
	shift 2
	program "$name" 300 "$BUILD/release/app/accel-tool/dpdk-accel-tool" "$command" --lcores 0@0 --log-level=error \
		--no-telemetry --iova-mode=va -a "${FUNCTIONS[0]},timeout_ms=30000" "$@"
}

# True when the log of the run NAME has each of the patterns.
tool_says() {
	local name=$1 pattern
	shift
	for pattern in "$@"; do
		grep -qE -- "$pattern" "$RESULTS/$name.log" || { note "$name: no $pattern"; return 1; }
	done
}

# True when the tool says what the function is.
tool_info() {
	tool tool-info info --json && tool_says tool-info "\"device\": \"${FUNCTIONS[0]}\"" '"transport": "(pci|vf)"' \
		'"state": "ready"' '"algorithm": "aes-gcm"'
}

# True when every operation in random layouts is right.
tool_loopback() {
	tool tool-loopback loopback --operations 5000 --time 120 --patience 60 &&
		tool_says tool-loopback '^verdict: good'
}

# True when times come out.
tool_measures() {
	tool tool-latency latency --sizes 64 --bursts 1,8 --operations 500 &&
		tool tool-stages stages --samples 200 --size 256 && tool_says tool-stages 'rte_cryptodev_raw_enqueue_done'
}

# True when it says that a card cannot be broken on purpose.
tool_no_fault() {
	! tool tool-fault fault --inject dead@1 && tool_says tool-fault 'cannot be broken on purpose' 'exit code 3'
}

# Asks dpdk-test-crypto-perf on the function to break over its telemetry socket, and holds the answers against its
# output. The host injects the faults.
tool_telemetry() {
	local log=$RESULTS/tool-telemetry.log passed failed
	ACCEL_FUNCTION=${FUNCTIONS[2]} ACCEL_FUNCTION_NUMBER=2 ACCEL_HOST_FD=5 ACCEL_PLUGIN=$PLUGIN \
		ACCEL_EAL='--iova-mode=va' ACCEL_LCORES=$LCORES PYTHONDONTWRITEBYTECODE=1 \
		program tool-telemetry 900 python3 /host/source/test/telemetry/telemetry.py
	passed=$(grep -c '^ok ' "$log")
	failed=$(grep -c '^not ok ' "$log")
	((passed + failed == $(sed -nE 's/^1\.\.([0-9]+)$/\1/p' "$log"))) || failed=$((failed + 1))
	grep '^not ok ' "$log" | while read -r line; do note "$line"; done
	tell "count $passed $failed telemetry of dpdk-test-crypto-perf on ${FUNCTIONS[2]}"
}

section_tool() {
	step "dpdk-accel-tool on ${FUNCTIONS[0]}"
	check "info names the function, its state and its algorithms" tool_info
	check "loopback: every operation in random layouts is right" tool_loopback
	check "latency and stages measure" tool_measures
	check "fault refuses a card that is not embedded" tool_no_fault
	tool_telemetry
}
