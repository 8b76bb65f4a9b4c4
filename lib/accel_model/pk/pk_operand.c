/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operands of public-key operations: see pk_operand.h.
 */
#include <openssl/crypto.h>
#include <openssl/rand.h>

#include "pk/pk_operand.h"

#define DRAWS 200u

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
	uint8_t secret[ACCEL_HW_PK_MODULUS_BITS_MAX / 8], limit[sizeof(secret)];
	uint32_t borrow = 0, bits = 0;
	int len = BN_num_bytes(bound);

	/* BN_bn2binpad() takes the same time for all numbers, and refuses one that is longer. */
	if (len > (int)sizeof(secret) || BN_bn2binpad(bound, limit, len) < 0 ||
			BN_bn2binpad(number, secret, len) < 0)
		return false;
	for (int i = len - 1; i >= 0; i--) {
		borrow = (uint32_t)(secret[i] - limit[i] - (int)borrow) >> 31;
		bits |= secret[i];
	}
	OPENSSL_cleanse(secret, (size_t)len);
	return borrow != 0 && bits != 0;
}

bool
pk_secret_draw(BIGNUM *number, const BIGNUM *bound)
{
	uint8_t bytes[ACCEL_HW_PK_MODULUS_BITS_MAX / 8];
	const uint32_t bits = (uint32_t)BN_num_bits(bound), len = (bits + 7) / 8;
	bool good = false;

	/* At least every fourth number fits. */
	for (unsigned int i = 0; i < DRAWS && !good; i++) {
		if (len > sizeof(bytes) || !libctx_random_secret(bytes, len))
			break;
		bytes[0] &= (uint8_t)(0xffu >> (8 * len - bits));
		good = BN_bin2bn(bytes, (int)len, number) != NULL && pk_secret_below(number, bound);
	}
	OPENSSL_cleanse(bytes, sizeof(bytes));
	return good;
}

uint16_t
pk_why_failed(void)
{
	uint8_t byte;

	/* Both sources are tried: the model's, and the source that OpenSSL takes inside. */
	return libctx_random_secret(&byte, 1) && RAND_priv_bytes_ex(libctx(), &byte, 1, 0) == 1 ?
			ACCEL_HW_ENGINE_ERROR : ACCEL_HW_NO_ENTROPY;
}
