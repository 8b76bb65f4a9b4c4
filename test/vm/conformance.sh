# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Runs accel-conformance on functions that are bound to vfio-pci. test/vm/guest sources this file.

# conformance NAME TITLE ARGUMENT...: runs the program and counts each of its tests.
conformance() {
	local name=$1 title=$2 code=0 passed failed
	shift 2
	program "$name" 600 "$BUILD/release/app/accel-conformance/accel-conformance" "$@" || code=$?
	grep -A 4 -E '^not ok' "$RESULTS/$name.log" | head -n 20 | while read -r line; do note "$line"; done
	read -r passed failed < <(sed -nE 's/^# ([0-9]+) passed, ([0-9]+) failed, [0-9]+ skipped$/\1 \2/p' "$RESULTS/$name.log" |
		tail -n 1)
	[ "$code" = 0 ] || [ "${failed:-0}" != 0 ] || failed=1
	tell "count ${passed:-0} ${failed:-1} $title"
}

section_conformance() {
	step "The duties of the manual, through vfio: ${FUNCTIONS[0]}"
	conformance conformance "accel-conformance" --vfio "${FUNCTIONS[0]}"
	step "Two functions of one card: ${FUNCTIONS[0]}, ${FUNCTIONS[1]}"
	conformance conformance-two "accel-conformance, two functions" --vfio "${FUNCTIONS[0]}" \
		--other-vfio "${FUNCTIONS[1]}" --only others
}
