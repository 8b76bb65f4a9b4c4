/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The fast path of IPsec. See accel_enqueue_ipsec.h.
 */
#include <rte_prefetch.h>
#include <rte_security_driver.h>

#include "accel_command.h"
#include "accel_compat.h"
#include "accel_enqueue_ipsec.h"
#include "accel_ipsec_op.h"
#include "accel_protocol.h"
#include "accel_queue.h"
#include "accel_ring.h"
#include "accel_run.h"
#include "accel_session.h"
#include "accel_shape.h"

/* The descriptors of an operation, each with a type 0: command and source, and the result. */
#define TX_SLOTS (2 * ACCEL_SLOTS_PER_FRAGMENT)
#define RX_SLOTS ACCEL_SLOTS_PER_FRAGMENT

static inline bool
is_protocol_op(const struct rte_crypto_op *op)
{
	return op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC &&
	       op->sess_type == RTE_CRYPTO_OP_SECURITY_SESSION;
}

/* The session of an operation, if it is an SA of this driver in that direction; else NULL. */
static inline const struct accel_session *
sa_of(const void *session, bool outbound)
{
	const struct accel_session *sess = accel_protocol_of(session);

	if (sess == NULL || !accel_is_ipsec(sess->kind) || sess->generate != outbound ||
	    (sess->rules & ACCEL_SESSION_HEAD_VARIES) != 0)
		return NULL;
	return sess;
}

/*
 * Is the operation for this path? It is one segment in place, and its buffer has room for all that
 * the result may take. So source and result are below 64 KiB, which every card takes (manual 11).
 */
static ACCEL_VARIANTS bool
is_fast(const struct rte_crypto_sym_op *sym, const struct rte_mbuf *m,
	const struct accel_session *sess, const bool outbound)
{
	const uint32_t len = m->data_len, data_off = m->data_off, head = sess->head;

	if (unlikely(m->nb_segs != 1 || len == 0 ||
		     !(likely(sym->m_dst == NULL) || sym->m_dst == m)))
		return false;
	return !outbound || (likely(data_off >= head) &&
			     likely(data_off - head + len + sess->growth <= m->buf_len));
}

static_assert(ACCEL_HW_MIN_MAX_FRAME_BYTES > UINT16_MAX, "is_fast() needs no limit");

/* Writes the descriptors of an operation, whose source is at base + off, in the region base. */
static ACCEL_VARIANTS void
put_data(const struct accel_qp *qp, struct accel_run *run, const struct accel_session *sess,
	 uint64_t base, uint64_t off, uint64_t len, const bool outbound, const bool near)
{
	const uint64_t source = ACCEL_HW_DESC2_TYPE + off + (len << ACCEL_HW_DESC2_LEN_SHIFT);

	if (!near && !qp->commands_located)
		accel_ring_reach(&run->tx, qp->command_region);
	accel_ring_push(&run->tx, run->command_desc + (uintptr_t)run->command);
	if (!near) {
		accel_ring_reach(&run->tx, base);
		accel_ring_reach(&run->rx, base);
	}
	accel_ring_push(&run->tx, source);
	accel_ring_push(&run->rx, outbound ? source + sess->command.ipsec.result : source);
}

/*
 * Writes the command as accel_write_words() does. Few mbufs ask for checksums, so the options of
 * outbound packets are written only if there are some.
 */
static ACCEL_VARIANTS void
put_command(struct accel_hw_command *cmd, struct rte_crypto_op *op,
	    const struct accel_session *sess, const struct rte_mbuf *m, uint32_t tag,
	    const bool outbound)
{
	const uint32_t skip = accel_ipsec_skip(m, outbound, false);
	accel_command_word *word = (void *)cmd;

	word[0] = sess->command.ipsec.first | rte_cpu_to_le_64((uint64_t)tag);
	word[1] = sess->command.context;
	word[2] = rte_cpu_to_le_64((uint64_t)(outbound ? 0 : skip) << 32 |
				   rte_le_to_cpu_32(sess->command.generation));
	word[3] = rte_cpu_to_le_64((uint64_t)m->data_len);
	if (!outbound)
		return;
	if (unlikely((m->ol_flags & ACCEL_IPSEC_TX_CHECKSUMS) != 0))
		cmd->skip = rte_cpu_to_le_32(skip);
	if (unlikely(sess->iv_len != 0))
		accel_put_iv(cmd->iv, accel_op_iv(op, sess), sess->iv_len);
}

/*
 * Writes one operation. There is room for TX_SLOTS and RX_SLOTS. False, with nothing kept, if it is
 * not for this path. The check for one region is that of the largest buffer, so that few buffers at
 * the end of a region take the slow path.
 */
static ACCEL_VARIANTS bool
put_op(const struct accel_qp *qp, struct accel_run *run, struct rte_crypto_op *op,
       const struct accel_session *sess, uint32_t tag, const bool outbound, const bool near)
{
	const struct rte_mbuf *m = op->sym->m_src;
	uint64_t base, off;

	if (unlikely(m == NULL || !is_fast(op->sym, m, sess, outbound)))
		return false;
	base = near ? run->tx.region : accel_region_of(rte_mbuf_iova_get(m));
	off = rte_mbuf_iova_get(m) - base;
	if (unlikely(off > ACCEL_HW_DESC_REGION_SIZE - 2 * UINT16_MAX))
		return false;
	put_data(qp, run, sess, base, off + m->data_off, m->data_len, outbound, near);
	put_command(run->command, op, sess, m, tag, outbound);
	return true;
}

/*
 * A burst with more than one SA tends to have many, and each may be a cache miss. So those of the
 * next operations are prefetched together with their commands' lines.
 */
static inline void
fetch_sessions(struct rte_crypto_op **ops, uint32_t n)
{
	const size_t priv = offsetof(struct rte_security_session, driver_priv_data);
	uint32_t i;

	for (i = 0; i < n; i++) {
		rte_prefetch0(ops[i]->sym->session);
		rte_prefetch0((const void *)((uintptr_t)ops[i]->sym->session + priv));
	}
}

/*
 * Writes n operations, which fit without a wrap, up to the first that is not for this path, and
 * returns their number. outbound and near are constants at each call.
 */
static ACCEL_VARIANTS uint32_t
put_ops(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod,
	const bool outbound, const bool near)
{
	const bool many = ops[n - 1]->sym->session != ops[0]->sym->session;
	struct rte_crypto_op **const first = ops, **const end = ops + n, **pause = ops;
	const struct accel_session *sess = NULL;
	struct accel_run run = accel_run_begin(qp, prod);
	const void *session = NULL;

	for (; ops != end; ops++, prod++) {
		struct rte_crypto_op *op = *ops;

		if (ops == pause) {
			n = (uint32_t)(end - ops);
			accel_claim_commands(run.command, n);
			if (many)
				fetch_sessions(ops, RTE_MIN(n, ACCEL_CLAIM_AT_ONCE));
			pause = ops + ACCEL_CLAIM_AT_ONCE;
		}
		if (unlikely(!is_protocol_op(op)))
			break;
		if (unlikely(op->sym->session != session)) {
			session = op->sym->session;
			sess = sa_of(session, outbound);
			if (sess == NULL)
				break;
		}
		if (unlikely(!put_op(qp, &run, op, sess, prod, outbound, near)))
			break;
		accel_set_inflight(run.entry++, op, ACCEL_OP_IPSEC, &run.tx, &run.rx);
		run.command++;
	}
	qp->tx.prod = run.tx.prod;
	qp->rx.prod = run.rx.prod;
	if (!near) {
		qp->tx.region = run.tx.region;
		qp->rx.region = run.rx.region;
	}
	return (uint32_t)(ops - first);
}

#define RUN_ARGS struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod

static __rte_noinline uint32_t
enqueue_outbound_near(RUN_ARGS)
{
	return put_ops(qp, ops, n, prod, true, true);
}

static __rte_noinline uint32_t
enqueue_outbound_far(RUN_ARGS)
{
	return put_ops(qp, ops, n, prod, true, false);
}

static __rte_noinline uint32_t
enqueue_inbound_near(RUN_ARGS)
{
	return put_ops(qp, ops, n, prod, false, true);
}

static __rte_noinline uint32_t
enqueue_inbound_far(RUN_ARGS)
{
	return put_ops(qp, ops, n, prod, false, false);
}

uint32_t
accel_enqueue_ipsec(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t n, uint32_t prod)
{
	const struct accel_session *sess;
	uint32_t room, done = 0;

	if (!is_protocol_op(ops[0]) || (qp->dev->active_flags & RTE_CRYPTODEV_FF_SECURITY) == 0)
		return 0;
	sess = accel_protocol_of(ops[0]->sym->session);
	if (sess == NULL)
		return 0;
	room = accel_run_room(qp, prod, TX_SLOTS, RX_SLOTS);
	n = RTE_MIN(n, room);
	if (n == 0)
		return 0;
	if (accel_rings_near(qp))
		done = sess->generate ? enqueue_outbound_near(qp, ops, n, prod) :
					enqueue_inbound_near(qp, ops, n, prod);
	if (done != 0)
		return done;
	return sess->generate ? enqueue_outbound_far(qp, ops, n, prod) :
				enqueue_inbound_far(qp, ops, n, prod);
}
