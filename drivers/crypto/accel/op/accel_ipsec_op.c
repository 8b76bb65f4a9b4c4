/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Dequeues the operations of accel_enqueue_ipsec.c. See accel_ipsec_op.h.
 */
#include "accel_batch.h"
#include "accel_ipsec_op.h"
#include "accel_security.h"

#define WORD_STATUS_END 48u /* bits of tag and status in accel_response_word() */

/*
 * Sets the flags of the operation and its mbuf from the bits of info other than the offset. In most
 * responses these bits are 0. In any case the mbuf's flags for checksums of the old packet are
 * cleared.
 *
 * @param soft the operation's flags: accel_ipsec_aux_flags().
 */
static ACCEL_VARIANTS void
set_info(struct rte_crypto_op *op, struct rte_mbuf *m, uint64_t info, uint8_t soft,
	 const bool outbound)
{
	if (outbound) {
		m->ol_flags &= ~ACCEL_IPSEC_TX_INNER;
		op->aux_flags = soft;
	} else if (likely((info & ~(uint64_t)ACCEL_HW_IPSEC_INFO_OFFSET) == 0)) {
		op->aux_flags = 0;
		m->ol_flags &= ~ACCEL_IPSEC_RX_CHECKSUMS;
	} else {
		op->aux_flags = soft;
		accel_ipsec_set_checksums(m, info);
	}
}

/*
 * Ends an operation of accel_enqueue_ipsec.c, which has found room for the result. Returns false,
 * with nothing changed, if the response says more than the frame holds.
 */
static inline bool
end_single(struct rte_crypto_op *op, const struct accel_session *sess, uint32_t produced,
	   uint64_t info, uint8_t soft, const bool outbound)
{
	const uint64_t off = info & ACCEL_HW_IPSEC_INFO_OFFSET;
	struct rte_mbuf *m = op->sym->m_src;
	uint32_t data_off;

	/* The application may have cleared m_src while the operation was in flight. */
	if (unlikely(m == NULL))
		return false;
	if (outbound) {
		if (unlikely(produced > (uint32_t)m->data_len + sess->growth))
			return false;
		data_off = (uint32_t)m->data_off - sess->head;
	} else {
		if (unlikely(off + produced > m->data_len))
			return false;
		data_off = m->data_off + (uint32_t)off;
	}
	m->data_off = (uint16_t)data_off;
	m->data_len = (uint16_t)produced;
	m->pkt_len = produced;
	/* The device wrote the new headers. The application reads and changes them next. */
	accel_fetch_to_write((const uint8_t *)m->buf_addr + data_off);
	set_info(op, m, info, soft, outbound);
	op->status = RTE_CRYPTO_OP_STATUS_SUCCESS;
	return true;
}

/* True if a session is an SA of this direction. */
static inline bool
is_sa(const void *session, bool outbound)
{
	const struct accel_session *sess = accel_protocol_of(session);

	return sess != NULL && accel_is_ipsec(sess->kind) && sess->generate == outbound;
}

/*
 * Gives back operations of one direction, from number cons up to end, and returns how many. There
 * is at least one. Neither responses nor entries wrap in between. cons and end have 64 bits, so
 * they do not wrap either.
 *
 * @param rsp, entry, session the response, the entry and the session of the first operation.
 */
static ACCEL_VARIANTS uint32_t
dequeue_run(struct rte_crypto_op **ops, const struct accel_hw_response *rsp,
	    const struct accel_inflight *entry, const void *session, uint64_t cons, uint64_t end,
	    const bool outbound)
{
	const uint64_t first = cons;
	const uintptr_t to = accel_ops_by_number(ops, first);

	do {
		struct rte_crypto_op *op = (struct rte_crypto_op *)(entry->op - ACCEL_OP_IPSEC);
		uint64_t word = accel_response_word(rsp), info = 0;
		uint32_t produced;
		uint8_t soft = 0;

		accel_opaque(word);
		/* Outbound most responses say OK and nothing else. */
		if (!outbound || unlikely(word != cons)) {
			if (unlikely((word ^ cons) << (64 - WORD_STATUS_END) != 0))
				break;
			info = word >> WORD_STATUS_END;
			soft = accel_ipsec_aux_flags(info);
		}
		if (unlikely(((uintptr_t)op & ACCEL_OP_KIND) != 0))
			break;
		if (unlikely(op->sym->session != session)) {
			rte_compiler_barrier();
			session = op->sym->session;
			if (!is_sa(session, outbound))
				break;
		}
		produced = rte_le_to_cpu_32(*(const volatile uint32_t *)&rsp->produced);
		if (unlikely(!end_single(op, accel_protocol_session(session), produced, info, soft,
					 outbound)))
			break;
		*accel_op_at(to, cons++) = op;
		rsp++;
		entry++;
	} while (cons != end);
	return (uint32_t)(cons - first);
}

uint32_t
accel_ipsec_dequeue(struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t cons,
		    uint32_t end)
{
	const uint32_t rsp_slot = accel_response_slot(qp, cons);
	const uint32_t slot = cons & qp->desc_mask;
	const struct accel_hw_response *rsp = &qp->responses[rsp_slot];
	const struct accel_inflight *entry = &qp->inflight[slot];
	const struct rte_crypto_op *first = (const void *)(entry->op - ACCEL_OP_IPSEC);
	const void *session = first->sym->session;
	const struct accel_session *sess = accel_protocol_of(session);
	uint64_t n;

	if (unlikely(sess == NULL || !accel_is_ipsec(sess->kind) || accel_qp_in_doubt(qp, cons)))
		return 0;
	/* The run ends where one of the rings ends, so nothing wraps. The caller calls again. */
	n = RTE_MIN(end - cons, qp->rsp_size - rsp_slot);
	n = RTE_MIN(n, qp->nb_desc - slot);
	qp->ending = cons + (uint32_t)n;
	rte_compiler_barrier();
	n = sess->generate ? dequeue_run(ops, rsp, entry, session, cons, cons + n, true) :
			     dequeue_run(ops, rsp, entry, session, cons, cons + n, false);
	rte_compiler_barrier();
	qp->ending = cons + (uint32_t)n;
	return (uint32_t)n;
}
