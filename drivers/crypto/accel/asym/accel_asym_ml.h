/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * ML-KEM and ML-DSA (manual 8.8, FIPS 203, FIPS 204): the parameter sets. Their transforms have
 * nothing else, and operations have the keys.
 */
#ifndef ACCEL_ASYM_ML_H
#define ACCEL_ASYM_ML_H

#include <stdint.h>

/* Lengths are bytes. */
struct accel_ml_set {
	uint8_t alg; /* enum accel_hw_alg */
	uint8_t type; /* enum rte_crypto_ml_kem_type, enum rte_crypto_ml_dsa_type */
	uint8_t hw; /* enum accel_hw_curve */
	uint16_t private_key; /* dk, sk */
	uint16_t public_key; /* ek, pk */
	uint16_t output; /* ciphertext, signature */
};

#define ACCEL_ML_SHARED 32u /* the key that ML-KEM gives to both sides */

/** Find a parameter set by rte_cryptodev's number; NULL if the driver does not know it. */
const struct accel_ml_set *accel_ml_set_of(unsigned int alg, unsigned int type);

/**
 * The parameter sets of an algorithm that the card has.
 *
 * @param sets bit n: enum accel_hw_curve n.
 * @return bit n: rte_cryptodev's number n.
 */
uint32_t accel_ml_types(unsigned int alg, uint32_t sets);

#endif /* ACCEL_ASYM_ML_H */
