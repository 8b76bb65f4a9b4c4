/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * An expanded context of the OpenSSL engine. engine_ossl_cipher.c and engine_ossl_auth.c each make
 * one half of it and run jobs with this half. Each has a table of the algorithms of OpenSSL and of
 * those that the model computes itself (radio/). engine_openssl.c is the engine and combines the
 * halves.
 */
#ifndef ACCEL_MODEL_ENGINE_OSSL_H
#define ACCEL_MODEL_ENGINE_OSSL_H

#include <openssl/evp.h>

#include "engine/engine.h"
#include "radio/nxa.h"
#include "radio/zuc.h"

#define OSSL_GCM_IV_LEN 12u
#define OSSL_XCBC_BLOCK 16u

struct ossl_ctx;
struct ossl_ciphers; /* the ciphers and AEADs that an engine has fetched */
struct ossl_auths; /* the hashes and MACs that an engine has fetched */

/* Encrypt or decrypt the cipher region of a job, or carry out its AEAD. Return false if OpenSSL
 * refuses. */
typedef bool (*ossl_crypt_t)(const struct ossl_ctx *ctx, struct engine_job *job);
/* Write the whole digest of a region into digest[]. Return false if OpenSSL refuses. */
typedef bool (*ossl_auth_t)(const struct ossl_ctx *ctx, const struct engine_job *job,
		const uint8_t *region, uint8_t *digest);

struct ossl_ctx {
	struct engine_ctx_header header;
	ossl_crypt_t crypt; /* NULL: no cipher */
	ossl_auth_t auth; /* NULL: there is no authentication, or `crypt` is an AEAD */
	EVP_CIPHER_CTX *cipher;
	EVP_CIPHER_CTX *block; /* the bare block cipher, for modes that OpenSSL lacks */
	EVP_CIPHER_CTX *gmac;
	EVP_CIPHER_CTX *gmac_block; /* GMAC whose IV is J0 */
	EVP_CIPHER_CTX *xcbc;
	EVP_CIPHER_CTX *nia_aes;
	EVP_MD_CTX *md;
	EVP_MAC_CTX *mac;
	uint8_t xcbc_last[2][OSSL_XCBC_BLOCK]; /* K2, K3 */
	union {
		struct zuc_key zuc;
		struct nxa_key nxa; /* of 256-NEA or 256-NCA */
	};
	union {
		struct zuc_key zuc_mac;
		struct nxa_key nia;
	};
	uint32_t data_unit_len; /* XTS; 0 = the cipher region is one data unit */
	uint16_t digest_len;
	uint8_t iv_len;
	uint8_t auth_iv_len;
	uint8_t kind;
	bool encrypt;
	bool verify;
};

/** Fetch all ciphers. Return NULL if there is no memory, or OpenSSL lacks one of them. */
struct ossl_ciphers *ossl_ciphers_fetch(void);
/** Free fetched ciphers. NULL is allowed. */
void ossl_ciphers_free(struct ossl_ciphers *ciphers);
bool ossl_cipher_supports(uint16_t alg, uint16_t key_len);
/** Return the block cipher inside AES-GCM for a key length. AES-GCM has to have this key length. */
const EVP_CIPHER *ossl_cipher_gcm_block(const struct ossl_ciphers *ciphers, uint16_t key_len);

/**
 * Fill in the cipher of a supported context, and its keys. ctx->encrypt is set already. What this
 * function makes belongs to ctx, even if the function fails.
 *
 * @param status receives the reason of a failure, if it is not ENGINE_ERROR.
 * @return false: it failed.
 */
bool ossl_cipher_init(struct ossl_ctx *ctx, const struct ossl_ciphers *ciphers,
		const struct accel_hw_context *raw, uint16_t *status);

/** Fetch all hashes and MACs. Return NULL if there is no memory, or OpenSSL lacks one of them. */
struct ossl_auths *ossl_auths_fetch(void);
/** Free fetched hashes and MACs. NULL is allowed. */
void ossl_auths_free(struct ossl_auths *auths);
bool ossl_auth_supports(uint16_t alg, uint16_t key_len);

/** Fill in the authentication of a supported context, and its keys, as ossl_cipher_init() does for
 * the cipher. GMAC may need the ciphers. */
bool ossl_auth_init(struct ossl_ctx *ctx, const struct ossl_auths *auths,
		const struct ossl_ciphers *ciphers, const struct accel_hw_context *raw);

#endif /* ACCEL_MODEL_ENGINE_OSSL_H */
