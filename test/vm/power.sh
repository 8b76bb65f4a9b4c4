# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Takes functions into the power state D3hot and back. The kernel does so with each function that vfio-pci holds
# while no program uses it. test/vm/guest sources this file.

# Prints the power state that the function $1 shows itself, 0 or 3.
power_own() { printf '%d\n' $((0x$(setpci -s "$1" CAP_PM+4.w) & 3)); }

# power_reaches BDF STATE NUMBER: true when the kernel says STATE and the function NUMBER, within five seconds.
power_reaches() {
	local i
	for ((i = 0; i < 50; i++)); do
		[ "$(cat "/sys/bus/pci/devices/$1/power_state")" != "$2" ] || [ "$(power_own "$1")" != "$3" ] || return 0
		sleep 0.1
	done
	note "$1: the kernel says $(cat "/sys/bus/pci/devices/$1/power_state"), the function $(power_own "$1")"
	return 1
}

# power_control BDF on|auto: keeps a function in D0, or lets the kernel choose.
power_control() { echo "$2" >"/sys/bus/pci/devices/$1/power/control"; }

# Takes the function $1 to D0 and back several times.
power_rounds() {
	local i
	for ((i = 0; i < 5; i++)); do
		power_control "$1" on && power_reaches "$1" D0 0 && power_control "$1" auto &&
			power_reaches "$1" D3hot 3 || return 1
	done
}

# Sets the power state of the function $1 without the kernel's knowledge. The way back to D0 clears its command
# register.
power_behind() {
	power_control "$1" on && power_reaches "$1" D0 0 || return 1
	setpci -s "$1" COMMAND=6:6 CAP_PM+4.w=3
	[ "$(power_own "$1")" = 3 ] || return 1
	setpci -s "$1" CAP_PM+4.w=0
	[ "$(power_own "$1")" = 0 ] && (((0x$(setpci -s "$1" COMMAND) & 6) == 0)) && power_control "$1" auto
}

# Resets the function $1 while it is in D3hot.
power_reset() { power_reaches "$1" D3hot 3 && echo 1 >"/sys/bus/pci/devices/$1/reset"; }

# Gives the function $1 to no driver and back to vfio-pci.
power_rebind() {
	echo "$1" >/sys/bus/pci/drivers/vfio-pci/unbind && power_reaches "$1" D0 0 && bind "$1"
}

# True when the kernel complains about the function $1 or its power state nowhere.
power_quiet() { ! kernel_said | grep -F "$1" | grep -E 'power state|not ready|config space inaccessible'; }

section_power() {
	local bdf=${FUNCTIONS[0]}
	step "The power state D3hot, on $bdf"
	check "$bdf: D3hot while no program uses it" power_reaches "$bdf" D3hot 3
	check "$bdf: works out of D3hot" works "$bdf"
	check "$bdf: D3hot again behind the program" power_reaches "$bdf" D3hot 3
	check "$bdf: D0 and D3hot five times" power_rounds "$bdf"
	check "$bdf: works after them" works "$bdf"
	check "$bdf: reset in D3hot" power_reset "$bdf"
	check "$bdf: works after the reset" works "$bdf"
	check "$bdf: D3hot and D0 without the kernel's knowledge" power_behind "$bdf"
	check "$bdf: works after it" works "$bdf"
	check "$bdf: unbound from vfio-pci and bound again" power_rebind "$bdf"
	check "$bdf: works after it" works "$bdf"
	check "$bdf: the kernel has no complaint" power_quiet "$bdf"
}
