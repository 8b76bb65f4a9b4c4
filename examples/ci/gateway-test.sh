#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A test of a gateway whose card dies under it, for CI without hardware. The gateway is dpdk-test-crypto-perf here: put
# your own in its place. GATEWAY_PLUGIN is a plugin that is not in DPDK's folder, CARD_ARGS are more device arguments.
set -euo pipefail

case ${1:-} in
'') ;;
-h | --help)
	sed -n '3,/^set/{/^set/d;s/^# //;p}' "${BASH_SOURCE[0]}"
	exit 0
	;;
*)
	echo "gateway-test.sh: unknown argument '$1'; it takes none, see --help" >&2
	exit 2
	;;
esac

card=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/card.py
prefix=gateway-test-$$
plugin=()
if [ -n "${GATEWAY_PLUGIN:-}" ]; then plugin=(-d "$GATEWAY_PLUGIN"); fi

# The card dies at operation 20000, without a word. The driver has to notice, and to start it again.
read -r -a device <<<"$("$card" devargs --faults dead@20000 --more "timeout_ms=200${CARD_ARGS:-}")"

dpdk-test-crypto-perf --no-huge -m 512 --no-shconf --no-pci --file-prefix "$prefix" --lcores "${LCORES:-0@0,1@0}" \
	"${plugin[@]}" "${device[@]}" -- --devtype crypto_accel --optype aead --aead-algo aes-gcm --aead-op encrypt \
	--aead-key-sz 32 --aead-iv-sz 12 --aead-aad-sz 12 --digest-sz 16 --buffer-sz 1024 --ptest throughput \
	--total-ops 1000000000 --pool-sz 4096 --silent &
gateway=$!
trap 'kill "$gateway" 2>/dev/null; wait "$gateway" 2>/dev/null || true' EXIT

"$card" check --file-prefix "$prefix" --start 60 --failures 1 --time 120
