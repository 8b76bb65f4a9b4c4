/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * IPsec sessions: from a rte_security configuration to an SA of the card (manual 8.6), a context
 * with a part that the card writes. accel_security.c calls this.
 */
#ifndef ACCEL_IPSEC_H
#define ACCEL_IPSEC_H

#include <assert.h>
#include <stdint.h>

#include <rte_security.h>

#include "accel_dev.h"
#include "accel_session.h"
#include "hw/accel_hw.h"

/*
 * The private part of a security session, of which the other protocols use only the base. The
 * context goes on behind the base's.
 */
struct accel_ipsec_session {
	struct accel_session base;
	struct accel_hw_ipsec ipsec;
	struct accel_hw_ipsec_state state;
};

static_assert(offsetof(struct accel_ipsec_session, ipsec) -
			      offsetof(struct accel_ipsec_session, base.context) ==
		      offsetof(struct accel_hw_ipsec_context, ipsec),
	      "manual 8.6");
static_assert(offsetof(struct accel_ipsec_session, state) -
			      offsetof(struct accel_ipsec_session, base.context) ==
		      offsetof(struct accel_hw_ipsec_context, state),
	      "manual 8.6");

/**
 * Make an IPsec session, without allocation, lock or wait.
 *
 * @param sess zeroed memory, whose IOVA is @p iova.
 * @return 0; -ENOTSUP for what the device does not offer; -EINVAL for parameters that contradict
 *   each other or that an algorithm does not have. A log line says which.
 */
int accel_ipsec_make(struct accel_dev *dev, const struct rte_security_session_conf *conf,
		     struct accel_ipsec_session *sess, rte_iova_t iova);

/**
 * Set sequence number and replay window of an SA anew. Its counters go on, and so does the IV,
 * which may never repeat. No operation may be outstanding.
 *
 * @return 0; -ENOTSUP if anything else changes; -EINVAL as accel_ipsec_make().
 */
int accel_ipsec_update(struct accel_dev *dev, const struct rte_security_session_conf *conf,
		       struct accel_ipsec_session *sess);

/** Get the counters of an SA, at any time. */
void accel_ipsec_stats(const struct accel_ipsec_session *sess,
		       struct rte_security_ipsec_stats *stats);

#endif /* ACCEL_IPSEC_H */
