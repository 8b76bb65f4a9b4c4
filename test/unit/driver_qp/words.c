/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Expected descriptors as words, written out by hand from the tables of manual section 6.1, and
 * the check of refused operations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver_qp/words.h"

void
assert_refused(unsigned int slot, const struct rte_crypto_op *op, enum rte_crypto_op_status status)
{
	assert_int_equal(op->status, RTE_CRYPTO_OP_STATUS_NOT_PROCESSED);
	assert_int_equal(fake.inflight[slot].op, (uintptr_t)op + ACCEL_OP_REFUSED);
	assert_int_equal(fake.commands[slot].opcode, ACCEL_HW_OP_NOP);
	assert_int_equal(fake.refusals[slot], status);
}
