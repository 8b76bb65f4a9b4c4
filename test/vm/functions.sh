# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Checks what the guest's kernel and DPDK's tools say of the functions. test/vm/guest sources this file.

# True when the kernel found as many functions as there are.
functions_all() { ((${#FUNCTIONS[@]} == $(cat "$RESULTS/functions"))); }

# has BDF PATTERN: true when lspci's long form of the function has a line with the pattern.
has() {
	local file=$RESULTS/lspci-$1.txt
	[ -e "$file" ] || lspci -vvv -s "$1" >"$file"
	grep -qE "$2" "$file"
}

# True when the function $1 is alone in its IOMMU group.
group_alone() {
	local group=/sys/bus/pci/devices/$1/iommu_group/devices
	[ "$(ls "$group")" = "$1" ]
}

# True when dpdk-devbind.py lists the function $1 with the driver $2 where it has devices of class 0x12, "Baseband".
devbind_shows() { dpdk-devbind.py --status-dev baseband | grep -F "$1" | grep -q "drv=$2"; }

# True when dpdk-pmdinfo.py finds the plugin's ids and kernel module.
pmdinfo_shows() {
	local info
	info=$(dpdk-pmdinfo.py "$PLUGIN") && [[ $info == *'"vendor": "1234"'*'"device": "acc1"'* ]] &&
		[[ $info == *'vfio-pci'* ]]
}

section_functions() {
	local bdf
	step "The functions in the guest: Linux $(uname -r), DPDK of Debian $(cat /etc/debian_version)"
	check "the kernel finds all functions: ${FUNCTIONS[*]}" functions_all
	for bdf in "${FUNCTIONS[@]}"; do
		check "$bdf: processing accelerator" has "$bdf" 'Processing accelerators'
		check "$bdf: function level reset" has "$bdf" 'FLReset\+'
		check "$bdf: power management, D0 and D3hot only" has "$bdf" \
			'PME\(D0-,D1-,D2-,D3hot-,D3cold-\)'
		check "$bdf: the way back to D0 resets it" has "$bdf" 'Status: D[03] NoSoftRst-'
		check "$bdf: error reporting" has "$bdf" 'Advanced Error Reporting'
		check "$bdf: serial number" has "$bdf" 'Device Serial Number 01-23-45-67-89-ab-cd-ef'
		check "$bdf: no request of its own under way" has "$bdf" 'DevSta:.*TransPend-'
		check "$bdf: an IOMMU group of its own" group_alone "$bdf"
		check "$bdf: dpdk-devbind.py binds it to vfio-pci" bind "$bdf"
		check "$bdf: dpdk-devbind.py shows it below Baseband" devbind_shows "$bdf" vfio-pci
	done
	check "dpdk-pmdinfo.py shows the plugin's ids and kernel module" pmdinfo_shows
}
