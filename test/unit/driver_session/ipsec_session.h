/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A device with IPsec in plain memory, and configurations of SAs, for tests without a device.
 */
#ifndef UNIT_IPSEC_SESSION_H
#define UNIT_IPSEC_SESSION_H

#include "accel_ipsec.h"
#include "driver_base/security_dev.h"

#define IV_OFFSET 88u /* of an operation in test_ipsec_op.c */

extern uint8_t auth_key[64];

/* What one configuration points to. */
struct conf {
	struct rte_security_session_conf c;
	struct rte_crypto_sym_xform x, y;
};

static inline struct accel_ipsec_session *
sa(void)
{
	return SECURITY_GET_SESS_PRIV(session());
}

#define RANGE(min, max, step) { (min), (max), (step) }
#define ALG(class, block, key, iv, digest) { ACCEL_ALG_##class, block, key, iv, digest }

int setup_device(void);

/* Makes a configuration of ESP in a tunnel of IPv4, with AES-GCM. */
void conf_gcm(struct conf *f, bool outbound);

/* Replaces the AEAD by AES-CBC and SHA1-HMAC. */
void conf_chain(struct conf *f);

/* Makes it AH with the authentication of conf_chain(). */
void conf_ah(struct conf *f);

static inline int
create(struct conf *f)
{
	return create_session(&f->c);
}

#endif /* UNIT_IPSEC_SESSION_H */
