/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What tests of asymmetric operations have to know of DPDK's version: since 24.11 keys of elliptic
 * curves and the padding of RSA are in the transform, before they were in each operation.
 */
#ifndef TEST_ASYM_VERSION_H
#define TEST_ASYM_VERSION_H

#include <rte_version.h>

#include "accel_asym_session.h"
#include "accel_compat.h"

#if RTE_VERSION >= RTE_VERSION_NUM(24, 11, 0, 0)
#define KEYS_IN_OPERATION 0
#else
#define KEYS_IN_OPERATION 1
#endif

/** The padding that an operation of an RSA session is carried out with. */
static inline struct rte_crypto_rsa_padding *
padding_of(struct rte_crypto_op *op, struct accel_asym_session *of)
{
	return accel_rsa_padding(op, &of->padding);
}

#endif /* TEST_ASYM_VERSION_H */
