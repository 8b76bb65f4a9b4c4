#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds examples/minimal with its Makefile, and runs it with several devices and with none. `meson test` calls it
# as minimal.sh PROGRAM PLUGIN, with the program that meson has built. It prints TAP.
set -euo pipefail
# shellcheck source=tools/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"
# shellcheck source=test/common/ok.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common/ok.sh"

SOURCE=$ACCEL_ROOT/examples/minimal
# What the program prints when it needs no more than one device that works.
ONE='1 operations: 1 back, 1 right, 0 failed; 0 times the queue pair was full'
ALL='100000 operations: 100000 back, 100000 right, 0 failed; [0-9]* times the queue pair was full'

# ends CODE PROGRAM ARGUMENT... -- LINE...: true when the program ends with this code and prints each of the lines,
# which are patterns of whole lines.
ends() {
	local want=$1 code=0 command=() output line
	shift
	while [ "$1" != -- ]; do
		command+=("$1")
		shift
	done
	shift
	output=$(timeout --kill-after=5 1200 "${command[@]}" 2>&1) || code=$?
	printf '$ %s\n%s\n$ exit code %d\n' "${command[*]}" "$output" "$code"
	[ "$code" = "$want" ] || return 1
	for line in "$@"; do
		grep -qx -e "$line" <<<"$output" || { printf 'no line "%s"\n' "$line" && return 1; }
	done
}

# minimal CODE EAL-ARGUMENT... -- LINE...: runs the program on one CPU, as ends() does.
minimal() {
	ends "$1" "$PROGRAM" --lcores "0@$CPU" --no-huge -m 64 --no-shconf --no-pci --no-telemetry \
		--log-level=error "${@:2}"
}

# accel CODE DEVARGS LINE...: runs the program with the card in software.
accel() { minimal "$1" -d "$ACCEL_PLUGIN" --vdev "crypto_accel0$2" -- 'device: crypto_accel0' "${@:3}"; }

# Builds a copy as the README says, and with no warning.
makes() { cp -r "$SOURCE" "$COPY" && CFLAGS='-O2 -Werror' make -C "$COPY"; }

# Runs the command of the README in the copy, and compares with the output that is there.
readme() {
	local command lines
	command=$(sed -n 's/^build\/minimal /&/p' "$COPY/README.md")
	mapfile -t lines < <(sed -nE '/^(device: |[0-9]+ operations: )/p' "$COPY/README.md")
	((${#lines[@]} == 3)) || return 1
	cd "$COPY"
	# shellcheck disable=SC2086 # words
	ends 0 $command --lcores "0@$CPU" -- "${lines[@]:0:2}" "$ALL"
}

# True when Debian's DPDK has the driver of crypto_aesni_mb.
has_aesni_mb() { compgen -G '/usr/lib/*/dpdk/pmds-*/librte_crypto_ipsec_mb.so' >/dev/null; }

# Runs all tests.
main() {
	PROGRAM=$1
	CPU=$(allowed_cpus | head -n 1)
	scratch_prepare
	plugin_prepare "$2" >&2
	COPY=$ACCEL_SCRATCH/minimal
	printf '1..16\n'
	ok "make, without warnings" makes
	if has_aesni_mb; then
		ok "the command of the README, on crypto_aesni_mb0" readme
	else
		skip "the command of the README, on crypto_aesni_mb0" "librte_crypto_ipsec_mb is not installed"
	fi
	ok "crypto_accel0: all results are right" accel 0 '' "$ONE" "$ALL"
	ok "crypto_accel0 that works when it is polled" accel 0 ,cores=inline "$ONE" "$ALL"
	ok "crypto_accel0 that is slower than the program: what it does not take is offered again" accel 0 \
		,peak_ops=200k "$ONE" '.* 100000 right, 0 failed; [1-9][0-9]* times the queue pair was full'
	ok "wrong results are found" accel 1 ,engine=null '1 operations: 1 back, 0 right, 0 failed; .*'
	ok "operations that fail are counted" accel 1 ,faults=status:5@1000/100 "$ONE" \
		'100000 operations: 100000 back, 99009 right, 991 failed; .*'
	ok "a device that dies gives all operations back" accel 1 \
		,faults=dead@5000,timeout_ms=100,recover=off "$ONE" \
		'100000 operations: 100000 back, 4999 right, 95001 failed; .*'
	ok "a device that takes no operations any more: the program gives up" accel 1 \
		,faults=dead@5000,timeout_ms=100,refuse_when_dead=1,recover=off "$ONE" \
		'100000 operations: .* 4999 right, .*'
	ok "a device that dies and that the driver heals: the program gets the rest done" accel 1 \
		,faults=dead@5000,timeout_ms=100,refuse_when_dead=1 "$ONE" \
		'100000 operations: 100000 back, 99[0-9]* right, [0-9]* failed; .*'
	ok "no device: says what to do" minimal 1 -- '.*no crypto device; add --vdev crypto_aesni_mb0, or -a .*'
	ok "an unknown device: says where to look" minimal 1 --vdev crypto_unknown0 -- \
		'.*the EAL does not start; its log lines say why'
	ok "an argument that is not the EAL's is named" minimal 2 unknown -- ".*unknown argument 'unknown'; .*"
	ok "an option that the EAL does not know" minimal 2 --unknown -- '.*the EAL does not start; .*'
	cp "$ACCEL_PLUGIN" "$ACCEL_SCRATCH/second.so"
	ok "a plug-in that is loaded twice says so, and the first one works" minimal 0 -d "$ACCEL_PLUGIN" \
		-d "$ACCEL_SCRATCH/second.so" --vdev crypto_accel0 -- '.*the driver is loaded twice: .*' "$ALL"
	ok "a device without the algorithm" minimal 1 --vdev crypto_null0 -- \
		'.*crypto_null0 cannot do AES-128-CBC; use another device'
}

supervised main "$@"
