/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operands of public-key operations: see pk_operand.h.
 */
#include <openssl/crypto.h>
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

bool
pk_secret_below(const BIGNUM *number, const BIGNUM *bound)
{
	uint8_t low[ACCEL_HW_PK_MODULUS_BITS_MAX / 8], high[sizeof(low)];
	uint32_t borrow = 0, ones = 0;
	int len = BN_num_bytes(bound);
	bool below;

	/* BN_bn2binpad() takes the same time for all numbers, and refuses one that is longer. */
	if (len > (int)sizeof(low) || BN_bn2binpad(number, low, len) < 0 ||
			BN_bn2binpad(bound, high, len) < 0)
		return false;
	for (int i = len - 1; i >= 0; i--) {
		borrow = (uint32_t)(low[i] - high[i] - (int)borrow) >> 31;
		ones |= low[i];
	}
	below = borrow != 0 && ones != 0;
	OPENSSL_cleanse(low, (size_t)len);
	return below;
}

uint16_t
pk_why_failed(void)
{
	uint8_t byte;

	return RAND_priv_bytes(&byte, 1) == 1 ? ACCEL_HW_ENGINE_ERROR : ACCEL_HW_NO_ENTROPY;
}
