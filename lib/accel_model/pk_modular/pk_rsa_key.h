/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * An RSA key of the public-key engines, and the public operation. pk_rsa.c has the operations.
 *
 * This is OpenSSL's RSA object and not an EVP_PKEY, which OpenSSL would rather have. Two threads
 * may not use one EVP_PKEY_CTX, and making one for each operation takes a good part of the time of
 * a verification. EVP also hides what is needed to report padding errors in constant time: 3.0
 * gives an error, and releases from 3.2 on give a random message. The arithmetic is the same:
 * blinding, fixed windows, and results of CRT that are checked with e.
 */
#ifndef ACCEL_MODEL_PK_RSA_KEY_H
#define ACCEL_MODEL_PK_RSA_KEY_H

#ifndef OPENSSL_SUPPRESS_DEPRECATED
#define OPENSSL_SUPPRESS_DEPRECATED
#endif
#include <openssl/rsa.h>

#include "pk/pk_operand.h"

#define PK_RSA_LEN_MAX (ACCEL_HW_PK_MODULUS_BITS_MAX / 8)

struct pk_rsa {
	struct pk_key key;
	RSA *rsa;
	BN_MONT_CTX *mont; /* of n; NULL unless OpenSSL would refuse e as too long */
	uint32_t bits; /* of n */
	uint32_t len; /* bytes of n, without leading zeros */
	uint8_t n[PK_RSA_LEN_MAX]; /* len bytes */
};

/** Make and free an RSA key, as pk_alg.key_new and pk_alg.key_free. */
struct pk_key *pk_rsa_key_new(const struct accel_hw_pk_context *header,
		const struct pk_bytes *components, uint16_t *status);
void pk_rsa_key_free(struct pk_key *key);

/** Compute x^e mod n. x and result have rsa->len bytes, and x is below n. False: no memory. */
bool pk_rsa_public(const struct pk_rsa *rsa, const uint8_t *x, uint8_t *result);

#endif /* ACCEL_MODEL_PK_RSA_KEY_H */
