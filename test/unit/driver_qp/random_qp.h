/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Random rings and sessions of a fake queue pair, and their comparison, for tests that compare the
 * fast path with the slow path.
 */
#ifndef UNIT_RANDOM_QP_H
#define UNIT_RANDOM_QP_H

#include "driver_qp/fake_qp.h"
#include "base/random.h"

void copy_fake(struct fake *to, const struct fake *from);

/* Draws an address in one of two regions of 1 GiB, rarely at the end of one or in the highest
 * region. */
uint64_t draw_iova(void);

/* Draws an address of AAD for the CPU; it is NULL at times. */
uint8_t *draw_aad(void);

void draw_ring(struct accel_ring *ring);

/* These kinds have a fast path. */
extern const enum accel_hw_kind kinds[5];

void draw_session(void);

void assert_same_ring(const struct accel_ring *a, const struct accel_ring *b, uint32_t from);

#endif /* UNIT_RANDOM_QP_H */
