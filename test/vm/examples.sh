# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Runs examples/minimal on a function, as the README of examples/vm says. test/vm/guest sources this file.

# example_minimal BDF: true when the program ends well and all its results are right.
example_minimal() {
	local log=$RESULTS/minimal.log
	timeout --kill-after=5 300 "$BUILD/release/examples/minimal" --lcores 0@0 --in-memory --no-telemetry \
		--log-level=error -d "$PLUGIN" -a "$1" >"$log" 2>&1 </dev/null &&
		grep -qxF "device: $1" "$log" && grep -q '^100000 operations: 100000 back, 100000 right, ' "$log"
}

# Runs it on a function without a driver, as somebody does who forgot to bind it. True when the program says so.
example_unbound() {
	local log=$RESULTS/minimal-unbound.log code=0
	echo "$1" >"/sys/bus/pci/devices/$1/driver/unbind"
	timeout --kill-after=5 300 "$BUILD/release/examples/minimal" --lcores 0@0 --in-memory --no-telemetry \
		--log-level=error -d "$PLUGIN" -a "$1" >"$log" 2>&1 </dev/null || code=$?
	bind "$1" && [ "$code" = 1 ] && grep -q 'no crypto device; add --vdev .* that vfio-pci has' "$log"
}

section_examples() {
	local bdf=${FUNCTIONS[0]}
	step "examples/minimal on $bdf, in the guest that examples/vm/qemu-vfio-user has started"
	check "$bdf: one operation, then 100000, all right" example_minimal "$bdf"
	check "$bdf without vfio-pci: the program says what to do" example_unbound "$bdf"
}
