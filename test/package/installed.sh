#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the packages of a folder on this machine, uses, upgrades and removes them. tools/package runs it as
# installed.sh PACKAGES SCRATCH VERSION, as root and in namespaces of its own: what is written goes to overlays, so the
# machine does not change. It prints TAP.
set -euo pipefail

packages=$1
scratch=$2
version=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=test/common/ok.sh
. "$here/../common/ok.sh"
root=$scratch/overlays
names=(accel-conformance accel-device dpdk-accel-exporter dpdk-accel-tool librte-crypto-accel-dev librte-crypto-accel1
	openssl-provider-cryptodev)
# The machine need not have this module. Its place is taken by one that has no more than the names.
lacking=python3-prometheus-client
eal=(--no-huge -m 512 --no-shconf --no-pci --no-telemetry --lcores '0@0,1@0')
perf=(--devtype crypto_accel --optype aead --aead-algo aes-gcm --aead-op encrypt --aead-key-sz 32 --aead-iv-sz 12
	--aead-aad-sz 12 --digest-sz 16 --buffer-sz 1024 --ptest throughput --pool-sz 4096)

# Lays an overlay over each folder that packages write to. A systemd of the machine is out of reach.
overlay() {
	local dir
	mkdir -p "$root"
	mount -t tmpfs -o mode=755 overlays "$root"
	for dir in usr etc var; do
		mkdir -p "$root/$dir/upper" "$root/$dir/work"
		mount -t overlay -o "lowerdir=/$dir,upperdir=$root/$dir/upper,workdir=$root/$dir/work" "$dir" "/$dir"
	done
	mount -t tmpfs -o mode=755 run /run
}

# Makes the module that the machine may lack.
stub_module() {
	mkdir -p "$root/python/prometheus_client"
	touch "$root/python/prometheus_client/__init__.py"
	echo 'class Metric: pass' >"$root/python/prometheus_client/core.py"
	export PYTHONPATH=$root/python PYTHONDONTWRITEBYTECODE=1
}

# Installs the packages $@ of dpkg.
install() { DEBIAN_FRONTEND=noninteractive dpkg --ignore-depends="$lacking" --force-confold -i "$@"; }

# Prints what the packages have, as files.txt does.
listed() {
	local name
	for name in "${names[@]}"; do
		dpkg -L "$name" | while read -r path; do
			[ -d "$path" ] || [[ $path == /usr/share/doc/* ]] || [[ $path == /usr/share/lintian/* ]] ||
				printf '%s %s\n' "$name" "$path"
		done
	done | sed -E -e 's| /lib/| /usr/lib/|' -e 's|/usr/lib/[^/ ]+-linux-gnu/|/usr/lib/*/|' -e 's|/dpdk/pmds-[^/]+/|/dpdk/*/|' | sort
}

# True if each package has exactly the files that files.txt has.
files() { diff <(grep -v '^#' "$here/files.txt" | sort) <(listed); }

# True if the program $1 tells its name and version.
tells_version() { [ "$("$1" --version)" = "$1 $version" ]; }

# True if the man page of the program $1 has each long option of --help, and none else.
page_fits() {
	local page
	page=$(find /usr/share/man -name "$1.1.gz")
	diff <("$1" --help 2>&1 | grep -oE -- '--[a-z][a-z-]+' | sort -u) \
		<(zcat "$page" | sed 's/\\-/-/g' | grep -oE -- '--[a-z][a-z-]+' | sort -u)
}

# Runs the stock program on $1 operations, without -d, and checks that all of them came back.
crypto_perf() {
	local output
	output=$(dpdk-test-crypto-perf "${eal[@]}" --vdev crypto_accel0,cores=inline -- "${perf[@]}" --total-ops "$1" 2>&1) &&
		grep -E "^ +1 +1024 +32 +$1 +$1 " <<<"$output" && return 0
	printf '%s\n' "$output"
	return 1
}

# True if dpdk-accel-tool finds the embedded device; the plugin is loaded once, although it is in DPDK's folder, too.
tool() { dpdk-accel-tool info "${eal[@]}" --vdev crypto_accel0,cores=inline | grep '^  driver: *crypto_accel$'; }

# Compiles a program with pkg-config alone, and runs it.
program() {
	local flags
	read -r -a flags <<<"$(env -u PKG_CONFIG_PATH pkg-config --cflags --libs crypto_accel | tr '\n' ' ')"
	cc -Wall -Werror -DALLOW_EXPERIMENTAL_API -o "$root/program" "$here/../install/main.c" "${flags[@]}" &&
		"$root/program" "${eal[@]}" --vdev crypto_accel0,cores=inline
}

# True if OpenSSL loads the provider from its own folder, and its version is the project's.
provider() {
	OSSL_CRYPTODEV_EAL="--no-huge -m 64 --no-shconf --no-telemetry --no-pci --iova-mode=va --vdev crypto_accel0,cores=inline" \
		openssl list -providers -provider cryptodev -provider default | grep "version: $version"
}

# Makes a systemctl that runs the service accel-device as its unit says, and writes down what it is asked for. The
# packages' scripts find it by PATH, as they find systemd by /run/systemd/system. It sees only this PID namespace.
service_manager() {
	mkdir -p "$root/systemd" /run/systemd/system
	# A container's policy lets no package start or stop a service.
	rm -f /usr/sbin/policy-rc.d
	cat >"$root/systemd/systemctl" <<'END'
#!/bin/bash
echo "$*" >>"${0%/*}/asked"
runs() { [ -e "/proc/$(cat "${0%/*}/pid" 2>/dev/null)/exe" ]; }
start() {
	local options
	read -r -a options <<<"$(sed -n 's/^ACCEL_DEVICE_OPTIONS=//p' /etc/default/accel-device)"
	mkdir -p /run/accel-device
	setsid /usr/bin/accel-device "${options[@]//kvm/root}" --quiet </dev/null >/dev/null 2>&1 &
	echo "$!" >"${0%/*}/pid"
	for _ in {1..600}; do
		[ ! -S /run/accel-device/s1 ] || return 0
		sleep 0.1
	done
	return 1
}
stop() {
	! runs || kill -s "$(sed -n 's/^KillSignal=SIG//p' /lib/systemd/system/accel-device.service)" "$(cat "${0%/*}/pid")"
	for _ in {1..600}; do
		runs || break
		sleep 0.1
	done
	! runs && rm -rf /run/accel-device
}
for word in "$@"; do
	case $word in
	is-active) runs; exit ;;
	start) start; exit ;;
	stop) stop; exit ;;
	try-restart) ! runs || { stop && start; }; exit ;;
	esac
done
END
	chmod +x "$root/systemd/systemctl"
	export PATH=$root/systemd:$PATH
}

# Starts the service, and has accel-conformance look at a function.
service() { systemctl start accel-device.service && accel-conformance --socket /run/accel-device/s0 --only identity; }

# Makes the package $1 anew with a higher version, as a next release would, and prints its path.
next_version() {
	local dir=$root/next/$1
	mkdir -p "$root/next"
	dpkg-deb -R "$packages/${1}_$version-1_"*.deb "$dir"
	sed -i "s/$version-1/$version.1-1/" "$dir/DEBIAN/control"
	dpkg-deb -Znone -b "$dir" "$dir.deb" >&2
	printf '%s' "$dir.deb"
}

# True if the upgrade has restarted the service, so that systemd hands over what guests need, and has not stopped it before,
# which would end the guests' functions. The new program serves.
restarted() {
	local asked pid before
	before=$(cat "$root/systemd/before")
	asked=$(grep -oE '(stop|start|restart|try-restart) accel-device.service' "$root/systemd/asked")
	pid=$(cat "$root/systemd/pid")
	printf 'asked for: %s; process %s, before %s\n' "$asked" "$pid" "$before"
	# What a restart does to clients depends on the unit, which test/vm/service tests with systemd.
	[ "$asked" = "try-restart accel-device.service" ] && [ "$pid" != "$before" ] &&
		[ "$(readlink "/proc/$pid/exe")" = /usr/bin/accel-device ] &&
		accel-conformance --socket /run/accel-device/s0 --only identity
}

# Upgrades all that has code while a program uses the plugin and the service runs. Nothing that it does may be lost.
upgrade() {
	local pid debs=() name
	for name in "${names[@]}"; do debs+=("$(next_version "$name")"); done
	dpdk-accel-tool loopback "${eal[@]}" --vdev crypto_accel0,cores=inline --rate 2000 --time 600 >"$root/load" 2>&1 &
	pid=$!
	for _ in {1..300}; do
		! grep -q "^device " "$root/load" || break
		sleep 0.1
	done
	cp "$root/systemd/pid" "$root/systemd/before"
	: >"$root/systemd/asked"
	install "${debs[@]}" || return 1
	kill -INT "$pid" || { cat "$root/load"; return 1; }
	wait "$pid" || { cat "$root/load"; return 1; }
	[ "$(dpkg-query -W -f '${Version}' librte-crypto-accel1)" = "$version.1-1" ]
}

# True if the removal of the package stops the service that runs, and leaves no process of it.
stopped() {
	local left
	: >"$root/systemd/asked"
	systemctl is-active accel-device.service && dpkg -r accel-device || return 1
	grep 'stop accel-device.service' "$root/systemd/asked" || return 1
	left=$(find /proc -maxdepth 2 -name exe -lname '*accel-device*' 2>/dev/null)
	[ -z "$left" ] || { printf '%s is left\n' "$left"; return 1; }
}

# True if a purge leaves nothing: no file of these packages, no changed file of another.
nothing_left() {
	local left
	dpkg -P "${names[@]}" || return 1
	# The state of dpkg, ld.so and man-db, and logs, are the distribution's.
	left=$(cd "$root" && find ./*/upper ! -type d ! -path '*/var/upper/lib/dpkg/*' ! -path './var/upper/lib/dpkg/*' \
		! -path './var/upper/log/*' ! -path './var/upper/cache/*' ! -path './etc/upper/ld.so.cache' ! -type c)
	left+=$(find /usr /etc /var /run \( -name '*crypto_accel*' -o -name '*accel-device*' -o -name '*librte-crypto-accel*' \
		-o -name 'dpdk-accel-*' \) ! -path '/var/cache/*' 2>/dev/null | grep -vxFf "$root/before" || true)
	[ -z "$left" ] || { printf '%s\n' "$left"; return 1; }
}

# True if the EAL knows no crypto_accel any more.
forgotten() { ! crypto_perf 1000 >/dev/null; }

overlay
find /usr /etc /var /run \( -name '*crypto_accel*' -o -name '*accel-device*' -o -name '*librte-crypto-accel*' \
	-o -name 'dpdk-accel-*' \) 2>/dev/null >"$root/before" || true
stub_module
printf '1..22\n'
ok "dpkg installs the packages" install "$packages"/*.deb
ok "each package has its files and no other" files
for program in accel-conformance accel-device accel-pf-holder dpdk-accel-exporter dpdk-accel-tool; do
	ok "$program --version" tells_version "$program"
done
for program in accel-conformance accel-device dpdk-accel-exporter; do
	ok "the man page of $program has its options" page_fits "$program"
done
ok "dpdk-test-crypto-perf finds the plugin without -d" crypto_perf 20000
ok "dpdk-accel-tool finds it" tool
ok "a program compiles with pkg-config crypto_accel and runs" program
ok "OpenSSL finds the provider" provider
ok "systemd accepts the unit" systemd-analyze verify --man=no accel-device.service
service_manager
ok "accel-device serves with the options of its unit, accel-conformance tests it" service
ok "upgrade while a program uses the plugin and the service runs: nothing lost" upgrade
ok "an upgrade restarts the service, and does not stop it before" restarted
ok "the upgraded plugin works" crypto_perf 20000
ok "a removal stops the service" stopped
ok "a purge leaves nothing" nothing_left
ok "dpdk-test-crypto-perf finds no plugin then" forgotten
