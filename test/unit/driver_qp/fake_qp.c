/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A queue pair, operations, mbufs and a session in plain memory, for tests of enqueue without a
 * device.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver_qp/fake_qp.h"

struct fake fake;

union fake_session session_memory __rte_cache_aligned;

struct accel_session *
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

void
session_cipher_digest(struct accel_session *sess)
{
	sess->digest_may_be_ciphered = 1;
	sess->owner = accel_session_owner(0);
}

int
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

void
mbuf_at(struct rte_mbuf *m, uint64_t iova, uint16_t len)
{
	memset(m, 0, sizeof(*m));
	m->buf_iova = iova;
	m->buf_len = len;
	m->data_len = len;
	m->pkt_len = len;
	m->nb_segs = 1;
}

struct rte_crypto_op *
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

void
chain(struct fake_op *f, unsigned int n, uint64_t iova, uint16_t len)
{
	mbuf_at(&f->mbuf[n], iova, len);
	f->mbuf[n - 1].next = &f->mbuf[n];
	f->mbuf[0].nb_segs = n + 1;
	f->mbuf[0].pkt_len += len;
}
