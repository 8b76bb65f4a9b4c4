# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Shared by the scripts of tools/: messages, signals, Debian packages, arguments for DPDK's EAL.
# Sourced, not run. Callers have set `set -euo pipefail` and end with `supervised main "$@"`.
# shellcheck disable=SC2034 # variables are for the scripts that source this

unset CDPATH

ACCEL_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
ACCEL_BUILD=${ACCEL_BUILD:-$ACCEL_ROOT/build}
ACCEL_LOGS=$ACCEL_BUILD/logs
export ACCEL_LOGS_DIR=$ACCEL_LOGS # for tools/py
ACCEL_DEPS=$ACCEL_BUILD/deps
ACCEL_DRIVER_HEADERS=$ACCEL_DEPS/driver-headers
ACCEL_JOBS=${ACCEL_JOBS:-$(nproc)}
# This is Debian's own Python, for which the packages install modules. Another one may come first in PATH.
ACCEL_PYTHON=/usr/bin/python3
# Python shall not write its cache into the source tree.
export PYTHONDONTWRITEBYTECODE=1

# The packages of Debian 12 and 13 that the project needs.
ACCEL_PACKAGES=(
	build-essential meson ninja-build pkg-config dpkg-dev
	dpdk dpdk-dev libdpdk-dev librte-meta-all
	libfdt-dev libssl-dev libipsec-mb-dev libcmocka-dev libnuma-dev libseccomp-dev libjansson-dev
	python3 python3-pyelftools python3-yaml python3-venv valgrind duktape device-tree-compiler iverilog
)
# Beside them, for tools/spin, tools/fuzz, tools/secgw.sh and tools/test.
SPIN_PACKAGES=(spin gcc libc6-dev)
FUZZ_PACKAGES=(clang libclang-rt-dev llvm)
# Scapy is the independent peer of ipsec-secgw, and needs python3-cryptography for ESP. iproute2 moves interfaces.
SECGW_PACKAGES=(python3-scapy python3-cryptography iproute2)
# The programs that the tests of the OpenSSL provider run unchanged.
OSSL_PACKAGES=(openssl curl python3-cryptography iproute2)

ACCEL_CLEANUPS=()
ACCEL_SCRIPT=tools/${0##*/}

# ---------------------------------------------------------------- messages

# Prints the title of a step.
step() { printf '\n==> %s\n' "$*"; }

# Prints a detail of a step.
note() { printf '    %s\n' "$*"; }

# Prints what the user should know but what does not stop the script.
warn() { printf '    warning: %s\n' "$*" >&2; }

# Stops the script with a message.
die() {
	printf '\nerror: %s\n' "$*" >&2
	exit 1
}

# Ends a script that was called with wrong arguments, with exit code 2.
usage_error() {
	printf '%s: %s; see %s --help\n' "$ACCEL_SCRIPT" "$*" "$ACCEL_SCRIPT" >&2
	exit 2
}

# True when one of the arguments is -h or --help.
wants_help() {
	local argument
	for argument in "$@"; do
		case "$argument" in -h | --help) return 0 ;; esac
	done
	return 1
}

# Handles the arguments of a script that takes none. The script has a function usage.
no_arguments() {
	if wants_help "$@"; then
		usage
		exit 0
	fi
	(($# == 0)) || usage_error "unknown argument '$1'"
}

# Prints seconds as "1m05s".
human_seconds() {
	local s=$1
	if ((s >= 60)); then printf '%dm%02ds' $((s / 60)) $((s % 60)); else printf '%ds' "$s"; fi
}

# Prints the path of the log of the step $1, and makes its folder.
log_path() {
	mkdir -p "$ACCEL_LOGS"
	printf '%s/%s.log' "$ACCEL_LOGS" "${1//[^A-Za-z0-9_.-]/_}"
}

# run_logged NAME COMMAND...: runs the command with its output in a log, and shows the last line of it
# now and then, or the last one with the pattern ACCEL_PROGRESS: a test of failures logs what looks like one. On
# failure it prints the end of the log and its path, and returns the command's code.
run_logged() {
	local name=$1 log start pid code=0 shown=0 last
	shift
	log=$(log_path "$name")
	start=$SECONDS
	printf '$ %s\n' "$*" >"$log"
	"$@" >>"$log" 2>&1 </dev/null &
	pid=$!
	while kill -0 "$pid" 2>/dev/null; do
		sleep 0.2
		if ((SECONDS - start >= shown + 5)); then
			shown=$((SECONDS - start))
			last=$(tail -c 20000 "$log" | tr '\r' '\n' | grep -a "${ACCEL_PROGRESS:-[^[:space:]]}" |
				tail -n 1 | cut -c1-80 || true)
			if [ -t 1 ]; then
				printf '\r\033[K    ... %s  %s' "$(human_seconds $shown)" "$last"
			elif ((shown % 15 < 5)); then
				printf '    ... %s  %s\n' "$(human_seconds $shown)" "$last"
			fi
		fi
	done
	wait "$pid" || code=$?
	if [ -t 1 ] && ((shown > 0)); then printf '\r\033[K'; fi
	if ((code != 0)); then
		printf '    FAILED (code %d): %s\n    the last lines of its log:\n' "$code" "$name" >&2
		tail -n 40 "$log" | sed 's/^/    | /' >&2
		# What a test said of its failure may lie far before the end.
		grep -a '^not ok\|FAIL\|ERROR' "$log" | tail -n 10 | cut -c1-200 | sed 's/^/    ! /' >&2 || true
		printf '    the whole log: %s\n' "$log" >&2
	fi
	return "$code"
}

# with_lock NAME COMMAND...: runs a command while no other script with this build folder runs one with that lock. What
# the command starts does not keep the lock.
with_lock() {
	local file=$ACCEL_BUILD/.lock-$1 fd
	shift
	mkdir -p "$ACCEL_BUILD"
	exec {fd}>>"$file"
	if ! flock -n "$fd"; then
		note "waiting for another script, which holds $file"
		flock "$fd"
	fi
	# Bash keeps a copy for itself while the command runs. A script whose command fails ends, which frees the lock.
	eval '"$@"' "$fd>&-"
	exec {fd}>&-
}

# ---------------------------------------------------------------- signals and what a script leaves

# Registers a command and its arguments to run when the script ends.
on_exit() { ACCEL_CLEANUPS+=("$(printf '%q ' "$@")"); }

# Runs what was registered with on_exit, last first; keeps the script's exit code.
run_cleanups() {
	local code=$? i
	trap '' INT TERM HUP
	trap - EXIT
	for ((i = ${#ACCEL_CLEANUPS[@]} - 1; i >= 0; i--)); do
		eval "${ACCEL_CLEANUPS[i]}" || true
	done
	exit "$code"
}

# True when the process $1 is stopped with all its threads, or has ended. BLOCKED tells whether one of them waits for
# something that a signal does not end.
is_still() {
	local file stat still=0
	BLOCKED=0
	for file in /proc/"$1"/task/*/stat; do
		read -r stat 2>/dev/null <"$file" || continue
		case ${stat##*) } in [TtZX]*) ;; D*) BLOCKED=1 still=1 ;; *) still=1 ;; esac
	done
	return "$still"
}

# Stops the process $1 and all its descendants, and adds them to HELD. A stopped process cannot start
# another one, so none is missed. A process that waits for a CPU stops when it gets one, however late. One in
# vfork() does not stop before its child has begun, so the wait for such a one has a limit.
hold() {
	local list pid pids=() blocked BLOCKED
	kill -STOP "$1" 2>/dev/null || return 0
	for ((blocked = 0; blocked < 20; blocked += BLOCKED)); do
		! is_still "$1" || break
		sleep 0.01
		# Another script that ends at the same time may have let it go on.
		kill -STOP "$1" 2>/dev/null || return 0
	done
	HELD+=("$1")
	for list in /proc/"$1"/task/*/children; do
		read -r -a pids 2>/dev/null <"$list" || true
		for pid in "${pids[@]}"; do hold "$pid"; done
	done
}

# True when one of the processes has not ended. A killed process may remain as a zombie.
one_lives() {
	local pid stat
	for pid in "$@"; do
		read -r stat 2>/dev/null </proc/"$pid"/stat || continue
		case ${stat##*) } in [ZX]*) ;; *) return 0 ;; esac
	done
	return 1
}

# Tells the processes of HELD to end, and lets them go on. False if one of them runs five seconds longer.
end_held() {
	local i
	kill -TERM "${HELD[@]}" 2>/dev/null || true
	kill -CONT "${HELD[@]}" 2>/dev/null || true
	for ((i = 0; i < 50; i++)); do
		one_lives "${HELD[@]}" || return 0
		sleep 0.1
	done
	return 1
}

# Ends the process $1, if there is one yet, and all its descendants, then the script with the code $2.
# Descendants that run five seconds longer are killed: a child of bash that has not begun its program takes
# bash's own trap and loses the signal. The process itself is not killed, since it has to clean up.
stop_all() {
	local HELD=() begun i
	trap '' INT TERM HUP
	[ -n "$1" ] || exit "$2"
	hold "$1"
	! end_held || exit "$2"
	begun=("${HELD[@]:1}")
	HELD=()
	hold "$1"
	HELD=("${HELD[@]:1}" "${begun[@]}")
	kill -KILL "${HELD[@]}" 2>/dev/null || true
	HELD+=("$1")
	kill -CONT "$1" 2>/dev/null || true
	for ((i = 0; i < 50; i++)); do
		one_lives "${HELD[@]}" || exit "$2"
		sleep 0.1
	done
	exit "$2"
}

# Ends what this process has started after stop_all() had looked: bash may start one more program before it acts
# on the signal. A child that has not begun its program yet has bash's own trap, and would lose a milder signal.
# Nobody looks for what is left here, so a program that ignores SIGTERM is killed like those of stop_all().
stop_late() {
	local list pid pids=() late=() begun HELD=()
	for list in /proc/"$BASHPID"/task/*/children; do
		read -r -a pids 2>/dev/null <"$list" || true
		for pid in "${pids[@]}"; do
			if cmp -s /proc/"$BASHPID"/cmdline /proc/"$pid"/cmdline; then
				kill -KILL "$pid" 2>/dev/null || true
			else
				late+=("$pid")
				hold "$pid"
			fi
		done
	done
	((${#HELD[@]} != 0)) || return 0
	! end_held || return 0
	# Each of them may have started another one since it was let go on.
	begun=("${HELD[@]}")
	HELD=()
	for pid in "${late[@]}"; do
		hold "$pid"
	done
	kill -KILL "${HELD[@]}" "${begun[@]}" 2>/dev/null || true
}

# Runs the script itself, with clean-ups at its end. supervised() starts it.
script_process() {
	trap run_cleanups EXIT
	trap 'trap "" INT TERM HUP; stop_late; exit 143' TERM
	"$@"
}

# supervised FUNCTION ARGUMENT...: runs the function in a process of its own and waits for it. Bash acts
# on a signal only when the command that it runs has ended. This process runs no command, so it can pass
# a signal on at once to all that the script has started.
supervised() {
	local code=0
	trap 'stop_all "${!:-}" 130' INT
	trap 'stop_all "${!:-}" 143' TERM
	trap 'stop_all "${!:-}" 129' HUP
	script_process "$@" <&0 &
	wait "$!" || code=$?
	exit "$code"
}

# True when processes of other users reach the folder $1. They do not below root's home, for one.
others_reach() {
	local dir=$1
	while [[ $dir == /?* ]]; do
		[[ $(stat -c %A "$dir") == *[xt] ]] || return 1
		dir=${dir%/*}
	done
}

# Makes the folder for all temporary files, and removes it at the end. It is below build/, or in TMPDIR if that
# path is too long for sockets, or if other users do not reach it: mmdebstrap runs processes of other users, and
# so does a test of accel-device. A script that another one has started shares its folder.
scratch_prepare() {
	local dir pid base=$ACCEL_BUILD/tmp
	if [ ! -d "${ACCEL_SCRATCH:-}" ]; then
		mkdir -p "$base"
		# Remove the folders of scripts that were killed.
		for dir in "$base"/*; do
			pid=${dir##*/}
			[ -d "/proc/${pid%%.*}" ] || rm -rf "$dir"
		done
		if ((${#base} > 30)) || ! others_reach "$base"; then base=${TMPDIR:-/tmp}; fi
		ACCEL_SCRATCH=$(mktemp -d "$base/$$.XXXX")
		on_exit rm -rf "$ACCEL_SCRATCH"
		chmod 711 "$ACCEL_SCRATCH"
	fi
	# The EAL keeps its run-time files in RUNTIME_DIRECTORY.
	export ACCEL_SCRATCH TMPDIR=$ACCEL_SCRATCH RUNTIME_DIRECTORY=$ACCEL_SCRATCH
}

# ---------------------------------------------------------------- Debian packages

# Prints the command prefix that gives root's rights: nothing, "sudo -n" or "sudo". Fails if there is none.
root_prefix() {
	if [ "$(id -u)" = 0 ]; then
		return 0
	elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
		printf 'sudo -n'
	elif command -v sudo >/dev/null && [ -t 0 ]; then
		printf 'sudo'
	else
		return 1
	fi
}

# Prints the code name of this machine's Debian release, bookworm or trixie, or nothing on another system.
debian_codename() { (. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}") 2>/dev/null || true; }

# Warns when the machine is not a Debian that the project is tested on.
check_debian() {
	local id='' version=''
	if [ -r /etc/os-release ]; then
		id=$(. /etc/os-release && printf '%s' "${ID:-}")
		version=$(. /etc/os-release && printf '%s' "${VERSION_ID:-}")
	fi
	if [ "$id" != debian ] || [[ $version != 1[23] ]]; then
		warn "this is ${id:-an unknown system} ${version}; the project is tested on Debian 12 and 13 only"
	fi
}

# Prints the given packages that are not installed, one per line.
missing_packages() {
	local p
	for p in "$@"; do
		if [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" != installed ]; then
			printf '%s\n' "$p"
		fi
	done
}

# True when apt has a version to install for every given package.
apt_knows() {
	local p policy
	for p in "$@"; do
		policy=$(apt-cache policy "$p" 2>/dev/null)
		[[ $policy == *"  Candidate: "[^\(]* ]] || return 1
	done
}

# python_packages MODULE LIST: gets the packages of the file LIST from PyPI into an environment of Python of its own,
# build/deps/MODULE, unless they are there. False if PyPI does not give them, and then nothing is left.
python_packages() {
	local dest=$ACCEL_DEPS/$1 list=$ACCEL_ROOT/$2
	! { cmp -s "$list" "$dest/.accel-stamp" && "$dest/bin/python3" -c "import $1" 2>/dev/null; } || return 0
	rm -rf "$dest"
	mkdir -p "$ACCEL_DEPS"
	if run_logged "$1-venv" "$ACCEL_PYTHON" -m venv "$dest" &&
		run_logged "$1-pip" "$dest/bin/pip" --disable-pip-version-check install --no-deps -r "$list"; then
		cp "$list" "$dest/.accel-stamp"
		return 0
	fi
	rm -rf "$dest"
	return 1
}

# Installs the given Debian packages that are missing. Two scripts do not do so at once.
install_packages() {
	local missing
	mapfile -t missing < <(missing_packages "$@")
	if ((${#missing[@]} == 0)); then
		note "all $# Debian packages are installed"
		return 0
	fi
	with_lock packages install_missing "$@"
}

# Installs those of the given Debian packages that are still missing.
install_missing() {
	local missing prefix
	command -v apt-get >/dev/null || die "there is no apt-get; install what corresponds to these packages: $*"
	mapfile -t missing < <(missing_packages "$@")
	if ((${#missing[@]} == 0)); then
		note "all $# Debian packages are installed"
		return 0
	fi
	note "to install: ${missing[*]}"
	if ! prefix=$(root_prefix); then
		die "packages are missing and this user may not install them; as root run:
    apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
	fi
	if ! apt_knows "${missing[@]}"; then
		note "updating apt's package lists"
		# shellcheck disable=SC2086 # the prefix is words
		run_logged apt-update $prefix apt-get -q update || die "apt-get update failed"
	fi
	note "installing (the log grows in $(log_path apt-install))"
	# shellcheck disable=SC2086
	if ! run_logged apt-install $prefix env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
		-o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600 install --no-install-recommends "${missing[@]}"; then
		# Old package lists name files that the mirror has no longer, so try again with new lists.
		note "that failed; updating apt's package lists and trying again"
		# shellcheck disable=SC2086
		run_logged apt-update $prefix apt-get -q update || die "apt-get update failed"
		# shellcheck disable=SC2086
		run_logged apt-install $prefix env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
			-o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600 install --no-install-recommends "${missing[@]}" ||
			die "apt-get install failed"
	fi
	mapfile -t missing < <(missing_packages "$@")
	((${#missing[@]} == 0)) || die "these packages are still not installed: ${missing[*]}"
}

# private_apt DIR COMMAND ARGUMENT...: runs apt-get or apt-cache with lists, cache and sources.list below DIR,
# so that those of the machine do not change.
private_apt() {
	local dir=$1 command=$2
	shift 2
	"$command" -q -o Dir::Etc::sourcelist="$dir/sources.list" -o Dir::Etc::sourceparts=/dev/null \
		-o Dir::State::lists="$dir/lists" -o Dir::Cache="$dir/cache" \
		-o APT::Get::List-Cleanup=0 -o APT::Sandbox::User="$(id -un)" \
		-o Acquire::Languages=none -o Debug::NoLocking=1 "$@"
}

# Prints the keyring that the apt sources file $1 names, or Debian's own if it names none.
signing_key() {
	local key
	key=$(sed -nE -e 's/^Signed-By:[[:space:]]*(\/[^[:space:]]+).*/\1/Ip' \
		-e 's/.*[[ ]signed-by=(\/[^] ]+).*/\1/Ip' "$1" 2>/dev/null | head -n 1)
	if [ -z "$key" ] && [ -r /usr/share/keyrings/debian-archive-keyring.gpg ]; then
		key=/usr/share/keyrings/debian-archive-keyring.gpg
	fi
	printf '%s' "$key"
}

# ---------------------------------------------------------------- DPDK's source

# A script ends with this code (EX_UNAVAILABLE of sysexits.h) on a machine that lacks what it needs. That is no
# failure of the project; tools/test counts nothing then.
ACCEL_UNAVAILABLE=69

# True when tools/setup has found DPDK's source, and not only driver headers (ACCEL_DPDK_SOURCE).
source_there() { [ -r "$ACCEL_DEPS/dpdk/VERSION" ]; }

# Ends the script if there is no source of DPDK.
source_need() {
	if source_there; then return 0; fi
	warn "$ACCEL_SCRIPT builds DPDK's own programs, and there is no source of DPDK on this machine,
    only driver headers. To have it: ACCEL_DPDK_SOURCE=FOLDER_WITH_THE_SOURCE tools/setup"
	exit "$ACCEL_UNAVAILABLE"
}

# ---------------------------------------------------------------- runs

# log_counts KIND FILE CODE: prints "PASSED FAILED" of a log (tools/py/run/counts.py has the kinds). An exit code
# other than 0 is at least one failure.
log_counts() {
	local passed=0 failed=0
	if [ -r "$2" ]; then
		read -r passed failed < <("$ACCEL_PYTHON" "$ACCEL_ROOT/tools/py/run/counts.py" "$1" "$2")
	fi
	if (($3 != 0 && failed == 0)); then failed=1; fi
	printf '%d %d\n' "$passed" "$failed"
}

# Runs the end-to-end test $1 with the EAL arguments of eal_prepare and the device arguments $2 ("" or
# ",KEY=VALUE..."). The other arguments are those of the test (--quick, --memory ...). plugin_prepare must
# have been called with the plugin of the same build.
run_e2e() {
	local program=$1 devargs=$2
	shift 2
	# shellcheck disable=SC2086 # the EAL arguments are words
	"$program" --lcores "$ACCEL_LCORES" --log-level=error $ACCEL_EAL -d "$ACCEL_PLUGIN" \
		--vdev "crypto_accel0$devargs" -- "$@"
}

# ---------------------------------------------------------------- CPUs and plugin for the EAL

# Prints the CPUs that this process may use, one per line.
allowed_cpus() {
	awk '/^Cpus_allowed_list:/ {
		n = split($2, parts, ",")
		for (i = 1; i <= n; i++) {
			m = split(parts[i], ends, "-")
			for (cpu = ends[1]; cpu <= ends[m]; cpu++) print cpu
		}
	}' /proc/self/status
}

# Sets and exports the EAL arguments of all DPDK programs: ACCEL_EAL (memory and general), ACCEL_LCORES
# (main lcore 0 and worker lcore 1), ACCEL_CPUS (list).
eal_prepare() {
	local cpus
	step "Memory and CPUs for DPDK"
	if hugepages_take; then
		# With --in-memory huge pages come from memfd, without a hugetlbfs mount, and no files remain.
		ACCEL_EAL='--in-memory'
		note "using huge pages ($(hugepages_free) of 2 MB are free)"
	else
		ACCEL_EAL='--no-huge -m 1024 --no-shconf'
		warn "there are no huge pages; using ordinary pages, which costs some speed.
    As root: echo $ACCEL_HUGEPAGES > $ACCEL_HUGE_DIR/nr_hugepages"
	fi
	ACCEL_EAL="$ACCEL_EAL --no-pci --no-telemetry"
	mapfile -t cpus < <(allowed_cpus)
	ACCEL_CPUS=${cpus[*]}
	if ((${#cpus[@]} >= 3)); then
		ACCEL_LCORES="0@${cpus[1]},1@${cpus[0]}"
		note "CPU ${cpus[0]} runs the test loop, CPU ${cpus[1]} DPDK's main thread, the others run the device"
	elif ((${#cpus[@]} == 2)); then
		ACCEL_LCORES="0@${cpus[0]},1@${cpus[0]}"
		note "CPU ${cpus[0]} runs the test loop and DPDK's main thread, CPU ${cpus[1]} runs the device"
	else
		ACCEL_LCORES="0@${cpus[0]},1@${cpus[0]}"
		warn "there is only one CPU; the device and the test share it, so numbers say little"
	fi
	export ACCEL_EAL ACCEL_LCORES ACCEL_CPUS
	scratch_prepare
}

# True when no folder in the path $1 is writable for everyone. The EAL refuses plugins below such folders.
path_is_private() {
	local path mode
	path=$(realpath "$1")
	while :; do
		mode=$(stat -c '%a' "$path") || return 1
		if (((8#$mode & 2) != 0)); then return 1; fi
		[ "$path" != / ] || return 0
		path=$(dirname "$path")
	done
}

# Makes a private folder from which the EAL loads plugins, and prints its path.
private_plugin_dir() {
	local base dir options
	for base in "${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}" "${HOME:-/nonexistent}" \
		/var/lib "${XDG_RUNTIME_DIR:-/nonexistent}" /run; do
		mkdir -p "$base" 2>/dev/null || continue
		if [ ! -w "$base" ] || ! path_is_private "$base"; then continue; fi
		options=$(findmnt -n -o OPTIONS --target "$base" 2>/dev/null || true)
		[[ ,$options, != *,noexec,* ]] || continue
		dir=$(mktemp -d "$base/crypto_accel.XXXXXX") || continue
		printf '%s\n' "$dir"
		return 0
	done
	return 1
}

# Prints the path of the plugin of the build $1.
plugin_of() { printf '%s/%s/drivers/librte_crypto_accel.so\n' "$ACCEL_BUILD" "$1"; }

# Sets LOADABLE to the plugin $1, or to a copy in a private folder if the EAL would refuse the plugin.
plugin_loadable() {
	local plugin=$1 dir
	[ -r "$plugin" ] || die "there is no $plugin; run tools/build"
	if ! path_is_private "$plugin"; then
		dir=$(private_plugin_dir) || die "DPDK loads no plugin from below a folder that everyone may write to,
and there is no private folder for a copy; move the project away from $ACCEL_ROOT"
		on_exit rm -rf "$dir"
		note "using a copy of the plugin in $dir, because DPDK loads none from below a folder"
		note "that everyone may write to ($ACCEL_ROOT)"
		cp "$plugin" "$dir/"
		plugin=$dir/${plugin##*/}
	fi
	LOADABLE=$plugin
}

# Sets ACCEL_PLUGIN to the plugin $1 of the driver, or to a copy that the EAL loads.
plugin_prepare() {
	plugin_loadable "$1"
	export ACCEL_PLUGIN=$LOADABLE
}

# shellcheck source=tools/pages.sh
. "$ACCEL_ROOT/tools/pages.sh"
