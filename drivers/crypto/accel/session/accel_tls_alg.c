/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The table of the algorithms of TLS records. See accel_tls_alg.h.
 */
#include <assert.h>

#include <rte_common.h>
#include <rte_crypto_sym.h>

#include "accel_tls_alg.h"

#define IN_12 (ACCEL_TLS_IN_READ_12 | ACCEL_TLS_IN_WRITE_12)
#define IN_ALL (IN_12 | ACCEL_TLS_IN_13)
#define RANGE(min, max, step) { min, max, step }
#define ROW(class_, name, key_, digest_, explicit_iv, in)                                          \
	{                                                                                          \
		.class = ACCEL_ALG_##class_, .rte = RTE_CRYPTO_##class_##_##name, .offered = in,   \
		.iv_len = explicit_iv, .key = key_, .digest = digest_                              \
	}

/*
 * Keys of HMAC have the length of its digest, and digests are not cut (RFC 5246, 6.3).
 *
 * rte_security has 4 bytes for the implicit nonce of TLS 1.2 and DTLS 1.2, and CHACHA20-POLY1305
 * needs 12 (RFC 7905), so it is offered with TLS 1.3 only. Records without a cipher have no padding
 * (RFC 5246, 6.2.3.1). DPDK's test of written records expects a byte of it, so the cipher NULL is
 * offered for reading only.
 */
static const struct accel_suite_alg tls_algs[] = {
	ROW(CIPHER, NULL, RANGE(0, 0, 0), RANGE(0, 0, 0), 0, ACCEL_TLS_IN_READ_12),
	ROW(CIPHER, AES_CBC, RANGE(16, 32, 16), RANGE(0, 0, 0), 16, IN_12),
	ROW(CIPHER, 3DES_CBC, RANGE(24, 24, 0), RANGE(0, 0, 0), 8, IN_12),
	ROW(AUTH, SHA1_HMAC, RANGE(20, 20, 0), RANGE(20, 20, 0), 0, IN_12),
	ROW(AUTH, SHA256_HMAC, RANGE(32, 32, 0), RANGE(32, 32, 0), 0, IN_12),
	ROW(AUTH, SHA384_HMAC, RANGE(48, 48, 0), RANGE(48, 48, 0), 0, IN_12),
	ROW(AEAD, AES_GCM, RANGE(16, 32, 16), RANGE(16, 16, 0), 8, IN_ALL),
	ROW(AEAD, AES_CCM, RANGE(16, 32, 16), RANGE(8, 16, 8), 8, IN_ALL),
	ROW(AEAD, CHACHA20_POLY1305, RANGE(32, 32, 0), RANGE(16, 16, 0), 0, ACCEL_TLS_IN_13),
};

static_assert(RTE_DIM(tls_algs) == ACCEL_TLS_ALGS, "room in struct accel_tls_caps");

const struct accel_suite_table *
accel_tls_algs(void)
{
	static const struct accel_suite_table table = { tls_algs, RTE_DIM(tls_algs) };

	return &table;
}
