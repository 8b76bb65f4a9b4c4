/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares what the library calls: enqueue and dequeue of rte_crypto_op, and the raw data path
 * (rte_cryptodev.h, "raw data-path APIs"). Raw operations have vectors instead of rte_crypto_op and
 * mbufs, and use the same rings. A queue pair may serve both APIs. Each API gives back its own
 * operations in the order of enqueuing, so one API waits for the other.
 */
#ifndef ACCEL_DATAPATH_H
#define ACCEL_DATAPATH_H

#include <stdint.h>

#include <rte_crypto.h>
#include <rte_cryptodev.h>

/** Implements rte_cryptodev.enqueue_burst. */
uint16_t accel_enqueue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops);

/** Implements rte_cryptodev.dequeue_burst. */
uint16_t accel_dequeue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops);

/** Implements rte_cryptodev_ops.sym_get_raw_dp_ctx_size. */
int accel_raw_ctx_size(struct rte_cryptodev *cryptodev);

/** Implements rte_cryptodev_ops.sym_configure_raw_dp_ctx. */
int accel_raw_configure(struct rte_cryptodev *cryptodev, uint16_t qp_id,
			struct rte_crypto_raw_dp_ctx *ctx, enum rte_crypto_op_sess_type sess_type,
			union rte_cryptodev_session_ctx session_ctx, uint8_t is_update);

/* These are the callbacks of rte_crypto_raw_dp_ctx. */

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

#endif /* ACCEL_DATAPATH_H */
