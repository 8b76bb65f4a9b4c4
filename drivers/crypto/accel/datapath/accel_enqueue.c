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
#include <rte_prefetch.h>

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
}

/*
 * True if data lie in one region of 1 GiB. With near, the region has to be the current one of both
 * rings.
 */
static inline bool
is_within(const struct accel_batch *batch, uint64_t iova, uint32_t len, const bool near)
{
	return near ? accel_in_region(batch->tx.region, iova, len) : accel_one_region(iova, len);
}

/*
 * True if the fast path can write an operation of one segment in place. None of its regions may be
 * empty or cross 1 GiB. All checks come before anything is written.
 */
static inline bool
is_fast(const struct accel_qp *qp, const struct accel_batch *batch,
	const struct accel_session *sess, const struct rte_crypto_sym_op *sym,
	const struct accel_shape *shape, const enum accel_hw_kind kind, const bool inside,
	const bool near)
{
	const struct rte_mbuf *m = sym->m_src;
	const bool aad = kind == ACCEL_HW_KIND_AEAD && !inside && sess->aad_len != 0;
	uint32_t others;

	if (shape->src_len == 0 || shape->src_off + shape->src_len > m->data_len ||
	    !is_within(batch, rte_pktmbuf_iova_offset(m, shape->src_off), shape->src_len, near))
		return false;
	if (kind == ACCEL_HW_KIND_CIPHER)
		return true;
	if (sess->digest_len != 0 &&
	    (shape->digest == 0 || !is_within(batch, shape->digest, sess->digest_len, near)))
		return false;
	if (kind == ACCEL_HW_KIND_AEAD && accel_aad_fits(qp, sess, sym->aead.aad.data) != inside)
		return false;
	if (aad &&
	    (shape->aad == 0 ||
	     !is_within(batch, shape->aad + sess->aad_offset, sess->aad_len, near)))
		return false;
	if (kind != ACCEL_HW_KIND_AUTH && shape->dst_len == 0)
		return false;
	others = (kind == ACCEL_HW_KIND_AEAD && !inside ? sess->aad_len : 0) + sess->digest_len;
	return shape->src_len + others <= qp->max_frame_bytes;
}

static inline void
put_fast(struct accel_ring *ring, uint64_t iova, uint32_t len, uint64_t bits, const bool near)
{
	if (near)
		accel_ring_push(ring, accel_desc2(iova, len, bits));
	else
		accel_ring_put(ring, iova, len, bits);
}

/*
 * Writes one operation. kind, inside and near are constants at each call, so each combination gets
 * a body with only the code that it needs. With inside the AAD goes into the command. The caller
 * has checked that there are ACCEL_TX_PER_OP and ACCEL_RX_PER_OP slots. Returns false, with nothing
 * written, if the operation is not for the fast path.
 */
static ACCEL_VARIANTS bool
enqueue_fast(const struct accel_qp *qp, struct accel_batch *batch, struct rte_crypto_op *op,
	     const struct accel_session *sess, uint32_t tag, const enum accel_hw_kind kind,
	     const bool inside, const bool near)
{
	const struct rte_crypto_sym_op *sym = op->sym;
	struct accel_ring *tx = &batch->tx, *rx = &batch->rx;
	const bool verify = kind != ACCEL_HW_KIND_CIPHER && sess->verify;
	const bool generate = kind != ACCEL_HW_KIND_CIPHER && sess->generate;
	struct accel_regions regions;
	struct accel_shape shape;
	uint64_t src;

	accel_regions_of(kind, sym, &regions);
	accel_shape_of(kind, &regions, &shape);
	if (unlikely(!is_fast(qp, batch, sess, sym, &shape, kind, inside, near)))
		return false;
	if (inside)
		accel_shape_aad_inside(sess, &regions, &shape);
	src = rte_pktmbuf_iova_offset(sym->m_src, shape.src_off);

	ACCEL_PROBE(ACCEL_PROBE_POST);
	accel_write_command(batch->command, sess, accel_op_iv(op, sess), accel_op_auth_iv(op, sess),
			    &shape, tag, kind);
	if (!near && !qp->commands_located)
		accel_ring_reach(tx, qp->command_region);
	accel_ring_push(tx, batch->command_desc + (uintptr_t)batch->command);
	if (kind == ACCEL_HW_KIND_AEAD && !inside && sess->aad_len != 0)
		put_fast(tx, shape.aad + sess->aad_offset, sess->aad_len, ACCEL_HW_DESC2_NEXT,
			 near);
	put_fast(tx, src, shape.src_len, verify ? ACCEL_HW_DESC2_NEXT : 0, near);
	if (verify)
		put_fast(tx, shape.digest, sess->digest_len, 0, near);
	if (kind != ACCEL_HW_KIND_AUTH)
		put_fast(rx, src + shape.dst_off - shape.src_off, shape.dst_len,
			 generate ? ACCEL_HW_DESC2_NEXT : 0, near);
	if (generate)
		put_fast(rx, shape.digest, sess->digest_len, 0, near);
	return true;
}

/*
 * A burst with more than one session tends to have many, and each may be a cache miss. The sessions
 * are prefetched, so that several misses overlap. An operation without a session has another
 * pointer where the session would be. Prefetching that pointer does no harm.
 */
#define SESSIONS_AHEAD 32u /* operations: all of a common burst, before the first is written */
#define SAS_AHEAD 16u /* accel_enqueue_ipsec.c prefetches those of IPsec itself */

static inline void
fetch_sessions(struct rte_crypto_op **ops, uint32_t from, uint32_t to)
{
	const size_t priv = offsetof(struct rte_cryptodev_sym_session, driver_priv_data);

	for (; from < to; from++)
		rte_prefetch0((const void *)((uintptr_t)ops[from]->sym->session + priv));
}

/* Prefetches the first sessions of a burst that has many. True if the burst has many sessions. */
static inline bool
has_many_sessions(struct rte_crypto_op **ops, uint32_t n)
{
	if (likely(ops[n - 1]->sym->session == ops[0]->sym->session))
		return false;
	fetch_sessions(ops, 0, RTE_MIN(n, accel_has_session(ops[0]) ? SESSIONS_AHEAD : SAS_AHEAD));
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
 * Enqueues operations of one kind by the fast path, up to the first that is not for this path, and
 * returns their number. The caller has sorted the first operation. It has prefetched the first
 * sessions if there are many.
 */
static ACCEL_VARIANTS uint32_t
enqueue_run(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod, bool many,
	    const enum accel_hw_kind kind, const bool inside, const bool near)
{
	const struct rte_cryptodev_sym_session *session = ops[0]->sym->session;
	struct rte_crypto_op **const first = ops, **const end = ops + n, **pause = ops;
	struct accel_batch batch = accel_batch_begin(qp, &qp->tx, &qp->rx, prod);
	struct rte_crypto_op *op = ops[0];

	goto sorted; /* accel_sort() has checked this operation */
	for (; ops != end; ops++, prod++) {
		op = *ops;
		if (unlikely(!accel_goes_on(op, &session, kind, false)))
			break;
sorted:
		if (ops == pause) {
			n = (uint32_t)(end - ops);
			claim_lines(&batch, n, kind, inside, near);
			if (many)
				fetch_sessions(ops, RTE_MIN(n, SESSIONS_AHEAD),
					       RTE_MIN(n, SESSIONS_AHEAD + ACCEL_CLAIM_AT_ONCE));
			pause = ops + ACCEL_CLAIM_AT_ONCE;
		}
		if (unlikely(!enqueue_fast(qp, &batch, op, accel_session_of(session), prod, kind,
					   inside, near)))
			break;
		accel_set_inflight(batch.entry++, op, 0, &batch.tx, &batch.rx);
		batch.command++;
	}
	accel_batch_keep(&batch, &qp->tx, &qp->rx, near);
	return (uint32_t)(ops - first);
}

/*
 * These are the bodies of the fast path: for each kind, one for near data and one for data
 * anywhere. The bodies for near data take a quarter less instructions. An AEAD has bodies of its
 * own for AAD in the command. A run of either ends at an operation that the other one takes.
 */

#define RUN_ARGS                                                                                   \
	struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod, bool many
#define RUNS(name, kind, inside)                                                                   \
	static uint32_t enqueue_##name##_near(RUN_ARGS)                                            \
	{                                                                                          \
		return enqueue_run(qp, ops, n, prod, many, kind, inside, true);                    \
	}                                                                                          \
	static uint32_t enqueue_##name##_far(RUN_ARGS)                                             \
	{                                                                                          \
		return enqueue_run(qp, ops, n, prod, many, kind, inside, false);                   \
	}

RUNS(cipher, ACCEL_HW_KIND_CIPHER, false)
RUNS(auth, ACCEL_HW_KIND_AUTH, false)
RUNS(chain, ACCEL_HW_KIND_CIPHER_THEN_AUTH, false)
RUNS(aead, ACCEL_HW_KIND_AEAD, false)
RUNS(inside, ACCEL_HW_KIND_AEAD, true)

/* Lists the bodies by accel_session_fast_kind() and by whether data are near. */
static uint32_t (*const runs[][2])(RUN_ARGS) = {
	[ACCEL_HW_KIND_CIPHER] = { enqueue_cipher_far, enqueue_cipher_near },
	[ACCEL_HW_KIND_AUTH] = { enqueue_auth_far, enqueue_auth_near },
	[ACCEL_HW_KIND_CIPHER_THEN_AUTH] = { enqueue_chain_far, enqueue_chain_near },
	[ACCEL_HW_KIND_AEAD] = { enqueue_aead_far, enqueue_aead_near },
	[ACCEL_FAST_INSIDE] = { enqueue_inside_far, enqueue_inside_near },
};

/* Enqueues a run by the fast path and returns its number of operations, which may be 0. */
static inline uint32_t
enqueue_common(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod,
	       bool many, uint8_t kind)
{
	uint32_t done = 0;

	if (unlikely(qp->ahead < n)) {
		count_ahead(qp, prod);
		n = RTE_MIN(n, qp->ahead);
		if (n == 0) /* the slow path writes around the end of a ring */
			return 0;
	}
	if (kind == ACCEL_HW_KIND_AEAD &&
	    accel_aad_fits(qp, accel_session_of(ops[0]->sym->session), ops[0]->sym->aead.aad.data))
		kind = ACCEL_FAST_INSIDE;
	if (likely(accel_rings_near(qp)))
		done = runs[kind][true](qp, ops, n, prod, many);
	if (unlikely(done == 0))
		done = runs[kind][false](qp, ops, n, prod, many);
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
		done = enqueue_common(qp, ops, n, prod, many, accel_session_fast_kind(sess));
	else if (way == ACCEL_WAY_IPSEC)
		done = accel_enqueue_ipsec(qp, ops, n, prod, sess);
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
	uint32_t prod, i = 0, n;
	bool many;

	prod = accel_load_relaxed(&qp->prod);
	n = accel_inflight_room(qp, prod, nb_ops);
	many = !asym && n != 0 && has_many_sessions(ops, n);
	while (i < n) {
		uint32_t done;

		if (!asym)
			first = accel_sort(qp, ops[i]);
		done = enqueue_some(qp, ops + i, n - i, prod + i, many, first);
		if (unlikely(done == 0))
			break;
		i += done;
	}
	accel_count_add(&qp->enqueue_count.enqueued, i);
	ACCEL_PROBE(ACCEL_PROBE_DOORBELL);
	if (likely(i != 0)) {
		accel_count_burst(qp->enqueue_count.bursts, i);
		accel_publish(qp, prod + i);
	}
	return i;
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
