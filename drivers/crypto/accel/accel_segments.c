/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Segmented mbufs and operations out of place: see accel_segments.h. What is written for an
 * operation counts only when all of it is, so that each step can give up.
 */
#include <rte_mbuf.h>

#include "accel_segments.h"
#include "accel_session.h"
#include "accel_shape.h"
#include "accel_side.h"

#define NEXT ACCEL_HW_DESC2_NEXT

/*
 * len > 0 bytes of an mbuf chain, the last piece with these bits, on one side, or, where they are
 * the same, on two. False if the chain has less, or as accel_side_put().
 */
static ACCEL_VARIANTS bool
put_mbuf(struct accel_side *side, uint64_t bits, struct accel_side *other, uint64_t other_bits,
	 const struct rte_mbuf *m, uint32_t off, uint32_t len)
{
	uint32_t piece;

	for (; off >= m->data_len; m = m->next) {
		off -= m->data_len;
		if (m->next == NULL)
			return false;
	}
	piece = m->data_len - off;
	while (piece < len) {
		const uint64_t iova = rte_pktmbuf_iova_offset(m, off);

		if (likely(piece != 0) &&
		    (!accel_side_put(side, iova, piece, NEXT) ||
		     (other != NULL && !accel_side_put(other, iova, piece, NEXT))))
			return false;
		len -= piece;
		off = 0;
		m = m->next;
		if (unlikely(m == NULL))
			return false;
		piece = m->data_len;
	}
	return accel_side_put(side, rte_pktmbuf_iova_offset(m, off), len, bits) &&
	       (other == NULL ||
		accel_side_put(other, rte_pktmbuf_iova_offset(m, off), len, other_bits));
}

/* False, with nothing written that counts, if the operation is not for this way. */
static ACCEL_VARIANTS bool
put_op(struct accel_qp *qp, struct accel_side *tx, struct accel_side *rx, struct rte_crypto_op *op,
       const struct accel_session *sess, uint32_t tag, const enum accel_hw_kind kind)
{
	const struct rte_crypto_sym_op *sym = op->sym;
	const uint32_t slot = tag & qp->desc_mask;
	const uint64_t verify = kind != ACCEL_HW_KIND_CIPHER && sess->verify ? NEXT : 0;
	const uint64_t generate = kind != ACCEL_HW_KIND_CIPHER && sess->generate ? NEXT : 0;
	const bool apart = sym->m_dst != NULL && sym->m_dst != sym->m_src;
	struct accel_regions regions;
	struct accel_shape shape;
	bool ok;

	accel_regions_of(kind, sym, &regions);
	accel_shape_of(kind, &regions, &shape);
	if (kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH && apart)
		accel_shape_whole(&shape);
	if (unlikely((kind == ACCEL_HW_KIND_AUTH && apart) ||
		     !accel_has_parts(qp, sess, &shape, kind)))
		return false;
	accel_side_begin(tx, qp);
	accel_side_begin(rx, qp);
	if (unlikely(tx->most == 0))
		return false;

	tx->most--;
	accel_side_command(tx, qp, slot);
	if (kind == ACCEL_HW_KIND_AEAD && sess->aad_len != 0 &&
	    !accel_side_put(tx, shape.aad + sess->aad_offset, sess->aad_len, NEXT))
		return false;
	if ((kind == ACCEL_HW_KIND_CIPHER || kind == ACCEL_HW_KIND_AEAD) && !apart)
		ok = put_mbuf(tx, verify, rx, generate, sym->m_src, shape.src_off,
			      (uint32_t)shape.src_len);
	else
		ok = put_mbuf(tx, verify, NULL, 0, sym->m_src, shape.src_off,
			      (uint32_t)shape.src_len) &&
		     (kind == ACCEL_HW_KIND_AUTH ||
		      put_mbuf(rx, generate, NULL, 0, apart ? sym->m_dst : sym->m_src,
			       shape.dst_off, (uint32_t)shape.dst_len));
	if (verify != 0)
		ok = ok && accel_side_put(tx, shape.digest, sess->digest_len, 0);
	if (generate != 0)
		ok = ok && accel_side_put(rx, shape.digest, sess->digest_len, 0);
	if (likely(ok))
		accel_write_command(&qp->commands[slot], sess, op, &shape, tag, kind);
	return ok;
}

/* The rings get what was written of an operation as a whole; the last one may be given up. */
static ACCEL_VARIANTS uint32_t
put_ops(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod,
	const enum accel_hw_kind kind)
{
	const struct rte_cryptodev_sym_session *session = NULL;
	struct accel_side tx = accel_side_of(&qp->tx), rx = accel_side_of(&qp->rx);
	const struct accel_session *sess = NULL;
	uint32_t i;

	if (unlikely(accel_side_is_new(&tx) || accel_side_is_new(&rx)))
		return 0;
	for (i = 0; i < n; i++) {
		struct rte_crypto_op *op = ops[i];

		if (unlikely(!accel_has_session(op) || op->sym->m_src == NULL))
			break;
		if (unlikely(op->sym->session != session || session == NULL)) {
			session = op->sym->session;
			sess = accel_own_session(session);
			if (sess == NULL || accel_session_straight(sess) != kind)
				break;
		}
		if (!accel_is_odd_mbuf(op->sym))
			break;
		accel_side_claim(qp, prod + i, i, n);
		if (unlikely(!put_op(qp, &tx, &rx, op, sess, prod + i, kind)))
			break;
		qp->tx.prod = tx.ring.prod;
		qp->tx.region = tx.ring.region;
		qp->rx.prod = rx.ring.prod;
		qp->rx.region = rx.ring.region;
		accel_set_inflight(&qp->inflight[(prod + i) & qp->desc_mask], op, 0, &tx.ring,
				   &rx.ring);
	}
	return i;
}

uint32_t
accel_enqueue_segments(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod)
{
	const struct accel_session *sess = accel_op_session(ops[0]);

	if (sess == NULL)
		return 0;
	accel_ring_freed(&qp->tx, accel_load_acquire(&qp->tx_cons));
	accel_ring_freed(&qp->rx, accel_load_acquire(&qp->rx_cons));
	switch (accel_session_straight(sess)) {
	case ACCEL_HW_KIND_CIPHER:
		return put_ops(qp, ops, n, prod, ACCEL_HW_KIND_CIPHER);
	case ACCEL_HW_KIND_AUTH:
		return put_ops(qp, ops, n, prod, ACCEL_HW_KIND_AUTH);
	case ACCEL_HW_KIND_CIPHER_THEN_AUTH:
		return put_ops(qp, ops, n, prod, ACCEL_HW_KIND_CIPHER_THEN_AUTH);
	case ACCEL_HW_KIND_AEAD:
		return put_ops(qp, ops, n, prod, ACCEL_HW_KIND_AEAD);
	default:
		return 0;
	}
}
