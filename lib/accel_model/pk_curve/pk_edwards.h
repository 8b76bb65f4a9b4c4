/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Checks whether a string of bytes is a point of Ed25519 or Ed448 (RFC 8032, 5.1.3 and 5.2.3).
 * OpenSSL checks points only when it verifies, and then does not say that a point was why verifying
 * failed. Points are public, so the time may depend on them.
 */
#ifndef ACCEL_MODEL_PK_EDWARDS_H
#define ACCEL_MODEL_PK_EDWARDS_H

#include "pk/pk_alg.h"

/**
 * Check whether bytes are a point.
 *
 * @param curve ACCEL_HW_CURVE_ED25519 or ACCEL_HW_CURVE_ED448.
 * @param point 32 or 57 bytes.
 * @return OK, INVALID_POINT, or ENGINE_ERROR if there is no memory.
 */
uint16_t pk_edwards_decodes(unsigned int curve, const uint8_t *point);

/**
 * Do the quick part of the check of a point: y is below p, and x is not a negative 0. OpenSSL does
 * not check this with Ed25519.
 */
bool pk_edwards_canonical(unsigned int curve, const uint8_t *point);

#endif /* ACCEL_MODEL_PK_EDWARDS_H */
