#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs a build into a folder, compiles a program against it with pkg-config as the guide says, and
# runs it. Called by `meson test` as run.sh BUILD-FOLDER, speaks TAP.
set -euo pipefail

build=$1
source=$(cd "$(dirname "$0")" && pwd)
dest=$build/test/install/dest
number=0

# ok TITLE COMMAND...: one test, the output of the command behind it.
ok() {
	local title=$1 output
	shift
	number=$((number + 1))
	if output=$("$@" 2>&1); then
		printf 'ok %d - %s\n' "$number" "$title"
	else
		printf 'not ok %d - %s\n' "$number" "$title"
		sed 's/^/# /' <<<"$output"
	fi
}

# The files that a user needs.
files() {
	[ -s "$prefix/include/rte_pmd_accel.h" ] && [ -s "$lib/librte_crypto_accel.so" ] &&
		[ -s "$lib/pkgconfig/crypto_accel.pc" ] && [ -x "$prefix/bin/accel-device" ]
}

# With the flags of pkg-config and the one that the guide names.
compile() {
	local flags
	read -r -a flags <<<"$(pkg-config --cflags --libs "$1" | tr '\n' ' ')"
	"${CC:-cc}" -Wall -Wextra -Werror -DALLOW_EXPERIMENTAL_API -o "$dest/program" "$source/main.c" "${flags[@]}"
}

# Without -d: the program is linked with the driver.
run() {
	LD_LIBRARY_PATH=$lib "$dest/program" --no-huge -m 256 --no-shconf --no-pci --no-telemetry \
		--vdev crypto_accel0,cores=inline
}

# The model that an in-tree build of the driver asks for.
model() {
	printf '%s\n' '#include <accel_model.h>' \
		'int main(void) { return accel_model_fault_help() == 0; }' >"$dest/model.c"
	read -r -a flags <<<"$(pkg-config --cflags --libs accel-model | tr '\n' ' ')"
	"${CC:-cc}" -o "$dest/model" "$dest/model.c" "${flags[@]}" && "$dest/model"
}

# Folders below $dest as the pkg-config files have them, whatever the prefix.
rm -rf "$dest"
mkdir -p "$dest"
export RUNTIME_DIRECTORY=$dest
printf '1..5\n'
ok "meson install" env "DESTDIR=$dest" meson install -C "$build" --no-rebuild --quiet
pc=$(find "$dest" -name crypto_accel.pc)
lib=$(dirname "$(dirname "${pc:-/nonexistent/pkgconfig/x}")")
prefix=$(sed -n 's/^prefix=//p' "$pc")
sed -i "s|^prefix=|&$dest|" "$lib"/pkgconfig/*.pc
prefix=$dest$prefix
export PKG_CONFIG_PATH=$lib/pkgconfig
ok "header, plug-in, pkg-config file, daemon" files
ok "a program compiles and links with pkg-config crypto_accel" compile crypto_accel
ok "the program runs and finds the embedded device" run
ok "a program compiles and links with pkg-config accel-model" model
rm -rf "$dest"
