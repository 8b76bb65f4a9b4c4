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
 * The value of accel_session.owner in security sessions of this driver, for all its devices in all
 * processes. The library has no field that says whose session it is. The word is no address, and no
 * other driver's session has it in this place. A symmetric session has another one, so the driver
 * cannot take one kind for the other. The last byte is the kind in the fast path, as in
 * accel_session_owner(): the raw data path has none for these sessions.
 */
#define ACCEL_PROTOCOL_OWNER UINT64_C(0x9b1e64d2f07ac800)

/** Return the driver's part of a security session. The session must be of this driver. */
static inline const struct accel_session *
accel_protocol_session(const void *session)
{
	const struct rte_security_session *s = session;

	return (const struct accel_session *)s->driver_priv_data;
}

/**
 * Return the driver's part of a security session. Return NULL if there is no session, if another
 * driver made it, or if it was destroyed. The owner can be read as in a symmetric session
 * (accel_own_session()), and nothing of the library's part is read.
 */
static inline const struct accel_session *
accel_protocol_of(const void *session)
{
	if (unlikely(session == NULL ||
		     accel_protocol_session(session)->owner != ACCEL_PROTOCOL_OWNER))
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
