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

#include "accel_plan.h"
#include "accel_session.h"
#include "hw/accel_hw.h"

/*
 * Holds the private part of a security session. DOCSIS and PDCP use only the base. The context
 * begins in the base and goes on after it.
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
 * Says how sessions of IPsec are made. An update sets sequence number and replay window anew. The
 * counters of the SA go on. The IV goes on, too, since it may never repeat.
 */
extern const struct accel_protocol_sessions accel_ipsec_sessions;

/** Get the counters of an SA, at any time. */
void accel_ipsec_stats(const struct accel_ipsec_session *sess,
		       struct rte_security_ipsec_stats *stats);

#endif /* ACCEL_IPSEC_H */
