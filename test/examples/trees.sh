#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The example trees of examples/card, served by the sample card: they keep to the bindings, accel-conformance finds
# what breaks them, and the driver reads them. `meson test` calls it as trees.sh CARD SMALL LARGE CONFORMANCE
# TOOL CLIENT, where CLIENT is the tool with the transport for tests. It prints TAP.
set -euo pipefail
# shellcheck source=tools/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"
# shellcheck source=test/common/ok.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common/ok.sh"
# shellcheck source=test/common/card.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common/card.sh"

# What breaks the large tree, a row each: arguments of fdtput behind the file, and what accel-conformance says of it.
BREAKS='
-d / #address-cells|#address-cells or #size-cells is not 1
-d / model|the root has no model
-d /dma operation-ms|a node crypto-accel,dma-medusa-1 without operation-ms
-t i /dma operation-ms 0|operation-ms is 0
-t i /dma ring-size-max 3000|ring-size-max is 3000
-t x /health@3000 reg 1000 1000|two pages at 0x1000
-t x /firmware@14000 reg 14000 1000 100000 1000|a region at 0x100000
-d /queue-pair@22000 reg|a reg has not 2 regions
-r /invalidate@2000|no node crypto-accel,invalidate-1
-t i /engines chains 8|chains is 0x8, and the two older properties say 0x18
-d /engines/cipher-aes-cbc block-size|a node crypto-accel,cipher without block-size
-t i /engines/cipher-aes-cbc alg-id 200|alg-id 200 of a node crypto-accel,cipher
-t i /engines/aead-aes-gcm key-sizes 16 40 8|key-sizes of aes-gcm (192): 16 40 8
-t i /engines/auth-sha256-hmac digest-sizes 0 32 1|digest-sizes of sha256-hmac (74): 0 32 1
-t i /engines/auth-zuc-eia3 key-iv-sizes 16 16 32|key-iv-sizes of a node crypto-accel,auth has 12 bytes
-r /engines/cipher-aes-docsis-bpi|DOCSIS has cipher 10, which has no node
-d /engines/esp replay-window-max|a node crypto-accel,esp without replay-window-max
-t i /engines/cipher-3des-cbc key-sizes 8 8 0|TLS 1.2 lists algorithm 7 without a size that it can use
-d /pk/rsa operations|a node crypto-accel,pk without operations
-t s /pk/ml-dsa curves abcd|curves of a node crypto-accel,pk has 5 bytes
-d /pk/random max-bytes|a node crypto-accel,random-1 without max-bytes
'

# Starts the sample card with a tree, in place of the one before.
card() {
	end_card
	rm -f "$ACCEL_SCRATCH/card"
	start_card "$CARD" --tree "$1"
}

# Makes the large tree that fdtput changes with these words, and starts the card with it.
broken_card() {
	local change=1
	[ "$1" != -t ] || change=2
	cp "$LARGE" "$ACCEL_SCRATCH/broken.dtb"
	fdtput "${@:1:change}" "$ACCEL_SCRATCH/broken.dtb" "${@:change+1}"
	card "$ACCEL_SCRATCH/broken.dtb"
}

# True if accel-conformance says this of the tree, and fails.
refuses() {
	local output code=0
	serves
	output=$("$CONFORMANCE" --socket "$SOCKET" --only tree 2>&1) || code=$?
	printf '%s\n' "$output"
	[ "$code" = 1 ] && grep -qF "$1" <<<"$output"
}

# algorithms TOOL DEVICE: prints the algorithms that the driver offers on a device, with their sizes.
algorithms() {
	"$1" info --lcores "0@$CPU" --no-huge -m 256 --no-shconf --no-pci --no-telemetry --log-level=error \
		--vdev "$2" -- | awk '$1 ~ /^(cipher|auth|aead|asym)$/'
}

# True if the driver offers on the large card what it offers on the reference model, which has all of the contract.
offers_all() {
	local have
	have=$(algorithms "$CLIENT" "accel_client0,socket=$SOCKET,timeout_ms=60000")
	grep -q 'aes-gcm' <<<"$have" && diff <(algorithms "$TOOL" crypto_accel0) - <<<"$have"
}

main() {
	local tree row text words
	CARD=$1 LARGE=$3 CONFORMANCE=$4 TOOL=$5 CLIENT=$6
	CPU=$(allowed_cpus | head -n 1)
	scratch_prepare
	printf '1..%d\n' "$((5 + $(grep -c '|' <<<"$BREAKS")))"
	for tree in "$2" "$3"; do
		card "$tree"
		ok "${tree##*/}: the sample card starts with it" serves
		ok "${tree##*/}: it keeps to the bindings" conformance --only tree
	done
	ok "large.dtb: the driver offers all that it has" offers_all
	while IFS='|' read -r row text; do
		[ -n "$row" ] || continue
		read -ra words <<<"$row"
		broken_card "${words[@]}"
		ok "large.dtb with fdtput $row: $text" refuses "$text"
	done <<<"$BREAKS"
}

supervised main "$@"
