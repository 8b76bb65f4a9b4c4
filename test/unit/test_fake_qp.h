/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair, operations, mbufs and a session in plain memory, for tests of enqueue without a
 * device.
 */
#ifndef TEST_FAKE_QP_H
#define TEST_FAKE_QP_H

#include <stdint.h>
#include <string.h>

#include <rte_mbuf.h>

#include "accel_dev.h"
#include "accel_queue.h"
#include "accel_queue_setup.h"
#include "accel_ring.h"
#include "accel_session.h"
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

static struct fake fake;

union fake_session {
	struct rte_cryptodev_sym_session s;
	uint8_t room[sizeof(struct rte_cryptodev_sym_session) + sizeof(struct accel_session) + 64];
};

static union fake_session session_memory __rte_cache_aligned;

static inline struct accel_session *
session_reset(enum accel_hw_kind kind)
{
	struct accel_session *sess;

	memset(&session_memory, 0, sizeof(session_memory));
	sess = (struct accel_session *)session_memory.s.driver_priv_data;
	sess->kind = kind;
	sess->owner = accel_session_owner(kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER ?
						  ACCEL_HW_KIND_CIPHER_THEN_AUTH :
						  kind);
	sess->command.opcode = ACCEL_HW_OP_SYM;
	sess->command.context = 0x77777740;
	sess->command.generation = 9;
	sess->iv_offset = offsetof(struct fake_op, iv);
	sess->iv_len = 16;
	return sess;
}

/* Makes a session whose digest is ciphered if it lies in the cipher region. */
static inline void
session_cipher_digest(struct accel_session *sess)
{
	sess->digest_may_be_ciphered = 1;
	sess->owner = accel_session_owner(0);
}

static inline int
setup(void **state)
{
	struct accel_qp *qp = &fake.qp;

	(void)state;
	memset(&fake, 0, sizeof(fake));
	qp->nb_desc = NB_DESC;
	qp->desc_mask = NB_DESC - 1;
	qp->rsp_size = NB_DESC * 2;
	qp->inflight = fake.inflight;
	qp->refusals = fake.refusals;
	accel_qp_set_commands(qp, fake.commands, CMD_IOVA);
	qp->doorbell = &fake.doorbell;
	qp->max_fragments = 16;
	qp->max_frame_bytes = 65536;
	qp->mode = ACCEL_QP_RUNNING;
	qp->dev = &fake.dev;
	accel_ring_init(&qp->tx, fake.tx, RING_SIZE);
	accel_ring_init(&qp->rx, fake.rx, RING_SIZE);
	return 0;
}

/* Makes an mbuf of one segment at this IOVA. */
static inline void
mbuf_at(struct rte_mbuf *m, uint64_t iova, uint16_t len)
{
	memset(m, 0, sizeof(*m));
	m->buf_iova = iova;
	m->buf_len = len;
	m->data_len = len;
	m->pkt_len = len;
	m->nb_segs = 1;
}

static inline struct rte_crypto_op *
op_at(struct fake_op *f, uint64_t iova, uint16_t len)
{
	memset(f, 0, sizeof(*f));
	memset(f->iv, 0x11, sizeof(f->iv));
	mbuf_at(&f->mbuf[0], iova, len);
	f->op.type = RTE_CRYPTO_OP_TYPE_SYMMETRIC;
	f->op.sess_type = RTE_CRYPTO_OP_WITH_SESSION;
	f->op.status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
	f->sym.session = &session_memory.s;
	f->sym.m_src = &f->mbuf[0];
	f->sym.cipher.data.length = len;
	return &f->op;
}

/* Appends segment n. */
static inline void
chain(struct fake_op *f, unsigned int n, uint64_t iova, uint16_t len)
{
	mbuf_at(&f->mbuf[n], iova, len);
	f->mbuf[n - 1].next = &f->mbuf[n];
	f->mbuf[0].nb_segs = n + 1;
	f->mbuf[0].pkt_len += len;
}

#endif /* TEST_FAKE_QP_H */
