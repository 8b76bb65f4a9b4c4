# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Runs the project's own end-to-end test on one function. test/vm/guest sources this file.

section_e2e() {
	step "The end-to-end test on ${FUNCTIONS[0]}"
	# shellcheck disable=SC2046 # words
	E2E_SECONDS=1800 e2e e2e "accel-e2e" "${FUNCTIONS[0]}" $(cat "$RESULTS/e2e-arguments")
}
