/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the set-up of the raw data path (rte_cryptodev.h, "raw data-path APIs"). Its operations
 * have vectors instead of rte_crypto_op and mbufs, and use the same rings. A queue pair may serve
 * both APIs. Each API gives back its own operations in the order of enqueuing, so one API waits for
 * the other.
 */
#ifndef ACCEL_RAW_H
#define ACCEL_RAW_H

#include "accel_queue.h"

/** Implements rte_cryptodev_ops.sym_get_raw_dp_ctx_size. */
int accel_raw_ctx_size(struct rte_cryptodev *cryptodev);

/** Implements rte_cryptodev_ops.sym_configure_raw_dp_ctx. */
int accel_raw_configure(struct rte_cryptodev *cryptodev, uint16_t qp_id,
			struct rte_crypto_raw_dp_ctx *ctx, enum rte_crypto_op_sess_type sess_type,
			union rte_cryptodev_session_ctx session_ctx, uint8_t is_update);

#endif /* ACCEL_RAW_H */
