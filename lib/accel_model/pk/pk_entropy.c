/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Which operations need random numbers: see pk_entropy.h.
 */
#include "base/util.h"
#include "pk/pk_entropy.h"

#define ALWAYS UINT8_MAX

/* Lists the operations of manual 8.8 that make a number at random, and the operand that the host
 * may give instead of this number. */
static const struct {
	uint8_t alg;
	uint8_t operation;
	uint8_t operand;
} rows[] = {
	{ ACCEL_HW_PK_DH, ACCEL_HW_PK_GENERATE, ALWAYS },
	{ ACCEL_HW_PK_DSA, ACCEL_HW_PK_SIGN, 1 },
	{ ACCEL_HW_PK_ECDSA, ACCEL_HW_PK_SIGN, 2 },
	{ ACCEL_HW_PK_ECDH, ACCEL_HW_PK_GENERATE, ALWAYS },
	{ ACCEL_HW_PK_SM2, ACCEL_HW_PK_ENCRYPT, 3 },
	{ ACCEL_HW_PK_SM2, ACCEL_HW_PK_SIGN, 3 },
	{ ACCEL_HW_PK_EDDSA, ACCEL_HW_PK_GENERATE, ALWAYS },
	{ ACCEL_HW_PK_ML_KEM, ACCEL_HW_PK_GENERATE, 0 },
	{ ACCEL_HW_PK_ML_KEM, ACCEL_HW_PK_ENCAPS, 1 },
	{ ACCEL_HW_PK_ML_DSA, ACCEL_HW_PK_GENERATE, 0 },
	{ ACCEL_HW_PK_ML_DSA, ACCEL_HW_PK_SIGN, 3 },
};

/* True if an RSA operation needs random numbers, for random padding or for the salt of PSS. */
static bool
rsa_needs_random(const struct accel_hw_pk_command *cmd)
{
	if (cmd->operation == ACCEL_HW_PK_ENCRYPT)
		return cmd->padding != ACCEL_HW_PK_PADDING_NONE;
	return cmd->operation == ACCEL_HW_PK_SIGN && cmd->padding == ACCEL_HW_PK_PADDING_PSS &&
	       cmd->salt_len > 0;
}

bool
pk_needs_random(unsigned int alg, const struct accel_hw_pk_command *cmd)
{
	if (alg == ACCEL_HW_PK_RSA)
		return rsa_needs_random(cmd);
	for (unsigned int i = 0; i < ARRAY_NB(rows); i++) {
		if (rows[i].alg == alg && rows[i].operation == cmd->operation)
			return rows[i].operand == ALWAYS || cmd->operand[rows[i].operand] == 0;
	}
	return false;
}
