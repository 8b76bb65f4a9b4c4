/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * IPsec sessions: from a rte_security configuration to an SA of the card (manual 8.6), a context
 * with a part that the card writes. accel_security.c calls this.
 */
#ifndef ACCEL_IPSEC_H
#define ACCEL_IPSEC_H

#include <assert.h>

#include <rte_cryptodev.h>
#include <rte_security.h>

#include "accel_devtree.h"
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

#define ACCEL_IPSEC_ALGS 18u
#define ACCEL_IPSEC_CAPS 8u /* one for each protocol, mode and direction */

/** Holds the capabilities of ESP and AH. It begins as zeros. */
struct accel_ipsec_caps {
	struct rte_cryptodev_capabilities esp[ACCEL_IPSEC_ALGS + 1];
	struct rte_cryptodev_capabilities ah[ACCEL_IPSEC_ALGS + 1];
};

/**
 * Make the capabilities that this driver and the device tree have in common.
 *
 * @param caps lives as long as @p list, which points to it.
 * @param list room for ACCEL_IPSEC_CAPS entries.
 * @return the number of entries.
 */
unsigned int accel_ipsec_caps_fill(const struct accel_devtree *dt, struct accel_ipsec_caps *caps,
				   struct rte_security_capability *list);

#endif /* ACCEL_IPSEC_H */
