/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles asymmetric operations on a public-key queue pair. The application's queue pair has a
 * companion for them (accel_qp.companion), so a symmetric operation never waits for an asymmetric
 * one. Enqueue and dequeue of the application's queue pair also work on its companion.
 *
 * Operands are copied to slots, and results are copied back from them. A slot is memory that the
 * device can reach. A rte_crypto_param may be any memory of the process. The copies are a few
 * hundred bytes, and the work takes at least 10 microseconds. A slot is wiped when its operation
 * ends.
 */
#ifndef ACCEL_ASYM_H
#define ACCEL_ASYM_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_crypto.h>

#include "accel_asym_op.h"
#include "accel_queue.h"
#include "accel_ring.h"


/* Describes the memory of one operation in flight. */
struct accel_asym_slot {
	uint8_t *memory; /* NULL: not allocated yet */
	rte_iova_t iova;
	uint8_t *large; /* used instead of memory; NULL: none */
	struct accel_asym_session *own; /* of a sessionless operation, else NULL */
	uint32_t in_len; /* bytes of operands; the results follow, aligned to RESULT_ALIGN */
	uint32_t out_len;
	uint8_t row; /* enum accel_asym_row; another process may end the operation */
	uint16_t out_size[ACCEL_ASYM_RESULTS];
};

struct accel_asym_slots {
	uint32_t nb;
	struct accel_asym_slot slot[];
};

/**
 * Make the slots of a public-key queue pair, one for each operation in flight. Return 0 or -ENOMEM.
 */
int accel_asym_slots_create(struct accel_qp *pk);

/** Wipe and free the slots of a queue pair that has stopped. Do nothing without slots. */
void accel_asym_slots_free(struct accel_qp *pk);

/**
 * Write an asymmetric operation to the rings of a public-key queue pair.
 *
 * @return 0; -EAGAIN if the rings are full; -EINVAL for an operation that asks for what is not
 *   possible; -EPERM if its session is not of this driver; -ENOTSUP or -EINVAL if the transform of
 *   a sessionless operation is refused; -ENOMEM. After an error nothing was written.
 */
int accel_asym_put(struct accel_qp *pk, struct accel_ring *tx, struct accel_ring *rx,
		   const struct rte_crypto_op *op, uint32_t tag);

/**
 * End an operation that has a response: deliver its results and wipe its slot.
 *
 * @return the operation's status.
 */
enum rte_crypto_op_status accel_asym_end(struct accel_qp *pk, uint32_t slot,
					 struct rte_crypto_op *op,
					 const struct accel_answer *answer);

/** Wipe the slot of an operation that gets no response. */
void accel_asym_drop(struct accel_qp *pk, uint32_t slot);

/**
 * Wipe the slots of a queue pair that has stopped. No operation is in a slot then. But a process
 * that was killed in enqueue may have left there what it never published (test_asym_qp:
 * test_killed_in_slot). Do nothing without slots.
 */
void accel_asym_tidy(struct accel_qp *qp);

/** Tell dequeue that the companion of @p qp has operations, which were just published. */
void accel_asym_announce(struct accel_qp *qp);

/** Stop looking at the companion of @p qp, if it works and has no operations. */
void accel_asym_rest(struct accel_qp *qp);

#endif /* ACCEL_ASYM_H */
