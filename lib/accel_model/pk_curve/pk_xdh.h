/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The operations of ECDH on X25519 and X448 (RFC 7748). Private numbers and points are strings of
 * bytes.
 */
#ifndef ACCEL_MODEL_PK_XDH_H
#define ACCEL_MODEL_PK_XDH_H

#include "pk/pk_alg.h"

/** True if the number is that of X25519 or X448, and the library has this curve. */
bool pk_xdh_has(unsigned int curve);
/** Return the bytes of private numbers and points: 32 or 56. */
uint32_t pk_xdh_len(unsigned int curve);

/* Make and free a key, as struct pk_alg says. */
struct pk_key *pk_xdh_key_new(const struct accel_hw_pk_context *header,
			      const struct pk_bytes *components, uint16_t *status);
void pk_xdh_key_free(struct pk_key *key);

/* Run an operation, as pk_operation.run says. @p d is the number of the operand that is a private
 * number, and @p x the number of the operand that is the peer's point. */
uint16_t pk_xdh_generate(struct pk_job *job);
uint16_t pk_xdh_public(struct pk_job *job, unsigned int d);
uint16_t pk_xdh_shared(struct pk_job *job, unsigned int d, unsigned int x);
uint16_t pk_xdh_check(struct pk_job *job, unsigned int x);

#endif /* ACCEL_MODEL_PK_XDH_H */
