# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Gives a virtual function to a guest inside this guest, which runs the section inner. test/vm/guest sources
# this file in a guest that has a card of app/qemu-accel, whose variant for benches raises MSI-X. The inner
# guest has the same kernel, the same root and Debian's QEMU of tools/qemu-accel, from the host's folders.

# The functions that make VFs.
# shellcheck source=test/vm/sriov.sh
. /host/source/test/vm/sriov.sh

INNER_RESULTS=$RESULTS/inner
INNER_MEMORY=1280 # MB
INNER_SECONDS=1500 # for the boot and the section, which take two minutes on an idle machine
INNER_PID=''

# Loads KVM for the CPU that this guest has.
kvm_load() {
	modprobe kvm_amd 2>/dev/null || modprobe kvm_intel 2>/dev/null
	[ -c /dev/kvm ]
}

# The command of the unpacked QEMU, which its own loader starts. It is the stock QEMU, without the device.
inner_qemu() {
	local tree=$BUILD/deps/qemu/tree
	QEMU_MODULE_DIR=$tree/usr/lib/x86_64-linux-gnu/qemu exec "$tree/lib64/ld-linux-x86-64.so.2" \
		--library-path "$tree/usr/lib/x86_64-linux-gnu:$tree/lib/x86_64-linux-gnu" \
		"$tree/usr/bin/qemu-system-x86_64" -L "$tree/usr/share/qemu" -L "$tree/usr/share/seabios" \
		-L "$tree/usr/lib/ipxe/qemu" "$@"
}

# inner_share TAG PATH OPTIONS: prints QEMU's option for a folder of the inner guest.
inner_share() { printf 'local,path=%s,mount_tag=%s,security_model=none,multidevs=remap%s' "$2" "$1" "$3"; }

# Starts the inner guest with the VF $1 behind an IOMMU of its own. It talks to the pipe $2.out.
inner_start() {
	inner_qemu -nodefaults -no-user-config -display none -no-reboot \
		-machine q35,kernel-irqchip=split -accel kvm -cpu host -smp 1 -m "$INNER_MEMORY" \
		-device intel-iommu,intremap=on,caching-mode=on \
		-kernel "$BUILD/vm/vmlinuz" -initrd "$BUILD/vm/initrd" \
		-append "console=ttyS0 quiet panic=-1 intel_iommu=on iommu=nopt mitigations=off accel.run=test/vm/guest" \
		-drive "if=none,id=root,format=raw,snapshot=on,file=$BUILD/vm/guest.img" \
		-device virtio-blk-pci,drive=root -serial "file:$INNER_RESULTS/console.log" \
		-chardev "pipe,id=control,path=$2" -device virtio-serial-pci \
		-device virtserialport,chardev=control,name=accel \
		-virtfs "$(inner_share source /host/source ,readonly=on)" \
		-virtfs "$(inner_share build "$BUILD" ,readonly=on)" \
		-virtfs "$(inner_share results "$INNER_RESULTS" '')" \
		-device pcie-root-port,id=port0,bus=pcie.0,chassis=1,addr=0x10 \
		-device "vfio-pci,host=$1,bus=port0" >"$INNER_RESULTS/qemu.log" 2>&1 </dev/null &
	INNER_PID=$!
}

# Passes on what the inner guest says on the pipe $1. True when it says that it has reached its end.
inner_relay() {
	local line rest='' last=nothing end=$((SECONDS + INNER_SECONDS)) fd
	exec {fd}<>"$1"
	while ((SECONDS < end)); do
		if read -r -t 1 -u "$fd" line; then
			line=$rest$line rest='' last=$line
			case "$line" in
			hello*) pass "the inner guest is up" ;;
			end*) return 0 ;;
			*) tell "$line" ;;
			esac
		elif ! kill -0 "$INNER_PID" 2>/dev/null; then
			return 1
		else
			rest+=$line # part of a line
		fi
	done
	note "the inner guest has not reached its end after $INNER_SECONDS s; what it said last: $last"
	return 1
}

# True when the inner QEMU ends well by itself.
inner_ends() {
	local i
	for ((i = 0; i < 300; i++)); do
		kill -0 "$INNER_PID" 2>/dev/null || break
		sleep 0.1
	done
	kill "$INNER_PID" 2>/dev/null && note "the inner QEMU does not end by itself"
	wait "$INNER_PID"
}

# Boots the inner guest with the VF $1 and runs the section inner there.
inner_run() {
	local pipe=/tmp/inner
	mkdir -p "$INNER_RESULTS"
	cp -r "$RESULTS/keys" "$INNER_RESULTS/" || return 1
	echo inner >"$INNER_RESULTS/sections"
	mkfifo "$pipe.in" "$pipe.out" || return 1
	inner_start "$1" "$pipe"
	inner_relay "$pipe.out" && return 0
	tail -n 15 "$INNER_RESULTS/console.log" "$INNER_RESULTS/qemu.log" | while read -r line; do note "| $line"; done
	return 1
}

section_nested() {
	PF=${FUNCTIONS[0]}
	step "A guest inside this guest: $PF, Linux $(uname -r)"
	# Only the inner guest has programs that need them.
	echo 0 >/proc/sys/vm/nr_hugepages
	if ! kvm_load; then
		fail "KVM in this guest: its CPU shows no SVM or VMX (try ACCEL_VM_ACCEL=tcg)"
		return
	fi
	pass "KVM in this guest: $(lsmod | awk '/^kvm_(amd|intel)/ { print $1 }')"
	check "$PF: pci-pf-stub binds it" drive "$PF" pci-pf-stub
	check "1 VF, on vfio-pci" vfs_make_bound 1
	check "the inner guest's script has reached its end" inner_run "${VFS[0]}"
	check "the inner QEMU ends when its guest is switched off" inner_ends
	check "no VFs" vfs_make 0
	check "the guest's kernel has no complaint" sriov_quiet
}
