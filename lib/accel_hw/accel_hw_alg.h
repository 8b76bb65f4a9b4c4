/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The algorithms of the contract (manual sections 8.2 and 8.8), a row each. The numbers, the names
 * and the sizes stand here alone. Driver, model and tests make their tables of these rows.
 *
 * The numbers are those of contexts and of the device tree. Ciphers, authentication, protocols,
 * public keys and AEAD share one number space below 256. A number is never used again.
 *
 * tools/contract makes this file from doc/hardware/contract.
 */
#ifndef ACCEL_HW_ALG_H
#define ACCEL_HW_ALG_H

#include <stdbool.h>
#include <stdint.h>

/* A size in bytes: min, min + step and so on up to max. */
struct accel_hw_range {
	uint16_t min;
	uint16_t max;
	uint16_t step; /* 0 when min equals max */
};

/* Sizes that go together. A key of 0: none. */
struct accel_hw_key_iv {
	uint16_t key;
	uint16_t iv;
};

struct accel_hw_key_digest {
	uint16_t key;
	uint16_t digest;
};

#define ACCEL_HW_KEY_IVS 2u /* in a row */

enum accel_hw_alg_class {
	ACCEL_HW_CLASS_NONE = 0,
	ACCEL_HW_CLASS_CIPHER,
	ACCEL_HW_CLASS_AUTH,
	ACCEL_HW_CLASS_AEAD,
};

/* What a row of ACCEL_HW_SYM_ALGS says. A size that a row leaves out is 0. */
struct accel_hw_alg_info {
	uint16_t id; /* enum accel_hw_alg, 0: no algorithm */
	uint8_t class; /* enum accel_hw_alg_class */
	const char *name; /* of the device tree's node, after "cipher-", "auth-" or "aead-" */
	const char *stat; /* in statistics */
	uint16_t block; /* bytes */
	uint16_t region_min; /* bytes of the smallest region, 0: none */
	uint16_t region_max; /* bytes of the largest region, 0: no limit */
	bool whole_blocks; /* the cipher region is a multiple of the block */
	bool bits; /* regions may begin and end at any bit */
	bool two_keys; /* the halves of the key shall differ; data units are possible (ALG-2) */
	bool j0; /* an IV of 16 bytes is the counter block J0 (ALG-4) */
	bool counted; /* CCM: the nonce limits the region */
	uint8_t since; /* minor version of the contract that has added it, 0: 1.5 or before */
	struct accel_hw_range key;
	struct accel_hw_range iv;
	struct accel_hw_key_iv key_iv[ACCEL_HW_KEY_IVS]; /* if any, only these go together */
	struct accel_hw_range digest;
	uint16_t digest_not; /* a size in the range that it does not have, 0: none */
	struct accel_hw_key_digest only_digest; /* a key that has no digest but this one */
	struct accel_hw_range aad;
	uint32_t unit_min; /* data units: powers of two. A card has its own limits, no row does. */
	uint32_t unit_max;
};

/*
 * Manual section 8.2: where the range of numbers of each kind of node begins. It ends where the
 * next one begins.
 */
enum accel_hw_alg_first {
	ACCEL_HW_CIPHER_FIRST = 1,  /* ciphers */
	ACCEL_HW_AUTH_FIRST = 64,   /* authentication */
	ACCEL_HW_PROTO_FIRST = 96,  /* protocols */
	ACCEL_HW_PK_FIRST = 128,    /* public keys and random numbers */
	ACCEL_HW_AEAD_FIRST = 192,  /* AEADs */
	ACCEL_HW_AUTH2_FIRST = 224, /* authentication, second range */
};

/* X(number's name, number, class, name, name in statistics, sizes and rules...) */
#define ACCEL_HW_SYM_ALGS(X)                                                                       \
	/* Ciphers */                                                                              \
	X(ACCEL_HW_CIPHER_NULL, 1, CIPHER, "null", "null_cipher", .block = 1)                      \
	X(ACCEL_HW_CIPHER_AES_CBC, 2, CIPHER, "aes-cbc", "aes_cbc", .block = 16,                   \
	  .region_min = 16, .whole_blocks = true, .key = { 16, 32, 8 }, .iv = { 16, 16, 0 })       \
	X(ACCEL_HW_CIPHER_AES_CTR, 3, CIPHER, "aes-ctr", "aes_ctr", .block = 1,                    \
	  .key = { 16, 32, 8 }, .iv = { 16, 16, 0 })                                               \
	X(ACCEL_HW_CIPHER_AES_ECB, 4, CIPHER, "aes-ecb", "aes_ecb", .block = 16,                   \
	  .region_min = 16, .whole_blocks = true, .key = { 16, 32, 8 })                            \
	X(ACCEL_HW_CIPHER_AES_XTS, 5, CIPHER, "aes-xts", "aes_xts", .block = 1, .region_min = 16,  \
	  .key = { 32, 64, 32 }, .iv = { 16, 16, 0 }, .two_keys = true)                            \
	X(ACCEL_HW_CIPHER_DES_CBC, 6, CIPHER, "des-cbc", "des_cbc", .block = 8, .region_min = 8,   \
	  .whole_blocks = true, .key = { 8, 8, 0 }, .iv = { 8, 8, 0 })                             \
	X(ACCEL_HW_CIPHER_3DES_CBC, 7, CIPHER, "3des-cbc", "3des_cbc", .block = 8,                 \
	  .region_min = 8, .whole_blocks = true, .key = { 8, 24, 8 }, .iv = { 8, 8, 0 })           \
	X(ACCEL_HW_CIPHER_3DES_ECB, 8, CIPHER, "3des-ecb", "3des_ecb", .block = 8,                 \
	  .region_min = 8, .whole_blocks = true, .key = { 8, 24, 8 })                              \
	X(ACCEL_HW_CIPHER_3DES_CTR, 9, CIPHER, "3des-ctr", "3des_ctr", .block = 1,                 \
	  .key = { 8, 24, 8 }, .iv = { 8, 8, 0 })                                                  \
	X(ACCEL_HW_CIPHER_AES_DOCSIS_BPI, 10, CIPHER, "aes-docsis-bpi", "aes_docsis_bpi",          \
	  .block = 1, .key = { 16, 32, 16 }, .iv = { 16, 16, 0 })                                  \
	X(ACCEL_HW_CIPHER_DES_DOCSIS_BPI, 11, CIPHER, "des-docsis-bpi", "des_docsis_bpi",          \
	  .block = 1, .key = { 8, 8, 0 }, .iv = { 8, 8, 0 })                                       \
	X(ACCEL_HW_CIPHER_SNOW3G_UEA2, 12, CIPHER, "snow3g-uea2", "snow3g_uea2", .block = 1,       \
	  .region_min = 1, .bits = true, .key = { 16, 16, 0 }, .iv = { 16, 16, 0 })                \
	X(ACCEL_HW_CIPHER_KASUMI_F8, 13, CIPHER, "kasumi-f8", "kasumi_f8", .block = 1,             \
	  .region_min = 1, .region_max = 2500, .bits = true, .key = { 16, 16, 0 },                 \
	  .iv = { 8, 8, 0 })                                                                       \
	X(ACCEL_HW_CIPHER_ZUC_EEA3, 14, CIPHER, "zuc-eea3", "zuc_eea3", .block = 1,                \
	  .region_min = 1, .bits = true, .key = { 16, 32, 16 }, .iv = { 16, 25, 9 },               \
	  .key_iv = { { 16, 16 }, { 32, 25 } })                                                    \
	X(ACCEL_HW_CIPHER_SM4_ECB, 15, CIPHER, "sm4-ecb", "sm4_ecb", .block = 16,                  \
	  .region_min = 16, .whole_blocks = true, .key = { 16, 16, 0 })                            \
	X(ACCEL_HW_CIPHER_SM4_CBC, 16, CIPHER, "sm4-cbc", "sm4_cbc", .block = 16,                  \
	  .region_min = 16, .whole_blocks = true, .key = { 16, 16, 0 }, .iv = { 16, 16, 0 })       \
	X(ACCEL_HW_CIPHER_SM4_CTR, 17, CIPHER, "sm4-ctr", "sm4_ctr", .block = 1,                   \
	  .key = { 16, 16, 0 }, .iv = { 16, 16, 0 })                                               \
	X(ACCEL_HW_CIPHER_SM4_CFB, 18, CIPHER, "sm4-cfb", "sm4_cfb", .block = 1,                   \
	  .key = { 16, 16, 0 }, .iv = { 16, 16, 0 })                                               \
	X(ACCEL_HW_CIPHER_SM4_OFB, 19, CIPHER, "sm4-ofb", "sm4_ofb", .block = 1,                   \
	  .key = { 16, 16, 0 }, .iv = { 16, 16, 0 })                                               \
	X(ACCEL_HW_CIPHER_SM4_XTS, 20, CIPHER, "sm4-xts", "sm4_xts", .block = 1,                   \
	  .region_min = 16, .key = { 32, 32, 0 }, .iv = { 16, 16, 0 }, .two_keys = true)           \
	X(ACCEL_HW_CIPHER_SNOW5G_NEA4, 21, CIPHER, "snow5g-nea4", "snow5g_nea4", .block = 1,       \
	  .key = { 32, 32, 0 }, .iv = { 16, 16, 0 }, .since = 6)                                   \
	X(ACCEL_HW_CIPHER_AES_NEA5, 22, CIPHER, "aes-nea5", "aes_nea5", .block = 1,                \
	  .key = { 32, 32, 0 }, .iv = { 16, 16, 0 }, .since = 6)                                   \
	X(ACCEL_HW_CIPHER_ZUC_NEA6, 23, CIPHER, "zuc-nea6", "zuc_nea6", .block = 1,                \
	  .key = { 32, 32, 0 }, .iv = { 16, 16, 0 }, .since = 6)                                   \
	/* Authentication */                                                                       \
	X(ACCEL_HW_AUTH_NULL, 64, AUTH, "null", "null_auth", .block = 1)                           \
	X(ACCEL_HW_AUTH_MD5, 65, AUTH, "md5", "md5", .block = 64, .digest = { 1, 16, 1 })          \
	X(ACCEL_HW_AUTH_SHA1, 66, AUTH, "sha1", "sha1", .block = 64, .digest = { 1, 20, 1 })       \
	X(ACCEL_HW_AUTH_SHA224, 67, AUTH, "sha224", "sha224", .block = 64,                         \
	  .digest = { 1, 28, 1 })                                                                  \
	X(ACCEL_HW_AUTH_SHA256, 68, AUTH, "sha256", "sha256", .block = 64,                         \
	  .digest = { 1, 32, 1 })                                                                  \
	X(ACCEL_HW_AUTH_SHA384, 69, AUTH, "sha384", "sha384", .block = 128,                        \
	  .digest = { 1, 48, 1 })                                                                  \
	X(ACCEL_HW_AUTH_SHA512, 70, AUTH, "sha512", "sha512", .block = 128,                        \
	  .digest = { 1, 64, 1 })                                                                  \
	X(ACCEL_HW_AUTH_MD5_HMAC, 71, AUTH, "md5-hmac", "md5_hmac", .block = 64,                   \
	  .key = { 1, 64, 1 }, .digest = { 1, 16, 1 })                                             \
	X(ACCEL_HW_AUTH_SHA1_HMAC, 72, AUTH, "sha1-hmac", "sha1_hmac", .block = 64,                \
	  .key = { 1, 64, 1 }, .digest = { 1, 20, 1 })                                             \
	X(ACCEL_HW_AUTH_SHA224_HMAC, 73, AUTH, "sha224-hmac", "sha224_hmac", .block = 64,          \
	  .key = { 1, 64, 1 }, .digest = { 1, 28, 1 })                                             \
	X(ACCEL_HW_AUTH_SHA256_HMAC, 74, AUTH, "sha256-hmac", "sha256_hmac", .block = 64,          \
	  .key = { 1, 64, 1 }, .digest = { 1, 32, 1 })                                             \
	X(ACCEL_HW_AUTH_SHA384_HMAC, 75, AUTH, "sha384-hmac", "sha384_hmac", .block = 128,         \
	  .key = { 1, 128, 1 }, .digest = { 1, 48, 1 })                                            \
	X(ACCEL_HW_AUTH_SHA512_HMAC, 76, AUTH, "sha512-hmac", "sha512_hmac", .block = 128,         \
	  .key = { 1, 128, 1 }, .digest = { 1, 64, 1 })                                            \
	X(ACCEL_HW_AUTH_AES_GMAC, 77, AUTH, "aes-gmac", "aes_gmac", .block = 16,                   \
	  .key = { 16, 32, 8 }, .iv = { 12, 16, 4 }, .j0 = true, .digest = { 1, 16, 1 })           \
	X(ACCEL_HW_AUTH_AES_XCBC_MAC, 78, AUTH, "aes-xcbc-mac", "aes_xcbc_mac", .block = 16,       \
	  .key = { 16, 16, 0 }, .digest = { 1, 16, 1 })                                            \
	X(ACCEL_HW_AUTH_AES_CMAC, 79, AUTH, "aes-cmac", "aes_cmac", .block = 16,                   \
	  .key = { 16, 32, 8 }, .digest = { 1, 16, 1 })                                            \
	X(ACCEL_HW_AUTH_SNOW3G_UIA2, 80, AUTH, "snow3g-uia2", "snow3g_uia2", .block = 16,          \
	  .region_min = 1, .bits = true, .key = { 16, 16, 0 }, .iv = { 16, 16, 0 },                \
	  .digest = { 4, 4, 0 })                                                                   \
	X(ACCEL_HW_AUTH_KASUMI_F9, 81, AUTH, "kasumi-f9", "kasumi_f9", .block = 8,                 \
	  .region_min = 9, .region_max = 2500, .bits = true, .key = { 16, 16, 0 },                 \
	  .digest = { 4, 4, 0 })                                                                   \
	X(ACCEL_HW_AUTH_ZUC_EIA3, 82, AUTH, "zuc-eia3", "zuc_eia3", .block = 16, .region_min = 1,  \
	  .bits = true, .key = { 16, 32, 16 }, .iv = { 16, 25, 9 },                                \
	  .key_iv = { { 16, 16 }, { 32, 25 } }, .digest = { 4, 16, 4 }, .digest_not = 12,          \
	  .only_digest = { 16, 4 })                                                                \
	X(ACCEL_HW_AUTH_SHA3_224, 83, AUTH, "sha3-224", "sha3_224", .block = 144,                  \
	  .digest = { 1, 28, 1 })                                                                  \
	X(ACCEL_HW_AUTH_SHA3_256, 84, AUTH, "sha3-256", "sha3_256", .block = 136,                  \
	  .digest = { 1, 32, 1 })                                                                  \
	X(ACCEL_HW_AUTH_SHA3_384, 85, AUTH, "sha3-384", "sha3_384", .block = 104,                  \
	  .digest = { 1, 48, 1 })                                                                  \
	X(ACCEL_HW_AUTH_SHA3_512, 86, AUTH, "sha3-512", "sha3_512", .block = 72,                   \
	  .digest = { 1, 64, 1 })                                                                  \
	X(ACCEL_HW_AUTH_SHA3_224_HMAC, 87, AUTH, "sha3-224-hmac", "sha3_224_hmac", .block = 144,   \
	  .key = { 1, 144, 1 }, .digest = { 1, 28, 1 })                                            \
	X(ACCEL_HW_AUTH_SHA3_256_HMAC, 88, AUTH, "sha3-256-hmac", "sha3_256_hmac", .block = 136,   \
	  .key = { 1, 136, 1 }, .digest = { 1, 32, 1 })                                            \
	X(ACCEL_HW_AUTH_SHA3_384_HMAC, 89, AUTH, "sha3-384-hmac", "sha3_384_hmac", .block = 104,   \
	  .key = { 1, 104, 1 }, .digest = { 1, 48, 1 })                                            \
	X(ACCEL_HW_AUTH_SHA3_512_HMAC, 90, AUTH, "sha3-512-hmac", "sha3_512_hmac", .block = 72,    \
	  .key = { 1, 72, 1 }, .digest = { 1, 64, 1 })                                             \
	X(ACCEL_HW_AUTH_SM3, 91, AUTH, "sm3", "sm3", .block = 64, .digest = { 1, 32, 1 })          \
	X(ACCEL_HW_AUTH_SM3_HMAC, 92, AUTH, "sm3-hmac", "sm3_hmac", .block = 64,                   \
	  .key = { 1, 64, 1 }, .digest = { 1, 32, 1 })                                             \
	X(ACCEL_HW_AUTH_SHAKE_128, 93, AUTH, "shake128", "shake_128", .block = 168,                \
	  .digest = { 1, 64, 1 })                                                                  \
	X(ACCEL_HW_AUTH_SHAKE_256, 94, AUTH, "shake256", "shake_256", .block = 136,                \
	  .digest = { 1, 64, 1 })                                                                  \
	X(ACCEL_HW_AUTH_SNOW5G_NIA4, 224, AUTH, "snow5g-nia4", "snow5g_nia4", .block = 16,         \
	  .region_min = 1, .key = { 32, 32, 0 }, .iv = { 16, 16, 0 }, .digest = { 4, 16, 1 },      \
	  .since = 6)                                                                              \
	X(ACCEL_HW_AUTH_AES_NIA5, 225, AUTH, "aes-nia5", "aes_nia5", .block = 16,                  \
	  .region_min = 1, .key = { 32, 32, 0 }, .iv = { 16, 16, 0 }, .digest = { 4, 16, 1 },      \
	  .since = 6)                                                                              \
	X(ACCEL_HW_AUTH_ZUC_NIA6, 226, AUTH, "zuc-nia6", "zuc_nia6", .block = 16,                  \
	  .region_min = 1, .key = { 32, 32, 0 }, .iv = { 16, 16, 0 }, .digest = { 4, 16, 1 },      \
	  .since = 6)                                                                              \
	/* AEAD */                                                                                 \
	X(ACCEL_HW_AEAD_AES_GCM, 192, AEAD, "aes-gcm", "aes_gcm", .block = 16,                     \
	  .key = { 16, 32, 8 }, .iv = { 12, 16, 4 }, .j0 = true, .digest = { 1, 16, 1 },           \
	  .aad = { 0, 65535, 1 })                                                                  \
	X(ACCEL_HW_AEAD_AES_CCM, 193, AEAD, "aes-ccm", "aes_ccm", .block = 16,                     \
	  .key = { 16, 32, 8 }, .iv = { 7, 13, 1 }, .counted = true, .digest = { 4, 16, 2 },       \
	  .aad = { 0, 65535, 1 })                                                                  \
	X(ACCEL_HW_AEAD_CHACHA20_POLY1305, 194, AEAD, "chacha20-poly1305", "chacha20_poly1305",    \
	  .block = 64, .key = { 32, 32, 0 }, .iv = { 12, 12, 0 }, .digest = { 16, 16, 0 },         \
	  .aad = { 0, 65535, 1 })                                                                  \
	X(ACCEL_HW_AEAD_SM4_GCM, 195, AEAD, "sm4-gcm", "sm4_gcm", .block = 16,                     \
	  .key = { 16, 16, 0 }, .iv = { 12, 16, 4 }, .j0 = true, .digest = { 1, 16, 1 },           \
	  .aad = { 0, 65535, 1 })                                                                  \
	X(ACCEL_HW_AEAD_SNOW5G_NCA4, 196, AEAD, "snow5g-nca4", "snow5g_nca4", .block = 16,         \
	  .key = { 32, 32, 0 }, .iv = { 16, 16, 0 }, .digest = { 4, 16, 1 },                       \
	  .aad = { 0, 65535, 1 }, .since = 6)                                                      \
	X(ACCEL_HW_AEAD_AES_NCA5, 197, AEAD, "aes-nca5", "aes_nca5", .block = 16,                  \
	  .key = { 32, 32, 0 }, .iv = { 16, 16, 0 }, .digest = { 4, 16, 1 },                       \
	  .aad = { 0, 65535, 1 }, .since = 6)                                                      \
	X(ACCEL_HW_AEAD_ZUC_NCA6, 198, AEAD, "zuc-nca6", "zuc_nca6", .block = 16,                  \
	  .key = { 32, 32, 0 }, .iv = { 16, 16, 0 }, .digest = { 4, 16, 1 },                       \
	  .aad = { 0, 65535, 1 }, .since = 6)

/*
 * What has no sizes: X(number's name, number, name in statistics). The device tree calls a protocol
 * by the same name.
 */
#define ACCEL_HW_OTHER_ALGS(X)                                                                     \
	/* Protocols, each with its context kind */                                                \
	X(ACCEL_HW_PROTO_DOCSIS, 96, "docsis")                                                     \
	X(ACCEL_HW_PROTO_PDCP, 97, "pdcp")                                                         \
	X(ACCEL_HW_PROTO_ESP, 98, "esp")                                                           \
	X(ACCEL_HW_PROTO_AH, 99, "ah")                                                             \
	X(ACCEL_HW_PROTO_TLS12, 100, "tls12")                                                      \
	X(ACCEL_HW_PROTO_TLS13, 101, "tls13")                                                      \
	X(ACCEL_HW_PROTO_DTLS12, 102, "dtls12")                                                    \
	/* Public keys, see accel_hw_pk.h */                                                       \
	X(ACCEL_HW_PK_RSA, 128, "rsa")                                                             \
	X(ACCEL_HW_PK_MODEXP, 129, "modexp")                                                       \
	X(ACCEL_HW_PK_MODINV, 130, "modinv")                                                       \
	X(ACCEL_HW_PK_DH, 131, "dh")                                                               \
	X(ACCEL_HW_PK_DSA, 132, "dsa")                                                             \
	X(ACCEL_HW_PK_ECDSA, 133, "ecdsa")                                                         \
	X(ACCEL_HW_PK_ECDH, 134, "ecdh")                                                           \
	X(ACCEL_HW_PK_EC_MUL, 135, "ec_mul")                                                       \
	X(ACCEL_HW_PK_SM2, 136, "sm2")                                                             \
	X(ACCEL_HW_PK_EDDSA, 137, "eddsa")                                                         \
	X(ACCEL_HW_PK_ML_KEM, 138, "ml_kem")                                                       \
	X(ACCEL_HW_PK_ML_DSA, 139, "ml_dsa")                                                       \
	X(ACCEL_HW_RANDOM, 140, "random")

#define ACCEL_HW_ALG_NUMBER(id, number, ...) id = number,

enum accel_hw_alg {
	ACCEL_HW_ALG_NONE = 0,
	ACCEL_HW_SYM_ALGS(ACCEL_HW_ALG_NUMBER)
	ACCEL_HW_OTHER_ALGS(ACCEL_HW_ALG_NUMBER)
	ACCEL_HW_ALG_NB = 256
};

#undef ACCEL_HW_ALG_NUMBER

/* A struct accel_hw_alg_info of a row, for tables. */
#define ACCEL_HW_ALG_INFO(id_, number, class_, name_, stat_, ...)                                  \
	{                                                                                          \
		.id = id_, .class = ACCEL_HW_CLASS_##class_, .name = name_, .stat = stat_,         \
		__VA_ARGS__                                                                        \
	}

#endif /* ACCEL_HW_ALG_H */
