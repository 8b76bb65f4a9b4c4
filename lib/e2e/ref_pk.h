/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Makes public-key operations of rte_cryptodev with random keys and operands, and checks their
 * results with OpenSSL's numbers, curves and RSA. It uses no code of the driver or the model. A
 * result that depends on random numbers of the device, such as a signature, is judged by another
 * computation. Since DPDK 24.11 a key of RSA has one padding for all its operations
 * (asym_version.h).
 */
#ifndef REF_PK_H
#define REF_PK_H

#include <stdbool.h>
#include <stdint.h>

#include <openssl/ec.h>
#include <openssl/evp.h>

#include <rte_crypto.h>

#define REF_PK_BYTES 640u /* room for a number: up to 4096 bits, and some more */
#define REF_PK_PARTS 8u
#define REF_PK_IN 4u
#define REF_PK_OUT 2u
#define REF_PK_GUARD 16u /* bytes after a result, which nothing writes */

struct ref_pk_number {
	uint16_t len;
	uint8_t data[REF_PK_BYTES];
};

/* Holds a transform and its numbers. The transform's pointers lead to part[]. */
struct ref_pk_key {
	struct rte_crypto_asym_xform xform;
	unsigned int size; /* bits of a modulus, or enum rte_crypto_curve_id */
	struct ref_pk_number part[REF_PK_PARTS]; /* enum ref_pk_part */
	EVP_PKEY *rsa;
	EC_GROUP *group;
};

enum ref_pk_part {
	REF_PK_N = 0, REF_PK_E, REF_PK_D, REF_PK_P, REF_PK_Q, REF_PK_DP, REF_PK_DQ, REF_PK_QINV,
	REF_PK_MODULUS = 0, REF_PK_EXPONENT, /* MODEX, MODINV */
	REF_PK_PRIME = 0, REF_PK_ORDER, REF_PK_BASE, REF_PK_X, REF_PK_Y, /* DH, DSA */
	REF_PK_EC_D = 0, REF_PK_EC_X, REF_PK_EC_Y,
};

/* Holds an operation, its operands and its results. A job must not move while it is in-flight. */
struct ref_pk_job {
	const struct ref_pk_key *key;
	unsigned int type; /* of the operation, as rte_cryptodev has it */
	uint8_t want; /* enum rte_crypto_op_status */
	bool judged; /* there is no expected result: see ref_pk_right() */
	struct rte_crypto_asym_op asym; /* without its session */
	struct ref_pk_number in[REF_PK_IN];
	struct ref_pk_number expect[REF_PK_OUT];
	uint8_t out[REF_PK_OUT][REF_PK_BYTES + REF_PK_GUARD];
};

/** Return the next random number. @param random state of the generator, which must not be 0. */
uint64_t ref_pk_random(uint64_t *random);

/**
 * Make a key for a type of transform. A key of RSA comes from OpenSSL, so it differs in each run.
 *
 * @param size bits of the modulus, or the curve; no meaning for random numbers.
 * @return false if there is no memory, or no such key.
 */
bool ref_pk_key_make(struct ref_pk_key *key, enum rte_crypto_asym_xform_type type,
		     unsigned int size, uint64_t *random);
void ref_pk_key_free(struct ref_pk_key *key);

/** Return how many operation types a transform has, 1 to 4. The types are numbered from 0. */
unsigned int ref_pk_types(enum rte_crypto_asym_xform_type type);

/** Return the name of a key, such as "RSA 2048". The text is valid until the next call. */
const char *ref_pk_name(const struct ref_pk_key *key);

/** Fill in an operation of a type with random operands. Some operands are wrong; want then says the
 * status. @return false if the operands or the expected result cannot be made. */
bool ref_pk_fill(struct ref_pk_job *job, const struct ref_pk_key *key, unsigned int type,
		 uint64_t *random);

/** Fill the memory for results anew, so that the operation can be sent once more. */
void ref_pk_again(struct ref_pk_job *job);

/**
 * True if the operation has the right result. Its status was as expected.
 *
 * @param done the operation as it came back.
 */
bool ref_pk_right(const struct ref_pk_job *job, const struct rte_crypto_asym_op *done);

/* The rest is for ref_pk*.c only. */

void ref_pk_bytes(uint64_t *random, uint8_t *to, unsigned int len);
/* Return a parameter for an operand, and one for a result. The length of a result is 0. */
rte_crypto_param ref_pk_in(const struct ref_pk_number *number);
rte_crypto_param ref_pk_out(struct ref_pk_job *job, unsigned int i);
/* Convert a number to and from OpenSSL's form. A len of 0 means as few bytes as possible. */
BIGNUM *ref_pk_bn(const struct ref_pk_number *number);
bool ref_pk_put(struct ref_pk_number *number, const BIGNUM *value, unsigned int len);
/* Return a random number from 1 to limit - 1. */
BIGNUM *ref_pk_below(const BIGNUM *limit, uint64_t *random);

bool ref_pk_rsa_make(struct ref_pk_key *key, uint64_t *random);
bool ref_pk_rsa_fill(struct ref_pk_job *job, uint64_t *random);
bool ref_pk_rsa_judge(const struct ref_pk_job *job, const struct rte_crypto_asym_op *done);
bool ref_pk_mod_make(struct ref_pk_key *key, uint64_t *random);
bool ref_pk_mod_fill(struct ref_pk_job *job, uint64_t *random);
bool ref_pk_mod_judge(const struct ref_pk_job *job, const struct rte_crypto_asym_op *done);
bool ref_pk_ec_make(struct ref_pk_key *key, uint64_t *random);
bool ref_pk_ec_fill(struct ref_pk_job *job, uint64_t *random);
bool ref_pk_ec_judge(const struct ref_pk_job *job, const struct rte_crypto_asym_op *done);

#endif /* REF_PK_H */
