/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Raw data path: see accel_raw.h. Operations are cached in the context, together with copies of the
 * rings, until enqueue_done() publishes them with one doorbell; so a context that is given up
 * leaves nothing behind. Dequeuing needs no second step: what it returns is free.
 */
#include <errno.h>
#include <string.h>

#include <rte_io.h>
#include <rte_malloc.h>

#include "accel_logs.h"
#include "accel_protocol.h"
#include "accel_raw.h"
#include "accel_session.h"
#include "accel_sessionless.h"
#include "accel_shape.h"

/* Behind rte_crypto_raw_dp_ctx, in the application's memory. */
struct raw_ctx {
	const struct accel_session *sess; /* NULL until there is one, and without session */
	struct rte_crypto_sym_xform *xform; /* without session: of the application */
	/* Operations that are cached: numbers first to prod - 1. */
	struct accel_ring tx;
	struct accel_ring rx;
	uint32_t first;
	uint32_t prod;
	uint32_t starts; /* of the queue pair when the first was cached */
	uint32_t dequeued; /* not reported by dequeue_done() yet */
};

/* Vectors, with what is needed of an operation beside them. */
struct raw_op {
	const struct rte_crypto_sgl *src;
	const struct rte_crypto_sgl *dst; /* the same in place */
	union rte_crypto_sym_ofs ofs;
	const struct rte_crypto_va_iova_ptr *iv_ptr;
	const struct rte_crypto_va_iova_ptr *digest_ptr;
	const struct rte_crypto_va_iova_ptr *aad_or_auth_iv_ptr;
	/* By take_pointers(), as far as the session needs them. */
	const struct accel_session *sess;
	const uint8_t *iv;
	const uint8_t *auth_iv;
	uint64_t aad; /* IOVA */
	uint64_t digest; /* IOVA */
	/* By raw_shape(), in terms of manual section 7. Offsets into the vectors. */
	uint32_t src_off;
	uint32_t dst_off;
	uint64_t src_len;
	uint64_t dst_len;
	uint32_t skip;
	uint32_t cipher_len;
	uint32_t auth_len;
	uint32_t auth_end; /* where a digest in the stream lies */
	uint8_t flags; /* ACCEL_HW_CMD_* */
};

/*
 * Vectors.
 */

static uint64_t
sgl_len(const struct rte_crypto_sgl *sgl)
{
	uint64_t len = 0;
	uint32_t i;

	for (i = 0; i < sgl->num; i++)
		len += sgl->vec[i].len;
	return len;
}

/* The IOVA of a byte, 0 if the vectors end before. */
static rte_iova_t
sgl_iova_at(const struct rte_crypto_sgl *sgl, uint64_t off)
{
	uint32_t i;

	for (i = 0; i < sgl->num; i++) {
		if (off < sgl->vec[i].len)
			return sgl->vec[i].iova + off;
		off -= sgl->vec[i].len;
	}
	return 0;
}

/* Does an IOVA lie within a part of the vectors? */
static bool
sgl_has_iova(const struct rte_crypto_sgl *sgl, uint64_t off, uint64_t len, rte_iova_t iova)
{
	uint32_t i;

	for (i = 0; i < sgl->num && len > 0; i++) {
		uint64_t piece;

		if (off >= sgl->vec[i].len) {
			off -= sgl->vec[i].len;
			continue;
		}
		piece = RTE_MIN(len, sgl->vec[i].len - off);
		if (iova - (sgl->vec[i].iova + off) < piece)
			return true;
		len -= piece;
		off = 0;
	}
	return false;
}

/* Add a part of the vectors. @return how much of it lies behind their end. */
static uint64_t
frame_add_sgl(struct accel_frame *frame, const struct rte_crypto_sgl *sgl, uint64_t off,
	      uint64_t len)
{
	uint32_t i;

	for (i = 0; i < sgl->num && len > 0 && frame->error == 0; i++) {
		uint32_t piece;

		if (off >= sgl->vec[i].len) {
			off -= sgl->vec[i].len;
			continue;
		}
		piece = (uint32_t)RTE_MIN(len, sgl->vec[i].len - off);
		accel_frame_add(frame, sgl->vec[i].iova + off, piece);
		len -= piece;
		off = 0;
	}
	return frame->error == 0 ? len : 0;
}

/*
 * From an operation to its frames.
 */

static bool
is_protocol(const struct accel_session *sess)
{
	return sess->kind > ACCEL_HW_KIND_AEAD;
}

/* Both regions of a chain; out of place the destination gets all of the source (manual 7.2). */
static void
shape_chain(struct raw_op *op, uint32_t c_off, uint32_t a_off)
{
	const bool auth_first = a_off < c_off;
	const uint32_t start = auth_first ? a_off : c_off;
	const uint64_t end = RTE_MAX((uint64_t)c_off + op->cipher_len,
				     (uint64_t)a_off + op->auth_len);

	op->src_off = start;
	op->src_len = end - start;
	op->skip = (auth_first ? c_off : a_off) - start;
	op->flags = auth_first ? ACCEL_HW_CMD_AUTH_FIRST : 0;
	op->dst_off = c_off;
	op->dst_len = op->cipher_len;
	if (op->dst != op->src) {
		op->flags |= ACCEL_HW_CMD_WHOLE;
		op->dst_off = start;
		op->dst_len = op->src_len;
	}
}

/* Digest encrypted, as with mbufs: behind the auth region, at least begun by the cipher region. */
static int
shape_digest(const struct accel_qp *qp, struct raw_op *op, uint32_t c_off)
{
	const struct accel_session *sess = op->sess;
	const uint64_t c_end = (uint64_t)c_off + op->cipher_len;
	const uint64_t a_end = op->auth_end;
	uint64_t len;

	if (!sess->digest_may_be_ciphered)
		return 0;
	if (a_end >= c_end || a_end + sess->digest_len <= c_off ||
	    (qp->dev->active_flags & RTE_CRYPTODEV_FF_DIGEST_ENCRYPTED) == 0 ||
	    (sgl_iova_at(op->src, a_end) != op->digest &&
	     sgl_iova_at(op->dst, a_end) != op->digest))
		return sgl_has_iova(op->src, c_off, op->cipher_len, op->digest) ||
				       sgl_has_iova(op->dst, c_off, op->cipher_len, op->digest) ?
			       -EINVAL : 0;
	len = RTE_MAX(c_end, a_end + sess->digest_len) - op->src_off;
	if (sess->verify)
		op->src_len = len;
	op->dst_off = op->src_off;
	op->dst_len = len;
	op->flags |= ACCEL_HW_CMD_WHOLE | ACCEL_HW_CMD_DIGEST_IN_STREAM;
	return 0;
}

/* A protocol's frame or PDU (manual 8.5). */
static int
raw_shape_protocol(struct raw_op *op, uint64_t total)
{
	const union rte_crypto_sym_ofs *ofs = &op->ofs;
	const uint32_t c_off = ofs->ofs.cipher.head, c_out = c_off + ofs->ofs.cipher.tail;
	const uint32_t a_off = ofs->ofs.auth.head, a_out = a_off + ofs->ofs.auth.tail;
	struct accel_protocol_shape shape;

	if (total > UINT32_MAX)
		return -EINVAL;
	if (op->sess->kind == ACCEL_HW_KIND_PDCP) {
		if (!accel_protocol_shape_pdcp(op->sess, (uint32_t)total, &shape))
			return -EINVAL;
	} else {
		if (c_out > total || a_out > total)
			return -EINVAL;
		accel_protocol_shape_docsis(c_off, (uint32_t)total - c_out, a_off,
					    (uint32_t)total - a_out, &shape);
	}
	op->src_off = shape.off;
	op->dst_off = shape.off;
	op->src_len = shape.src_len;
	op->dst_len = shape.dst_len;
	op->skip = shape.skip;
	op->cipher_len = shape.cipher_len;
	op->auth_len = shape.auth_len;
	op->flags = shape.flags;
	return 0;
}

/* Lengths are what the vectors have between head and tail. */
static int
raw_shape(const struct accel_qp *qp, struct raw_op *op)
{
	const struct accel_session *sess = op->sess;
	const uint64_t total = sgl_len(op->src);
	const uint32_t c_off = op->ofs.ofs.cipher.head, a_off = op->ofs.ofs.auth.head;
	const uint32_t c_out = c_off + op->ofs.ofs.cipher.tail;
	const uint32_t a_out = a_off + op->ofs.ofs.auth.tail;

	op->cipher_len = 0;
	op->auth_len = 0;
	op->skip = 0;
	op->flags = 0;
	if (is_protocol(sess))
		return raw_shape_protocol(op, total);
	if (total > UINT32_MAX || (sess->kind != ACCEL_HW_KIND_AUTH && c_out > total) ||
	    (sess->kind != ACCEL_HW_KIND_CIPHER && sess->kind != ACCEL_HW_KIND_AEAD &&
	     a_out > total))
		return -EINVAL;
	switch (sess->kind) {
	case ACCEL_HW_KIND_CIPHER:
	case ACCEL_HW_KIND_AEAD:
		op->cipher_len = (uint32_t)(total - c_out);
		op->src_off = c_off;
		op->dst_off = c_off;
		op->src_len = op->cipher_len;
		op->dst_len = op->cipher_len;
		return 0;
	case ACCEL_HW_KIND_AUTH:
		op->auth_len = (uint32_t)(total - a_out);
		op->src_off = a_off;
		op->dst_off = a_off;
		op->src_len = op->auth_len;
		op->dst_len = op->dst != op->src ? op->auth_len : 0;
		op->flags = op->dst != op->src ? ACCEL_HW_CMD_WHOLE : 0;
		return 0;
	default:
		op->cipher_len = (uint32_t)(total - c_out);
		op->auth_len = (uint32_t)(total - a_out);
		op->auth_end = a_off + op->auth_len;
		shape_chain(op, c_off, a_off);
		return shape_digest(qp, op, c_off);
	}
}

/* A digest in the stream that reaches beyond the vectors goes on at its own address. */
static int
frame_add_stream(struct accel_frame *frame, const struct raw_op *op,
		 const struct rte_crypto_sgl *sgl, uint32_t off, uint64_t len)
{
	const uint32_t digest_len = op->sess->digest_len;
	uint64_t rest = frame_add_sgl(frame, sgl, off, len);

	if (rest == 0)
		return 0;
	if (op->sess->kind == ACCEL_HW_KIND_PDCP && sgl == op->dst && sgl->num > 0) {
		/* MAC-I, behind the last vector's data. */
		const struct rte_crypto_vec *last = &sgl->vec[sgl->num - 1];

		if ((uint64_t)last->len + rest > last->tot_len)
			return -EINVAL;
		accel_frame_add(frame, last->iova + last->len, (uint32_t)rest);
		return 0;
	}
	if ((op->flags & ACCEL_HW_CMD_DIGEST_IN_STREAM) == 0 || rest > digest_len)
		return -EINVAL;
	accel_frame_add(frame, op->digest + digest_len - rest, (uint32_t)rest);
	return 0;
}

static int
put_frames(struct accel_qp *qp, struct raw_ctx *ctx, const struct raw_op *op, uint64_t command)
{
	const struct accel_session *sess = op->sess;
	const bool apart = (op->flags & ACCEL_HW_CMD_DIGEST_IN_STREAM) == 0 && !is_protocol(sess);
	struct accel_frame frame;
	int ret;

	accel_frame_begin(&frame, &ctx->tx, qp->max_fragments, qp->max_frame_bytes);
	accel_frame_command(&frame, command);
	if (sess->aad_len != 0)
		accel_frame_add(&frame, op->aad + sess->aad_offset, sess->aad_len);
	ret = frame_add_stream(&frame, op, op->src, op->src_off, op->src_len);
	if (ret != 0)
		return ret;
	if (sess->verify && apart)
		accel_frame_add(&frame, op->digest, sess->digest_len);
	ret = accel_frame_end(&frame);
	if (ret != 0 || (op->flags & ACCEL_HW_CMD_NO_RX) != 0)
		return ret;

	accel_frame_begin(&frame, &ctx->rx, qp->max_fragments, qp->max_frame_bytes);
	ret = frame_add_stream(&frame, op, op->dst, op->dst_off, op->dst_len);
	if (ret != 0)
		return ret;
	if (sess->generate && apart)
		accel_frame_add(&frame, op->digest, sess->digest_len);
	return accel_frame_end(&frame);
}

static void
put_command(struct accel_hw_command *cmd, const struct raw_op *op, uint32_t tag)
{
	const struct accel_session *sess = op->sess;

	accel_begin_command(cmd, sess);
	cmd->tag = rte_cpu_to_le_32(tag);
	cmd->flags = op->flags;
	cmd->skip = rte_cpu_to_le_32(op->skip);
	cmd->cipher_len = rte_cpu_to_le_32(op->cipher_len);
	cmd->auth_len = rte_cpu_to_le_32(op->auth_len);
	if (is_protocol(sess)) {
		accel_protocol_put_iv(cmd, sess, op->iv);
		return;
	}
	/* A long IV takes the room of both. */
	memcpy((uint8_t *)cmd + offsetof(struct accel_hw_command, iv), op->iv, sess->iv_len);
	if (sess->auth_iv_len != 0)
		memcpy((uint8_t *)cmd + sess->auth_iv_at, op->auth_iv, sess->auth_iv_len);
}

/* What the session needs of IVs, AAD and digest; -EINVAL if it is not there. */
static int
take_pointers(const struct accel_session *sess, struct raw_op *op)
{
	static const uint8_t none[ACCEL_HW_IV_MAX];
	/* CCM's nonce begins behind the byte that is reserved for its flags. */
	const uint32_t iv_skip = sess->aad_offset != 0 ? ACCEL_CCM_NONCE_OFFSET : 0;
	const struct rte_crypto_va_iova_ptr *iv = op->iv_ptr, *digest = op->digest_ptr;
	const struct rte_crypto_va_iova_ptr *other = op->aad_or_auth_iv_ptr;
	const uint32_t digest_len = is_protocol(sess) ? 0 : sess->digest_len; /* in the data */

	if ((sess->iv_len != 0 && (iv == NULL || iv->va == NULL)) ||
	    (digest_len != 0 && (digest == NULL || digest->iova == 0)) ||
	    (sess->aad_len != 0 && (other == NULL || other->iova == 0)) ||
	    (sess->auth_iv_len != 0 && (other == NULL || other->va == NULL)))
		return -EINVAL;
	op->sess = sess;
	op->iv = sess->iv_len != 0 ? RTE_PTR_ADD(iv->va, iv_skip) : none;
	op->auth_iv = sess->auth_iv_len != 0 ? other->va : none;
	op->aad = sess->aad_len != 0 ? other->iova : 0;
	op->digest = digest_len != 0 ? digest->iova : 0;
	return 0;
}

/* The rings as they are published, for the first operation to be cached. */
static void
cache_begin(struct accel_qp *qp, struct raw_ctx *ctx)
{
	if (ctx->prod != ctx->first && ctx->starts == qp->starts &&
	    ctx->first == accel_load_relaxed(&qp->prod))
		return;
	ctx->first = accel_load_relaxed(&qp->prod);
	ctx->prod = ctx->first;
	ctx->starts = qp->starts;
	ctx->tx = qp->tx;
	ctx->rx = qp->rx;
}

/* The frames and the command; the rings stay as they were if that fails. */
static int
cache_frames(struct accel_qp *qp, struct raw_ctx *ctx, const struct accel_session *sess,
	     struct raw_op *op)
{
	const uint32_t slot = ctx->prod & qp->desc_mask;
	const uint64_t command =
		qp->commands_iova + (uint64_t)slot * sizeof(struct accel_hw_command);
	struct accel_ring tx, rx;
	int ret;

	ret = take_pointers(sess, op);
	if (ret == 0)
		ret = raw_shape(qp, op);
	if (ret != 0)
		return ret;
	if (op->dst_len == 0 && (!op->sess->generate || is_protocol(op->sess)))
		op->flags |= ACCEL_HW_CMD_NO_RX;
	accel_ring_freed(&ctx->tx, accel_load_acquire(&qp->tx_cons));
	accel_ring_freed(&ctx->rx, accel_load_acquire(&qp->rx_cons));
	tx = ctx->tx;
	rx = ctx->rx;
	ret = put_frames(qp, ctx, op, command);
	if (ret == 0) {
		put_command(&qp->commands[slot], op, ctx->prod);
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

/* The same with a session of our own. */
static int
cache_sessionless(struct accel_qp *qp, struct raw_ctx *ctx, struct raw_op *op)
{
	struct accel_session *sess;
	int ret;

	ret = accel_sessionless_get(qp, ctx->xform, &sess);
	if (ret != 0)
		return ret == -ENOMEM ? -ENOMEM : -EINVAL;
	ret = cache_frames(qp, ctx, sess, op);
	if (ret == 0)
		accel_sessionless_keep(qp, ctx->prod & qp->desc_mask, sess);
	else
		accel_sessionless_drop(qp, sess);
	return ret;
}

/* Cache one operation. 0; -EAGAIN no room now, -EINVAL never possible, -EIO queue pair stopped. */
static int
cache_op(struct accel_qp *qp, struct raw_ctx *ctx, struct raw_op *op, void *user_data)
{
	const uint32_t mode = accel_load_relaxed(&qp->mode);
	uintptr_t flags = ACCEL_OP_RAW;
	struct accel_inflight *entry;
	struct accel_raw_slot *raw;
	int ret = 0;

	if (mode == ACCEL_QP_STOPPED)
		return -EIO;
	cache_begin(qp, ctx);
	if (ctx->prod - qp->cons_seen >= qp->nb_desc) {
		qp->cons_seen = accel_load_acquire(&qp->cons);
		if (ctx->prod - qp->cons_seen >= qp->nb_desc)
			return -EAGAIN;
	}
	if (mode == ACCEL_QP_FAILED) {
		/* Takes operations too, and gives them back with an error. */
		flags |= ACCEL_OP_SETTLED;
	} else if (ctx->xform != NULL) {
		ret = cache_sessionless(qp, ctx, op);
		flags |= ACCEL_OP_SESSIONLESS;
	} else {
		ret = ctx->sess != NULL ? cache_frames(qp, ctx, ctx->sess, op) : -EINVAL;
	}
	if (ret != 0)
		return ret;
	entry = &qp->inflight[ctx->prod & qp->desc_mask];
	raw = &qp->raw[ctx->prod & qp->desc_mask];
	raw->user_data = user_data;
	raw->status = RTE_CRYPTO_OP_STATUS_ERROR;
	entry->op = (uintptr_t)raw | flags;
	entry->tx_end = ctx->tx.prod;
	entry->rx_end = ctx->rx.prod;
	ctx->prod++;
	return 0;
}

/*
 * The callbacks.
 */

static int
raw_enqueue(void *queue_pair, uint8_t *drv_ctx, struct rte_crypto_vec *data_vec,
	    uint16_t n_data_vecs, union rte_crypto_sym_ofs ofs, struct rte_crypto_va_iova_ptr *iv,
	    struct rte_crypto_va_iova_ptr *digest, struct rte_crypto_va_iova_ptr *aad_or_auth_iv,
	    void *user_data)
{
	struct raw_ctx *ctx = (struct raw_ctx *)drv_ctx;
	const struct rte_crypto_sgl sgl = { .vec = data_vec, .num = n_data_vecs };
	struct raw_op op = {
		.src = &sgl,
		.dst = &sgl,
		.ofs = ofs,
		.iv_ptr = iv,
		.digest_ptr = digest,
		.aad_or_auth_iv_ptr = aad_or_auth_iv,
	};

	return cache_op(queue_pair, ctx, &op, user_data);
}

static int
burst_op(struct accel_qp *qp, struct raw_ctx *ctx, const struct rte_crypto_sym_vec *vec, uint32_t i,
	 union rte_crypto_sym_ofs ofs, void *user_data)
{
	struct raw_op op = {
		.src = &vec->src_sgl[i],
		.dst = vec->dest_sgl != NULL ? &vec->dest_sgl[i] : &vec->src_sgl[i],
		.ofs = ofs,
		.iv_ptr = vec->iv != NULL ? &vec->iv[i] : NULL,
		.digest_ptr = vec->digest != NULL ? &vec->digest[i] : NULL,
		.aad_or_auth_iv_ptr = vec->aad != NULL ? &vec->aad[i] : NULL,
	};

	return cache_op(qp, ctx, &op, user_data);
}

/* Up to the first operation that cannot be cached. If that is the very first, and not only for want
 * of room, *enqueue_status says so; vec->status says it of each. */
static uint32_t
raw_enqueue_burst(void *queue_pair, uint8_t *drv_ctx, struct rte_crypto_sym_vec *vec,
		  union rte_crypto_sym_ofs ofs, void *user_data[], int *enqueue_status)
{
	struct raw_ctx *ctx = (struct raw_ctx *)drv_ctx;
	uint32_t i, n;
	int ret = 0;

	for (n = 0; n < vec->num; n++) {
		ret = burst_op(queue_pair, ctx, vec, n, ofs, user_data[n]);
		if (ret != 0)
			break;
	}
	for (i = 0; vec->status != NULL && i < vec->num; i++)
		vec->status[i] = i < n ? 0 : i == n ? -ret : EAGAIN;
	*enqueue_status = n == 0 && ret != -EAGAIN ? ret : 0;
	return n;
}

/* Publish what is cached, if it is n operations and nothing came in between. */
static int
raw_enqueue_done(void *queue_pair, uint8_t *drv_ctx, uint32_t n)
{
	struct raw_ctx *ctx = (struct raw_ctx *)drv_ctx;
	struct accel_qp *qp = queue_pair;
	const uint32_t mode = accel_load_relaxed(&qp->mode);
	uint64_t sdp;

	if (n != ctx->prod - ctx->first)
		return -EINVAL;
	if (n == 0)
		return 0;
	if (mode == ACCEL_QP_STOPPED || ctx->starts != qp->starts ||
	    ctx->first != accel_load_relaxed(&qp->prod)) {
		ctx->prod = ctx->first;
		return -EIO;
	}
	qp->enqueued += n;
	ctx->first = ctx->prod;
	if (mode == ACCEL_QP_FAILED) {
		accel_store_release(&qp->prod, ctx->prod);
		return 0;
	}
	qp->tx = ctx->tx;
	qp->rx = ctx->rx;
	sdp = (uint64_t)(qp->rx.prod & qp->rx.mask) << 32 | (qp->tx.prod & qp->tx.mask);
	accel_store_release(&qp->prod, ctx->prod);
	rte_io_wmb();
	rte_write64_relaxed(rte_cpu_to_le_64(sdp), qp->doorbell);
	return 0;
}

/* How many operations from cons on can be given back, whoever's they are. Fails the queue pair if
 * the device is late, has stopped or talks nonsense. */
static uint32_t
raw_ready(struct accel_qp *qp, uint32_t cons)
{
	uint32_t hhp, answered;

	if (accel_load_relaxed(&qp->mode) == ACCEL_QP_RUNNING) {
		hhp = rte_le_to_cpu_32(qp->wb->rsp_hhp);
		answered = (hhp - (cons - qp->base)) & (qp->rsp_size - 1);
		rte_io_rmb(); /* responses and payload after the pointer (manual 6.6) */
		if (answered == 0 && !accel_qp_watch(qp, hhp))
			return 0;
		if (answered > accel_load_acquire(&qp->prod) - cons || hhp >= qp->rsp_size)
			accel_qp_nonsense(qp, hhp);
		else if (answered != 0)
			return answered;
	}
	switch (accel_load_relaxed(&qp->mode)) {
	case ACCEL_QP_FAILED:
		return accel_load_acquire(&qp->prod) - cons;
	case ACCEL_QP_BACKLOG:
		return qp->base - cons;
	default:
		return 0;
	}
}

/* The raw operation number cons, NULL if it is of the other interface. */
static struct accel_raw_slot *
raw_slot(const struct accel_qp *qp, uint32_t cons)
{
	const uintptr_t op = qp->inflight[cons & qp->desc_mask].op;

	return (op & ACCEL_OP_RAW) != 0 ? (struct accel_raw_slot *)(op & ~ACCEL_OP_FLAGS) : NULL;
}

/* Its final status, for the operation is given back now. -1 if what the device answered is not an
 * answer to it. */
static int
raw_status(struct accel_qp *qp, uint32_t cons, const struct accel_raw_slot *slot)
{
	const struct accel_hw_response *rsp =
		&qp->responses[(cons - qp->base) & (qp->rsp_size - 1)];
	const uint32_t n = cons & qp->desc_mask;
	const bool running = accel_load_relaxed(&qp->mode) == ACCEL_QP_RUNNING;
	uint16_t status;

	if ((qp->inflight[n].op & ACCEL_OP_SETTLED) != 0)
		return slot->status;
	if (running && rte_le_to_cpu_32(rsp->tag) != cons)
		return -1;
	if ((qp->inflight[n].op & ACCEL_OP_SESSIONLESS) != 0)
		accel_sessionless_put(qp, n);
	if (!running) {
		qp->dequeue_err++;
		return RTE_CRYPTO_OP_STATUS_ERROR;
	}
	status = rte_le_to_cpu_16(rsp->status);
	if (status != ACCEL_HW_OK)
		accel_qp_count_error(qp, status);
	return accel_op_status(status);
}

/* Operations up to cons were given back. */
static void
raw_commit(struct accel_qp *qp, struct raw_ctx *ctx, uint32_t cons)
{
	const uint32_t n = cons - accel_load_relaxed(&qp->cons);
	const struct accel_inflight *last = &qp->inflight[(cons - 1) & qp->desc_mask];

	if (n == 0)
		return;
	qp->deadline = 0;
	qp->dequeued += n;
	ctx->dequeued += n;
	if (accel_load_relaxed(&qp->mode) == ACCEL_QP_RUNNING) {
		accel_store_relaxed(&qp->tx_cons, last->tx_end);
		accel_store_relaxed(&qp->rx_cons, last->rx_end);
	}
	accel_store_release(&qp->cons, cons);
	if (accel_load_relaxed(&qp->mode) == ACCEL_QP_BACKLOG && cons == qp->base)
		accel_store_relaxed(&qp->mode, ACCEL_QP_RUNNING);
	if (unlikely(qp->event))
		accel_qp_raise(qp);
}

/*
 * With a count from the application: all of that many, which is a batch of its own making, or none.
 * Without the array, post_dequeue() gets the user data of the first for each.
 */
static uint32_t
raw_dequeue_burst(void *queue_pair, uint8_t *drv_ctx,
		  rte_cryptodev_raw_get_dequeue_count_t get_dequeue_count,
		  uint32_t max_nb_to_dequeue, rte_cryptodev_raw_post_dequeue_t post_dequeue,
		  void **out_user_data, uint8_t is_user_data_array, uint32_t *n_success,
		  int *dequeue_status)
{
	struct accel_qp *qp = queue_pair;
	const uint32_t start = accel_load_relaxed(&qp->cons);
	uint32_t ready, want, i;

	*n_success = 0;
	*dequeue_status = 1;
	ready = raw_ready(qp, start);
	if (ready == 0 || raw_slot(qp, start) == NULL)
		return 0;
	want = max_nb_to_dequeue;
	if (get_dequeue_count != NULL) {
		want = get_dequeue_count(raw_slot(qp, start)->user_data);
		want = RTE_MIN(want, accel_load_acquire(&qp->prod) - start);
		if (want > ready)
			return 0;
	}
	want = RTE_MIN(want, ready);
	for (i = 0; i < want; i++) {
		const struct accel_raw_slot *slot = raw_slot(qp, start + i);
		const int status = slot != NULL ? raw_status(qp, start + i, slot) : -1;
		const bool ok = status == RTE_CRYPTO_OP_STATUS_SUCCESS;

		if (status < 0)
			break;
		if (i == 0 || is_user_data_array != 0)
			out_user_data[i] = slot->user_data;
		if (post_dequeue != NULL)
			post_dequeue(is_user_data_array != 0 ? slot->user_data : out_user_data[0],
				     i, ok);
		*n_success += ok;
	}
	raw_commit(qp, (struct raw_ctx *)drv_ctx, start + i);
	if (i < want && raw_slot(qp, start + i) != NULL)
		accel_qp_nonsense(qp, 0);
	return i;
}

static void *
raw_dequeue(void *queue_pair, uint8_t *drv_ctx, int *dequeue_status,
	    enum rte_crypto_op_status *op_status)
{
	struct accel_qp *qp = queue_pair;
	const uint32_t cons = accel_load_relaxed(&qp->cons);
	struct accel_raw_slot *slot;
	void *user_data;
	int status;

	*dequeue_status = 0;
	if (raw_ready(qp, cons) == 0)
		return NULL;
	slot = raw_slot(qp, cons);
	if (slot == NULL)
		return NULL;
	status = raw_status(qp, cons, slot);
	if (status < 0) {
		accel_qp_nonsense(qp, 0);
		return NULL;
	}
	user_data = slot->user_data;
	*dequeue_status = 1;
	*op_status = (enum rte_crypto_op_status)status;
	raw_commit(qp, (struct raw_ctx *)drv_ctx, cons + 1);
	return user_data;
}

/* All that was dequeued is free already; what remains is to tell the application of its mistake. */
static int
raw_dequeue_done(void *queue_pair __rte_unused, uint8_t *drv_ctx, uint32_t n)
{
	struct raw_ctx *ctx = (struct raw_ctx *)drv_ctx;

	if (n > ctx->dequeued)
		return -EINVAL;
	ctx->dequeued = 0;
	return 0;
}

/*
 * Set-up.
 */

int
accel_raw_ctx_size(struct rte_cryptodev *cryptodev __rte_unused)
{
	return sizeof(struct raw_ctx);
}

static struct accel_raw_slot *
slots_create(const struct accel_qp *qp)
{
	return rte_zmalloc("accel_raw", qp->nb_desc * sizeof(struct accel_raw_slot),
			   RTE_CACHE_LINE_SIZE);
}

/* The session of a context; -EINVAL if it is not one that this driver can use here. */
static int
set_session(struct raw_ctx *raw, union rte_cryptodev_session_ctx session_ctx)
{
	const struct accel_session *sess = accel_own_session(session_ctx.crypto_sess);

	if (sess == NULL)
		return -EINVAL;
	raw->sess = sess;
	raw->xform = NULL;
	return 0;
}

static int
set_security(const struct accel_qp *qp, struct raw_ctx *raw, const void *session)
{
	if ((qp->dev->active_flags & RTE_CRYPTODEV_FF_SECURITY) == 0)
		return -ENOTSUP;
	if (accel_protocol_of(session) == NULL)
		return -EINVAL;
	raw->sess = accel_protocol_of(session);
	raw->xform = NULL;
	return 0;
}

/* The transforms of a context, if they can be carried out. They are needed with each operation. */
static int
set_xform(struct accel_qp *qp, struct raw_ctx *raw, struct rte_crypto_sym_xform *xform)
{
	struct accel_session *sess;
	int ret;

	if ((qp->dev->active_flags & RTE_CRYPTODEV_FF_SYM_SESSIONLESS) == 0)
		return -ENOTSUP;
	ret = accel_sessionless_get(qp, xform, &sess);
	if (ret != 0)
		return ret;
	accel_sessionless_drop(qp, sess);
	raw->sess = NULL;
	raw->xform = xform;
	return 0;
}

/* Everything but the session; may be called again for a context in use, which then is as new. */
static int
ctx_init(struct accel_qp *qp, struct rte_crypto_raw_dp_ctx *ctx)
{
	if (qp->raw == NULL)
		qp->raw = slots_create(qp);
	if (qp->raw == NULL)
		return -ENOMEM;
	memset(ctx->drv_ctx_data, 0, sizeof(struct raw_ctx));
	ctx->qp_data = qp;
	ctx->enqueue = raw_enqueue;
	ctx->enqueue_burst = raw_enqueue_burst;
	ctx->enqueue_done = raw_enqueue_done;
	ctx->dequeue = raw_dequeue;
	ctx->dequeue_burst = raw_dequeue_burst;
	ctx->dequeue_done = raw_dequeue_done;
	return 0;
}

int
accel_raw_configure(struct rte_cryptodev *cryptodev, uint16_t qp_id,
		    struct rte_crypto_raw_dp_ctx *ctx, enum rte_crypto_op_sess_type sess_type,
		    union rte_cryptodev_session_ctx session_ctx, uint8_t is_update)
{
	const struct rte_cryptodev_data *data = cryptodev->data;
	/* 22.11 takes the -EINVAL of its own check of the number for "yes, it is set up". */
	struct accel_qp *qp = qp_id < data->nb_queue_pairs ? data->queue_pairs[qp_id] : NULL;
	struct raw_ctx *raw = (struct raw_ctx *)ctx->drv_ctx_data;
	int ret = 0;

	if (qp == NULL || (is_update != 0 && session_ctx.crypto_sess == NULL) ||
	    (sess_type != RTE_CRYPTO_OP_WITH_SESSION && sess_type != RTE_CRYPTO_OP_SESSIONLESS &&
	     sess_type != RTE_CRYPTO_OP_SECURITY_SESSION))
		return -EINVAL;
	if (is_update == 0)
		ret = ctx_init(qp, ctx);
	if (ret != 0 || session_ctx.crypto_sess == NULL)
		return ret;
	if (sess_type == RTE_CRYPTO_OP_SECURITY_SESSION)
		return set_security(qp, raw, session_ctx.sec_sess);
	return sess_type == RTE_CRYPTO_OP_SESSIONLESS ? set_xform(qp, raw, session_ctx.xform) :
							set_session(raw, session_ctx);
}

int
accel_raw_inherit(struct accel_qp *qp, const struct accel_qp *old)
{
	const uint32_t prod = accel_load_relaxed(&old->prod);
	uint32_t n;

	if (old->raw == NULL)
		return 0;
	qp->raw = slots_create(qp);
	if (qp->raw == NULL)
		return -ENOMEM;
	for (n = accel_load_relaxed(&old->cons); n != prod; n++) {
		struct accel_inflight *entry = &qp->inflight[n & qp->desc_mask];
		struct accel_raw_slot *slot = &qp->raw[n & qp->desc_mask];

		if ((entry->op & ACCEL_OP_RAW) == 0)
			continue;
		*slot = *(const struct accel_raw_slot *)(entry->op & ~ACCEL_OP_FLAGS);
		entry->op = (uintptr_t)slot | (entry->op & ACCEL_OP_FLAGS);
	}
	return 0;
}

void
accel_raw_free(struct accel_qp *qp)
{
	rte_free(qp->raw);
	qp->raw = NULL;
}
