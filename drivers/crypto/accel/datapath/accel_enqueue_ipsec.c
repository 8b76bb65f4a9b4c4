/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The fast path of IPsec. See accel_enqueue_ipsec.h.
 */
#include <rte_prefetch.h>
#include <rte_security_driver.h>

#include "accel_command.h"
#include "accel_compat.h"
#include "accel_enqueue_ipsec.h"
#include "accel_ipsec_op.h"
#include "accel_protocol.h"
#include "accel_queue.h"
#include "accel_ring.h"
#include "accel_session.h"
#include "accel_shape.h"

/* The descriptors of an operation, each with a type 0: command and source, and the result. */
#define TX_SLOTS (2 * ACCEL_SLOTS_PER_FRAGMENT)
#define RX_SLOTS ACCEL_SLOTS_PER_FRAGMENT

/* Where the next operation is written. Nothing wraps, as in accel_enqueue.c. */
struct run {
	struct accel_hw_command *command;
	struct accel_inflight *entry;
	struct accel_ring tx;
	struct accel_ring rx;
};

static inline bool
is_protocol_op(const struct rte_crypto_op *op)
{
	return op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC &&
	       op->sess_type == RTE_CRYPTO_OP_SECURITY_SESSION;
}

/* The session of an operation, if it is an SA of this driver in that direction; else NULL. */
static inline const struct accel_session *
sa_of(const void *session, bool outbound)
{
	const struct accel_session *sess = accel_protocol_of(session);

	if (sess == NULL || !accel_is_ipsec(sess->kind) || sess->generate != outbound ||
	    (sess->ipsec_rules & ACCEL_IPSEC_HEAD_VARIES) != 0)
		return NULL;
	return sess;
}

static ACCEL_VARIANTS void
put_command(struct accel_hw_command *cmd, struct rte_crypto_op *op,
	    const struct accel_session *sess, uint32_t tag, const bool outbound)
{
	const struct accel_shape shape = {
		.skip = accel_ipsec_skip(op->sym->m_src, outbound, false),
		.cipher_len = op->sym->m_src->data_len,
	};

	accel_write_words(cmd, sess, &shape, tag);
	if (outbound && sess->iv_len != 0)
		accel_put_iv(cmd->iv, accel_op_iv(op, sess), sess->iv_len);
}

/*
 * Writes one operation. There is room for TX_SLOTS and RX_SLOTS. False if it is not for this path;
 * then the caller drops the run's rings.
 */
static ACCEL_VARIANTS bool
put_op(const struct accel_qp *qp, struct run *run, struct rte_crypto_op *op,
       const struct accel_session *sess, uint32_t tag, const bool outbound)
{
	const struct rte_mbuf *m = op->sym->m_src;
	uint32_t len, head = 0, result;
	uint64_t iova;

	if (unlikely(!accel_ipsec_is_fast(op->sym, sess, outbound)))
		return false;
	iova = rte_pktmbuf_iova_offset(m, 0);
	len = result = m->data_len;
	if (outbound) {
		head = sess->ipsec_head;
		result += head + accel_ipsec_tail(m, sess);
	}
	if (unlikely(len == 0 || result > ACCEL_HW_DESC2_LEN_MAX || result > qp->max_frame_bytes))
		return false;
	if (!qp->commands_located)
		accel_ring_reach(&run->tx, qp->command_region);
	accel_ring_push(&run->tx, qp->command_desc + ((uintptr_t)run->command -
						      (uintptr_t)qp->commands));
	if (unlikely(!accel_ring_put_fragment(&run->tx, iova, len, 0) ||
		     !accel_ring_put_fragment(&run->rx, iova - head, result, 0)))
		return false;
	put_command(run->command, op, sess, tag, outbound);
	return true;
}

/*
 * A burst with more than one SA tends to have many, and each may be a cache miss. So those of the
 * next operations are prefetched together with their commands' lines.
 */
static inline void
fetch_sessions(struct rte_crypto_op **ops, uint32_t n)
{
	const size_t priv = offsetof(struct rte_security_session, driver_priv_data);
	uint32_t i;

	for (i = 0; i < n; i++) {
		rte_prefetch0(ops[i]->sym->session);
		rte_prefetch0((const void *)((uintptr_t)ops[i]->sym->session + priv));
	}
}

/* Writes operations of one direction and returns their number. n of them fit without a wrap. */
static ACCEL_VARIANTS uint32_t
put_ops(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod,
	const bool outbound)
{
	const uint32_t slot = prod & qp->desc_mask;
	struct run run = {
		.command = &qp->commands[slot],
		.entry = &qp->inflight[slot],
		.tx = accel_ring_lap(&qp->tx),
		.rx = accel_ring_lap(&qp->rx),
	};
	const bool many = ops[n - 1]->sym->session != ops[0]->sym->session;
	const struct accel_session *sess = NULL;
	const void *session = NULL;
	uint32_t i;

	n = RTE_MIN(n, accel_ring_room(&run.tx) / TX_SLOTS);
	n = RTE_MIN(n, accel_ring_room(&run.rx) / RX_SLOTS);
	for (i = 0; i < n; i++) {
		struct rte_crypto_op *op = ops[i];

		if (i % ACCEL_CLAIM_AT_ONCE == 0) {
			accel_claim_commands(run.command, n - i);
			if (many)
				fetch_sessions(ops + i, RTE_MIN(n - i, ACCEL_CLAIM_AT_ONCE));
		}
		if (unlikely(!is_protocol_op(op)))
			break;
		if (unlikely(op->sym->session != session)) {
			session = op->sym->session;
			sess = sa_of(session, outbound);
		}
		if (unlikely(sess == NULL || !put_op(qp, &run, op, sess, prod + i, outbound)))
			break;
		qp->tx.prod = run.tx.prod;
		qp->tx.region = run.tx.region;
		qp->rx.prod = run.rx.prod;
		qp->rx.region = run.rx.region;
		accel_set_inflight(run.entry++, op, ACCEL_OP_PROTOCOL, &run.tx, &run.rx);
		run.command++;
	}
	return i;
}

static uint32_t
enqueue_outbound(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod)
{
	return put_ops(qp, ops, n, prod, true);
}

static uint32_t
enqueue_inbound(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod)
{
	return put_ops(qp, ops, n, prod, false);
}

uint32_t
accel_enqueue_ipsec(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod)
{
	const struct accel_session *sess;

	if (!is_protocol_op(ops[0]) || accel_ring_is_new(&qp->tx, &qp->rx) ||
	    (qp->dev->active_flags & RTE_CRYPTODEV_FF_SECURITY) == 0)
		return 0;
	sess = accel_protocol_of(ops[0]->sym->session);
	if (sess == NULL)
		return 0;
	accel_ring_freed(&qp->tx, accel_load_acquire(&qp->tx_cons));
	accel_ring_freed(&qp->rx, accel_load_acquire(&qp->rx_cons));
	n = RTE_MIN(n, qp->nb_desc - (prod & qp->desc_mask));
	return sess->generate ? enqueue_outbound(qp, ops, n, prod) :
				enqueue_inbound(qp, ops, n, prod);
}
