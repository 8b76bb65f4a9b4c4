/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What the ways of an operation to the rings have in common, the straight one, the general one and
 * the raw one: whose session an operation has, what it asks for (its shape), its command and its
 * in-flight entry, and the doorbell. Hot path, all of it inlined.
 */
#ifndef ACCEL_SHAPE_H
#define ACCEL_SHAPE_H

#include <errno.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_crypto.h>
#include <rte_io.h>
#include <rte_mbuf.h>

#include "accel_queue.h"
#include "accel_session.h"

/* Where in its data an operation works, in bytes, and what it has beside them. */
struct accel_regions {
	uint32_t cipher_off; /* AEAD: what is ciphered and authenticated */
	uint32_t cipher_len;
	uint32_t auth_off;
	uint32_t auth_len;
	uint64_t digest; /* IOVA */
	uint64_t aad; /* IOVA */
};

/* What an operation asks for, in the terms of the manual's sections 7 and 8.5. Offsets into its
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

static inline bool
accel_has_session(const struct rte_crypto_op *op)
{
	return op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC &&
	       op->sess_type == RTE_CRYPTO_OP_WITH_SESSION;
}

/* What lies behind the library's part of a session. */
static inline const struct accel_session *
accel_session_of(const struct rte_cryptodev_sym_session *session)
{
	return (const struct accel_session *)session->driver_priv_data;
}

/* The driver's part of a session, NULL if there is none, it is another driver's or was cleared. The
 * first line behind the library's part is there in any session: none is empty, and elements of a
 * mempool are whole lines. */
static inline const struct accel_session *
accel_own_session(const struct rte_cryptodev_sym_session *session)
{
	if (unlikely(session == NULL || (accel_session_of(session)->owner & ~UINT64_C(0xff)) !=
						accel_session_owner(0)))
		return NULL;
	return accel_session_of(session);
}

/* The session of an operation that this driver can look at, else NULL. */
static inline const struct accel_session *
accel_op_session(const struct rte_crypto_op *op)
{
	if (unlikely(!accel_has_session(op) || op->sym->m_src == NULL))
		return NULL;
	return accel_own_session(op->sym->session);
}

/* Segments, or out of place: not for the straight path. */
static inline bool
accel_is_odd_mbuf(const struct rte_crypto_sym_op *sym)
{
	return sym->m_src->nb_segs != 1 || (sym->m_dst != NULL && sym->m_dst != sym->m_src);
}

/* Those of an rte_crypto_op whose offsets and lengths are in bytes. */
static ACCEL_VARIANTS void
accel_regions_of(enum accel_hw_kind kind, const struct rte_crypto_sym_op *sym,
		 struct accel_regions *regions)
{
	switch (kind) {
	case ACCEL_HW_KIND_AEAD:
		*regions = (struct accel_regions){
			.cipher_off = sym->aead.data.offset,
			.cipher_len = sym->aead.data.length,
			.digest = sym->aead.digest.phys_addr,
			.aad = sym->aead.aad.phys_addr,
		};
		break;
	case ACCEL_HW_KIND_CIPHER:
		*regions = (struct accel_regions){
			.cipher_off = sym->cipher.data.offset,
			.cipher_len = sym->cipher.data.length,
		};
		break;
	default:
		*regions = (struct accel_regions){
			.cipher_off = sym->cipher.data.offset,
			.cipher_len = sym->cipher.data.length,
			.auth_off = sym->auth.data.offset,
			.auth_len = sym->auth.data.length,
			.digest = sym->auth.digest.phys_addr,
		};
		break;
	}
}

/* Two regions of one source: it reaches from the earlier start to the later end (manual 7.2). With
 * a minimum or a maximum of the two offsets gcc takes vector registers, see accel_write_words(). */
static inline void
accel_shape_chain(const struct accel_regions *regions, struct accel_shape *shape)
{
	const uint32_t c_off = regions->cipher_off, c_len = regions->cipher_len;
	const uint32_t a_off = regions->auth_off, a_len = regions->auth_len;
	const bool auth_first = a_off < c_off;
	const uint32_t before = auth_first ? c_off - a_off : 0; /* bytes before the cipher's */
	const uint32_t start = c_off - before;
	const uint64_t end = RTE_MAX((uint64_t)c_off + c_len, (uint64_t)a_off + a_len);

	*shape = (struct accel_shape){
		.src_off = start,
		.src_len = end - start,
		.dst_off = c_off,
		.dst_len = c_len,
		.skip = auth_first ? before : a_off - c_off,
		.flags = auth_first ? ACCEL_HW_CMD_AUTH_FIRST : 0,
		.cipher_len = c_len,
		.auth_len = a_len,
		.digest = regions->digest,
	};
}

/* In place, with the digest apart from the data. */
static ACCEL_VARIANTS void
accel_shape_of(enum accel_hw_kind kind, const struct accel_regions *regions,
	       struct accel_shape *shape)
{
	switch (kind) {
	case ACCEL_HW_KIND_CIPHER:
	case ACCEL_HW_KIND_AEAD:
		*shape = (struct accel_shape){
			.src_off = regions->cipher_off,
			.src_len = regions->cipher_len,
			.dst_off = regions->cipher_off,
			.dst_len = regions->cipher_len,
			.cipher_len = regions->cipher_len,
			.digest = regions->digest,
			.aad = regions->aad,
		};
		break;
	case ACCEL_HW_KIND_AUTH:
		*shape = (struct accel_shape){
			.src_off = regions->auth_off,
			.src_len = regions->auth_len,
			.auth_len = regions->auth_len,
			.digest = regions->digest,
		};
		break;
	default:
		accel_shape_chain(regions, shape);
		break;
	}
}

/* The destination gets all of the source (manual 7.2). */
static inline void
accel_shape_whole(struct accel_shape *shape)
{
	shape->flags |= ACCEL_HW_CMD_WHOLE;
	shape->dst_off = shape->src_off;
	shape->dst_len = shape->src_len;
}

/* Is the digest in the data, and so not to be posted beside them? */
static inline bool
accel_shape_in_stream(const struct accel_shape *shape)
{
	return (shape->flags & ACCEL_HW_CMD_DIGEST_IN_STREAM) != 0;
}

/* The last step of a shape. Out of place the destination gets all that is operated on, what is only
 * authenticated too (rte_crypto_sym.h, struct rte_crypto_sym_op). */
static inline void
accel_shape_finish(const struct accel_session *sess, bool out_of_place, struct accel_shape *shape)
{
	if (out_of_place && sess->kind != ACCEL_HW_KIND_CIPHER &&
	    sess->kind != ACCEL_HW_KIND_AEAD && !accel_shape_in_stream(shape))
		accel_shape_whole(shape);
	if (shape->dst_len == 0 && !sess->generate)
		shape->flags |= ACCEL_HW_CMD_NO_RX;
}

/*
 * Digest encrypted: the digest is generated before it is enciphered, or verified after it was
 * deciphered, because it lies in the cipher region, right behind the auth region of source or
 * destination (rte_crypto_sym.h, auth.digest.data). The cipher region may end within it. The card
 * does that with a flag (manual 7.2), and then destination and digest are all one. Whether it does
 * lie there, the caller finds out, who has mbufs or vectors.
 */

/* Where it would lie in the data. */
static inline uint64_t
accel_digest_place(const struct accel_regions *regions)
{
	return (uint64_t)regions->auth_off + regions->auth_len;
}

/* If it does, is it to be ciphered, in a session with digest_may_be_ciphered? The cipher region has
 * to begin it at least. */
static inline bool
accel_digest_in_place(const struct accel_qp *qp, const struct accel_session *sess,
		      const struct accel_regions *regions)
{
	const uint64_t at = accel_digest_place(regions);

	return regions->digest != 0 &&
	       (qp->dev->active_flags & RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED) != 0 &&
	       at < (uint64_t)regions->cipher_off + regions->cipher_len &&
	       at + sess->digest_len > regions->cipher_off;
}

/* It does, and is. */
static inline void
accel_shape_digest_in_stream(const struct accel_session *sess, const struct accel_regions *regions,
			     struct accel_shape *shape)
{
	const uint64_t c_end = (uint64_t)regions->cipher_off + regions->cipher_len;
	const uint64_t digest_end = accel_digest_place(regions) + sess->digest_len;
	const uint64_t len = RTE_MAX(c_end, digest_end) - shape->src_off;

	if (sess->verify)
		shape->src_len = len;
	shape->dst_off = shape->src_off;
	shape->dst_len = len;
	shape->flags |= ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_DIGEST_IN_STREAM;
}

/* Eight bytes of memory, wherever they begin. */
static inline uint64_t
accel_word(const void *from)
{
	uint64_t word;

	memcpy(&word, from, sizeof(word));
	return word;
}

/* Eight bytes of a command, written in one go. */
typedef volatile uint64_t __rte_may_alias accel_command_word;

/* The IV is copied in its own length: behind it the application's memory may end. */
static inline void
accel_put_iv(void *to, const uint8_t *iv, uint32_t len)
{
	accel_command_word *word = to;

	if (likely(len == 16)) {
		word[0] = accel_word(iv);
		word[1] = accel_word(iv + 8);
	} else if (len == 12) {
		memcpy(to, iv, 12);
	} else if (len != 0) {
		memcpy(to, iv, len);
	}
}

/* A command with what it has of its session, the rest 0. */
static inline void
accel_begin_command(struct accel_hw_command *cmd, const struct accel_session *sess)
{
	*cmd = (struct accel_hw_command){
		.opcode = sess->command.opcode,
		.flags = sess->command.flags,
		.aad_len = sess->command.aad_len,
		.context = sess->command.context,
		.generation = sess->command.generation,
	};
	memcpy(cmd->iv, sess->command.iv, sizeof(cmd->iv));
}

/* The same with what it has of its operation but for the IVs, where that need not be fast. */
static inline void
accel_shape_command(struct accel_hw_command *cmd, const struct accel_session *sess,
		    const struct accel_shape *shape, uint32_t tag)
{
	accel_begin_command(cmd, sess);
	cmd->tag = rte_cpu_to_le_32(tag);
	cmd->flags = (uint8_t)shape->flags; /* not the session's */
	cmd->skip = rte_cpu_to_le_32(shape->skip);
	cmd->cipher_len = rte_cpu_to_le_32(shape->cipher_len);
	cmd->auth_len = rte_cpu_to_le_32(shape->auth_len);
}

/*
 * The command of manual 7.1: the session's part with what depends on the operation put in, which is
 * 0 there. Put together in registers, since each store counts: the line is in the device's cache,
 * and stores wait for it in order. Not in vector registers: a translated CPU (QEMU without KVM)
 * keeps those in memory, and each move of one waits for all stores before it (doc/performance.md).
 */
static ACCEL_VARIANTS void
accel_write_words(struct accel_hw_command *cmd, const struct accel_session *sess,
		  const struct accel_shape *shape, uint32_t tag)
{
	const uint64_t head = rte_le_to_cpu_64(accel_word(&sess->command));
	const uint32_t generation = (uint32_t)head; /* the command has its tag there */
	accel_command_word *word = (void *)cmd;

	word[0] = rte_cpu_to_le_64((head & ~(uint64_t)UINT32_MAX) |
				   (uint64_t)shape->flags << 40 | tag);
	word[1] = accel_word(&sess->command.context);
	word[2] = rte_cpu_to_le_64((uint64_t)shape->skip << 32 | generation);
	word[3] = rte_cpu_to_le_64((uint64_t)shape->auth_len << 32 | shape->cipher_len);
}

/* All of a command: the same, and the IVs of an rte_crypto_op. */
static ACCEL_VARIANTS void
accel_write_command(struct accel_hw_command *cmd, const struct accel_session *sess,
		    struct rte_crypto_op *op, const struct accel_shape *shape, uint32_t tag,
		    enum accel_hw_kind kind)
{
	const bool has_auth_iv = kind != ACCEL_HW_KIND_CIPHER && kind != ACCEL_HW_KIND_AEAD;

	accel_write_words(cmd, sess, shape, tag);
	if (kind != ACCEL_HW_KIND_AUTH) {
		if (unlikely(sess->iv_len != sizeof(cmd->iv)))
			accel_put_iv(cmd->iv, sess->command.iv, sizeof(cmd->iv));
		accel_put_iv(cmd->iv,
			     rte_crypto_op_ctod_offset(op, const uint8_t *, sess->iv_offset),
			     sess->iv_len);
	}
	if (has_auth_iv && sess->auth_iv_len != 0)
		accel_put_iv((uint8_t *)cmd + sess->auth_iv_at,
			     rte_crypto_op_ctod_offset(op, const uint8_t *, sess->auth_iv_offset),
			     sess->auth_iv_len);
}

static_assert(offsetof(struct accel_session_command, opcode) ==
			      offsetof(struct accel_hw_command, opcode) &&
		      offsetof(struct accel_session_command, flags) ==
			      offsetof(struct accel_hw_command, flags) &&
		      offsetof(struct accel_session_command, aad_len) ==
			      offsetof(struct accel_hw_command, aad_len) &&
		      offsetof(struct accel_session_command, context) ==
			      offsetof(struct accel_hw_command, context) &&
		      offsetof(struct accel_session_command, generation) == 0 &&
		      offsetof(struct accel_hw_command, flags) * 8 == 40 &&
		      offsetof(struct accel_hw_command, context) == 8 &&
		      offsetof(struct accel_hw_command, generation) == 16 &&
		      offsetof(struct accel_hw_command, skip) == 16 + 4 &&
		      offsetof(struct accel_hw_command, cipher_len) == 24 &&
		      offsetof(struct accel_hw_command, auth_len) == 24 + 4 &&
		      offsetof(struct accel_hw_command, iv) == 32,
	      "as accel_write_words() puts it");

/* Remember an operation that is in flight from now on. Three stores: two numbers as one would be
 * put together in a vector register, see accel_write_command(). */
static inline void
accel_set_inflight(struct accel_inflight *entry, struct rte_crypto_op *op, uintptr_t flags,
		   const struct accel_ring *tx, const struct accel_ring *rx)
{
	volatile struct accel_inflight *to = entry;

	to->op = (uintptr_t)op | flags;
	to->tx_end = tx->prod;
	to->rx_end = rx->prod;
	/* Callers use operations again, and crypto_scheduler looks at those in flight. */
	op->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
}

/* Operations whose commands' lines are claimed at once, by all ways that claim them: see
 * claim_commands() in accel_enqueue.c. */
#define ACCEL_CLAIM_AT_ONCE 8u

/* How many of n operations find a place in flight, from number prod on. */
static inline uint32_t
accel_inflight_room(struct accel_qp *qp, uint32_t prod, uint32_t n)
{
	uint32_t room = qp->nb_desc - (prod - qp->cons_seen);

	if (unlikely(room < n)) {
		qp->cons_seen = accel_load_acquire(&qp->cons);
		room = qp->nb_desc - (prod - qp->cons_seen);
	}
	return RTE_MIN(room, n);
}

/* Publish a burst: the counter for the dequeuing thread, then the doorbell (manual 6.6, 5.1). */
static inline void
accel_publish(struct accel_qp *qp, uint32_t prod)
{
	const uint64_t sdp = (uint64_t)(qp->rx.prod & qp->rx.mask) << 32 |
			     (qp->tx.prod & qp->tx.mask);

	accel_store_release(&qp->prod, prod);
	rte_io_wmb();
	rte_write64_relaxed(rte_cpu_to_le_64(sdp), qp->doorbell);
}

/* Bytes of a segment: its data, or, if the last one may grow, all behind its data's begin. The
 * latter of an mbuf whose data begin behind its buffer are none. */
static inline uint32_t
accel_segment_bytes(const struct rte_mbuf *m, bool grows)
{
	if (!grows || m->next != NULL)
		return m->data_len;
	return m->data_off <= m->buf_len ? m->buf_len - m->data_off : 0;
}

/* Add bytes of an mbuf chain to a frame. -EINVAL if they reach beyond what it has. */
static inline int
accel_frame_add_mbuf(struct accel_frame *frame, const struct rte_mbuf *m, uint32_t off,
		     uint64_t len, bool grows)
{
	while (len > 0 && m != NULL && off >= accel_segment_bytes(m, grows)) {
		off -= accel_segment_bytes(m, grows);
		m = m->next;
	}
	while (len > 0) {
		uint32_t piece;

		if (m == NULL)
			return -EINVAL;
		piece = (uint32_t)RTE_MIN(len, (uint64_t)(accel_segment_bytes(m, grows) - off));
		accel_frame_add(frame, rte_pktmbuf_iova_offset(m, off), piece);
		if (frame->error != 0)
			return 0; /* accel_frame_end() says it */
		len -= piece;
		off = 0;
		m = m->next;
	}
	return 0;
}

#endif /* ACCEL_SHAPE_H */
