/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Authentication of the OpenSSL engine: how each algorithm computes the digest of a job's region,
 * its keys, and the table of algorithms.
 *
 * A job of a MAC restarts the keyed context (EVP_MAC_init without a key). This costs half as much
 * as a copy of the context.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "base/libctx.h"
#include "engine/engine_common.h"
#include "engine/engine_gcm_j0.h"
#include "engine/engine_ossl.h"

#define DIM(array) (sizeof(array) / sizeof((array)[0]))

#define TAG_LEN 16u /* GMAC: the whole tag */
#define CHUNK 512u /* bytes at a time, of output that is thrown away */

static bool
auth_hash(const struct ossl_ctx *ctx, const struct engine_job *job, const uint8_t *region,
		uint8_t *digest)
{
	return EVP_DigestInit_ex2(ctx->md, NULL, NULL) == 1 &&
			EVP_DigestUpdate(ctx->md, region, job->auth_len) == 1 &&
			EVP_DigestFinal_ex(ctx->md, digest, NULL) == 1;
}

/* Compute a hash whose digest may have any length. A shorter digest is the beginning of a longer
 * one (FIPS 202, 6.2). */
static bool
auth_xof(const struct ossl_ctx *ctx, const struct engine_job *job, const uint8_t *region,
		uint8_t *digest)
{
	return EVP_DigestInit_ex2(ctx->md, NULL, NULL) == 1 &&
			EVP_DigestUpdate(ctx->md, region, job->auth_len) == 1 &&
			EVP_DigestFinalXOF(ctx->md, digest, ctx->digest_len) == 1;
}

static bool
auth_mac(const struct ossl_ctx *ctx, const struct engine_job *job, const uint8_t *region,
		uint8_t *digest)
{
	size_t len;

	return EVP_MAC_init(ctx->mac, NULL, 0, NULL) == 1 &&
			EVP_MAC_update(ctx->mac, region, job->auth_len) == 1 &&
			EVP_MAC_final(ctx->mac, digest, &len, ACCEL_HW_DIGEST_MAX) == 1;
}

/* Compute AES-XCBC-MAC (RFC 3566), which is CBC under K1 from a zero IV. The last block is combined
 * with K2, or with padding and K3 if it is incomplete. The output for the last block is the MAC. */
static bool
auth_xcbc(const struct ossl_ctx *ctx, const struct engine_job *job, const uint8_t *region,
		uint8_t *digest)
{
	static const uint8_t zero[OSSL_XCBC_BLOCK];
	uint32_t left = job->auth_len;
	uint8_t last[OSSL_XCBC_BLOCK] = { 0 }, scrap[CHUNK];
	bool ok = EVP_EncryptInit_ex2(ctx->xcbc, NULL, NULL, zero, NULL) == 1;
	int len;

	while (ok && left > OSSL_XCBC_BLOCK) {
		uint32_t part = (left - 1) / OSSL_XCBC_BLOCK * OSSL_XCBC_BLOCK;

		if (part > CHUNK)
			part = CHUNK;
		ok = EVP_EncryptUpdate(ctx->xcbc, scrap, &len, region, (int)part) == 1;
		region += part;
		left -= part;
	}
	memcpy(last, region, left);
	if (left < OSSL_XCBC_BLOCK)
		last[left] = 0x80;
	engine_xor(last, last, ctx->xcbc_last[left < OSSL_XCBC_BLOCK], OSSL_XCBC_BLOCK);
	ok = ok && EVP_EncryptUpdate(ctx->xcbc, digest, &len, last, OSSL_XCBC_BLOCK) == 1;
	OPENSSL_cleanse(last, sizeof(last));
	OPENSSL_cleanse(scrap, sizeof(scrap));
	return ok;
}

/* Compute GMAC, which is GCM whose message is all AAD (SP 800-38D, section 3). */
static bool
auth_gmac(const struct ossl_ctx *ctx, const struct engine_job *job, const uint8_t *region,
		uint8_t *digest)
{
	uint8_t none[1];
	int len;

	if (EVP_CipherInit_ex2(ctx->gmac, NULL, NULL, job->auth_iv, -1, NULL) != 1)
		return false;
	if (job->auth_len > 0 &&
			EVP_CipherUpdate(ctx->gmac, NULL, &len, region, (int)job->auth_len) != 1)
		return false;
	return EVP_CipherFinal_ex(ctx->gmac, none, &len) == 1 &&
			EVP_CIPHER_CTX_ctrl(ctx->gmac, EVP_CTRL_AEAD_GET_TAG, TAG_LEN, digest) == 1;
}

static bool
auth_gmac_j0(const struct ossl_ctx *ctx, const struct engine_job *job, const uint8_t *region,
		uint8_t *digest)
{
	return gcm_j0_crypt(ctx->gmac_block, job->auth_iv, region, job->auth_len, NULL, NULL, 0,
			true, digest);
}

/* Compute a MAC of ZUC, which OpenSSL does not have. A long IV takes the place of both IVs (manual
 * 8.1). */
static bool
auth_zuc(const struct ossl_ctx *ctx, const struct engine_job *job, const uint8_t *region,
		uint8_t *digest)
{
	zuc_mac(&ctx->zuc_mac, ctx->auth_iv_len > ACCEL_HW_IV_MAX ? job->iv : job->auth_iv, region,
			8 * (uint64_t)job->auth_len - job->auth_pad, digest, ctx->digest_len);
	return true;
}

/* Compute a MAC of 3GPP's 256-bit algorithms. */
static bool
auth_nia(const struct ossl_ctx *ctx, const struct engine_job *job, const uint8_t *region,
		uint8_t *digest)
{
	return nxa_mac(&ctx->nia, job->auth_iv, region, job->auth_len, digest);
}

/* Describes an authentication algorithm and its key lengths: OpenSSL's name of the MAC (NULL: the
 * algorithm is no MAC of OpenSSL), and the name of the hash or cipher inside. The key of HMAC is at
 * most a block of the hash (manual 8.2). */
struct auth_row {
	uint8_t alg;
	uint8_t key_min;
	uint8_t key_max;
	const char *mac;
	const char *name;
	ossl_auth_t auth;
	uint8_t stream; /* enum nxa_stream, 0: none of 3GPP's 256-bit algorithms */
};

static const struct auth_row auth_rows[] = {
	{ ACCEL_HW_AUTH_NULL, 0, 0, NULL, NULL, NULL },
	{ ACCEL_HW_AUTH_MD5, 0, 0, NULL, "MD5", auth_hash },
	{ ACCEL_HW_AUTH_SHA1, 0, 0, NULL, "SHA1", auth_hash },
	{ ACCEL_HW_AUTH_SHA224, 0, 0, NULL, "SHA2-224", auth_hash },
	{ ACCEL_HW_AUTH_SHA256, 0, 0, NULL, "SHA2-256", auth_hash },
	{ ACCEL_HW_AUTH_SHA384, 0, 0, NULL, "SHA2-384", auth_hash },
	{ ACCEL_HW_AUTH_SHA512, 0, 0, NULL, "SHA2-512", auth_hash },
	{ ACCEL_HW_AUTH_SHA3_224, 0, 0, NULL, "SHA3-224", auth_hash },
	{ ACCEL_HW_AUTH_SHA3_256, 0, 0, NULL, "SHA3-256", auth_hash },
	{ ACCEL_HW_AUTH_SHA3_384, 0, 0, NULL, "SHA3-384", auth_hash },
	{ ACCEL_HW_AUTH_SHA3_512, 0, 0, NULL, "SHA3-512", auth_hash },
	{ ACCEL_HW_AUTH_SM3, 0, 0, NULL, "SM3", auth_hash },
	{ ACCEL_HW_AUTH_SHAKE_128, 0, 0, NULL, "SHAKE-128", auth_xof },
	{ ACCEL_HW_AUTH_SHAKE_256, 0, 0, NULL, "SHAKE-256", auth_xof },
	{ ACCEL_HW_AUTH_MD5_HMAC, 1, 64, "HMAC", "MD5", auth_mac },
	{ ACCEL_HW_AUTH_SHA1_HMAC, 1, 64, "HMAC", "SHA1", auth_mac },
	{ ACCEL_HW_AUTH_SHA224_HMAC, 1, 64, "HMAC", "SHA2-224", auth_mac },
	{ ACCEL_HW_AUTH_SHA256_HMAC, 1, 64, "HMAC", "SHA2-256", auth_mac },
	{ ACCEL_HW_AUTH_SHA384_HMAC, 1, 128, "HMAC", "SHA2-384", auth_mac },
	{ ACCEL_HW_AUTH_SHA512_HMAC, 1, 128, "HMAC", "SHA2-512", auth_mac },
	{ ACCEL_HW_AUTH_SHA3_224_HMAC, 1, 144, "HMAC", "SHA3-224", auth_mac },
	{ ACCEL_HW_AUTH_SHA3_256_HMAC, 1, 136, "HMAC", "SHA3-256", auth_mac },
	{ ACCEL_HW_AUTH_SHA3_384_HMAC, 1, 104, "HMAC", "SHA3-384", auth_mac },
	{ ACCEL_HW_AUTH_SHA3_512_HMAC, 1, 72, "HMAC", "SHA3-512", auth_mac },
	{ ACCEL_HW_AUTH_SM3_HMAC, 1, 64, "HMAC", "SM3", auth_mac },
	{ ACCEL_HW_AUTH_AES_CMAC, 16, 16, "CMAC", "AES-128-CBC", auth_mac },
	{ ACCEL_HW_AUTH_AES_CMAC, 24, 24, "CMAC", "AES-192-CBC", auth_mac },
	{ ACCEL_HW_AUTH_AES_CMAC, 32, 32, "CMAC", "AES-256-CBC", auth_mac },
	{ ACCEL_HW_AUTH_AES_GMAC, 16, 16, NULL, "AES-128-GCM", auth_gmac },
	{ ACCEL_HW_AUTH_AES_GMAC, 24, 24, NULL, "AES-192-GCM", auth_gmac },
	{ ACCEL_HW_AUTH_AES_GMAC, 32, 32, NULL, "AES-256-GCM", auth_gmac },
	{ ACCEL_HW_AUTH_AES_XCBC_MAC, 16, 16, NULL, "AES-128-CBC", auth_xcbc },
	{ ACCEL_HW_AUTH_ZUC_EIA3, 16, 16, NULL, NULL, auth_zuc },
	{ ACCEL_HW_AUTH_ZUC_EIA3, 32, 32, NULL, NULL, auth_zuc },
	{ ACCEL_HW_AUTH_SNOW5G_NIA4, 32, 32, NULL, NULL, auth_nia, NXA_SNOW5G },
	{ ACCEL_HW_AUTH_AES_NIA5, 32, 32, NULL, "AES-256-CTR", auth_nia, NXA_AES },
	{ ACCEL_HW_AUTH_ZUC_NIA6, 32, 32, NULL, NULL, auth_nia, NXA_ZUC },
};

/* Holds what was fetched. The hash or cipher inside a MAC is fetched as well, so that a context
 * finds it later. */
struct ossl_auths {
	EVP_MD *hash[DIM(auth_rows)]; /* fetched, by row, of hashes and HMAC */
	EVP_CIPHER *cipher[DIM(auth_rows)]; /* fetched, by row, of CMAC, GMAC and XCBC */
	EVP_MAC *mac[DIM(auth_rows)]; /* fetched, by row, where there is one */
};

static bool
is_hmac(const struct auth_row *row)
{
	return row->mac != NULL && strcmp(row->mac, "HMAC") == 0;
}

static const struct auth_row *
find_auth(uint16_t alg, uint16_t key_len)
{
	for (size_t i = 0; i < DIM(auth_rows); i++)
		if (auth_rows[i].alg == alg && key_len >= auth_rows[i].key_min &&
				key_len <= auth_rows[i].key_max)
			return &auth_rows[i];
	return NULL;
}

bool
ossl_auth_supports(uint16_t alg, uint16_t key_len)
{
	return find_auth(alg, key_len) != NULL;
}

void
ossl_auths_free(struct ossl_auths *auths)
{
	if (auths == NULL)
		return;
	for (size_t i = 0; i < DIM(auth_rows); i++) {
		EVP_MD_free(auths->hash[i]);
		EVP_CIPHER_free(auths->cipher[i]);
		EVP_MAC_free(auths->mac[i]);
	}
	free(auths);
}

/* Fetch what a row needs. A row without names needs nothing, which is no failure. */
static bool
fetch_auth(struct ossl_auths *auths, size_t i)
{
	const struct auth_row *row = &auth_rows[i];

	if (row->mac != NULL) {
		auths->mac[i] = EVP_MAC_fetch(libctx(), row->mac, NULL);
		if (auths->mac[i] == NULL)
			return false;
	}
	if (row->name == NULL)
		return true;
	if (row->auth == auth_hash || row->auth == auth_xof || is_hmac(row)) {
		auths->hash[i] = EVP_MD_fetch(libctx(), row->name, NULL);
		return auths->hash[i] != NULL;
	}
	auths->cipher[i] = EVP_CIPHER_fetch(libctx(), row->name, NULL);
	return auths->cipher[i] != NULL;
}

struct ossl_auths *
ossl_auths_fetch(void)
{
	struct ossl_auths *auths = calloc(1, sizeof(*auths));
	bool ok = auths != NULL;

	for (size_t i = 0; i < DIM(auth_rows) && ok; i++)
		ok = fetch_auth(auths, i);
	if (!ok) {
		ossl_auths_free(auths);
		return NULL;
	}
	return auths;
}

static bool
init_mac(struct ossl_ctx *ctx, const struct accel_hw_context *raw, const struct auth_row *row,
		EVP_MAC *mac)
{
	const char *inside = is_hmac(row) ? OSSL_MAC_PARAM_DIGEST : OSSL_MAC_PARAM_CIPHER;
	char name[16];
	OSSL_PARAM params[2];

	strncpy(name, row->name, sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	params[0] = OSSL_PARAM_construct_utf8_string(inside, name, 0);
	params[1] = OSSL_PARAM_construct_end();
	ctx->mac = EVP_MAC_CTX_new(mac);
	return ctx->mac != NULL &&
			EVP_MAC_init(ctx->mac, raw->auth_key, raw->auth_key_len, params) == 1;
}

/* Prepare GMAC from J0, which is GCM from J0. */
static bool
init_gmac_j0(struct ossl_ctx *ctx, const struct accel_hw_context *raw, const EVP_CIPHER *block)
{
	ctx->auth = auth_gmac_j0;
	ctx->gmac_block = EVP_CIPHER_CTX_new();
	return ctx->gmac_block != NULL &&
			EVP_EncryptInit_ex2(
					ctx->gmac_block, block, raw->auth_key, NULL, NULL) == 1 &&
			EVP_CIPHER_CTX_set_padding(ctx->gmac_block, 0) == 1;
}

static bool
init_gmac(struct ossl_ctx *ctx, const struct accel_hw_context *raw, const EVP_CIPHER *gcm)
{
	ctx->gmac = EVP_CIPHER_CTX_new();
	return ctx->gmac != NULL &&
			EVP_EncryptInit_ex2(ctx->gmac, gcm, raw->auth_key, NULL, NULL) == 1;
}

/* Prepare AES-XCBC-MAC. K1, K2 and K3 are blocks of 0x01, 0x02 and 0x03, each encrypted under the
 * key (RFC 3566, 4). */
static bool
init_xcbc(struct ossl_ctx *ctx, const struct accel_hw_context *raw, const EVP_CIPHER *cbc)
{
	static const uint8_t zero[OSSL_XCBC_BLOCK];
	uint8_t keys[3][OSSL_XCBC_BLOCK];
	int len;
	bool ok;

	ctx->xcbc = EVP_CIPHER_CTX_new();
	ok = ctx->xcbc != NULL &&
			EVP_EncryptInit_ex2(ctx->xcbc, cbc, raw->auth_key, NULL, NULL) == 1 &&
			EVP_CIPHER_CTX_set_padding(ctx->xcbc, 0) == 1;
	for (unsigned int i = 0; i < 3 && ok; i++) {
		memset(keys[i], (int)i + 1, OSSL_XCBC_BLOCK);
		ok = EVP_EncryptInit_ex2(ctx->xcbc, NULL, NULL, zero, NULL) == 1 &&
				EVP_EncryptUpdate(ctx->xcbc, keys[i], &len, keys[i],
						OSSL_XCBC_BLOCK) == 1;
	}
	ok = ok && EVP_EncryptInit_ex2(ctx->xcbc, NULL, keys[0], NULL, NULL) == 1;
	if (ok)
		memcpy(ctx->xcbc_last, keys[1], sizeof(ctx->xcbc_last));
	OPENSSL_cleanse(keys, sizeof(keys));
	return ok;
}

/* Prepare a MAC of 3GPP's 256-bit algorithms. @param ctr NULL if its key stream is not AES. */
static bool
init_nia(struct ossl_ctx *ctx, const struct accel_hw_context *raw, const struct auth_row *row,
		const EVP_CIPHER *ctr)
{
	if (ctr != NULL) {
		ctx->nia_aes = EVP_CIPHER_CTX_new();
		if (ctx->nia_aes == NULL || EVP_EncryptInit_ex2(ctx->nia_aes, ctr, raw->auth_key,
				NULL, NULL) != 1)
			return false;
	}
	nxa_set_key(&ctx->nia, row->stream, raw->auth_key, ctx->nia_aes);
	return true;
}

bool
ossl_auth_init(struct ossl_ctx *ctx, const struct ossl_auths *auths,
		const struct ossl_ciphers *ciphers, const struct accel_hw_context *raw)
{
	const struct auth_row *row = find_auth(raw->auth_alg, raw->auth_key_len);
	size_t i = (size_t)(row - auth_rows);

	ctx->auth = row->auth;
	if (row->auth == NULL)
		return true;
	if (row->auth == auth_zuc) {
		memcpy(ctx->zuc_mac.bytes, raw->auth_key, raw->auth_key_len);
		ctx->zuc_mac.len = raw->auth_key_len;
		return true;
	}
	if (row->auth == auth_nia)
		return init_nia(ctx, raw, row, auths->cipher[i]);
	if (row->auth == auth_mac)
		return init_mac(ctx, raw, row, auths->mac[i]);
	if (row->auth == auth_gmac && raw->auth_iv_len != OSSL_GCM_IV_LEN)
		return init_gmac_j0(
				ctx, raw, ossl_cipher_gcm_block(ciphers, raw->auth_key_len));
	if (row->auth == auth_gmac)
		return init_gmac(ctx, raw, auths->cipher[i]);
	if (row->auth == auth_xcbc)
		return init_xcbc(ctx, raw, auths->cipher[i]);
	ctx->md = EVP_MD_CTX_new();
	return ctx->md != NULL && EVP_DigestInit_ex2(ctx->md, auths->hash[i], NULL) == 1;
}
