/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The random number source (manual 8.8, RND-1): OpenSSL's DRBG (SP 800-90A), which takes its seed
 * from the kernel. Each thread has a DRBG of its own, and a process that was forked seeds again
 * before the next byte. RANDOM gives bytes of the public DRBG. The engines take k, keys and
 * blinding from the private DRBG, so bytes that leave the card tell nothing about these.
 */
#include <openssl/crypto.h>

#include "base/libctx.h"
#include "pk/pk.h"

uint16_t
pk_random(uint8_t *out, uint32_t len)
{
	if (len <= PK_RANDOM_MAX && libctx_random(out, len))
		return ACCEL_HW_OK;
	if (len <= PK_RANDOM_MAX)
		OPENSSL_cleanse(out, len);
	return ACCEL_HW_NO_ENTROPY;
}
