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
