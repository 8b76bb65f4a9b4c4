/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What an algorithm gives to the public-key engines (pk_dispatch.c): what it can do, its operations
 * with their operands, and how it makes and frees keys. The algorithms are in the files of
 * pk_modular/, pk_curve/ and pk_lattice/, one or two in a file.
 */
#ifndef ACCEL_MODEL_PK_ALG_H
#define ACCEL_MODEL_PK_ALG_H

#include "base/util.h"
#include "pk/pk.h"

/* This is one more than the number of the last operation. */
#define PK_OPERATIONS_NB 5u

/* Describes a component or an operand, which is a string of bytes or a number. */
struct pk_bytes {
	const uint8_t *data;
	uint32_t len; /* 0: it is absent, or empty */
};

/* Each algorithm's own key begins with this. */
struct pk_key {
	const struct pk_alg *alg;
	uint16_t has; /* bit n: the context has component n */
	uint8_t curve; /* enum accel_hw_curve */
};

/* Says what an operand of length 0 means. */
enum pk_operand_rule {
	PK_OPERAND_NO = 0, /* the operation does not have the operand */
	PK_OPERAND_NEEDED, /* BAD_COMMAND */
	PK_OPERAND_OPEN, /* an empty string, a default, or a number that is made at random */
	PK_OPERAND_COMPONENT, /* plus n: the context's component n; BAD_COMMAND without it */
};

/* Describes an operation of an algorithm. run is NULL if the algorithm lacks the operation. */
struct pk_operation {
	/* Returns what pk_job.status becomes, and appends results with pk_put_*(). */
	uint16_t (*run)(struct pk_job *job);
	/* Returns the most bytes of the results. NULL: the operation has no results. */
	uint32_t (*most)(const struct pk_key *key, const struct accel_hw_pk_command *cmd);
	uint8_t operand[ACCEL_HW_PK_OPERANDS]; /* enum pk_operand_rule */
	uint16_t needs; /* bit n: component n, which no operand replaces */
};

struct pk_alg {
	/* Returns what the algorithm can do. Any thread may call it. It returns NULL if the library
	 * that is linked has nothing of the algorithm. */
	const struct pk_caps *(*caps)(void);
	/**
	 * Make a key. The header and the curve have been checked. No component is there that the
	 * algorithm does not have.
	 *
	 * @param components array of nb_components.
	 * @param status BAD_CONTEXT on entry; to be set if the reason is another.
	 * @return the address of the first member of the algorithm's own structure, or NULL on
	 *   failure. The caller fills in struct pk_key.
	 */
	struct pk_key *(*key_new)(const struct accel_hw_pk_context *header,
				  const struct pk_bytes *components, uint16_t *status);
	/** Wipe and free all that key_new() made. */
	void (*key_free)(struct pk_key *key);
	/**
	 * Check what PK-8 asks beyond the tables, which are combinations of fields. The pointer may
	 * be NULL. The operation, the padding, the hashes and the variant are known to be in the
	 * caps, and all operands fit the table.
	 *
	 * @return true if the command is good.
	 */
	bool (*check)(const struct pk_key *key, const struct accel_hw_pk_command *cmd);
	uint8_t nb_components;
	struct pk_operation operation[PK_OPERATIONS_NB];
};

/* The table of pk_dispatch.c has these, and NULL for an algorithm that is not implemented. */
extern const struct pk_alg pk_alg_rsa;
extern const struct pk_alg pk_alg_modexp;
extern const struct pk_alg pk_alg_modinv;
extern const struct pk_alg pk_alg_dh;
extern const struct pk_alg pk_alg_dsa;
extern const struct pk_alg pk_alg_ecdsa;
extern const struct pk_alg pk_alg_ecdh;
extern const struct pk_alg pk_alg_ec_mul;
extern const struct pk_alg pk_alg_sm2;
extern const struct pk_alg pk_alg_eddsa;
extern const struct pk_alg pk_alg_ml_kem;
extern const struct pk_alg pk_alg_ml_dsa;

#endif /* ACCEL_MODEL_PK_ALG_H */
