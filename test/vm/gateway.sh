# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Runs DPDK's ipsec-secgw, unmodified, on a function whose accel-device is killed and started again under it.
# Packets circulate through the gateway (test/gateway), and each is encrypted and decrypted in turn. The ports
# compare each one at the end of its window: it has to be what it was, and to be there once. test/vm/guest
# sources this file.

SECGW=$BUILD/gateway/ipsec-secgw/build/ipsec-secgw
SECGW_LOG=$RESULTS/gateway.log
# Windows that the ports count, and packets that the gateway forwards in each.
SECGW_WINDOWS=64
SECGW_PACKETS=20000
SECGW_CRASHES=4

# Prints the plan of the ports: both SAs of loop.cfg in turn.
secgw_plan() {
	local i
	for ((i = 0; i < SECGW_WINDOWS; i++)); do
		[ $i = 0 ] || printf '+'
		printf '192.168.%d.2/%d' $((11 + i % 2)) $((64 + i % 8 * 128))
	done
}

# Starts the gateway. Its process is SECGW_PID.
secgw_start() {
	local loop=${PLUGIN%/*}/libgateway_loop.so
	local command=("$SECGW" --lcores 0@0 "${ACCEL_ARGS[@]}" --log-level=notice -d "$loop"
		-a "$1,timeout_ms=200" --vdev "net_loop0,windows=$(secgw_plan),packets=$SECGW_PACKETS,refill=1"
		--vdev net_loop1 -- -p 0x3 -u 0x2 --config "(0,0,0),(1,0,0)" -f /host/source/examples/gateway/loop.cfg)
	cp "$BUILD/release/test/gateway/libgateway_loop.so" "$loop"
	printf '$ %s\n' "${command[*]}" >"$SECGW_LOG"
	stdbuf -oL "${command[@]}" >>"$SECGW_LOG" 2>&1 </dev/null &
	SECGW_PID=$!
}

# Prints the number of lines of the log that have the text $1.
secgw_count() { grep -c -- "$1" "$SECGW_LOG"; }

# secgw_wait COMMAND...: waits until a command is true. False if the gateway ends before.
secgw_wait() {
	until "$@"; do
		kill -0 "$SECGW_PID" 2>/dev/null || return 1
		sleep 0.2
	done
}

# True when more than $1 windows are over.
secgw_windows_over() { [ "$(secgw_count '^loop: window')" -gt "$1" ]; }

# True when the driver has healed each queue pair that has failed, and more than $1.
secgw_healed() {
	local failed
	failed=$(secgw_count 'they come back with an error')
	[ "$failed" -gt "$1" ] && [ "$(secgw_count 'works again, started')" -ge "$failed" ]
}

# Kills accel-device while packets circulate, and waits until the driver has healed what has failed.
secgw_crash() {
	local windows failed
	windows=$(secgw_count '^loop: window')
	secgw_wait secgw_windows_over "$windows" || return 1
	failed=$(secgw_count 'they come back with an error')
	ask crash 0 && secgw_wait secgw_healed "$failed"
}

# secgw_windows CONDITION: prints how many windows fulfil a condition of awk on number, lost, bad.
secgw_windows() {
	sed -nE 's/^loop: window ([0-9]+) .* lost ([0-9]+) bad ([0-9]+)$/\1 \2 \3/p' "$SECGW_LOG" |
		awk "{ number = \$1; lost = \$2; bad = \$3 } $1 { n++ } END { print n + 0 }"
}

# True when the counts of windows are those of a gateway that has lost packets in outages only.
secgw_windows_good() {
	local lossy
	lossy=$(secgw_windows 'lost > 0')
	note "$lossy windows of $SECGW_WINDOWS with packets that were lost in an outage"
	[ "$(secgw_windows 'bad > 0')" = 0 ] && [ "$(secgw_windows 'number >= 0')" = "$SECGW_WINDOWS" ] &&
		[ "$lossy" -gt 0 ] && [ "$(secgw_windows "number == $((SECGW_WINDOWS - 1)) && lost == 0")" = 1 ]
}

section_gateway() {
	local i code=0
	step "ipsec-secgw on ${FUNCTIONS[0]}, whose accel-device is killed and started again under it"
	secgw_start "${FUNCTIONS[0]}"
	for ((i = 1; i <= SECGW_CRASHES; i++)); do
		check "crash $i: the driver heals what has failed, the gateway goes on" secgw_crash
	done
	wait "$SECGW_PID" || code=$?
	check "the gateway ends as it does without a crash" [ "$code" = 0 ]
	check "no packet was changed or came twice; none is lost at the end" secgw_windows_good
}
