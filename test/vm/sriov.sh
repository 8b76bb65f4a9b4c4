# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Tests a physical function with SR-IOV: virtual functions are made, driven, removed and reset, also while they
# are in use. test/vm/guest sources this file, in a guest that has a card of app/qemu-accel and no other.

# What tools/vm-test gives the card.
TOTAL_VFS=16
ROUNDS=20
TOKEN=6c1e3f2a-9c3b-4d0e-8a55-1f0e6a1b2c3d
PF=''
VFS=()

# Prints the folder of the function $1 in sysfs.
pci_dir() { printf '/sys/bus/pci/devices/%s\n' "$1"; }

# Prints the VFs that the kernel knows now.
vfs_list() { lspci -Dn | awk '$3 == "1234:acc1" {print $1}'; }

# Makes $1 VFs, or removes all with 0, and sets VFS. True when the kernel has as many.
vfs_make() {
	echo "$1" >"$(pci_dir "$PF")/sriov_numvfs" || return 1
	mapfile -t VFS < <(vfs_list)
	((${#VFS[@]} == $1))
}

# Makes $1 VFs and binds them to vfio-pci.
vfs_make_bound() {
	local bdf
	vfs_make "$1" || return 1
	for bdf in "${VFS[@]}"; do [ "$(driver_of "$bdf")" = vfio-pci ] || bind "$bdf" || return 1; done
}

# Removes all VFs and makes four.
vfs_anew() { vfs_make 0 && vfs_make_bound 4; }

# Gives the function $1 to the driver $2 and to no other.
drive() {
	local dir
	dir=$(pci_dir "$1")
	echo "$2" >"$dir/driver_override"
	[ ! -e "$dir/driver" ] || echo "$1" >"$dir/driver/unbind"
	echo "$1" >/sys/bus/pci/drivers_probe
	[ "$(driver_of "$1")" = "$2" ]
}

# shows BDF PATTERN: true when lspci's long form of the function has a line with the pattern.
shows() { lspci -vvv -s "$1" | tee -a "$RESULTS/lspci.txt" | grep -qE "$2"; }

# True when the function $1 is alone in its IOMMU group.
alone() { [ "$(ls "$(pci_dir "$1")/iommu_group/devices")" = "$1" ]; }

# each TITLE COMMAND...: a test for each VF, whose name is the last argument of the command.
each() {
	local title=$1 bdf failed=0
	shift
	for bdf in "${VFS[@]}"; do
		"$@" "$bdf" && continue
		note "$bdf: not so"
		failed=$((failed + 1))
	done
	tell "count $((${#VFS[@]} - failed)) $failed each of ${#VFS[@]} VFs: $title"
}

# True when lspci shows that the function $1 has a function level reset.
resets() { shows "$1" 'FLReset\+'; }

# vf_works NUMBER EAL-ARGUMENT...: true when all known answers are right on that VF.
# The card shares CPUs with its guest and whatever else runs here, so it gets more time than the default.
vf_works() {
	local bdf=${VFS[$1]}
	shift
	program "works-$bdf" 120 "$BUILD/release/test/e2e/accel-e2e" --lcores "$LCORES" "${ACCEL_ARGS[@]}" "$@" \
		-a "$bdf,timeout_ms=30000" -- --quick --only 'kat/*'
}

# vf_perf NAME BDF OPS EAL-ARGUMENT...: runs dpdk-test-crypto-perf. True when every operation came back.
vf_perf() {
	local name=$1 bdf=$2 ops=$3
	shift 3
	perf "$name" crypto_accel "${ACCEL_ARGS[@]}" --file-prefix "$name" "$@" -a "$bdf" -- "${CBC[@]}" \
		--ptest throughput --total-ops "$ops" --burst-sz 32 --buffer-sz 64,1024 && perf_complete "$name" 2 "$ops"
}

# vf_busy NAME BDF EAL-ARGUMENT...: the same for a long time. Row 1 is soon there, and row 2 is 32 GB of data.
vf_busy() {
	local name=$1 bdf=$2
	shift 2
	perf "$name" crypto_accel "${ACCEL_ARGS[@]}" --file-prefix "$name" "$@" -a "$bdf" -- "${CBC[@]}" --ptest throughput \
		--total-ops 1000000 --burst-sz 32 --buffer-sz 64,32768 --pool-sz 1024 --desc-nb 256
}

# Waits until the program of vf_busy NAME is in its second row.
busy_begun() {
	local i
	for ((i = 0; i < 600; i++)); do
		[ "$(perf_rows "$1" | wc -l)" = 0 ] || break
		sleep 0.1
	done
	[ "$(perf_rows "$1" | wc -l)" = 1 ]
}

# Runs two VFs at the same time, a process each.
vfs_at_once() {
	local first code=0
	PERF_LCORES='0@0,1@0' vf_perf once-0 "${VFS[0]}" 20000 &
	first=$!
	PERF_LCORES='0@1,1@1' vf_perf once-1 "${VFS[1]}" 20000 || code=1
	wait $first && [ $code = 0 ]
}

# Runs all VFs at the same time in one process, with a worker for each.
vfs_all() {
	local eal=() bdf lcores=0@0 i=0
	for bdf in "${VFS[@]}"; do
		i=$((i + 1))
		eal+=(-a "$bdf")
		lcores+=",$i@$((i % 2))"
	done
	PERF_LCORES=$lcores perf all crypto_accel "${ACCEL_ARGS[@]}" "${eal[@]}" -- "${CBC[@]}" --ptest throughput \
		--total-ops 20000 --burst-sz 32 --buffer-sz 256 && perf_complete all ${#VFS[@]} 20000
}

# True when the kernel has complained about no function and no DMA.
sriov_quiet() { ! kernel_said | grep -E '0000:01:|DMAR: .*fault|WARNING' | grep -E 'not ready|inaccessible|failed|fault|WARN'; }

# Makes and removes VFs in each possible number.
vfs_rounds() {
	local i
	for ((i = 0; i < ROUNDS; i++)); do
		vfs_make 0 && vfs_make $((i % TOTAL_VFS + 1)) || return 1
	done
	vfs_make 0
}

# True when the kernel refuses more VFs than the card has.
vfs_too_many() { ! echo $((TOTAL_VFS + 1)) 2>/dev/null >"$(pci_dir "$PF")/sriov_numvfs" && [ -z "$(vfs_list)" ]; }

# True when the card itself refuses them: with NumVFs beyond its number VF Enable stays 0.
vfs_too_many_raw() {
	setpci -s "$PF" ECAP_SRIOV+0x10.w=$((TOTAL_VFS + 1)) ECAP_SRIOV+8.w=1
	[ "$(setpci -s "$PF" ECAP_SRIOV+8.w)" = 0000 ] && setpci -s "$PF" ECAP_SRIOV+0x10.w=0
}

# A program is using VF 0 when root removes all VFs. The kernel asks the program for it. The driver then gives
# all operations back with an error, and the kernel waits for the end of the program.
vfs_leave_late() {
	local user
	vf_busy late "${VFS[0]}" &
	user=$!
	busy_begun late && kill -0 $user && vfs_make 0 && wait $user && perf_complete late 2 1000000 &&
		grep -q 'taken off the bus .* they come back with an error' "$RESULTS/late.log"
}

# Unplugs the card and plugs in a new one. The guest's ACPI unplugs the PF only, so there must be no VFs.
card_replug() {
	local i
	vfs_make 0 && ask unplug 0 && [ ! -d "$(pci_dir "$PF")" ] && [ -z "$(vfs_list)" ] && ask plug 0 || return 1
	for ((i = 0; i < 100; i++)); do
		[ ! -d "$(pci_dir "$PF")" ] || return 0
		sleep 0.2
	done
	return 1
}

sriov_enumerate() {
	step "A physical function with SR-IOV: $PF, Linux $(uname -r)"
	check "the kernel finds the PF and no VF" [ "$(lspci -Dn | awk '$3 ~ /1234:acc/ {print $3}')" = 1234:acc0 ]
	check "$PF: function level reset" resets "$PF"
	check "$PF: $TOTAL_VFS virtual functions" shows "$PF" "Total VFs: $TOTAL_VFS,"
	check "$PF: serial number" shows "$PF" 'Device Serial Number 00-00-00-00-00-00-12-34'
	check "$PF: pci-pf-stub binds it" drive "$PF" pci-pf-stub
	check "$((TOTAL_VFS + 1)) VFs: the kernel refuses" vfs_too_many
	check "$((TOTAL_VFS + 1)) VFs: the card refuses" vfs_too_many_raw
	check "$TOTAL_VFS VFs" vfs_make $TOTAL_VFS
	each "an IOMMU group of its own" alone
	each "vfio-pci binds it" bind
	each "function level reset" resets
}

sriov_drive() {
	step "DPDK's programs and ours on the VFs"
	each "known answers" works
	check "dpdk-test-crypto-perf on ${#VFS[@]} VFs in one process" vfs_all
	check "${VFS[0]} and ${VFS[1]} at once, a process each" vfs_at_once
	e2e outside "DMA outside the IOMMU's map: only these operations fail" "${VFS[2]}" --only 'pci/[opm]*'
	e2e flr "reset in mid-burst: every operation comes back, the function works again" "${VFS[3]}" \
		--only pci/flr-in-burst
	check "${VFS[2]}: works beside it" vf_works 2
}

# The sections for single functions, on two VFs.
sriov_sections() {
	local FUNCTIONS=("${VFS[1]}" "${VFS[2]}") section
	for section in power conformance autotest; do
		# shellcheck disable=SC1090
		. "/host/source/test/vm/$section.sh"
		"section_$section"
	done
	# shellcheck source=test/vm/pk.sh
	. /host/source/test/vm/pk.sh
	pk_on "${VFS[1]}"
}

# same_address NUMBER OTHER SEED LCORES: works with VF NUMBER at an address that the program of OTHER also has.
same_address() {
	program "address-$1" 120 "$BUILD/release/test/e2e/accel-e2e" --lcores "$4" "${ACCEL_ARGS[@]}" \
		--file-prefix "address$1" -a "${VFS[$1]}" -- --seed "$3" --only pci/same-address --break "
			touch /tmp/address-$1
			for i in \$(seq 300); do [ ! -e /tmp/address-$2 ] || exec sleep 1; sleep 0.1; done
			exit 1"
}

# Two processes use the same IOVAs with a VF each, at once, with other keys and data.
vfs_same_address() {
	local first code=0
	same_address 0 1 1 '0@0,1@0' &
	first=$!
	same_address 1 0 2 '0@1,1@1' || code=1
	wait $first && [ $code = 0 ] &&
		[ "$(sed -nE 's/.* ops at (IOVA .*)/\1/p' "$RESULTS"/address-[01].log | uniq -c)" = '      2 IOVA 0x6000000000' ]
}

# What one VF has, another one or its next owner does not get.
sriov_isolation() {
	step "Isolation: keys and memory of other VFs, and of a VF's owner before"
	check "two processes with the same IOVAs" vfs_same_address
	conformance owner "a VF with a new owner, and one that goes away in the middle of work" --vfio "${VFS[0]}" \
		--owner "/host/source/test/vm/vf-owner $PF ${VFS[0]}" --only owner
	check "VFs are made anew" vfs_anew
}

# VF Enable goes away behind the kernel's back, and the VF with it. The kernel would wait a minute for a dead
# function, but not for one without a reset method.
sriov_gone() {
	E2E_SECONDS=120 e2e gone "VF Enable is cleared in mid-burst: every operation comes back, a start fails" \
		"${VFS[0]}" --only pci/break \
		--break "echo >$(pci_dir "${VFS[0]}")/reset_method; setpci -s $PF ECAP_SRIOV+8.w=0"
	check "VFs are made anew" vfs_anew
	check "${VFS[0]}: works" vf_works 0
}

# A reset of the PF removes the VFs, and the kernel makes the card show them again.
sriov_pf_reset() {
	E2E_SECONDS=120 e2e pfreset "the PF is reset in mid-burst: every operation comes back, the VF works again" \
		"${VFS[0]}" --only pci/flr-in-burst --break "echo 1 >$(pci_dir "$PF")/reset"
	E2E_SECONDS=300 e2e pk-pfreset "the same under public-key operations: each comes back once, the VF heals" \
		"${VFS[0]}" --quick --only pk/break-and-heal --break "echo 1 >$(pci_dir "$PF")/reset"
	check "${VFS[0]}: works" vf_works 0
	check "${VFS[3]}: works" vf_works 3
}

sriov_remove() {
	step "VFs are made and removed, also in use"
	check "VFs are removed while dpdk-test-crypto-perf uses one" vfs_leave_late
	check "4 VFs" vfs_make_bound 4
	e2e removal "VFs are removed in mid-burst: every operation comes back, an event, the application removes it" \
		"${VFS[0]}" --only pci/removal --break "echo 0 >$(pci_dir "$PF")/sriov_numvfs"
	check "no VFs" [ -z "$(vfs_list)" ]
	check "$ROUNDS rounds of 1 to $TOTAL_VFS VFs" vfs_rounds
	check "4 VFs again" vfs_make_bound 4
	check "${VFS[0]}: works" vf_works 0
	check "the guest's kernel has no complaint" sriov_quiet
	sriov_gone
	sriov_pf_reset
	check "the card is unplugged and plugged in again" card_replug
	check "$PF: pci-pf-stub binds it" drive "$PF" pci-pf-stub
	check "4 VFs" vfs_make_bound 4
	check "${VFS[0]}: works" vf_works 0
	check "no VFs" vfs_make 0
}

# The PF is busy as long as the program of VF 1 runs. The reset comes after it, because the one at the end of the
# PF's program would reset the VFs, too.
pf_beside_vf() {
	local e2e=$BUILD/release/test/e2e/accel-e2e vf
	vfs_make_bound 2 || return 1
	vf="$e2e --lcores 0@1,1@1 ${ACCEL_ARGS[*]} --vfio-vf-token $TOKEN --file-prefix vf -a ${VFS[1]} --"
	program beside 120 "$e2e" --lcores '0@0,1@0' "${ACCEL_ARGS[@]}" --vfio-vf-token "$TOKEN" -a "$PF" -- \
		--only pci/flr-in-burst \
		--break "$vf --quick --only 'kat/*' >$RESULTS/beside-vf.log 2>&1 && echo 1 >$(pci_dir "$PF")/reset"
}

# The PF's program is killed while VF 1 is in use. The kernel then resets the PF, and all VFs with it.
pf_dies() {
	local pid
	vfs_make_bound 2 || return 1
	vf_busy dies-pf "$PF" --vfio-vf-token "$TOKEN" &
	pid=$!
	busy_begun dies-pf || return 1
	program dies-vf 120 "$BUILD/release/test/e2e/accel-e2e" --lcores '0@1,1@1' "${ACCEL_ARGS[@]}" \
		--vfio-vf-token "$TOKEN" --file-prefix vf -a "${VFS[1]}" -- --only pci/flr-in-burst \
		--break "kill -KILL $(dpdk_child $pid)" || return 1
	! wait $pid && grep -qE 'the function was reset|its registers do not answer' "$RESULTS/dies-vf.log"
}

# The PF's program gives VF 0 no queue pairs and VF 1 one. VF 0 is refused with a line, and VF 1 works.
vf_without_queue_pairs() {
	local e2e=$BUILD/release/test/e2e/accel-e2e log=$RESULTS/none-vf.log vf rest
	vfs_make_bound 2 || return 1
	vf="$e2e --lcores 0@1,1@1 ${ACCEL_ARGS[*]} --vfio-vf-token $TOKEN --file-prefix vf"
	rest="-- --quick --only"
	program none 300 "$e2e" --lcores '0@0,1@0' "${ACCEL_ARGS[@]}" --vfio-vf-token "$TOKEN" \
		-a "$PF,vf_shares=0:qp@0/1:qp@1" -- --only pci/flr-in-burst \
		--break "! $vf -a ${VFS[0]} $rest 'kat/*' >$log 2>&1 &&
			grep -q 'given this virtual function no queue pairs' $log &&
			$vf -a ${VFS[1]} $rest 'kat/*' >>$log 2>&1 &&
			$vf -a ${VFS[1]} $rest pk/mixed >>$log 2>&1 && echo 1 >$(pci_dir "$PF")/reset"
}

# The PF's program sets the token. Without it the kernel opens no VF.
sriov_token() {
	step "The PF on vfio-pci, with enable_sriov"
	echo Y >/sys/module/vfio_pci/parameters/enable_sriov
	check "$PF: vfio-pci binds it" drive "$PF" vfio-pci
	check "$PF: dpdk-test-crypto-perf on the PF, with a token" vf_perf token-pf "$PF" 20000 --vfio-vf-token "$TOKEN"
	check "4 VFs, on vfio-pci by themselves" vfs_make_bound 4
	if vf_works 0; then fail "a VF is open without the token"; else pass "no VF without the token"; fi
	check "${VFS[0]}: known answers with the token" vf_works 0 --vfio-vf-token "$TOKEN"
	check "${VFS[3]}: dpdk-test-crypto-perf with the token" vf_perf token-vf "${VFS[3]}" 20000 --vfio-vf-token "$TOKEN"
	check "no VFs" vfs_make 0
	check "the PF and a VF at once" pf_beside_vf
	check "the other VF works after it" vf_works 0 --vfio-vf-token "$TOKEN"
	check "no VFs" vfs_make 0
	check "a VF without queue pairs is refused, beside one with a share" vf_without_queue_pairs
	check "the PF's program is killed: every operation of a VF comes back, an event, the VF works again" pf_dies
	check "the other VF works after it" vf_works 0 --vfio-vf-token "$TOKEN"
	check "no VFs" vfs_make 0
}

section_sriov() {
	PF=${FUNCTIONS[0]}
	sriov_enumerate
	sriov_drive
	sriov_sections
	sriov_isolation
	sriov_remove
	sriov_token
}
