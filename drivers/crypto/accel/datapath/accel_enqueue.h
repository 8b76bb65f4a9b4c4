/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Enqueues rte_crypto_op. Hot path.
 */
#ifndef ACCEL_ENQUEUE_H
#define ACCEL_ENQUEUE_H

#include <stdint.h>

#include <rte_crypto.h>

/** Implements rte_cryptodev.enqueue_burst. */
uint16_t accel_enqueue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops);

#endif /* ACCEL_ENQUEUE_H */
