# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Runs DPDK's own cryptodev tests on one function, with the program that tools/autotest builds.
# test/vm/guest sources this file.

section_autotest() {
	# The program prints much. Its log lies in the guest meanwhile, because each line takes time on the share.
	local out passed failed to=$RESULTS RESULTS=/tmp
	step "DPDK's cryptodev_accel_autotest on ${FUNCTIONS[0]}"
	program autotest-accel 900 "$BUILD/autotest/build/app/test/dpdk-test" --no-telemetry --iova-mode=va \
		--lcores "$LCORES" -a "${FUNCTIONS[0]}" cryptodev_accel_autotest
	cp "$RESULTS/autotest-accel.log" "$to/"
	out=$(PYTHONDONTWRITEBYTECODE=1 python3 /host/source/tools/py/autotest.py report \
		--rules /host/source/test/autotest/skips.txt "$RESULTS/autotest-accel.log")
	grep -A5 FAILED <<<"$out" | while read -r line; do note "$line"; done
	read -r passed failed < <(sed -nE '$s/([0-9]+) passed, ([0-9]+) failed, .*/\1 \2/p' <<<"$out")
	tell "count ${passed:-0} ${failed:-1} cryptodev_accel_autotest"
}
