# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Debian's nginx for tests of the OpenSSL provider. The package would start a service on the machine, so it is
# unpacked below build/deps and not installed. Scripts source this file after lib.sh.

NGINX_DIR=$ACCEL_DEPS/nginx

# Puts nginx into PATH, unless it is installed. Fails if the archive does not have it.
nginx_prepare() {
	local new=$NGINX_DIR.new
	! command -v nginx >/dev/null || return 0
	if [ ! -x "$NGINX_DIR/usr/sbin/nginx" ]; then
		rm -rf "$new"
		mkdir -p "$new"
		(cd "$new" && run_logged nginx-download apt-get -q download nginx) || return 1
		dpkg-deb -x "$new"/nginx_*.deb "$new" || return 1
		rm -rf "$new"/*.deb "$NGINX_DIR"
		mv "$new" "$NGINX_DIR"
	fi
	export PATH=$PATH:$NGINX_DIR/usr/sbin
	nginx -v 2>/dev/null
}
