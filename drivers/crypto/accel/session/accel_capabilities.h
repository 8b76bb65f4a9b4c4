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

/*
 * Describes an algorithm that this driver can encode, with rte_cryptodev's name and the card's
 * number. A session with a size that the contract (manual 8.2) does not have is -EINVAL.
 */
struct accel_alg {
	uint16_t hw; /* enum accel_hw_alg */
	enum accel_alg_class class;
	int rte; /* enum rte_crypto_{cipher,auth,aead}_algorithm, by class */
	const struct accel_hw_alg_info *info; /* sizes and rules of the contract */
	uint16_t api_block; /* block of the capability; 0: the block of the contract */
	/* offset and length of an operation are in bits, although no card takes odd ones */
	bool api_bits;
	/* NULL algorithms: applications may set any key, IV and digest size; the card gets none. */
	bool any_size;
	/*
	 * CTR: the driver makes the counter block of RFC 3686 from 12 bytes, the nonce and the IV
	 * of ESP. DPDK's ipsec-secgw before 23.07 also has these 12 bytes there, but gives the
	 * length of the IV alone, which is 8.
	 */
	bool nonce;
};

/** Find the driver's row for an algorithm of rte_cryptodev. NULL: the driver has none. */
const struct accel_alg *accel_alg_find(enum accel_alg_class class, int rte);

#define ACCEL_GCM_IV 12u /* bytes of the usual IV of GCM and GMAC, which is not J0 */

/**
 * Get the lengths of an IV in rte_cryptodev's terms. With GCM and GMAC any IV is defined, and a
 * length of 0 stands for the 16 bytes of the counter block J0. The card takes the usual 12 bytes
 * and perhaps J0; other IVs are -ENOTSUP.
 */
const struct accel_hw_range *accel_alg_iv(const struct accel_alg *alg);

/* Holds the sizes of a capability. A class that does not have a size ignores it. */
struct accel_cap_sizes {
	struct rte_crypto_param_range key;
	struct rte_crypto_param_range iv;
	struct rte_crypto_param_range digest;
	struct rte_crypto_param_range aad;
	uint32_t data_units; /* of a cipher, see accel_data_unit_set() */
};

/**
 * Get the sizes of an algorithm that row and device tree have in common.
 *
 * @param sizes zeros.
 * @return false if the card does not have the algorithm, or no size of it is in common.
 */
bool accel_cap_sizes_get(const struct accel_alg *alg, const struct accel_devtree *dt,
			 struct accel_cap_sizes *sizes);

/** Write the capability of an algorithm. @p cap is zeroed. */
void accel_capability_write(const struct accel_alg *alg, const struct accel_cap_sizes *sizes,
			    struct rte_cryptodev_capabilities *cap);

/** True if a size is in a range. */
bool accel_range_has(const struct accel_hw_range *range, unsigned int size);

/** True if the card takes a digest of @p size bytes, by its range and its list. */
bool accel_hw_has_digest(const struct accel_dt_alg *hw, unsigned int size);

/** True if the card takes a key of @p key bytes together with an IV. The card gets @p iv bytes. */
bool accel_hw_has_key_iv(const struct accel_dt_alg *hw, unsigned int key, unsigned int iv);

/** True if the card chains a cipher with an authentication algorithm, in either order. */
bool accel_hw_has_chain(const struct accel_devtree *dt, unsigned int cipher, unsigned int auth);

/** True if the card has any chains, in either order. */
bool accel_hw_has_chains(const struct accel_devtree *dt);

#define ACCEL_CTR_NONCE 12u /* bytes of the IV for accel_alg.nonce */
#define ACCEL_CTR_ESP_IV 8u /* what older ipsec-secgw gives as the length of that IV */

/** True if an IV of @p len bytes is the nonce and the IV of RFC 3686, without a counter. */
bool accel_iv_lacks_counter(const struct accel_alg *alg, unsigned int len);

/**
 * Return the bytes of IV that the card gets for an IV of @p len bytes. With J0, or if the driver
 * adds the counter to a nonce, the card gets more than @p len bytes.
 */
unsigned int accel_hw_iv_len(const struct accel_alg *alg, unsigned int len);

/**
 * Return the data units of a cipher, as RTE_CRYPTO_CIPHER_DATA_UNIT_LEN_* bits. 0: each operation
 * is one unit.
 */
uint32_t accel_data_unit_set(const struct accel_devtree *dt, const struct accel_alg *alg);

/** True if there is a cipher with several data units per operation. */
bool accel_data_unit_any(const struct accel_devtree *dt);

/**
 * True if the card takes lengths in bits for each algorithm that defines them, and has any such
 * algorithm.
 */
bool accel_has_bits(const struct accel_devtree *dt);

/** True if a data unit of @p len bytes is in a set of accel_data_unit_set(). */
bool accel_data_unit_has(uint32_t set, uint32_t len);

/** Return the most capabilities that accel_capabilities_fill() writes. */
unsigned int accel_capabilities_max(void);

/**
 * Write the symmetric capabilities: the algorithms that table and device tree both have, with the
 * sizes that both allow.
 *
 * @param caps zeroed.
 * @return the number of capabilities.
 */
unsigned int accel_capabilities_fill(const struct accel_devtree *dt,
				     struct rte_cryptodev_capabilities *caps);

#endif /* ACCEL_CAPABILITIES_H */
