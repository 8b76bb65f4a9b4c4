/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sorts operations without a symmetric session. See accel_sort.h.
 */
#include "accel_security.h"
#include "accel_sort.h"

static struct accel_sorted
sort_protocol(const struct rte_crypto_op *op)
{
	const struct accel_session *sess = accel_protocol_of(op->sym->session);

	if (unlikely(sess == NULL))
		return accel_sorted_as(ACCEL_WAY_BAD_SESSION, NULL);
	if (unlikely(op->sym->m_src == NULL))
		return accel_sorted_as(ACCEL_WAY_NO_SOURCE, NULL);
	if (likely(accel_is_fast_sa(sess)))
		return accel_sorted_as(ACCEL_WAY_IPSEC, sess);
	return accel_sorted_as(ACCEL_WAY_PROTOCOL, sess);
}

struct accel_sorted
accel_sort_other(const struct accel_qp *qp, const struct rte_crypto_op *op)
{
	const uint64_t flags = qp->dev->active_flags;

	if (likely(op->type == RTE_CRYPTO_OP_TYPE_SYMMETRIC)) {
		if (likely(op->sess_type == RTE_CRYPTO_OP_SECURITY_SESSION) &&
		    (flags & RTE_CRYPTODEV_FF_SECURITY) != 0)
			return sort_protocol(op);
		if (op->sess_type == RTE_CRYPTO_OP_SESSIONLESS && op->sym->m_src != NULL &&
		    (flags & RTE_CRYPTODEV_FF_SYM_SESSIONLESS) != 0)
			return accel_sorted_as(ACCEL_WAY_SESSIONLESS, NULL);
	} else if (op->type == RTE_CRYPTO_OP_TYPE_ASYMMETRIC && qp->asym != NULL) {
		return accel_sorted_as(ACCEL_WAY_ASYMMETRIC, NULL);
	} else if (accel_goes_to_companion(qp, op)) {
		return accel_sorted_as(ACCEL_WAY_COMPANION, NULL);
	}
	return accel_sorted_as(ACCEL_WAY_BAD_TYPE, NULL);
}
