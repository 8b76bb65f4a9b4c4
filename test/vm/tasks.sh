# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Has 1 to 8 equal applications on one card at once: processes of one virtual function, and programs that have a
# virtual function each. test/vm/guest sources this file, in a guest that has a card of app/qemu-accel and no other.

# The functions that make VFs.
# shellcheck source=test/vm/sriov.sh
. /host/source/test/vm/sriov.sh

TASKS=8

# Measures all numbers of applications. True when all of them worked.
tasks_measure() {
	# shellcheck disable=SC2086 # several functions
	ACCEL_LOGS_DIR=$RESULTS PYTHONDONTWRITEBYTECODE=1 program tasks 1500 python3 \
		/host/source/tools/py/bench/bench_tasks.py guest "$BUILD/release/test/bench/tasks-bench" "$PLUGIN" \
		${VFS[*]}
}

# Prints the rows of the table.
tasks_table() {
	local row
	note "the applications have, algorithm, they, applications, Gbit/s of all, of the slowest, of the fastest,"
	note "p50 and p99 in us, use of the CPUs by all in %"
	while read -r row; do value "    ${row#row,}"; done < <(grep '^row,' "$RESULTS/tasks.log")
}

# True when each case has each number of applications.
tasks_complete() { [ "$(grep -c '^row,' "$RESULTS/tasks.log")" = $((4 * TASKS)) ]; }

section_tasks() {
	PF=${FUNCTIONS[0]}
	step "1 to $TASKS equal applications in this guest: $PF, Linux $(uname -r)"
	check "$PF: pci-pf-stub binds it" drive "$PF" pci-pf-stub
	check "$TASKS VFs, on vfio-pci" vfs_make_bound $TASKS
	check "every application worked, and its first result was right" tasks_measure
	tasks_table
	check "the table has each number of applications" tasks_complete
	check "no VFs" vfs_make 0
}
