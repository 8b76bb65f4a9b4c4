/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operands of public-key operations: see pk_operand.h.
 */
#include <openssl/rand.h>

#include "pk/pk_operand.h"

BIGNUM *
pk_secret(struct pk_bytes bytes)
{
	BIGNUM *number = BN_new();

	if (number == NULL)
		return NULL;
	BN_set_flags(number, BN_FLG_CONSTTIME);
	if (BN_bin2bn(bytes.data, (int)bytes.len, number) == NULL) {
		BN_clear_free(number);
		return NULL;
	}
	return number;
}

uint16_t
pk_why_failed(void)
{
	uint8_t byte;

	return RAND_priv_bytes(&byte, 1) == 1 ? ACCEL_HW_ENGINE_ERROR : ACCEL_HW_NO_ENTROPY;
}
