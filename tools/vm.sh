# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# QEMU with vfio-user, and a Debian guest with DPDK, for tools/vm-test. Both are unpacked from Debian's
# packages below build/vm and are not installed on this machine. Scripts source this file after lib.sh.
# shellcheck disable=SC2034 # variables are for the scripts that source this

VM_DIR=$ACCEL_BUILD/vm
VM_QEMU_TREE=$VM_DIR/qemu
# The command that qemu_prepare leaves, for users and for tools/vm-test.
VM_QEMU_WRAPPER=$VM_DIR/qemu-system-x86_64
VM_GUEST_TREE=$VM_DIR/guest
# QEMU 10.1 is the first version with vfio-user-pci.
VM_QEMU_MIN=10.1
VM_QEMU_SUITE=trixie
# The guest has this machine's Debian, because the project's programs are linked with its libraries. Their packages
# have other names in each release.
case $(debian_codename) in
trixie)
	VM_GUEST_SUITE=trixie
	VM_LIBRARIES=(libfdt1 libipsec-mb2 libssl3t64 libnuma1)
	VM_GUEST_SIZE_MB=1536
	;;
*)
	VM_GUEST_SUITE=bookworm
	VM_LIBRARIES=(libfdt1 libipsec-mb1 libssl3 libnuma1)
	VM_GUEST_SIZE_MB=1024
	;;
esac

# Packages for this machine, beside those of tools/setup.
VM_PACKAGES=(mmdebstrap e2fsprogs kmod libvirt-clients libxml2-utils xz-utils)
# Packages for the guest: basic tools, DPDK with its programs, and the libraries of the project's programs.
VM_GUEST_PACKAGES=(
	base-files libc6 libc-bin bash dash coreutils util-linux mount kmod pciutils procps grep sed mawk findutils
	python3 python3-pyelftools iproute2 busybox-static bubblewrap linux-image-amd64
	dpdk dpdk-dev librte-meta-crypto librte-meta-mempool
	systemd udev passwd libpam-runtime
	"${VM_LIBRARIES[@]}" libjansson4
)
# Kernel modules that the guest loads or that a test may load.
VM_MODULES=(
	vfio-pci vfio_iommu_type1 pci-pf-stub 9p 9pnet_virtio virtio_pci virtio_blk virtio_console ext4 loop
	overlay kvm kvm_amd kvm_intel msr
)
# The initramfs loads these modules, which the root file system needs.
VM_BOOT_MODULES=(virtio_pci virtio_blk ext4 9p 9pnet_virtio virtio_console)

# ---------------------------------------------------------------- from Debian's packages

# Prints "URI|suite|keyring" for every Debian archive of the suite $1, or of all, that this machine's apt
# uses, the main one first.
debian_archives() {
	local entry uri suite key
	# shellcheck disable=SC2016 # apt expands these
	apt-get indextargets --format '$(SOURCESENTRY)|$(REPO_URI)|$(CODENAME)' \
		'Created-By: Packages' 'Origin: Debian' 2>/dev/null | sort -u -t'|' -k3 |
		while IFS='|' read -r entry uri suite; do
			[ -z "${1:-}" ] || [ "$suite" = "$1" ] || continue
			key=$(signing_key "${entry%:*}")
			printf '%s|%s|%s\n' "$uri" "$suite" "$key"
		done
}

# Prints apt's line for the archive "URI|suite|keyring" $1, with the suite $2 in place of its own.
archive_line() {
	local uri suite key
	IFS='|' read -r uri suite key <<<"$1"
	printf 'deb %s%s %s main\n' "${key:+[signed-by=$key] }" "$uri" "${2:-$suite}"
}

# True when the archive "URI|suite|keyring" $1 answers for the suite $2.
archive_answers() {
	local to=$VM_DIR/probe uri=${1%%|*}
	mkdir -p "$VM_DIR"
	/usr/lib/apt/apt-helper download-file "${uri%/}/dists/$2/InRelease" "$to" >/dev/null 2>&1 || return 1
	rm -f "$to"
}

# Makes sure that apt has package lists, from which the scripts learn this machine's archives.
archives_known() {
	local prefix
	[ -z "$(debian_archives "$VM_GUEST_SUITE")" ] || return 0
	note "apt has no package lists yet; updating them to learn where this machine gets Debian from"
	prefix=$(root_prefix) || die "apt's lists are empty; as root run: apt-get update"
	# shellcheck disable=SC2086
	run_logged apt-update $prefix apt-get -q update || die "apt-get update failed"
	[ -n "$(debian_archives "$VM_GUEST_SUITE")" ] ||
		die "this machine's apt names no archive of Debian $VM_GUEST_SUITE"
}

# unpack_tree NAME TREE SUITE PACKAGES(comma) LINE... [-- MMDEBSTRAP-OPTION...]: unpacks the packages and
# their dependencies. It runs none of their scripts, so it is quick and works for every user.
unpack_tree() {
	local name=$1 tree=$2 suite=$3 packages=$4 lines=() options=() line
	shift 4
	while (($# > 0)) && [ "$1" != -- ]; do
		lines+=("$1")
		shift
	done
	if (($# > 0)); then shift; fi
	options=("$@")
	# Use the proxy of this machine's apt.
	while IFS= read -r line; do
		options+=("--aptopt=$line")
	done < <(apt-config dump 2>/dev/null | grep -iE '^Acquire::(https?|ftp)::Proxy' || true)
	rm -rf "$tree"
	mkdir -p "$(dirname "$tree")"
	run_logged "$name" mmdebstrap --variant=extract --include="$packages" \
		--aptopt='Acquire::Languages "none"' --aptopt='APT::Install-Recommends "false"' \
		"${options[@]}" "$suite" "$tree" "${lines[@]}"
}

# ---------------------------------------------------------------- QEMU

# Sets VM_QEMU to the command of QEMU: ACCEL_QEMU if the user has set it, else this machine's QEMU if it is
# new enough, else the unpacked one. The libraries of the unpacked one are newer than this machine's. Its
# own loader finds them, without chroot and without root's rights.
qemu_command() {
	local tree=$VM_QEMU_TREE
	if [ -n "${ACCEL_QEMU:-}" ]; then
		read -r -a VM_QEMU <<<"$ACCEL_QEMU"
	elif command -v qemu-system-x86_64 >/dev/null && qemu_is_good qemu-system-x86_64; then
		VM_QEMU=(qemu-system-x86_64)
	else
		VM_QEMU=(
			env "QEMU_MODULE_DIR=$tree/usr/lib/x86_64-linux-gnu/qemu"
			"$tree/lib64/ld-linux-x86-64.so.2" --library-path "$tree/usr/lib/x86_64-linux-gnu"
			"$tree/usr/bin/qemu-system-x86_64" -L "$tree/usr/share/qemu" -L "$tree/usr/share/seabios"
			-L "$tree/usr/lib/ipxe/qemu"
		)
	fi
}

# True when the command is a QEMU that is new enough and has the device.
qemu_is_good() {
	local version
	version=$("$@" --version 2>/dev/null | sed -nE '1s/^QEMU emulator version ([0-9.]+).*/\1/p')
	[ -n "$version" ] &&
		[ "$(printf '%s\n' "$VM_QEMU_MIN" "$version" | sort -V | head -n 1)" = "$VM_QEMU_MIN" ] &&
		"$@" -device help 2>/dev/null | grep -q '"vfio-user-pci"'
}

# Writes VM_QEMU as a program, because the unpacked one needs its own loader. Fails if it does not start.
qemu_wrapper() {
	mkdir -p "$VM_DIR"
	printf '#!/bin/sh\n# Starts the QEMU of tools/vm-test.\nexec %s "$@"\n' "${VM_QEMU[*]@Q}" \
		>"$VM_QEMU_WRAPPER.new"
	chmod 755 "$VM_QEMU_WRAPPER.new"
	mv -f "$VM_QEMU_WRAPPER.new" "$VM_QEMU_WRAPPER"
	qemu_is_good "$VM_QEMU_WRAPPER" || die "$VM_QEMU_WRAPPER does not start QEMU $VM_QEMU_MIN or newer"
	note "$VM_QEMU_WRAPPER: $("$VM_QEMU_WRAPPER" --version | head -n 1)"
}

# Prepares QEMU.
qemu_prepare() {
	local main stamp="1 $VM_QEMU_SUITE"
	qemu_command
	if qemu_is_good "${VM_QEMU[@]}"; then
		qemu_wrapper
		return 0
	fi
	[ -z "${ACCEL_QEMU:-}" ] ||
		die "ACCEL_QEMU='$ACCEL_QEMU' is not a QEMU $VM_QEMU_MIN or newer with vfio-user-pci"
	archives_known
	main=$(debian_archives "$VM_GUEST_SUITE" | head -n 1)
	if ! archive_answers "$main" "$VM_QEMU_SUITE-backports"; then
		warn "this machine's Debian archive does not offer $VM_QEMU_SUITE-backports, which has QEMU $VM_QEMU_MIN
    or newer. To use another QEMU: ACCEL_QEMU=/path/to/qemu-system-x86_64 tools/vm-test"
		exit "$ACCEL_UNAVAILABLE"
	fi
	note "unpacking QEMU of $VM_QEMU_SUITE-backports into $VM_QEMU_TREE (takes about 10 s and 180 MB)"
	# shellcheck disable=SC2016 # mmdebstrap's shell expands $1
	unpack_tree vm-qemu "$VM_QEMU_TREE" "$VM_QEMU_SUITE" base-files,libc6,qemu-system-x86 \
		"$(archive_line "$main" "$VM_QEMU_SUITE")" \
		"$(archive_line "$main" "$VM_QEMU_SUITE-backports")" -- \
		--setup-hook='mkdir -p "$1/etc/apt/preferences.d" && printf "%s\n" "Package: *" \
			"Pin: release n='"$VM_QEMU_SUITE"'-backports" "Pin-Priority: 990" \
			>"$1/etc/apt/preferences.d/backports"' ||
		die "cannot unpack QEMU $VM_QEMU_MIN or newer from $VM_QEMU_SUITE-backports"
	qemu_command
	qemu_is_good "${VM_QEMU[@]}" ||
		die "$("${VM_QEMU[@]}" --version 2>&1 | head -n 1): not QEMU $VM_QEMU_MIN or newer with vfio-user-pci"
	printf '%s\n' "$stamp" >"$VM_QEMU_TREE/.accel-stamp"
	qemu_wrapper
}

# ---------------------------------------------------------------- the guest

# Prints the files of the modules $@ and of those that they need, in the order in which they load.
module_files() {
	local release name
	release=$(ls "$VM_GUEST_TREE/lib/modules")
	for name in "$@"; do
		PATH=$PATH:/sbin:/usr/sbin modprobe -d "$VM_GUEST_TREE" -S "$release" --show-depends "$name" \
			2>/dev/null | sed -nE 's/^insmod ([^ ]+).*/\1/p'
	done | awk '!seen[$0]++'
}

# DPDK's drivers that the guest keeps. Each program loads all that are there, which takes seconds where a guest is
# translated.
VM_DRIVERS='bus_(pci|vdev)|mempool_(bucket|ring|stack)|crypto_(ipsec_mb|null|openssl|scheduler|virtio)'
VM_DRIVERS+='|event_sw|net_(null|pcap|ring|tap|virtio)'

# Removes from the guest's tree what no test needs, which is four fifths of it.
guest_trim() {
	local tree=$VM_GUEST_TREE release keep
	release=$(ls "$tree/lib/modules")
	PATH=$PATH:/sbin:/usr/sbin depmod -b "$tree" "$release" || return 1
	keep=$(module_files "${VM_MODULES[@]}")
	[[ $keep == */vfio-pci.ko* && $keep == */ext4.ko* ]] || return 1
	find "$tree/lib/modules/$release/kernel" -name '*.ko*' | grep -vxF "$keep" | xargs rm -f || return 1
	PATH=$PATH:/sbin:/usr/sbin depmod -b "$tree" "$release" || return 1
	rm -rf "$tree"/usr/share/{doc,man,locale,perl,info,lintian} "$tree"/usr/include "$tree"/usr/src \
		"$tree"/usr/lib/x86_64-linux-gnu/{perl,perl-base,gconv} "$tree/var/lib/apt" "$tree/var/cache/apt"
	find "$tree/usr/lib" -name '*.a' -delete
	find "$tree"/usr/lib/*/dpdk/pmds-* -name 'librte_*' | grep -vE "/librte_($VM_DRIVERS)\.so" | xargs rm -f
	ls "$tree"/usr/lib/*/dpdk/pmds-*/librte_crypto_null.so >/dev/null
}

# Makes the files that the packages' scripts would have made.
guest_finish() {
	local tree=$VM_GUEST_TREE
	mkdir -p "$tree"/{proc,sys,dev,run,tmp,root,host,mnt,etc} &&
		printf '%s\n' 'root:x:0:0:root:/root:/bin/bash' 'nobody:x:65534:65534::/nonexistent:/bin/false' \
			'user:x:1000:1000::/home/user:/bin/bash' >"$tree/etc/passwd" &&
		printf '%s\n' root:x:0: nogroup:x:65534: user:x:1000: >"$tree/etc/group" &&
		printf 'accel-guest\n' >"$tree/etc/hostname" &&
		mkdir -p "$tree/home/user" && ln -sf mawk "$tree/usr/bin/awk" &&
		ln -sf which.debianutils "$tree/usr/bin/which" &&
		rm -rf "$tree/root" && mkdir -m 700 "$tree/root" && chmod 755 "$tree" &&
		PATH=$PATH:/sbin:/usr/sbin ldconfig -r "$tree"
}

# Makes the initramfs of busybox, the modules that the root file system needs, and test/vm/initrd-init.
guest_initrd() {
	local dir=$VM_DIR/initrd.d file name busybox=$VM_GUEST_TREE/bin/busybox
	rm -rf "$dir"
	mkdir -p "$dir"/{bin,dev,proc,sys,root,lib}
	cp "$busybox" "$dir/bin/busybox"
	cp "$ACCEL_ROOT/test/vm/initrd-init" "$dir/init"
	chmod 755 "$dir/init"
	for file in $(module_files "${VM_BOOT_MODULES[@]}"); do
		name=${file##*/}
		name=${name%.xz}
		# Debian 13 compresses modules.
		case $file in
		*.xz) xz -dc "$file" >"$dir/lib/$name" || return 1 ;;
		*) cp "$file" "$dir/lib/$name" ;;
		esac
		printf '%s\n' "$name" >>"$dir/lib/order"
	done
	(cd "$dir" && find . | LC_ALL=C sort | "$busybox" cpio -o -H newc 2>/dev/null) | gzip -1 \
		>"$VM_DIR/initrd.new" && mv "$VM_DIR/initrd.new" "$VM_DIR/initrd"
}

# Makes the image of the root file system.
guest_image() {
	rm -f "$VM_DIR/guest.img.new"
	truncate -s "${VM_GUEST_SIZE_MB}M" "$VM_DIR/guest.img.new"
	PATH=$PATH:/sbin:/usr/sbin mke2fs -q -F -t ext4 -O ^has_journal -E lazy_itable_init=1 -d "$VM_GUEST_TREE" \
		"$VM_DIR/guest.img.new" && mv "$VM_DIR/guest.img.new" "$VM_DIR/guest.img"
}

# Makes the guest of the unpacked packages: trimmed tree, image, kernel.
guest_make() {
	guest_trim && guest_finish && guest_image && cp "$VM_GUEST_TREE"/boot/vmlinuz-* "$VM_DIR/vmlinuz"
}

# Prepares the guest. It is made again when these functions or this machine's DPDK have changed, because
# the project's programs are linked with that DPDK.
guest_prepare() {
	local lines=() archive stamp
	stamp=$({ declare -f guest_trim guest_finish guest_image guest_make &&
		echo "${VM_GUEST_PACKAGES[*]} ${VM_MODULES[*]} $VM_DRIVERS" &&
		echo "$VM_GUEST_SUITE $VM_GUEST_SIZE_MB"; } | sha256sum)
	stamp="$stamp $(dpkg-query -W -f '${source:Version}' libdpdk-dev 2>/dev/null || true)"
	if [ "$(cat "$VM_DIR/guest.stamp" 2>/dev/null)" != "$stamp" ] || [ ! -s "$VM_DIR/guest.img" ]; then
		rm -f "$VM_DIR/guest.stamp"
		archives_known
		while IFS= read -r archive; do
			lines+=("$(archive_line "$archive")")
		done < <(debian_archives | grep "|${VM_GUEST_SUITE}[^|]*|")
		note "unpacking the guest's packages into $VM_GUEST_TREE (takes one to two minutes)"
		unpack_tree vm-guest "$VM_GUEST_TREE" "$VM_GUEST_SUITE" "$(IFS=, && echo "${VM_GUEST_PACKAGES[*]}")" \
			"${lines[@]}" ||
			die "cannot get the guest's packages"
		note "making the guest's file system"
		run_logged vm-guest-image guest_make || die "cannot make the guest's image"
		printf '%s\n' "$stamp" >"$VM_DIR/guest.stamp"
	fi
	run_logged vm-initrd guest_initrd || die "cannot make the guest's initramfs"
	note "guest: Linux $(ls "$VM_GUEST_TREE/lib/modules"), $(du -h "$VM_DIR/guest.img" | cut -f1)"
}
