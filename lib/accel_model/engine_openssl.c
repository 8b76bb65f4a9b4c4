/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The crypto engine on OpenSSL 3: every algorithm of manual 8.2 that its primitives can make, one
 * job at a time, each done when submit returns. Reference for the other engines and taker of what
 * they do not have.
 *
 * Algorithms are fetched when the engine is made, keys are set when a context is, so that a job
 * only sets an IV. A MAC restarts its keyed context (EVP_MAC_init without a key), which measures at
 * half the cost of duplicating one.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include "engine.h"
#include "engine_common.h"
#include "engine_gcm_j0.h"
#include "engine_xts.h"

#define DIM(array) (sizeof(array) / sizeof((array)[0]))

#define DES_KEY_LEN 8u
#define TDES_KEY_LEN 24u
#define TAG_LEN 16u /* GCM, GMAC, Poly1305: the whole tag */
#define BLOCK_MAX 16u
#define GCM_IV_LEN 12u
#define XCBC_BLOCK 16u
#define CHUNK 512u /* bytes of key stream or of throw-away output at a time */

struct ossl_ctx;

/* Cipher region and AEAD: false if OpenSSL refuses. */
typedef bool (*ossl_crypt_t)(const struct ossl_ctx *ctx, struct engine_job *job);
/* The whole digest of a region into digest[]: false if OpenSSL refuses. */
typedef bool (*ossl_auth_t)(const struct ossl_ctx *ctx, const struct engine_job *job,
		const uint8_t *region, uint8_t *digest);

struct ossl_ctx {
	struct engine_ctx_header header;
	ossl_crypt_t crypt; /* NULL: no cipher */
	ossl_auth_t auth; /* NULL: no authentication, or the AEAD's own */
	EVP_CIPHER_CTX *cipher;
	EVP_CIPHER_CTX *block; /* the bare block cipher, for modes that OpenSSL lacks */
	EVP_CIPHER_CTX *gmac;
	EVP_CIPHER_CTX *gmac_block; /* GMAC whose IV is J0 */
	EVP_CIPHER_CTX *xcbc;
	EVP_MD_CTX *md;
	EVP_MAC_CTX *mac;
	uint8_t xcbc_last[2][XCBC_BLOCK]; /* K2, K3 */
	uint32_t data_unit_len; /* XTS: 0 = the cipher region is one */
	uint16_t digest_len;
	uint8_t iv_len;
	uint8_t kind;
	bool encrypt;
	bool verify;
};

static bool
crypt_null(const struct ossl_ctx *ctx, struct engine_job *job)
{
	(void)ctx;
	engine_copy_source(job);
	return true;
}

/* Block and stream ciphers of fixed output length; no padding, so all comes out of one update. */
static bool
crypt_plain(const struct ossl_ctx *ctx, struct engine_job *job)
{
	int len = 0;

	if (job->cipher_len == 0)
		return true;
	return EVP_CipherInit_ex2(ctx->cipher, NULL, NULL, job->iv, -1, NULL) == 1 &&
			EVP_CipherUpdate(ctx->cipher, job->dst, &len, job->src + job->cipher_off,
					(int)job->cipher_len) == 1 &&
			(uint32_t)len == job->cipher_len;
}

/* Manual 8.2: the tweak is a little-endian number, the next data unit has the next one. */
static void
next_tweak(uint8_t *tweak)
{
	for (unsigned int i = 0; i < ACCEL_HW_IV_MAX && ++tweak[i] == 0; i++)
		;
}

/* One data unit of XTS, which OpenSSL has for AES only. */
static bool
crypt_unit(const struct ossl_ctx *ctx, const uint8_t *tweak, const uint8_t *in, uint8_t *out,
		uint32_t unit)
{
	int len = 0;

	if (ctx->block != NULL)
		return xts_crypt(ctx->cipher, ctx->block, tweak, in, out, unit);
	return EVP_CipherInit_ex2(ctx->cipher, NULL, NULL, tweak, -1, NULL) == 1 &&
			EVP_CipherUpdate(ctx->cipher, out, &len, in, (int)unit) == 1 &&
			(uint32_t)len == unit;
}

/* XTS, one data unit after the other. */
static bool
crypt_xts(const struct ossl_ctx *ctx, struct engine_job *job)
{
	uint32_t unit = ctx->data_unit_len != 0 ? ctx->data_unit_len : job->cipher_len;
	uint8_t tweak[ACCEL_HW_IV_MAX];

	memcpy(tweak, job->iv, sizeof(tweak));
	for (uint32_t at = 0; at < job->cipher_len; at += unit) {
		if (!crypt_unit(ctx, tweak, job->src + job->cipher_off + at, job->dst + at, unit))
			return false;
		next_tweak(tweak);
	}
	return true;
}

/* The bare block cipher on whole blocks. */
static bool
run_block(EVP_CIPHER_CTX *block, const uint8_t *in, uint8_t *out, uint32_t len)
{
	int done = 0;

	return EVP_EncryptUpdate(block, out, &done, in, (int)len) == 1 && (uint32_t)done == len;
}

static void
xor_bytes(uint8_t *out, const uint8_t *a, const uint8_t *b, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		out[i] = a[i] ^ b[i];
}

/* CTR (SP 800-38A) of a cipher that OpenSSL has no such mode of: the whole block counts. */
static bool
crypt_ctr(const struct ossl_ctx *ctx, struct engine_job *job)
{
	uint32_t block = (uint32_t)EVP_CIPHER_CTX_get_block_size(ctx->block);
	const uint8_t *in = job->src + job->cipher_off;
	uint8_t counter[BLOCK_MAX], stream[CHUNK];
	bool ok = true;

	memcpy(counter, job->iv, block);
	for (uint32_t done = 0; done < job->cipher_len && ok; done += CHUNK) {
		uint32_t len = job->cipher_len - done < CHUNK ? job->cipher_len - done : CHUNK;

		for (uint32_t at = 0; at < len; at += block) {
			memcpy(stream + at, counter, block);
			for (uint32_t i = block; i > 0 && ++counter[i - 1] == 0; i--)
				;
		}
		ok = run_block(ctx->block, stream, stream, (len + block - 1) / block * block);
		xor_bytes(job->dst + done, in + done, stream, len);
	}
	OPENSSL_cleanse(stream, sizeof(stream));
	return ok;
}

/* DOCSIS (manual 8.2): CBC over whole blocks; what remains is xored with the enciphered last
 * ciphertext block, or with the enciphered IV if there is none. */
static bool
crypt_docsis(const struct ossl_ctx *ctx, struct engine_job *job)
{
	uint32_t block = (uint32_t)EVP_CIPHER_CTX_get_block_size(ctx->block);
	uint32_t rest = job->cipher_len % block, whole = job->cipher_len - rest;
	const uint8_t *in = job->src + job->cipher_off;
	uint8_t last[BLOCK_MAX];
	int len = 0;
	bool ok = true;

	memcpy(last, whole == 0 ? job->iv : in + whole - block, block);
	if (whole > 0)
		ok = EVP_CipherInit_ex2(ctx->cipher, NULL, NULL, job->iv, -1, NULL) == 1 &&
				EVP_CipherUpdate(ctx->cipher, job->dst, &len, in, (int)whole) == 1;
	if (whole > 0 && ctx->encrypt)
		memcpy(last, job->dst + whole - block, block);
	if (ok && rest > 0) {
		ok = run_block(ctx->block, last, last, block);
		xor_bytes(job->dst + whole, in + whole, last, rest);
	}
	OPENSSL_cleanse(last, sizeof(last));
	return ok;
}

/* GCM and ChaCha20-Poly1305 (SP 800-38D, RFC 8439). A wrong tag shows in the last step only. */
static bool
crypt_aead(const struct ossl_ctx *ctx, struct engine_job *job)
{
	EVP_CIPHER_CTX *cipher = ctx->cipher;
	uint8_t none[1];
	int len;

	if (EVP_CipherInit_ex2(cipher, NULL, NULL, job->iv, -1, NULL) != 1)
		return false;
	if (job->aad_len > 0 &&
			EVP_CipherUpdate(cipher, NULL, &len, job->aad, (int)job->aad_len) != 1)
		return false;
	if (job->cipher_len > 0 &&
			EVP_CipherUpdate(cipher, job->dst, &len, job->src + job->cipher_off,
					(int)job->cipher_len) != 1)
		return false;
	if (ctx->encrypt)
		return EVP_CipherFinal_ex(cipher, none, &len) == 1 &&
				EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, ctx->digest_len,
						job->digest_out) == 1;
	memcpy(job->scratch, job->digest_in, ctx->digest_len);
	if (EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, ctx->digest_len, job->scratch) != 1)
		return false;
	if (EVP_CipherFinal_ex(cipher, none, &len) != 1)
		job->status = ACCEL_HW_AUTH_FAILED;
	return true;
}

/* GCM from a ready counter block J0 (manual 8.2, notes), and of a block cipher that OpenSSL has no
 * such mode of; then J0 may have to be made of the nonce (SP 800-38D, 7.1). */
static bool
crypt_gcm_j0(const struct ossl_ctx *ctx, struct engine_job *job)
{
	static const uint8_t first[BLOCK_MAX - GCM_IV_LEN] = { 0, 0, 0, 1 };
	uint8_t j0[BLOCK_MAX];

	memcpy(j0, job->iv, sizeof(j0));
	if (ctx->iv_len == GCM_IV_LEN)
		memcpy(j0 + GCM_IV_LEN, first, sizeof(first));
	if (!gcm_j0_crypt(ctx->block, j0, job->aad, job->aad_len, job->src + job->cipher_off,
			    job->dst, job->cipher_len, ctx->encrypt, job->scratch))
		return false;
	engine_put_digest(job, job->scratch, ctx->digest_len, !ctx->encrypt);
	return true;
}

/* CCM (SP 800-38C) needs the message length first and, to decrypt, the tag: it verifies before it
 * hands out plaintext. */
static bool
crypt_ccm(const struct ossl_ctx *ctx, struct engine_job *job)
{
	EVP_CIPHER_CTX *cipher = ctx->cipher;
	uint8_t none[1] = { 0 };
	const uint8_t *in = job->cipher_len > 0 ? job->src + job->cipher_off : none;
	uint8_t *out = job->cipher_len > 0 ? job->dst : none;
	int len;

	if (!ctx->encrypt) {
		memcpy(job->scratch, job->digest_in, ctx->digest_len);
		if (EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, ctx->digest_len,
				    job->scratch) != 1)
			return false;
	}
	if (EVP_CipherInit_ex2(cipher, NULL, NULL, job->iv, -1, NULL) != 1 ||
			EVP_CipherUpdate(cipher, NULL, &len, NULL, (int)job->cipher_len) != 1)
		return false;
	if (job->aad_len > 0 &&
			EVP_CipherUpdate(cipher, NULL, &len, job->aad, (int)job->aad_len) != 1)
		return false;
	if (ctx->encrypt)
		return EVP_CipherUpdate(cipher, out, &len, in, (int)job->cipher_len) == 1 &&
				EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, ctx->digest_len,
						job->digest_out) == 1;
	/* A wrong tag is no error of ours to leave in the thread's queue. */
	ERR_set_mark();
	if (EVP_CipherUpdate(cipher, out, &len, in, (int)job->cipher_len) != 1)
		job->status = ACCEL_HW_AUTH_FAILED;
	ERR_pop_to_mark();
	return true;
}

static bool
auth_hash(const struct ossl_ctx *ctx, const struct engine_job *job, const uint8_t *region,
		uint8_t *digest)
{
	return EVP_DigestInit_ex2(ctx->md, NULL, NULL) == 1 &&
			EVP_DigestUpdate(ctx->md, region, job->auth_len) == 1 &&
			EVP_DigestFinal_ex(ctx->md, digest, NULL) == 1;
}

/* A hash of any length: the shorter digest is the beginning of the longer one (FIPS 202, 6.2). */
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

/* AES-XCBC-MAC (RFC 3566): CBC under K1 from a zero IV; into the last block goes K2, or padding and
 * K3 if it is not whole, and its output is the MAC. */
static bool
auth_xcbc(const struct ossl_ctx *ctx, const struct engine_job *job, const uint8_t *region,
		uint8_t *digest)
{
	static const uint8_t zero[XCBC_BLOCK];
	uint32_t left = job->auth_len;
	uint8_t last[XCBC_BLOCK] = { 0 }, scrap[CHUNK];
	bool ok = EVP_EncryptInit_ex2(ctx->xcbc, NULL, NULL, zero, NULL) == 1;
	int len;

	while (ok && left > XCBC_BLOCK) {
		uint32_t part = (left - 1) / XCBC_BLOCK * XCBC_BLOCK;

		if (part > CHUNK)
			part = CHUNK;
		ok = EVP_EncryptUpdate(ctx->xcbc, scrap, &len, region, (int)part) == 1;
		region += part;
		left -= part;
	}
	memcpy(last, region, left);
	if (left < XCBC_BLOCK)
		last[left] = 0x80;
	xor_bytes(last, last, ctx->xcbc_last[left < XCBC_BLOCK], XCBC_BLOCK);
	ok = ok && EVP_EncryptUpdate(ctx->xcbc, digest, &len, last, XCBC_BLOCK) == 1;
	OPENSSL_cleanse(last, sizeof(last));
	OPENSSL_cleanse(scrap, sizeof(scrap));
	return ok;
}

/* GMAC is GCM whose message is all AAD (SP 800-38D, section 3). */
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

/* What OpenSSL gets for a raw key, at most CIPHER_KEY_MAX bytes. false: not a key of the
 * algorithm. */
typedef bool (*ossl_key_t)(const struct accel_hw_context *raw, uint8_t *key);

/* Manual 8.2: an 8-byte key is K1 K1 K1, a 16-byte one K1 K2 K1. Single DES is EDE with equal keys
 * (SP 800-67): the cipher itself is only in the legacy provider. */
static bool
key_des(const struct accel_hw_context *raw, uint8_t *key)
{
	unsigned int third = raw->cipher_key_len == TDES_KEY_LEN ? 2 * DES_KEY_LEN : 0;
	unsigned int second = raw->cipher_key_len > DES_KEY_LEN ? DES_KEY_LEN : 0;

	memcpy(key, raw->cipher_key, DES_KEY_LEN);
	memcpy(key + DES_KEY_LEN, raw->cipher_key + second, DES_KEY_LEN);
	memcpy(key + 2 * DES_KEY_LEN, raw->cipher_key + third, DES_KEY_LEN);
	return true;
}

/* SP 800-38E by way of IEEE 1619: the data key and the tweak key shall differ (manual 8.2). */
static bool
key_xts(const struct accel_hw_context *raw, uint8_t *key)
{
	size_t half = raw->cipher_key_len / 2;

	memcpy(key, raw->cipher_key, raw->cipher_key_len);
	return CRYPTO_memcmp(raw->cipher_key, raw->cipher_key + half, half) != 0;
}

static bool
key_plain(const struct accel_hw_context *raw, uint8_t *key)
{
	memcpy(key, raw->cipher_key, raw->cipher_key_len);
	return true;
}

/* One row per cipher or AEAD and key length: what OpenSSL calls it, how a job runs, what becomes of
 * the key, and for a mode that OpenSSL does not have the bare block cipher to make it from. */
struct cipher_row {
	uint8_t alg;
	uint8_t key_len;
	const char *name; /* NULL: nothing to fetch */
	ossl_crypt_t crypt;
	ossl_key_t key;
	const char *block; /* NULL: not needed */
	uint8_t block_key; /* where its key begins within the key */
};

static const struct cipher_row cipher_rows[] = {
	{ ACCEL_HW_CIPHER_NULL, 0, NULL, crypt_null, key_plain, NULL },
	{ ACCEL_HW_CIPHER_AES_CBC, 16, "AES-128-CBC", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_AES_CBC, 24, "AES-192-CBC", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_AES_CBC, 32, "AES-256-CBC", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_AES_CTR, 16, "AES-128-CTR", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_AES_CTR, 24, "AES-192-CTR", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_AES_CTR, 32, "AES-256-CTR", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_AES_ECB, 16, "AES-128-ECB", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_AES_ECB, 24, "AES-192-ECB", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_AES_ECB, 32, "AES-256-ECB", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_AES_XTS, 32, "AES-128-XTS", crypt_xts, key_xts, NULL },
	{ ACCEL_HW_CIPHER_AES_XTS, 64, "AES-256-XTS", crypt_xts, key_xts, NULL },
	{ ACCEL_HW_CIPHER_DES_CBC, 8, "DES-EDE3-CBC", crypt_plain, key_des, NULL },
	{ ACCEL_HW_CIPHER_3DES_CBC, 8, "DES-EDE3-CBC", crypt_plain, key_des, NULL },
	{ ACCEL_HW_CIPHER_3DES_CBC, 16, "DES-EDE3-CBC", crypt_plain, key_des, NULL },
	{ ACCEL_HW_CIPHER_3DES_CBC, 24, "DES-EDE3-CBC", crypt_plain, key_des, NULL },
	{ ACCEL_HW_CIPHER_3DES_ECB, 8, "DES-EDE3-ECB", crypt_plain, key_des, NULL },
	{ ACCEL_HW_CIPHER_3DES_ECB, 16, "DES-EDE3-ECB", crypt_plain, key_des, NULL },
	{ ACCEL_HW_CIPHER_3DES_ECB, 24, "DES-EDE3-ECB", crypt_plain, key_des, NULL },
	{ ACCEL_HW_CIPHER_3DES_CTR, 8, NULL, crypt_ctr, key_des, "DES-EDE3-ECB" },
	{ ACCEL_HW_CIPHER_3DES_CTR, 16, NULL, crypt_ctr, key_des, "DES-EDE3-ECB" },
	{ ACCEL_HW_CIPHER_3DES_CTR, 24, NULL, crypt_ctr, key_des, "DES-EDE3-ECB" },
	{ ACCEL_HW_CIPHER_AES_DOCSIS_BPI, 16, "AES-128-CBC", crypt_docsis, key_plain,
			"AES-128-ECB" },
	{ ACCEL_HW_CIPHER_AES_DOCSIS_BPI, 32, "AES-256-CBC", crypt_docsis, key_plain,
			"AES-256-ECB" },
	{ ACCEL_HW_CIPHER_DES_DOCSIS_BPI, 8, "DES-EDE3-CBC", crypt_docsis, key_des,
			"DES-EDE3-ECB" },
	{ ACCEL_HW_CIPHER_SM4_ECB, 16, "SM4-ECB", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_SM4_CBC, 16, "SM4-CBC", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_SM4_CTR, 16, "SM4-CTR", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_SM4_CFB, 16, "SM4-CFB", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_SM4_OFB, 16, "SM4-OFB", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_SM4_XTS, 32, "SM4-ECB", crypt_xts, key_xts, "SM4-ECB", 16 },
	{ ACCEL_HW_AEAD_AES_GCM, 16, "AES-128-GCM", crypt_aead, key_plain, "AES-128-ECB" },
	{ ACCEL_HW_AEAD_AES_GCM, 24, "AES-192-GCM", crypt_aead, key_plain, "AES-192-ECB" },
	{ ACCEL_HW_AEAD_AES_GCM, 32, "AES-256-GCM", crypt_aead, key_plain, "AES-256-ECB" },
	{ ACCEL_HW_AEAD_AES_CCM, 16, "AES-128-CCM", crypt_ccm, key_plain, NULL },
	{ ACCEL_HW_AEAD_AES_CCM, 24, "AES-192-CCM", crypt_ccm, key_plain, NULL },
	{ ACCEL_HW_AEAD_AES_CCM, 32, "AES-256-CCM", crypt_ccm, key_plain, NULL },
	{ ACCEL_HW_AEAD_CHACHA20_POLY1305, 32, "ChaCha20-Poly1305", crypt_aead, key_plain, NULL },
	{ ACCEL_HW_AEAD_SM4_GCM, 16, NULL, crypt_gcm_j0, key_plain, "SM4-ECB" },
};

/* One row per authentication algorithm and its key lengths: what OpenSSL calls the MAC (NULL: it is
 * none), and the hash or cipher inside. HMAC's key goes up to the hash's block (manual 8.2). */
struct auth_row {
	uint8_t alg;
	uint8_t key_min;
	uint8_t key_max;
	const char *mac;
	const char *name;
	ossl_auth_t auth;
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
};

struct engine {
	EVP_CIPHER *ciphers[DIM(cipher_rows)]; /* fetched, by row */
	EVP_CIPHER *blocks[DIM(cipher_rows)]; /* fetched, by row, where there is one */
	EVP_MD *hashes[DIM(auth_rows)]; /* fetched, by row, of plain hashes */
	EVP_CIPHER *auth_ciphers[DIM(auth_rows)]; /* fetched, by row, of GMAC and XCBC */
	EVP_MAC *macs[DIM(auth_rows)]; /* fetched, by row, where there is one */
};

static const struct cipher_row *
find_cipher(uint16_t alg, uint16_t key_len)
{
	for (size_t i = 0; i < DIM(cipher_rows); i++)
		if (cipher_rows[i].alg == alg && cipher_rows[i].key_len == key_len)
			return &cipher_rows[i];
	return NULL;
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

static bool
ossl_supports(const struct accel_hw_context *raw)
{
	if (raw->kind != ACCEL_HW_KIND_AUTH &&
			find_cipher(raw->cipher_alg, raw->cipher_key_len) == NULL)
		return false;
	if (raw->kind == ACCEL_HW_KIND_CIPHER || raw->kind == ACCEL_HW_KIND_AEAD)
		return true;
	return find_auth(raw->auth_alg, raw->auth_key_len) != NULL;
}

static void
ossl_destroy(struct engine *engine)
{
	for (size_t i = 0; i < DIM(cipher_rows); i++) {
		EVP_CIPHER_free(engine->ciphers[i]);
		EVP_CIPHER_free(engine->blocks[i]);
	}
	for (size_t i = 0; i < DIM(auth_rows); i++) {
		EVP_MD_free(engine->hashes[i]);
		EVP_CIPHER_free(engine->auth_ciphers[i]);
		EVP_MAC_free(engine->macs[i]);
	}
	free(engine);
}

/* A name of NULL is none, which is no failure. */
static bool
fetch_cipher(const char *name, EVP_CIPHER **cipher)
{
	if (name == NULL)
		return true;
	*cipher = EVP_CIPHER_fetch(NULL, name, NULL);
	return *cipher != NULL;
}

static bool
fetch_auth(struct engine *engine, size_t i)
{
	const struct auth_row *row = &auth_rows[i];

	if (row->mac != NULL) {
		engine->macs[i] = EVP_MAC_fetch(NULL, row->mac, NULL);
		return engine->macs[i] != NULL;
	}
	if (row->auth != auth_hash && row->auth != auth_xof)
		return fetch_cipher(row->name, &engine->auth_ciphers[i]);
	engine->hashes[i] = EVP_MD_fetch(NULL, row->name, NULL);
	return engine->hashes[i] != NULL;
}

static struct engine *
ossl_create(void)
{
	struct engine *engine = calloc(1, sizeof(*engine));
	bool ok = true;

	if (engine == NULL)
		return NULL;
	for (size_t i = 0; i < DIM(cipher_rows) && ok; i++)
		ok = fetch_cipher(cipher_rows[i].name, &engine->ciphers[i]) &&
				fetch_cipher(cipher_rows[i].block, &engine->blocks[i]);
	for (size_t i = 0; i < DIM(auth_rows) && ok; i++)
		ok = fetch_auth(engine, i);
	if (!ok) {
		ossl_destroy(engine);
		return NULL;
	}
	return engine;
}

/* Everything but key and IV of an AEAD: nonce length, and CCM's tag length, which is in its B0. */
static bool
set_aead_sizes(EVP_CIPHER_CTX *ctx, const struct accel_hw_context *raw)
{
	if (EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, raw->iv_len, NULL) != 1)
		return false;
	return EVP_CIPHER_CTX_get_mode(ctx) != EVP_CIPH_CCM_MODE ||
			EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, raw->digest_len, NULL) == 1;
}

/* A keyed context without an IV. */
static EVP_CIPHER_CTX *
new_cipher(const EVP_CIPHER *cipher, const struct accel_hw_context *raw, const uint8_t *key,
		bool encrypt)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

	if (ctx != NULL && EVP_CipherInit_ex2(ctx, cipher, NULL, NULL, encrypt, NULL) == 1 &&
			((EVP_CIPHER_get_flags(cipher) & EVP_CIPH_FLAG_AEAD_CIPHER) == 0 ||
					set_aead_sizes(ctx, raw)) &&
			EVP_CipherInit_ex2(ctx, NULL, key, NULL, -1, NULL) == 1 &&
			EVP_CIPHER_CTX_set_padding(ctx, 0) == 1)
		return ctx;
	EVP_CIPHER_CTX_free(ctx);
	return NULL;
}

static bool
init_cipher(struct engine *engine, struct ossl_ctx *ctx, const struct accel_hw_context *raw,
		uint16_t *status)
{
	const struct cipher_row *row = find_cipher(raw->cipher_alg, raw->cipher_key_len);
	const EVP_CIPHER *cipher = engine->ciphers[row - cipher_rows];
	const EVP_CIPHER *block = engine->blocks[row - cipher_rows];
	uint8_t key[ACCEL_HW_CIPHER_KEY_MAX];
	bool ok = true;

	ctx->crypt = row->crypt;
	/* GCM by OpenSSL, or from J0 by its blocks. */
	if (row->crypt == crypt_aead && row->block != NULL) {
		if (raw->iv_len == GCM_IV_LEN) {
			block = NULL;
		} else {
			cipher = NULL;
			ctx->crypt = crypt_gcm_j0;
		}
	}
	if (!row->key(raw, key)) {
		*status = ACCEL_HW_BAD_CONTEXT;
		ok = false;
	}
	if (ok && cipher != NULL) {
		ctx->cipher = new_cipher(cipher, raw, key, ctx->encrypt);
		ok = ctx->cipher != NULL;
	}
	if (ok && block != NULL) {
		ctx->block = new_cipher(block, raw, key + row->block_key, true);
		ok = ctx->block != NULL;
	}
	OPENSSL_cleanse(key, sizeof(key));
	return ok;
}

static bool
init_mac(struct ossl_ctx *ctx, const struct accel_hw_context *raw, const struct auth_row *row,
		EVP_MAC *mac)
{
	const char *inside = strcmp(row->mac, "CMAC") == 0 ? OSSL_MAC_PARAM_CIPHER
							    : OSSL_MAC_PARAM_DIGEST;
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

/* GMAC from J0 is GCM from J0, with the block cipher of GCM's row. */
static bool
init_gmac_j0(struct engine *engine, struct ossl_ctx *ctx, const struct accel_hw_context *raw)
{
	const struct cipher_row *row = find_cipher(ACCEL_HW_AEAD_AES_GCM, raw->auth_key_len);

	ctx->auth = auth_gmac_j0;
	ctx->gmac_block = EVP_CIPHER_CTX_new();
	return ctx->gmac_block != NULL &&
			EVP_EncryptInit_ex2(ctx->gmac_block, engine->blocks[row - cipher_rows],
					raw->auth_key, NULL, NULL) == 1 &&
			EVP_CIPHER_CTX_set_padding(ctx->gmac_block, 0) == 1;
}

static bool
init_gmac(struct ossl_ctx *ctx, const struct accel_hw_context *raw, const EVP_CIPHER *gcm)
{
	ctx->gmac = EVP_CIPHER_CTX_new();
	return ctx->gmac != NULL &&
			EVP_EncryptInit_ex2(ctx->gmac, gcm, raw->auth_key, NULL, NULL) == 1;
}

/* RFC 3566, 4: K1, K2, K3 are blocks of 0x01, 0x02, 0x03, enciphered one by one under the key. */
static bool
init_xcbc(struct ossl_ctx *ctx, const struct accel_hw_context *raw, const EVP_CIPHER *cbc)
{
	static const uint8_t zero[XCBC_BLOCK];
	uint8_t keys[3][XCBC_BLOCK];
	int len;
	bool ok;

	ctx->xcbc = EVP_CIPHER_CTX_new();
	ok = ctx->xcbc != NULL &&
			EVP_EncryptInit_ex2(ctx->xcbc, cbc, raw->auth_key, NULL, NULL) == 1 &&
			EVP_CIPHER_CTX_set_padding(ctx->xcbc, 0) == 1;
	for (unsigned int i = 0; i < 3 && ok; i++) {
		memset(keys[i], (int)i + 1, XCBC_BLOCK);
		ok = EVP_EncryptInit_ex2(ctx->xcbc, NULL, NULL, zero, NULL) == 1 &&
				EVP_EncryptUpdate(ctx->xcbc, keys[i], &len, keys[i], XCBC_BLOCK) ==
						1;
	}
	ok = ok && EVP_EncryptInit_ex2(ctx->xcbc, NULL, keys[0], NULL, NULL) == 1;
	if (ok)
		memcpy(ctx->xcbc_last, keys[1], sizeof(ctx->xcbc_last));
	OPENSSL_cleanse(keys, sizeof(keys));
	return ok;
}

static bool
init_auth(struct engine *engine, struct ossl_ctx *ctx, const struct accel_hw_context *raw)
{
	const struct auth_row *row = find_auth(raw->auth_alg, raw->auth_key_len);
	size_t i = (size_t)(row - auth_rows);

	ctx->auth = row->auth;
	if (row->auth == NULL)
		return true;
	if (row->auth == auth_mac)
		return init_mac(ctx, raw, row, engine->macs[i]);
	if (row->auth == auth_gmac && raw->auth_iv_len != GCM_IV_LEN)
		return init_gmac_j0(engine, ctx, raw);
	if (row->auth == auth_gmac)
		return init_gmac(ctx, raw, engine->auth_ciphers[i]);
	if (row->auth == auth_xcbc)
		return init_xcbc(ctx, raw, engine->auth_ciphers[i]);
	ctx->md = EVP_MD_CTX_new();
	return ctx->md != NULL && EVP_DigestInit_ex2(ctx->md, engine->hashes[i], NULL) == 1;
}

static void
ossl_ctx_fini(struct engine *engine, struct engine_ctx *engine_ctx)
{
	struct ossl_ctx *ctx = (struct ossl_ctx *)engine_ctx;

	(void)engine;
	EVP_CIPHER_CTX_free(ctx->cipher); /* all of them wipe their keys */
	EVP_CIPHER_CTX_free(ctx->block);
	EVP_CIPHER_CTX_free(ctx->gmac);
	EVP_CIPHER_CTX_free(ctx->gmac_block);
	EVP_CIPHER_CTX_free(ctx->xcbc);
	EVP_MD_CTX_free(ctx->md);
	EVP_MAC_CTX_free(ctx->mac);
	OPENSSL_cleanse(ctx, sizeof(*ctx));
	free(ctx);
}

static struct engine_ctx *
ossl_ctx_init(struct engine *engine, const struct accel_hw_context *raw, uint16_t *status)
{
	struct ossl_ctx *ctx;
	bool ok = true;

	*status = ACCEL_HW_BAD_CONTEXT;
	if (!ossl_supports(raw))
		return NULL;
	*status = ACCEL_HW_ENGINE_ERROR;
	ctx = calloc(1, sizeof(*ctx));
	if (ctx == NULL)
		return NULL;
	ctx->header.ops = &engine_openssl;
	ctx->header.engine = engine;
	ctx->kind = raw->kind;
	ctx->encrypt = (raw->flags & ACCEL_HW_CTX_ENCRYPT) != 0;
	ctx->verify = engine_verifies(raw);
	ctx->digest_len = raw->digest_len;
	ctx->iv_len = raw->iv_len;
	ctx->data_unit_len = raw->data_unit_len;
	if (raw->kind != ACCEL_HW_KIND_AUTH)
		ok = init_cipher(engine, ctx, raw, status);
	if (ok && raw->kind != ACCEL_HW_KIND_CIPHER && raw->kind != ACCEL_HW_KIND_AEAD)
		ok = init_auth(engine, ctx, raw);
	if (!ok) {
		ossl_ctx_fini(engine, (struct engine_ctx *)ctx);
		return NULL;
	}
	return (struct engine_ctx *)ctx;
}

/* Manual 7.2: the order of work follows the kind. AEADs put tag and status themselves. */
static bool
run_job(const struct ossl_ctx *ctx, struct engine_job *job)
{
	const uint8_t *region;

	if (ctx->auth == NULL)
		return ctx->crypt == NULL || ctx->crypt(ctx, job);
	if (ctx->kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH) {
		if (!ctx->crypt(ctx, job))
			return false;
		region = engine_auth_after_cipher(job);
	} else {
		region = job->src + job->auth_off;
	}
	if (!ctx->auth(ctx, job, region, job->scratch))
		return false;
	if (ctx->kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER && !ctx->crypt(ctx, job))
		return false;
	engine_put_digest(job, job->scratch, ctx->digest_len, ctx->verify);
	return true;
}

static void
ossl_submit(struct engine *engine, struct engine_job *job)
{
	(void)engine;
	job->status = ACCEL_HW_OK;
	if (!run_job((const struct ossl_ctx *)job->ctx, job))
		job->status = ACCEL_HW_ENGINE_ERROR;
	job->done = true;
}

static void
ossl_flush(struct engine *engine)
{
	(void)engine;
}

const struct engine_ops engine_openssl = {
	.name = "openssl",
	.create = ossl_create,
	.destroy = ossl_destroy,
	.supports = ossl_supports,
	.ctx_init = ossl_ctx_init,
	.ctx_fini = ossl_ctx_fini,
	.submit = ossl_submit,
	.flush = ossl_flush,
};
