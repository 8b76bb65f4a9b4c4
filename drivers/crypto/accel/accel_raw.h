/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Raw data path (rte_cryptodev.h, "raw data-path APIs"): operations described by vectors instead of
 * rte_crypto_op and mbuf, on the same rings. A queue pair may serve both interfaces; each gives
 * back its own operations, in the order of enqueuing, so the one waits for the other.
 */
#ifndef ACCEL_RAW_H
#define ACCEL_RAW_H

#include "accel_queue.h"

/* What an in-flight entry from ACCEL_OP_RAW on points to. */
struct accel_raw_slot {
	void *user_data;
	enum rte_crypto_op_status status; /* with ACCEL_OP_RAW_SETTLED */
};

static_assert(alignof(struct accel_raw_slot) > ACCEL_OP_KIND, "room for the kind");

/** rte_cryptodev_ops.sym_get_raw_dp_ctx_size. */
int accel_raw_ctx_size(struct rte_cryptodev *cryptodev);

/** rte_cryptodev_ops.sym_configure_raw_dp_ctx. */
int accel_raw_configure(struct rte_cryptodev *cryptodev, uint16_t qp_id,
			struct rte_crypto_raw_dp_ctx *ctx, enum rte_crypto_op_sess_type sess_type,
			union rte_cryptodev_session_ctx session_ctx, uint8_t is_update);

/**
 * A successor of a queue pair takes over the slots of raw operations that were not dequeued; its
 * in-flight entries are copied already. 0 or -ENOMEM.
 */
int accel_raw_inherit(struct accel_qp *qp, const struct accel_qp *old);

void accel_raw_free(struct accel_qp *qp);

#endif /* ACCEL_RAW_H */
