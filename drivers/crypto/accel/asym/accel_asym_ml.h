/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Describes the parameter sets of ML-KEM and ML-DSA (manual 8.8, FIPS 203, FIPS 204). A transform
 * has nothing but the set. Operations have the keys.
 */
#ifndef ACCEL_ASYM_ML_H
#define ACCEL_ASYM_ML_H

#include <stdint.h>

/* Describes a parameter set. Lengths are bytes. */
struct accel_ml_set {
	uint8_t alg; /* enum accel_hw_alg */
	uint8_t type; /* enum rte_crypto_ml_kem_type, enum rte_crypto_ml_dsa_type */
	uint8_t hw; /* enum accel_hw_curve */
	uint16_t private_key; /* dk, sk */
	uint16_t public_key; /* ek, pk */
	uint16_t output; /* ciphertext, signature */
};

#define ACCEL_ML_SHARED 32u /* the key that ML-KEM gives to both sides */

/**
 * Find a parameter set by rte_cryptodev's number. Return NULL if the driver does not know the set.
 */
const struct accel_ml_set *accel_ml_set_of(unsigned int alg, unsigned int type);

/**
 * Return the parameter sets of an algorithm that the card has.
 *
 * @param sets the card's sets. Bit n stands for enum accel_hw_curve n.
 * @return the sets. Bit n stands for rte_cryptodev's number n.
 */
uint32_t accel_ml_types(unsigned int alg, uint32_t sets);

#endif /* ACCEL_ASYM_ML_H */
