/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sessions of TLS records: from a rte_security configuration to a context of the card with a part
 * that the card writes (manual 8.7). accel_security.c calls this. With DPDK before 24.11 there are
 * no configurations of TLS, and no capabilities.
 */
#ifndef ACCEL_TLS_H
#define ACCEL_TLS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_security.h>

#include "accel_ipsec.h"
#include "accel_plan.h"
#include "accel_session.h"
#include "hw/accel_hw.h"

#define ACCEL_TLS_ALGS 9u
#define ACCEL_TLS_CAPS 6u /* one for each version and direction */

/* Holds the private part of a session. The context begins in the base and goes on after it. */
struct accel_tls_session {
	struct accel_session base;
	struct accel_hw_tls tls;
	struct accel_hw_tls_state state;
};

static_assert(offsetof(struct accel_tls_session, tls) -
			      offsetof(struct accel_tls_session, base.context) ==
		      offsetof(struct accel_hw_tls_context, tls),
	      "manual 8.7");
static_assert(sizeof(struct accel_tls_session) == sizeof(struct accel_ipsec_session),
	      "the library has one size for the sessions of all protocols");

/** Return the least number of bytes that content and padding of a record have together. */
static inline uint32_t
accel_tls_payload_min(const struct accel_session *sess)
{
	return rte_le_to_cpu_32(((const struct accel_tls_session *)sess)->tls.payload_min);
}

/** Holds the capabilities, one list for each version and direction. It begins as zeros. */
struct accel_tls_caps {
	struct rte_cryptodev_capabilities algs[ACCEL_TLS_CAPS][ACCEL_TLS_ALGS + 1];
};

/**
 * Make the capabilities that this driver and the device tree have in common.
 *
 * @param caps lives as long as @p list, which points to it.
 * @param list room for ACCEL_TLS_CAPS entries.
 * @return the number of entries.
 */
unsigned int accel_tls_caps_fill(const struct accel_devtree *dt, struct accel_tls_caps *caps,
				 struct rte_security_capability *list);

/** True if a configuration is for TLS records. */
bool accel_tls_is(const struct rte_security_session_conf *conf);

/** Says how sessions are made. An update sets sequence number and replay window anew. */
extern const struct accel_protocol_sessions accel_tls_sessions;

#endif /* ACCEL_TLS_H */
