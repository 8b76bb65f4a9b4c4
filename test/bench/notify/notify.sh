# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Reads the output of accel-notify, for test/run.sh and test/vm/inner.sh, which source this file.

# notify_rows FILE: prints the rows of figures.
notify_rows() { grep -E '^(poll|notify),' "$1"; }

# notify_complete FILE ROWS: true when there are ROWS rows, and in each every operation came back.
notify_complete() {
	notify_rows "$1" | awk -F, -v rows="$2" '{ n++; if ($5 != $6 || $5 == 0) bad = 1 } END { exit n != rows || bad }'
}

# notify_announced FILE: true when the waiting application was told of completions at each size, and the polling
# one of none.
notify_announced() {
	notify_rows "$1" | awk -F, '{ n++; if (($1 == "notify") != ($9 > 0)) bad = 1 } END { exit !n || bad }'
}
