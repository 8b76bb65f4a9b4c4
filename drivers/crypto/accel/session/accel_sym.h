/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Symmetric sessions: from the plan of a chain of transforms to a context (manual section 8) and a
 * command template.
 */
#ifndef ACCEL_SYM_H
#define ACCEL_SYM_H

#include <cryptodev_pmd.h>
#include <rte_crypto_sym.h>

#include "accel_session.h"

/**
 * Make a session of a chain of transforms, without allocation, lock or wait.
 *
 * @param sess zeroed memory, whose IOVA is @p iova.
 * @return 0; -ENOTSUP for what the device does not offer; -EINVAL for a wrong transform, or for a
 *   size of key, IV, digest or AAD that the algorithm does not have.
 */
int accel_session_make(struct accel_dev *dev, const struct rte_crypto_sym_xform *xform,
		       struct accel_session *sess, rte_iova_t iova);

/** Implements rte_cryptodev_ops.sym_session_get_size: returns the bytes of the private area. */
unsigned int accel_sym_session_get_size(struct rte_cryptodev *cryptodev);

/**
 * Implements rte_cryptodev_ops.sym_session_configure: calls accel_session_make() for the private
 * area.
 */
int accel_sym_session_configure(struct rte_cryptodev *cryptodev, struct rte_crypto_sym_xform *xform,
				struct rte_cryptodev_sym_session *session);

/** Implements rte_cryptodev_ops.sym_session_clear: calls accel_session_wipe(). */
void accel_sym_session_clear(struct rte_cryptodev *cryptodev,
			     struct rte_cryptodev_sym_session *session);

#endif /* ACCEL_SYM_H */
