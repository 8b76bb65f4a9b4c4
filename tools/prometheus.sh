# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Debian's Prometheus for tests of the exporter. The package would start a service on the machine, so it is
# unpacked below build/deps and not installed. Scripts source this file after lib.sh.

PROMETHEUS_DIR=$ACCEL_DEPS/prometheus
PROMETHEUS_PACKAGES=(python3-prometheus-client)

# Downloads the packages into the folder $1. Debian 13 has promtool in one of its own.
prometheus_download() {
	local packages=(prometheus)
	! apt_knows promtool || packages+=(promtool)
	(cd "$1" && run_logged prometheus-download apt-get -q download "${packages[@]}")
}

# Installs the exporter's library, and puts prometheus and promtool into PATH. Fails if the archive does not
# have them.
prometheus_prepare() {
	local new=$PROMETHEUS_DIR.new prefix package
	install_packages "${PROMETHEUS_PACKAGES[@]}"
	if [ ! -x "$PROMETHEUS_DIR/usr/bin/promtool" ]; then
		rm -rf "$new"
		mkdir -p "$new"
		if ! apt_knows prometheus || ! prometheus_download "$new"; then
			# The package lists are old, or there are none.
			prefix=$(root_prefix) || return 1
			# shellcheck disable=SC2086 # the prefix is words
			run_logged apt-update $prefix apt-get -q update || return 1
			prometheus_download "$new" || return 1
		fi
		for package in "$new"/*.deb; do
			dpkg-deb -x "$package" "$new" || return 1
		done
		rm -rf "$new"/*.deb "$PROMETHEUS_DIR"
		mv "$new" "$PROMETHEUS_DIR"
	fi
	export PATH=$PATH:$PROMETHEUS_DIR/usr/bin
}
