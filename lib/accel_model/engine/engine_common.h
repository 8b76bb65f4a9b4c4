/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the crypto engines have in common: where a job's regions are, the cipher of a chain, how a
 * computed digest becomes the job's result, and exclusive or of bytes. This header is private to
 * engine/ and engine_mb/.
 */
#ifndef ACCEL_MODEL_ENGINE_COMMON_H
#define ACCEL_MODEL_ENGINE_COMMON_H

#include <string.h>

#include <openssl/crypto.h>

#include "engine/engine.h"

/** True if a context verifies. The VERIFY flag says so (manual 8.1), but for an AEAD the direction
 * does. For authentication NULL, which has no digest, the flag has no meaning (notes of 8.2). */
static inline bool
engine_verifies(const struct accel_hw_context *raw)
{
	if (raw->kind == ACCEL_HW_KIND_AEAD)
		return (raw->flags & ACCEL_HW_CTX_ENCRYPT) == 0;
	return (raw->flags & ACCEL_HW_CTX_VERIFY) != 0 && raw->digest_len > 0;
}

/** Make the cipher half of a chain's context as a context of its own. It holds a key. */
static inline void
engine_cipher_half(const struct accel_hw_context *raw, struct accel_hw_context *half)
{
	*half = *raw;
	half->kind = ACCEL_HW_KIND_CIPHER;
	half->flags &= ACCEL_HW_CTX_ENCRYPT;
	half->auth_alg = 0;
	half->auth_key_len = 0;
	half->auth_iv_len = 0;
	half->digest_len = 0;
	OPENSSL_cleanse(half->auth_key, sizeof(half->auth_key));
}

/** Compute the exclusive or of a and b. @p out may be either of them. */
static inline void
engine_xor(uint8_t *out, const uint8_t *a, const uint8_t *b, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		out[i] = a[i] ^ b[i];
}

/** Do the cipher NULL (RFC 2410): copy the cipher region to the output, unless the job is in
 * place. */
static inline void
engine_copy_source(const struct engine_job *job)
{
	if (job->cipher_len > 0 && job->dst != job->src + job->cipher_off)
		memcpy(job->dst, job->src + job->cipher_off, job->cipher_len);
}

/**
 * Return where the authentication region begins for the kind cipher-then-auth. It is in the source
 * "after the cipher's output replaced the cipher region" (manual 7.2). If the job is in place, this
 * is the source itself. Otherwise the authentication region is within the cipher region (engine.h),
 * and therefore within dst.
 */
static inline const uint8_t *
engine_auth_after_cipher(const struct engine_job *job)
{
	if (job->cipher_len == 0 || job->dst == job->src + job->cipher_off)
		return job->src + job->auth_off;
	return job->dst + (job->auth_off - job->cipher_off);
}

/** Hand out the leftmost bytes of a whole digest, or compare them in constant time (manual 7.4). */
static inline void
engine_put_digest(
		struct engine_job *job, const uint8_t *digest, unsigned int digest_len, bool verify)
{
	job->status = ACCEL_HW_OK;
	if (!verify) {
		if (digest_len > 0 && digest != job->digest_out)
			memcpy(job->digest_out, digest, digest_len);
	} else if (CRYPTO_memcmp(digest, job->digest_in, digest_len) != 0) {
		job->status = ACCEL_HW_AUTH_FAILED;
	}
}

#endif /* ACCEL_MODEL_ENGINE_COMMON_H */
