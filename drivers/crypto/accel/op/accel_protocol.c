/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles operations with a security session. See accel_protocol.h.
 */
#include <assert.h>
#include <string.h>

#include <rte_mbuf.h>

#include "accel_command.h"
#include "accel_protocol.h"
#include "accel_queue.h"
#include "accel_segments.h"
#include "accel_session.h"
#include "accel_shape.h"
#include "accel_status.h"
#include "accel_tls.h"
#include "rte_pmd_accel.h"

#define REASON_SHIFT 4u /* RTE_PMD_ACCEL_REASON() */
#define PADDING_UNIT 8u /* bytes for each 1 in rte_crypto_op.aux_flags */
#define BLOCK_MAX 16u

static_assert(RTE_PMD_ACCEL_REASON(RTE_PMD_ACCEL_REASON_OTHER << REASON_SHIFT) ==
			      RTE_PMD_ACCEL_REASON_OTHER &&
		      (int)RTE_PMD_ACCEL_REASON_DUMMY == (int)ACCEL_HW_DUMMY &&
		      (int)RTE_PMD_ACCEL_REASON_OTHER == (int)ACCEL_HW_DUMMY + 1,
	      "the numbers are the card's");


/* The next functions make shapes and commands. */

/*
 * Completes a shape. A generated MAC-I or CRC is a part of the destination, so there is no output
 * at all if the destination is empty (manual 8.5).
 */
static void
shape_finish(struct accel_shape *shape)
{
	if (shape->dst_len == 0)
		shape->flags |= ACCEL_HW_CMD_NO_RX;
}

bool
accel_protocol_shape_pdcp(const struct accel_session *sess, uint32_t len, struct accel_shape *shape)
{
	*shape = (struct accel_shape){
		.src_len = len,
		.dst_len = (uint64_t)len + (sess->generate ? sess->digest_len : 0),
		.cipher_len = len,
	};
	if (sess->verify)
		shape->dst_len -= RTE_MIN(len, sess->digest_len);
	shape_finish(shape);
	return !sess->verify || len >= sess->digest_len;
}

void
accel_protocol_shape_docsis(struct accel_regions regions, struct accel_shape *shape)
{
	if (regions.cipher_len == 0)
		regions.cipher_off = regions.auth_off;
	if (regions.auth_len == 0)
		regions.auth_off = regions.cipher_off;
	accel_shape_chain(&regions, shape);
	if (regions.auth_len != 0) {
		const uint64_t crc_end =
			(uint64_t)regions.auth_off + regions.auth_len + ACCEL_HW_CRC_LEN;

		shape->src_len = RTE_MAX(shape->src_len, crc_end - shape->src_off);
	}
	accel_shape_whole(shape);
	shape_finish(shape);
}

void
accel_protocol_put_hfn(struct accel_hw_command *cmd, const void *from)
{
	uint32_t hfn;

	memcpy(&hfn, from, sizeof(hfn));
	hfn = rte_cpu_to_le_32(hfn);
	memcpy(cmd->iv, &hfn, sizeof(hfn));
}

/* The next functions find the place of a result. */

static uint32_t
extra_padding(const struct rte_crypto_op *op, const struct accel_session *sess)
{
	return (sess->rules & ACCEL_SESSION_PADS) != 0 ? op->aux_flags * PADDING_UNIT : 0;
}

/*
 * Returns the most bytes by which a result grows beyond what its session says. Only a record of TLS
 * does. The number need not be exact, since the card writes no more than it needs.
 */
static uint32_t
growth_of(const struct rte_crypto_op *op, const struct accel_session *sess)
{
	const uint32_t extra = extra_padding(op, sess);
	const uint32_t len = op->sym->m_src->pkt_len;
	uint32_t least;

	if (sess->kind != ACCEL_HW_KIND_TLS13)
		return RTE_ALIGN_MUL_CEIL(extra, BLOCK_MAX);
	least = accel_tls_payload_min(sess);
	least = least > len ? least - len : 0;
	return RTE_MAX(extra, least);
}

bool
accel_protocol_place(const struct rte_crypto_op *op, const struct accel_session *sess,
		     struct accel_result *result)
{
	const struct rte_crypto_sym_op *sym = op->sym;
	const bool oop = accel_is_oop(sym);
	const bool overlap = (sess->rules & ACCEL_SESSION_OVERLAP) != 0;
	const bool varies = (sess->rules & ACCEL_SESSION_HEAD_VARIES) != 0;
	struct rte_mbuf *first = &result->first;
	uint64_t room;

	*first = *(oop ? sym->m_dst : sym->m_src);
	result->len = sym->m_src->pkt_len + sess->growth + growth_of(op, sess);
	if (sess->generate && !oop) {
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

uint32_t
accel_protocol_skip(const struct rte_crypto_op *op, const struct accel_session *sess, bool oop)
{
	if (accel_is_ipsec(sess->kind))
		return accel_ipsec_skip(op->sym->m_src, sess->generate, oop);
	if (!sess->generate)
		return oop ? 0 : ACCEL_HW_TLS_CMD_KEEP_PLACE;
	return accel_op_content_type(op) |
	       extra_padding(op, sess) << ACCEL_HW_TLS_CMD_PADDING_SHIFT;
}

/* The next functions end operations. */

/*
 * Sets the length of a result without a place of its own. A segment has room for its data_len
 * bytes. The last segment has room up to the end of its buffer. Enqueue counts the room in this
 * way, too.
 */
static bool
set_length(const struct rte_crypto_sym_op *sym, uint32_t produced)
{
	struct rte_mbuf *const dst = sym->m_dst != NULL ? sym->m_dst : sym->m_src;

	if (dst == NULL) /* the application cleared it while the operation was in flight */
		return false;
	if (produced > accel_chain_capacity(dst))
		return false;
	accel_chain_set_length(dst, 0, produced);
	return true;
}

/*
 * Sets offsets and lengths of an operation's mbufs. Bytes of the frame before the output, `off`,
 * count only in place and inbound. Returns the first mbuf. Returns NULL, with nothing changed, if
 * the frame does not hold off and produced bytes.
 */
static struct rte_mbuf *
set_place(const struct rte_crypto_op *op, const struct accel_session *sess, uint32_t off,
	  uint32_t produced)
{
	const struct rte_crypto_sym_op *sym = op->sym;
	const bool oop = accel_is_oop(sym);
	struct rte_mbuf *m = oop ? sym->m_dst : sym->m_src;
	struct accel_result result;

	/* The application may have cleared m_src while the operation was in flight. */
	if (sym->m_src == NULL || !accel_protocol_place(op, sess, &result))
		return NULL;
	if (sess->generate || oop) /* the output begins with the frame (IPS-5, IPS-6) */
		off = 0;
	if (produced > result.len || off > result.len - produced)
		return NULL;
	m->data_off = result.first.data_off;
	m->data_len = result.first.data_len;
	accel_chain_set_length(m, off, produced);
	return m;
}

static bool
ipsec_done(struct rte_crypto_op *op, const struct accel_session *sess,
	   const struct accel_answer *answer)
{
	struct rte_mbuf *m = set_place(op, sess, answer->info & ACCEL_HW_IPSEC_INFO_OFFSET,
				       answer->produced);

	if (m == NULL)
		return false;
	if (sess->generate)
		m->ol_flags &= ~ACCEL_IPSEC_TX_INNER;
	else
		accel_ipsec_set_checksums(m, answer->info);
	op->aux_flags = accel_ipsec_aux_flags(answer->info);
	return true;
}

bool
accel_protocol_done(struct rte_crypto_op *op, const struct accel_session *sess,
		    const struct accel_answer *answer)
{
	const uint16_t info = answer->info;

	if (sess == NULL || !accel_is_placed(sess->kind))
		return set_length(op->sym, answer->produced);
	if (accel_is_ipsec(sess->kind))
		return ipsec_done(op, sess, answer);
	if (set_place(op, sess, (info & ACCEL_HW_TLS_INFO_OFFSET) >> ACCEL_HW_TLS_INFO_OFFSET_SHIFT,
		      answer->produced) == NULL)
		return false;
	if (!sess->generate)
		accel_op_set_content_type(op, info & ACCEL_HW_TLS_INFO_TYPE);
	op->aux_flags = (info & ACCEL_HW_TLS_INFO_SOFT) != 0 ?
				RTE_CRYPTO_OP_AUX_FLAGS_IPSEC_SOFT_EXPIRY : 0;
	return true;
}

void
accel_protocol_failed(struct rte_crypto_op *op, uint16_t status)
{
	op->aux_flags = (uint8_t)(RTE_MIN(status, RTE_PMD_ACCEL_REASON_OTHER) << REASON_SHIFT);
	op->status = (uint8_t)accel_op_status(ACCEL_STATUS_PROTOCOL, status);
}
