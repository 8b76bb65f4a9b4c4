/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * rte_security: the protocols that the card carries out as a whole, DOCSIS, PDCP (manual 8.5),
 * IPsec (8.6) and TLS records (8.7). Their operations are in accel_protocol.c and accel_ipsec_op.c.
 */
#ifndef ACCEL_SECURITY_H
#define ACCEL_SECURITY_H

#include <cryptodev_pmd.h>
#include <rte_branch_prediction.h>
#include <rte_security_driver.h>

#include "accel_devtree.h"
#include "accel_session.h"
#include "accel_transport.h"

struct accel_security_caps;

/**
 * Return the value of fast_mdata in this driver's security sessions. It identifies the driver, for
 * which a security session has no field. All devices of the driver have the same value, since
 * crypto_scheduler makes one session for all its workers of a driver.
 *
 * The driver cannot take a security session for a symmetric session, because accel_session.owner of
 * a security session is 0. It cannot take a symmetric session for a security session either: a
 * symmetric session has the number of the driver where the upper bytes of this value are ones.
 */
static inline uint64_t
accel_protocol_mark(void)
{
	return ~(uint64_t)accel_driver_id;
}

/** Return the driver's part of a security session. The session must be of this driver. */
static inline const struct accel_session *
accel_protocol_session(const void *session)
{
	const struct rte_security_session *s = session;

	return (const struct accel_session *)s->driver_priv_data;
}

/** Return the driver's part of a security session, or NULL if another driver made the session. */
static inline const struct accel_session *
accel_protocol_of(const void *session)
{
	const struct rte_security_session *s = session;

	if (unlikely(s == NULL || s->fast_mdata != accel_protocol_mark()))
		return NULL;
	return accel_protocol_session(session);
}

/**
 * Make the security capabilities that this driver and the device tree have in common.
 *
 * @param caps receives NULL if there are none.
 * @return 0 or -ENOMEM.
 */
int accel_security_caps_create(const struct accel_devtree *dt, struct accel_security_caps **caps);

/**
 * Give a device its security context (rte_security_ctx), if it has security capabilities. Each
 * process needs a security context of its own, since that holds function pointers.
 *
 * @return 0 or -ENOMEM.
 */
int accel_security_attach(struct rte_cryptodev *cryptodev);

/** Free the security context. */
void accel_security_detach(struct rte_cryptodev *cryptodev);

#endif /* ACCEL_SECURITY_H */
