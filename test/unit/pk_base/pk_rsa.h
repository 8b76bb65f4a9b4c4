/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * RSA keys for tests, made of primes that are drawn with ACCEL_TEST_SEED, or for large moduli of
 * the primes of RFC 3526 and RFC 7919.
 */
#ifndef UNIT_PK_RSA_H
#define UNIT_PK_RSA_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>

#include "pk_base/pk_request.h"

struct rsa_text {
	struct text part[8]; /* ACCEL_HW_RSA_N to ACCEL_HW_RSA_QINV */
	EVP_PKEY *peer; /* the same key in OpenSSL's EVP */
};

struct text text_of_bn(const BIGNUM *number);

/* Draws a prime whose two highest bits are set and which is not 1 modulo e. */
BIGNUM *draw_prime(unsigned int bits, const BIGNUM *e, BN_CTX *ctx);

/* Makes a key of 1024 to 3072 bits that is drawn, or of 4096 or 8192 that is always the same. */
void rsa_make(struct rsa_text *text, unsigned int bits, const char *e_hex);

/* A key of the components whose bits are set. */
struct pk_key *rsa_try(const struct rsa_text *text, unsigned int bits, uint16_t *status);

#define RSA_PUBLIC_PARTS 0x03u
#define RSA_D_PARTS 0x07u
#define RSA_CRT_PARTS 0xfbu
#define RSA_ALL_PARTS 0xffu

struct pk_key *rsa_key(const struct rsa_text *text, unsigned int bits);

/* A command with padding, hash and the hash of MGF1. */
struct accel_hw_pk_command rsa_command(unsigned int operation, unsigned int padding,
				       unsigned int hash, unsigned int mgf_hash,
				       unsigned int salt_len);

#endif /* UNIT_PK_RSA_H */
