#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs the scripts of examples/ci: the card dies under a stock program, and a card as PCI function is started, broken and
# stopped. `meson test` calls it as ci.sh PLUGIN ACCEL-DEVICE ACCEL-CONFORMANCE. It prints TAP.
set -euo pipefail
# shellcheck source=tools/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"
# shellcheck source=test/common/ok.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common/ok.sh"

CI=$ACCEL_ROOT/examples/ci

# answers CODE PATTERN ARGUMENT...: true if card.py ends with the code and prints a line with the pattern.
answers() {
	local want=$1 pattern=$2 code=0 output
	shift 2
	output=$("$ACCEL_PYTHON" "$CI/card.py" "$@" 2>&1) || code=$?
	printf '%s\nexit code %d\n' "$output" "$code"
	[ "$code" = "$want" ] && grep -q -e "$pattern" <<<"$output"
}

# Runs the gateway's test with more device arguments, and keeps what it prints.
gateway() {
	GATEWAY_PLUGIN=$ACCEL_PLUGIN CARD_ARGS=$1 LCORES="0@$CPU,1@$CPU" bash "$CI/gateway-test.sh" >"$ACCEL_SCRATCH/out" 2>&1
}

# True if all came back from the card that died, although some with an error.
dies() {
	local code=0
	gateway '' || code=$?
	cat "$ACCEL_SCRATCH/out"
	((code == 0)) && grep -q '^all came back$' "$ACCEL_SCRATCH/out" &&
		grep -qE ' [1-9][0-9]* came back with an error, [1-9][0-9]* failures' "$ACCEL_SCRATCH/out"
}

# True if the test fails when the driver does not heal the card.
stays_dead() {
	local code=0
	sed 's/--time 120/& --heal 3/' "$CI/gateway-test.sh" >"$ACCEL_SCRATCH/gateway-test.sh"
	cp "$CI/card.py" "$ACCEL_SCRATCH/"
	GATEWAY_PLUGIN=$ACCEL_PLUGIN CARD_ARGS=,recover=off LCORES="0@$CPU,1@$CPU" \
		bash "$ACCEL_SCRATCH/gateway-test.sh" >"$ACCEL_SCRATCH/out" 2>&1 || code=$?
	cat "$ACCEL_SCRATCH/out"
	((code == 1)) && grep -q 'queue pair 0: failed$' "$ACCEL_SCRATCH/out"
}

# True if the function fails as one does that was told to.
fatal() { "$CONFORMANCE" --socket "$ACCEL_CI_DIR/s0" --fatal | tee /dev/stderr | grep -q '^# [1-9][0-9]* passed, 0 failed, 0 skipped$'; }

# Runs all tests.
main() {
	scratch_prepare
	plugin_prepare "$1"
	CONFORMANCE=$3
	CPU=$(allowed_cpus | head -n 1)
	export ACCEL_CI_DIR=$ACCEL_SCRATCH/ci
	printf '1..9\n'
	ok "a card dies under dpdk-test-crypto-perf: all came back" dies
	ok "without healing the test fails" stays_dead
	ok "no process: exit code 3" answers 3 'no process with' check --file-prefix nobody
	ok "no card: exit code 3" answers 3 'no card runs' break dead@1
	ok "start of accel-device" answers 0 "^$ACCEL_CI_DIR/s0\$" start --program "$2" -- --quiet
	ok "a second start is refused" answers 1 'runs already' start --program "$2"
	ok "no fault: exit code 2" answers 2 'does not take the fault' break nonsense
	ok "broken, it fails as the manual says" fatal_after_break
	ok "stop" stops
}

# Breaks the card, and looks at it.
fatal_after_break() { answers 0 'has the fault' break fatal@1 && fatal; }

# True if nothing is left of the card.
stops() { answers 0 '' stop && [ ! -e "$ACCEL_CI_DIR" ]; }

supervised main "$@"
