/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The general path of enqueue: see accel_general.h.
 */
#include <errno.h>

#include <rte_mbuf.h>

#include "accel_bits.h"
#include "accel_general.h"
#include "accel_logs.h"
#include "accel_protocol.h"
#include "accel_sessionless.h"
#include "accel_shape.h"

/* Why an operation was turned into one that only returns its status. */
static const char bad_type[] = "operation is not symmetric, or its session type is not offered";
static const char bad_session[] = "operation without a session of this driver";
static const char bad_xform[] = "sessionless operation without transforms or with invalid ones";
static const char unknown_xform[] = "sessionless operation with transforms that are not supported";
static const char no_memory[] = "no memory for a sessionless operation";
static const char no_source[] = "operation without source mbuf";
static const char too_short[] = "cipher, auth or AEAD region reaches beyond the mbuf's data";
static const char no_digest[] = "operation without digest address";
static const char no_aad[] = "operation without AAD address";
static const char too_many[] = "more segments or bytes than the device takes (max-fragments, "
			       "max-frame-bytes of its device tree)";
static const char odd_bits[] = "offset or length in bits that is not a number of bytes, which the "
			       "device does not take or the application disabled";
static const char odd_digest[] = "digest to be ciphered, and an offset or length in bits that is "
				 "not a number of bytes";
static const char in_cipher[] = "digest inside the cipher region, not right behind the auth region";

/* Does an IOVA lie within a region of an mbuf chain? */
static bool
mbuf_has_iova(const struct rte_mbuf *m, uint32_t off, uint64_t len, uint64_t iova)
{
	for (; m != NULL && len > 0; m = m->next) {
		uint32_t piece;

		if (off >= m->data_len) {
			off -= m->data_len;
			continue;
		}
		piece = (uint32_t)RTE_MIN(len, (uint64_t)(m->data_len - off));
		if (iova - rte_pktmbuf_iova_offset(m, off) < piece)
			return true;
		len -= piece;
		off = 0;
	}
	return false;
}

/* The IOVA of a byte of an mbuf chain, 0 if the chain ends before. */
static rte_iova_t
mbuf_iova_at(const struct rte_mbuf *m, uint64_t off)
{
	for (; m != NULL; m = m->next) {
		if (off < m->data_len)
			return rte_pktmbuf_iova_offset(m, off);
		off -= m->data_len;
	}
	return 0;
}

/* Does the digest lie where it is to be ciphered, in either mbuf? */
static bool
digest_in_stream(const struct accel_qp *qp, const struct accel_session *sess,
		 const struct rte_crypto_sym_op *sym, const struct accel_regions *regions)
{
	const uint64_t at = accel_digest_place(regions);

	return accel_digest_in_place(qp, sess, regions) &&
	       (mbuf_iova_at(sym->m_src, at) == regions->digest ||
		mbuf_iova_at(sym->m_dst, at) == regions->digest);
}

/* What makes an operation impossible whatever the room is; NULL if nothing does. */
static const char *
find_refusal(const struct accel_session *sess, const struct rte_crypto_sym_op *sym,
	     const struct accel_shape *shape)
{
	const struct rte_mbuf *dst = sym->m_dst != NULL ? sym->m_dst : sym->m_src;

	if (sess->digest_len != 0 && shape->digest == 0)
		return no_digest;
	if (sess->aad_len != 0 && shape->aad == 0)
		return no_aad;
	if (sess->digest_may_be_ciphered && !accel_shape_in_stream(shape) &&
	    (mbuf_has_iova(sym->m_src, shape->dst_off, shape->dst_len, shape->digest) ||
	     mbuf_has_iova(dst, shape->dst_off, shape->dst_len, shape->digest)))
		return in_cipher;
	return NULL;
}

static int
put_request(struct accel_qp *qp, struct accel_ring *tx, const struct accel_session *sess,
	    const struct rte_crypto_sym_op *sym, const struct accel_shape *shape, uint32_t slot)
{
	struct accel_frame frame;

	accel_qp_begin_request(qp, &frame, tx, slot);
	accel_frame_add(&frame, shape->aad + sess->aad_offset, sess->aad_len);
	if (accel_frame_add_mbuf(&frame, sym->m_src, shape->src_off, shape->src_len, false) != 0)
		return -EINVAL;
	if (sess->verify && !accel_shape_in_stream(shape))
		accel_frame_add(&frame, shape->digest, sess->digest_len);
	return accel_frame_end(&frame);
}

static int
put_result(struct accel_qp *qp, struct accel_ring *rx, const struct accel_session *sess,
	   const struct rte_crypto_sym_op *sym, const struct accel_shape *shape)
{
	const struct rte_mbuf *dst = sym->m_dst != NULL ? sym->m_dst : sym->m_src;
	struct accel_frame frame;

	accel_frame_begin(&frame, rx, qp->max_fragments, qp->max_frame_bytes);
	if (accel_frame_add_mbuf(&frame, dst, shape->dst_off, shape->dst_len, false) != 0)
		return -EINVAL;
	if (sess->generate && !accel_shape_in_stream(shape))
		accel_frame_add(&frame, shape->digest, sess->digest_len);
	return accel_frame_end(&frame);
}

/* Are offsets and lengths possible that are not whole bytes? */
static bool
takes_bits(const struct accel_qp *qp, const struct accel_session *sess)
{
	return sess->odd_bits &&
	       (qp->dev->active_flags & RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA) != 0;
}

/* Does a byte of the digest, which would have to be ciphered then, lie in the cipher region? */
static bool
ciphers_digest(const struct accel_session *sess, const struct rte_crypto_sym_op *sym,
	       const struct accel_shape *shape)
{
	const struct rte_mbuf *dst = sym->m_dst != NULL ? sym->m_dst : sym->m_src;
	uint64_t at;

	if (!sess->digest_may_be_ciphered)
		return false;
	for (at = shape->digest; at < shape->digest + sess->digest_len; at++) {
		if (mbuf_has_iova(sym->m_src, shape->dst_off, shape->dst_len, at) ||
		    mbuf_has_iova(dst, shape->dst_off, shape->dst_len, at))
			return true;
	}
	return false;
}

/*
 * A program that keeps no lengths in its mbufs, as DPDK's own test of error recovery, leaves 0 in
 * the only segment. Of such an mbuf the buffer is the limit, by way of a copy that says so; one
 * that has a length keeps to it.
 */
static struct rte_mbuf *
measured(struct rte_mbuf *m, struct rte_mbuf *copy)
{
	if (m == NULL || m->nb_segs != 1 || m->next != NULL || m->data_len != 0 ||
	    m->data_off > m->buf_len)
		return m;
	*copy = *m;
	copy->data_len = m->buf_len - m->data_off;
	return copy;
}

/* 0, -ENOSPC (rings full), or -EINVAL with the reason. The caller puts the rings back. */
static int
enqueue_general(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx,
		struct rte_crypto_op *op, const struct accel_session *sess, uint32_t tag,
		const char **reason)
{
	const struct rte_crypto_sym_op *sym = op->sym;
	const uint32_t slot = tag & qp->desc_mask;
	struct rte_mbuf src, dst;
	struct rte_crypto_sym_op in_bytes;
	const bool odd = !accel_bits_to_bytes(sess, sym, &in_bytes);
	struct accel_regions regions;
	struct accel_shape shape;
	int ret;

	*reason = odd_bits;
	if (unlikely(odd) && !takes_bits(qp, sess))
		return -EINVAL;
	in_bytes.m_src = measured(sym->m_src, &src);
	in_bytes.m_dst = in_bytes.m_src;
	if (sym->m_dst != sym->m_src)
		in_bytes.m_dst = measured(sym->m_dst, &dst);
	sym = &in_bytes;
	accel_regions_of(sess->kind, sym, &regions);
	accel_shape_of(sess->kind, &regions, &shape);
	/* With odd bits it has no place there (rte_crypto_sym.h). */
	if (unlikely(sess->digest_may_be_ciphered) && !odd &&
	    digest_in_stream(qp, sess, sym, &regions))
		accel_shape_digest_in_stream(sess, &regions, &shape);
	*reason = find_refusal(sess, sym, &shape);
	if (unlikely(odd) && ciphers_digest(sess, sym, &shape))
		*reason = odd_digest;
	if (*reason != NULL)
		return -EINVAL;
	accel_shape_finish(sess, sym->m_dst != NULL && sym->m_dst != sym->m_src, &shape);
	ret = put_request(qp, tx, sess, sym, &shape, slot);
	if (ret == 0 && (shape.flags & ACCEL_HW_CMD_NO_RX) == 0)
		ret = put_result(qp, rx, sess, sym, &shape);
	if (ret == 0) {
		accel_write_command(&qp->commands[slot], sess, accel_op_iv(op, sess),
				    accel_op_auth_iv(op, sess), &shape, tag, sess->kind);
		qp->commands[slot].flags = (uint8_t)shape.flags; /* not the session's */
		if (unlikely(odd))
			ret = accel_bits_command(&qp->commands[slot], sess, op->sym, shape.src_off);
	}
	*reason = ret == -EINVAL ? too_short : too_many;
	return ret == -E2BIG ? -EINVAL : ret;
}

/* Why an operation has no session that this driver can use. */
static const char *
session_refusal(const struct rte_crypto_op *op)
{
	if (op->type != RTE_CRYPTO_OP_TYPE_SYMMETRIC ||
	    op->sess_type != RTE_CRYPTO_OP_WITH_SESSION)
		return bad_type;
	return op->sym->session != NULL && op->sym->m_src == NULL ? no_source : bad_session;
}

static enum rte_crypto_op_status
refusal_status(const char *reason)
{
	if (reason == bad_session || reason == unknown_xform)
		return RTE_CRYPTO_OP_STATUS_INVALID_SESSION;
	return reason == no_memory ? RTE_CRYPTO_OP_STATUS_ERROR : RTE_CRYPTO_OP_STATUS_INVALID_ARGS;
}

/* In the place of an operation that cannot be carried out: a command that does nothing, so that the
 * operation comes back in its turn. False if the ring is full. */
static bool
enqueue_refused(struct accel_qp *qp, struct accel_ring *tx, uint32_t tag, const char *reason)
{
	const uint32_t slot = tag & qp->desc_mask;
	struct accel_frame frame;

	accel_qp_begin_request(qp, &frame, tx, slot);
	if (accel_frame_end(&frame) != 0)
		return false;
	qp->commands[slot] = (struct accel_hw_command){
		.tag = rte_cpu_to_le_32(tag),
		.opcode = ACCEL_HW_OP_NOP,
		.flags = ACCEL_HW_CMD_NO_RX,
	};
	qp->refusals[slot] = (uint8_t)refusal_status(reason);
	qp->enqueue_err++;
	ACCEL_LOG_LIMITED(&qp->refusal_log, WARNING,
			  "dev %u qp %u: %s; it comes back with status %d", qp->dev_id, qp->id,
			  reason, refusal_status(reason));
	return true;
}

static bool
is_protocol(const struct accel_qp *qp, const struct rte_crypto_op *op)
{
	return op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC &&
	       op->sess_type == RTE_CRYPTO_OP_SECURITY_SESSION &&
	       (qp->dev->active_flags & RTE_CRYPTODEV_FF_SECURITY) != 0;
}

/* With a security session. As enqueue_general(). */
static int
enqueue_protocol(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx,
		 struct rte_crypto_op *op, uint32_t tag, const char **reason, uintptr_t *kind)
{
	const struct accel_session *sess = accel_protocol_of(op->sym->session);
	int ret;

	*reason = bad_session;
	if (sess == NULL)
		return -EINVAL;
	ret = accel_protocol_put(qp, tx, rx, op, sess, tag, reason);
	*kind = accel_protocol_kind(sess);
	if (ret == -E2BIG)
		*reason = too_many;
	return ret == -E2BIG ? -EINVAL : ret;
}

static bool
is_sessionless(const struct accel_qp *qp, const struct rte_crypto_op *op)
{
	return op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC &&
	       op->sess_type == RTE_CRYPTO_OP_SESSIONLESS && op->sym->m_src != NULL &&
	       (qp->dev->active_flags & RTE_CRYPTODEV_FF_SYM_SESSIONLESS) != 0;
}

/* With a session of our own. As enqueue_general(). */
static int
enqueue_sessionless(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx,
		    struct rte_crypto_op *op, uint32_t tag, const char **reason)
{
	struct accel_session *sess;
	int ret = -EINVAL;

	if (op->sym->xform != NULL)
		ret = accel_sessionless_get(qp, op->sym->xform, &sess);
	if (ret != 0) {
		*reason = ret == -ENOMEM ? no_memory : ret == -ENOTSUP ? unknown_xform : bad_xform;
		return -EINVAL;
	}
	ret = enqueue_general(qp, tx, rx, op, sess, tag, reason);
	if (ret == 0)
		accel_sessionless_keep(qp, tag & qp->desc_mask, sess);
	else
		accel_sessionless_drop(qp, sess);
	return ret;
}

bool
accel_enqueue_odd(struct accel_qp *qp, struct rte_crypto_op *op, uint32_t tag)
{
	const struct accel_session *sess = accel_op_session(op);
	const bool sessionless = sess == NULL && is_sessionless(qp, op);
	struct accel_ring *tx = &qp->tx, *rx = &qp->rx;
	struct accel_ring tx_mark, rx_mark;
	const char *reason = NULL;
	uintptr_t kind = sessionless ? ACCEL_OP_SESSIONLESS : ACCEL_OP_PLAIN;
	int ret = -EINVAL;

	accel_ring_freed(tx, accel_load_acquire(&qp->tx_cons));
	accel_ring_freed(rx, accel_load_acquire(&qp->rx_cons));
	tx_mark = *tx;
	rx_mark = *rx;
	if (sessionless)
		ret = enqueue_sessionless(qp, tx, rx, op, tag, &reason);
	else if (sess == NULL && is_protocol(qp, op))
		ret = enqueue_protocol(qp, tx, rx, op, tag, &reason, &kind);
	else if (sess == NULL)
		reason = session_refusal(op);
	else
		ret = enqueue_general(qp, tx, rx, op, sess, tag, &reason);
	if (ret == 0) {
		accel_set_inflight(&qp->inflight[tag & qp->desc_mask], op, kind, tx, rx);
		return true;
	}

	/* Abandoned: position and upper bits of both rings go back together. */
	*tx = tx_mark;
	*rx = rx_mark;
	if (ret == -ENOSPC) {
		/* Rings that are empty and still too small will never do; others become free. */
		if (accel_ring_room(tx) != tx->mask || accel_ring_room(rx) != rx->mask)
			return false;
		reason = too_many;
	}
	if (!enqueue_refused(qp, tx, tag, reason))
		return false;
	accel_set_inflight(&qp->inflight[tag & qp->desc_mask], op, ACCEL_OP_REFUSED, tx, rx);
	return true;
}
