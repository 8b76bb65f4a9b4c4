/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Enqueues rte_crypto_op: turns operations into descriptors. This file has the fast path of
 * operations with one segment, in place. The fast path works in runs of operations of one kind. The
 * first operation of each run is sorted: accel_sort.h lists the other ways.
 *
 * An operation that cannot be carried out is accepted, too, and comes back in its turn with a
 * status that says why. The reason is that callers do not inspect operations that enqueue did not
 * accept. A return of fewer operations than were passed only ever means that the queue pair is
 * full.
 */
#include <rte_mbuf.h>

#include "accel_asym.h"
#include "accel_batch.h"
#include "accel_command.h"
#include "accel_compat.h"
#include "accel_datapath.h"
#include "accel_enqueue.h"
#include "accel_heal.h"
#include "accel_latency.h"
#include "accel_queue.h"
#include "accel_ring.h"
#include "accel_session.h"
#include "accel_shape.h"
#include "accel_sort.h"

/*
 * Sets qp->ahead: how many operations from number prod on the fast path can write without a wrap.
 */
static __rte_noinline void
count_ahead(struct accel_qp *qp, uint32_t prod)
{
	qp->ahead = accel_batch_room(qp, prod, ACCEL_TX_PER_OP, ACCEL_RX_PER_OP);
	qp->tx_lap = accel_ring_lap(&qp->tx).desc;
	qp->rx_lap = accel_ring_lap(&qp->rx).desc;
}

/*
 * Describes the operations of a run. Numbers of operations and of slots have 64 bits here, so that
 * they do not wrap within a run and an index needs no mask.
 */
struct run {
	uintptr_t ops; /* accel_ops_by_number() */
	uint64_t number; /* the next operation's */
	uint64_t stop; /* the lines of the commands up to this number are claimed */
	const struct rte_cryptodev_sym_session *session; /* the session that was checked last */
	/* The next fields are for near data. */
	uint64_t tx; /* the next slots of both rings */
	uint64_t rx;
	uint64_t place_of; /* the sum of this and an IOVA is a place */
};

/*
 * Returns the place of data: near, a descriptor of no bytes at the IOVA, else the IOVA. The
 * descriptor's type is the sign bit. As signed numbers, places in the region begin at the least
 * number, and an IOVA before the region has a great place.
 */
static inline uint64_t
place_of(const struct run *run, uint64_t iova, const bool near)
{
	return near ? iova + run->place_of : iova;
}

static_assert(ACCEL_HW_DESC2_TYPE == UINT64_C(1) << 63, "places");

/*
 * True if data lie in one region of 1 GiB. With near, the region has to be the current one of both
 * rings, and the data are taken for as long as data can be. So a few operations at the end of a
 * region are not near.
 *
 * @param len 1..65535.
 */
static inline bool
is_within(uint64_t place, uint32_t len, const bool near)
{
	const int64_t most = (int64_t)(ACCEL_HW_DESC2_TYPE + ACCEL_HW_DESC_REGION_SIZE -
				       UINT16_MAX);

	return near ? (int64_t)place <= most : accel_one_region(place, len);
}

/*
 * True if every card takes the frames of an operation, or if this card does. Each card takes the
 * data of an mbuf (manual 11).
 */
static inline bool
is_short(const struct accel_qp *qp, const struct accel_session *sess, uint64_t src_len,
	 const enum accel_hw_kind kind, const bool inside)
{
	if (kind == ACCEL_HW_KIND_CIPHER)
		return true;
	if (kind == ACCEL_HW_KIND_AEAD && !inside)
		return src_len + sess->aad_len + sess->digest_len <= qp->max_frame_bytes;
	return likely(src_len <= ACCEL_HW_MIN_MAX_FRAME_BYTES - ACCEL_HW_DIGEST_MAX) ||
	       src_len + sess->digest_len <= qp->max_frame_bytes;
}

static_assert(ACCEL_HW_MIN_MAX_FRAME_BYTES > UINT16_MAX, "is_short()");

/* Describes the frames of an operation. */
struct frames {
	uint64_t src; /* places */
	uint64_t digest;
	uint64_t aad;
	struct accel_shape shape;
};

/*
 * Finds the data of an operation of one segment in place. False if the fast path cannot write the
 * operation. None of its regions may be empty or cross 1 GiB.
 */
static ACCEL_VARIANTS bool
find_data(const struct accel_qp *qp, const struct run *run, const struct accel_session *sess,
	  const struct rte_crypto_sym_op *sym, struct frames *frames,
	  const enum accel_hw_kind kind, const bool inside, const bool near, const bool digest)
{
	const struct accel_shape *shape = &frames->shape;
	const struct rte_mbuf *m = sym->m_src;
	struct accel_regions regions;

	accel_regions_of(kind, sym, &regions);
	accel_shape_of(kind, &regions, &frames->shape);
	/* The destination is a part of the source. */
	if ((kind == ACCEL_HW_KIND_AUTH ? shape->src_len : shape->dst_len) == 0 ||
	    shape->src_off + shape->src_len > m->data_len)
		return false;
	frames->src = place_of(run, rte_pktmbuf_iova_offset(m, shape->src_off), near);
	if (!is_within(frames->src, (uint32_t)shape->src_len, near))
		return false;
	if (kind == ACCEL_HW_KIND_CIPHER)
		return true;
	frames->digest = place_of(run, shape->digest, near);
	if (digest &&
	    (shape->digest == 0 || !is_within(frames->digest, sess->digest_len, near)))
		return false;
	if (kind == ACCEL_HW_KIND_AEAD && accel_aad_fits(qp, sess, sym->aead.aad.data) != inside)
		return false;
	frames->aad = place_of(run, shape->aad + sess->aad_offset, near);
	if (kind == ACCEL_HW_KIND_AEAD && !inside && sess->aad_len != 0 &&
	    (shape->aad == 0 || !is_within(frames->aad, sess->aad_len, near)))
		return false;
	if (!is_short(qp, sess, shape->src_len, kind, inside))
		return false;
	if (inside)
		accel_shape_aad_inside(sess, &regions, &frames->shape);
	return true;
}

/* Where the descriptors of an operation go in a ring. */
struct cursor {
	struct accel_ring *ring;
	/* The next fields are for near data. */
	volatile uint64_t *slot;
	uint64_t *number; /* of the slot */
};

static ACCEL_VARIANTS struct cursor
cursor_at(struct accel_ring *ring, uint64_t *number)
{
	return (struct cursor){ .ring = ring, .slot = &ring->desc[*number], .number = number };
}

/* Writes a descriptor. */
static ACCEL_VARIANTS void
put_desc(struct cursor *at, uint64_t desc, const bool near)
{
	if (near) {
		*at->slot++ = rte_cpu_to_le_64(desc);
		++*at->number;
	} else {
		accel_ring_push(at->ring, desc);
	}
}

/* Writes the descriptor of data, and a type 0 before it if that may be necessary. */
static ACCEL_VARIANTS void
put_data(struct cursor *at, uint64_t place, uint64_t len, uint64_t bits, const bool near)
{
	if (near)
		put_desc(at, place + (len << ACCEL_HW_DESC2_LEN_SHIFT) + bits, near);
	else
		accel_ring_put(at->ring, place, (uint32_t)len, bits);
}

/*
 * Writes one operation. kind, inside, near and generate are constants at each call, so each
 * combination gets a body with only the code that it needs. With inside the AAD goes into the
 * command. The caller has checked that there are ACCEL_TX_PER_OP and ACCEL_RX_PER_OP slots. Returns
 * false, with nothing written, if the operation is not for the fast path.
 */
static ACCEL_VARIANTS bool
put_op(const struct accel_qp *qp, struct accel_batch *batch, struct run *run,
       struct rte_crypto_op *op, const struct accel_session *sess, const enum accel_hw_kind kind,
       const bool inside, const bool near, const bool generate)
{
	const bool verify = kind != ACCEL_HW_KIND_CIPHER && !generate && sess->verify;
	struct frames frames;
	const struct accel_shape *shape = &frames.shape;
	struct cursor tx, rx;

	if (unlikely(!find_data(qp, run, sess, op->sym, &frames, kind, inside, near,
				generate || verify)))
		return false;
	tx = cursor_at(&batch->tx, &run->tx);
	rx = cursor_at(&batch->rx, &run->rx);

	ACCEL_PROBE(ACCEL_PROBE_POST);
	accel_write_command(batch->command, sess, op, NULL, NULL, shape, run->number, kind);
	if (!near && !qp->commands_located)
		accel_ring_reach(tx.ring, qp->command_region);
	put_desc(&tx, batch->command_desc + (uintptr_t)batch->command, near);
	if (kind == ACCEL_HW_KIND_AEAD && !inside && sess->aad_len != 0)
		put_data(&tx, frames.aad, sess->aad_len, ACCEL_HW_DESC2_NEXT, near);
	put_data(&tx, frames.src, shape->src_len, verify ? ACCEL_HW_DESC2_NEXT : 0, near);
	if (verify)
		put_data(&tx, frames.digest, sess->digest_len, 0, near);
	if (kind != ACCEL_HW_KIND_AUTH)
		put_data(&rx, frames.src + (uint32_t)(shape->dst_off - shape->src_off),
			 shape->dst_len, generate ? ACCEL_HW_DESC2_NEXT : 0, near);
	if (generate)
		put_data(&rx, frames.digest, sess->digest_len, 0, near);
	return true;
}

/* Writes one operation by put_op(). */
static ACCEL_VARIANTS bool
enqueue_fast(const struct accel_qp *qp, struct accel_batch *batch, struct run *run,
	     struct rte_crypto_op *op, const enum accel_hw_kind kind, const bool inside,
	     const bool near)
{
	const struct accel_session *sess = accel_session_of(run->session);

	if (kind != ACCEL_HW_KIND_CIPHER) {
		if (likely(sess->generate))
			return put_op(qp, batch, run, op, sess, kind, inside, near, true);
		rte_compiler_barrier();
		accel_opaque(run->tx);
		accel_opaque(run->rx);
	}
	return put_op(qp, batch, run, op, sess, kind, inside, near, false);
}

/* Prefetches the first sessions of a burst that has many. True if the burst has many sessions. */
static inline bool
has_many_sessions(struct rte_crypto_op **ops, uint32_t n)
{
	if (likely(ops[n - 1]->sym->session == ops[0]->sym->session))
		return false;
	accel_fetch_sessions(ops, 0, RTE_MIN(n, ACCEL_SESSIONS_AHEAD));
	return true;
}

/*
 * Claims the cache lines of the next slots of a ring, as accel_claim_commands() does for commands.
 */
static inline void
claim_slots(const struct accel_ring *ring, uint32_t slots)
{
	volatile uint64_t *desc = accel_ring_slot(ring, ring->prod);
	uint32_t at;

	for (at = 0; at < slots; at += RTE_CACHE_LINE_SIZE / sizeof(*desc))
		desc[at] = 0;
}

/*
 * Claims the cache lines that the next operations of a run will write. The lines of descriptors are
 * claimed if an operation has four or more descriptors, or types 0 among them. This halves the time
 * of an enqueue when the device's CPU is far away. With three descriptors per operation it makes no
 * difference.
 */
static inline void
claim_lines(const struct accel_batch *batch, uint32_t n, const enum accel_hw_kind kind,
	    const bool inside, const bool near)
{
	const bool few = kind == ACCEL_HW_KIND_CIPHER || kind == ACCEL_HW_KIND_AUTH;

	accel_claim_commands(batch->command, n);
	if ((few && near) || n < ACCEL_CLAIM_AT_ONCE)
		return;
	claim_slots(&batch->tx,
		    ACCEL_CLAIM_AT_ONCE *
			    (few ? 4 : kind == ACCEL_HW_KIND_AEAD && !inside ? 3 : 2));
	if (!few)
		claim_slots(&batch->rx, ACCEL_CLAIM_AT_ONCE * 2);
}

/*
 * Goes on to the next operation. accel_opaque() keeps the compiler from making second copies of
 * these places.
 */
static ACCEL_VARIANTS void
next_op(struct accel_batch *batch, struct run *run, const bool near)
{
	batch->command++;
	batch->entry++;
	run->number++;
	accel_opaque(batch->command);
	accel_opaque(run->number);
	if (!near)
		return;
	accel_opaque(run->tx);
	accel_opaque(run->rx);
}

/*
 * Enqueues the operations of a run up to run->stop. Returns false at the first that is not for this
 * path.
 */
static ACCEL_VARIANTS bool
enqueue_part(const struct accel_qp *qp, struct accel_batch *batch, struct run *run,
	     const enum accel_hw_kind kind, const bool inside, const bool near)
{
	while (run->number != run->stop) {
		struct rte_crypto_op *op = *accel_op_at(run->ops, run->number);

		if (unlikely(!accel_goes_on(op, &run->session, kind, false)) ||
		    unlikely(!enqueue_fast(qp, batch, run, op, kind, inside, near)))
			return false;
		accel_set_inflight_at(batch->entry, op, 0,
				      near ? (uint32_t)run->tx : batch->tx.prod,
				      near ? (uint32_t)run->rx : batch->rx.prod);
		next_op(batch, run, near);
	}
	return true;
}

/*
 * Enqueues operations of one kind by the fast path, up to the first that is not for this path, and
 * returns their number. The caller has sorted the first operation. It has prefetched the first
 * sessions if there are many.
 */
static ACCEL_VARIANTS uint32_t
enqueue_run(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod, bool many,
	    const enum accel_hw_kind kind, const bool inside, const bool near)
{
	struct accel_batch batch = accel_batch_ahead(qp, prod);
	const uint64_t end = (uint64_t)prod + n;
	struct run run = {
		.ops = accel_ops_by_number(ops, prod),
		.number = prod,
		.session = ops[0]->sym->session,
		.tx = batch.tx.prod,
		.rx = batch.rx.prod,
		.place_of = ACCEL_HW_DESC2_TYPE - batch.tx.region,
	};
	uint64_t left;
	bool goes_on;

	do {
		left = end - run.number;
		claim_lines(&batch, (uint32_t)left, kind, inside, near);
		if (unlikely(many))
			accel_fetch_next_sessions(accel_op_at(run.ops, run.number), (uint32_t)left);
		run.stop = run.number + RTE_MIN(left, ACCEL_CLAIM_AT_ONCE);
		goes_on = enqueue_part(qp, &batch, &run, kind, inside, near);
		if (near) {
			batch.tx.prod = (uint32_t)run.tx;
			batch.rx.prod = (uint32_t)run.rx;
		}
	} while (goes_on && run.number != end);
	accel_batch_keep(&batch, &qp->tx, &qp->rx, near);
	return (uint32_t)run.number;
}

/*
 * These are the bodies of the fast path: for each kind, one for near data and one for data
 * anywhere. The bodies for near data take a quarter less instructions. An AEAD has bodies of its
 * own for AAD in the command. A run of either ends at an operation that the other one takes.
 */

#define RUNS(name, kind, inside)                                                                   \
	static uint32_t enqueue_##name##_far(ACCEL_RUN_ARGS)                                       \
	{                                                                                          \
		return enqueue_run(qp, ops, n, prod, many, kind, inside, false);                   \
	}                                                                                          \
	static uint32_t enqueue_##name##_near(ACCEL_RUN_ARGS)                                      \
	{                                                                                          \
		return enqueue_run(qp, ops, n, prod, many, kind, inside, true);                    \
	}

RUNS(cipher, ACCEL_HW_KIND_CIPHER, false)
RUNS(auth, ACCEL_HW_KIND_AUTH, false)
RUNS(chain, ACCEL_HW_KIND_CIPHER_THEN_AUTH, false)
RUNS(fragment, ACCEL_HW_KIND_AEAD, false)
RUNS(inside, ACCEL_HW_KIND_AEAD, true)

/* True if the AAD of a run's first operation goes into the command. */
static inline bool
aad_goes_inside(const struct accel_qp *qp, const struct rte_crypto_op *op)
{
	return accel_aad_fits(qp, accel_session_of(op->sym->session), op->sym->aead.aad.data);
}

static uint32_t
enqueue_aead_near(ACCEL_RUN_ARGS)
{
	return likely(aad_goes_inside(qp, ops[0])) ? enqueue_inside_near(qp, ops, n, prod, many) :
						     enqueue_fragment_near(qp, ops, n, prod, many);
}

static uint32_t
enqueue_aead_far(ACCEL_RUN_ARGS)
{
	return likely(aad_goes_inside(qp, ops[0])) ? enqueue_inside_far(qp, ops, n, prod, many) :
						     enqueue_fragment_far(qp, ops, n, prod, many);
}

/* Lists the bodies by accel_session_fast_kind() and by whether data are near. */
static const accel_enqueue_run_t runs[][2] = {
	[ACCEL_HW_KIND_CIPHER] = { enqueue_cipher_far, enqueue_cipher_near },
	[ACCEL_HW_KIND_AUTH] = { enqueue_auth_far, enqueue_auth_near },
	[ACCEL_HW_KIND_CIPHER_THEN_AUTH] = { enqueue_chain_far, enqueue_chain_near },
	[ACCEL_HW_KIND_AEAD] = { enqueue_aead_far, enqueue_aead_near },
};

/*
 * Enqueues a run by one of two bodies of the fast path, for far data and for near data. Returns its
 * number of operations, which may be 0.
 */
static ACCEL_VARIANTS uint32_t
enqueue_common(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod,
	       bool many, const accel_enqueue_run_t bodies[2])
{
	uint32_t done;
	bool near;

	if (unlikely(qp->ahead < n)) {
		count_ahead(qp, prod);
		n = RTE_MIN(n, qp->ahead);
		if (n == 0) /* the slow path writes around the end of a ring */
			return 0;
	}
	near = accel_rings_near(qp);
	done = bodies[near](qp, ops, n, prod, many) - prod;
	if (unlikely(done == 0) && near) /* the data of the first operation are not near */
		done = bodies[false](qp, ops, n, prod, many) - prod;
	qp->ahead -= done;
	return done;
}

/*
 * Enqueues an operation by the slow path. Returns 1, or 0 if the rings are full or the operation
 * goes to the companion.
 *
 * @param n operations that may be enqueued from this one on. The lines of their commands are
 *   claimed, ACCEL_CLAIM_AT_ONCE at a time.
 */
static __rte_noinline uint32_t
enqueue_slow(struct accel_qp *qp, struct rte_crypto_op *op, uint32_t n, uint32_t prod,
	     struct accel_sorted sorted)
{
	if (accel_sorted_way(sorted) == ACCEL_WAY_COMPANION)
		return 0;
	qp->ahead = 0;
	if (prod % ACCEL_CLAIM_AT_ONCE == 0)
		accel_claim_commands(accel_command(qp, prod),
				     RTE_MIN(n, accel_slots_ahead(qp, prod)));
	if (accel_enqueue_slow(qp, op, sorted, prod))
		return 1;
	qp->turn++; /* a raw context may have lost the slots that it wrote */
	return 0;
}

/*
 * Enqueues one or more operations by the way of the first one, and returns their number. It is 0 if
 * the rings are full, or if the first operation goes to the companion.
 */
static ACCEL_VARIANTS uint32_t
enqueue_some(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod, bool many,
	     struct accel_sorted first)
{
	const struct accel_session *sess = accel_sorted_session(first);
	const enum accel_way way = accel_sorted_way(first);
	uint32_t done = 0;

	if (likely(way == ACCEL_WAY_FAST))
		done = enqueue_common(qp, ops, n, prod, many, runs[accel_session_fast_kind(sess)]);
	else if (way == ACCEL_WAY_IPSEC)
		done = enqueue_common(qp, ops, n, prod, many, accel_enqueue_ipsec[sess->generate]);
	else if (way == ACCEL_WAY_SEGMENTS)
		done = accel_enqueue_mbufs(qp, ops, n, prod, sess);
	else if (way == ACCEL_WAY_PROTOCOL)
		done = accel_enqueue_protocol(qp, ops, n, prod, sess);
	return likely(done != 0) ? done : enqueue_slow(qp, ops[0], n, prod, first);
}

/*
 * Accepts operations on a queue pair that does not run, because a caller that repeats an operation
 * until it is accepted would otherwise hang. Dequeue gives the operations back with an error. With
 * the device argument refuse_when_dead no operation is accepted. The fail-over mode of
 * crypto_scheduler needs this.
 */
static uint16_t
take_failed(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	uint32_t prod = accel_load_relaxed(&qp->prod), room;
	uint16_t i;

	if (qp->dev->refuse_when_dead || accel_load_acquire(&qp->mode) >= ACCEL_QP_WORKS)
		return 0;
	room = accel_inflight_room(qp, prod, nb_ops);
	for (i = 0; i < room; i++, prod++) {
		if (accel_goes_to_companion(qp, ops[i]))
			break;
		ops[i]->status = RTE_CRYPTO_OP_STATUS_NOT_PROCESSED;
		qp->inflight[prod & qp->desc_mask].op = (uintptr_t)ops[i];
	}
	accel_count_add(&qp->enqueue_count.enqueued, i);
	accel_store_release(&qp->prod, prod);
	return i;
}

static __rte_noinline uint16_t
enqueue_failed(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	uint16_t n;

	if (!accel_heal_enter(qp))
		return 0; /* dequeue does a step of the healing, so the next call may succeed */
	n = take_failed(qp, ops, nb_ops);
	accel_heal_leave_enqueue(qp);
	return n;
}

/*
 * Enqueues to a queue pair that the device serves.
 *
 * @param asym is a constant. True: all operations are asymmetric, and qp is a public-key queue
 *   pair.
 */
static ACCEL_VARIANTS uint16_t
enqueue_working(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops, const bool asym)
{
	struct accel_sorted first = accel_sorted_as(ACCEL_WAY_ASYMMETRIC, NULL);
	uint32_t prod = accel_load_relaxed(&qp->prod), n, done;
	bool many;

	n = accel_inflight_room(qp, prod, nb_ops);
	many = !asym && n != 0 && has_many_sessions(ops, n);
	while (n != 0) {
		if (!asym)
			first = accel_sort(qp, ops[0]);
		done = enqueue_some(qp, ops, n, prod, many, first);
		if (unlikely(done == 0))
			break;
		ops += done;
		n -= done;
		prod += done;
	}
	n = prod - accel_load_relaxed(&qp->prod);
	accel_count_add(&qp->enqueue_count.enqueued, n);
	ACCEL_PROBE(ACCEL_PROBE_DOORBELL);
	if (likely(n != 0)) {
		accel_count_burst(qp->enqueue_count.bursts, n);
		accel_publish(qp, prod);
	}
	return (uint16_t)n;
}

static ACCEL_VARIANTS uint16_t
enqueue_in_mode(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops,
		const bool asym)
{
	const uint32_t mode = accel_load_acquire(&qp->mode);

	if (mode < ACCEL_QP_WORKS)
		return enqueue_failed(qp, ops, nb_ops);
	if (mode != ACCEL_QP_RUNNING)
		accel_latency_begin(qp, nb_ops);
	return enqueue_working(qp, ops, nb_ops, asym);
}

/* Enqueues operations up to the first one for the companion. */
static __rte_noinline uint16_t
enqueue_own(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	return enqueue_in_mode(qp, ops, nb_ops, false);
}

static uint16_t
count_companion(const struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	uint16_t n = 0;

	while (n < nb_ops && accel_goes_to_companion(qp, ops[n]))
		n++;
	return n;
}

/*
 * Counts the operations in flight as a new maximum, if the queue pair has no room for the next n.
 */
static void
note_in_flight(struct accel_qp *qp, uint16_t n)
{
	const uint32_t seen = accel_load_relaxed(&qp->cons_seen);
	const uint32_t in_flight = accel_load_relaxed(&qp->prod) - seen;

	if (qp->nb_desc - in_flight < n)
		accel_count_in_flight(&qp->enqueue_count.in_flight_max, in_flight);
}

/* Enqueues n operations to the companion. The caller has checked that all of them go there. */
static __rte_noinline uint16_t
enqueue_companion(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t n)
{
	struct accel_qp *pk = qp->companion;
	uint16_t done = enqueue_in_mode(pk, ops, n, true);

	if (done != 0)
		accel_asym_announce(qp);
	if (done != n) {
		note_in_flight(pk, n - done);
		accel_count_add(&pk->enqueue_count.waits, 1);
	}
	return done;
}

/*
 * Enqueues the rest of a burst. The queue pair has not taken the rest because it is full, or
 * because the rest begins with an operation for the companion. In the second case companion and
 * queue pair take runs of operations in turn.
 */
static __rte_noinline uint16_t
enqueue_rest(struct accel_qp *qp, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	uint16_t done = 0, run, n;

	do {
		note_in_flight(qp, nb_ops - done);
		run = count_companion(qp, ops + done, nb_ops - done);
		if (run == 0) {
			accel_count_add(&qp->enqueue_count.waits, 1);
			break;
		}
		n = enqueue_companion(qp, ops + done, run);
		done += n;
		if (n == run && done != nb_ops)
			done += enqueue_own(qp, ops + done, nb_ops - done);
	} while (n == run && done != nb_ops);
	return done;
}

uint16_t
accel_enqueue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	struct accel_qp *qp = queue_pair;
	uint16_t n;

	if (unlikely(accel_load_acquire(&qp->mode) != ACCEL_QP_RUNNING))
		n = enqueue_own(qp, ops, nb_ops);
	else
		n = enqueue_working(qp, ops, nb_ops, false);
	return likely(n == nb_ops) ? n : n + enqueue_rest(qp, ops + n, nb_ops - n);
}
