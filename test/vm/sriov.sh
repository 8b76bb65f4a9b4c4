# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Tests a physical function with SR-IOV: virtual functions are made, driven and removed. test/vm/guest sources
# this file, in a guest whose only functions are those of app/qemu-accel.

TOTAL_VFS=8
PF=''
VFS=()

# Prints the path of the PF, or of another function, in sysfs.
pci_dir() { printf '/sys/bus/pci/devices/%s\n' "${1:-$PF}"; }

# has BDF PATTERN: true when lspci's long form of the function has a line with the pattern.
shows() { lspci -vvv -s "$1" | tee -a "$RESULTS/lspci.txt" | grep -qE "$2"; }

# Gives the function $1 to the driver $2 and to no other.
drive() {
	local dir
	dir=$(pci_dir "$1")
	echo "$2" >"$dir/driver_override"
	[ ! -e "$dir/driver" ] || echo "$1" >"$dir/driver/unbind"
	echo "$1" >/sys/bus/pci/drivers_probe
	[ "$(driver_of "$1")" = "$2" ]
}

# Makes $1 virtual functions, or removes all with 0, and sets VFS. True when the kernel has as many.
vfs_make() {
	echo "$1" >"$(pci_dir)/sriov_numvfs" || return 1
	mapfile -t VFS < <(lspci -Dn | awk '$3 == "1234:acc1" {print $1}')
	((${#VFS[@]} == $1))
}

section_sriov() {
	local bdf
	PF=${FUNCTIONS[0]}
	step "A physical function with SR-IOV: $PF, Linux $(uname -r)"
	check "the kernel finds the PF, and no VF" [ "$(lspci -Dn | awk '$3 ~ /1234:acc/ {print $3}')" = 1234:acc0 ]
	check "$PF: function level reset" shows "$PF" 'FLReset\+'
	check "$PF: $TOTAL_VFS virtual functions" shows "$PF" "Total VFs: $TOTAL_VFS,"
	check "$PF: pci-pf-stub binds it" drive "$PF" pci-pf-stub
	check "4 VFs" vfs_make 4
	for bdf in "${VFS[@]}"; do
		check "$bdf: an IOMMU group of its own" [ "$(ls "$(pci_dir "$bdf")/iommu_group/devices")" = "$bdf" ]
		check "$bdf: vfio-pci binds it" bind "$bdf"
	done
	lspci -vvv -d 1234: >"$RESULTS/lspci-all.txt"
	check "kat" e2e_run kat "${VFS[0]}" --quick --only 'kat/*'
}
