/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Public-key engines (manual 8.8): from a context to a key, and one operation with it, in plain
 * memory. Nothing here knows descriptors, queue pairs or threads. Several threads may use a key,
 * and call any function, at the same time.
 */
#ifndef ACCEL_MODEL_PK_H
#define ACCEL_MODEL_PK_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_hw.h"

/* These are limits of the model. The device tree has them (manual section 10). */
#define PK_KEY_SIZE_MAX 8192u
#define PK_OPERAND_SIZE_MAX 65536u
#define PK_RANDOM_MAX 65536u
#define PK_CURVES_MAX 8u
#define PK_HASHES_MAX 24u

/* Says what an algorithm can do. These are the properties of its node (manual section 10). */
struct pk_caps {
	uint8_t alg; /* enum accel_hw_alg */
	uint8_t nb_curves;
	uint8_t nb_hashes;
	uint32_t operations; /* bit n: operation n */
	uint32_t modulus_min; /* bits, 0: no modulus */
	uint32_t modulus_max;
	uint32_t paddings; /* bit n: padding n */
	uint32_t variants;
	uint8_t curve[PK_CURVES_MAX]; /* enum accel_hw_curve */
	uint8_t hash[PK_HASHES_MAX]; /* enum accel_hw_alg */
};

/** Return what the library can compute for an algorithm. NULL: nothing. */
const struct pk_caps *pk_caps(unsigned int alg);

/**
 * Return what the library can compute for an algorithm, without what later minor versions of the
 * contract than @p minor have added. pk_caps() has said that there is something.
 */
struct pk_caps pk_caps_of(unsigned int alg, unsigned int minor);

/** True if a minor version of the contract later than @p minor has added what a command asks for.
 */
bool pk_is_later(unsigned int alg, unsigned int minor, const struct accel_hw_pk_command *cmd);

struct pk_key;

/**
 * Make a key of a context (manual 8.8, PK-6).
 *
 * @param header private copy; version, kind and generation are checked already.
 * @param components header->key_len bytes, at most PK_KEY_SIZE_MAX.
 * @param status receives OK, or BAD_CONTEXT or ENGINE_ERROR if this function fails.
 * @return NULL if this function fails; else a key for pk_key_free().
 */
struct pk_key *pk_key_new(const struct accel_hw_pk_context *header, const uint8_t *components,
			  uint16_t *status);
/** Wipe and free a key that no operation uses any more. NULL is allowed. */
void pk_key_free(struct pk_key *key);

/**
 * Check a command against a key (PK-8, but for NO_RX). The caller checks the sizes of operands.
 *
 * @param most the most bytes that the results may take.
 * @return OK or BAD_COMMAND.
 */
uint16_t pk_check(const struct pk_key *key, const struct accel_hw_pk_command *cmd, uint32_t *most);

/* Describes one operation that pk_check() has passed. */
struct pk_job {
	const struct pk_key *key;
	const struct accel_hw_pk_command *cmd;
	const uint8_t *in; /* operands, of the lengths in cmd */
	uint8_t *out; /* room for the bytes that pk_check() gave in most */
	uint32_t produced; /* result: bytes; 0 unless the status is OK */
	uint16_t status; /* result: OK, ENGINE_ERROR or a status of PK-12 */
};

/** Carry out an operation. It may take a tenth of a second. */
void pk_run(struct pk_job *job);

/**
 * Make random bytes (manual 8.8, RND-1).
 *
 * @param len at most PK_RANDOM_MAX.
 * @return OK or NO_ENTROPY, with nothing written.
 */
uint16_t pk_random(uint8_t *out, uint32_t len);

#endif /* ACCEL_MODEL_PK_H */
