# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Trouble with a function: DMA outside of the IOMMU's map, a reset behind the driver's back, a card that
# dies and comes back. Sourced by test/vm/guest.

# The function that is broken: the last, on a card of its own.
victim() { printf '%s\n' "${FUNCTIONS[-1]}"; }

# Its number on the host.
victim_number() { printf '%d\n' $((${#FUNCTIONS[@]} - 1)); }

# True when the function $1 gives all known answers.
works() { e2e_run "works-$1" "$1" --quick --only 'kat/*'; }

# Pulls the dead function out and plugs in the new one.
replug() {
	local bdf number i
	bdf=$(victim)
	number=$(victim_number)
	echo 1 >"/sys/bus/pci/devices/$bdf/remove"
	ask unplug "$number" && ask start "$number" && ask plug "$number" || return 1
	for ((i = 0; i < 100; i++)); do
		[ ! -d "/sys/bus/pci/devices/$bdf" ] || return 0
		# The slot's own notice takes its time.
		[ $((i % 20)) != 19 ] || echo 1 >/sys/bus/pci/rescan
		sleep 0.2
	done
	return 1
}

section_trouble() {
	local bdf number
	step "DMA that the IOMMU does not allow, on ${FUNCTIONS[0]}"
	e2e outside "each such operation fails, alone" "${FUNCTIONS[0]}" --only 'pci/[opm]*'
	step "Function level reset in mid-burst, on ${FUNCTIONS[0]}"
	e2e flr "every operation comes back, the function works again" "${FUNCTIONS[0]}" --only pci/flr-in-burst
	bdf=$(victim)
	number=$(victim_number)
	step "The card of $bdf is killed in mid-burst"
	# The kernel resets a function when its user goes, and waits more than a minute for a dead one, unless
	# it is told that there is no way to reset it. The host's word must be "ok".
	e2e kill "every operation comes back, and start says that nothing is there" "$bdf" \
		--only pci/break --break "echo do kill $number >&5; read -r answer <&5
			echo >/sys/bus/pci/devices/$bdf/reset_method; [ \"\$answer\" = ok ]"
	note "the dead function's configuration space: $(od -An -tx1 -N16 "/sys/bus/pci/devices/$bdf/config" 2>&1)"
	check "the other card works on" works "${FUNCTIONS[0]}"
	check "the function is pulled out, its card started again, plugged in" replug
	check "$bdf: bound to vfio-pci again" bind "$bdf"
	check "$bdf: works again" works "$bdf"
}
