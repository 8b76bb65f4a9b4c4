# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Debian's nginx, HAProxy, OpenVPN and iperf3 for tests of the OpenSSL provider. The packages would start services on
# the machine, so they are unpacked below build/deps, with the libraries that the machine lacks, and not installed.
# Scripts source this file after lib.sh.

TLS_DIR=$ACCEL_DEPS/tls-programs
TLS_PACKAGES=(nginx haproxy openvpn iperf3)

# Downloads what is missing into the folder $1.
tls_download() {
	mkdir -p "$1/partial"
	run_logged tls-download apt-get -q -y install --no-install-recommends --download-only \
		-o Dir::Cache::archives="$1" -o Debug::NoLocking=1 "${TLS_PACKAGES[@]}"
}

# Puts the programs into PATH, and their libraries into LD_LIBRARY_PATH. Fails if the archive does not have them.
tls_prepare() {
	local new=$TLS_DIR.new archive libraries prefix stamp="${TLS_PACKAGES[*]} $(debian_codename)"
	if [ "$(cat "$TLS_DIR/.accel-stamp" 2>/dev/null)" != "$stamp" ]; then
		rm -rf "$new" "$TLS_DIR"
		if ! tls_download "$new/archives"; then
			# The package lists are old, or there are none.
			prefix=$(root_prefix) || return 1
			# shellcheck disable=SC2086 # the prefix is words
			run_logged apt-update $prefix apt-get -q update || return 1
			tls_download "$new/archives" || return 1
		fi
		for archive in "$new"/archives/*.deb; do
			[ ! -e "$archive" ] || dpkg-deb -x "$archive" "$new" || return 1
		done
		rm -rf "$new/archives"
		printf '%s\n' "$stamp" >"$new/.accel-stamp"
		mv "$new" "$TLS_DIR"
	fi
	export PATH=$PATH:$TLS_DIR/usr/sbin:$TLS_DIR/usr/bin:/usr/sbin:/sbin
	libraries=$(find "$TLS_DIR" -name '*.so.*' -printf '%h\n' | sort -u | paste -sd :)
	LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
	export LD_LIBRARY_PATH
}
