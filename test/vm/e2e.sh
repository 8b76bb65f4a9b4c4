# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# The project's own end-to-end test on one function. Sourced by test/vm/guest.

section_e2e() {
	step "The end-to-end test on ${FUNCTIONS[0]}"
	# shellcheck disable=SC2046 # words
	e2e e2e 900 "${FUNCTIONS[0]}" $(cat "$RESULTS/e2e-arguments")
}
