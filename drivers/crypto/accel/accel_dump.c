/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Memory that core dumps leave out: see accel_dump.h. Set-up path.
 */
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_common.h>

#include "accel_dump.h"

void
accel_dump_exclude(const void *addr, size_t len)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t first = RTE_ALIGN_FLOOR((uintptr_t)addr, page);
	const uintptr_t end = RTE_ALIGN_CEIL((uintptr_t)addr + len, page);

	madvise((void *)first, end - first, MADV_DONTDUMP);
}
