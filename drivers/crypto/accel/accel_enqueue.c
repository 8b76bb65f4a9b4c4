/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Enqueue: from rte_crypto_op to descriptors. The common operation (one segment, in place) takes
 * the straight path, all others the general one; both use the writer of accel_desc.h. An operation
 * that cannot be carried out is accepted all the same and comes back from dequeue, in its turn,
 * with a status that says why: callers do not look at operations that enqueue refused. So a short
 * return means "full" and nothing else.
 */
#include <errno.h>
#include <string.h>

#include <rte_io.h>
#include <rte_mbuf.h>
#include <rte_memcpy.h>
#include <rte_prefetch.h>
#include <rte_vect.h>

#include "accel_bits.h"
#include "accel_logs.h"
#include "accel_protocol.h"
#include "accel_queue.h"
#include "accel_session.h"
#include "accel_sessionless.h"

/* What an operation asks for, in the terms of the manual's section 7. Offsets into the mbuf's
 * data. */
struct accel_shape {
	uint32_t src_off;
	uint32_t dst_off;
	uint64_t src_len; /* 64 bits: offset plus length of the application may exceed 32 */
	uint64_t dst_len;
	uint32_t skip;
	uint32_t cipher_len;
	uint32_t auth_len;
	uint32_t flags; /* ACCEL_HW_CMD_* */
	uint64_t digest; /* IOVA */
	uint64_t aad; /* IOVA */
};

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

static inline bool
has_session(const struct rte_crypto_op *op)
{
	return op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC &&
	       op->sess_type == RTE_CRYPTO_OP_WITH_SESSION;
}

/* The driver's part of a session, NULL if there is none or it is another driver's. */
static inline const struct accel_session *
own_session(const struct accel_qp *qp, const struct rte_cryptodev_sym_session *session)
{
	if (unlikely(session == NULL || session->driver_id != qp->driver_id))
		return NULL;
	return (const struct accel_session *)session->driver_priv_data;
}

/* The session of an operation that this driver can look at, else NULL. */
static inline const struct accel_session *
op_session(const struct accel_qp *qp, const struct rte_crypto_op *op)
{
	if (unlikely(!has_session(op) || op->sym->m_src == NULL))
		return NULL;
	return own_session(qp, op->sym->session);
}

/* Two regions of one source: it reaches from the earlier start to the later end (manual 7.2). */
static inline void
shape_chain(const struct rte_crypto_sym_op *sym, struct accel_shape *shape)
{
	const uint32_t c_off = sym->cipher.data.offset, c_len = sym->cipher.data.length;
	const uint32_t a_off = sym->auth.data.offset, a_len = sym->auth.data.length;
	const bool auth_first = a_off < c_off;
	const uint32_t start = auth_first ? a_off : c_off;
	const uint64_t end = RTE_MAX((uint64_t)c_off + c_len, (uint64_t)a_off + a_len);

	*shape = (struct accel_shape){
		.src_off = start,
		.src_len = end - start,
		.dst_off = c_off,
		.dst_len = c_len,
		.skip = (auth_first ? c_off : a_off) - start,
		.flags = auth_first ? ACCEL_HW_CMD_AUTH_FIRST : 0,
		.cipher_len = c_len,
		.auth_len = a_len,
		.digest = sym->auth.digest.phys_addr,
	};
}

static ACCEL_VARIANTS void
shape_of(enum accel_hw_kind kind, const struct rte_crypto_sym_op *sym, struct accel_shape *shape)
{
	switch (kind) {
	case ACCEL_HW_KIND_CIPHER:
		*shape = (struct accel_shape){
			.src_off = sym->cipher.data.offset,
			.src_len = sym->cipher.data.length,
			.dst_off = sym->cipher.data.offset,
			.dst_len = sym->cipher.data.length,
			.cipher_len = sym->cipher.data.length,
		};
		break;
	case ACCEL_HW_KIND_AUTH:
		*shape = (struct accel_shape){
			.src_off = sym->auth.data.offset,
			.src_len = sym->auth.data.length,
			.auth_len = sym->auth.data.length,
			.digest = sym->auth.digest.phys_addr,
		};
		break;
	case ACCEL_HW_KIND_AEAD:
		*shape = (struct accel_shape){
			.src_off = sym->aead.data.offset,
			.src_len = sym->aead.data.length,
			.dst_off = sym->aead.data.offset,
			.dst_len = sym->aead.data.length,
			.cipher_len = sym->aead.data.length,
			.digest = sym->aead.digest.phys_addr,
			.aad = sym->aead.aad.phys_addr,
		};
		break;
	default:
		shape_chain(sym, shape);
		break;
	}
}

/* The IV is copied in its own length: behind it the application's memory may end. */
static inline void
copy_iv(uint8_t *dst, const uint8_t *src, uint32_t len)
{
	if (likely(len == 16))
		memcpy(dst, src, 16);
	else if (len == 12)
		memcpy(dst, src, 12);
	else if (len != 0)
		memcpy(dst, src, len);
}

/*
 * The command of manual 7.1: the session's line with what depends on the operation put in. Fields
 * that the kind does not use are 0 in the session's line. Put together in registers, since each
 * store counts: the line is in the device's cache, and stores wait for it in order.
 */
static ACCEL_VARIANTS void
write_command(struct accel_hw_command *cmd, const struct accel_session *sess,
	      struct rte_crypto_op *op, const struct accel_shape *shape, uint32_t tag,
	      enum accel_hw_kind kind)
{
	const bool chain = kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH ||
			   kind == ACCEL_HW_KIND_AUTH_THEN_CIPHER;
	rte_v128u32_t head; /* tag; opcode, flags, aad_len; context */
	rte_v128u32_t lengths; /* generation, skip, cipher_len, auth_len */

	memcpy(&head, &sess->command.tag, sizeof(head));
	memcpy(&lengths, &sess->command.generation, sizeof(lengths));
	head[0] = rte_cpu_to_le_32(tag);
	if (chain)
		lengths[1] = rte_cpu_to_le_32(shape->skip);
	if (kind != ACCEL_HW_KIND_AUTH)
		lengths[2] = rte_cpu_to_le_32(shape->cipher_len);
	if (chain || kind == ACCEL_HW_KIND_AUTH)
		lengths[3] = rte_cpu_to_le_32(shape->auth_len);
	memcpy(&cmd->tag, &head, sizeof(head));
	memcpy(&cmd->generation, &lengths, sizeof(lengths));
	if (chain)
		cmd->flags = (uint8_t)shape->flags;

	memcpy(cmd->auth_iv, sess->command.auth_iv, sizeof(cmd->auth_iv));
	if (kind == ACCEL_HW_KIND_AUTH || sess->iv_len != sizeof(cmd->iv))
		memcpy(cmd->iv, sess->command.iv, sizeof(cmd->iv));
	if (kind != ACCEL_HW_KIND_AUTH)
		copy_iv(cmd->iv, rte_crypto_op_ctod_offset(op, const uint8_t *, sess->iv_offset),
			sess->iv_len);
	if ((chain || kind == ACCEL_HW_KIND_AUTH) && sess->auth_iv_len != 0)
		copy_iv((uint8_t *)cmd + sess->auth_iv_at,
			rte_crypto_op_ctod_offset(op, const uint8_t *, sess->auth_iv_offset),
			sess->auth_iv_len);
}

static_assert(offsetof(struct accel_hw_command, context) == 8 &&
	      offsetof(struct accel_hw_command, generation) == 16 &&
	      offsetof(struct accel_hw_command, auth_len) == 28, "as write_command() puts it");

static inline uint64_t
command_iova(const struct accel_qp *qp, uint32_t slot)
{
	return qp->commands_iova + (uint64_t)slot * sizeof(struct accel_hw_command);
}

/* Are both rings at the region of 1 GiB that the commands lie in? Then what lies there, too, needs
 * no type 0. */
static inline bool
rings_near(const struct accel_qp *qp, const struct accel_ring *tx, const struct accel_ring *rx)
{
	return tx->upper == qp->command_upper && rx->upper == qp->command_upper;
}

/* Where the data of an operation lie: in the region of the commands, or each in any one. */
static ACCEL_VARIANTS bool
is_within(const struct accel_qp *qp, uint64_t iova, uint32_t len, const bool near)
{
	return near ? accel_in_region(qp->command_region, iova, len) : accel_one_region(iova, len);
}

/* Can the straight path take it? One segment, in place, nothing empty, nothing across 1 GiB.
 * Everything is looked at before anything is written. */
static ACCEL_VARIANTS bool
is_straight(const struct accel_qp *qp, const struct accel_session *sess,
	    const struct rte_crypto_sym_op *sym, const struct accel_shape *shape,
	    const enum accel_hw_kind kind, const bool near)
{
	const struct rte_mbuf *m = sym->m_src;

	if (m->nb_segs != 1 || unlikely(sym->m_dst != NULL && sym->m_dst != m))
		return false;
	if (shape->src_len == 0 || shape->src_off + shape->src_len > m->data_len ||
	    !is_within(qp, rte_pktmbuf_iova_offset(m, shape->src_off), shape->src_len, near))
		return false;
	if (kind == ACCEL_HW_KIND_CIPHER)
		return true;
	if (sess->digest_len != 0 &&
	    (shape->digest == 0 || !is_within(qp, shape->digest, sess->digest_len, near)))
		return false;
	if (kind == ACCEL_HW_KIND_AEAD && sess->aad_len != 0 &&
	    (shape->aad == 0 ||
	     !is_within(qp, shape->aad + sess->aad_offset, sess->aad_len, near)))
		return false;
	if (kind != ACCEL_HW_KIND_AUTH && (shape->dst_len == 0 || sess->digest_may_be_ciphered))
		return false;
	return shape->src_len + sess->aad_len + sess->digest_len <= qp->max_frame_bytes;
}

static ACCEL_VARIANTS void
put_straight(struct accel_ring *ring, uint64_t iova, uint32_t len, uint64_t bits, const bool near)
{
	if (near)
		accel_ring_put_near(ring, accel_desc2(iova, len, bits));
	else
		accel_ring_put(ring, iova, len, bits);
}

/*
 * The straight path: the whole way of the common operation. Kind and nearness are constants at each
 * call, so that each gets a body with what it needs and nothing else. The caller made sure of
 * ACCEL_TX_PER_OP and ACCEL_RX_PER_OP slots. False, with nothing written, if the operation is not
 * like that.
 */
static ACCEL_VARIANTS bool
enqueue_straight(const struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx,
		 struct rte_crypto_op *op, const struct accel_session *sess, uint32_t tag,
		 const enum accel_hw_kind kind, const bool near)
{
	const struct rte_crypto_sym_op *sym = op->sym;
	const uint32_t slot = tag & qp->desc_mask;
	const uint64_t command = qp->command_desc + slot * sizeof(struct accel_hw_command);
	const bool verify = kind != ACCEL_HW_KIND_CIPHER && sess->verify;
	const bool generate = kind != ACCEL_HW_KIND_CIPHER && sess->generate;
	struct accel_shape shape;
	uint64_t src;

	shape_of(kind, sym, &shape);
	if (unlikely(!is_straight(qp, sess, sym, &shape, kind, near)))
		return false;
	src = rte_pktmbuf_iova_offset(sym->m_src, shape.src_off);

	ACCEL_PROBE(ACCEL_PROBE_POST);
	write_command(&qp->commands[slot], sess, op, &shape, tag, kind);
	if (near)
		accel_ring_put_near(tx, command);
	else
		accel_ring_put_desc(tx, qp->command_upper, command);
	if (kind == ACCEL_HW_KIND_AEAD && sess->aad_len != 0)
		put_straight(tx, shape.aad + sess->aad_offset, sess->aad_len,
			     ACCEL_HW_DESC2_NEXT, near);
	put_straight(tx, src, shape.src_len, verify ? ACCEL_HW_DESC2_NEXT : 0, near);
	if (verify)
		put_straight(tx, shape.digest, sess->digest_len, 0, near);
	if (kind != ACCEL_HW_KIND_AUTH)
		put_straight(rx, src + shape.dst_off - shape.src_off, shape.dst_len,
			     generate ? ACCEL_HW_DESC2_NEXT : 0, near);
	if (generate)
		put_straight(rx, shape.digest, sess->digest_len, 0, near);
	return true;
}

/* Remember an operation that is in flight from now on. */
static inline void
set_inflight(struct accel_qp *qp, uint32_t prod, struct rte_crypto_op *op, uintptr_t flags,
	     const struct accel_ring *tx, const struct accel_ring *rx)
{
	struct accel_inflight *entry = &qp->inflight[prod & qp->desc_mask];

	*entry = (struct accel_inflight){
		.op = (uintptr_t)op | flags,
		.tx_end = tx->prod,
		.rx_end = rx->prod,
	};
	/* Callers use operations again, and crypto_scheduler looks at those in flight. */
	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
}

/* Where sessions change within a burst they tend to be many, and to come from far away: those of
 * the next operations are fetched ahead. */
#define SESSIONS_AHEAD 6u

/* From operation number `from` on; the number of the first that is not fetched. */
static inline uint32_t
prefetch_sessions(struct rte_crypto_op **ops, uint32_t from, uint32_t to)
{
	for (; from < to && has_session(ops[from]); from++) {
		const uint8_t *session = (const uint8_t *)ops[from]->sym->session;
		const uint8_t *sess =
			session + offsetof(struct rte_cryptodev_sym_session, driver_priv_data);

		rte_prefetch0(session);
		rte_prefetch0(sess);
		rte_prefetch0(sess + offsetof(struct accel_session, kind));
	}
	return from;
}

/*
 * Make the lines of a run's commands the CPU's own. The device has read them a lap ago, and stores
 * wait for their lines in order: these few wait side by side, with all stores of an operation in
 * between each would wait for the one before (doc/performance.md). Slots that a run ends before
 * using are free, so it does not matter what is in them.
 */
#define CLAIM_AT_ONCE 8u /* operations */

static inline void
claim_lines(struct accel_qp *qp, uint32_t n, uint32_t prod)
{
	const uint32_t first = prod & qp->desc_mask;
	const uint32_t to_end = RTE_MIN(n, qp->nb_desc - first);
	volatile struct accel_hw_command *commands = qp->commands; /* no store is left out */
	uint32_t i;

	for (i = 0; i < to_end; i++)
		commands[first + i].tag = 0;
	for (; i < n; i++)
		commands[i - to_end].tag = 0;
}

/* Operations of one kind by the straight path, up to the first that does not fit it; how many. Most
 * have the session of the one before and need no second look at it; sess is that of the first. */
static ACCEL_VARIANTS uint32_t
enqueue_run(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod,
	    const struct accel_session *sess, const enum accel_hw_kind kind, const bool near)
{
	const struct rte_cryptodev_sym_session *session = ops[0]->sym->session;
	struct accel_ring tx = qp->tx, rx = qp->rx;
	uint32_t i, fetched = 0;

	for (i = 0; i < n; i++, prod++) {
		struct rte_crypto_op *op = ops[i];

		if (i % CLAIM_AT_ONCE == 0)
			claim_lines(qp, RTE_MIN(n - i, CLAIM_AT_ONCE), prod);
		if (unlikely(!has_session(op) || op->sym->m_src == NULL))
			break;
		if (unlikely(op->sym->session != session)) {
			fetched = prefetch_sessions(ops, RTE_MAX(fetched, i + 1),
						    RTE_MIN(n, i + 1 + SESSIONS_AHEAD));
			session = op->sym->session;
			sess = own_session(qp, session);
			if (sess == NULL || sess->straight != kind)
				break;
		}
		if (unlikely(!enqueue_straight(qp, &tx, &rx, op, sess, prod, kind, near)))
			break;
		set_inflight(qp, prod, op, 0, &tx, &rx);
	}
	qp->tx = tx;
	qp->rx = rx;
	return i;
}

#define ENQUEUE_RUN(name, kind, near)                                                              \
	static uint32_t name(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n,          \
			     uint32_t prod, const struct accel_session *sess)                      \
	{                                                                                          \
		return enqueue_run(qp, ops, n, prod, sess, kind, near);                            \
	}

ENQUEUE_RUN(run_cipher, ACCEL_HW_KIND_CIPHER, true)
ENQUEUE_RUN(run_auth, ACCEL_HW_KIND_AUTH, true)
ENQUEUE_RUN(run_chain, ACCEL_HW_KIND_CIPHER_THEN_AUTH, true)
ENQUEUE_RUN(run_aead, ACCEL_HW_KIND_AEAD, true)
ENQUEUE_RUN(run_cipher_far, ACCEL_HW_KIND_CIPHER, false)
ENQUEUE_RUN(run_auth_far, ACCEL_HW_KIND_AUTH, false)
ENQUEUE_RUN(run_chain_far, ACCEL_HW_KIND_CIPHER_THEN_AUTH, false)
ENQUEUE_RUN(run_aead_far, ACCEL_HW_KIND_AEAD, false)

typedef uint32_t (*enqueue_run_fn)(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n,
				   uint32_t prod, const struct accel_session *sess);

/* By accel_session.straight. */
static const enqueue_run_fn near_runs[] = {
	[ACCEL_HW_KIND_CIPHER] = run_cipher,
	[ACCEL_HW_KIND_AUTH] = run_auth,
	[ACCEL_HW_KIND_CIPHER_THEN_AUTH] = run_chain,
	[ACCEL_HW_KIND_AEAD] = run_aead,
};
static const enqueue_run_fn far_runs[] = {
	[ACCEL_HW_KIND_CIPHER] = run_cipher_far,
	[ACCEL_HW_KIND_AUTH] = run_auth_far,
	[ACCEL_HW_KIND_CIPHER_THEN_AUTH] = run_chain_far,
	[ACCEL_HW_KIND_AEAD] = run_aead_far,
};

/* Segments, out of place: no need to try. */
static inline bool
is_odd_mbuf(const struct rte_crypto_sym_op *sym)
{
	return sym->m_src->nb_segs != 1 || (sym->m_dst != NULL && sym->m_dst != sym->m_src);
}

/* As many operations as the straight path takes in one go, 0 if not the first one. */
static inline uint32_t
enqueue_common(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod)
{
	const struct accel_session *sess = op_session(qp, ops[0]);
	uint32_t done = 0;

	if (unlikely(sess == NULL || sess->straight == 0 || is_odd_mbuf(ops[0]->sym)))
		return 0;
	n = RTE_MIN(n, accel_ring_room(&qp->tx) / ACCEL_TX_PER_OP);
	n = RTE_MIN(n, accel_ring_room(&qp->rx) / ACCEL_RX_PER_OP);
	if (likely(rings_near(qp, &qp->tx, &qp->rx)))
		done = near_runs[sess->straight](qp, ops, n, prod, sess);
	return likely(done != 0) ? done : far_runs[sess->straight](qp, ops, n, prod, sess);
}

/*
 * The general path: any number of segments, out of place, empty regions, buffers across 1 GiB.
 */

/* Add bytes of an mbuf chain. -EINVAL if they reach beyond its data. */
static int
frame_add_mbuf(struct accel_frame *frame, const struct rte_mbuf *m, uint32_t off, uint64_t len)
{
	while (len > 0 && m != NULL && off >= m->data_len) {
		off -= m->data_len;
		m = m->next;
	}
	while (len > 0) {
		uint32_t piece;

		if (m == NULL)
			return -EINVAL;
		piece = (uint32_t)RTE_MIN(len, (uint64_t)(m->data_len - off));
		accel_frame_add(frame, rte_pktmbuf_iova_offset(m, off), piece);
		if (frame->error != 0)
			return 0; /* accel_frame_end() says it */
		len -= piece;
		off = 0;
		m = m->next;
	}
	return 0;
}

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

/*
 * Digest encrypted: the digest is generated before it is enciphered, or verified after it was
 * deciphered, because it lies in the cipher region, right behind the auth region of either mbuf
 * (rte_crypto_sym.h, auth.digest.data). The cipher region may end within it. The card does that
 * with a flag (manual 7.2), and then destination and digest are all one.
 */
static void
shape_digest_in_stream(const struct accel_qp *qp, const struct accel_session *sess,
		       const struct rte_crypto_sym_op *sym, struct accel_shape *shape)
{
	const uint64_t a_end = (uint64_t)sym->auth.data.offset + sym->auth.data.length;
	const uint64_t c_end = (uint64_t)sym->cipher.data.offset + sym->cipher.data.length;
	uint64_t len;

	if (!sess->digest_may_be_ciphered || shape->digest == 0 ||
	    (qp->dev->active_flags & RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED) == 0)
		return;
	if (a_end >= c_end || a_end + sess->digest_len <= sym->cipher.data.offset ||
	    (mbuf_iova_at(sym->m_src, a_end) != shape->digest &&
	     mbuf_iova_at(sym->m_dst, a_end) != shape->digest))
		return;
	len = RTE_MAX(c_end, a_end + sess->digest_len) - shape->src_off;
	if (sess->verify)
		shape->src_len = len;
	shape->dst_off = shape->src_off;
	shape->dst_len = len;
	shape->flags |= ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_DIGEST_IN_STREAM;
}

/* Is there a digest beside the data? */
static inline bool
digest_apart(const struct accel_shape *shape)
{
	return (shape->flags & ACCEL_HW_CMD_DIGEST_IN_STREAM) == 0;
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
	if (sess->digest_may_be_ciphered && (shape->flags & ACCEL_HW_CMD_DIGEST_IN_STREAM) == 0 &&
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

	accel_frame_begin(&frame, tx, qp->max_fragments, qp->max_frame_bytes);
	accel_frame_command(&frame, command_iova(qp, slot));
	accel_frame_add(&frame, shape->aad + sess->aad_offset, sess->aad_len);
	if (frame_add_mbuf(&frame, sym->m_src, shape->src_off, shape->src_len) != 0)
		return -EINVAL;
	if (sess->verify && digest_apart(shape))
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
	if (frame_add_mbuf(&frame, dst, shape->dst_off, shape->dst_len) != 0)
		return -EINVAL;
	if (sess->generate && digest_apart(shape))
		accel_frame_add(&frame, shape->digest, sess->digest_len);
	return accel_frame_end(&frame);
}

/* Out of place the destination gets all that is operated on, what is only authenticated too
 * (rte_crypto_sym.h, struct rte_crypto_sym_op; manual 7.2). */
static void
shape_out_of_place(const struct accel_session *sess, const struct rte_crypto_sym_op *sym,
		   struct accel_shape *shape)
{
	if (sym->m_dst == NULL || sym->m_dst == sym->m_src ||
	    sess->kind == ACCEL_HW_KIND_CIPHER || sess->kind == ACCEL_HW_KIND_AEAD)
		return;
	shape->flags |= ACCEL_HW_CMD_WHOLE;
	shape->dst_off = shape->src_off;
	shape->dst_len = shape->src_len;
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
	shape_of(sess->kind, sym, &shape);
	if (likely(!odd)) /* else the digest has no place there (rte_crypto_sym.h) */
		shape_digest_in_stream(qp, sess, sym, &shape);
	*reason = find_refusal(sess, sym, &shape);
	if (unlikely(odd) && ciphers_digest(sess, sym, &shape))
		*reason = odd_digest;
	if (*reason != NULL)
		return -EINVAL;
	if (digest_apart(&shape))
		shape_out_of_place(sess, sym, &shape);
	if (shape.dst_len == 0 && !sess->generate)
		shape.flags |= ACCEL_HW_CMD_NO_RX;
	ret = put_request(qp, tx, sess, sym, &shape, slot);
	if (ret == 0 && (shape.flags & ACCEL_HW_CMD_NO_RX) == 0)
		ret = put_result(qp, rx, sess, sym, &shape);
	if (ret == 0) {
		write_command(&qp->commands[slot], sess, op, &shape, tag, sess->kind);
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

	accel_frame_begin(&frame, tx, qp->max_fragments, qp->max_frame_bytes);
	accel_frame_command(&frame, command_iova(qp, slot));
	if (accel_frame_end(&frame) != 0)
		return false;
	qp->commands[slot] = (struct accel_hw_command){
		.tag = rte_cpu_to_le_32(tag),
		.opcode = ACCEL_HW_OP_NOP,
		.flags = ACCEL_HW_CMD_NO_RX,
		.iv = { refusal_status(reason) },
	};
	qp->enqueue_err++;
	if (qp->refusal != reason) {
		qp->refusal = reason;
		ACCEL_LOG(WARNING, "dev %u qp %u: %s; it comes back with status %d", qp->dev_id,
			  qp->id, reason, refusal_status(reason));
	}
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
		 struct rte_crypto_op *op, uint32_t tag, const char **reason, uintptr_t *flags)
{
	const struct accel_session *sess = accel_protocol_of(op->sym->session);
	int ret;

	*reason = bad_session;
	if (sess == NULL)
		return -EINVAL;
	ret = accel_protocol_put(qp, tx, rx, op, sess, tag, reason);
	*flags = accel_protocol_flags(sess);
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

/* One operation by any path but the straight one. False when the rings are full. */
static __rte_noinline bool
enqueue_odd(struct accel_qp *qp, struct rte_crypto_op *op, uint32_t tag)
{
	const struct accel_session *sess = op_session(qp, op);
	const bool sessionless = sess == NULL && is_sessionless(qp, op);
	struct accel_ring *tx = &qp->tx, *rx = &qp->rx;
	struct accel_ring tx_mark, rx_mark;
	const char *reason = NULL;
	uintptr_t flags = sessionless ? ACCEL_OP_SESSIONLESS : 0;
	int ret = -EINVAL;

	accel_ring_freed(tx, accel_load_acquire(&qp->tx_cons));
	accel_ring_freed(rx, accel_load_acquire(&qp->rx_cons));
	tx_mark = *tx;
	rx_mark = *rx;
	if (sessionless)
		ret = enqueue_sessionless(qp, tx, rx, op, tag, &reason);
	else if (sess == NULL && is_protocol(qp, op))
		ret = enqueue_protocol(qp, tx, rx, op, tag, &reason, &flags);
	else if (sess == NULL)
		reason = session_refusal(op);
	else
		ret = enqueue_general(qp, tx, rx, op, sess, tag, &reason);
	if (ret == 0) {
		set_inflight(qp, tag, op, flags, tx, rx);
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
	set_inflight(qp, tag, op, ACCEL_OP_REFUSED, tx, rx);
	return true;
}

/* A failed queue pair takes operations too, and gives them back with an error: a caller that offers
 * an operation until it is taken must not hang. Who asks for it gets them refused, as the fail-over
 * of crypto_scheduler needs it. */
static __rte_noinline uint16_t
enqueue_failed(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	uint32_t prod = accel_load_relaxed(&qp->prod);
	uint16_t i;

	if (qp->dev->refuse_when_dead)
		return 0;
	qp->cons_seen = accel_load_acquire(&qp->cons);
	for (i = 0; i < nb_ops && prod - qp->cons_seen < qp->nb_desc; i++, prod++) {
		ops[i]->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
		qp->inflight[prod & qp->desc_mask].op = (uintptr_t)ops[i];
	}
	qp->enqueued += i;
	accel_store_release(&qp->prod, prod);
	return i;
}

/* How many of nb_ops find a place in flight. */
static inline uint16_t
inflight_room(struct accel_qp *qp, uint32_t prod, uint16_t nb_ops)
{
	uint32_t room = qp->nb_desc - (prod - qp->cons_seen);

	if (unlikely(room < nb_ops)) {
		qp->cons_seen = accel_load_acquire(&qp->cons);
		room = qp->nb_desc - (prod - qp->cons_seen);
	}
	return RTE_MIN(room, nb_ops);
}

/* Publish a burst: the counter for the dequeuing thread, then the doorbell (manual 6.6, 5.1). */
static inline void
ring_doorbell(struct accel_qp *qp, uint32_t prod)
{
	const uint64_t sdp = (uint64_t)(qp->rx.prod & qp->rx.mask) << 32 |
			     (qp->tx.prod & qp->tx.mask);

	accel_store_release(&qp->prod, prod);
	rte_io_wmb();
	rte_write64_relaxed(rte_cpu_to_le_64(sdp), qp->doorbell);
}

uint16_t
accel_enqueue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	struct accel_qp *qp = queue_pair;
	const uint32_t prod = accel_load_relaxed(&qp->prod);
	uint32_t i = 0, n;

	if (unlikely(accel_load_relaxed(&qp->mode) == ACCEL_QP_FAILED))
		return enqueue_failed(qp, ops, nb_ops);
	n = inflight_room(qp, prod, nb_ops);
	while (i < n) {
		const uint32_t done = enqueue_common(qp, ops + i, n - i, prod + i);

		if (unlikely(done == 0) && !enqueue_odd(qp, ops[i], prod + i))
			break;
		i += RTE_MAX(done, 1u);
	}
	qp->enqueued += i;
	ACCEL_PROBE(ACCEL_PROBE_DOORBELL);
	if (likely(i != 0))
		ring_doorbell(qp, prod + i);
	return i;
}
