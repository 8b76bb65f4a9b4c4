/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Declares the callbacks of rte_crypto_raw_dp_ctx. Hot path.
 */
#ifndef ACCEL_RAW_PATH_H
#define ACCEL_RAW_PATH_H

#include <rte_cryptodev.h>

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

#endif /* ACCEL_RAW_PATH_H */
