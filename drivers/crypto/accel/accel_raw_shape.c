/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Raw data path: from a caller's vectors to descriptors and command. Here the regions of an
 * operation are what the vectors have between head and tail; what follows from them is in
 * accel_shape.h, as with mbufs.
 */
#include <errno.h>
#include <string.h>

#include "accel_command.h"
#include "accel_protocol.h"
#include "accel_raw_ctx.h"
#include "accel_shape.h"

/* An operation with what it comes to. */
struct raw_work {
	const struct accel_raw_op *op;
	const struct accel_session *sess;
	struct accel_shape shape;
};

/*
 * Vectors.
 */

/* A part of them, walked through piece by piece. */
struct part {
	const struct rte_crypto_vec *vec;
	uint32_t left; /* vectors from this one on */
	uint64_t off; /* where the part goes on, from the begin of this one */
	uint64_t len; /* bytes that are still to come */
	rte_iova_t iova; /* the piece it is at */
	uint32_t piece; /* its bytes, some */
};

static struct part
part_of(const struct rte_crypto_sgl *sgl, uint64_t off, uint64_t len)
{
	return (struct part){ .vec = sgl->vec, .left = sgl->num, .off = off, .len = len };
}

/* To the next piece. False at the end of the part or of the vectors. */
static bool
part_next(struct part *part)
{
	for (; part->len > 0 && part->left > 0; part->vec++, part->left--) {
		if (part->off < part->vec->len) {
			part->iova = part->vec->iova + part->off;
			part->piece = (uint32_t)RTE_MIN(part->len, part->vec->len - part->off);
			part->off += part->piece;
			part->len -= part->piece;
			return true;
		}
		part->off -= part->vec->len;
	}
	return false;
}

/* The IOVA of a byte, 0 if the vectors end before. */
static rte_iova_t
sgl_iova_at(const struct rte_crypto_sgl *sgl, uint64_t off)
{
	struct part part = part_of(sgl, off, 1);

	return part_next(&part) ? part.iova : 0;
}

/* Does an IOVA lie within a part of the vectors? */
static bool
sgl_has_iova(const struct rte_crypto_sgl *sgl, uint64_t off, uint64_t len, rte_iova_t iova)
{
	struct part part = part_of(sgl, off, len);

	while (part_next(&part)) {
		if (iova - part.iova < part.piece)
			return true;
	}
	return false;
}

/* Add a part of the vectors. @return how much of it lies behind their end. */
static uint64_t
frame_add_sgl(struct accel_frame *frame, const struct rte_crypto_sgl *sgl, uint64_t off,
	      uint64_t len)
{
	struct part part = part_of(sgl, off, len);

	while (part_next(&part))
		accel_frame_add(frame, part.iova, part.piece);
	return frame->error == 0 ? part.len : 0;
}

/*
 * The shape.
 */

/* A digest in the cipher region either lies in its place there, or the operation is refused. */
static int
shape_digest(const struct accel_qp *qp, struct raw_work *work, const struct accel_regions *regions)
{
	const struct rte_crypto_sgl *src = work->op->src, *dst = work->op->dst;
	const uint64_t at = accel_digest_place(regions);

	if (accel_digest_in_place(qp, work->sess, regions) &&
	    (sgl_iova_at(src, at) == regions->digest || sgl_iova_at(dst, at) == regions->digest)) {
		accel_shape_digest_in_stream(work->sess, regions, &work->shape);
		return 0;
	}
	return sgl_has_iova(src, regions->cipher_off, regions->cipher_len, regions->digest) ||
			       sgl_has_iova(dst, regions->cipher_off, regions->cipher_len,
					    regions->digest) ? -EINVAL : 0;
}

static int
take_shape(const struct accel_qp *qp, struct raw_work *work)
{
	const struct accel_session *sess = work->sess;
	struct accel_regions regions;
	uint64_t total;
	int ret = 0;

	if (!accel_raw_pointers(work->op, sess, sess->kind, &regions))
		return -EINVAL;
	total = accel_raw_bytes(work->op->src);
	if (total > UINT32_MAX)
		return -EINVAL;
	if (sess->kind == ACCEL_HW_KIND_PDCP)
		return accel_protocol_shape_pdcp(sess, (uint32_t)total, &work->shape) ? 0 : -EINVAL;
	if (!accel_raw_regions(work->op, sess->kind, (uint32_t)total, &regions))
		return -EINVAL;
	if (accel_raw_is_protocol(sess->kind)) {
		accel_protocol_shape_docsis(regions, &work->shape);
		return 0;
	}
	accel_shape_of(sess->kind, &regions, &work->shape);
	if (sess->digest_may_be_ciphered)
		ret = shape_digest(qp, work, &regions);
	accel_shape_finish(sess, work->op->dst != work->op->src, &work->shape);
	return ret;
}

/*
 * Frames and command.
 */

/* A digest in the stream that reaches beyond the vectors goes on at its own address. */
static int
frame_add_stream(struct accel_frame *frame, const struct raw_work *work,
		 const struct rte_crypto_sgl *sgl, uint32_t off, uint64_t len)
{
	const uint32_t digest_len = work->sess->digest_len;
	uint64_t rest = frame_add_sgl(frame, sgl, off, len);

	if (rest == 0)
		return 0;
	if (work->sess->kind == ACCEL_HW_KIND_PDCP && sgl == work->op->dst && sgl->num > 0) {
		/* MAC-I, behind the last vector's data. */
		const struct rte_crypto_vec *last = &sgl->vec[sgl->num - 1];

		if ((uint64_t)last->len + rest > last->tot_len)
			return -EINVAL;
		accel_frame_add(frame, last->iova + last->len, (uint32_t)rest);
		return 0;
	}
	if (!accel_shape_in_stream(&work->shape) || rest > digest_len)
		return -EINVAL;
	accel_frame_add(frame, work->shape.digest + digest_len - rest, (uint32_t)rest);
	return 0;
}

static int
put_frames(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct raw_work *work,
	   uint32_t slot)
{
	const struct accel_session *sess = work->sess;
	const struct accel_shape *shape = &work->shape;
	const bool apart = !accel_shape_in_stream(shape) && !accel_raw_is_protocol(sess->kind);
	struct accel_frame frame;
	int ret;

	accel_qp_begin_request(qp, &frame, &ctx->tx, slot);
	if (sess->aad_len != 0)
		accel_frame_add(&frame, shape->aad + sess->aad_offset, sess->aad_len);
	ret = frame_add_stream(&frame, work, work->op->src, shape->src_off, shape->src_len);
	if (ret != 0)
		return ret;
	if (sess->verify && apart)
		accel_frame_add(&frame, shape->digest, sess->digest_len);
	ret = accel_frame_end(&frame);
	if (ret != 0 || (shape->flags & ACCEL_HW_CMD_NO_RX) != 0)
		return ret;

	accel_frame_begin(&frame, &ctx->rx, qp->max_fragments, qp->max_frame_bytes);
	ret = frame_add_stream(&frame, work, work->op->dst, shape->dst_off, shape->dst_len);
	if (ret != 0)
		return ret;
	if (sess->generate && apart)
		accel_frame_add(&frame, shape->digest, sess->digest_len);
	return accel_frame_end(&frame);
}

static void
put_command(struct accel_hw_command *cmd, const struct raw_work *work, uint32_t tag)
{
	const struct accel_session *sess = work->sess;

	accel_shape_command(cmd, sess, &work->shape, tag);
	if (sess->iv_len != 0 && accel_raw_is_protocol(sess->kind))
		accel_protocol_put_iv(cmd, sess, work->op->iv->va);
	else if (sess->iv_len != 0) /* a long one takes the room of both */
		accel_put_iv((uint8_t *)cmd + offsetof(struct accel_hw_command, iv),
			     RTE_PTR_ADD(work->op->iv->va, accel_raw_iv_skip(sess)), sess->iv_len);
	if (sess->auth_iv_len != 0)
		accel_put_iv((uint8_t *)cmd + sess->auth_iv_at, work->op->aad_or_auth_iv->va,
			     sess->auth_iv_len);
}

int
accel_raw_put(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_session *sess,
	      const struct accel_raw_op *op)
{
	const uint32_t slot = ctx->prod & qp->desc_mask;
	struct raw_work work;
	struct accel_ring tx, rx;
	int ret;

	work.op = op;
	work.sess = sess;
	ret = take_shape(qp, &work);
	if (ret != 0)
		return ret;
	tx = ctx->tx;
	rx = ctx->rx;
	ret = put_frames(qp, ctx, &work, slot);
	if (ret == 0) {
		put_command(&qp->commands[slot], &work, ctx->prod);
		return 0;
	}
	ctx->tx = tx;
	ctx->rx = rx;
	if (ret != -ENOSPC)
		return -EINVAL;
	/* Rings that are empty and still too small will never do; others become free. */
	return accel_ring_room(&tx) == tx.mask && accel_ring_room(&rx) == rx.mask ? -EINVAL :
										     -EAGAIN;
}
