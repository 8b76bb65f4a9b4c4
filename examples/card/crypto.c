/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The engines: AES-CBC, HMAC-SHA256 and AES-GCM by OpenSSL. Sizes are those of small.dts.
 */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>

#include "card.h"

#define GCM_NONCE 12
#define SHA256_LEN 32
#define HMAC_KEY_MAX 64

static bool
all_zero(const void *at, size_t len)
{
	const uint8_t *p = at;

	while (len > 0 && p[len - 1] == 0)
		len--;
	return len == 0;
}

static bool
aes_key_ok(uint16_t len)
{
	return len == 16 || len == 24 || len == 32;
}

/* Fields of an authentication are 0 in a context without one. */
static bool
no_auth(const struct accel_hw_context *ctx)
{
	return ctx->auth_alg == 0 && ctx->auth_key_len == 0 && ctx->auth_iv_len == 0;
}

static bool
no_cipher(const struct accel_hw_context *ctx)
{
	return ctx->cipher_alg == 0 && ctx->cipher_key_len == 0 && ctx->iv_len == 0;
}

bool
crypto_context_ok(const struct accel_hw_context *ctx)
{
	const uint16_t digest = ctx->digest_len;

	if (ctx->version != ACCEL_HW_CTX_VERSION || (ctx->flags & ~ACCEL_HW_CTX_FLAGS) != 0 ||
	    ctx->reserved != 0 || ctx->data_unit_len != 0 ||
	    !all_zero(&ctx->pdcp_sn_len, 4 + sizeof(ctx->reserved2)))
		return false;
	switch (ctx->kind) {
	case ACCEL_HW_KIND_CIPHER:
		return ctx->cipher_alg == ACCEL_HW_CIPHER_AES_CBC && no_auth(ctx) && digest == 0 &&
		       aes_key_ok(ctx->cipher_key_len) && ctx->iv_len == 16;
	case ACCEL_HW_KIND_AUTH:
		return ctx->auth_alg == ACCEL_HW_AUTH_SHA256_HMAC && no_cipher(ctx) &&
		       ctx->auth_iv_len == 0 && ctx->auth_key_len >= 1 &&
		       ctx->auth_key_len <= HMAC_KEY_MAX && digest >= 1 && digest <= SHA256_LEN;
	case ACCEL_HW_KIND_AEAD:
		return ctx->cipher_alg == ACCEL_HW_AEAD_AES_GCM && no_auth(ctx) &&
		       (ctx->flags & ACCEL_HW_CTX_VERIFY) == 0 && aes_key_ok(ctx->cipher_key_len) &&
		       ctx->iv_len == GCM_NONCE && digest >= 1 && digest <= 16;
	default:
		return false;
	}
}

static const EVP_CIPHER *
cipher_of(const struct accel_hw_context *ctx)
{
	const bool gcm = ctx->kind == ACCEL_HW_KIND_AEAD;

	switch (ctx->cipher_key_len) {
	case 16:
		return gcm ? EVP_aes_128_gcm() : EVP_aes_128_cbc();
	case 24:
		return gcm ? EVP_aes_192_gcm() : EVP_aes_192_cbc();
	default:
		return gcm ? EVP_aes_256_gcm() : EVP_aes_256_cbc();
	}
}

static uint16_t
run_hmac(const struct accel_hw_context *ctx, const struct accel_hw_command *cmd, const uint8_t *src,
	 uint32_t len, const uint8_t *digest, uint8_t *out)
{
	uint8_t full[EVP_MAX_MD_SIZE];
	unsigned int n = 0;

	if (HMAC(EVP_sha256(), ctx->auth_key, ctx->auth_key_len, src, len, full, &n) == NULL)
		return ACCEL_HW_ENGINE_ERROR;
	if ((cmd->flags & ACCEL_HW_CMD_WHOLE) != 0) {
		memcpy(out, src, len);
		out += len;
	}
	if ((ctx->flags & ACCEL_HW_CTX_VERIFY) == 0)
		memcpy(out, full, ctx->digest_len);
	else if (CRYPTO_memcmp(full, digest, ctx->digest_len) != 0) /* ST-5 */
		return ACCEL_HW_AUTH_FAILED;
	return ACCEL_HW_OK;
}

/* The tag of a decryption is the last thing that OpenSSL looks at, so the destination is written
 * also if it is wrong (ST-4). */
static uint16_t
run_cipher(EVP_CIPHER_CTX *evp, const struct accel_hw_context *ctx,
	   const struct accel_hw_command *cmd, const uint8_t *aad, const uint8_t *src, uint32_t len,
	   const uint8_t *digest, uint8_t *out)
{
	const bool encrypt = (ctx->flags & ACCEL_HW_CTX_ENCRYPT) != 0;
	const bool gcm = ctx->kind == ACCEL_HW_KIND_AEAD;
	uint8_t tag[16], rest[16];
	int n;

	memcpy(tag, digest, gcm && !encrypt ? ctx->digest_len : 0);
	if (EVP_CipherInit_ex(evp, cipher_of(ctx), NULL, ctx->cipher_key, cmd->iv, encrypt) != 1 ||
	    EVP_CIPHER_CTX_set_padding(evp, 0) != 1 ||
	    (gcm && !encrypt &&
	     EVP_CIPHER_CTX_ctrl(evp, EVP_CTRL_AEAD_SET_TAG, ctx->digest_len, tag) != 1) ||
	    (gcm && cmd->aad_len > 0 && EVP_CipherUpdate(evp, NULL, &n, aad, cmd->aad_len) != 1) ||
	    (len > 0 && EVP_CipherUpdate(evp, out, &n, src, (int)len) != 1))
		return ACCEL_HW_ENGINE_ERROR;
	if (EVP_CipherFinal_ex(evp, rest, &n) != 1)
		return gcm && !encrypt ? ACCEL_HW_AUTH_FAILED : ACCEL_HW_ENGINE_ERROR;
	if (gcm && encrypt) {
		if (EVP_CIPHER_CTX_ctrl(evp, EVP_CTRL_AEAD_GET_TAG, 16, tag) != 1)
			return ACCEL_HW_ENGINE_ERROR;
		memcpy(out + len, tag, ctx->digest_len);
	}
	return ACCEL_HW_OK;
}

uint16_t
crypto_run(const struct accel_hw_context *ctx, const struct accel_hw_command *cmd,
	   const uint8_t *aad, const uint8_t *src, uint32_t len, const uint8_t *digest,
	   uint8_t *out)
{
	EVP_CIPHER_CTX *evp;
	uint16_t status;

	if (ctx->kind == ACCEL_HW_KIND_AUTH)
		return run_hmac(ctx, cmd, src, len, digest, out);
	evp = EVP_CIPHER_CTX_new();
	status = evp == NULL ? ACCEL_HW_ENGINE_ERROR :
			       run_cipher(evp, ctx, cmd, aad, src, len, digest, out);
	EVP_CIPHER_CTX_free(evp);
	return status;
}
