/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations of IPsec with segments, out of place or without headroom, and the dequeue of the
 * others. See accel_ipsec_op.h.
 */
#include "accel_ipsec_op.h"
#include "accel_protocol.h"
#include "rte_pmd_accel.h"

#define REASON_SHIFT 4u /* RTE_PMD_ACCEL_REASON() */

static_assert(RTE_PMD_ACCEL_REASON(RTE_PMD_ACCEL_REASON_OTHER << REASON_SHIFT) ==
			      RTE_PMD_ACCEL_REASON_OTHER &&
		      (int)RTE_PMD_ACCEL_REASON_DUMMY == (int)ACCEL_HW_DUMMY &&
		      (int)RTE_PMD_ACCEL_REASON_OTHER == (int)ACCEL_HW_DUMMY + 1,
	      "the numbers are the card's");

bool
accel_ipsec_place(const struct rte_crypto_sym_op *sym, const struct accel_session *sess,
		  struct accel_ipsec_result *result)
{
	return accel_ipsec_place_with(sym, sess, 0, result);
}

bool
accel_ipsec_place_with(const struct rte_crypto_sym_op *sym, const struct accel_session *sess,
		       uint32_t extra, struct accel_ipsec_result *result)
{
	const bool apart = sym->m_dst != NULL && sym->m_dst != sym->m_src;
	struct rte_mbuf *first = &result->first;
	const bool overlap = (sess->rules & ACCEL_SESSION_OVERLAP) != 0;
	const bool varies = (sess->rules & ACCEL_SESSION_HEAD_VARIES) != 0;
	uint64_t room;

	*first = *(apart ? sym->m_dst : sym->m_src);
	result->len = sym->m_src->pkt_len;
	result->len += sess->growth + extra;
	if (sess->generate && !apart) {
		if (varies && !overlap)
			return false;
		if (first->data_off >= sess->head) {
			first->data_off -= sess->head;
			first->data_len += sess->head;
		} else if (!overlap) {
			return false;
		}
	}
	room = accel_chain_capacity(first);
	if (result->len > room)
		result->len = (uint32_t)room;
	return true;
}

struct rte_mbuf *
accel_ipsec_set_lengths(const struct rte_crypto_sym_op *sym, const struct accel_session *sess,
			const struct accel_ipsec_result *result, uint32_t off, uint32_t produced)
{
	const bool apart = sym->m_dst != NULL && sym->m_dst != sym->m_src;
	struct rte_mbuf *m = apart ? sym->m_dst : sym->m_src;

	if (sess->generate || apart) /* the output begins with the frame (IPS-5, IPS-6) */
		off = 0;
	if (produced > result->len || off > result->len - produced)
		return NULL;
	m->data_off = result->first.data_off;
	m->data_len = result->first.data_len;
	accel_chain_set_length(m, off, produced);
	return m;
}

bool
accel_ipsec_done(struct rte_crypto_op *op, const struct accel_session *sess,
		 const struct accel_answer *answer)
{
	const struct rte_crypto_sym_op *sym = op->sym;
	const uint32_t off = answer->info & ACCEL_HW_IPSEC_INFO_OFFSET;
	struct accel_ipsec_result result;
	struct rte_mbuf *m;

	/* The application may have cleared m_src while the operation was in flight. */
	if (sym->m_src == NULL || !accel_ipsec_place(sym, sess, &result))
		return false;
	m = accel_ipsec_set_lengths(sym, sess, &result, off, answer->produced);
	if (m == NULL)
		return false;
	if (!sess->generate)
		accel_ipsec_set_checksums(m, answer->info);
	op->aux_flags = accel_ipsec_aux_flags(answer->info);
	return true;
}

void
accel_ipsec_failed(struct rte_crypto_op *op, uint16_t status)
{
	op->aux_flags = (uint8_t)(RTE_MIN(status, RTE_PMD_ACCEL_REASON_OTHER) << REASON_SHIFT);
	op->status = RTE_CRYPTO_OP_STATUS_ERROR;
}

/*
 * Ends an operation of accel_enqueue_ipsec.h, which has found room for the result. False, with
 * nothing changed, if the response says more than the frame holds.
 */
static ACCEL_VARIANTS bool
end_single(struct rte_crypto_op *op, const struct accel_session *sess, uint32_t produced,
	   uint32_t info, const bool outbound)
{
	const uint32_t off = info & ACCEL_HW_IPSEC_INFO_OFFSET;
	struct rte_mbuf *m = op->sym->m_src;

	/* The application may have cleared m_src while the operation was in flight. */
	if (unlikely(m == NULL))
		return false;
	if (outbound) {
		if (unlikely(produced > (uint32_t)m->data_len + sess->growth))
			return false;
		m->data_off -= sess->head;
	} else {
		if (unlikely((uint64_t)off + produced > m->data_len))
			return false;
		m->data_off += (uint16_t)off;
		accel_ipsec_set_checksums(m, info);
	}
	m->data_len = (uint16_t)produced;
	m->pkt_len = produced;
	op->aux_flags = accel_ipsec_aux_flags(info);
	op->status = RTE_CRYPTO_OP_STATUS_SUCCESS;
	return true;
}

/* The SA of a session, if it is one. */
static const struct accel_session *
sa_of(const void *session)
{
	const struct accel_session *sess = accel_protocol_of(session);

	return sess != NULL && accel_is_ipsec(sess->kind) ? sess : NULL;
}

uint32_t
accel_ipsec_dequeue(const struct accel_qp *qp, struct rte_crypto_op **ops, uint32_t cons,
		    uint32_t end)
{
	const uint32_t rsp_slot = (cons - qp->base) & (qp->rsp_size - 1);
	const uint32_t slot = cons & qp->desc_mask;
	const volatile struct accel_hw_response *rsp = &qp->responses[rsp_slot];
	const struct accel_inflight *entry = &qp->inflight[slot];
	const struct accel_session *sess = NULL;
	const void *session = NULL;
	const uint32_t first = cons;

	/* Nothing wraps. The caller comes again. */
	end = cons + RTE_MIN(end - cons, qp->rsp_size - rsp_slot);
	end = cons + RTE_MIN(end - cons, qp->nb_desc - slot);
	for (; cons != end; cons++, rsp++, entry++) {
		struct rte_crypto_op *op = (struct rte_crypto_op *)(entry->op - ACCEL_OP_IPSEC);
		uint32_t produced, info;

		if (unlikely(((rte_le_to_cpu_32(rsp->tag) ^ cons) | rsp->status |
			      ((uintptr_t)op & ACCEL_OP_KIND)) != 0))
			break;
		if (unlikely(op->sym->session != session)) {
			session = op->sym->session;
			sess = sa_of(session);
			if (sess == NULL)
				break;
		}
		info = rte_le_to_cpu_16(rsp->info);
		produced = rte_le_to_cpu_32(rsp->produced);
		if (unlikely(!(sess->generate ? end_single(op, sess, produced, info, true) :
						end_single(op, sess, produced, info, false))))
			break;
		*ops++ = op;
	}
	return cons - first;
}
