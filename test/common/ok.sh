# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Prints TAP for tests that are shell scripts. They source this file and print their plan.

OK_NUMBER=0

# ok TITLE COMMAND...: runs a command as one test. The output of a failed command follows as comments.
ok() {
	local title=$1 output
	shift
	OK_NUMBER=$((OK_NUMBER + 1))
	if output=$("$@" 2>&1); then
		printf 'ok %d - %s\n' "$OK_NUMBER" "$title"
	else
		printf 'not ok %d - %s\n' "$OK_NUMBER" "$title"
		sed 's/^/# /' <<<"$output"
	fi
}

# skip TITLE REASON: reports a test that cannot run here.
skip() {
	OK_NUMBER=$((OK_NUMBER + 1))
	printf 'ok %d - %s # SKIP %s\n' "$OK_NUMBER" "$1" "$2"
}
