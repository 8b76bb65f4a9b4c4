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

#include "accel_devtree.h"

struct accel_security_caps;

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
