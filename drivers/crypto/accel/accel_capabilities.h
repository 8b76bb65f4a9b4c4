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

/* What the size ranges of an algorithm do not say; bits of accel_alg.rules. */
enum accel_alg_rule {
	/* NULL: applications leave any key, IV and digest length with it; the card gets none. */
	ACCEL_ALG_SIZES_IGNORED = 1 << 0,
	/* XTS: the halves of the key shall differ; data units are possible. */
	ACCEL_ALG_TWO_KEYS = 1 << 1,
	/* GCM, GMAC: defined for any IV, and 0 stands for 16 bytes that are the counter block J0 in
	 * rte_cryptodev. The card takes the usual 12 bytes and perhaps J0. Others are -ENOTSUP. */
	ACCEL_ALG_ANY_IV = 1 << 2,
	/* CCM: the nonce begins at byte 1 of the IV, the AAD at byte 18 of its field. */
	ACCEL_ALG_CCM = 1 << 3,
	/* ZUC: the shortest key goes with the shortest IV, the longest with the longest. */
	ACCEL_ALG_IV_BY_KEY = 1 << 4,
	/* rte_cryptodev gives offset and length of the operation in bits. */
	ACCEL_ALG_BITS = 1 << 5,
	/* CTR: of an IV of 12 bytes the driver makes the counter block of RFC 3686. */
	ACCEL_ALG_NONCE = 1 << 6,
	/* ZUC: of the digests in the range 12 does not exist, and longer ones than the shortest go
	 * with the longest key only. */
	ACCEL_ALG_MACS = 1 << 7,
};

/* One algorithm that this driver can encode: rte_cryptodev's name and the card's number. The size
 * ranges are what the algorithm itself allows (manual 8.2); other sizes are -EINVAL. */
struct accel_alg {
	uint16_t hw; /* enum accel_hw_alg */
	enum accel_alg_class class;
	int rte; /* enum rte_crypto_{cipher,auth,aead}_algorithm, by class */
	uint16_t block;
	uint16_t rules; /* enum accel_alg_rule */
	struct accel_range key;
	struct accel_range iv;
	struct accel_range digest;
	struct accel_range aad;
};

/** The driver's row for an algorithm of rte_cryptodev, NULL if it has none. */
const struct accel_alg *accel_alg_find(enum accel_alg_class class, int rte);

/** The capability of an algorithm: sizes of row and tree. False if it is not in the tree. */
bool accel_capability_get(const struct accel_alg *alg, const struct accel_devtree *dt,
			  struct rte_cryptodev_capabilities *cap);

/** Is a size in a range? */
bool accel_range_has(const struct accel_range *range, unsigned int size);

#define ACCEL_CTR_NONCE 12u /* what ACCEL_ALG_NONCE means */

/** Bytes of IV that the card gets for an IV of rte_cryptodev with @p len bytes: more with J0 and
 * for the counter that a nonce lacks. */
unsigned int accel_hw_iv_len(const struct accel_alg *alg, unsigned int len);

/** Data units of a cipher, RTE_CRYPTO_CIPHER_DATA_UNIT_LEN_* bits; 0 = one per operation only. */
uint32_t accel_data_unit_set(const struct accel_devtree *dt, unsigned int hw);

/** Does the card take bits for every algorithm that it has and whose lengths are in bits? */
bool accel_has_bits(const struct accel_devtree *dt);

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
