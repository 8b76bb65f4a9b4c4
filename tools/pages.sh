# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Huge pages for the scripts of tools/. They are taken from the kernel, and given back when the last
# script on the machine that uses them has ended. lib.sh sources this file.

# The number of pages of 2 MB that the scripts take, and the least that they can work with.
ACCEL_HUGEPAGES=${ACCEL_HUGEPAGES:-512}
ACCEL_HUGEPAGES_MIN=256
ACCEL_HUGE_DIR=${ACCEL_HUGE_DIR:-/sys/kernel/mm/hugepages/hugepages-2048kB}
# This file lists the users of huge pages on this machine, from all source trees: a line "taken N" with
# the pages that scripts have added to the kernel's number, then a line "PID START" for each script. Only
# root may write to the folder, so nobody else can make a script change the kernel's number.
ACCEL_HUGE_USERS=${ACCEL_HUGE_USERS:-/run/crypto_accel.hugepages}

# Prints the number of free huge pages of 2 MB.
hugepages_free() { cat "$ACCEL_HUGE_DIR/free_hugepages" 2>/dev/null || printf '0\n'; }

# Prints the start time of the process $1 in ticks since boot, and nothing if the process has ended. The
# time distinguishes a process from a later one with the same number.
process_start() {
	local stat
	read -r stat 2>/dev/null <"/proc/$1/stat" || return 0
	stat=${stat##*) }
	# shellcheck disable=SC2086 # fields
	set -- $stat
	[ "$1" != Z ] || return 0
	printf '%s\n' "${20}"
}

# with_users COMMAND ARGUMENT...: locks and reads the list of users, runs the command, and writes the list
# back. The command may change PAGES_TAKEN and PAGES_USERS, which has no scripts that have ended. An empty
# list is removed.
with_users() {
	local lock word value status=0
	while :; do
		exec {lock}>>"$ACCEL_HUGE_USERS" || return 1
		flock "$lock"
		# Another script may have removed the file while this one waited.
		[ ! "/proc/self/fd/$lock" -ef "$ACCEL_HUGE_USERS" ] || break
		exec {lock}>&-
	done
	PAGES_TAKEN=0
	PAGES_USERS=()
	while read -r word value; do
		if [ "$word" = taken ]; then
			PAGES_TAKEN=$value
		elif [ -n "$value" ] && [ "$(process_start "$word")" = "$value" ]; then
			PAGES_USERS+=("$word $value")
		fi
	done <"$ACCEL_HUGE_USERS"
	"$@" || status=$?
	if ((${#PAGES_USERS[@]} == 0 && PAGES_TAKEN == 0)); then
		rm -f "$ACCEL_HUGE_USERS"
	else
		printf '%s\n' "taken $PAGES_TAKEN" "${PAGES_USERS[@]}" >"$ACCEL_HUGE_USERS"
	fi
	exec {lock}>&-
	return "$status"
}

# Takes pages until ACCEL_HUGEPAGES are free, and there are as many for each script that may not have used its own yet,
# if memory allows. Adds this script to the users.
users_enter() {
	local before after lack all available self=$BASHPID
	before=$(cat "$ACCEL_HUGE_DIR/nr_hugepages")
	lack=$((ACCEL_HUGEPAGES - $(hugepages_free)))
	all=$((ACCEL_HUGEPAGES * (${#PAGES_USERS[@]} + 1) - before))
	((lack >= all)) || lack=$all
	available=$(awk '/^MemAvailable:/ {print int($2 / 2048)}' /proc/meminfo)
	# At least 512 MB remain for everything else.
	if ((lack > 0 && lack + 256 <= available)); then
		printf '%s\n' $((before + lack)) >"$ACCEL_HUGE_DIR/nr_hugepages" 2>/dev/null || true
		after=$(cat "$ACCEL_HUGE_DIR/nr_hugepages")
		PAGES_TAKEN=$((PAGES_TAKEN + after - before))
		note "took huge pages (nr_hugepages $before -> $after); the last script that uses huge pages" \
			"gives them back"
	fi
	PAGES_USERS+=("$self $(process_start "$self")")
}

# Removes this script from the users. The last one gives back all pages, also those that killed scripts
# have taken. The kernel frees pages in use when their program ends.
users_leave() {
	local own before i self=$BASHPID
	own="$self $(process_start "$self")"
	for i in "${!PAGES_USERS[@]}"; do
		if [ "${PAGES_USERS[i]}" = "$own" ]; then unset "PAGES_USERS[$i]"; fi
	done
	((${#PAGES_USERS[@]} == 0 && PAGES_TAKEN > 0)) || return 0
	before=$(cat "$ACCEL_HUGE_DIR/nr_hugepages")
	printf '%s\n' $((before > PAGES_TAKEN ? before - PAGES_TAKEN : 0)) >"$ACCEL_HUGE_DIR/nr_hugepages"
	PAGES_TAKEN=0
}

# Takes huge pages if this user may do so. True when enough pages are free afterwards.
hugepages_take() {
	if [ -w "$ACCEL_HUGE_DIR/nr_hugepages" ] && [ -w "$(dirname "$ACCEL_HUGE_USERS")" ]; then
		with_users users_enter
		on_exit with_users users_leave
	fi
	(($(hugepages_free) >= ACCEL_HUGEPAGES_MIN))
}
