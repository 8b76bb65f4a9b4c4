/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The driver's table of algorithms, and the capabilities that are the intersection of this table
 * with the device tree.
 */
#ifndef ACCEL_CAPABILITIES_H
#define ACCEL_CAPABILITIES_H

#include "accel_compat.h"
#include "accel_devtree.h"

/* One algorithm that this driver can encode: rte_cryptodev's name and the card's number. The size
 * ranges are what the algorithm itself allows (manual 8.2); other sizes are -EINVAL. */
struct accel_alg {
	uint16_t hw; /* enum accel_hw_alg */
	enum accel_alg_class class;
	int rte; /* enum rte_crypto_{cipher,auth,aead}_algorithm, by class */
	uint16_t block;
	struct accel_range key;
	struct accel_range iv;
	struct accel_range digest;
	struct accel_range aad;
};

/** The driver's row for an algorithm of rte_cryptodev, NULL if it has none. */
const struct accel_alg *accel_alg_find(enum accel_alg_class class, int rte);

/** Is a size in a range? */
bool accel_range_has(const struct accel_range *range, unsigned int size);

/** Data units of a cipher, RTE_CRYPTO_CIPHER_DATA_UNIT_LEN_* bits; 0 = one per operation only. */
uint32_t accel_data_unit_set(const struct accel_devtree *dt, unsigned int hw);

/** Is a data unit of len bytes in a set? */
bool accel_data_unit_has(uint32_t set, uint32_t len);

/**
 * Make the capability array: for each algorithm in table and tree, with the sizes that both allow.
 *
 * @return array ended by RTE_CRYPTODEV_END_OF_CAPABILITIES_LIST, to be freed with rte_free(); NULL
 *   when out of memory.
 */
struct rte_cryptodev_capabilities *accel_capabilities_create(const struct accel_devtree *dt);

#endif /* ACCEL_CAPABILITIES_H */
