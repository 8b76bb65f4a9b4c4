# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Has what test/vm/guide looks at after the steps of doc/guides/sriov.rst. The function after_NAME belongs to the
# step NAME.

PF=0000:01:00.0
VFS=(0000:01:10.0 0000:01:10.1 0000:01:10.2 0000:01:10.3)

# Makes of the guest what the guide expects: the project's folder, what `meson install` has installed, a user, and
# PAM as the scripts of Debian's packages set it up.
guide_prepare() {
	local part
	mkdir -p ~root/crypto_accel /etc/udev/rules.d /etc/sysctl.d /etc/modprobe.d /etc/default &&
		ln -sfn /host/source/examples ~root/crypto_accel/examples &&
		ln -sfn /host/source ~user/crypto_accel &&
		cp -a /host/results/installed/usr/local/. /usr/local/ && ldconfig || return 1
	chown user:user /home/user && pwconv && guide_qemu || return 1
	for part in auth account session password; do
		echo "$part required pam_permit.so" >"/etc/pam.d/common-$part"
	done
}

# Makes a command of Debian's QEMU that tools/qemu-accel has unpacked on the host.
guide_qemu() {
	local tree=$BUILD/deps/qemu/tree
	cat >/usr/local/bin/qemu-system-x86_64 <<-END
		#!/bin/sh
		QEMU_MODULE_DIR=$tree/usr/lib/x86_64-linux-gnu/qemu exec $tree/lib64/ld-linux-x86-64.so.2 \\
			--library-path $tree/usr/lib/x86_64-linux-gnu:$tree/lib/x86_64-linux-gnu \\
			$tree/usr/bin/qemu-system-x86_64 -L $tree/usr/share/qemu -L $tree/usr/share/seabios \\
			-L $tree/usr/lib/ipxe/qemu "\$@"
	END
	chmod 755 /usr/local/bin/qemu-system-x86_64
}

# soon COMMAND...: true when the command is true within a while. After a boot udev and services are still at work.
soon() {
	local i
	for ((i = 0; i < 600; i++)); do
		! "$@" || return 0
		sleep 0.2
	done
	return 1
}

# Prints the VFs that the kernel knows now.
vfs_list() { lspci -Dn | awk '$3 == "1234:acc1" {print $1}'; }

# on_driver BDF NAME: true when this driver has the function.
on_driver() { [ "$(driver_of "$1")" = "$2" ]; }

# vfs_are NUMBER: true when there are as many VFs, each on vfio-pci.
vfs_are() {
	local bdf list
	mapfile -t list < <(vfs_list)
	((${#list[@]} == $1)) || return 1
	for bdf in "${list[@]}"; do [ "$(driver_of "$bdf")" = vfio-pci ] || return 1; done
}

# Prints owner, group and mode of the file of the IOMMU group of the function $1.
file_of() { stat -c '%U:%G %a' "/dev/vfio/$(basename "$(readlink "/sys/bus/pci/devices/$1/iommu_group")")"; }

# file_is BDF TEXT: true when the function's file has this owner, group and mode.
file_is() { [ "$(file_of "$1")" = "$2" ]; }

# step_complete NAME: true when dpdk-test-crypto-perf in that step has had all operations back.
step_complete() {
	[ "$(awk '$1 == 1 && $3 == 32 && $4 == 20000 && $5 == 20000' "$RESULTS/step-$1.log" | wc -l)" = 2 ]
}

# What must be so whenever the udev rules have done their work.
vfs_for_users() {
	local bdf
	check "4 VFs, on vfio-pci" soon vfs_are 4
	for bdf in "${VFS[@]}"; do check "$bdf: its file is for the group accel" soon file_is "$bdf" "root:accel 660"; done
	check "300 huge pages" grep -qx 300 /proc/sys/vm/nr_hugepages
}

after_by_hand() {
	check "2 VFs, on vfio-pci" vfs_are 2
	check "all operations came back" step_complete by-hand
}

after_by_hand_end() { check "no VFs" vfs_are 0; }

after_install() {
	check "$PF: on pci-pf-stub" soon on_driver "$PF" pci-pf-stub
	vfs_for_users
}

after_use() { check "all operations came back" step_complete use; }

after_reboot() { after_install; }

after_use_again() { check "all operations came back" step_complete use-again; }

# The PF's service has made the VFs, and the program has set the token.
after_shares() {
	check "accel-pf@$PF is active" soon systemctl -q is-active "accel-pf@$PF"
	check "$PF: on vfio-pci" on_driver "$PF" vfio-pci
	check "$PF: its file is root's" file_is "$PF" "root:root 600"
	vfs_for_users
}

# journal_has TEXT: true when the program on the PF has said something.
journal_has() { journalctl -b --no-pager -u "accel-pf@$PF" | grep -q "$1"; }

after_shares_running() {
	local vf
	for vf in 0 1 2 3; do check "the program on the PF sees VF $vf" soon journal_has "VF $vf: ready, 1 queue pair"; done
}

# Prints the rate of the VF 1 with small operations, in operations per second.
vf_rate() {
	local log=$RESULTS/rate-$1.log
	su - user -c "dpdk-test-crypto-perf --in-memory --iova-mode=va -d librte_crypto_accel.so -a ${VFS[1]} \
		--lcores '0@0,1@1' --vfio-vf-token 6c1e3f2a-9c3b-4d0e-8a55-1f0e6a1b2c3d -- --devtype crypto_accel \
		--optype cipher-only --cipher-algo aes-cbc --cipher-op encrypt --cipher-key-sz 16 --cipher-iv-sz 16 \
		--ptest throughput --buffer-sz 64 --total-ops 20000 --silent --csv-friendly" >"$log" 2>&1 </dev/null || return 1
	awk -F, '/^ *[0-9]+,/ { printf "%d\n", $8 * 1000000 }' "$log"
}

# True when the limit of 5000 operations per second holds: no more than that, and the 10 ms of it that the manual
# allows beyond.
limit_holds() {
	local rate
	rate=$(vf_rate limited) && note "with a limit of 5000: $rate operations per second" && ((rate > 0 && rate <= 5100))
}

after_shares_change() {
	check "the program on the PF has set the shares" soon journal_has 'the shares of .* are set'
	check "${VFS[1]}: the limit holds" limit_holds
}

# The program of the step shares-use, without the token.
vf_without_token() {
	su - user -c "dpdk-test-crypto-perf --in-memory --iova-mode=va -d librte_crypto_accel.so -a ${VFS[0]} \
		--lcores '0@0,1@1' -- --devtype crypto_accel --optype cipher-only --ptest throughput" \
		>"$RESULTS/no-token.log" 2>&1 </dev/null
}

after_shares_use() {
	check "all operations came back" step_complete shares-use
	if vf_without_token; then fail "a VF is open without the token"; else pass "no VF without the token"; fi
}

# The end of the service removes the VFs before the program lets go of the PF.
after_qemu() {
	check "accel-pf@$PF ends when told to" systemctl stop "accel-pf@$PF"
	check "no VFs" vfs_are 0
	check "the program on the PF has ended well" service_ended_well
}

# True when no process of the service has failed.
service_ended_well() { [ "$(systemctl show -p Result --value "accel-pf@$PF")" = success ]; }
