/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Raw data path: the short way of plain operations, which have all that their session needs and
 * lie within their vectors. Descriptors are written once, where they stay, and what is the same for
 * a burst is looked up once. What does not fit is left to accel_raw_shape.c, with nothing done that
 * counts. As accel_segments.c, with vectors for mbufs.
 */
#include "accel_raw_ctx.h"
#include "accel_side.h"

#define NEXT ACCEL_HW_DESC2_NEXT

/* A burst, from its operation number first on. */
struct burst {
	const struct rte_crypto_sym_vec *vec;
	uint32_t first;
	uint32_t n;
	union rte_crypto_sym_ofs ofs;
	void **user_data;
};

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

/* The context gets what was written of an operation as a whole; the last one may be given up. */
static ACCEL_VARIANTS uint32_t
put_ops(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct burst *burst,
	const enum accel_hw_kind kind, const bool single)
{
	struct accel_side tx = accel_side_of(&ctx->tx), rx = accel_side_of(&ctx->rx);
	struct accel_raw_op op = accel_raw_op_of(burst->vec, burst->first, burst->ofs);
	const struct accel_session *sess = ctx->sess;
	const uint32_t n = burst->n;
	void **const user_data = burst->user_data;
	uint32_t prod = ctx->prod, i;

	if (unlikely(accel_side_is_new(&tx) || accel_side_is_new(&rx) ||
		     (single && !has_room(qp, &tx, &rx, n, 1))))
		return 0;
	for (i = 0; i < n; i++, prod++, accel_raw_op_next(&op)) {
		accel_side_claim(qp, prod, i, n);
		if (unlikely((single && (op.src->num != 1 || op.dst != op.src)) ||
			     !put_op(qp, &tx, &rx, &op, sess, prod, kind, single)))
			break;
		ctx->tx.prod = tx.ring.prod;
		ctx->tx.upper = tx.ring.upper;
		ctx->rx.prod = rx.ring.prod;
		ctx->rx.upper = rx.ring.upper;
		accel_raw_cached(qp, ctx, user_data[i], 0);
	}
	return i;
}

typedef uint32_t (*put_ops_fn)(struct accel_qp *qp, struct accel_raw_ctx *ctx,
			       const struct burst *burst);

#define PUT_OPS(name, kind, single)                                                                \
	static uint32_t name(struct accel_qp *qp, struct accel_raw_ctx *ctx,                       \
			     const struct burst *burst)                                            \
	{                                                                                          \
		return put_ops(qp, ctx, burst, kind, single);                                      \
	}

/* name[single] */
#define PUT_OPS_PAIR(name, kind)                                                                   \
	PUT_OPS(name##_any, kind, false)                                                           \
	PUT_OPS(name##_single, kind, true)                                                         \
	static const put_ops_fn name[2] = { name##_any, name##_single };

PUT_OPS_PAIR(cipher, ACCEL_HW_KIND_CIPHER)
PUT_OPS_PAIR(auth, ACCEL_HW_KIND_AUTH)
PUT_OPS_PAIR(chain, ACCEL_HW_KIND_CIPHER_THEN_AUTH)
PUT_OPS_PAIR(aead, ACCEL_HW_KIND_AEAD)

/* By accel_session_straight(). */
static const put_ops_fn *const runs[] = {
	[ACCEL_HW_KIND_CIPHER] = cipher,
	[ACCEL_HW_KIND_AUTH] = auth,
	[ACCEL_HW_KIND_CIPHER_THEN_AUTH] = chain,
	[ACCEL_HW_KIND_AEAD] = aead,
};

uint32_t
accel_raw_quick(struct accel_qp *qp, struct accel_raw_ctx *ctx,
		const struct rte_crypto_sym_vec *vec, uint32_t first,
		union rte_crypto_sym_ofs ofs, void **user_data)
{
	struct burst burst = {
		.vec = vec,
		.first = first,
		.n = vec->num - first,
		.ofs = ofs,
		.user_data = user_data,
	};
	const put_ops_fn *run;
	uint32_t done;

	if (unlikely(burst.n == 0 || ctx->sess == NULL || accel_session_straight(ctx->sess) == 0 ||
		     accel_load_relaxed(&qp->mode) != ACCEL_QP_RUNNING))
		return 0;
	accel_raw_begin(qp, ctx);
	accel_ring_freed(&ctx->tx, accel_load_acquire(&qp->tx_cons));
	accel_ring_freed(&ctx->rx, accel_load_acquire(&qp->rx_cons));
	burst.n = accel_inflight_room(qp, ctx->prod, burst.n);
	run = runs[accel_session_straight(ctx->sess)];
	done = run[true](qp, ctx, &burst);
	return likely(done != 0) ? done : run[false](qp, ctx, &burst);
}
