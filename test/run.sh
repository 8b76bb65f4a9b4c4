#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs a test that needs memory and CPUs for DPDK's EAL. It prints TAP on stdout for `meson test`.
#
# run.sh e2e PROGRAM PLUGIN DEVARGS ARGUMENT...   end-to-end test of the embedded device
# run.sh soak PROGRAM                             the soak test, for a moment
# run.sh mp PROGRAM                               several processes on the embedded device
# run.sh bench PROGRAM PART                       one part of accel-bench, in its shortest form
# run.sh drivers PROGRAM PLUGIN LINES ARGUMENT...  a program that compares drivers, on the embedded device
# run.sh tasks BUILD_DIR PLUGIN                   two applications on one card, in each way
# run.sh tool PROGRAM NAME                        test_NAME.py of dpdk-accel-tool
# run.sh notify PROGRAM                           accel-notify-embedded, in its shortest form
# run.sh exporter PLUGIN TOOL NAME                test/tool/test_NAME.py, with Debian's Prometheus
# run.sh ossl provider|sanitized|programs|trouble|tls MODULE PLUGIN ...  the OpenSSL provider
# run.sh move PROGRAM PLUGIN                      an embedded device that leaves and comes back under traffic
# run.sh vectors PLUGIN                           known answers with the stock dpdk-test-crypto-perf
# run.sh telemetry PLUGIN                         the telemetry of a stock dpdk-test-crypto-perf
set -euo pipefail
# shellcheck source=tools/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tools/lib.sh"
# shellcheck source=test/bench/notify/notify.sh
. "$(dirname "${BASH_SOURCE[0]}")/bench/notify/notify.sh"
# shellcheck source=tools/prometheus.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tools/prometheus.sh"
# shellcheck source=tools/tls_programs.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tools/tls_programs.sh"

# Runs the end-to-end test.
test_e2e() {
	plugin_prepare "$2" >&2
	run_e2e "$1" "$3" --tap "${@:4}"
}

# Runs the soak test for a number of operations, a fifth of it with --quick. tools/soak runs it for hours. A device that
# encrypts nothing shows that the test can fail.
test_soak() {
	local out=$ACCEL_SCRATCH/soak.out nb=$2
	# shellcheck disable=SC2206 # several arguments
	local soak=("$1" --lcores "$ACCEL_LCORES" --log-level=critical --iova-mode=va $ACCEL_EAL -- --seconds 300 --operations)
	[[ " $* " != *" --quick "* ]] || nb=$((nb / 5))
	printf '1..3\n'
	if "${soak[@]}" "$nb" >"$out" 2>&1; then
		printf 'ok 1 - %s\n' "$(grep ' operations came back' "$out" | tail -n 1)"
	else
		printf 'not ok 1 - soak\n'
	fi
	sed 's/^/# /' "$out"
	if "${soak[@]}" 100000 --devargs engine=null >"$out" 2>&1; then
		printf 'not ok 2 - a device that encrypts nothing passes\n'
	else
		printf 'ok 2 - a device that encrypts nothing: %s\n' "$(grep FAILED "$out")"
	fi
	if "${soak[@]}" "$((nb / 10))" --daemon "$3" --cpu "${ACCEL_CPUS##* }" >"$out" 2>&1; then
		printf 'ok 3 - accel-device: %s\n' "$(grep ' operations came back' "$out" | tail -n 1)"
	else
		printf 'not ok 3 - accel-device\n'
	fi
	sed 's/^/# /' "$out"
}

# Runs several processes. The EAL shares memory between them through a hugetlbfs that only they can see.
test_mp() {
	local dir=$ACCEL_SCRATCH/huge
	if [ "$(id -u)" != 0 ] || [[ $ACCEL_EAL != *--in-memory* ]]; then
		printf '1..0 # SKIP it needs root, to mount a hugetlbfs, and huge pages\n'
		return 0
	fi
	mkdir -p "$dir"
	# shellcheck disable=SC2016 # the inner shell expands these
	unshare -m sh -c 'mount -t hugetlbfs none "$1" && shift && exec "$@"' sh "$dir" "$1" \
		--lcores "0@${ACCEL_CPUS%% *}" --no-pci --no-telemetry --log-level=error --huge-dir "$dir" -m 128
}

# Runs one part of accel-bench. Its numbers are no criterion, but it has to print some.
test_bench() {
	local device=${ACCEL_CPUS##* } out=$ACCEL_SCRATCH/bench.out devargs="engine=null,cores=[${ACCEL_CPUS##* }]"
	if [ "$2" = stages ]; then devargs=cores=inline; fi
	if [ "$2" = cross ] && [ "$device" = "$ACCEL_CPUS" ]; then
		printf '1..0 # SKIP it needs a second CPU\n'
		return 0
	fi
	printf '1..1\n'
	# shellcheck disable=SC2086 # several arguments
	if "$1" --lcores "0@${ACCEL_CPUS%% *}" --log-level=error $ACCEL_EAL --vdev "crypto_accel0,$devargs" \
		-- --rounds 1 --quick --device-cpu "$device" "$2" >"$out" && grep -q ',' "$out"; then
		printf 'ok 1 - %s\n' "$2"
	else
		printf 'not ok 1 - %s\n' "$2"
		sed 's/^/# /' "$out"
	fi
}

# Runs two applications on one card: processes of a device, and functions of accel-device.
test_tasks() {
	plugin_prepare "$2" >&2
	"$ACCEL_PYTHON" "$ACCEL_ROOT/tools/py/bench/bench_tasks.py" test "$1"
}

# Runs a program that compares drivers. It has to print a number of lines of numbers.
test_drivers() {
	local out=$ACCEL_SCRATCH/drivers.out lines
	plugin_prepare "$2" >&2
	printf '1..1\n'
	# shellcheck disable=SC2086 # several arguments
	"$1" --lcores "0@${ACCEL_CPUS%% *}" --log-level=error $ACCEL_EAL -d "$ACCEL_PLUGIN" \
		--vdev "crypto_accel0,cores=[${ACCEL_CPUS##* }]" -- "${@:4}" >"$out" 2>&1 || true
	lines=$(grep -cE '^[a-z0-9 ]+,[^,]+,[0-9.]+,' "$out") || true
	if [ "$lines" = "$3" ]; then
		printf 'ok 1 - %s measures\n' "${1##*/}"
	else
		printf 'not ok 1 - %s prints %d lines of numbers, expected %d\n' "${1##*/}" "$lines" "$3"
		sed 's/^/# /' "$out"
	fi
}

# Runs accel-notify with the embedded device. Its numbers are no criterion, but every operation has to come back.
test_notify() {
	local out=$ACCEL_SCRATCH/notify.out kind kinds=(aes-128-cbc rsa-sign) i=0 bits
	for bits in 1024 2048; do openssl genrsa -out "$ACCEL_SCRATCH/rsa-$bits.pem" "$bits" 2>/dev/null; done
	printf '1..2\n'
	for kind in '' "--kind rsa-sign --keys $ACCEL_SCRATCH --most 256"; do
		# shellcheck disable=SC2086 # several arguments
		if "$1" --lcores "0@${ACCEL_CPUS%% *}" --log-level=error $ACCEL_EAL --vdev crypto_accel0,wb_count=1 \
			-- --rounds 1 --seconds 0.01 $kind >"$out" && notify_complete "$out" $((i == 0 ? 16 : 4)) &&
			notify_announced "$out"; then
			printf 'ok %d - %s\n' $((i + 1)) "${kinds[i]}"
		else
			printf 'not ok %d - %s\n' $((i + 1)) "${kinds[i]}"
			sed 's/^/# /' "$out"
		fi
		i=$((i + 1))
	done
}

# Runs a file of tests of dpdk-accel-tool.
test_tool() { PYTHONDONTWRITEBYTECODE=1 "$ACCEL_PYTHON" "$ACCEL_ROOT/test/tool/tool.py" "$@"; }

# Runs the tests of the exporter that the third argument names: with a process that a script plays, or with
# Debian's Prometheus and the stock dpdk-test-crypto-perf.
test_exporter() {
	if ! prometheus_prepare >&2; then
		printf "1..0 # SKIP the archive has no Prometheus\n"
		return 0
	fi
	plugin_prepare "$1" >&2
	test_tool "$2" "$3"
}

# Runs the tests of the OpenSSL provider. The EAL in a program without privileges has no huge pages.
test_ossl() {
	local script=ossl.py
	plugin_prepare "$3" >&2
	case "$1" in programs | tls) tls_prepare >&2 || warn "there is no nginx, HAProxy or OpenVPN" >&2 ;; esac
	case "$1" in trouble | tls) script=$1.py ;; esac
	PYTHONDONTWRITEBYTECODE=1 "$ACCEL_PYTHON" "$ACCEL_ROOT/test/ossl/$script" "$1" "$2" "$ACCEL_PLUGIN" "${@:4}"
}

# Runs traffic over crypto_scheduler while its first worker leaves twice and comes back.
test_move() {
	local out=$ACCEL_SCRATCH/move.out
	plugin_prepare "$2" >&2
	printf '1..1\n'
	# shellcheck disable=SC2086 # several arguments
	if printf '%s\n' leave return leave return end | "$1" --lcores "0@${ACCEL_CPUS%% *},1@${ACCEL_CPUS%% *}" \
		$ACCEL_EAL -d "$ACCEL_PLUGIN" --vdev crypto_accel0 --vdev crypto_openssl0 \
		--vdev crypto_scheduler0,worker=crypto_openssl0,worker=crypto_accel0,mode=fail-over \
		-- crypto_accel0 '' crypto_openssl0 >"$out" 2>&1; then
		printf 'ok 1 - %s\n' "$(tail -n 1 "$out")"
	else
		printf 'not ok 1 - move\n'
	fi
	sed 's/^/# /' "$out"
}

# Runs known answers with the stock program.
test_vectors() {
	plugin_prepare "$1" >&2
	"$ACCEL_PYTHON" "$ACCEL_ROOT/tools/py/run/demo.py" verify --tap crypto_accel
}

# Asks a running program over its telemetry socket.
test_telemetry() {
	plugin_prepare "$1" >&2
	"$ACCEL_PYTHON" "$ACCEL_ROOT/test/telemetry/telemetry.py"
}

# Runs the test that the first argument names.
main() {
	eal_prepare >&2
	"test_$1" "${@:2}"
}

supervised main "$@"
