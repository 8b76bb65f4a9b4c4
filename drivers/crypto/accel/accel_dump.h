/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Memory that core dumps leave out: what holds IVs, digests and keys.
 */
#ifndef ACCEL_DUMP_H
#define ACCEL_DUMP_H

#include <stddef.h>

/**
 * Leave the pages of this memory out of core dumps of this process. Shared huge pages, as EAL has
 * them, the kernel leaves out by itself (core(5), coredump_filter): this is for memory without huge
 * pages, and does nothing where it cannot.
 */
void accel_dump_exclude(const void *addr, size_t len);

#endif /* ACCEL_DUMP_H */
