/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair, operations, mbufs and a session in plain memory, for tests of enqueue without a
 * device.
 */
#ifndef UNIT_FAKE_QP_H
#define UNIT_FAKE_QP_H

#include <stdint.h>
#include <string.h>

#include <rte_mbuf.h>

#include "accel_dev.h"
#include "accel_queue_setup.h"
#include "accel_session.h"
#include "accel_queue.h"
#include "accel_ring.h"
#include "accel_shape.h"

#define GIB UINT64_C(0x40000000)
#define NB_DESC 8u
#define RING_SIZE 64u
#define CMD_IOVA UINT64_C(0x100000000) /* 4 GiB, so the upper bits are 4 */

struct fake {
	struct accel_qp qp;
	struct accel_inflight inflight[NB_DESC];
	uint8_t refusals[NB_DESC];
	struct accel_hw_command commands[NB_DESC];
	uint64_t tx[RING_SIZE];
	uint64_t rx[RING_SIZE];
	uint64_t doorbell;
	struct accel_dev dev;
};

/* An operation with its IV behind it, and its mbufs. */
struct fake_op {
	struct rte_crypto_op op;
	struct rte_crypto_sym_op sym;
	uint8_t iv[16];
	struct rte_mbuf mbuf[3];
};

extern struct fake fake;

union fake_session {
	struct rte_cryptodev_sym_session s;
	uint8_t room[sizeof(struct rte_cryptodev_sym_session) + sizeof(struct accel_session) + 64];
};

extern union fake_session session_memory __rte_cache_aligned;

struct accel_session *session_reset(enum accel_hw_kind kind);

/* Makes a session whose digest is ciphered if it lies in the cipher region. */
void session_cipher_digest(struct accel_session *sess);

int setup(void **state);

/* Makes an mbuf of one segment at this IOVA. */
void mbuf_at(struct rte_mbuf *m, uint64_t iova, uint16_t len);

struct rte_crypto_op *op_at(struct fake_op *f, uint64_t iova, uint16_t len);

/* Appends segment n. */
void chain(struct fake_op *f, unsigned int n, uint64_t iova, uint16_t len);

#endif /* UNIT_FAKE_QP_H */
