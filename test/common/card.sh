# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Runs a card of another program for tests that are shell scripts: one that serves a socket of vfio-user. They source
# tools/lib.sh and this file, and set CONFORMANCE to the path of accel-conformance.

CARD_PID=''
CARD_CODE=''

# start_card PROGRAM OPTION...: starts the card. SOCKET is the path of its socket. It ends with the script.
start_card() {
	SOCKET=$ACCEL_SCRATCH/card
	"$1" --socket "$SOCKET" "${@:2}" >"$ACCEL_SCRATCH/card.log" 2>&1 &
	CARD_PID=$!
	on_exit end_card
}

# True once the card serves its socket. It has all the time that it needs while it lives. The file is there before
# the card listens, so the kernel's list says whether it does: by the flag __SO_ACCEPTCON.
serves() {
	while kill -0 "$CARD_PID"; do
		! grep -qE "^\S+ \S+ \S+ 00010000 .* $SOCKET\$" /proc/net/unix || return 0
		sleep 0.02
	done
	return 1
}

# Ends the card, if it has not ended. Its exit code goes to CARD_CODE.
end_card() {
	local pid=$CARD_PID
	CARD_PID=''
	[ -n "$pid" ] || return 0
	CARD_CODE=0
	kill "$pid"
	wait "$pid" || CARD_CODE=$?
}

# conformance [OPTION...]: true if the card fulfils each duty that it has. Those of options that it lacks are skipped.
conformance() {
	"$CONFORMANCE" --socket "$SOCKET" "$@" | tee /dev/stderr | grep -q '^# [0-9]* passed, 0 failed, [0-9]* skipped$'
}
