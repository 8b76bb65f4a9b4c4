/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the fast path of operations with segments, out of place or with vectors. See
 * accel_enqueue.h. The rings' counters move only when an operation is complete, so each step
 * before may fail.
 */
#include "accel_batch.h"
#include "accel_command.h"
#include "accel_compat.h"
#include "accel_enqueue.h"
#include "accel_queue.h"
#include "accel_raw_ctx.h"
#include "accel_raw_op.h"
#include "accel_ring.h"
#include "accel_segments.h"
#include "accel_session.h"
#include "accel_shape.h"
#include "accel_sort.h"

#define NEXT ACCEL_HW_DESC2_NEXT

/* Where data lie. `near` is a constant: all data are in the region of both rings. */
struct where {
	uint64_t near_of; /* near: the sum of this and an IOVA is a descriptor of no bytes */
	bool near;
};

/*
 * Writes a fragment to a ring, and to another ring if this is not NULL. Near, the check takes the
 * longest fragment, so a few at the end of the region are not near.
 */
static ACCEL_VARIANTS bool
put_piece(struct accel_ring *ring, uint64_t bits, struct accel_ring *other, uint64_t other_bits,
	  uint64_t iova, uint32_t len, const struct where *where)
{
	uint64_t desc;

	if (where->near) {
		desc = iova + where->near_of;
		if (unlikely(!accel_surely_within(desc - ACCEL_HW_DESC2_TYPE)))
			return false;
		desc += (uint64_t)len << ACCEL_HW_DESC2_LEN_SHIFT;
		accel_ring_push(ring, desc + bits);
		if (other != NULL)
			accel_ring_push(other, desc + other_bits);
		return true;
	}
	return other != NULL ? accel_ring_put_both(ring, bits, other, other_bits, iova, len) :
			       accel_ring_put_fragment(ring, iova, len, bits);
}

/*
 * Writes descriptors of len > 0 bytes of the data to a ring. If the other ring is not NULL, it gets
 * the same descriptors. The last descriptor in each ring gets the bits given for the ring. Returns
 * false if the data are shorter, or if a piece crosses 1 GiB. The caller has checked that there is
 * room for p.left pieces.
 */
static ACCEL_VARIANTS bool
put_data(struct accel_ring *ring, uint64_t bits, struct accel_ring *other, uint64_t other_bits,
	 struct accel_pieces p, uint32_t off, uint32_t len, const struct where *where,
	 const enum accel_source source)
{
	uint64_t iova;
	uint32_t piece;

	if (source != ACCEL_VECTOR && unlikely(p.left == 0))
		return false;
	while (source != ACCEL_VECTOR && off >= accel_piece_len(&p, source)) {
		off -= accel_piece_len(&p, source);
		if (!accel_piece_next(&p, source))
			return false;
	}
	piece = source == ACCEL_VECTOR ? len : accel_piece_len(&p, source) - off;
	while (piece < len) {
		iova = accel_piece_iova(&p, off, source);
		if (likely(piece != 0) &&
		    unlikely(!put_piece(ring, NEXT, other, NEXT, iova, piece, where)))
			return false;
		len -= piece;
		off = 0;
		if (!accel_piece_next(&p, source))
			return false;
		piece = accel_piece_len(&p, source);
	}
	iova = accel_piece_iova(&p, off, source);
	return put_piece(ring, bits, other, other_bits, iova, len, where);
}

/* Describes an operation that is being written. */
struct sgl_work {
	const struct accel_session *sess;
	struct accel_pieces src;
	struct accel_pieces dst;
	struct where where;
	bool oop; /* out of place */
	uint32_t few; /* few_pieces(); not with a single vector */
	struct rte_crypto_op *op; /* with mbufs; it has the IVs */
	const uint8_t *iv; /* with vectors */
	const uint8_t *auth_iv;
	uint32_t tag;
};

/*
 * True if the operation has all its parts, no part that only the slow path takes, and no frame
 * above the limit.
 */
static ACCEL_VARIANTS bool
has_parts(const struct accel_qp *qp, const struct sgl_work *work, const struct accel_shape *shape,
	  const enum accel_hw_kind kind, const bool inside)
{
	const struct accel_session *sess = work->sess;
	const uint32_t others = (kind == ACCEL_HW_KIND_AEAD && !inside ? sess->aad_len : 0) +
				(kind == ACCEL_HW_KIND_CIPHER ? 0 : sess->digest_len);

	if (shape->src_len == 0 || (kind != ACCEL_HW_KIND_AUTH && shape->dst_len == 0) ||
	    shape->src_len + others > qp->max_frame_bytes) /* the destination is not longer */
		return false;
	if (kind == ACCEL_HW_KIND_CIPHER)
		return true;
	return (sess->digest_len == 0 || shape->digest != 0) &&
	       (kind != ACCEL_HW_KIND_AEAD || inside || sess->aad_len == 0 || shape->aad != 0) &&
	       !(kind == ACCEL_HW_KIND_AUTH && work->oop);
}

/*
 * True if the card takes n operations with the given numbers of pieces each, and if there is room
 * for them. The sum includes a command, AAD and a digest for each operation, whether it has them or
 * not, and a type 0 for each piece and each of these.
 */
static ACCEL_VARIANTS bool
has_room(const struct accel_qp *qp, const struct accel_batch *batch, uint64_t n,
	 uint64_t src_pieces, uint64_t dst_pieces)
{
	return ACCEL_SLOTS_PER_FRAGMENT * n * (src_pieces + 3) <= accel_ring_room(&batch->tx) &&
	       ACCEL_SLOTS_PER_FRAGMENT * n * (dst_pieces + 1) <= accel_ring_room(&batch->rx) &&
	       RTE_MAX(src_pieces, dst_pieces) + 2 <= qp->max_fragments;
}

/*
 * Returns a number of pieces for which has_room() is true for each of the next n operations. So it
 * is asked once for most runs, and for operations with more pieces.
 */
static inline uint32_t
few_pieces(const struct accel_qp *qp, const struct accel_batch *batch, uint32_t n)
{
	const uint32_t few = ACCEL_HW_MIN_MAX_FRAGMENTS - 2;

	return likely(has_room(qp, batch, n, few, few)) ? few : 0;
}

/*
 * Writes one operation of any source. With inside its AAD goes into the command. Returns false if
 * the operation is not for this path. Then the caller drops its copies of the rings.
 */
static ACCEL_VARIANTS bool
put_op(const struct accel_qp *qp, struct accel_batch *batch, const struct sgl_work *work,
	const struct accel_regions *regions, const enum accel_hw_kind kind, const bool inside,
	const enum accel_source source)
{
	struct accel_ring *tx = &batch->tx, *rx = &batch->rx;
	const struct accel_session *sess = work->sess;
	const struct where *where = &work->where;
	const uint64_t verify = kind != ACCEL_HW_KIND_CIPHER && sess->verify ? NEXT : 0;
	const uint64_t generate = kind != ACCEL_HW_KIND_CIPHER && sess->generate ? NEXT : 0;
	struct accel_shape shape;
	uint32_t len;
	bool ok;

	accel_shape_of(kind, regions, &shape);
	if (kind == ACCEL_HW_KIND_CIPHER_THEN_AUTH && work->oop)
		accel_shape_whole(&shape);
	if (unlikely((kind == ACCEL_HW_KIND_AEAD &&
		      accel_aad_fits(qp, sess, regions->aad_at) != inside) ||
		     !has_parts(qp, work, &shape, kind, inside) ||
		     (source != ACCEL_VECTOR &&
		      (work->src.left > work->few || (work->oop && work->dst.left > work->few)) &&
		      !has_room(qp, batch, 1, work->src.left, work->dst.left)) ||
		     (source != ACCEL_MBUFS && shape.src_len > ACCEL_HW_DESC2_LEN_MAX)))
		return false;
	len = (uint32_t)shape.src_len;
	if (inside)
		accel_shape_aad_inside(sess, regions, &shape);

	if (!where->near && unlikely(tx->region != qp->command_region) && !qp->commands_located)
		accel_ring_enter(tx, qp->command_region);
	accel_ring_push(tx, batch->command_desc + (uintptr_t)batch->command);
	if (kind == ACCEL_HW_KIND_AEAD && !inside && sess->aad_len != 0 &&
	    !put_piece(tx, NEXT, NULL, 0, shape.aad + sess->aad_offset, sess->aad_len, where))
		return false;
	if ((kind == ACCEL_HW_KIND_CIPHER || kind == ACCEL_HW_KIND_AEAD) && !work->oop)
		ok = put_data(tx, verify, rx, generate, work->src, shape.src_off, len, where,
			      source);
	else
		ok = put_data(tx, verify, NULL, 0, work->src, shape.src_off, len, where,
			      source) &&
		     (kind == ACCEL_HW_KIND_AUTH ||
		      put_data(rx, generate, NULL, 0, work->dst, shape.dst_off,
			       (uint32_t)shape.dst_len, where, source));
	if (verify != 0)
		ok = ok && put_piece(tx, 0, NULL, 0, shape.digest, sess->digest_len, where);
	if (generate != 0)
		ok = ok && put_piece(rx, 0, NULL, 0, shape.digest, sess->digest_len, where);
	if (likely(ok))
		accel_write_command(batch->command, sess,
				    source == ACCEL_MBUFS ? work->op : NULL, work->iv,
				    work->auth_iv, &shape, work->tag, kind);
	return ok;
}

/*
 * Claims the cache lines of ACCEL_CLAIM_AT_ONCE commands at once, and nothing at the operations
 * between. See accel_claim_commands().
 */
static ACCEL_VARIANTS void
claim_commands(struct accel_hw_command *command, uint32_t done, uint32_t n)
{
	if (done % ACCEL_CLAIM_AT_ONCE == 0)
		accel_claim_commands(command, n - done);
}

/* The next functions write operations with mbufs. */

static ACCEL_VARIANTS bool
put_mbuf_op(const struct accel_qp *qp, struct accel_batch *batch, struct rte_crypto_op *op,
	    const struct accel_session *sess, uint32_t tag, uint32_t few,
	    const struct where *where, const enum accel_hw_kind kind, const bool inside)
{
	const struct rte_crypto_sym_op *sym = op->sym;
	const bool oop = !accel_is_in_place(sym, sym->m_src);
	const struct rte_mbuf *dst = oop ? sym->m_dst : sym->m_src;
	const struct sgl_work work = {
		.sess = sess,
		.src = { .m = sym->m_src, .left = sym->m_src->nb_segs },
		.dst = { .m = dst, .left = dst->nb_segs },
		.oop = oop,
		.where = *where,
		.few = few,
		.op = op,
		.tag = tag,
	};
	struct accel_regions regions;

	accel_regions_of(kind, sym, &regions);
	return put_op(qp, batch, &work, &regions, kind, inside, ACCEL_MBUFS);
}

/*
 * Writes operations up to the first that is not for this path, or to the last slot, and returns
 * their number.
 */
static ACCEL_VARIANTS uint32_t
put_mbuf_ops(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod,
	     const enum accel_hw_kind kind, const bool inside, const bool near)
{
	const struct where where = {
		.near_of = ACCEL_HW_DESC2_TYPE - qp->tx.region,
		.near = near,
	};
	const struct rte_cryptodev_sym_session *session = ops[0]->sym->session;
	struct accel_batch batch = accel_batch_begin(qp, &qp->tx, &qp->rx, prod);
	const uint32_t ahead = accel_slots_ahead(qp, prod);
	uint32_t i;
	uint32_t few;

	n = RTE_MIN(n, ahead);
	few = few_pieces(qp, &batch, n);
	for (i = 0; i < n; i++) {
		struct rte_crypto_op *op = ops[i];

		if (unlikely(!accel_goes_on(op, &session, kind, true)))
			break;
		claim_commands(batch.command, i, n);
		if (unlikely(!put_mbuf_op(qp, &batch, op, accel_session_of(session), prod + i,
					  few, &where, kind, inside)))
			break;
		batch.command++;
		accel_batch_keep(&batch, &qp->tx, &qp->rx, near);
		accel_set_inflight_at(batch.entry++, op, 0, batch.tx.prod, batch.rx.prod);
	}
	return i;
}

/* These are the bodies: for each kind, one for near data and one for data anywhere. */

#define MBUF_ARGS struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod
#define MBUF_BODIES(name, kind, inside)                                                            \
	static uint32_t mbufs_##name##_far(MBUF_ARGS)                                              \
	{                                                                                          \
		return put_mbuf_ops(qp, ops, n, prod, kind, inside, false);                        \
	}                                                                                          \
	static uint32_t mbufs_##name##_near(MBUF_ARGS)                                             \
	{                                                                                          \
		return put_mbuf_ops(qp, ops, n, prod, kind, inside, true);                         \
	}

MBUF_BODIES(cipher, ACCEL_HW_KIND_CIPHER, false)
MBUF_BODIES(auth, ACCEL_HW_KIND_AUTH, false)
MBUF_BODIES(chain, ACCEL_HW_KIND_CIPHER_THEN_AUTH, false)
MBUF_BODIES(fragment, ACCEL_HW_KIND_AEAD, false)
MBUF_BODIES(inside, ACCEL_HW_KIND_AEAD, true)

/*
 * Lists the bodies by accel_session_fast_kind() and by whether data are near. The last row is for
 * an AEAD with its AAD in the command.
 */
static uint32_t (*const mbuf_bodies[][2])(MBUF_ARGS) = {
	[ACCEL_HW_KIND_CIPHER] = { mbufs_cipher_far, mbufs_cipher_near },
	[ACCEL_HW_KIND_AUTH] = { mbufs_auth_far, mbufs_auth_near },
	[ACCEL_HW_KIND_CIPHER_THEN_AUTH] = { mbufs_chain_far, mbufs_chain_near },
	[ACCEL_HW_KIND_AEAD] = { mbufs_fragment_far, mbufs_fragment_near },
	[ACCEL_HW_KIND_AEAD + 1] = { mbufs_inside_far, mbufs_inside_near },
};

uint32_t
accel_enqueue_mbufs(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod,
		    const struct accel_session *sess)
{
	const uint8_t kind = accel_session_fast_kind(sess);
	bool near, inside;
	uint32_t done;

	if (accel_ring_is_new(&qp->tx, &qp->rx))
		return 0;
	accel_ring_freed(&qp->tx, accel_load_acquire(&qp->tx_cons));
	accel_ring_freed(&qp->rx, accel_load_acquire(&qp->rx_cons));
	qp->ahead = 0;
	near = accel_rings_near(qp);
	inside = kind == ACCEL_HW_KIND_AEAD && accel_aad_fits(qp, sess, ops[0]->sym->aead.aad.data);
	done = mbuf_bodies[kind + inside][near](qp, ops, n, prod);
	if (unlikely(done == 0) && near) /* the data of the first operation are not near */
		done = mbuf_bodies[kind + inside][false](qp, ops, n, prod);
	return done;
}

/* The next functions write operations of the raw data path. */

static ACCEL_VARIANTS bool
put_raw_op(const struct accel_qp *qp, struct accel_batch *batch, const struct accel_raw_op *op,
	   const struct accel_session *sess, uint32_t tag, uint32_t few,
	   const enum accel_hw_kind kind, const bool inside, const enum accel_source source)
{
	const uint64_t total =
		source == ACCEL_VECTOR ? op->src->vec[0].len : accel_raw_bytes(op->src);
	struct accel_regions regions;
	struct sgl_work work = {
		.sess = sess,
		.src = { .vec = op->src->vec, .left = op->src->num },
		.dst = { .vec = op->dst->vec, .left = op->dst->num },
		.oop = source != ACCEL_VECTOR && op->dst != op->src,
		.few = few,
		.tag = tag,
	};

	if (unlikely(!accel_raw_pointers(op, sess, kind, &regions) || total > UINT32_MAX ||
		     !accel_raw_regions(op, kind, (uint32_t)total, &regions)))
		return false;
	if (sess->iv_len != 0)
		work.iv = RTE_PTR_ADD(op->iv->va,
				      kind == ACCEL_HW_KIND_AEAD ? accel_raw_iv_skip(sess) : 0);
	if (kind != ACCEL_HW_KIND_CIPHER && sess->auth_iv_len != 0)
		work.auth_iv = op->aad_or_auth_iv->va;
	return put_op(qp, batch, &work, &regions, kind, inside, source);
}

/* Adds an operation that was written to the context's cache. */
static ACCEL_VARIANTS void
keep_raw_op(const struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_batch *batch,
	    uint32_t number, void *user_data)
{
	accel_batch_keep(batch, &ctx->tx, &ctx->rx, false);
	accel_raw_cached(qp, ctx, number, user_data, ACCEL_OP_RAW);
}

/* Writes n operations of a burst, up to the first that is not for this path. */
static ACCEL_VARIANTS uint32_t
put_raw_ops(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_raw_op *first,
	    uint32_t n, void *user_data[], const enum accel_hw_kind kind, const bool inside,
	    const enum accel_source source)
{
	uint32_t prod = ctx->prod, i;
	struct accel_batch batch = accel_batch_begin(qp, &ctx->tx, &ctx->rx, prod);
	const uint32_t ahead = accel_slots_ahead(qp, prod);
	const struct accel_session *sess = ctx->sess;
	struct accel_raw_op op = *first;
	uint32_t few;

	n = RTE_MIN(n, ahead);
	if (source == ACCEL_VECTOR && unlikely(!has_room(qp, &batch, n, 1, 1)))
		return 0;
	few = source == ACCEL_VECTOR ? 0 : few_pieces(qp, &batch, n);
	for (i = 0; i < n; i++, prod++, accel_raw_op_next(&op)) {
		claim_commands(batch.command, i, n);
		if (unlikely((source == ACCEL_VECTOR && op.src->num != 1) ||
			     !put_raw_op(qp, &batch, &op, sess, prod, few, kind, inside, source)))
			break;
		batch.command++;
		keep_raw_op(qp, ctx, &batch, prod, user_data[i]);
	}
	return i;
}

/*
 * Writes one operation of one vector. As a burst of one operation this would take 60 more
 * instructions.
 */
static ACCEL_VARIANTS bool
put_raw_one(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_raw_op *op,
	    void *user_data, const enum accel_hw_kind kind, const bool inside)
{
	const uint32_t number = ctx->prod;
	struct accel_batch batch = accel_batch_at(qp, &ctx->tx, &ctx->rx, number);

	accel_opaque(batch.command); /* so that the compiler takes one register for it */
	if (unlikely(!has_room(qp, &batch, 1, 1, 1) ||
		     !put_raw_op(qp, &batch, op, ctx->sess, number, 0, kind, inside,
				 ACCEL_VECTOR)))
		return false;
	keep_raw_op(qp, ctx, &batch, number, user_data);
	return true;
}

/*
 * These are the bodies of the raw data path: for each kind, one for a single vector and one for any
 * number of vectors. The bodies for a single vector take a quarter less instructions.
 */

#define RAW_ARGS                                                                                   \
	struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_raw_op *first,          \
		uint32_t n, void *user_data[]
#define RAW_BODIES(name, kind, inside)                                                             \
	static uint32_t raw_##name##_vector(RAW_ARGS)                                              \
	{                                                                                          \
		return put_raw_ops(qp, ctx, first, n, user_data, kind, inside, ACCEL_VECTOR);      \
	}                                                                                          \
	static uint32_t raw_##name##_vectors(RAW_ARGS)                                             \
	{                                                                                          \
		return put_raw_ops(qp, ctx, first, n, user_data, kind, inside, ACCEL_VECTORS);     \
	}

RAW_BODIES(cipher, ACCEL_HW_KIND_CIPHER, false)
RAW_BODIES(auth, ACCEL_HW_KIND_AUTH, false)
RAW_BODIES(chain, ACCEL_HW_KIND_CIPHER_THEN_AUTH, false)
RAW_BODIES(fragment, ACCEL_HW_KIND_AEAD, false)
RAW_BODIES(inside, ACCEL_HW_KIND_AEAD, true)

/* True if the AAD of an operation goes into its command. */
static inline bool
aad_goes_inside(const struct accel_qp *qp, const struct accel_session *sess,
		const struct accel_raw_op *op)
{
	return op->aad_or_auth_iv != NULL && accel_aad_fits(qp, sess, op->aad_or_auth_iv->va);
}

static uint32_t
raw_aead_vector(RAW_ARGS)
{
	return likely(aad_goes_inside(qp, ctx->sess, first)) ?
		       raw_inside_vector(qp, ctx, first, n, user_data) :
		       raw_fragment_vector(qp, ctx, first, n, user_data);
}

static uint32_t
raw_aead_vectors(RAW_ARGS)
{
	return likely(aad_goes_inside(qp, ctx->sess, first)) ?
		       raw_inside_vectors(qp, ctx, first, n, user_data) :
		       raw_fragment_vectors(qp, ctx, first, n, user_data);
}

/* Lists the bodies by accel_session_fast_kind() and by whether each operation has one vector. */
static uint32_t (*const raw_bodies[][2])(RAW_ARGS) = {
	[ACCEL_HW_KIND_CIPHER] = { raw_cipher_vectors, raw_cipher_vector },
	[ACCEL_HW_KIND_AUTH] = { raw_auth_vectors, raw_auth_vector },
	[ACCEL_HW_KIND_CIPHER_THEN_AUTH] = { raw_chain_vectors, raw_chain_vector },
	[ACCEL_HW_KIND_AEAD] = { raw_aead_vectors, raw_aead_vector },
};

/*
 * Prepares a context for the next operation, and returns the kind of its session. Returns 0 if the
 * context has no session, if the session is not for the fast path, if the queue pair does not run,
 * if a ring of the context has no type 0 yet, or if the context has lost its turn.
 */
static ACCEL_VARIANTS uint8_t
raw_begin(struct accel_qp *qp, struct accel_raw_ctx *ctx)
{
	const struct accel_session *sess = ctx->sess;

	if (unlikely(sess == NULL || accel_load_acquire(&qp->mode) < ACCEL_QP_SERVES ||
		     !accel_raw_begin(qp, ctx)))
		return 0;
	return accel_ring_is_new(&ctx->tx, &ctx->rx) ? 0 : accel_session_fast_kind(sess);
}

bool
accel_enqueue_vector(struct accel_qp *qp, struct accel_raw_ctx *ctx, const struct accel_raw_op *op,
		     void *user_data)
{
	const uint8_t kind = raw_begin(qp, ctx);

	if (unlikely(accel_inflight_room(qp, ctx->prod, 1) == 0))
		return false;
	switch (kind) {
	case ACCEL_HW_KIND_CIPHER:
		return put_raw_one(qp, ctx, op, user_data, ACCEL_HW_KIND_CIPHER, false);
	case ACCEL_HW_KIND_AUTH:
		return put_raw_one(qp, ctx, op, user_data, ACCEL_HW_KIND_AUTH, false);
	case ACCEL_HW_KIND_CIPHER_THEN_AUTH:
		return put_raw_one(qp, ctx, op, user_data, ACCEL_HW_KIND_CIPHER_THEN_AUTH, false);
	case ACCEL_HW_KIND_AEAD:
		return likely(aad_goes_inside(qp, ctx->sess, op)) ?
			       put_raw_one(qp, ctx, op, user_data, ACCEL_HW_KIND_AEAD, true) :
			       put_raw_one(qp, ctx, op, user_data, ACCEL_HW_KIND_AEAD, false);
	default:
		return false;
	}
}

uint32_t
accel_enqueue_vectors(struct accel_qp *qp, struct accel_raw_ctx *ctx,
		      const struct accel_raw_op *first, uint32_t n, void *user_data[])
{
	const uint8_t kind = n != 0 ? raw_begin(qp, ctx) : 0;
	uint32_t done;
	bool single;

	if (unlikely(kind == 0))
		return 0;
	single = first->dst == first->src && first->src->num == 1;
	n = accel_inflight_room(qp, ctx->prod, n);
	done = raw_bodies[kind][single](qp, ctx, first, n, user_data);
	if (unlikely(done == 0) && single) /* there is no room for all of them, or for this one */
		done = raw_bodies[kind][false](qp, ctx, first, n, user_data);
	return done;
}
