#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Cards of other makers: profiles of accel-device with accel-conformance, and with the unchanged driver under the
# loopback of dpdk-accel-tool and the end-to-end test. `meson test` calls it as
#
#   matrix.sh ROW DEVICE CONFORMANCE TOOL E2E CLIENT-PLUGIN
#
# and prints TAP. The rows are below.
set -euo pipefail
# shellcheck source=tools/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"
# shellcheck source=test/common/ok.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common/ok.sh"
# shellcheck source=test/common/card.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common/card.sh"

# Chooses options of the card, subjects of accel-conformance, operations of the loopback (0: the card has no algorithm
# for it), cases of the end-to-end test (patterns), and the driver's deadline (or none, which the card's tree decides).
row() {
	SUBJECTS='*' OPERATIONS=1000 CASES=('*') TIMEOUT=,timeout_ms=60000
	case $1 in
	least) # 1024 descriptors, 16 fragments, 64 KiB a frame, no options; all algorithms
		CARD=(--profile least) CASES=('traffic/*') ;;
	small) # the least limits with few algorithms and chains in one order
		CARD=(--profile least+few) ;;
	sizes) # one size of key, IV, digest and AAD for each algorithm, and protocols with those that fit
		CARD=(--profile one-size) CASES=('layout/*' 'protocols/*' 'ipsec/*') ;;
	pairs) # chains of some ciphers with some authentications
		CARD=(--profile pairs) SUBJECTS='tree,context,regions,bits,in_stream,ipsec*' CASES=('layout/*' 'kat/*' 'ipsec/*') ;;
	none) # NOP and LOOPBACK only
		CARD=(--profile no-algs+least) OPERATIONS=0 ;;
	first) # no VERSION while it boots, the tree on the identity page
		CARD=(--profile few+late+tree-first) CASES=('pci/*') ;;
	last) # the tree at the end of BAR0, no context cache
		CARD=(--profile few+tree-last+no-cache) CASES=('layout/*') ;;
	drop) # one register in place of the words that drop contexts; IPsec and TLS
		CARD=(--profile drop-all) SUBJECTS='invalidate,context,moves,tree' CASES=('protocols/*') ;;
	long) # operations of 2.5 s, which is more than the driver waits for a card that does not say so
		CARD=(--profile few+slow-op) SUBJECTS='LIFE-5,DT-3,ALG-8,FN-*' OPERATIONS=100 CASES=('caps/*') TIMEOUT='' ;;
	slow) # stops of 0.7 s, and 500 operations a second
		CARD=(--profile few+slow-stop --peak-ops 500) SUBJECTS='stop,tree,identity' CASES=('caps/*') ;;
	*) return 1 ;;
	esac
}

eal() { echo --no-huge --no-shconf --no-pci --no-telemetry --log-level=error; }

# The verdict of a card without algorithms is that there is nothing to do (3).
loopback() {
	local code=0 want=0
	((OPERATIONS > 0)) || want=3
	# shellcheck disable=SC2046
	"$TOOL" loopback --lcores "0@$CPU" -m 256 $(eal) --vdev "accel_client0,socket=$SOCKET$TIMEOUT" -- \
		--operations "$((OPERATIONS > 0 ? OPERATIONS : 1))" --interval 0 >&2 || code=$?
	((code == want))
}

# Threads of the test share a CPU, if there is only one.
e2e() {
	local cases
	for cases in "${CASES[@]}"; do
		# shellcheck disable=SC2046
		"$E2E" --lcores "0@$CPU,1@$LAST" -m 512 $(eal) -d "$ACCEL_PLUGIN" \
			--vdev "accel_client0,socket=$SOCKET$TIMEOUT" -- --partial --quick --only "$cases" >&2 || return 1
	done
}

main() {
	local device=$2
	CONFORMANCE=$3 TOOL=$4 E2E=$5
	row "$1"
	CPU=$(allowed_cpus | head -n 1)
	LAST=$(allowed_cpus | tail -n 1)
	unset ACCEL_SCRATCH # rows run side by side, and each has its own socket
	scratch_prepare
	plugin_prepare "$6" >&2
	printf '1..4\n'
	start_card "$device" --queue-pairs 2 --quiet "${CARD[@]}"
	ok "the card starts: ${CARD[*]}" serves
	ok "accel-conformance: $SUBJECTS" conformance --only "$SUBJECTS"
	ok "loopback: $OPERATIONS operations" loopback
	ok "end-to-end test: ${CASES[*]}" e2e
}

supervised main "$@"
