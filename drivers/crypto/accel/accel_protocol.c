/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations with a security session: see accel_protocol.h.
 */
#include <errno.h>
#include <string.h>

#include <rte_mbuf.h>
#include <rte_security_driver.h>

#include "accel_protocol.h"
#include "accel_shape.h"

static const char no_source[] = "operation without source mbuf";
static const char too_short[] = "region, CRC or MAC-I reaches beyond the mbuf's data";
static const char no_room[] = "no room for the MAC-I behind the last segment's data";

const struct accel_session *
accel_protocol_of(const void *session)
{
	const struct rte_security_session *s = session;

	if (s == NULL || s->fast_mdata != accel_protocol_mark())
		return NULL;
	return (const struct accel_session *)s->driver_priv_data;
}

uintptr_t
accel_protocol_flags(const struct accel_session *sess)
{
	return sess->kind == ACCEL_HW_KIND_PDCP ? ACCEL_OP_PROTOCOL : 0;
}

bool
accel_protocol_shape_pdcp(const struct accel_session *sess, uint32_t len,
			  struct accel_protocol_shape *shape)
{
	*shape = (struct accel_protocol_shape){
		.src_len = len,
		.dst_len = (uint64_t)len + (sess->generate ? sess->digest_len : 0),
		.cipher_len = len,
	};
	if (!sess->verify)
		return true;
	shape->dst_len -= RTE_MIN(len, sess->digest_len);
	return len >= sess->digest_len;
}

void
accel_protocol_shape_docsis(uint32_t c_off, uint32_t c_len, uint32_t a_off, uint32_t a_len,
			    struct accel_protocol_shape *shape)
{
	const uint32_t c = c_len != 0 ? c_off : a_off, a = a_len != 0 ? a_off : c;
	const bool auth_first = a < c;
	const uint32_t start = auth_first ? a : c;
	const uint64_t a_end = (uint64_t)a + a_len + (a_len != 0 ? ACCEL_HW_CRC_LEN : 0);
	const uint64_t end = RTE_MAX((uint64_t)c + c_len, a_end);

	*shape = (struct accel_protocol_shape){
		.off = start,
		.src_len = end - start,
		.dst_len = end - start,
		.skip = (auth_first ? c : a) - start,
		.cipher_len = c_len,
		.auth_len = a_len,
		.flags = ACCEL_HW_CMD_WHOLE | (auth_first ? ACCEL_HW_CMD_AUTH_FIRST : 0),
	};
}

void
accel_protocol_put_iv(struct accel_hw_command *cmd, const struct accel_session *sess,
		      const void *iv)
{
	uint32_t hfn;

	if (sess->iv_len == 0)
		return; /* the session's HFN came with its line */
	if (sess->kind != ACCEL_HW_KIND_PDCP) {
		memcpy(cmd->iv, iv, sess->iv_len);
		return;
	}
	memcpy(&hfn, iv, sizeof(hfn));
	hfn = rte_cpu_to_le_32(hfn);
	memcpy(cmd->iv, &hfn, sizeof(hfn));
}

/* Manual 7.1, 8.5: the session's line, with its HFN, then what depends on the operation. */
static void
put_command(struct accel_hw_command *cmd, const struct accel_session *sess,
	    struct rte_crypto_op *op, const struct accel_protocol_shape *shape, uint32_t tag)
{
	accel_begin_command(cmd, sess);
	cmd->tag = rte_cpu_to_le_32(tag);
	cmd->flags = shape->flags;
	cmd->skip = rte_cpu_to_le_32(shape->skip);
	cmd->cipher_len = rte_cpu_to_le_32(shape->cipher_len);
	cmd->auth_len = rte_cpu_to_le_32(shape->auth_len);
	accel_protocol_put_iv(cmd, sess,
			      rte_crypto_op_ctod_offset(op, const void *, sess->iv_offset));
}

static int
put_frames(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx,
	   const struct rte_crypto_sym_op *sym, const struct accel_session *sess,
	   struct accel_protocol_shape *shape, uint32_t slot, const char **reason)
{
	const struct rte_mbuf *dst = sym->m_dst != NULL ? sym->m_dst : sym->m_src;
	const bool grows = sess->kind == ACCEL_HW_KIND_PDCP;
	struct accel_frame frame;
	int ret;

	accel_frame_begin(&frame, tx, qp->max_fragments, qp->max_frame_bytes);
	accel_frame_command(&frame,
			    qp->commands_iova + (uint64_t)slot * sizeof(struct accel_hw_command));
	*reason = too_short;
	if (accel_frame_add_mbuf(&frame, sym->m_src, shape->off, shape->src_len, false) != 0)
		return -EINVAL;
	ret = accel_frame_end(&frame);
	if (ret != 0)
		return ret;
	if (shape->dst_len == 0) {
		shape->flags |= ACCEL_HW_CMD_NO_RX;
		return 0;
	}
	accel_frame_begin(&frame, rx, qp->max_fragments, qp->max_frame_bytes);
	*reason = grows ? no_room : too_short;
	if (accel_frame_add_mbuf(&frame, dst, shape->off, shape->dst_len, grows) != 0)
		return -EINVAL;
	return accel_frame_end(&frame);
}

int
accel_protocol_put(struct accel_qp *qp, struct accel_ring *tx, struct accel_ring *rx,
		   struct rte_crypto_op *op, const struct accel_session *sess, uint32_t tag,
		   const char **reason)
{
	const uint32_t slot = tag & qp->desc_mask;
	const struct rte_crypto_sym_op *sym = op->sym;
	struct accel_protocol_shape shape;
	int ret;

	*reason = no_source;
	if (sym->m_src == NULL)
		return -EINVAL;
	*reason = too_short;
	if (sess->kind != ACCEL_HW_KIND_PDCP)
		accel_protocol_shape_docsis(sym->cipher.data.offset, sym->cipher.data.length,
					    sym->auth.data.offset, sym->auth.data.length, &shape);
	else if (!accel_protocol_shape_pdcp(sess, sym->m_src->pkt_len, &shape))
		return -EINVAL;
	ret = put_frames(qp, tx, rx, sym, sess, &shape, slot, reason);
	if (ret == 0)
		put_command(&qp->commands[slot], sess, op, &shape, tag);
	return ret;
}

bool
accel_protocol_done(struct rte_crypto_op *op, uint32_t produced)
{
	struct rte_mbuf *const dst = op->sym->m_dst != NULL ? op->sym->m_dst : op->sym->m_src;
	struct rte_mbuf *m;
	uint64_t room = 0;

	if (dst == NULL) /* a hostile device made a refused operation look like this */
		return false;
	for (m = dst; m != NULL; m = m->next)
		room += accel_segment_bytes(m, true);
	if (produced > room)
		return false;
	dst->pkt_len = produced;
	for (m = dst; m != NULL; m = m->next) {
		m->data_len = (uint16_t)RTE_MIN(produced, accel_segment_bytes(m, true));
		produced -= m->data_len;
	}
	return true;
}
