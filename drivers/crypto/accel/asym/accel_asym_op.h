/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Describes asymmetric operations in the terms of manual 8.8, by the forms of accel_asym_table.h.
 * No memory of the device is touched here.
 */
#ifndef ACCEL_ASYM_OP_H
#define ACCEL_ASYM_OP_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_crypto.h>
#include <rte_crypto_asym.h>

#include "accel_asym_session.h"
#include "accel_asym_sm2.h"
#include "accel_asym_table.h"
#include "hw/accel_hw.h"

/* Describes an operation with the lengths of its operands and results. */
struct accel_asym_plan {
	enum accel_asym_row row;
	uint32_t in_len; /* bytes of all operands */
	uint32_t out_len; /* the most bytes of all results; 0: there are none */
	uint16_t out_size[ACCEL_ASYM_RESULTS];
	const struct rte_crypto_param_t *in[ACCEL_HW_PK_OPERANDS]; /* NULL: absent */
	struct rte_crypto_param_t part[ACCEL_SM2_PARTS]; /* in[] of a ciphertext of SM2 */
	struct accel_hw_pk_command command; /* without tag */
};

/**
 * Plan an operation.
 *
 * @param max_operand the most bytes that the card takes as one operand.
 * @param max_random the most bytes of random numbers that the card gives at once.
 * @return 0; -EINVAL if the operation has a type that the transform does not have, a length that no
 *   operand can have, or no place for a result.
 */
int accel_asym_plan(const struct rte_crypto_op *op, const struct accel_asym_session *sess,
		    uint32_t max_operand, uint32_t max_random, struct accel_asym_plan *plan);

/** Copy the operands of a plan to memory, one after the other. */
void accel_asym_gather(const struct accel_asym_plan *plan, uint8_t *to);

/**
 * Give an operation its results, with their lengths.
 *
 * @param from what the device has written.
 * @param size the bytes of each result, from the plan.
 * @param produced the bytes that the device says it has written.
 * @return SUCCESS; INVALID_ARGS if a result has no room; ERROR if the bytes produced cannot be
 *   right, if a recovered message is another one, or if a message of RSA has no room (manual 8.8,
 *   PK-14).
 */
enum rte_crypto_op_status accel_asym_deliver(struct rte_crypto_op *op, enum accel_asym_row row,
					     const uint8_t *from, const uint16_t *size,
					     uint32_t produced);

/**
 * Return the status of an operation by the status of its response. This is accel_op_status(),
 * except for ACCEL_ASYM_RSA_RECOVER.
 */
enum rte_crypto_op_status accel_asym_status(enum accel_asym_row row, unsigned int hw_status);

#endif /* ACCEL_ASYM_OP_H */
