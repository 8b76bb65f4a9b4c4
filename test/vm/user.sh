# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Tests what the guide says about use without root and in a container. test/vm/guest sources this file.

# Prints the file of the IOMMU group of a function.
group_file() { printf '/dev/vfio/%s\n' "$(basename "$(readlink "/sys/bus/pci/devices/$1/iommu_group")")"; }

# Gives the group's file to the user, as the guide says. The user may lock memory. Huge pages come from the
# kernel without a mount (--in-memory).
user_prepare() {
	mkdir -p /run/user/1000 && chown user:user /run/user/1000 "$(group_file "$1")" && chmod 755 /root
}

# A command after these words runs as a user without any privileges.
AS_USER=(
	prlimit --memlock=unlimited
	setpriv --reuid=1000 --regid=1000 --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs
	env HOME=/home/user XDG_RUNTIME_DIR=/run/user/1000
)

# user_perf NAME LIBRARY BDF COMMAND...: runs dpdk-test-crypto-perf as an argument of the command.
user_perf() {
	local name=$1 library=$2 bdf=$3
	shift 3
	program "$name" 120 "$@" dpdk-test-crypto-perf --lcores "$LCORES" --log-level=error --no-telemetry \
		--iova-mode=va --in-memory -d "$library" -a "$bdf" -- --devtype crypto_accel --silent --csv-friendly \
		"${CBC[@]}" --ptest throughput --total-ops 20000 --burst-sz 32 --buffer-sz 256 &&
		perf_complete "$name" 1 20000
}

# Runs Debian's program as that user.
user_run() { user_perf user "$PLUGIN" "$1" "${AS_USER[@]}"; }

# Runs it in namespaces of its own: no network, no other processes, and only the files of /dev that it needs.
user_container() {
	local group
	group=$(group_file "$1")
	user_perf container /plugin/librte_crypto_accel.so "$1" "${AS_USER[@]}" bwrap --unshare-all --die-with-parent \
		--ro-bind /usr /usr --ro-bind /lib /lib --ro-bind /lib64 /lib64 --ro-bind /bin /bin \
		--ro-bind "${PLUGIN%/*}" /plugin --ro-bind /sys /sys --proc /proc --dev /dev --tmpfs /tmp \
		--dev-bind /dev/vfio/vfio /dev/vfio/vfio --dev-bind "$group" "$group" --setenv XDG_RUNTIME_DIR /tmp
}

section_user() {
	local bdf=${FUNCTIONS[0]}
	step "Without root, and in a container"
	check "$bdf: a user owns its file" user_prepare "$bdf"
	check "$bdf: dpdk-test-crypto-perf as that user" user_run "$bdf"
	check "$bdf: dpdk-test-crypto-perf in a container" user_container "$bdf"
}
