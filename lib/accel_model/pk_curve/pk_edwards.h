/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Whether a string of bytes is a point of Ed25519 or Ed448 (RFC 8032, 5.1.3 and 5.2.3). OpenSSL
 * looks at that only when it verifies, and then does not say that this was why it failed. Points
 * are public: the time depends on them.
 */
#ifndef ACCEL_MODEL_PK_EDWARDS_H
#define ACCEL_MODEL_PK_EDWARDS_H

#include "pk/pk_alg.h"

/**
 * @param curve ACCEL_HW_CURVE_ED25519 or ACCEL_HW_CURVE_ED448.
 * @param point 32 or 57 bytes.
 * @return OK, INVALID_POINT, or ENGINE_ERROR if there is no memory.
 */
uint16_t pk_edwards_decodes(unsigned int curve, const uint8_t *point);

/**
 * The part of it that is quick: y is below p, and x is not a negative 0. OpenSSL does not look at
 * this with Ed25519.
 */
bool pk_edwards_canonical(unsigned int curve, const uint8_t *point);

#endif /* ACCEL_MODEL_PK_EDWARDS_H */
