/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Converts ciphertexts of SM2. An application has them in DER (GM/T 0009-2012, 7.2), and the card
 * has their four parts one after the other (manual 8.8).
 */
#ifndef ACCEL_ASYM_SM2_H
#define ACCEL_ASYM_SM2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <rte_crypto_asym.h>

#define ACCEL_SM2_NUMBER 32u /* bytes of x, of y and of C3 */

/*
 * Lists the parts of a ciphertext in their order, which is that of DER and that of the card. x and
 * y are the point C1.
 */
enum accel_sm2_part {
	ACCEL_SM2_X = 0,
	ACCEL_SM2_Y,
	ACCEL_SM2_C3, /* the digest */
	ACCEL_SM2_C2, /* as long as the message */
	ACCEL_SM2_PARTS
};

/**
 * Find the parts of a ciphertext in DER.
 *
 * @param part receives the parts, which lie in the ciphertext. x and y are without leading zeros.
 * @return false if the ciphertext is no DER, has other or empty parts, numbers that are negative or
 *   have more than 32 bytes, a C3 that has not 32 bytes, or anything after the parts.
 */
bool accel_sm2_read(const struct rte_crypto_param_t *der,
		    struct rte_crypto_param_t part[ACCEL_SM2_PARTS]);

/**
 * Write a ciphertext in DER.
 *
 * @param parts x, y and C3 with 32 bytes each, and C2.
 * @param len bytes of all parts.
 * @param room bytes at @p to; 0: there is enough room.
 * @return the bytes of the ciphertext; 0, with nothing written, if there is too little room.
 */
size_t accel_sm2_write(const uint8_t *parts, size_t len, uint8_t *to, size_t room);

#endif /* ACCEL_ASYM_SM2_H */
