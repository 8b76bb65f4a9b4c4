/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The operations of driver-cost go through the raw data path here. Their mbufs, IVs, digests and
 * AAD become vectors in a context of one session.
 */
#ifndef DRIVER_RAW_H
#define DRIVER_RAW_H

#include "accel_datapath.h"
#include "accel_queue.h"
#include "accel_raw_ctx.h"

#define RAW_BURST 256u
#define RAW_VECTORS 16u

/* A context and the vectors of a burst. */
struct raw {
	struct accel_raw_ctx ctx;
	struct rte_crypto_vec vec[2][RAW_BURST][RAW_VECTORS]; /* sources, destinations */
	struct rte_crypto_sgl sgl[2][RAW_BURST];
	struct rte_crypto_va_iova_ptr iv[RAW_BURST];
	struct rte_crypto_va_iova_ptr digest[RAW_BURST];
	struct rte_crypto_va_iova_ptr aad[RAW_BURST];
	void *user_data[RAW_BURST];
	struct rte_crypto_sym_vec sym;
	bool each; /* a call for each operation */
};

/* Makes vectors of n operations whose regions cover all of their mbufs. */
void raw_set(struct raw *raw, struct rte_crypto_op **ops, uint32_t n);

/* Enqueues the vectors with one doorbell. Returns how many the driver accepted. */
uint32_t raw_enqueue(struct raw *raw, struct accel_qp *qp);

/* Dequeues n operations. Returns how many of them ended with success. */
uint32_t raw_dequeue(struct raw *raw, struct accel_qp *qp, uint32_t n);

#endif /* DRIVER_RAW_H */
