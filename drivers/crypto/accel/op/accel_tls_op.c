/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Handles operations on TLS records. See accel_tls_op.h.
 */
#include "accel_tls.h"
#include "accel_tls_op.h"

#define PADDING_UNIT 8u /* bytes for each 1 in rte_crypto_op.aux_flags */
#define BLOCK_MAX 16u

/* Returns the bytes of extra padding that an operation asks for. */
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
