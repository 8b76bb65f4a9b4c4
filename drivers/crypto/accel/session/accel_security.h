/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * rte_security: the protocols that the card carries out as a whole, DOCSIS, PDCP (manual 8.5),
 * IPsec (8.6) and TLS records (8.7). Their operations are in accel_protocol.c, accel_ipsec_op.c and
 * accel_tls_op.c.
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
 * The value of fast_mdata in this driver's security sessions, which have no field for the driver.
 * It is the same for all devices of the driver, since crypto_scheduler makes one session for all
 * its workers of a driver.
 *
 * No security session is taken for a symmetric one, because its accel_session.owner is 0. No
 * symmetric session is taken for a security session, because the library has the number of the
 * driver where the upper bytes here are ones.
 */
static inline uint64_t
accel_protocol_mark(void)
{
	return ~(uint64_t)accel_driver_id;
}

/** The driver's part of a security session that it made. */
static inline const struct accel_session *
accel_protocol_session(const void *session)
{
	const struct rte_security_session *s = session;

	return (const struct accel_session *)s->driver_priv_data;
}

/** The driver's part of a security session; NULL if another driver made it. */
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
 * Give a device its security context, if it has security capabilities. Each process needs one,
 * since it holds function pointers. Returns 0 or -ENOMEM.
 */
int accel_security_attach(struct rte_cryptodev *cryptodev);

/** Free the security context. */
void accel_security_detach(struct rte_cryptodev *cryptodev);

#endif /* ACCEL_SECURITY_H */
