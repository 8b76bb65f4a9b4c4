/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the slow path of enqueue. See accel_enqueue.h. An operation of either API is put into a
 * struct work, from which frames and command are written.
 */
#include <errno.h>
#include <limits.h>

#include "accel_asym.h"
#include "accel_batch.h"
#include "accel_command.h"
#include "accel_compat.h"
#include "accel_enqueue.h"
#include "accel_logs.h"
#include "accel_protocol.h"
#include "accel_queue.h"
#include "accel_raw_op.h"
#include "accel_ring.h"
#include "accel_segments.h"
#include "accel_session.h"
#include "accel_sessionless.h"
#include "accel_shape.h"
#include "accel_sort.h"

/*
 * Lists the refusals: R(name, number in accel_count.h, status of the operation, text of the
 * log line).
 */
#define REFUSALS(R)                                                                                \
	R(BAD_TYPE, TYPE, INVALID_ARGS,                                                            \
	  "operation of a type, or with a type of session, that is not offered")                   \
	R(BAD_SESSION, SESSION, INVALID_SESSION,                                                   \
	  "operation without a session of this driver")                                            \
	R(BAD_XFORM, XFORM, INVALID_ARGS,                                                          \
	  "sessionless operation without transforms or with invalid ones")                         \
	R(UNKNOWN_XFORM, XFORM_UNKNOWN, INVALID_SESSION,                                           \
	  "sessionless operation with transforms that are not supported")                          \
	R(NO_MEMORY, MEMORY, ERROR, "no memory for an operation")                                  \
	R(NO_SOURCE, SOURCE, INVALID_ARGS, "operation without source mbuf")                        \
	R(TOO_SHORT, TOO_SHORT, INVALID_ARGS,                                                      \
	  "a region, CRC or MAC-I reaches beyond the data")                                        \
	R(NO_ROOM, ROOM, INVALID_ARGS,                                                             \
	  "no room for the MAC-I behind the last segment's data")                                  \
	R(NO_HEADROOM, HEADROOM, INVALID_ARGS,                                                     \
	  "no headroom for headers of IPsec or TLS before the data, which this device "            \
	  "needs in place")                                                                        \
	R(NO_DIGEST, DIGEST, INVALID_ARGS, "operation without digest address")                     \
	R(NO_AAD, AAD, INVALID_ARGS,                                                               \
	  "operation without AAD address, or with an IV that has none for the device")             \
	R(TOO_MANY, TOO_MANY, INVALID_ARGS,                                                        \
	  "more segments or bytes than the device takes (max-fragments, "                          \
	  "max-frame-bytes of its device tree)")                                                   \
	R(ODD_BITS, BITS, INVALID_ARGS,                                                            \
	  "offset or length in bits that is not a number of bytes, which the device "              \
	  "does not take or the application disabled")                                             \
	R(ODD_DIGEST, BITS_DIGEST, INVALID_ARGS,                                                   \
	  "digest to be ciphered, and an offset or length in bits that is not a number "           \
	  "of bytes")                                                                              \
	R(IN_CIPHER, IN_CIPHER, INVALID_ARGS,                                                      \
	  "digest inside the cipher region, not right behind the auth region")                     \
	R(BAD_ASYM, ASYM, INVALID_ARGS,                                                            \
	  "asymmetric operation of a type that its session does not have, with a "                 \
	  "transform or an operand that is not possible, or no place for a result")                \
	R(BAD_ASYM_SESSION, ASYM_SESSION, INVALID_SESSION,                                         \
	  "asymmetric operation without a session of this driver")                                 \
	R(UNKNOWN_ASYM, ASYM_UNKNOWN, INVALID_SESSION,                                             \
	  "asymmetric operation with a transform that is not supported")

enum refusal {
	TAKEN = ACCEL_REFUSAL_NONE, /* the operation is not refused */
#define R(name, number, status, text) name = ACCEL_REFUSAL_##number,
	REFUSALS(R)
#undef R
	RINGS_FULL = ACCEL_REFUSAL_NB, /* the operation fits later; this is not counted */
};

static const struct {
	enum rte_crypto_op_status status;
	const char *text;
} refusals[] = {
#define R(name, number, status, text) [name] = { RTE_CRYPTO_OP_STATUS_##status, text },
	REFUSALS(R)
#undef R
};

/* Describes an operation of either API. */
struct work {
	const struct accel_session *sess;
	struct accel_pieces src;
	struct accel_pieces dst;
	enum accel_source source;
	bool oop; /* out of place */
	struct accel_regions regions;
	uint32_t total; /* bytes of a PDU */
	const uint8_t *iv;
	const uint8_t *auth_iv;
	uint32_t result; /* IPsec: bytes of the result frame, and accel_hw_command.skip */
	uint32_t skip;
	const struct rte_crypto_sym_op *bits; /* NULL if offsets and lengths are whole bytes */
	uint32_t tag;
	struct accel_shape shape;
};

/* The next functions walk through the data. */

/* Describes a range of the data, which part_next() walks through. */
struct part {
	struct accel_pieces at;
	enum accel_source source;
	bool grows; /* the last piece may fill its buffer (MAC-I of PDCP, IPsec) */
	bool more; /* there is a piece at this position */
	uint64_t off; /* of the next byte, in this piece */
	uint64_t len; /* bytes that remain */
	/* part_next() sets these. */
	uint64_t iova;
	uint32_t piece;
};

static struct part
part_of(const struct work *work, const struct accel_pieces *data, uint64_t off, uint64_t len)
{
	return (struct part){
		.at = *data,
		.source = work->source,
		.more = data->m != NULL || data->left != 0,
		.off = off,
		.len = len,
	};
}

/*
 * Returns the bytes of the current piece. If the last piece may grow, its room counts. tot_len of a
 * vector may be less than len, since an application need not set it.
 */
static uint32_t
part_bytes(const struct part *part)
{
	const struct accel_pieces *at = &part->at;

	if (!part->grows)
		return accel_piece_len(at, part->source);
	if (part->source == ACCEL_MBUFS)
		return accel_segment_capacity(at->m);
	return at->left == 1 ? RTE_MAX(at->vec->len, at->vec->tot_len) : at->vec->len;
}

/* Finds the next piece of the range. False at the end of the range or of the data. */
static bool
part_next(struct part *part)
{
	while (part->len > 0 && part->more) {
		const uint32_t bytes = part_bytes(part);

		if (part->off < bytes) {
			part->iova = accel_piece_iova(&part->at, (uint32_t)part->off, part->source);
			part->piece = (uint32_t)RTE_MIN(part->len, bytes - part->off);
			part->off += part->piece;
			part->len -= part->piece;
			return true;
		}
		part->off -= bytes;
		part->more = accel_piece_next(&part->at, part->source);
	}
	return false;
}

/* True if iova is the address of the data's byte at offset off. */
static bool
is_at(const struct work *work, const struct accel_pieces *data, uint64_t off, uint64_t iova)
{
	struct part part = part_of(work, data, off, 1);

	return part_next(&part) && part.iova == iova;
}

/* True if an IOVA lies within the cipher region of source or destination. */
static bool
is_ciphered(const struct work *work, uint64_t iova)
{
	const struct accel_pieces *both[] = { &work->src, &work->dst };
	unsigned int i;

	for (i = 0; i < RTE_DIM(both); i++) {
		struct part part = part_of(work, both[i], work->regions.cipher_off,
					   work->regions.cipher_len);

		while (part_next(&part)) {
			if (iova - part.iova < part.piece)
				return true;
		}
	}
	return false;
}

/* The next functions make the shape. */

/*
 * Makes a digest that is to be encrypted a part of the data. If the digest is in the cipher region,
 * but not where rte_crypto_sym.h puts it, the operation is refused. With regions in bits, the
 * digest may not be in the cipher region at all.
 */
static enum refusal
shape_digest(const struct accel_qp *qp, struct work *work)
{
	const struct accel_session *sess = work->sess;
	const struct accel_regions *regions = &work->regions;
	const uint64_t at = accel_digest_place(regions);
	uint32_t i;

	if (work->bits != NULL) {
		for (i = 0; i < sess->digest_len; i++) {
			if (is_ciphered(work, regions->digest + i))
				return ODD_DIGEST;
		}
		return TAKEN;
	}
	if (accel_digest_in_place(qp, sess, regions) &&
	    (is_at(work, &work->src, at, regions->digest) ||
	     is_at(work, &work->dst, at, regions->digest))) {
		accel_shape_digest_in_stream(sess, regions, &work->shape);
		return TAKEN;
	}
	return is_ciphered(work, regions->digest) ? IN_CIPHER : TAKEN;
}

static enum refusal
take_shape(const struct accel_qp *qp, struct work *work)
{
	const struct accel_session *sess = work->sess;
	struct accel_shape *shape = &work->shape;
	enum refusal refusal = TAKEN;

	if (sess->kind == ACCEL_HW_KIND_PDCP)
		return accel_protocol_shape_pdcp(sess, work->total, shape) ? TAKEN : TOO_SHORT;
	if (accel_is_placed(sess->kind)) {
		accel_protocol_shape_frame(work->total, work->result, work->skip, shape);
		return TAKEN;
	}
	if (accel_is_protocol(sess->kind)) {
		accel_protocol_shape_docsis(work->regions, shape);
		return TAKEN;
	}
	accel_shape_of(sess->kind, &work->regions, shape);
	if (accel_session_iv_in_stream(sess))
		shape->aad = work->regions.aad;
	if (sess->digest_len != 0 && shape->digest == 0)
		return NO_DIGEST;
	if (sess->kind == ACCEL_HW_KIND_AEAD && accel_aad_fits(qp, sess, work->regions.aad_at))
		accel_shape_aad_inside(sess, &work->regions, shape);
	if (sess->aad_len != 0 && shape->inside == NULL && shape->aad == 0)
		return NO_AAD;
	if (sess->digest_may_be_ciphered)
		refusal = shape_digest(qp, work);
	accel_shape_finish(sess, work->oop, shape);
	return refusal;
}

/* The next functions write frames and command. */

/*
 * Adds a range of the data to a frame. In the raw data path a digest that is a part of the data may
 * reach beyond the vectors. Then the rest of the digest is at its own address.
 */
static enum refusal
add_data(struct accel_frame *frame, const struct work *work, const struct accel_pieces *data,
	 uint32_t off, uint64_t len)
{
	const uint32_t digest_len = work->sess->digest_len;
	struct part part = part_of(work, data, off, len);

	part.grows = data == &work->dst && accel_protocol_grows(work->sess);
	while (frame->error == 0 && part_next(&part))
		accel_frame_add(frame, part.iova, part.piece);
	if (frame->error != 0 || part.len == 0)
		return TAKEN; /* accel_frame_end() returns the error */
	if (part.grows)
		return NO_ROOM;
	if (work->source == ACCEL_MBUFS || !accel_shape_in_stream(&work->shape) ||
	    part.len > digest_len)
		return TOO_SHORT;
	accel_frame_add(frame, work->shape.digest + digest_len - part.len, (uint32_t)part.len);
	return TAKEN;
}

static enum refusal
add_request(struct accel_frame *frame, const struct work *work)
{
	const struct accel_session *sess = work->sess;
	const struct accel_shape *shape = &work->shape;
	enum refusal refusal;

	if (shape->inside == NULL)
		accel_frame_add(frame, shape->aad + sess->aad_offset, sess->aad_len);
	refusal = add_data(frame, work, &work->src, shape->src_off, shape->src_len);
	if (refusal == TAKEN && sess->verify && !accel_shape_in_stream(shape) &&
	    !accel_is_protocol(sess->kind))
		accel_frame_add(frame, shape->digest, sess->digest_len);
	return refusal;
}

static enum refusal
add_result(struct accel_frame *frame, const struct work *work)
{
	const struct accel_session *sess = work->sess;
	const struct accel_shape *shape = &work->shape;
	enum refusal refusal;

	refusal = add_data(frame, work, &work->dst, shape->dst_off, shape->dst_len);
	if (refusal == TAKEN && sess->generate && !accel_shape_in_stream(shape) &&
	    !accel_is_protocol(sess->kind))
		accel_frame_add(frame, shape->digest, sess->digest_len);
	return refusal;
}

static enum refusal
put_frames(const struct accel_qp *qp, struct accel_batch *at, struct accel_frame *frame,
	   const struct work *work)
{
	enum refusal refusal;

	accel_batch_request(qp, at, frame);
	refusal = add_request(frame, work);
	if (refusal == TAKEN && (work->shape.flags & ACCEL_HW_CMD_NO_RX) == 0) {
		accel_batch_result(qp, at, frame);
		refusal = add_result(frame, work);
	}
	return refusal;
}

/*
 * Sets the flag BITS of a command, and the starts and lengths of its regions in bits (manual 7.2).
 * Returns false if the numbers have no room in the command. The command is complete otherwise. Its
 * AUTH_FIRST says which region begins first.
 */
static bool
put_bits(struct accel_hw_command *cmd, const struct work *work)
{
	const struct accel_session *sess = work->sess;
	const struct rte_crypto_sym_op *sym = work->bits;
	const uint64_t start = (uint64_t)work->shape.src_off * CHAR_BIT;
	const unsigned int c_unit = sess->cipher_bits ? 1 : CHAR_BIT;
	const unsigned int a_unit = sess->auth_bits ? 1 : CHAR_BIT;
	const bool auth_first = (cmd->flags & ACCEL_HW_CMD_AUTH_FIRST) != 0;
	uint64_t c_at = 0, c_len = 0, a_at = 0, a_len = 0;

	if (sess->kind != ACCEL_HW_KIND_AUTH) {
		c_at = (uint64_t)sym->cipher.data.offset * c_unit - start;
		c_len = (uint64_t)sym->cipher.data.length * c_unit;
	}
	if (sess->kind != ACCEL_HW_KIND_CIPHER) {
		a_at = (uint64_t)sym->auth.data.offset * a_unit - start;
		a_len = (uint64_t)sym->auth.data.length * a_unit;
	}
	if ((c_at | c_len | a_at | a_len) > UINT32_MAX)
		return false;
	cmd->flags |= ACCEL_HW_CMD_BITS;
	cmd->aad_len = rte_cpu_to_le_16((uint16_t)(auth_first ? a_at : c_at));
	cmd->skip = rte_cpu_to_le_32((uint32_t)(auth_first ? c_at : a_at));
	cmd->cipher_len = rte_cpu_to_le_32((uint32_t)c_len);
	cmd->auth_len = rte_cpu_to_le_32((uint32_t)a_len);
	return true;
}

static enum refusal
put_command(struct accel_hw_command *cmd, const struct work *work)
{
	const struct accel_session *sess = work->sess;

	accel_write_command(cmd, sess, work->iv, work->auth_iv, &work->shape, work->tag,
			    sess->kind);
	cmd->flags = (uint8_t)work->shape.flags; /* instead of the session's flags */
	if (sess->kind == ACCEL_HW_KIND_PDCP && sess->iv_len != 0)
		accel_protocol_put_hfn(cmd, work->iv);
	return work->bits == NULL || put_bits(cmd, work) ? TAKEN : TOO_MANY;
}

/*
 * True if a cipher with lengths in bits has an empty region. The card refuses an empty region
 * (manual 8.2), but DPDK's PDCP library asks for one when a PDU has a header and no data.
 */
static bool
has_no_bits(const struct work *work)
{
	return work->sess->cipher_bits && work->sess->kind == ACCEL_HW_KIND_CIPHER &&
	       work->regions.cipher_len == 0;
}

/* Writes a command that does nothing, so that its operation comes back in its turn. */
static enum refusal
put_nop(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx, uint32_t tag)
{
	static const struct accel_hw_command nop = {
		.opcode = ACCEL_HW_OP_NOP,
		.flags = ACCEL_HW_CMD_NO_RX,
	};
	struct accel_batch at = accel_batch_at(qp, tx, rx, tag);
	struct accel_frame frame;

	accel_batch_request(qp, &at, &frame);
	if (accel_batch_end(&at, &frame, tx, rx) != 0)
		return RINGS_FULL;
	accel_qp_copy_command(qp, &nop, tag);
	return TAKEN;
}

/*
 * Writes an operation to the rings. If the operation is refused, the rings stay as they were.
 * RINGS_FULL means that the operation fits later.
 */
static enum refusal
put_work(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx, struct work *work)
{
	struct accel_batch at = accel_batch_at(qp, tx, rx, work->tag);
	struct accel_frame frame;
	enum refusal refusal;

	if (unlikely(has_no_bits(work)))
		return put_nop(qp, tx, rx, work->tag);
	refusal = take_shape(qp, work);
	if (refusal == TAKEN)
		refusal = put_frames(qp, &at, &frame, work);
	if (refusal == TAKEN)
		refusal = put_command(at.command, work);
	if (refusal != TAKEN)
		return refusal;
	switch (accel_batch_end(&at, &frame, tx, rx)) {
	case 0:
		return TAKEN;
	case -ENOSPC:
		return RINGS_FULL;
	default:
		return TOO_MANY;
	}
}

/* The next functions write operations with mbufs. */

/*
 * Returns the mbuf, or a copy with a length if the only segment has none. The length of the copy is
 * all of the buffer. Some programs keep no lengths in their mbufs, such as DPDK's own test of error
 * recovery.
 */
static const struct rte_mbuf *
measured(const struct rte_mbuf *m, struct rte_mbuf *copy)
{
	if (m->nb_segs != 1 || m->next != NULL || m->data_len != 0 || accel_mbuf_capacity(m) == 0)
		return m;
	*copy = *m;
	copy->data_len = (uint16_t)accel_mbuf_capacity(m);
	return copy;
}

/*
 * Begins the work of an operation. The caller sets the regions, and put_work() the shape. Nothing
 * is written twice, since gcc clears a structure of this size with a string instruction, which
 * takes longer than all else here.
 */
static void
begin_work(struct work *work, struct rte_crypto_op *op, const struct accel_session *sess,
	   uint32_t tag)
{
	const struct rte_crypto_sym_op *sym = op->sym;
	const bool oop = accel_is_oop(sym);

	work->sess = sess;
	work->src.m = sym->m_src;
	work->src.left = UINT32_MAX; /* the chain ends */
	work->dst.m = oop ? sym->m_dst : sym->m_src;
	work->dst.left = UINT32_MAX;
	work->source = ACCEL_MBUFS;
	work->oop = oop;
	work->total = 0;
	work->iv = accel_op_iv(op, sess);
	work->auth_iv = accel_op_auth_iv(op, sess);
	work->result = 0;
	work->skip = 0;
	work->bits = NULL;
	work->tag = tag;
}

/*
 * Changes a region in bits to the bytes that hold it. A region of no bits has no bytes. Returns
 * false if offset or length is not a whole number of bytes.
 */
static bool
to_bytes(uint32_t *off, uint32_t *len)
{
	const uint64_t end = (uint64_t)*off + *len;
	const bool whole = (*off | *len) % CHAR_BIT == 0;

	*off /= CHAR_BIT;
	*len = *len == 0 ? 0 : (uint32_t)((end + CHAR_BIT - 1) / CHAR_BIT) - *off;
	return whole;
}

static bool
takes_bits(const struct accel_qp *qp, const struct accel_session *sess)
{
	return sess->odd_bits &&
	       (qp->dev->active_flags & RTE_CRYPTODEV_FF_NON_BYTE_ALIGNED_DATA) != 0;
}

static enum refusal
put_symmetric(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx,
	      struct rte_crypto_op *op, const struct accel_session *sess, uint32_t tag)
{
	struct rte_crypto_sym_op in_bytes = *op->sym;
	struct rte_mbuf src, dst;
	struct work work;

	begin_work(&work, op, sess, tag);
	/* Nearly all operations have whole bytes. All others get the flag BITS. */
	if (sess->cipher_bits &&
	    !to_bytes(&in_bytes.cipher.data.offset, &in_bytes.cipher.data.length))
		work.bits = op->sym;
	if (sess->auth_bits && !to_bytes(&in_bytes.auth.data.offset, &in_bytes.auth.data.length))
		work.bits = op->sym;
	if (work.bits != NULL && !takes_bits(qp, sess))
		return ODD_BITS;
	work.src.m = measured(work.src.m, &src);
	work.dst.m = work.oop ? measured(work.dst.m, &dst) : work.src.m;
	accel_regions_of(sess->kind, &in_bytes, &work.regions);
	if (accel_session_iv_in_stream(sess))
		work.regions.aad = rte_crypto_op_ctophys_offset(op, sess->auth_iv_offset);
	return put_work(qp, tx, rx, &work);
}

/*
 * Writes an operation with a security session. The result of IPsec and TLS may begin before the
 * source, so the result has a copy of the mbuf with an offset of its own.
 */
static enum refusal
put_protocol(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx,
	     struct rte_crypto_op *op, const struct accel_session *sess, uint32_t tag)
{
	const bool placed = accel_is_placed(sess->kind);
	struct accel_result result;
	struct work work;

	begin_work(&work, op, sess, tag);
	work.total = op->sym->m_src->pkt_len;
	accel_regions_of(ACCEL_HW_KIND_CIPHER_THEN_AUTH, op->sym, &work.regions);
	if (placed && !accel_protocol_place(op, sess, &result))
		return NO_HEADROOM;
	if (placed) {
		work.dst.m = &result.first;
		work.result = result.len;
		work.skip = accel_protocol_skip(op, sess, work.oop);
	}
	return put_work(qp, tx, rx, &work);
}

/*
 * Writes an operation without a session. The driver makes a session from the operation's
 * transforms.
 */
static enum refusal
put_sessionless(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx,
		struct rte_crypto_op *op, uint32_t tag)
{
	const uint32_t slot = tag & qp->desc_mask;
	const struct accel_session *sess;
	enum refusal refusal;
	int ret = -EINVAL;

	if (op->sym->xform != NULL)
		ret = accel_sessionless_get(qp, slot, op->sym->xform, &sess);
	if (ret != 0)
		return ret == -ENOMEM ? NO_MEMORY : ret == -ENOTSUP ? UNKNOWN_XFORM : BAD_XFORM;
	refusal = put_symmetric(qp, tx, rx, op, sess, tag);
	if (refusal == TAKEN)
		qp->refusals[slot] = ACCEL_TAKEN;
	else
		accel_sessionless_drop(qp, slot);
	return refusal;
}

static enum refusal
put_asym(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx,
	 struct rte_crypto_op *op, uint32_t tag)
{
	switch (accel_asym_put(qp, tx, rx, op, tag)) {
	case 0:
		qp->refusals[tag & qp->desc_mask] = ACCEL_TAKEN;
		return TAKEN;
	case -EAGAIN:
		return RINGS_FULL;
	case -EPERM:
		return BAD_ASYM_SESSION;
	case -ENOTSUP:
		return UNKNOWN_ASYM;
	case -ENOMEM:
		return NO_MEMORY;
	default:
		return BAD_ASYM;
	}
}

/*
 * Writes an operation by the way that accel_sort() has found. *kind receives the kind of its
 * in-flight entry.
 */
static enum refusal
put_op(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx, struct rte_crypto_op *op,
	struct accel_sorted sorted, uint32_t tag, uintptr_t *kind)
{
	const struct accel_session *sess = accel_sorted_session(sorted);

	switch (accel_sorted_way(sorted)) {
	case ACCEL_WAY_FAST:
	case ACCEL_WAY_SEGMENTS:
	case ACCEL_WAY_SYMMETRIC:
		*kind = ACCEL_OP_PLAIN;
		return put_symmetric(qp, tx, rx, op, sess, tag);
	case ACCEL_WAY_IPSEC:
	case ACCEL_WAY_PROTOCOL:
		*kind = accel_protocol_grows(sess) ? ACCEL_OP_PROTOCOL : ACCEL_OP_PLAIN;
		return put_protocol(qp, tx, rx, op, sess, tag);
	case ACCEL_WAY_SESSIONLESS:
		*kind = ACCEL_OP_SESSIONLESS;
		return put_sessionless(qp, tx, rx, op, tag);
	case ACCEL_WAY_ASYMMETRIC:
		*kind = ACCEL_OP_ASYM;
		return put_asym(qp, tx, rx, op, tag);
	case ACCEL_WAY_BAD_SESSION:
		return BAD_SESSION;
	case ACCEL_WAY_NO_SOURCE:
		return NO_SOURCE;
	default:
		return BAD_TYPE;
	}
}

/*
 * Writes a command that does nothing, instead of an operation that cannot be carried out. Returns
 * false if the ring is full.
 */
static bool
put_refused(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx, uint32_t tag,
	    enum refusal refusal)
{
	const enum rte_crypto_op_status status = refusals[refusal].status;

	if (put_nop(qp, tx, rx, tag) != TAKEN)
		return false;
	qp->refusals[tag & qp->desc_mask] = (uint8_t)status;
	accel_count_add(&qp->enqueue_count.enqueue_errors, 1);
	accel_count_add(&qp->enqueue_count.refusals[refusal], 1);
	ACCEL_LOG_LIMITED(&qp->refusal_log, WARNING,
			  "dev %u qp %u: %s; it comes back with status %d", qp->dev_id, qp->id,
			  refusals[refusal].text, status);
	return true;
}

bool
accel_enqueue_slow(struct accel_qp *qp, struct rte_crypto_op *op, struct accel_sorted sorted,
		   uint32_t tag)
{
	struct accel_ring *tx = &qp->tx, *rx = &qp->rx;
	enum refusal refusal;
	uintptr_t kind = 0;

	accel_ring_freed(tx, accel_load_acquire(&qp->tx_cons));
	accel_ring_freed(rx, accel_load_acquire(&qp->rx_cons));
	refusal = put_op(qp, tx, rx, op, sorted, tag, &kind);
	if (refusal == RINGS_FULL)
		return false;
	if (refusal != TAKEN) {
		if (!put_refused(qp, tx, rx, tag, refusal))
			return false;
		kind = ACCEL_OP_REFUSED;
	}
	accel_set_inflight(&qp->inflight[tag & qp->desc_mask], op, kind, tx, rx);
	return true;
}

/* The next function writes operations of the raw data path. */

int
accel_enqueue_slow_raw(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx,
		       const struct accel_session *sess, const struct accel_raw_op *op,
		       uint32_t tag)
{
	const uint64_t total = accel_raw_bytes(op->src);
	struct work work = {
		.sess = sess,
		.src = { .vec = op->src->vec, .left = op->src->num },
		.dst = { .vec = op->dst->vec, .left = op->dst->num },
		.source = ACCEL_VECTORS,
		.oop = op->dst != op->src,
		.total = (uint32_t)total,
		.tag = tag,
	};
	enum refusal refusal;

	if (!accel_raw_pointers(op, sess, sess->kind, &work.regions) || total > UINT32_MAX)
		return -EINVAL;
	/* A PDU is processed as a whole, without offsets. */
	if (sess->kind != ACCEL_HW_KIND_PDCP &&
	    !accel_raw_regions(op, sess->kind, (uint32_t)total, &work.regions))
		return -EINVAL;
	if (sess->iv_len != 0)
		work.iv = RTE_PTR_ADD(op->iv->va, accel_raw_iv_skip(sess));
	if (sess->auth_iv_len != 0)
		work.auth_iv = op->aad_or_auth_iv->va;
	refusal = put_work(qp, tx, rx, &work);
	if (refusal == TAKEN)
		return 0;
	return refusal == RINGS_FULL ? -EAGAIN : -EINVAL;
}
