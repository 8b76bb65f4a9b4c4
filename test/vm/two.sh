# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Runs two functions of one card at once, in two processes and in one. test/vm/guest sources this file.

# Runs one process on function $1.
two_run() {
	perf "two-$1" crypto_accel "${ACCEL_ARGS[@]}" --file-prefix "two$1" -a "${FUNCTIONS[$1]}" -- "${CBC[@]}" \
		--ptest throughput --total-ops 100000 --burst-sz 32 --buffer-sz 256 && perf_complete "two-$1" 1 100000
}

# Runs both processes at the same time.
two_processes() {
	local first code=0
	PERF_LCORES='0@0,1@0' two_run 0 &
	first=$!
	PERF_LCORES='0@1,1@1' two_run 1 || code=1
	wait $first && [ $code = 0 ]
}

# Runs one process with a worker for each function.
two_in_one() {
	PERF_LCORES='0@0,1@0,2@1' perf two-in-one crypto_accel "${ACCEL_ARGS[@]}" -a "${FUNCTIONS[0]}" \
		-a "${FUNCTIONS[1]}" -- "${CBC[@]}" --ptest throughput --total-ops 100000 --burst-sz 32 \
		--buffer-sz 256 && perf_complete two-in-one 2 100000
}

section_two() {
	step "Two functions at once"
	check "${FUNCTIONS[0]} and ${FUNCTIONS[1]}, a process each" two_processes
	check "${FUNCTIONS[0]} and ${FUNCTIONS[1]} in one process" two_in_one
}
