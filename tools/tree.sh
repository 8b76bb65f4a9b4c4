# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# The scripts that build inside a DPDK source tree share this file and its count of checks. They source
# it after lib.sh. The tree is a copy of the one that tools/setup has unpacked, with the driver in it.

# The parts of DPDK that the tests of tools/autotest and tools/programs need.
AUTOTEST_TREE=$ACCEL_BUILD/autotest/dpdk
AUTOTEST_BUILD=$ACCEL_BUILD/autotest/build
# DPDK's test program gets the commands of register.c and register_asym.c. Of its own files only the cryptodev
# tests and those remain without which it cannot be linked.
AUTOTEST_REGISTER=$ACCEL_ROOT/test/autotest/register.c
AUTOTEST_REGISTER_ASYM=$ACCEL_ROOT/test/autotest/register_asym.c
AUTOTEST_SOURCES='test_cryptodev[a-z_]*|test_event_crypto_adapter|test_debug|test_mp_secondary'
AUTOTEST_SOURCES+='|test_pmd_perf|test_timer_secondary|test_security_proto'
AUTOTEST_DRIVERS=bus/vdev,bus/pci,mempool/ring,net/pcap,event/sw
AUTOTEST_DRIVERS+=,crypto/accel,crypto/null,crypto/openssl,crypto/ipsec_mb,crypto/scheduler
# What tools/test needs of it. The driver comes with them as both kinds of library, for tools/intree.
AUTOTEST_PROGRAMS=(
	app/test/dpdk-test app/dpdk-test-crypto-perf examples/dpdk-fips_validation examples/dpdk-l2fwd-crypto
)
AUTOTEST_OPTIONS=(
	"-Denable_drivers=$AUTOTEST_DRIVERS"
	"-Denable_apps=test-crypto-perf,test" # since 24.03 the test program is one of them
	"-Dexamples=fips_validation,l2fwd-crypto"
	-Dtests=true
	-Dplatform=generic
	-Ddefault_library=static
	# Less time of the compiler; the plug-in has the optimization that counts.
	-Doptimization=1
	-Dwerror=true
)

# The optional libraries that they need.
AUTOTEST_LIBS=cryptodev,security,eventdev,timer,dmadev,reorder

PASSED=0
FAILED=0

# check TITLE COMMAND...: runs a command that must succeed, and counts it.
check() {
	local title=$1
	shift
	if "$@"; then
		PASSED=$((PASSED + 1))
		note "ok       $title"
	else
		FAILED=$((FAILED + 1))
		note "FAILED   $title"
	fi
}

# Adds crypto_accel to the list of crypto drivers in TREE.
tree_list_driver() {
	sed -i "s/^drivers = \[\$/&\n        'accel',/" "$1/drivers/crypto/meson.build"
	grep -q "'accel'" "$1/drivers/crypto/meson.build"
}

# Prints the cases of all asymmetric suites in the FILE of a tree, each one once.
tree_asym_cases() {
	awk '/_asym_testsuite *= \{/ { suite = 1 }
		!suite || /^\t\t\/\*/ { next }
		/TEST_CASES_END/ { suite = 0; text = "" }
		/^\t\tTEST_CASE_/ { text = "" }
		{ text = text $0 "\n"; key = text; gsub(/[ \t\n]+/, "", key) }
		text ~ /^\t\tTEST_CASE_/ && /\),$/ { if (!seen[key]++) printf "%s", text; text = "" }' "$1"
}

# Prints what adds the command for asymmetric operations to the FILE of a tree. Up to 25.11 each driver has a suite
# there, and that of crypto_accel has all cases. 22.11 has fewer ways to write cases, so register_asym.c has them for
# it. Later versions have one list of suites for all drivers.
tree_asym_tests() {
	local file=$1 name=cryptodev_accel_asym
	if grep -q '^run_cryptodev_asym_testsuite(' "$file"; then
		printf '\nstatic int\ntest_%s(void)\n{\n' "$name"
		printf '\treturn run_cryptodev_asym_testsuite(RTE_STR(CRYPTODEV_NAME_ACCEL_PMD));\n}\n\n'
		printf 'REGISTER_TEST_COMMAND(%s_autotest, test_%s);\n' "$name" "$name"
		return 0
	fi
	if grep -q '^test_one_by_one(' "$file"; then
		sed -e '1,/^ \*\/$/d' "$AUTOTEST_REGISTER_ASYM"
		return 0
	fi
	sed -e '1,/^ \*\/$/d' -e '/TEST_CASE_ST/,$d' "$AUTOTEST_REGISTER_ASYM"
	tree_asym_cases "$file"
	sed -n '/TEST_CASES_END/,$p' "$AUTOTEST_REGISTER_ASYM"
}

# Adds the commands of register.c and register_asym.c to the test program of TREE, which knows the names of its
# drivers when it is compiled. They go before the first command that is not the scheduler's, which is left out if
# the scheduler is not built. Newer versions have another macro for the commands.
tree_register_tests() {
	local test=$1/app/test macro=REGISTER_TEST_COMMAND part
	local first='^REGISTER_[A-Z_]*\(cryptodev_[^s]'
	sed -i "s/^#define CRYPTODEV_NAME_NULL_PMD/#define CRYPTODEV_NAME_ACCEL_PMD\tcrypto_accel\n&/" \
		"$test/test_cryptodev.h"
	! grep -q '^REGISTER_DRIVER_TEST(' "$test/test_cryptodev.c" || macro=REGISTER_DRIVER_TEST
	part=$(mktemp "$ACCEL_SCRATCH/register.XXXX")
	sed -e '1,/^ \*\/$/d' -e "s/^REGISTER_TEST_COMMAND/$macro/" "$AUTOTEST_REGISTER" |
		sed '1{/^$/d}' >"$part"
	sed -i -E "0,/$first/{/$first/e cat '$part'
}" "$test/test_cryptodev.c"
	tree_asym_tests "$test/test_cryptodev_asym.c" | sed "s/^REGISTER_TEST_COMMAND/$macro/" >"$part"
	cat "$part" >>"$test/test_cryptodev_asym.c"
	grep -q '^'$macro'(cryptodev_accel_autotest' "$test/test_cryptodev.c"
}

# Makes the pool of the scheduler's tests in TREE large enough for security sessions, as the pool of the other tests
# is. It was made for a worker's symmetric sessions, and the cases of DOCSIS take their sessions from it.
tree_enlarge_pool() {
	local file=$1/app/test/test_cryptodev.c
	sed -i '/^test_scheduler_attach_worker_op(void)/,/^}/{
/^\t\tsession_size = rte_cryptodev_sym_get_private_session_size(i);$/a\
#ifdef RTE_LIB_SECURITY\
\t\tsession_size = RTE_MAX(session_size,\
\t\t\t\trte_security_session_get_size(rte_cryptodev_get_sec_ctx(i)));\
#endif
}' "$file"
	grep -q 'RTE_MAX(session_size,$' "$file"
}

# Puts the driver into the list of dpdk-test-security-perf in TREE, which knows the names of its drivers when it is
# compiled.
tree_list_perf() {
	local file=$1/app/test-security-perf/test_security_perf.c
	sed -i '0,/^\t\t"crypto_cn10k",$/s//\t\t"crypto_accel",\n&/' "$file"
	grep -q '^		"crypto_accel",$' "$file"
}

# tree_prepare TREE VERSION COMMAND...: copies the source to TREE, adds the driver (a link, and a line in
# a list), and runs the command to change the copy further. If the source or VERSION has changed, the old
# copy is removed with its build folders: the copy keeps the times of files, so ninja would see no change.
tree_prepare() {
	local tree=$1 source stamp
	source=$(readlink -f "$ACCEL_DEPS/dpdk")
	stamp="$(cat "$source/.accel-stamp") $2"
	shift 2
	if [ "$(cat "$tree/.accel-tree" 2>/dev/null)" != "$stamp" ]; then
		rm -rf "$(dirname "$tree")"
		mkdir -p "$(dirname "$tree")"
		cp -a "$source" "$tree"
		{ tree_list_driver "$tree" && "$@"; } || return 1
		printf '%s\n' "$stamp" >"$tree/.accel-tree"
	fi
	ln -sfn "$ACCEL_ROOT/drivers/crypto/accel" "$tree/drivers/crypto/accel"
}

# Prints the option for the source tree $1 that leaves out optional libraries but those of the list $2. In 22.11 all
# optional libraries can be missed. Later versions have more of them, and an option that names those to keep.
tree_libs() {
	if grep -qs "'enable_libs'" "$1/meson_options.txt"; then
		printf -- '-Denable_libs=%s\n' "$2"
	else
		printf -- '-Ddisable_libs=*\n'
	fi
}

# tree_configure NAME BUILD TREE MODEL OPTION...: configures the folder BUILD. If MODEL is a build folder
# of the project, the driver is built with the model of that build.
tree_configure() {
	local name=$1 dir=$2 tree=$3 model=$4
	shift 4
	# Debian's Python comes first in PATH, because DPDK's build needs a python3 with elftools.
	[ -f "$dir/build.ninja" ] || run_logged "$name" \
		env "PATH=/usr/bin:$PATH" "PKG_CONFIG_PATH=${model:+$model/meson-uninstalled}" \
		meson setup "$dir" "$tree" "$@"
}

# The names of drivers are compiled into DPDK 22.11's test program. This adds the two commands for
# crypto_accel to the copy, makes crypto_accel the worker of the scheduler's tests, and removes other tests.
autotest_patch() {
	local test=$AUTOTEST_TREE/app/test name=CRYPTODEV_NAME_ACCEL_PMD function
	tree_register_tests "$AUTOTEST_TREE" && tree_enlarge_pool "$AUTOTEST_TREE" || return 1
	for function in test_scheduler_attach_worker_op test_cryptodev_scheduler; do
		sed -i "/^$function(void)/,/^}/s/CRYPTODEV_NAME_AESNI_MB_PMD/$name/" "$test/test_cryptodev.c"
	done
	# From 24.11 on the memory of an external buffer is freed before its mbuf, which then changes a
	# counter in it. On the raw data path that ends the program.
	sed -i "/^ut_teardown(void)/,/^}/{/ext_mbuf_memzone_free(1);/{N;s/\(.*\)\n\(.*\)/\2\n\1/}}" \
		"$test/test_cryptodev.c"
	# Newer versions name with each file the libraries that it needs. Where these take two lines, both go.
	sed -i -E -e "/^test_sources = /,/^\)/{/'($AUTOTEST_SOURCES)\.c'/b;/^        'test_/d}" \
		-e "/^source_file_deps = /,/^}/{/'($AUTOTEST_SOURCES)\.c'/b;/^    'test_/d;/^        /d}" \
		"$test/meson.build"
}

# autotest_build TARGET...: builds programs of the patched tree with the driver and the model. It takes
# minutes the first time and seconds later.
autotest_build() {
	if [ -z "${ACCEL_SETUP_DONE:-}" ]; then "$ACCEL_ROOT/tools/setup"; fi
	source_need
	if [ -n "${ACCEL_BUILT:-}" ]; then return 0; fi
	ACCEL_SETUP_DONE=1 "$ACCEL_ROOT/tools/build" release
	with_lock autotest autotest_compile "$@"
}

# Configures the patched tree and builds the targets.
autotest_compile() {
	local version program
	step "Building DPDK's own programs with the driver (takes minutes the first time)"
	version=$({ declare -f autotest_patch tree_register_tests tree_asym_tests tree_enlarge_pool &&
		cat "$AUTOTEST_REGISTER" "$AUTOTEST_REGISTER_ASYM" && echo "$AUTOTEST_SOURCES"; } |
		sha256sum | cut -c1-16)
	tree_prepare "$AUTOTEST_TREE" "$version" autotest_patch || die "cannot put the driver into the tree"
	AUTOTEST_OPTIONS+=("$(tree_libs "$AUTOTEST_TREE" "$AUTOTEST_LIBS")")
	if [ "$(cat "$AUTOTEST_BUILD/.accel-options" 2>/dev/null)" != "${AUTOTEST_OPTIONS[*]}" ]; then
		rm -rf "$AUTOTEST_BUILD"
	fi
	tree_configure autotest-configure "$AUTOTEST_BUILD" "$AUTOTEST_TREE" "$ACCEL_BUILD/release" \
		"${AUTOTEST_OPTIONS[@]}" || die "meson setup failed"
	printf '%s\n' "${AUTOTEST_OPTIONS[*]}" >"$AUTOTEST_BUILD/.accel-options"
	if [[ " $* " == *" app/test/dpdk-test "* ]] &&
		grep -q "'test_symlink'" "$AUTOTEST_TREE/app/test/meson.build"; then
		set -- app/dpdk-test "$@" # the other one is a link to it
	fi
	set -- "$@" drivers/librte_crypto_accel.a "drivers/librte_crypto_accel.so.$(cat "$AUTOTEST_TREE/ABI_VERSION")"
	for program in "$@"; do
		# meson does not notice that the model's library is newer than the program.
		rm -f "$AUTOTEST_BUILD/$program"
	done
	run_logged autotest-build ninja -C "$AUTOTEST_BUILD" -j "$ACCEL_JOBS" "$@" || die "the build failed"
}
