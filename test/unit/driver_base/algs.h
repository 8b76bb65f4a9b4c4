/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The algorithms of the manual with their names in rte_cryptodev, for tests of the driver.
 */
#ifndef UNIT_ALGS_H
#define UNIT_ALGS_H

#include <rte_crypto_sym.h>

#include "accel_devtree.h"

/* The table of manual 8.2: number, class, block, key, IV, digest. */
static const struct row {
	unsigned int id;
	enum accel_alg_class class;
	struct accel_dt_alg alg;
	int rte;
} rows[] = {
#define C ACCEL_ALG_CIPHER
#define A ACCEL_ALG_AUTH
#define E ACCEL_ALG_AEAD
	{ 1, C, { C, 1, { 0, 0, 0 }, { 0, 0, 0 }, { 0 }, { 0 } }, RTE_CRYPTO_CIPHER_NULL },
	{ 2, C, { C, 16, { 16, 32, 8 }, { 16, 16, 0 }, { 0 }, { 0 } }, RTE_CRYPTO_CIPHER_AES_CBC },
	{ 3, C, { C, 1, { 16, 32, 8 }, { 16, 16, 0 }, { 0 }, { 0 } }, RTE_CRYPTO_CIPHER_AES_CTR },
	{ 4, C, { C, 16, { 16, 32, 8 }, { 0, 0, 0 }, { 0 }, { 0 } }, RTE_CRYPTO_CIPHER_AES_ECB },
	{ 5, C, { C, 1, { 32, 64, 32 }, { 16, 16, 0 }, { 0 }, { 0 } }, RTE_CRYPTO_CIPHER_AES_XTS },
	{ 6, C, { C, 8, { 8, 8, 0 }, { 8, 8, 0 }, { 0 }, { 0 } }, RTE_CRYPTO_CIPHER_DES_CBC },
	{ 7, C, { C, 8, { 8, 24, 8 }, { 8, 8, 0 }, { 0 }, { 0 } }, RTE_CRYPTO_CIPHER_3DES_CBC },
	{ 8, C, { C, 8, { 8, 24, 8 }, { 0, 0, 0 }, { 0 }, { 0 } }, RTE_CRYPTO_CIPHER_3DES_ECB },
	{ 9, C, { C, 1, { 8, 24, 8 }, { 8, 8, 0 }, { 0 }, { 0 } }, RTE_CRYPTO_CIPHER_3DES_CTR },
	{ 10, C, { C, 16, { 16, 32, 16 }, { 16, 16, 0 }, { 0 }, { 0 } },
	  RTE_CRYPTO_CIPHER_AES_DOCSISBPI },
	{ 11, C, { C, 8, { 8, 8, 0 }, { 8, 8, 0 }, { 0 }, { 0 } },
	  RTE_CRYPTO_CIPHER_DES_DOCSISBPI },
	{ 12, C, { C, 16, { 16, 16, 0 }, { 16, 16, 0 }, { 0 }, { 0 } },
	  RTE_CRYPTO_CIPHER_SNOW3G_UEA2 },
	{ 13, C, { C, 8, { 16, 16, 0 }, { 8, 8, 0 }, { 0 }, { 0 } }, RTE_CRYPTO_CIPHER_KASUMI_F8 },
	{ 14, C, { C, 16, { 16, 32, 16 }, { 16, 25, 9 }, { 0 }, { 0 } },
	  RTE_CRYPTO_CIPHER_ZUC_EEA3 },
	{ 15, C, { C, 16, { 16, 16, 0 }, { 0, 0, 0 }, { 0 }, { 0 } }, RTE_CRYPTO_CIPHER_SM4_ECB },
	{ 16, C, { C, 16, { 16, 16, 0 }, { 16, 16, 0 }, { 0 }, { 0 } }, RTE_CRYPTO_CIPHER_SM4_CBC },
	{ 17, C, { C, 1, { 16, 16, 0 }, { 16, 16, 0 }, { 0 }, { 0 } }, RTE_CRYPTO_CIPHER_SM4_CTR },
	{ 64, A, { A, 1, { 0, 0, 0 }, { 0 }, { 0, 0, 0 }, { 0 } }, RTE_CRYPTO_AUTH_NULL },
	{ 65, A, { A, 64, { 0, 0, 0 }, { 0 }, { 1, 16, 1 }, { 0 } }, RTE_CRYPTO_AUTH_MD5 },
	{ 66, A, { A, 64, { 0, 0, 0 }, { 0 }, { 1, 20, 1 }, { 0 } }, RTE_CRYPTO_AUTH_SHA1 },
	{ 67, A, { A, 64, { 0, 0, 0 }, { 0 }, { 1, 28, 1 }, { 0 } }, RTE_CRYPTO_AUTH_SHA224 },
	{ 68, A, { A, 64, { 0, 0, 0 }, { 0 }, { 1, 32, 1 }, { 0 } }, RTE_CRYPTO_AUTH_SHA256 },
	{ 69, A, { A, 128, { 0, 0, 0 }, { 0 }, { 1, 48, 1 }, { 0 } }, RTE_CRYPTO_AUTH_SHA384 },
	{ 70, A, { A, 128, { 0, 0, 0 }, { 0 }, { 1, 64, 1 }, { 0 } }, RTE_CRYPTO_AUTH_SHA512 },
	{ 71, A, { A, 64, { 1, 64, 1 }, { 0 }, { 1, 16, 1 }, { 0 } }, RTE_CRYPTO_AUTH_MD5_HMAC },
	{ 72, A, { A, 64, { 1, 64, 1 }, { 0 }, { 1, 20, 1 }, { 0 } }, RTE_CRYPTO_AUTH_SHA1_HMAC },
	{ 73, A, { A, 64, { 1, 64, 1 }, { 0 }, { 1, 28, 1 }, { 0 } }, RTE_CRYPTO_AUTH_SHA224_HMAC },
	{ 74, A, { A, 64, { 1, 64, 1 }, { 0 }, { 1, 32, 1 }, { 0 } }, RTE_CRYPTO_AUTH_SHA256_HMAC },
	{ 75, A, { A, 128, { 1, 128, 1 }, { 0 }, { 1, 48, 1 }, { 0 } },
	  RTE_CRYPTO_AUTH_SHA384_HMAC },
	{ 76, A, { A, 128, { 1, 128, 1 }, { 0 }, { 1, 64, 1 }, { 0 } },
	  RTE_CRYPTO_AUTH_SHA512_HMAC },
	{ 77, A, { A, 16, { 16, 32, 8 }, { 12, 16, 4 }, { 1, 16, 1 }, { 0 } },
	  RTE_CRYPTO_AUTH_AES_GMAC },
	{ 78, A, { A, 16, { 16, 16, 0 }, { 0 }, { 1, 16, 1 }, { 0 } },
	  RTE_CRYPTO_AUTH_AES_XCBC_MAC },
	{ 79, A, { A, 16, { 16, 32, 8 }, { 0 }, { 1, 16, 1 }, { 0 } }, RTE_CRYPTO_AUTH_AES_CMAC },
	{ 80, A, { A, 16, { 16, 16, 0 }, { 16, 16, 0 }, { 4, 4, 0 }, { 0 } },
	  RTE_CRYPTO_AUTH_SNOW3G_UIA2 },
	{ 81, A, { A, 8, { 16, 16, 0 }, { 0 }, { 4, 4, 0 }, { 0 } }, RTE_CRYPTO_AUTH_KASUMI_F9 },
	{ 82, A, { A, 16, { 16, 32, 16 }, { 16, 25, 9 }, { 4, 16, 4 }, { 0 } },
	  RTE_CRYPTO_AUTH_ZUC_EIA3 },
	{ 83, A, { A, 144, { 0, 0, 0 }, { 0 }, { 1, 28, 1 }, { 0 } }, RTE_CRYPTO_AUTH_SHA3_224 },
	{ 84, A, { A, 136, { 0, 0, 0 }, { 0 }, { 1, 32, 1 }, { 0 } }, RTE_CRYPTO_AUTH_SHA3_256 },
	{ 85, A, { A, 104, { 0, 0, 0 }, { 0 }, { 1, 48, 1 }, { 0 } }, RTE_CRYPTO_AUTH_SHA3_384 },
	{ 86, A, { A, 72, { 0, 0, 0 }, { 0 }, { 1, 64, 1 }, { 0 } }, RTE_CRYPTO_AUTH_SHA3_512 },
	{ 87, A, { A, 144, { 1, 144, 1 }, { 0 }, { 1, 28, 1 }, { 0 } },
	  RTE_CRYPTO_AUTH_SHA3_224_HMAC },
	{ 88, A, { A, 136, { 1, 136, 1 }, { 0 }, { 1, 32, 1 }, { 0 } },
	  RTE_CRYPTO_AUTH_SHA3_256_HMAC },
	{ 89, A, { A, 104, { 1, 104, 1 }, { 0 }, { 1, 48, 1 }, { 0 } },
	  RTE_CRYPTO_AUTH_SHA3_384_HMAC },
	{ 90, A, { A, 72, { 1, 72, 1 }, { 0 }, { 1, 64, 1 }, { 0 } },
	  RTE_CRYPTO_AUTH_SHA3_512_HMAC },
	{ 91, A, { A, 64, { 0, 0, 0 }, { 0 }, { 1, 32, 1 }, { 0 } }, RTE_CRYPTO_AUTH_SM3 },
	{ 192, E, { E, 16, { 16, 32, 8 }, { 12, 16, 4 }, { 1, 16, 1 }, { 0, 65535, 1 } },
	  RTE_CRYPTO_AEAD_AES_GCM },
	{ 193, E, { E, 16, { 16, 32, 8 }, { 7, 13, 1 }, { 4, 16, 2 }, { 0, 65535, 1 } },
	  RTE_CRYPTO_AEAD_AES_CCM },
	{ 194, E, { E, 64, { 32, 32, 0 }, { 12, 12, 0 }, { 16, 16, 0 }, { 0, 65535, 1 } },
	  RTE_CRYPTO_AEAD_CHACHA20_POLY1305 },
#undef C
#undef A
#undef E
};

#endif /* UNIT_ALGS_H */
