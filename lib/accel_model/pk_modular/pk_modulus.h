/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A modulus of a key, with what computing modulo this number needs.
 */
#ifndef ACCEL_MODEL_PK_MODULUS_H
#define ACCEL_MODEL_PK_MODULUS_H

#include "pk/pk_operand.h"

struct pk_modulus {
	BIGNUM *number; /* not 0 */
	BN_MONT_CTX *mont; /* NULL: the modulus is even, or 1 */
	uint32_t len; /* bytes, without leading zeros */
};

/**
 * Take a modulus of a context.
 *
 * @param least the least bits; a modulus of 0 is never taken.
 * @param most the most bits.
 * @param status BAD_CONTEXT if the modulus has less or more, ENGINE_ERROR if there is no memory.
 * @return false on failure. Then there is nothing to be freed.
 */
bool pk_modulus_init(struct pk_modulus *modulus, struct pk_bytes bytes, uint32_t least,
		uint32_t most, uint16_t *status);

/** Wipe and free. A modulus that is all zeros is allowed. */
void pk_modulus_free(struct pk_modulus *modulus);

#endif /* ACCEL_MODEL_PK_MODULUS_H */
