/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Enqueue: from rte_crypto_op to descriptors. The common operation (one segment, in place) takes
 * the straight path, which is here, in runs of one kind. Segments and what is out of place have a
 * way of their own (accel_segments.h), all others take the general one (accel_general.h). All use
 * what is in accel_shape.h and accel_command.h, and the writer of accel_desc.h. An operation that
 * cannot be carried out is accepted all the same and comes back from dequeue, in its turn, with a
 * status that says why: callers do not look at operations that enqueue refused. So a short return
 * means "full" and nothing else.
 */
#include <rte_mbuf.h>
#include <rte_prefetch.h>

#include "accel_general.h"
#include "accel_queue.h"
#include "accel_segments.h"
#include "accel_session.h"
#include "accel_shape.h"

/* What a run of operations writes to: of accel_qp.lap, in registers as far as they go. */
struct lap {
	uintptr_t commands;
	uintptr_t inflight;
	uint64_t command_desc;
	struct accel_ring tx;
	struct accel_ring rx;
};

static inline struct lap
lap_of(const struct accel_qp *qp)
{
	return (struct lap){
		.commands = qp->lap.commands,
		.inflight = qp->lap.inflight,
		.command_desc = qp->lap.command_desc,
		.tx = accel_ring_lap(&qp->tx, qp->lap.tx),
		.rx = accel_ring_lap(&qp->rx, qp->lap.rx),
	};
}

static inline struct accel_hw_command *
lap_command(const struct lap *lap, uint32_t number)
{
	return (struct accel_hw_command *)(lap->commands +
					   (uint64_t)number * sizeof(struct accel_hw_command));
}

static inline struct accel_inflight *
lap_inflight(const struct lap *lap, uint32_t number)
{
	return (struct accel_inflight *)(lap->inflight +
					 (uint64_t)number * sizeof(struct accel_inflight));
}

/* From operation number prod on. */
static __rte_noinline void
lap_begin(struct accel_qp *qp, uint32_t prod)
{
	const uint32_t tx = RTE_MIN(accel_ring_room(&qp->tx), accel_ring_ahead(&qp->tx));
	const uint32_t rx = RTE_MIN(accel_ring_room(&qp->rx), accel_ring_ahead(&qp->rx));
	const uint64_t before = prod & ~qp->desc_mask;
	uint32_t ops = qp->nb_desc - (prod & qp->desc_mask);

	/* One RTE_MIN() within another is a warning from DPDK 26.11 on. */
	ops = RTE_MIN(ops, tx / ACCEL_TX_PER_OP);
	qp->lap = (struct accel_lap){
		.ops = RTE_MIN(ops, rx / ACCEL_RX_PER_OP),
		.commands = (uintptr_t)qp->commands - before * sizeof(*qp->commands),
		.inflight = (uintptr_t)qp->inflight - before * sizeof(*qp->inflight),
		.command_desc = qp->command_desc - before * sizeof(*qp->commands),
		.tx = accel_ring_origin(&qp->tx),
		.rx = accel_ring_origin(&qp->rx),
	};
}

/* Are both rings at one region of 1 GiB, and do commands need no other? Then what lies there needs
 * no type 0. */
static inline bool
rings_near(const struct accel_qp *qp)
{
	const uint64_t upper = qp->tx.upper;

	return upper == qp->rx.upper && (upper == qp->command_upper ||
					 (qp->commands_located && upper != ACCEL_UPPER_NONE));
}

/* Where the data of an operation lie: in the region that both rings are at, or each in any one. */
static ACCEL_VARIANTS bool
is_within(const struct accel_qp *qp, uint64_t iova, uint32_t len, const bool near)
{
	return near ? accel_in_region(qp->region, iova, len) : accel_one_region(iova, len);
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
enqueue_straight(const struct accel_qp *qp, struct lap *lap, struct rte_crypto_op *op,
		 const struct accel_session *sess, uint32_t tag, const enum accel_hw_kind kind,
		 const bool near)
{
	const struct rte_crypto_sym_op *sym = op->sym;
	const uint64_t command =
		lap->command_desc + (uint64_t)tag * sizeof(struct accel_hw_command);
	struct accel_ring *tx = &lap->tx, *rx = &lap->rx;
	const bool verify = kind != ACCEL_HW_KIND_CIPHER && sess->verify;
	const bool generate = kind != ACCEL_HW_KIND_CIPHER && sess->generate;
	struct accel_regions regions;
	struct accel_shape shape;
	uint64_t src;

	accel_regions_of(kind, sym, &regions);
	accel_shape_of(kind, &regions, &shape);
	if (unlikely(!is_straight(qp, sess, sym, &shape, kind, near)))
		return false;
	src = rte_pktmbuf_iova_offset(sym->m_src, shape.src_off);

	ACCEL_PROBE(ACCEL_PROBE_POST);
	accel_write_command(lap_command(lap, tag), sess, op, &shape, tag, kind);
	if (near || qp->commands_located)
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

/*
 * Where sessions change within a burst they tend to be many, and each is a wait for memory: their
 * lines are sent for ahead, so that several are waited for side by side. What has no session has
 * something else in its place; that does no harm.
 */
#define SESSIONS_AHEAD 16u /* operations */

static inline void
fetch_sessions(struct rte_crypto_op **ops, uint32_t from, uint32_t to)
{
	const size_t priv = offsetof(struct rte_cryptodev_sym_session, driver_priv_data);

	for (; from < to; from++)
		rte_prefetch0((const void *)((uintptr_t)ops[from]->sym->session + priv));
}

/* Are there many in this burst? Then the first ones are on their way. */
static inline bool
has_many_sessions(struct rte_crypto_op **ops, uint32_t n)
{
	if (likely(ops[n - 1]->sym->session == ops[0]->sym->session))
		return false;
	fetch_sessions(ops, 0, RTE_MIN(n, SESSIONS_AHEAD));
	return true;
}

/*
 * Make the lines of a run's commands the CPU's own. The device has read them a lap ago, and stores
 * wait for their lines in order: these few wait side by side, with all stores of an operation in
 * between each would wait for the one before (doc/performance.md). Slots that a run ends before
 * using are free, so it does not matter what is in them.
 */
static ACCEL_VARIANTS void
claim_commands(const struct lap *lap, uint32_t n, uint32_t prod)
{
	/* Volatile: no store is left out. */
	volatile struct accel_hw_command *command = lap_command(lap, prod);
	uint32_t i;

	if (likely(n >= ACCEL_CLAIM_AT_ONCE)) { /* a constant number: one instruction each */
		for (i = 0; i < ACCEL_CLAIM_AT_ONCE; i++)
			command[i].tag = 0;
		return;
	}
	for (i = 0; i < n; i++)
		command[i].tag = 0;
}

/* The same as for commands. */
static ACCEL_VARIANTS void
claim_slots(const struct accel_ring *ring, uint32_t slots)
{
	volatile uint64_t *desc = accel_ring_slot(ring, ring->prod);
	uint32_t at;

	for (at = 0; at < slots; at += RTE_CACHE_LINE_SIZE / sizeof(*desc))
		desc[at] = 0;
}

/* For the next n operations of a run. With three descriptors each, claiming theirs changes nothing;
 * with four or five it halves the time when the CPUs are far apart, and so it does with types 0
 * among them. */
static ACCEL_VARIANTS void
claim_lines(const struct lap *lap, uint32_t n, uint32_t prod, const enum accel_hw_kind kind,
	    const bool near)
{
	const bool few = kind == ACCEL_HW_KIND_CIPHER || kind == ACCEL_HW_KIND_AUTH;

	claim_commands(lap, n, prod);
	if ((few && near) || n < ACCEL_CLAIM_AT_ONCE)
		return;
	claim_slots(&lap->tx, ACCEL_CLAIM_AT_ONCE * (few ? 4 : kind == ACCEL_HW_KIND_AEAD ? 3 : 2));
	if (!few)
		claim_slots(&lap->rx, ACCEL_CLAIM_AT_ONCE * 2);
}

/* Operations of one kind by the straight path, up to the first that does not fit it; how many. Most
 * have the session of the one before and need no second look at it; the caller has had one at that
 * of the first. Where there are many, they are sent for, too; the first ones have been. */
static ACCEL_VARIANTS uint32_t
enqueue_run(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod,
	    const enum accel_hw_kind kind, const bool near, const bool many)
{
	const struct rte_cryptodev_sym_session *session = ops[0]->sym->session;
	struct rte_crypto_op **const first = ops, **const end = ops + n, **pause = ops;
	struct lap lap = lap_of(qp);

	for (; ops != end; ops++, prod++) {
		struct rte_crypto_op *op = *ops;

		if (ops == pause) {
			n = (uint32_t)(end - ops);
			claim_lines(&lap, n, prod, kind, near);
			if (many)
				fetch_sessions(ops, RTE_MIN(n, SESSIONS_AHEAD),
					       RTE_MIN(n, SESSIONS_AHEAD + ACCEL_CLAIM_AT_ONCE));
			pause = ops + ACCEL_CLAIM_AT_ONCE;
		}
		if (unlikely(!accel_has_session(op) || op->sym->m_src == NULL))
			break;
		if (unlikely(op->sym->session != session)) {
			session = op->sym->session;
			if (session == NULL ||
			    accel_session_of(session)->owner != accel_session_owner(kind))
				break;
		}
		if (unlikely(!enqueue_straight(qp, &lap, op, accel_session_of(session), prod, kind,
					       near)))
			break;
		accel_set_inflight(lap_inflight(&lap, prod), op, 0, &lap.tx, &lap.rx);
	}
	qp->tx.prod = lap.tx.prod;
	qp->rx.prod = lap.rx.prod;
	if (!near) {
		qp->tx.upper = lap.tx.upper;
		qp->rx.upper = lap.rx.upper;
	}
	return (uint32_t)(ops - first);
}

typedef uint32_t (*enqueue_run_fn)(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n,
				   uint32_t prod);

#define ENQUEUE_RUN(name, kind, near, many)                                                        \
	static uint32_t name(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n,          \
			     uint32_t prod)                                                        \
	{                                                                                          \
		return enqueue_run(qp, ops, n, prod, kind, near, many);                            \
	}

/* name_runs[near][many] */
#define ENQUEUE_RUNS(name, kind)                                                                   \
	ENQUEUE_RUN(name##_far, kind, false, false)                                                \
	ENQUEUE_RUN(name##_far_many, kind, false, true)                                            \
	ENQUEUE_RUN(name##_near, kind, true, false)                                                \
	ENQUEUE_RUN(name##_near_many, kind, true, true)                                            \
	static const enqueue_run_fn name##_runs[2][2] = {                                          \
		{ name##_far, name##_far_many },                                                   \
		{ name##_near, name##_near_many },                                                 \
	};

ENQUEUE_RUNS(cipher, ACCEL_HW_KIND_CIPHER)
ENQUEUE_RUNS(auth, ACCEL_HW_KIND_AUTH)
ENQUEUE_RUNS(chain, ACCEL_HW_KIND_CIPHER_THEN_AUTH)
ENQUEUE_RUNS(aead, ACCEL_HW_KIND_AEAD)

/* By accel_session_straight(). */
static const enqueue_run_fn (*const runs[])[2] = {
	[ACCEL_HW_KIND_CIPHER] = cipher_runs,
	[ACCEL_HW_KIND_AUTH] = auth_runs,
	[ACCEL_HW_KIND_CIPHER_THEN_AUTH] = chain_runs,
	[ACCEL_HW_KIND_AEAD] = aead_runs,
};

/* As many operations as the straight path takes in one go, 0 if not the first one. */
static inline uint32_t
enqueue_common(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod,
	       bool many)
{
	const struct accel_session *sess = accel_op_session(ops[0]);
	const enqueue_run_fn (*run)[2];
	uint32_t done = 0;

	if (unlikely(sess == NULL || accel_session_straight(sess) == 0 ||
		     accel_is_odd_mbuf(ops[0]->sym)))
		return 0;
	run = runs[accel_session_straight(sess)];
	if (unlikely(qp->lap.ops < n)) {
		lap_begin(qp, prod);
		n = RTE_MIN(n, qp->lap.ops);
		if (n == 0) /* the general path wraps */
			return 0;
	}
	if (likely(rings_near(qp))) {
		qp->region = qp->tx.upper << ACCEL_HW_DESC_REGION_SHIFT;
		done = run[true][many](qp, ops, n, prod);
	}
	if (unlikely(done == 0))
		done = run[false][many](qp, ops, n, prod);
	qp->lap.ops -= done;
	return done;
}

/* What is not common: as many operations as one of the other ways takes, 0 if rings are full. */
static __rte_noinline uint32_t
enqueue_other(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod)
{
	const uint32_t done = accel_enqueue_segments(qp, ops, n, prod);

	accel_lap_end(qp);
	return done != 0 ? done : accel_enqueue_odd(qp, ops[0], prod);
}

/* A queue pair that does not run takes operations too, and gives them back with an error: a caller
 * that offers an operation until it is taken must not hang. Who asks for it gets them refused, as
 * the fail-over of crypto_scheduler needs it. */
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

uint16_t
accel_enqueue_burst(void *queue_pair, struct rte_crypto_op **ops, uint16_t nb_ops)
{
	struct accel_qp *qp = queue_pair;
	const uint32_t prod = accel_load_relaxed(&qp->prod);
	uint32_t i = 0, n;
	bool many;

	if (unlikely(accel_load_relaxed(&qp->mode) < ACCEL_QP_RUNNING))
		return enqueue_failed(qp, ops, nb_ops);
	n = accel_inflight_room(qp, prod, nb_ops);
	many = n != 0 && has_many_sessions(ops, n);
	while (i < n) {
		uint32_t done = enqueue_common(qp, ops + i, n - i, prod + i, many);

		if (unlikely(done == 0)) {
			done = enqueue_other(qp, ops + i, n - i, prod + i);
			if (done == 0)
				break;
		}
		i += done;
	}
	qp->enqueued += i;
	ACCEL_PROBE(ACCEL_PROBE_DOORBELL);
	if (likely(i != 0))
		accel_publish(qp, prod + i);
	else if (n != 0)
		qp->turn++; /* the rings have been written to all the same */
	return i;
}
