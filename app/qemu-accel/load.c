/* SPDX-License-Identifier: GPL-2.0-or-later
 * Copyright (c) 2026 The crypto_accel authors
 *
 * This is the entry of the library. LD_PRELOAD loads the library into a stock QEMU, which exports
 * all that a device needs. Structures of QEMU differ from version to version. So the library
 * refuses a QEMU whose version is not that of the headers that it was built with.
 */
#include "qemu.h"

#include <dlfcn.h>

#include "qapi/qapi-types-control.h"

#include "types.h"

typedef VersionInfo *query_version_fn(Error **errp);

static void
register_types(void)
{
	pf_register_type();
	vf_register_type();
}

/* Ends the process if this QEMU has another version than the headers. */
static void
check_version(query_version_fn *query)
{
	const VersionTriple *is = query(NULL)->qemu;

	if (is->major == QEMU_VERSION_MAJOR && is->minor == QEMU_VERSION_MINOR &&
	    is->micro == QEMU_VERSION_MICRO)
		return;
	fprintf(stderr, "qemu-accel.so: this is QEMU %d.%d.%d, and the library was built for QEMU "
		"%d.%d.%d only; run tools/qemu-accel\n", (int)is->major, (int)is->minor,
		(int)is->micro, QEMU_VERSION_MAJOR, QEMU_VERSION_MINOR, QEMU_VERSION_MICRO);
	_exit(EXIT_FAILURE);
}

static void __attribute__((constructor))
load(void)
{
	query_version_fn *query = (query_version_fn *)dlsym(RTLD_DEFAULT, "qmp_query_version");

	/* In a program that is no system emulator the library does nothing. */
	if (query == NULL || dlsym(RTLD_DEFAULT, "pcie_sriov_pf_init") == NULL)
		return;
	check_version(query);
	register_module_init(register_types, MODULE_INIT_QOM);
}
