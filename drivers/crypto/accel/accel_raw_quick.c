/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Raw data path: the short way of plain operations, which have all that their session needs and
 * lie within their vectors. Descriptors are written once, where they stay, and what is the same for
 * a burst is looked up once. What does not fit is left to accel_raw_shape.c, with nothing done that
 * counts. As accel_segments.c, with vectors for mbufs.
 */
#include "accel_command.h"
#include "accel_raw_ctx.h"
#include "accel_shape.h"
#include "accel_side.h"

#define NEXT ACCEL_HW_DESC2_NEXT

/*
 * len bytes of vectors, 1 to 65535, the last piece with these bits, on one side, or, where they are
 * the same, on two. A single vector has them all; else false if they have less. False, too, as
 * accel_side_write().
 */
static ACCEL_VARIANTS bool
put_vectors(struct accel_side *side, uint64_t bits, struct accel_side *other, uint64_t other_bits,
	    const struct rte_crypto_sgl *sgl, uint32_t off, uint32_t len, const bool single)
{
	const struct rte_crypto_vec *vec = sgl->vec;
	uint32_t left = sgl->num;

	if (!single && unlikely(left == 0))
		return false;
	while (!single && (uint64_t)off + len > vec->len) {
		const uint32_t piece = vec->len - RTE_MIN(off, vec->len);

		if (likely(piece != 0) &&
		    (!accel_side_write(side, vec->iova + off, piece, NEXT) ||
		     (other != NULL && !accel_side_write(other, vec->iova + off, piece, NEXT))))
			return false;
		off -= vec->len - piece;
		len -= piece;
		if (unlikely(--left == 0))
			return false;
		vec++;
	}
	return accel_side_write(side, vec->iova + off, len, bits) &&
	       (other == NULL || accel_side_write(other, vec->iova + off, len, other_bits));
}

/* Is there room for n operations of at most as many vectors, and may each have these? */
static ACCEL_VARIANTS bool
has_room(const struct accel_qp *qp, const struct accel_side *tx, const struct accel_side *rx,
	 uint32_t n, uint32_t vectors)
{
	/* Beside the vectors command, AAD and digest; digest. */
	const uint64_t requests = ((uint64_t)vectors + 3) * ACCEL_SLOTS_EACH * n;
	const uint64_t results = ((uint64_t)vectors + 1) * ACCEL_SLOTS_EACH * n;

	return requests <= accel_ring_room(&tx->ring) && results <= accel_ring_room(&rx->ring) &&
	       vectors + 2 <= qp->max_fragments;
}

/* As accel_write_command(), with the IVs where a raw operation has them. */
static ACCEL_VARIANTS void
put_command(struct accel_hw_command *cmd, const struct accel_session *sess, const uint8_t *iv,
	    const uint8_t *auth_iv, const struct accel_shape *shape, uint32_t tag,
	    const enum accel_hw_kind kind)
{
	accel_write_words(cmd, sess, shape, tag);
	if (kind != ACCEL_HW_KIND_AUTH) {
		if (unlikely(sess->iv_len != sizeof(cmd->iv)))
			accel_put_iv(cmd->iv, sess->command.iv, sizeof(cmd->iv));
		accel_put_iv(cmd->iv, iv, sess->iv_len);
	}
	if (auth_iv != NULL)
		accel_put_iv((uint8_t *)cmd + sess->auth_iv_at, auth_iv, sess->auth_iv_len);
}

/* False, with nothing written that counts, if the operation is not for this way. */
static ACCEL_VARIANTS bool
put_op(struct accel_qp *qp, struct accel_side *tx, struct accel_side *rx,
       const struct accel_raw_op *op, const struct accel_session *sess, uint32_t tag,
       const enum accel_hw_kind kind, const bool single)
{
	const uint32_t slot = tag & qp->desc_mask;
	const uint64_t verify = kind != ACCEL_HW_KIND_CIPHER && sess->verify ? NEXT : 0;
	const uint64_t generate = kind != ACCEL_HW_KIND_CIPHER && sess->generate ? NEXT : 0;
	const uint64_t total = single ? op->src->vec[0].len : accel_raw_bytes(op->src);
	const bool apart = !single && op->dst != op->src;
	const uint8_t *iv = NULL, *auth_iv = NULL;
	struct accel_regions regions;
	struct accel_shape shape;
	bool ok;

	if (unlikely(!accel_raw_pointers(op, sess, kind, &regions) || total > UINT32_MAX ||
		     !accel_raw_regions(op, kind, (uint32_t)total, &regions)))
		return false;
	if (sess->iv_len != 0)
		iv = RTE_PTR_ADD(op->iv->va,
				 kind == ACCEL_HW_KIND_AEAD ? accel_raw_iv_skip(sess) : 0);
	if (kind != ACCEL_HW_KIND_CIPHER && sess->auth_iv_len != 0)
		auth_iv = op->aad_or_auth_iv->va;
	accel_shape_of(kind, &regions, &shape);
	if (kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH && apart)
		accel_shape_whole(&shape);
	if (unlikely((kind == ACCEL_HW_KIND_AUTH && apart) ||
		     shape.src_len > ACCEL_HW_DESC2_LEN_MAX ||
		     !accel_has_parts(qp, sess, &shape, kind) ||
		     (!single &&
		      !has_room(qp, tx, rx, 1, RTE_MAX(op->src->num, op->dst->num)))))
		return false;

	accel_side_command(tx, qp, slot);
	if (kind == ACCEL_HW_KIND_AEAD && sess->aad_len != 0 &&
	    !accel_side_write(tx, shape.aad + sess->aad_offset, sess->aad_len, NEXT))
		return false;
	if ((kind == ACCEL_HW_KIND_CIPHER || kind == ACCEL_HW_KIND_AEAD) && !apart)
		ok = put_vectors(tx, verify, rx, generate, op->src, shape.src_off,
				 (uint32_t)shape.src_len, single);
	else
		ok = put_vectors(tx, verify, NULL, 0, op->src, shape.src_off,
				 (uint32_t)shape.src_len, single) &&
		     (kind == ACCEL_HW_KIND_AUTH ||
		      put_vectors(rx, generate, NULL, 0, op->dst, shape.dst_off,
				  (uint32_t)shape.dst_len, single));
	if (verify != 0)
		ok = ok && accel_side_write(tx, shape.digest, sess->digest_len, 0);
	if (generate != 0)
		ok = ok && accel_side_write(rx, shape.digest, sess->digest_len, 0);
	if (likely(ok))
		put_command(&qp->commands[slot], sess, iv, auth_iv, &shape, tag, kind);
	return ok;
}

/* The context gets what was written of an operation as a whole. */
static ACCEL_VARIANTS void
keep_op(const struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_side *tx,
	const struct accel_side *rx, uint32_t number, void *user_data)
{
	ctx->tx.prod = tx->ring.prod;
	ctx->tx.upper = tx->ring.upper;
	ctx->rx.prod = rx->ring.prod;
	ctx->rx.upper = rx->ring.upper;
	accel_raw_cached(qp, ctx, number, user_data, ACCEL_OP_RAW);
}

/* n of a burst, up to the first that is not for this way. */
static ACCEL_VARIANTS uint32_t
put_ops(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_raw_op *first,
	uint32_t n, void *user_data[], const enum accel_hw_kind kind, const bool single)
{
	struct accel_side tx = accel_side_of(&ctx->tx), rx = accel_side_of(&ctx->rx);
	const struct accel_session *sess = ctx->sess;
	struct accel_raw_op op = *first;
	uint32_t prod = ctx->prod, i;

	if (unlikely(accel_side_is_new(&tx) || accel_side_is_new(&rx) ||
		     (single && !has_room(qp, &tx, &rx, n, 1))))
		return 0;
	for (i = 0; i < n; i++, prod++, accel_raw_op_next(&op)) {
		accel_side_claim(qp, prod, i, n);
		if (unlikely((single && (op.src->num != 1 || op.dst != op.src)) ||
			     !put_op(qp, &tx, &rx, &op, sess, prod, kind, single)))
			break;
		keep_op(qp, ctx, &tx, &rx, prod, user_data[i]);
	}
	return i;
}

/* One in a single vector, in place, by itself. */
static ACCEL_VARIANTS bool
put_one(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_raw_op *op,
	void *user_data, const enum accel_hw_kind kind)
{
	struct accel_side tx = accel_side_of(&ctx->tx), rx = accel_side_of(&ctx->rx);
	const uint32_t number = ctx->prod;

	if (unlikely(accel_side_is_new(&tx) || accel_side_is_new(&rx) ||
		     !has_room(qp, &tx, &rx, 1, 1) ||
		     !put_op(qp, &tx, &rx, op, ctx->sess, number, kind, true)))
		return false;
	keep_op(qp, ctx, &tx, &rx, number, user_data);
	return true;
}

typedef uint32_t (*put_ops_fn)(struct accel_qp *qp, struct accel_raw_ctx *ctx,
			       const struct accel_raw_op *first, uint32_t n, void *user_data[]);
typedef bool (*put_one_fn)(struct accel_qp *qp, struct accel_raw_ctx *ctx,
			   const struct accel_raw_op *op, void *user_data);

/* The functions of a kind. */
struct ways {
	put_ops_fn any;
	put_ops_fn single; /* of one vector each, in place */
	put_one_fn one; /* the same, one by itself */
};

#define WAYS(name, kind)                                                                           \
	static uint32_t name##_any(struct accel_qp *qp, struct accel_raw_ctx *ctx,                 \
				   const struct accel_raw_op *first, uint32_t n,                   \
				   void *user_data[])                                              \
	{                                                                                          \
		return put_ops(qp, ctx, first, n, user_data, kind, false);                         \
	}                                                                                          \
	static uint32_t name##_single(struct accel_qp *qp, struct accel_raw_ctx *ctx,              \
				      const struct accel_raw_op *first, uint32_t n,                \
				      void *user_data[])                                           \
	{                                                                                          \
		return put_ops(qp, ctx, first, n, user_data, kind, true);                          \
	}                                                                                          \
	static bool name##_one(struct accel_qp *qp, struct accel_raw_ctx *ctx,                     \
			       const struct accel_raw_op *op, void *user_data)                     \
	{                                                                                          \
		return put_one(qp, ctx, op, user_data, kind);                                      \
	}                                                                                          \
	static const struct ways name = { name##_any, name##_single, name##_one };

WAYS(cipher, ACCEL_HW_KIND_CIPHER)
WAYS(auth, ACCEL_HW_KIND_AUTH)
WAYS(chain, ACCEL_HW_KIND_CIPHER_THEN_AUTH)
WAYS(aead, ACCEL_HW_KIND_AEAD)

/* By accel_session_straight(). */
static const struct ways *const kinds[] = {
	[ACCEL_HW_KIND_CIPHER] = &cipher,
	[ACCEL_HW_KIND_AUTH] = &auth,
	[ACCEL_HW_KIND_CIPHER_THEN_AUTH] = &chain,
	[ACCEL_HW_KIND_AEAD] = &aead,
};

/* What there is for the session of a context, ready for what comes next. NULL if there is nothing,
 * the queue pair does not run or the context has lost its turn. */
static ACCEL_VARIANTS const struct ways *
ways_of(struct accel_qp *qp, struct accel_raw_ctx *ctx)
{
	const struct accel_session *sess = ctx->sess;

	if (unlikely(sess == NULL || accel_session_straight(sess) == 0 ||
		     accel_load_relaxed(&qp->mode) != ACCEL_QP_RUNNING ||
		     !accel_raw_begin(qp, ctx)))
		return NULL;
	return kinds[accel_session_straight(sess)];
}

bool
accel_raw_quick_one(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_raw_op *op,
		    void *user_data)
{
	const struct ways *ways = ways_of(qp, ctx);

	return likely(ways != NULL && accel_inflight_room(qp, ctx->prod, 1) != 0) &&
	       ways->one(qp, ctx, op, user_data);
}

uint32_t
accel_raw_quick(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_raw_op *first,
		uint32_t n, void *user_data[])
{
	const struct ways *ways;
	uint32_t done;

	if (unlikely(n == 0))
		return 0;
	ways = ways_of(qp, ctx);
	if (unlikely(ways == NULL))
		return 0;
	n = accel_inflight_room(qp, ctx->prod, n);
	done = ways->single(qp, ctx, first, n, user_data);
	return likely(done != 0) ? done : ways->any(qp, ctx, first, n, user_data);
}
