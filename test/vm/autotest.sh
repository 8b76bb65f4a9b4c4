# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Runs DPDK's own cryptodev tests on one function, with the program that tools/autotest builds.
# test/vm/guest sources this file.

# dpdk_autotest COMMAND BDF: runs a command of DPDK's test program, and counts its cases.
dpdk_autotest() {
	local name=$1-$2 out passed failed
	step "DPDK's $1 on $2"
	# At the level debug it prints 20 MB of buffers, which takes most of the time in a translated guest.
	program "$name" 900 "$BUILD/autotest/build/app/test/dpdk-test" --no-telemetry --iova-mode=va \
		--log-level=info --lcores "$LCORES" -a "$2" "$1"
	out=$(PYTHONDONTWRITEBYTECODE=1 python3 /host/source/tools/py/run/autotest.py report \
		--rules /host/source/test/autotest/skips.txt "$RESULTS/$name.log")
	grep -A5 FAILED <<<"$out" | while read -r line; do note "$line"; done
	read -r passed failed < <(sed -nE '$s/([0-9]+) passed, ([0-9]+) failed, .*/\1 \2/p' <<<"$out")
	tell "count ${passed:-0} ${failed:-1} $1"
}

section_autotest() {
	dpdk_autotest cryptodev_accel_autotest "${FUNCTIONS[0]}"
}
