/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Keys of ML-KEM and ML-DSA: parameter sets, import and generation. OpenSSL has both algorithms
 * since 3.5. All is asked for by name, so the source also builds with older releases.
 */
#ifndef ACCEL_MODEL_PK_ML_H
#define ACCEL_MODEL_PK_ML_H

#include <openssl/evp.h>

#include "pk/pk_operand.h"

/* Describes a parameter set (FIPS 203, table 3; FIPS 204, table 2). Lengths are bytes. */
struct pk_ml_set {
	uint8_t number; /* enum accel_hw_curve */
	const char *name;
	uint16_t private_len; /* dk, sk */
	uint16_t public_len; /* ek, pk */
	uint16_t output_len; /* ciphertext, signature */
};

struct pk_ml_key {
	struct pk_key base;
	const struct pk_ml_set *set;
	EVP_PKEY *private; /* NULL: absent */
	EVP_PKEY *public;
};

/** Write the parameter sets of an algorithm that the library has into a list. @return their number.
 */
unsigned int pk_ml_list(unsigned int first, unsigned int last, uint8_t *list);

/* Make and free a key, as struct pk_alg says. */
struct pk_key *pk_ml_key_new(const struct accel_hw_pk_context *header,
			     const struct pk_bytes *components, uint16_t *status);
void pk_ml_key_free(struct pk_key *key);

/** Return the key of a job. */
static inline const struct pk_ml_key *
pk_ml_key(const struct pk_job *job)
{
	return (const struct pk_ml_key *)job->key;
}

/**
 * Get the key that an operation takes, from an operand, or from the component if the operand is
 * absent. The caller frees the key.
 *
 * @return OK, BAD_OPERAND if the operand is no key of this kind, or ENGINE_ERROR.
 */
uint16_t pk_ml_private(const struct pk_job *job, unsigned int operand, EVP_PKEY **key);
uint16_t pk_ml_public(const struct pk_job *job, unsigned int operand, EVP_PKEY **key);

/**
 * Carry out GENERATE: append a private and a public key to the results. Operand 0 is the seed. If
 * it is absent, the seed is random.
 *
 * @param seed_len bytes that a seed has to have.
 */
uint16_t pk_ml_generate(struct pk_job *job, uint32_t seed_len);

/** Return the most bytes of the results of GENERATE. */
uint32_t pk_ml_pair_len(const struct pk_key *key, const struct accel_hw_pk_command *cmd);

#endif /* ACCEL_MODEL_PK_ML_H */
