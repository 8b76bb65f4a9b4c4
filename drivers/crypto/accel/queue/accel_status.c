/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The statuses of the manual's section 7.4. See accel_status.h.
 */
#include <stdint.h>

#include "accel_status.h"
#include "hw/accel_hw.h"

#define OK RTE_CRYPTO_OP_STATUS_SUCCESS
#define AUTH RTE_CRYPTO_OP_STATUS_AUTH_FAILED
#define SESSION RTE_CRYPTO_OP_STATUS_INVALID_SESSION
#define ARGS RTE_CRYPTO_OP_STATUS_INVALID_ARGS
#define ERROR RTE_CRYPTO_OP_STATUS_ERROR

/*
 * Gives the status of an operation for each status of a response. Protocols have ERROR for all
 * errors, since applications of IPsec look for ERROR whatever has happened. An asymmetric operation
 * has ERROR for a wrong signature or ciphertext, too.
 */
static const uint8_t statuses[ACCEL_HW_STATUS_NB][ACCEL_STATUS_KINDS] = {
	/* symmetric, asymmetric, protocol */
	[ACCEL_HW_OK] = { OK, OK, OK },
	[ACCEL_HW_AUTH_FAILED] = { AUTH, ERROR, ERROR },
	[ACCEL_HW_BAD_COMMAND] = { ARGS, ARGS, ERROR },
	[ACCEL_HW_BAD_CONTEXT] = { SESSION, SESSION, ERROR },
	[ACCEL_HW_BAD_LENGTH] = { ARGS, ARGS, ERROR },
	[ACCEL_HW_OUTPUT_TOO_SMALL] = { ARGS, ARGS, ERROR },
	[ACCEL_HW_DMA_FAULT] = { ERROR, ERROR, ERROR },
	[ACCEL_HW_ENGINE_ERROR] = { ERROR, ERROR, ERROR },
	[ACCEL_HW_DENIED] = { ERROR, ERROR, ERROR },
	/* Only IPsec and TLS have these. */
	[ACCEL_HW_REPLAY] = { ERROR, ERROR, ERROR },
	[ACCEL_HW_MALFORMED] = { ERROR, ERROR, ERROR },
	[ACCEL_HW_MISMATCH] = { ERROR, ERROR, ERROR },
	[ACCEL_HW_EXPIRED] = { ERROR, ERROR, ERROR },
	[ACCEL_HW_SEQUENCE_END] = { ERROR, ERROR, ERROR },
	[ACCEL_HW_DUMMY] = { ERROR, ERROR, ERROR },
	/* Only public-key operations have these. */
	[ACCEL_HW_BAD_OPERAND] = { ERROR, ARGS, ERROR },
	[ACCEL_HW_INVALID_POINT] = { ERROR, ARGS, ERROR },
	[ACCEL_HW_NO_INVERSE] = { ERROR, ARGS, ERROR },
	[ACCEL_HW_DECRYPT_FAILED] = { ERROR, ERROR, ERROR },
	[ACCEL_HW_NO_ENTROPY] = { ERROR, ERROR, ERROR },
};

enum rte_crypto_op_status
accel_op_status(enum accel_status_kind kind, unsigned int hw_status)
{
	return hw_status < ACCEL_HW_STATUS_NB ?
		       (enum rte_crypto_op_status)statuses[hw_status][kind] : ERROR;
}
