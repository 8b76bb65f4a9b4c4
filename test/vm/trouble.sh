# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Tests trouble with a function: DMA outside of the IOMMU's map, a reset that the driver did not start, a card
# that is killed and started again, with a keeper and without one. test/vm/guest sources this file.

# Prints the function to break: the last one, which is on a card of its own.
victim() { printf '%s\n' "${FUNCTIONS[-1]}"; }

# Prints its number on the host.
victim_number() { printf '%d\n' $((${#FUNCTIONS[@]} - 1)); }

# Unplugs the dead function and plugs in a new one.
replug() {
	local bdf number i
	bdf=$(victim)
	number=$(victim_number)
	echo 1 >"/sys/bus/pci/devices/$bdf/remove"
	ask unplug "$number" && ask start "$number" && ask plug "$number" || return 1
	for ((i = 0; i < 100; i++)); do
		[ ! -d "/sys/bus/pci/devices/$bdf" ] || return 0
		# The slot reports the change late, so a rescan may find it first.
		[ $((i % 20)) != 19 ] || echo 1 >/sys/bus/pci/rescan
		sleep 0.2
	done
	return 1
}

works_both() { works "${FUNCTIONS[0]}" && works "${FUNCTIONS[1]}"; }

section_trouble() {
	local bdf number
	step "DMA that the IOMMU does not allow, on ${FUNCTIONS[0]}"
	e2e outside "only these operations fail" "${FUNCTIONS[0]}" --only 'pci/[opm]*'
	step "Function level reset in mid-burst, on ${FUNCTIONS[0]}"
	e2e flr "every operation comes back, the function works again" "${FUNCTIONS[0]}" --only pci/flr-in-burst
	step "D3hot and back to D0 in mid-burst, on ${FUNCTIONS[0]}"
	e2e sleep "every operation comes back, the function works again" "${FUNCTIONS[0]}" --only pci/sleep-in-burst
	step "The same under a program that does not know of errors, on ${FUNCTIONS[0]}"
	e2e heal "the driver heals the queue pair" "${FUNCTIONS[0]}" --only 'pci/heal-*'
	step "accel-device is killed and started again under a program that does not know of errors, on ${FUNCTIONS[0]}"
	e2e crash "the keeper's next daemon takes the function over, the driver heals the queue pair" \
		"${FUNCTIONS[0]}" --only pci/heal-again --break "echo do crash 0 >&5; read -r reply <&5; [ \"\$reply\" = ok ]"
	check "both functions of the card work" works_both
	bdf=$(victim)
	number=$(victim_number)
	step "The card of $bdf is killed in mid-burst"
	# The kernel resets a function when its user ends, and waits more than a minute for a dead one. Without
	# a reset method it does not wait. The host must reply "ok".
	e2e kill "every operation comes back, and a start fails" "$bdf" \
		--only pci/break --break "echo do kill $number >&5; read -r reply <&5
			echo >/sys/bus/pci/devices/$bdf/reset_method; [ \"\$reply\" = ok ]"
	note "the dead function's configuration space: $(od -An -tx1 -N16 "/sys/bus/pci/devices/$bdf/config" 2>&1)"
	check "the other card still works" works "${FUNCTIONS[0]}"
	check "the function is unplugged, its card started again, the function plugged in" replug
	check "$bdf: bound to vfio-pci again" bind "$bdf"
	check "$bdf: works again" works "$bdf"
}
