# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Tests public keys and random numbers on a function: our end-to-end test of them, DPDK's own asymmetric tests,
# and resets and a card that is killed and started again under their load. test/vm/guest sources this file.

# shellcheck source=test/vm/autotest.sh
. /host/source/test/vm/autotest.sh

# pk_on BDF: what a function and a VF have to pass. The section e2e has our end-to-end test already.
pk_on() {
	step "Public keys and random numbers on $1"
	if grep -qw e2e "$RESULTS/sections"; then
		dpdk_autotest cryptodev_accel_asym_autotest "$1"
		return
	fi
	E2E_SECONDS=900 e2e "pk-$1" "each algorithm, random mixes, stops and resets in mid-flight" "$1" --quick \
		--only 'pk/*'
	dpdk_autotest cryptodev_accel_asym_autotest "$1"
}

section_pk() {
	local bdf=${FUNCTIONS[0]}
	pk_on "$bdf"
	step "accel-device is killed and started again under public-key operations, on $bdf"
	E2E_SECONDS=600 e2e pk-crash "every operation comes back once, the driver heals both kinds of queue pairs" \
		"$bdf" --quick --only pk/break-and-heal \
		--break "echo do crash 0 >&5; read -r reply <&5; [ \"\$reply\" = ok ]"
	check "$bdf: works after it" works "$bdf"
}
