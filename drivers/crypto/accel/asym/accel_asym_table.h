/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the table of manual 8.8 with the fields of rte_cryptodev. For each operation it says which
 * fields are operands and results, and what is special about them. accel_asym_op.c does the work.
 */
#ifndef ACCEL_ASYM_TABLE_H
#define ACCEL_ASYM_TABLE_H

#include <stdint.h>

#include <rte_crypto_asym.h>

#include "accel_asym_alg.h"

#define ACCEL_ASYM_RESULTS 3u
#define ACCEL_ASYM_INPUTS 5u

/* Says what is special about an operand. */
enum {
	ASYM_IN_PLAIN = 0,
	ASYM_IN_LABEL, /* of OAEP, with the padding */
	ASYM_IN_PEER_X, /* the session's, if the operation has none */
	ASYM_IN_PEER_Y,
	ASYM_IN_RND, /* of ML-DSA; zeros if the session is deterministic */
};

/* Says what is special about a result. */
enum {
	ASYM_OUT_NUMBER = 0, /* a smaller room will do if only leading zeros are lost */
	ASYM_OUT_EXACT, /* the result has just this length */
	ASYM_OUT_VARIES, /* the device says how long it is */
	ASYM_OUT_OPTIONAL, /* the operation need not have a place for it */
	ASYM_OUT_DROPPED, /* no operation has a place for it */
	ASYM_OUT_PUBLIC, /* a number, without leading zeros if RTE_CRYPTO_ASYM_FLAG_* says so */
	ASYM_OUT_SHARED,
	ASYM_OUT_CIPHERTEXT, /* of SM2: three numbers, and the message's length; written in DER */
	ASYM_OUT_RECOVERED, /* exact and optional; it is compared with a message */
};

/* Says when another row takes the place of a row. */
enum {
	ASYM_NEVER = 0,
	ASYM_WITHOUT_PRIVATE, /* the first operand is absent, and the session has no private key */
	ASYM_UNPADDED, /* RSA without padding */
};

struct accel_asym_in {
	uint16_t at; /* offset of a rte_crypto_param in struct rte_crypto_asym_op */
	uint8_t special;
};

struct accel_asym_out {
	uint16_t at;
	uint8_t size; /* enum accel_asym_size */
	uint8_t special;
};

struct accel_asym_form {
	uint8_t operation; /* enum accel_hw_pk_operation */
	uint8_t nb_in;
	uint8_t nb_out;
	uint8_t instead; /* enum accel_asym_row */
	uint8_t instead_when;
	uint8_t field;
	struct accel_asym_in in[ACCEL_ASYM_INPUTS];
	struct accel_asym_out out[ACCEL_ASYM_RESULTS];
};

/* Lists the fields of the command that an operation has in addition to its operands. */
enum {
	ASYM_FIELD_NONE = 0,
	ASYM_FIELD_PADDING, /* RSA */
	ASYM_FIELD_SM2_HASH,
	ASYM_FIELD_SM2_CIPHERTEXT, /* with all operands, which are parts of the first one */
	ASYM_FIELD_VARIANT, /* EdDSA */
	ASYM_FIELD_COMPRESSED, /* no field: a public key of EdDSA has no other form */
	ASYM_FIELD_ML_KEM_SEED, /* no field: d and z are one operand */
	ASYM_FIELD_ML_KEM_KEY, /* no field: the key is the first operand or the second one */
	ASYM_FIELD_ML_DSA, /* variant and hash, and a last operand: mu, instead of the message */
};

/**
 * Has a form for each row. Forms of operations that this version of rte_cryptodev lacks are empty.
 */
extern const struct accel_asym_form accel_asym_forms[ACCEL_ASYM_ROWS];

/**
 * Return the operation types of a kind that the card has.
 *
 * @param operations the operations of the card's algorithm. Bit n stands for enum
 *   accel_hw_pk_operation n.
 * @return the types. Bit n stands for rte_cryptodev's type n.
 */
uint32_t accel_asym_op_types(const struct accel_asym_kind *kind, uint32_t operations);

#endif /* ACCEL_ASYM_TABLE_H */
