/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Has the fast path of IPsec. See accel_enqueue.h.
 */
#include "accel_batch.h"
#include "accel_command.h"
#include "accel_compat.h"
#include "accel_enqueue.h"
#include "accel_ipsec_op.h"
#include "accel_queue.h"
#include "accel_ring.h"
#include "accel_security.h"
#include "accel_session.h"
#include "accel_sort.h"

/* An operation takes a descriptor and a type 0 each for command, source and result. */
static_assert(2 * ACCEL_SLOTS_PER_FRAGMENT <= ACCEL_TX_PER_OP &&
		      ACCEL_SLOTS_PER_FRAGMENT <= ACCEL_RX_PER_OP, "accel_enqueue_run_t");

/* True if a session is an SA of this driver for this path and this direction. */
static inline bool
is_sa(const void *session, bool outbound)
{
	const struct accel_session *sess = accel_protocol_of(session);

	return sess != NULL && sess->generate == outbound && accel_is_fast_sa(sess);
}

/*
 * True if the operation is for this path. The operation has one segment and is in place, and its
 * buffer has room for the largest result. Then source and result are below 64 KiB, which every card
 * takes (manual 11). Outbound, `before` wraps if data_off is below head, and `last` wraps if there
 * are no data. A wrapped number is more than any buffer has room for.
 */
static ACCEL_VARIANTS bool
is_fast(const struct rte_crypto_sym_op *sym, const struct rte_mbuf *m,
	const struct accel_session *sess, const bool outbound)
{
	const uint32_t before = (uint32_t)m->data_off - sess->head, last = m->data_len - 1u;

	if (unlikely(m->nb_segs != 1) || unlikely(!accel_is_in_place(sym, m)))
		return false;
	if (!outbound)
		return likely(m->data_len != 0);
	return likely((uint64_t)before + last + sess->growth < m->buf_len);
}

static_assert(ACCEL_HW_MIN_MAX_FRAME_BYTES > UINT16_MAX, "is_fast() needs no limit");

/* Returns a number whose sum with an IOVA in the region base is the IOVA's descriptor. */
static inline uint64_t
near_of(uint64_t base)
{
	return ACCEL_HW_DESC2_TYPE - base;
}

/*
 * True if the buffer of an operation, whose descriptor is `buffer`, lies in the region. The check
 * assumes the largest possible buffer, so a few buffers at the end of a region take the slow path.
 * The descriptor's type is the sign bit. As signed numbers, descriptors of the region begin at the
 * least number, and an IOVA before the region gives a great one.
 */
static inline bool
is_within(uint64_t buffer)
{
	const int64_t most = (int64_t)(ACCEL_HW_DESC2_TYPE + ACCEL_HW_DESC_REGION_SIZE -
				       2 * UINT16_MAX);

	return likely((int64_t)buffer <= most);
}

static_assert(ACCEL_HW_DESC2_TYPE == UINT64_C(1) << 63, "is_within()");

static ACCEL_VARIANTS uint64_t
source_desc(const struct rte_mbuf *m, uint64_t buffer)
{
	return buffer + m->data_off + ((uint64_t)m->data_len << ACCEL_HW_DESC2_LEN_SHIFT);
}

static inline uint64_t
result_desc(uint64_t source, const struct accel_session *sess, const bool outbound)
{
	return outbound ? source + sess->command.ipsec.result : source;
}

/*
 * Writes the command as accel_write_words() does. Outbound, the options are written only if the
 * mbuf asks for checksums, as few mbufs do.
 */
static inline void
put_command(struct accel_hw_command *cmd, const struct accel_session *sess,
	    const struct rte_mbuf *m, uint64_t tag, const bool outbound)
{
	const uint64_t skip = outbound ? 0 : accel_ipsec_skip(m, false, false);
	accel_command_word *word = (void *)cmd;

	word[0] = sess->command.ipsec.first | rte_cpu_to_le_64(tag);
	word[1] = sess->command.context;
	word[2] = rte_cpu_to_le_64(skip << 32 | rte_le_to_cpu_32(sess->command.generation));
	word[3] = rte_cpu_to_le_64((uint64_t)m->data_len);
	if (outbound && unlikely((m->ol_flags >> 32 & ACCEL_IPSEC_TX_CHECKSUMS >> 32) != 0)) {
		/*
		 * Without this barrier the compiler keeps the flags in a register for all
		 * operations.
		 */
		rte_compiler_barrier();
		cmd->skip = rte_cpu_to_le_32(accel_ipsec_skip(m, true, false));
	}
}

/*
 * True if an operation has an SA of this direction, and an mbuf. A session other than *last is
 * checked and becomes *last.
 *
 * @param last the session that was checked last, or the session of the first operation, which the
 *   caller has sorted.
 */
static ACCEL_VARIANTS bool
is_ours(struct rte_crypto_op *op, const void **last, const bool outbound)
{
	if (unlikely(!accel_op_begin(op, RTE_CRYPTO_OP_SECURITY_SESSION)))
		return false;
	if (unlikely(op->sym->session != *last)) {
		rte_compiler_barrier();
		*last = op->sym->session;
		if (!is_sa(*last, outbound))
			return false;
	}
	return likely(op->sym->m_src != NULL);
}

/*
 * Describes the operations of a run. Their numbers have 64 bits here, so that they do not wrap
 * within a run and an index needs no mask.
 */
struct run {
	uintptr_t ops; /* accel_ops_by_number() */
	uint64_t number; /* the next operation's */
	uint64_t stop; /* the lines of the commands up to this number are claimed */
	const void *session; /* the session that was checked last */
};

/* Writes the three descriptors of an operation, and a type 0 before each that is not near. */
static ACCEL_VARIANTS void
put_frames(const struct accel_qp *qp, struct accel_batch *batch, uint64_t base, uint64_t source,
	   uint64_t result, const bool near)
{
	const uint64_t command = batch->command_desc + (uintptr_t)batch->command;

	if (near) {
		batch->tx_slot[0] = rte_cpu_to_le_64(command);
		batch->tx_slot[1] = rte_cpu_to_le_64(source);
		batch->rx_slot[0] = rte_cpu_to_le_64(result);
		return;
	}
	if (!qp->commands_located)
		accel_ring_reach(&batch->tx, qp->command_region);
	accel_ring_push(&batch->tx, command);
	accel_ring_reach(&batch->tx, base);
	accel_ring_reach(&batch->rx, base);
	accel_ring_push(&batch->tx, source);
	accel_ring_push(&batch->rx, result);
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
	if (near) {
		batch->tx_slot += 2;
		batch->rx_slot++;
		batch->tx.prod += 2;
		batch->rx.prod++;
	}
	accel_opaque(batch->command);
	accel_opaque(batch->entry);
	accel_opaque(run->number);
	accel_opaque(batch->tx_slot);
	accel_opaque(batch->rx_slot);
	accel_opaque(batch->tx.prod);
	accel_opaque(batch->rx.prod);
}

/*
 * Writes the operations of a run. Stops and returns false at the first that is not for this path.
 */
static ACCEL_VARIANTS bool
put_part(const struct accel_qp *qp, struct accel_batch *batch, struct run *run,
	 const uint64_t region, const bool outbound, const bool near)
{
	while (run->number != run->stop) {
		struct rte_crypto_op *op = *accel_op_at(run->ops, run->number);
		const struct accel_session *sess;
		const struct rte_mbuf *m;
		uint64_t buffer, source, base;

		if (unlikely(!is_ours(op, &run->session, outbound)))
			return false;
		m = op->sym->m_src;
		sess = accel_protocol_session(run->session);
		base = near ? region : accel_region_of(rte_mbuf_iova_get(m));
		buffer = rte_mbuf_iova_get(m) + near_of(base);
		if (unlikely(!is_fast(op->sym, m, sess, outbound) || !is_within(buffer)))
			return false;
		source = source_desc(m, buffer);
		put_frames(qp, batch, base, source, result_desc(source, sess, outbound), near);
		put_command(batch->command, sess, m, run->number, outbound);
		next_op(batch, run, near);
		accel_set_inflight_at(&batch->entry[-1], op, ACCEL_OP_IPSEC, batch->tx.prod,
				      batch->rx.prod);
	}
	return true;
}

/*
 * Writes n operations, which fit without a wrap, up to the first that is not for this path, and
 * returns the number of this operation.
 *
 * @param near all data are in the region of both rings.
 */
static ACCEL_VARIANTS uint32_t
put_ops(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod, bool many,
	const bool outbound, const bool near)
{
	const uint64_t end = (uint64_t)prod + n;
	struct accel_batch batch = accel_batch_ahead(qp, prod);
	struct run run = {
		.ops = accel_ops_by_number(ops, prod),
		.number = prod,
		.session = ops[0]->sym->session,
	};
	const uint64_t region = batch.tx.region;
	uint64_t left;

	do {
		left = end - run.number;
		accel_claim_commands(batch.command, (uint32_t)left);
		if (unlikely(many))
			accel_fetch_next_sessions(accel_op_at(run.ops, run.number), (uint32_t)left);
		run.stop = run.number + RTE_MIN(left, ACCEL_CLAIM_AT_ONCE);
	} while (put_part(qp, &batch, &run, region, outbound, near) && run.number != end);
	accel_batch_keep(&batch, &qp->tx, &qp->rx, near);
	return (uint32_t)run.number;
}

/* Makes the bodies of a direction. */
#define RUNS(name, outbound)                                                                       \
	static uint32_t enqueue_##name##_far(ACCEL_RUN_ARGS)                                       \
	{                                                                                          \
		return put_ops(qp, ops, n, prod, many, outbound, false);                           \
	}                                                                                          \
	static uint32_t enqueue_##name##_near(ACCEL_RUN_ARGS)                                      \
	{                                                                                          \
		return put_ops(qp, ops, n, prod, many, outbound, true);                            \
	}

RUNS(outbound, true)
RUNS(inbound, false)

const accel_enqueue_run_t accel_enqueue_ipsec[2][2] = {
	{ enqueue_inbound_far, enqueue_inbound_near },
	{ enqueue_outbound_far, enqueue_outbound_near },
};
