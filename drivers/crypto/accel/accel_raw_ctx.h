/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Raw data path: what the files behind accel_raw.h share. Operations are cached in the context,
 * together with copies of the rings, until enqueue_done() publishes them with one doorbell; so a
 * context that is given up leaves nothing behind.
 */
#ifndef ACCEL_RAW_CTX_H
#define ACCEL_RAW_CTX_H

#include "accel_queue.h"
#include "accel_session.h"

/* Behind rte_crypto_raw_dp_ctx, in the application's memory. */
struct accel_raw_ctx {
	const struct accel_session *sess; /* NULL until there is one, and without session */
	struct rte_crypto_sym_xform *xform; /* without session: of the application */
	/* Operations that are cached: numbers first to prod - 1. */
	struct accel_ring tx;
	struct accel_ring rx;
	uint32_t first;
	uint32_t prod;
	uint32_t starts; /* of the queue pair when the first was cached */
	uint32_t dequeued; /* not reported by dequeue_done() yet */
};

/* An operation as the application has it: vectors, with what is needed beside them. */
struct accel_raw_op {
	const struct rte_crypto_sgl *src;
	const struct rte_crypto_sgl *dst; /* the same in place */
	union rte_crypto_sym_ofs ofs;
	const struct rte_crypto_va_iova_ptr *iv;
	const struct rte_crypto_va_iova_ptr *digest;
	const struct rte_crypto_va_iova_ptr *aad_or_auth_iv;
};

/**
 * Put frames and command of the next operation into the context's rings, which stay as they were if
 * that fails. In accel_raw_shape.c.
 *
 * @return 0; -EAGAIN no room now, -EINVAL never possible.
 */
int accel_raw_put(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_session *sess,
		  const struct accel_raw_op *op);

/*
 * The callbacks of rte_crypto_raw_dp_ctx, in accel_raw_enqueue.c and accel_raw_dequeue.c.
 */
int accel_raw_enqueue(void *queue_pair, uint8_t *drv_ctx, struct rte_crypto_vec *data_vec,
		      uint16_t n_data_vecs, union rte_crypto_sym_ofs ofs,
		      struct rte_crypto_va_iova_ptr *iv, struct rte_crypto_va_iova_ptr *digest,
		      struct rte_crypto_va_iova_ptr *aad_or_auth_iv, void *user_data);
uint32_t accel_raw_enqueue_burst(void *queue_pair, uint8_t *drv_ctx, struct rte_crypto_sym_vec *vec,
				 union rte_crypto_sym_ofs ofs, void *user_data[],
				 int *enqueue_status);
int accel_raw_enqueue_done(void *queue_pair, uint8_t *drv_ctx, uint32_t n);
void *accel_raw_dequeue(void *queue_pair, uint8_t *drv_ctx, int *dequeue_status,
			enum rte_crypto_op_status *op_status);
uint32_t accel_raw_dequeue_burst(void *queue_pair, uint8_t *drv_ctx,
				 rte_cryptodev_raw_get_dequeue_count_t get_dequeue_count,
				 uint32_t max_nb_to_dequeue,
				 rte_cryptodev_raw_post_dequeue_t post_dequeue,
				 void **out_user_data, uint8_t is_user_data_array,
				 uint32_t *n_success, int *dequeue_status);
int accel_raw_dequeue_done(void *queue_pair, uint8_t *drv_ctx, uint32_t n);

#endif /* ACCEL_RAW_CTX_H */
