/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The driver's table of algorithms, and the capabilities, which are the intersection of this table
 * with the device tree.
 */
#ifndef ACCEL_CAPABILITIES_H
#define ACCEL_CAPABILITIES_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_cryptodev.h>

#include "accel_devtree.h"

/* Rules of an algorithm that its size ranges cannot express; bits of accel_alg.rules. */
enum accel_alg_rule {
	/* NULL: applications may set any key, IV and digest length; the card gets none. */
	ACCEL_ALG_SIZES_IGNORED = 1 << 0,
	/* XTS: the halves of the key shall differ; data units are possible. */
	ACCEL_ALG_TWO_KEYS = 1 << 1,
	/*
	 * GCM, GMAC: any IV is defined, and a length of 0 stands for the 16 bytes of the counter
	 * block J0. The card takes the usual 12 bytes and perhaps J0. Other IVs are -ENOTSUP.
	 */
	ACCEL_ALG_ANY_IV = 1 << 2,
	/* CCM: the nonce begins at byte 1 of the IV, the AAD at byte 18 of its field. */
	ACCEL_ALG_CCM = 1 << 3,
	/* ZUC: the shortest key goes with the shortest IV, the longest with the longest. */
	ACCEL_ALG_IV_BY_KEY = 1 << 4,
	/* rte_cryptodev gives offset and length of the operation in bits. */
	ACCEL_ALG_BITS = 1 << 5,
	/*
	 * CTR: the driver makes the counter block of RFC 3686 from 12 bytes, the nonce and the IV
	 * of ESP. DPDK's ipsec-secgw before 23.07 has these bytes in place too, but names the
	 * length of the IV alone.
	 */
	ACCEL_ALG_NONCE = 1 << 6,
	/*
	 * ZUC: a digest of 12 bytes does not exist, and only the longest key has digests that are
	 * longer than the shortest one.
	 */
	ACCEL_ALG_MACS = 1 << 7,
};

/*
 * One algorithm that this driver can encode, with rte_cryptodev's name and the card's number. The
 * size ranges are those of the algorithm itself (manual 8.2); other sizes are -EINVAL.
 */
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

/** Find the driver's row for an algorithm of rte_cryptodev; NULL if it has none. */
const struct accel_alg *accel_alg_find(enum accel_alg_class class, int rte);

/**
 * Get the capability of an algorithm, with the sizes that row and device tree have in common.
 * Returns false if the card does not have the algorithm.
 */
bool accel_capability_get(const struct accel_alg *alg, const struct accel_devtree *dt,
			  struct rte_cryptodev_capabilities *cap);

/** Is a size in a range? */
bool accel_range_has(const struct accel_range *range, unsigned int size);

/** Does the card take a digest of @p size bytes, by its range and its list? */
bool accel_hw_has_digest(const struct accel_dt_alg *hw, unsigned int size);

/** Does the card take a key and an IV of these sizes together? The IV is the one that it gets. */
bool accel_hw_has_key_iv(const struct accel_dt_alg *hw, unsigned int key, unsigned int iv);

/** Does the card chain a cipher with an authentication algorithm, in either order? */
bool accel_hw_has_chain(const struct accel_devtree *dt, unsigned int cipher, unsigned int auth);

/** Does the card have any chains of both orders? */
bool accel_hw_has_chains(const struct accel_devtree *dt);

#define ACCEL_CTR_NONCE 12u /* bytes of the IV for ACCEL_ALG_NONCE */
#define ACCEL_CTR_ESP_IV 8u /* the length that older ipsec-secgw names for these bytes */

/** Does an IV of @p len bytes stand for the nonce and the IV of RFC 3686, without a counter? */
bool accel_iv_lacks_counter(const struct accel_alg *alg, unsigned int len);

/**
 * Bytes of IV that the card gets for an IV of @p len bytes. There are more of them with J0, and for
 * the counter that a nonce lacks.
 */
unsigned int accel_hw_iv_len(const struct accel_alg *alg, unsigned int len);

/**
 * Data units of a cipher, as RTE_CRYPTO_CIPHER_DATA_UNIT_LEN_* bits. 0: each operation is one unit.
 */
uint32_t accel_data_unit_set(const struct accel_devtree *dt, const struct accel_alg *alg);

/** Is there a cipher with several data units per operation? */
bool accel_data_unit_any(const struct accel_devtree *dt);

/** Does the card take lengths in bits for every algorithm that has them? */
bool accel_has_bits(const struct accel_devtree *dt);

/** Is a data unit of @p len bytes in a set of accel_data_unit_set()? */
bool accel_data_unit_has(uint32_t set, uint32_t len);

/** The most capabilities that accel_capabilities_fill() writes. */
unsigned int accel_capabilities_max(void);

/**
 * Write the symmetric capabilities: all algorithms of table and tree, with the sizes that both
 * allow.
 *
 * @param caps zeroed.
 * @return their number.
 */
unsigned int accel_capabilities_fill(const struct accel_devtree *dt,
				     struct rte_cryptodev_capabilities *caps);

#endif /* ACCEL_CAPABILITIES_H */
