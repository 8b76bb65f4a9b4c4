/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the preload libossl_cryptodev_mem.so tells the provider. The provider looks for the function
 * by name, because a program runs with the preload or without it.
 */
#ifndef OSSL_CRYPTODEV_MEM_H
#define OSSL_CRYPTODEV_MEM_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define OC_MEM_FUNCTION "ossl_cryptodev_mem_area"
#define OC_MEM_PAGE ((size_t)2 << 20) /* start and length of the area are multiples of this */

/** The area that has OpenSSL's larger allocations, and its counters. */
struct oc_mem_area {
	uint8_t *base; /**< NULL: there is none, so malloc() has everything */
	size_t len;
	_Atomic uint64_t given; /**< allocations from the area */
	_Atomic uint64_t full; /**< allocations that malloc() had, because there was no room */
};

/** Returns the area, which stays where it is until the process ends. */
typedef const struct oc_mem_area *(*oc_mem_area_fn)(void);
const struct oc_mem_area *ossl_cryptodev_mem_area(void);

#endif
