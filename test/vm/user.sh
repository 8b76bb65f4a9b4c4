# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# What the guide says about use without root and in a container. Sourced by test/vm/guest.

# The file of the IOMMU group of a function.
group_file() { printf '/dev/vfio/%s\n' "$(basename "$(readlink "/sys/bus/pci/devices/$1/iommu_group")")"; }

# As the guide has it: the group's file and a folder for huge pages belong to the user.
user_prepare() {
	mkdir -p /mnt/huge /run/user/1000 &&
		mount -t hugetlbfs -o uid=1000,gid=1000,mode=700 hugetlbfs /mnt/huge &&
		chown user:user /run/user/1000 "$(group_file "$1")" && chmod 755 "${PLUGIN%/*}" /root
}

# Debian's program as a user without any right.
user_run() {
	PERF_LCORES='0@0,1@0' program user 120 prlimit --memlock=unlimited setpriv --reuid=1000 --regid=1000 \
		--clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs env HOME=/home/user XDG_RUNTIME_DIR=/run/user/1000 \
		dpdk-test-crypto-perf --lcores "$LCORES" "${ACCEL_ARGS[@]}" --huge-dir /mnt/huge -a "$1" -- \
		--devtype crypto_accel --silent --csv-friendly "${CBC[@]}" --ptest throughput --total-ops 20000 \
		--burst-sz 32 --buffer-sz 256 && perf_complete user 1 20000
}

# The same in namespaces of its own: no network, no processes, of /dev what it needs and nothing else.
user_container() {
	program container 120 prlimit --memlock=unlimited bwrap --unshare-all --die-with-parent --uid 1000 --gid 1000 \
		--ro-bind /usr /usr --ro-bind /lib /lib --ro-bind /lib64 /lib64 --ro-bind /bin /bin --ro-bind /etc /etc \
		--ro-bind "${PLUGIN%/*}" /plugin --ro-bind /sys /sys --proc /proc --dev /dev --tmpfs /run --tmpfs /tmp \
		--dev-bind /dev/vfio/vfio /dev/vfio/vfio --dev-bind "$(group_file "$1")" "$(group_file "$1")" \
		--bind /mnt/huge /dev/hugepages --setenv XDG_RUNTIME_DIR /tmp \
		dpdk-test-crypto-perf --lcores "$LCORES" --log-level=error --no-telemetry --iova-mode=va \
		-d /plugin/librte_crypto_accel.so --huge-dir /dev/hugepages -a "$1" -- \
		--devtype crypto_accel --silent --csv-friendly "${CBC[@]}" --ptest throughput --total-ops 20000 \
		--burst-sz 32 --buffer-sz 256 && perf_complete container 1 20000
}

section_user() {
	local bdf=${FUNCTIONS[0]}
	step "Without root, and in a container"
	check "$bdf: its file and huge pages given to a user" user_prepare "$bdf"
	check "$bdf: dpdk-test-crypto-perf as that user" user_run "$bdf"
	check "$bdf: dpdk-test-crypto-perf in a container" user_container "$bdf"
}
