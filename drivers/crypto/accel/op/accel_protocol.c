/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles operations with a security session. See accel_protocol.h.
 */
#include <string.h>

#include <rte_mbuf.h>

#include "accel_command.h"
#include "accel_protocol.h"
#include "accel_queue.h"
#include "accel_segments.h"
#include "accel_session.h"
#include "accel_shape.h"
#include "accel_tls.h"

uintptr_t
accel_protocol_kind(const struct accel_session *sess)
{
	const bool grows = sess->kind == ACCEL_HW_KIND_PDCP || accel_is_ipsec(sess->kind) ||
			   accel_is_tls(sess->kind);

	return grows ? ACCEL_OP_PROTOCOL : ACCEL_OP_PLAIN;
}

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

bool
accel_protocol_done(struct rte_crypto_op *op, uint32_t produced)
{
	struct rte_mbuf *const dst = op->sym->m_dst != NULL ? op->sym->m_dst : op->sym->m_src;

	if (dst == NULL) /* the application cleared it while the operation was in flight */
		return false;
	if (produced > accel_chain_capacity(dst))
		return false;
	accel_chain_set_length(dst, 0, produced);
	return true;
}

#define PADDING_UNIT 8u /* bytes for each 1 in rte_crypto_op.aux_flags */
#define BLOCK_MAX 16u

static uint32_t
extra_padding(const struct rte_crypto_op *op, const struct accel_session *sess)
{
	return (sess->rules & ACCEL_SESSION_PADS) != 0 ? op->aux_flags * PADDING_UNIT : 0;
}

/*
 * Returns the most bytes by which a record grows beyond what its session says. The number need not
 * be exact, since the card writes no more than it needs.
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
accel_tls_place(const struct rte_crypto_op *op, const struct accel_session *sess,
		struct accel_ipsec_result *result)
{
	return accel_ipsec_place_with(op->sym, sess, growth_of(op, sess), result);
}

uint32_t
accel_tls_skip(const struct rte_crypto_op *op, const struct accel_session *sess, bool oop)
{
	if (!sess->generate)
		return oop ? 0 : ACCEL_HW_TLS_CMD_KEEP_PLACE;
	return accel_op_content_type(op) |
	       extra_padding(op, sess) << ACCEL_HW_TLS_CMD_PADDING_SHIFT;
}

bool
accel_tls_done(struct rte_crypto_op *op, const struct accel_session *sess,
	       const struct accel_answer *answer)
{
	const uint32_t off = (answer->info & ACCEL_HW_TLS_INFO_OFFSET) >>
			     ACCEL_HW_TLS_INFO_OFFSET_SHIFT;
	struct accel_ipsec_result result;

	/* The application may have cleared m_src while the operation was in flight. */
	if (op->sym->m_src == NULL || !accel_tls_place(op, sess, &result) ||
	    accel_ipsec_set_lengths(op->sym, sess, &result, off, answer->produced) == NULL)
		return false;
	if (!sess->generate)
		accel_op_set_content_type(op, answer->info & ACCEL_HW_TLS_INFO_TYPE);
	op->aux_flags = (answer->info & ACCEL_HW_TLS_INFO_SOFT) != 0 ?
				RTE_CRYPTO_OP_AUX_FLAGS_IPSEC_SOFT_EXPIRY : 0;
	return true;
}
