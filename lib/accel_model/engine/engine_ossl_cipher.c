/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Ciphers and AEADs of the OpenSSL engine: how jobs are carried out, the forms of keys, and the
 * table of algorithms. Modes that OpenSSL does not have are made of its block ciphers.
 */
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include "base/libctx.h"
#include "engine/engine_common.h"
#include "engine/engine_gcm_j0.h"
#include "engine/engine_ossl.h"
#include "engine/engine_xts.h"

#define DIM(array) (sizeof(array) / sizeof((array)[0]))

#define DES_KEY_LEN 8u
#define TDES_KEY_LEN 24u
#define BLOCK_MAX 16u
#define CHUNK 512u /* bytes of key stream at a time */

static bool
crypt_null(const struct ossl_ctx *ctx, struct engine_job *job)
{
	(void)ctx;
	engine_copy_source(job);
	return true;
}

/* Encrypt or decrypt in steps. There is no padding, so each update returns all of its output. */
static bool
crypt_steps(EVP_CIPHER_CTX *cipher, const uint8_t *iv, const uint8_t *in, uint8_t *out,
		uint32_t bytes)
{
	bool ok = EVP_CipherInit_ex2(cipher, NULL, NULL, iv, -1, NULL) == 1;
	uint32_t step;

	for (uint32_t at = 0; ok && at < bytes; at += step) {
		int len = 0;

		if (at > 0)
			engine_step();
		step = bytes - at < ENGINE_STEP ? bytes - at : ENGINE_STEP;
		ok = EVP_CipherUpdate(cipher, out + at, &len, in + at, (int)step) == 1 &&
				(uint32_t)len == step;
	}
	return ok;
}

/* Run a block or stream cipher whose output is as long as its input. */
static bool
crypt_plain(const struct ossl_ctx *ctx, struct engine_job *job)
{
	return job->cipher_len == 0 ||
			crypt_steps(ctx->cipher, job->iv, job->src + job->cipher_off, job->dst,
					job->cipher_len);
}

/* Make the tweak of the next data unit. The tweak is a little-endian number, which each data unit
 * increments (manual 8.2). */
static void
next_tweak(uint8_t *tweak)
{
	for (unsigned int i = 0; i < ACCEL_HW_IV_MAX && ++tweak[i] == 0; i++)
		;
}

/* Do one data unit of XTS. OpenSSL has XTS for AES only. */
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

/* Do XTS, one data unit after the other. */
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

/* Run the bare block cipher on whole blocks. */
static bool
run_block(EVP_CIPHER_CTX *block, const uint8_t *in, uint8_t *out, uint32_t len)
{
	int done = 0;

	return EVP_EncryptUpdate(block, out, &done, in, (int)len) == 1 && (uint32_t)done == len;
}

/* Do CTR (SP 800-38A) with a cipher for which OpenSSL does not have this mode. The whole block is
 * the counter. */
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
		engine_xor(job->dst + done, in + done, stream, len);
		if (done % ENGINE_STEP == ENGINE_STEP - CHUNK)
			engine_step();
	}
	OPENSSL_cleanse(stream, sizeof(stream));
	return ok;
}

/* Do DOCSIS (manual 8.2), which is CBC over whole blocks. The bytes after them are xored with the
 * encryption of the last ciphertext block, or of the IV if there is no whole block. */
static bool
crypt_docsis(const struct ossl_ctx *ctx, struct engine_job *job)
{
	uint32_t block = (uint32_t)EVP_CIPHER_CTX_get_block_size(ctx->block);
	uint32_t rest = job->cipher_len % block, whole = job->cipher_len - rest;
	const uint8_t *in = job->src + job->cipher_off;
	uint8_t last[BLOCK_MAX];
	bool ok = true;

	memcpy(last, whole == 0 ? job->iv : in + whole - block, block);
	if (whole > 0)
		ok = crypt_steps(ctx->cipher, job->iv, in, job->dst, whole);
	if (whole > 0 && ctx->encrypt)
		memcpy(last, job->dst + whole - block, block);
	if (ok && rest > 0) {
		ok = run_block(ctx->block, last, last, block);
		engine_xor(job->dst + whole, in + whole, last, rest);
	}
	OPENSSL_cleanse(last, sizeof(last));
	return ok;
}

/* Do GCM or ChaCha20-Poly1305 (SP 800-38D, RFC 8439). Only the last step shows that a tag is
 * wrong. */
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

/* Do GCM from a given counter block J0 (manual 8.2, notes), or with a block cipher for which
 * OpenSSL does not have GCM. In the second case J0 may have to be made of the nonce (SP 800-38D,
 * 7.1). */
static bool
crypt_gcm_j0(const struct ossl_ctx *ctx, struct engine_job *job)
{
	static const uint8_t first[BLOCK_MAX - OSSL_GCM_IV_LEN] = { 0, 0, 0, 1 };
	uint8_t j0[BLOCK_MAX];

	memcpy(j0, job->iv, sizeof(j0));
	if (ctx->iv_len == OSSL_GCM_IV_LEN)
		memcpy(j0 + OSSL_GCM_IV_LEN, first, sizeof(first));
	if (!gcm_j0_crypt(ctx->block, j0, job->aad, job->aad_len, job->src + job->cipher_off,
			    job->dst, job->cipher_len, ctx->encrypt, job->scratch))
		return false;
	engine_put_digest(job, job->scratch, ctx->digest_len, !ctx->encrypt);
	return true;
}

/* Begin a message of CCM (SP 800-38C). CCM needs the length of the message first. */
static bool
begin_ccm(EVP_CIPHER_CTX *cipher, const struct engine_job *job, int encrypt)
{
	int len;

	return EVP_CipherInit_ex2(cipher, NULL, NULL, job->iv, encrypt, NULL) == 1 &&
			EVP_CipherUpdate(cipher, NULL, &len, NULL, (int)job->cipher_len) == 1 &&
			(job->aad_len == 0 || EVP_CipherUpdate(cipher, NULL, &len, job->aad,
								      (int)job->aad_len) == 1);
}

/*
 * Decrypt a message of CCM. OpenSSL wants the tag first, verifies it, and clears the output if the
 * tag is wrong. Manual 7.4 wants the output written even then (ST-4). Encryption has the same key
 * stream, so this function "encrypts" the message then. It does not ask for the tag of this
 * encryption.
 */
static bool
open_ccm(const struct ossl_ctx *ctx, struct engine_job *job, uint8_t *out, const uint8_t *in)
{
	EVP_CIPHER_CTX *cipher = ctx->cipher;
	int len;
	bool good;

	memcpy(job->scratch, job->digest_in, ctx->digest_len);
	if (EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, ctx->digest_len,
			    job->scratch) != 1 || !begin_ccm(cipher, job, 0))
		return false;
	/* A wrong tag is no error, so OpenSSL's error for it shall not stay in the thread's
	 * queue. */
	ERR_set_mark();
	good = EVP_CipherUpdate(cipher, out, &len, in, (int)job->cipher_len) == 1;
	ERR_pop_to_mark();
	if (good)
		return true;
	job->status = ACCEL_HW_AUTH_FAILED;
	return begin_ccm(cipher, job, 1) &&
			EVP_CipherUpdate(cipher, out, &len, in, (int)job->cipher_len) == 1 &&
			EVP_CipherInit_ex2(cipher, NULL, NULL, NULL, 0, NULL) == 1;
}

static bool
crypt_ccm(const struct ossl_ctx *ctx, struct engine_job *job)
{
	uint8_t none[1] = { 0 };
	const uint8_t *in = job->cipher_len > 0 ? job->src + job->cipher_off : none;
	uint8_t *out = job->cipher_len > 0 ? job->dst : none;
	uint8_t *copy;
	bool ok;
	int len;

	if (ctx->encrypt)
		return begin_ccm(ctx->cipher, job, 1) &&
				EVP_CipherUpdate(ctx->cipher, out, &len, in,
						(int)job->cipher_len) == 1 &&
				EVP_CIPHER_CTX_ctrl(ctx->cipher, EVP_CTRL_AEAD_GET_TAG,
						ctx->digest_len, job->digest_out) == 1;
	if (in != out || job->cipher_len == 0)
		return open_ccm(ctx, job, out, in);
	/* If the job is in place, a wrong tag would leave no message to decrypt again. */
	copy = malloc(job->cipher_len);
	if (copy == NULL)
		return false;
	memcpy(copy, in, job->cipher_len);
	ok = open_ccm(ctx, job, out, copy);
	free(copy);
	return ok;
}

/* Run ZUC, which OpenSSL does not have. */
static bool
crypt_zuc(const struct ossl_ctx *ctx, struct engine_job *job)
{
	if (job->cipher_len > 0)
		zuc_crypt(&ctx->zuc, job->iv, job->src + job->cipher_off, job->dst,
				job->cipher_len);
	return true;
}

/* Run a cipher of 3GPP's 256-bit algorithms. */
static bool
crypt_nea(const struct ossl_ctx *ctx, struct engine_job *job)
{
	return job->cipher_len == 0 || nxa_crypt(&ctx->nxa, job->iv, job->src + job->cipher_off,
			job->dst, job->cipher_len);
}

static bool
crypt_nca(const struct ossl_ctx *ctx, struct engine_job *job)
{
	if (!nxa_aead(&ctx->nxa, job->iv, job->aad, job->aad_len, job->src + job->cipher_off,
			    job->dst, job->cipher_len, ctx->encrypt, job->scratch))
		return false;
	engine_put_digest(job, job->scratch, ctx->digest_len, !ctx->encrypt);
	return true;
}

/* Make OpenSSL's key, of at most CIPHER_KEY_MAX bytes, from a raw key. Return false if the
 * algorithm does not allow this key. */
typedef bool (*ossl_key_t)(const struct accel_hw_context *raw, uint8_t *key);

/* Make a key of triple DES. A key of 8 bytes becomes K1 K1 K1, and a key of 16 bytes K1 K2 K1
 * (manual 8.2). Single DES is done as EDE with equal keys (SP 800-67), because OpenSSL has DES
 * itself only in the legacy provider. */
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

/* Check and copy a key of XTS. The data key and the tweak key shall differ (SP 800-38E and IEEE
 * 1619; manual 8.2). */
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

/* Describes a cipher or AEAD with one key length: OpenSSL's name, how a job runs, the form of the
 * key, and the block cipher for a mode that OpenSSL does not have. */
struct cipher_row {
	uint8_t alg;
	uint8_t key_len;
	const char *name; /* NULL: nothing to fetch */
	ossl_crypt_t crypt;
	ossl_key_t key;
	const char *block; /* NULL: not needed */
	uint8_t block_key; /* where the block cipher's key begins within the key */
	uint8_t stream; /* enum nxa_stream, 0: none of 3GPP's 256-bit algorithms */
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
	{ ACCEL_HW_CIPHER_ZUC_EEA3, 16, NULL, crypt_zuc, key_plain, NULL },
	{ ACCEL_HW_CIPHER_ZUC_EEA3, 32, NULL, crypt_zuc, key_plain, NULL },
	{ ACCEL_HW_CIPHER_SM4_ECB, 16, "SM4-ECB", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_SM4_CBC, 16, "SM4-CBC", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_SM4_CTR, 16, "SM4-CTR", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_SM4_CFB, 16, "SM4-CFB", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_SM4_OFB, 16, "SM4-OFB", crypt_plain, key_plain, NULL },
	{ ACCEL_HW_CIPHER_SM4_XTS, 32, "SM4-ECB", crypt_xts, key_xts, "SM4-ECB", 16 },
	{ ACCEL_HW_CIPHER_SNOW5G_NEA4, 32, NULL, crypt_nea, key_plain, .stream = NXA_SNOW5G },
	{ ACCEL_HW_CIPHER_AES_NEA5, 32, "AES-256-CTR", crypt_nea, key_plain, .stream = NXA_AES },
	{ ACCEL_HW_CIPHER_ZUC_NEA6, 32, NULL, crypt_nea, key_plain, .stream = NXA_ZUC },
	{ ACCEL_HW_AEAD_AES_GCM, 16, "AES-128-GCM", crypt_aead, key_plain, "AES-128-ECB" },
	{ ACCEL_HW_AEAD_AES_GCM, 24, "AES-192-GCM", crypt_aead, key_plain, "AES-192-ECB" },
	{ ACCEL_HW_AEAD_AES_GCM, 32, "AES-256-GCM", crypt_aead, key_plain, "AES-256-ECB" },
	{ ACCEL_HW_AEAD_AES_CCM, 16, "AES-128-CCM", crypt_ccm, key_plain, NULL },
	{ ACCEL_HW_AEAD_AES_CCM, 24, "AES-192-CCM", crypt_ccm, key_plain, NULL },
	{ ACCEL_HW_AEAD_AES_CCM, 32, "AES-256-CCM", crypt_ccm, key_plain, NULL },
	{ ACCEL_HW_AEAD_CHACHA20_POLY1305, 32, "ChaCha20-Poly1305", crypt_aead, key_plain, NULL },
	{ ACCEL_HW_AEAD_SM4_GCM, 16, NULL, crypt_gcm_j0, key_plain, "SM4-ECB" },
	{ ACCEL_HW_AEAD_SNOW5G_NCA4, 32, NULL, crypt_nca, key_plain, .stream = NXA_SNOW5G },
	{ ACCEL_HW_AEAD_AES_NCA5, 32, "AES-256-CTR", crypt_nca, key_plain, .stream = NXA_AES },
	{ ACCEL_HW_AEAD_ZUC_NCA6, 32, NULL, crypt_nca, key_plain, .stream = NXA_ZUC },
};

struct ossl_ciphers {
	EVP_CIPHER *cipher[DIM(cipher_rows)]; /* fetched, by row */
	EVP_CIPHER *block[DIM(cipher_rows)]; /* fetched, by row, where there is one */
};

static const struct cipher_row *
find_cipher(uint16_t alg, uint16_t key_len)
{
	for (size_t i = 0; i < DIM(cipher_rows); i++)
		if (cipher_rows[i].alg == alg && cipher_rows[i].key_len == key_len)
			return &cipher_rows[i];
	return NULL;
}

bool
ossl_cipher_supports(uint16_t alg, uint16_t key_len)
{
	return find_cipher(alg, key_len) != NULL;
}

const EVP_CIPHER *
ossl_cipher_gcm_block(const struct ossl_ciphers *ciphers, uint16_t key_len)
{
	return ciphers->block[find_cipher(ACCEL_HW_AEAD_AES_GCM, key_len) - cipher_rows];
}

void
ossl_ciphers_free(struct ossl_ciphers *ciphers)
{
	if (ciphers == NULL)
		return;
	for (size_t i = 0; i < DIM(cipher_rows); i++) {
		EVP_CIPHER_free(ciphers->cipher[i]);
		EVP_CIPHER_free(ciphers->block[i]);
	}
	free(ciphers);
}

/* Fetch an algorithm. There is none to fetch if the name is NULL, which is no failure. */
static bool
fetch_cipher(const char *name, EVP_CIPHER **cipher)
{
	if (name == NULL)
		return true;
	*cipher = EVP_CIPHER_fetch(libctx(), name, NULL);
	return *cipher != NULL;
}

struct ossl_ciphers *
ossl_ciphers_fetch(void)
{
	struct ossl_ciphers *ciphers = calloc(1, sizeof(*ciphers));
	bool ok = ciphers != NULL;

	for (size_t i = 0; i < DIM(cipher_rows) && ok; i++)
		ok = fetch_cipher(cipher_rows[i].name, &ciphers->cipher[i]) &&
				fetch_cipher(cipher_rows[i].block, &ciphers->block[i]);
	if (!ok) {
		ossl_ciphers_free(ciphers);
		return NULL;
	}
	return ciphers;
}

/* Set all but key and IV of an AEAD: the nonce length and the tag length. CCM needs the tag length
 * for its block B0. */
static bool
set_aead_sizes(EVP_CIPHER_CTX *ctx, const struct accel_hw_context *raw)
{
	if (EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, raw->iv_len, NULL) != 1)
		return false;
	return EVP_CIPHER_CTX_get_mode(ctx) != EVP_CIPH_CCM_MODE ||
			EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, raw->digest_len, NULL) == 1;
}

/* Make a context with a key and without an IV. */
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

bool
ossl_cipher_init(struct ossl_ctx *ctx, const struct ossl_ciphers *ciphers,
		const struct accel_hw_context *raw, uint16_t *status)
{
	const struct cipher_row *row = find_cipher(raw->cipher_alg, raw->cipher_key_len);
	const EVP_CIPHER *cipher = ciphers->cipher[row - cipher_rows];
	const EVP_CIPHER *block = ciphers->block[row - cipher_rows];
	uint8_t key[ACCEL_HW_CIPHER_KEY_MAX];
	bool ok = true;

	ctx->crypt = row->crypt;
	/* OpenSSL does GCM from a usual IV. GCM from J0 is done with the block cipher. */
	if (row->crypt == crypt_aead && row->block != NULL) {
		if (raw->iv_len == OSSL_GCM_IV_LEN) {
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
	if (row->crypt == crypt_zuc) {
		memcpy(ctx->zuc.bytes, key, raw->cipher_key_len);
		ctx->zuc.len = raw->cipher_key_len;
	}
	if (ok && cipher != NULL) {
		ctx->cipher = new_cipher(cipher, raw, key, ctx->encrypt);
		ok = ctx->cipher != NULL;
	}
	if (row->stream != 0)
		nxa_set_key(&ctx->nxa, row->stream, key, ctx->cipher);
	if (ok && block != NULL) {
		ctx->block = new_cipher(block, raw, key + row->block_key, true);
		ok = ctx->block != NULL;
	}
	OPENSSL_cleanse(key, sizeof(key));
	return ok;
}
