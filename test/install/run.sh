#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs a build into a folder, compiles a program with pkg-config as the guide says, and runs it. `meson
# test` calls it as run.sh BUILD-FOLDER. It prints TAP.
set -euo pipefail

build=$1
source=$(cd "$(dirname "$0")" && pwd)
dest=$build/test/install/dest
# shellcheck source=test/common/ok.sh
. "$source/../common/ok.sh"

# True when the files that a user needs are there.
files() {
	[ -s "$prefix/include/rte_pmd_accel.h" ] && [ -s "$lib/librte_crypto_accel.so" ] &&
		[ -s "$lib/pkgconfig/crypto_accel.pc" ] && [ -x "$prefix/bin/accel-device" ] &&
		[ -x "$prefix/bin/accel-conformance" ] && [ -x "$prefix/bin/dpdk-accel-exporter" ] &&
		[ -s "$prefix/share/dpdk/telemetry-endpoints/accel.py" ] && [ -x "$prefix/bin/accel-pf-holder" ]
}

# True when the tool runs from where it was installed, without help to find the plugin there, and its man page and
# completion are there.
tool() {
	unset LD_LIBRARY_PATH # that meson test sets
	"$prefix/bin/accel-pf-holder" --version | grep -q '^accel-pf-holder [0-9]' || return 1
	"$prefix/bin/dpdk-accel-tool" info --no-huge -m 256 --no-shconf --no-pci --no-telemetry \
		--vdev crypto_accel0,cores=inline | grep '^  driver: *crypto_accel$' >/dev/null &&
		[ -s "$prefix/share/man/man1/dpdk-accel-tool.1" ] &&
		[ -s "$prefix/share/bash-completion/completions/dpdk-accel-tool" ]
}

# Compiles the program with the flags of pkg-config and the one that the guide names.
compile() {
	local flags
	read -r -a flags <<<"$(pkg-config --cflags --libs "$1" | tr '\n' ' ')"
	"${CC:-cc}" -Wall -Wextra -Werror -DALLOW_EXPERIMENTAL_API -o "$dest/program" "$source/main.c" "${flags[@]}"
}

# Runs the program without -d, because it is linked with the driver.
run() {
	LD_LIBRARY_PATH=$lib "$dest/program" --no-huge -m 256 --no-shconf --no-pci --no-telemetry \
		--vdev crypto_accel0,cores=inline
}

# Compiles and runs a program with the model, as an in-tree build of the driver needs it.
model() {
	printf '%s\n' '#include <accel_model.h>' \
		'int main(void) { return accel_model_fault_help() == 0; }' >"$dest/model.c"
	read -r -a flags <<<"$(pkg-config --cflags --libs accel-model | tr '\n' ' ')"
	"${CC:-cc}" -o "$dest/model" "$dest/model.c" "${flags[@]}" && "$dest/model"
}

# The prefix of the pkg-config files gets $dest in front, because the files are installed there.
rm -rf "$dest"
mkdir -p "$dest"
export RUNTIME_DIRECTORY=$dest
printf '1..6\n'
ok "meson install" env "DESTDIR=$dest" meson install -C "$build" --no-rebuild --quiet
pc=$(find "$dest" -name crypto_accel.pc)
lib=$(dirname "$(dirname "${pc:-/nonexistent/pkgconfig/x}")")
prefix=$(sed -n 's/^prefix=//p' "$pc")
sed -i "s|^prefix=|&$dest|" "$lib"/pkgconfig/*.pc
prefix=$dest$prefix
export PKG_CONFIG_PATH=$lib/pkgconfig
ok "header, plug-in, pkg-config file, programs" files
ok "a program compiles and links with pkg-config crypto_accel" compile crypto_accel
ok "the program runs and finds the embedded device" run
ok "a program compiles and links with pkg-config accel-model" model
ok "dpdk-accel-tool with man page and completion" tool
rm -rf "$dest"
