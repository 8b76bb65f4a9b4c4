#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs accel-conformance against accel-device and prints TAP:
#
#   run.sh ACCEL-DEVICE ACCEL-CONFORMANCE [RUN...]
#
#   card     all tests on a card with one function
#   cores    the tests of IPsec and of contexts that move on a card whose queue pairs have threads of their own
#   posted   all tests on a card that does not learn of failed writes
#   two      the tests of two functions of one card
#   pf       the same, of which the other one is the physical function of the first
#   vf       the tests of a virtual function and its physical one
#   many     the same with the last of 256 virtual functions
#   drop     the tests of contexts on a card that drops all copies at once
#   pairs    the tests of contexts and chains on a card that chains some ciphers with some authentications
#   sizes    the tests of protocols and of AAD on a card with one size of each algorithm, without AAD in commands
#   fatal    how a card fails
#   replay   the worked example of the manual
#   words    what the program says: patterns that match nothing, and its last line
#   closed   the program is started without the descriptors 0 to 2
#
# Without a run it does all of them but many, words and closed, one after the other, up to the first that fails. With
# ACCEL_ONLY in the environment, card does only the tests of these duties or subjects.
set -euo pipefail

source=$(cd "$(dirname "$0")/../.." && pwd)
device=$1
conformance=$2
dir=$(mktemp -d "${TMPDIR:-/tmp}/accel-conformance-XXXXXX")
pid=''

# Ends the device that is running.
end_device() {
	if [ -n "$pid" ]; then
		kill "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
		pid=''
	fi
}

trap 'end_device; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP

# start SOCKETS OPTION...: starts the device and waits for its sockets, $dir/1 and so on. It makes that of the
# physical function, $dir/pf, last.
start() {
	local sockets=() i last
	for ((i = 1; i <= $1; i++)); do
		rm -f "$dir/$i"
		sockets+=(--socket "$dir/$i")
	done
	shift
	last=${sockets[-1]}
	if [[ " $* " == *" --pf-socket "* ]]; then last=$dir/pf; fi
	rm -f "$dir/pf"
	"$device" "${sockets[@]}" --quiet "$@" >"$dir/device.log" 2>&1 &
	pid=$!
	while kill -0 "$pid" 2>/dev/null; do
		[ ! -S "$last" ] || return 0
		sleep 0.02
	done
	printf 'Bail out! accel-device does not serve a socket\n'
	sed 's/^/# /' "$dir/device.log"
	return 1
}

# against SOCKETS OPTION... -- ARGUMENT...: runs the program against a device with these options.
against() {
	local options=() code=0
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	start "${options[@]}" || return 1
	"$conformance" --socket "$dir/1" "$@" || code=$?
	end_device
	if ((code != 0)); then sed 's/^/# /' "$dir/device.log"; fi
	return "$code"
}

run_card() { against 1 --queue-pairs 4 -- ${ACCEL_ONLY:+--only "$ACCEL_ONLY"}; }

run_cores() { against 1 --queue-pairs 4 --cores 4 -- --only 'ipsec*,moves'; }

run_posted() {
	if ! "$device" --help | grep -q -- --posted-writes; then
		printf '1..0 # SKIP accel-device has no --posted-writes\n'
		return 0
	fi
	against 1 --queue-pairs 4 --posted-writes --
}

run_two() { against 2 --queue-pairs 2 -- --other-socket "$dir/2" --only 'others,moves'; }

run_pf() {
	against 1 --queue-pairs 4 --pf-socket "$dir/pf" -- --other-socket "$dir/pf" --only 'others,moves'
}

# The card has fewer queue pairs than its two virtual functions could use.
run_vf() {
	against 2 --queue-pairs 4 --vf-queue-pairs 6 --pf-socket "$dir/pf" -- \
		--other-socket "$dir/2" --pf-socket "$dir/pf" --only 'vf*'
}

run_many() {
	against 256 --queue-pairs 2 --pf-socket "$dir/pf" -- \
		--socket "$dir/256" --other-socket "$dir/128" --pf-socket "$dir/pf" --only 'vf*'
}

run_drop() { against 1 --queue-pairs 4 --profile drop-all -- --only 'invalidate,context,moves'; }

run_sizes() {
	against 1 --queue-pairs 2 --profile one-size -- --only 'tree,aad,docsis,pdcp,ipsec*,tls,moves'
}

run_pairs() {
	against 1 --queue-pairs 2 --profile pairs -- --only 'tree,context,regions,bits,in_stream,algorithms'
}

run_fatal() { against 1 --faults fatal@1 -- --fatal; }
run_replay() { against 1 --queue-pairs 1 -- --replay "$source/doc/hardware/first-request.txt"; }

# Prints a test: that the program ends with the code $1 and has the line $2, with the arguments after them.
says() {
	local code=0 output
	output=$("$conformance" --socket "$dir/1" "${@:3}" 2>&1) || code=$?
	number=$((number + 1))
	if ((code == $1)) && grep -qx -- "$2" <<<"$output"; then
		printf 'ok %d - %s: %s\n' "$number" "${*:3}" "$2"
	else
		printf 'not ok %d - %s: exit code %d\n' "$number" "${*:3}" "$code"
		sed 's/^/# /' <<<"$output"
	fi
}

# Prints a test: a second client is told so, and the log of the daemon says it, too. The first one only connects.
run_second_client() {
	local first
	/usr/bin/python3 -c 'import signal, socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
print("connected", flush=True)
signal.pause()' "$dir/1" >"$dir/first" &
	first=$!
	until [ -s "$dir/first" ]; do sleep 0.02; done
	says 1 '.*another client has the function; .*' --only QP-1
	kill "$first"
	wait "$first" || true
}

# The card of this run has no protocols.
run_words() {
	local number=0
	start 1 --queue-pairs 2 --profile few || return 1
	printf '1..6\n'
	says 2 ".*no test has the duty or subject 'GEN-99'.*" --only 'QP-1,GEN-99'
	says 2 ".*no test has the duty or subject ''.*" --only ''
	says 2 '.*unexpected argument extra.*' --only QP-1 extra
	says 0 '# [1-9][0-9]* passed, 0 failed, 0 skipped' --only QP-1
	says 0 '# 0 passed, 0 failed, [1-9][0-9]* skipped' --only docsis
	run_second_client
	end_device
}

# Prints what the descriptors 0 to 2 of a process are.
descriptors() {
	local fd
	for fd in 0 1 2; do readlink "/proc/$1/fd/$fd" || true; done
}

# Files of the program's own get other numbers than those: the socket of the device, and memory for its DMA.
run_closed() {
	local tester files=()
	start 1 --queue-pairs 4 || return 1
	"$conformance" --socket "$dir/1" <&- >&- 2>&- &
	tester=$!
	while kill -0 "$tester" 2>/dev/null; do
		[[ "$(readlink "/proc/$tester/fd/"* || true)" != *socket:* ]] || break
		sleep 0.02
	done
	mapfile -t files < <(descriptors "$tester")
	kill "$tester" 2>/dev/null || true
	wait "$tester" 2>/dev/null || true
	printf '1..1\n'
	if [ "${files[*]}" = '/dev/null /dev/null /dev/null' ]; then
		printf 'ok 1 - closed descriptors\n'
	else
		printf 'not ok 1 - closed descriptors: %s\n' "${files[*]}"
		return 1
	fi
}

main() {
	local run
	if (($# == 0)); then set -- card cores two pf vf drop sizes pairs fatal replay posted; fi
	for run in "$@"; do
		"run_$run" || return 1
	done
}

main "${@:3}"
