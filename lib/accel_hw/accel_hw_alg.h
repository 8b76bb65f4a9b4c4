/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Algorithm identifiers as contexts and the device tree name them. One number space for ciphers,
 * authentication and AEAD, below 256. Source: hardware programming manual, section 8.2.
 */
#ifndef ACCEL_HW_ALG_H
#define ACCEL_HW_ALG_H

enum accel_hw_alg {
	ACCEL_HW_ALG_NONE = 0,

	/* Ciphers */
	ACCEL_HW_CIPHER_NULL = 1,
	ACCEL_HW_CIPHER_AES_CBC = 2,
	ACCEL_HW_CIPHER_AES_CTR = 3,
	ACCEL_HW_CIPHER_AES_ECB = 4,
	ACCEL_HW_CIPHER_AES_XTS = 5,
	ACCEL_HW_CIPHER_DES_CBC = 6,
	ACCEL_HW_CIPHER_3DES_CBC = 7,
	ACCEL_HW_CIPHER_3DES_ECB = 8,

	/* Authentication */
	ACCEL_HW_AUTH_NULL = 64,
	ACCEL_HW_AUTH_MD5 = 65,
	ACCEL_HW_AUTH_SHA1 = 66,
	ACCEL_HW_AUTH_SHA224 = 67,
	ACCEL_HW_AUTH_SHA256 = 68,
	ACCEL_HW_AUTH_SHA384 = 69,
	ACCEL_HW_AUTH_SHA512 = 70,
	ACCEL_HW_AUTH_MD5_HMAC = 71,
	ACCEL_HW_AUTH_SHA1_HMAC = 72,
	ACCEL_HW_AUTH_SHA224_HMAC = 73,
	ACCEL_HW_AUTH_SHA256_HMAC = 74,
	ACCEL_HW_AUTH_SHA384_HMAC = 75,
	ACCEL_HW_AUTH_SHA512_HMAC = 76,
	ACCEL_HW_AUTH_AES_GMAC = 77,

	/* AEAD */
	ACCEL_HW_AEAD_AES_GCM = 192,
	ACCEL_HW_AEAD_AES_CCM = 193,
	ACCEL_HW_AEAD_CHACHA20_POLY1305 = 194,

	ACCEL_HW_ALG_NB = 256
};

#endif /* ACCEL_HW_ALG_H */
