#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The sample card of examples/card: accel-conformance, and the unchanged driver with dpdk-accel-tool. `meson test`
# calls it as card.sh CARD TREE CONFORMANCE TOOL, where TOOL has the driver with the transport for tests. It prints TAP.
set -euo pipefail
# shellcheck source=tools/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"
# shellcheck source=test/common/ok.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common/ok.sh"
# shellcheck source=test/common/card.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common/card.sh"

# Runs a command of dpdk-accel-tool on the card.
tool() {
	"$TOOL" "$1" --lcores "0@$CPU" --no-huge -m 256 --no-shconf --no-pci --no-telemetry --log-level=error \
		--vdev "accel_client0,socket=$SOCKET,timeout_ms=60000" -- "${@:2}"
}

# True if the driver names these algorithms and no other.
names() {
	local found
	found=$(tool info | awk '/^algorithms/ { on = 1 } on && $1 ~ /^(cipher|auth|aead)$/ { print $2 }' | xargs)
	echo "$found" >&2
	[ "$found" = "$*" ]
}

lacks_health() { tool info | tee /dev/stderr | grep -q 'state: this firmware has no health page'; }

loopback() { tool loopback --operations 20000 --interval 0 | tee /dev/stderr | grep -q '^verdict: good'; }

# refuses TREE TEXT: a tree that the card cannot be is refused with a line that says so.
refuses() {
	local output
	! output=$("$CARD" --socket "$SOCKET.2" --tree "$1" 2>&1) && grep -q "$2" <<<"$output"
}

# wrong TEXT ARGUMENT...: the card refuses these arguments with a line that says why.
wrong() {
	local output code=0
	output=$("$CARD" "${@:2}" 2>&1) || code=$?
	[ "$code" = 2 ] && grep -qxF "$1" <<<"$output"
}

# True if wrong command lines are named.
names_arguments() {
	wrong 'accel-sample-card: unknown argument --sockets' --sockets x --tree y &&
		wrong 'accel-sample-card: unknown argument extra' --socket x --tree y extra &&
		wrong 'accel-sample-card: no --tree FILE.dtb' --socket x && wrong 'accel-sample-card: no --socket PATH' --socket
}

# Runs accel-conformance and keeps what it says.
conformance_kept() {
	"$CONFORMANCE" --socket "$SOCKET" | tee "$ACCEL_SCRATCH/conformance.tap" >&2
	grep -q '^# [0-9]* passed, 0 failed, [0-9]* skipped$' "$ACCEL_SCRATCH/conformance.tap"
}

# Prints the numbers of duties in a text.
numbers() { grep -oE '\b[A-Z]+-[0-9]+\b' | sort -u; }

# True if the tests of just those duties ran that the manual lists for the least card (section 11). Its last row has
# those that no test sees. A test that did not catch the card at work, since it was too fast, is one of its duties, too.
least() {
	diff -U 0 <(sed -n '/^Of the/,/^no test/p' "$ACCEL_ROOT/doc/hardware/tables/least.txt" | sed '$d' | numbers) \
		<(sed -n '/# SKIP/{ /too fast to see it\|too short to be met/!d }; s/^ok [0-9]* - \[\([^]]*\)\].*/\1/p' "$ACCEL_SCRATCH/conformance.tap" | numbers) >&2
}

main() {
	CARD=$1 CONFORMANCE=$3 TOOL=$4
	CPU=$(allowed_cpus | head -n 1)
	scratch_prepare
	head -c 100 "$2" >"$ACCEL_SCRATCH/cut.dtb"
	printf '1..9\n'
	start_card "$CARD" --tree "$2"
	ok "the card starts with its tree" serves
	ok "accel-conformance: every duty that it has" conformance_kept
	ok "the duties of the least card, and no other" least
	ok "the driver finds its three algorithms" names aes-cbc sha256-hmac aes-gcm
	ok "the driver says that the card has no health page" lacks_health
	ok "the driver: 20000 operations in random layouts are right" loopback
	end_card
	ok "the card ends" [ "$CARD_CODE" = 0 ]
	ok "wrong arguments are named" names_arguments
	ok "a tree that is cut is refused" refuses "$ACCEL_SCRATCH/cut.dtb" 'not one that this card can be'
}

supervised main "$@"
