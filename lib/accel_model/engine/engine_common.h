/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the crypto engines have in common: where a job's regions are, how a computed digest becomes
 * the job's result, and exclusive or of bytes. Private to lib/accel_model/engine/.
 */
#ifndef ACCEL_MODEL_ENGINE_COMMON_H
#define ACCEL_MODEL_ENGINE_COMMON_H

#include <string.h>

#include <openssl/crypto.h>

#include "engine/engine.h"

/** Manual 8.1: the VERIFY flag. The direction replaces it for an AEAD, and it has no meaning for
 * authentication NULL (notes of 8.2). */
static inline bool
engine_verifies(const struct accel_hw_context *raw)
{
	if (raw->kind == ACCEL_HW_KIND_AEAD)
		return (raw->flags & ACCEL_HW_CTX_ENCRYPT) == 0;
	return (raw->flags & ACCEL_HW_CTX_VERIFY) != 0 && raw->digest_len > 0;
}

/** out may be a or b. */
static inline void
engine_xor(uint8_t *out, const uint8_t *a, const uint8_t *b, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		out[i] = a[i] ^ b[i];
}

/** The cipher NULL (RFC 2410): the output is the input. In place nothing moves. */
static inline void
engine_copy_source(const struct engine_job *job)
{
	if (job->cipher_len > 0 && job->dst != job->src + job->cipher_off)
		memcpy(job->dst, job->src + job->cipher_off, job->cipher_len);
}

/**
 * Manual 7.2, kind cipher-then-auth: the source "after the cipher's output replaced the cipher
 * region". In place that is the source. Otherwise the authentication region is within the cipher
 * region (engine.h), and so within dst.
 */
static inline const uint8_t *
engine_auth_after_cipher(const struct engine_job *job)
{
	if (job->cipher_len == 0 || job->dst == job->src + job->cipher_off)
		return job->src + job->auth_off;
	return job->dst + (job->auth_off - job->cipher_off);
}

/** Compare or hand out the leftmost bytes of a whole digest (manual 7.4: in constant time). */
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
