# SPDX-License-Identifier: BSD-3-Clause
# Completion of dpdk-accel-tool for bash. Commands and options come from the program's own --help, so they are
# those of the installed version.

_dpdk_accel_tool() {
	local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} tool=${COMP_WORDS[0]} devices
	if ((COMP_CWORD == 1)); then
		mapfile -t COMPREPLY < <(compgen -W "$("$tool" --help 2>/dev/null |
			awk '/^Commands:/ {on = 1; next} /^$/ {on = 0} on {print $1}') --help --version" -- "$word")
		return
	fi
	case "$previous" in
	--vdev)
		mapfile -t COMPREPLY < <(compgen -W 'crypto_accel0' -- "$word")
		return
		;;
	-a | --allow)
		# Functions of the card: class 0x120000 (processing accelerator), and 0x100000 of older cards.
		devices=$(grep -lE '^0x1[02]0000' /sys/bus/pci/devices/*/class 2>/dev/null | awk -F/ '{print $6}')
		mapfile -t COMPREPLY < <(compgen -W "$devices" -- "$word")
		return
		;;
	--html | --output | --socket)
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$("$tool" "${COMP_WORDS[1]}" --help 2>/dev/null |
		awk '/^Options:/ {on = 1; next} /^$/ {on = 0} on && $1 ~ /^--/ {print $1}') --vdev -a --no-huge -m -- " -- "$word")
}

complete -F _dpdk_accel_tool dpdk-accel-tool
