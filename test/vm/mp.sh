# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Runs the project's multi-process test on one function. test/vm/guest sources this file.

section_mp() {
	local code=0 passed failed
	step "Several processes on ${FUNCTIONS[1]}"
	ACCEL_MP_PCI=${FUNCTIONS[1]} program mp 600 "$BUILD/release/test/mp/accel-mp" --lcores 0@0 \
		"${ACCEL_ARGS[@]}" --huge-dir /dev/hugepages -m 128 || code=$?
	read -r passed failed < <(sed -nE 's/^# ([0-9]+) passed, ([0-9]+) failed.*/\1 \2/p' "$RESULTS/mp.log" | tail -n 1)
	[ "$code" = 0 ] || [ "${failed:-0}" != 0 ] || failed=1
	tell "count ${passed:-0} ${failed:-1} accel-mp"
}
