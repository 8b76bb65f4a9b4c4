/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Finds the keys of ECDSA and the padding of RSA. DPDK has them in the transform since 24.11, and
 * in each operation before.
 */
#ifndef ASYM_VERSION_H
#define ASYM_VERSION_H

#include <rte_crypto.h>
#include <rte_version.h>

#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
#define KEYS_IN_OPERATION 0
#else
#define KEYS_IN_OPERATION 1
#endif

/** Return the padding of an operation or of its transform. */
static inline struct rte_crypto_rsa_padding *
asym_padding(struct rte_crypto_asym_op *op, struct rte_crypto_asym_xform *xform)
{
#if KEYS_IN_OPERATION
	(void)xform;
	return &op->rsa.padding;
#else
	(void)op;
	return &xform->rsa.padding;
#endif
}

/** Set a key of ECDSA in @p op or @p xform, whichever has a place for it. Either may be NULL. If
 * the one with the place is NULL, nothing is set. */
static inline void
asym_set_ecdsa_key(struct rte_crypto_asym_op *op, struct rte_crypto_asym_xform *xform,
		   rte_crypto_param d, rte_crypto_param x, rte_crypto_param y)
{
#if KEYS_IN_OPERATION
	(void)xform;
	if (op == NULL)
		return;
	op->ecdsa.pkey = d;
	op->ecdsa.q.x = x;
	op->ecdsa.q.y = y;
#else
	(void)op;
	if (xform == NULL)
		return;
	xform->ec.pkey = d;
	xform->ec.q.x = x;
	xform->ec.q.y = y;
#endif
}

#endif /* ASYM_VERSION_H */
