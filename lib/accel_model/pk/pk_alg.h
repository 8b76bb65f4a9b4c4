/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What an algorithm gives to the public-key engines (pk_dispatch.c): what it can do, its operations
 * with their operands, and how it makes and frees keys. The files of pk_modular/,
 * pk_curve/ and pk_lattice/ have one or two each.
 */
#ifndef ACCEL_MODEL_PK_ALG_H
#define ACCEL_MODEL_PK_ALG_H

#include "base/util.h"
#include "pk/pk.h"

/* The number of the last operation, and one more. */
#define PK_OPERATIONS_NB 5u

/* A string of bytes or a number: a component or an operand. */
struct pk_bytes {
	const uint8_t *data;
	uint32_t len; /* 0: it is absent, or empty */
};

/* The beginning of each algorithm's own key. */
struct pk_key {
	const struct pk_alg *alg;
	uint16_t has; /* bit n: the context has component n */
	uint8_t curve; /* enum accel_hw_curve */
};

/* What an operand of length 0 means. */
enum pk_operand_rule {
	PK_OPERAND_NO = 0, /* the operation does not have the operand */
	PK_OPERAND_NEEDED, /* BAD_COMMAND */
	PK_OPERAND_OPEN, /* an empty string, a default, or a number that is made at random */
	PK_OPERAND_COMPONENT, /* plus n: the context's component n; BAD_COMMAND if that is absent */
};

/* An operation of an algorithm. run == NULL: the algorithm does not have it. */
struct pk_operation {
	/* The result: what pk_job.status becomes. Results are appended with pk_put_*(). */
	uint16_t (*run)(struct pk_job *job);
	/* The most bytes of the results; NULL: it has none. */
	uint32_t (*most)(const struct pk_key *key, const struct accel_hw_pk_command *cmd);
	uint8_t operand[ACCEL_HW_PK_OPERANDS]; /* enum pk_operand_rule */
	uint16_t needs; /* bit n: component n, which no operand replaces */
};

struct pk_alg {
	/* NULL: the library that is linked has nothing of it. Any thread may call it. */
	const struct pk_caps *(*caps)(void);
	/**
	 * Make a key. The header and the curve have been checked, and that no component is there
	 * that the algorithm does not have.
	 *
	 * @param components nb_components of them.
	 * @param status BAD_CONTEXT on entry; to be set if the reason is another.
	 * @return the address of the first member of the algorithm's own structure. The caller
	 *   fills in struct pk_key. NULL if it fails.
	 */
	struct pk_key *(*key_new)(const struct accel_hw_pk_context *header,
				  const struct pk_bytes *components, uint16_t *status);
	/** Wipe and free all that key_new() made. */
	void (*key_free)(struct pk_key *key);
	/**
	 * What PK-8 asks beyond the tables: combinations of fields. May be NULL. The operation, the
	 * padding, the hashes and the variant are known to be in the caps, and all operands fit the
	 * table.
	 *
	 * @return true if the command is good.
	 */
	bool (*check)(const struct pk_key *key, const struct accel_hw_pk_command *cmd);
	uint8_t nb_components;
	struct pk_operation operation[PK_OPERATIONS_NB];
};

/* NULL in the table of pk_dispatch.c: an algorithm that nobody has. */
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
