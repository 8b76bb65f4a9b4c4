/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * What tests of asymmetric operations have to know of DPDK's version and the driver's sessions.
 */
#ifndef UNIT_ASYM_VERSION_H
#define UNIT_ASYM_VERSION_H

#include "accel_asym_session.h"
#include "accel_compat.h"
#include "../../../lib/e2e/asym_version.h"

/** The padding that an operation of an RSA session is carried out with. */
static inline struct rte_crypto_rsa_padding *
padding_of(struct rte_crypto_op *op, struct accel_asym_session *of)
{
	return accel_rsa_padding(op, &of->padding);
}

#endif /* UNIT_ASYM_VERSION_H */
