/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the fast path of DOCSIS and PDCP: operations of one segment, in place. See accel_enqueue.h.
 */
#include "accel_batch.h"
#include "accel_command.h"
#include "accel_enqueue.h"
#include "accel_protocol.h"
#include "accel_queue.h"
#include "accel_ring.h"
#include "accel_security.h"
#include "accel_segments.h"
#include "accel_session.h"
#include "accel_shape.h"

/*
 * An operation takes at most these slots: a descriptor and a type 0 each for command, source and
 * result.
 */
#define TX_SLOTS (2 * ACCEL_SLOTS_PER_FRAGMENT)
#define RX_SLOTS ACCEL_SLOTS_PER_FRAGMENT

static_assert(ACCEL_HW_MIN_MAX_FRAME_BYTES > UINT16_MAX, "one segment needs no limit");

/* True if an operation has this session and one segment, in place. */
static inline bool
is_single(const struct rte_crypto_op *op, const void *session)
{
	const struct rte_crypto_sym_op *sym = op->sym;
	const struct rte_mbuf *m = sym->m_src;

	return likely(op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC &&
		      op->sess_type == RTE_CRYPTO_OP_SECURITY_SESSION &&
		      sym->session == session && m != NULL) &&
	       likely(!accel_is_oop(sym) && m->nb_segs == 1 && m->pkt_len == m->data_len);
}

/* Makes the shape of an operation. Returns false if source or result do not lie in the segment. */
static ACCEL_VARIANTS bool
shape_of(const struct accel_session *sess, const struct rte_crypto_sym_op *sym,
	 struct accel_shape *shape, const enum accel_hw_kind kind)
{
	const struct rte_mbuf *m = sym->m_src;
	struct accel_regions regions;

	if (kind == ACCEL_HW_KIND_PDCP)
		return accel_protocol_shape_pdcp(sess, m->data_len, shape) &&
		       shape->dst_len <= accel_mbuf_capacity(m);
	accel_regions_of(ACCEL_HW_KIND_CIPHER_THEN_AUTH, sym, &regions);
	accel_protocol_shape_docsis(regions, shape);
	return shape->src_off + shape->src_len <= m->data_len;
}

/* Writes the frames of an operation, and a type 0 before each descriptor that is not near. */
static ACCEL_VARIANTS void
put_frames(const struct accel_qp *qp, struct accel_batch *batch, uint64_t iova,
	   const struct accel_shape *shape)
{
	if (!qp->commands_located)
		accel_ring_reach(&batch->tx, qp->command_region);
	accel_ring_push(&batch->tx, batch->command_desc + (uintptr_t)batch->command);
	accel_ring_put(&batch->tx, iova, (uint32_t)shape->src_len, 0);
	accel_ring_put(&batch->rx, iova, (uint32_t)shape->dst_len, 0);
}

/*
 * Writes n operations, which fit without a wrap, up to the first that is not for this path, and
 * returns their number. kind is a constant at each call.
 */
static ACCEL_VARIANTS uint32_t
put_ops(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod,
	const struct accel_session *sess, const enum accel_hw_kind kind)
{
	const uintptr_t entry = kind == ACCEL_HW_KIND_PDCP ? ACCEL_OP_PROTOCOL : ACCEL_OP_PLAIN;
	struct accel_batch batch = accel_batch_begin(qp, &qp->tx, &qp->rx, prod);
	const void *session = ops[0]->sym->session;
	uint32_t i;

	for (i = 0; i < n; i++) {
		struct rte_crypto_op *op = ops[i];
		struct accel_shape shape;
		uint64_t iova, most;

		if (i % ACCEL_CLAIM_AT_ONCE == 0)
			accel_claim_commands(batch.command, n - i);
		if (!is_single(op, session) || unlikely(!shape_of(sess, op->sym, &shape, kind)))
			break;
		iova = rte_pktmbuf_iova_offset(op->sym->m_src, shape.src_off);
		most = RTE_MAX(shape.src_len, shape.dst_len);
		if (unlikely(shape.src_len == 0 || shape.dst_len == 0 ||
			     !accel_one_region(iova, (uint32_t)most)))
			break;
		accel_write_command(batch.command, sess, accel_op_iv(op, sess), NULL, &shape,
				    prod + i, ACCEL_HW_KIND_CIPHER);
		batch.command->flags = (uint8_t)shape.flags; /* instead of the session's flags */
		if (kind == ACCEL_HW_KIND_PDCP && sess->iv_len != 0)
			accel_protocol_put_hfn(batch.command, accel_op_iv(op, sess));
		put_frames(qp, &batch, iova, &shape);
		accel_set_inflight(batch.entry++, op, entry, &batch.tx, &batch.rx);
		batch.command++;
	}
	accel_batch_keep(&batch, &qp->tx, &qp->rx, false);
	return i;
}

uint32_t
accel_enqueue_protocol(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod,
		       const struct accel_session *sess)
{
	uint32_t room;

	if (sess->kind != ACCEL_HW_KIND_DOCSIS && sess->kind != ACCEL_HW_KIND_PDCP)
		return 0;
	room = accel_batch_room(qp, prod, TX_SLOTS, RX_SLOTS);
	n = RTE_MIN(n, room);
	qp->ahead = 0;
	if (sess->kind == ACCEL_HW_KIND_PDCP)
		return put_ops(qp, ops, n, prod, sess, ACCEL_HW_KIND_PDCP);
	return put_ops(qp, ops, n, prod, sess, ACCEL_HW_KIND_DOCSIS);
}
