/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * RSA paddings (RFC 8017): PKCS#1 v1.5, OAEP and PSS, on encoded messages of rsa->len bytes. The
 * functions take padding, hashes and operands of a job's command, which pk_check() has passed.
 */
#ifndef ACCEL_MODEL_PK_RSA_PADDING_H
#define ACCEL_MODEL_PK_RSA_PADDING_H

/* This header comes first, because it says which of OpenSSL's functions are declared. */
#include "pk_modular/pk_rsa_key.h"

#include "pk/pk_hash.h"

/** Check that the length of the message (operand 0) fits. @return OK or BAD_OPERAND. */
uint16_t pk_rsa_pad_possible(const struct pk_job *job, const struct pk_rsa *rsa);

/**
 * Pad the message, for SIGN and ENCRYPT.
 *
 * @return OK, BAD_OPERAND, NO_ENTROPY or ENGINE_ERROR.
 */
uint16_t pk_rsa_pad(const struct pk_job *job, const struct pk_rsa *rsa, uint8_t *em);

/**
 * Take the message out of its padding, for DECRYPT, in constant time. At most rsa->len bytes are
 * written to job->out.
 *
 * @return the length of the message, or -1 if the padding is wrong.
 */
int pk_rsa_unpad(const struct pk_job *job, const struct pk_rsa *rsa, const uint8_t *em);

/** True if an encoded message is that of operand 0, for VERIFY. */
bool pk_rsa_pad_matches(const struct pk_job *job, const struct pk_rsa *rsa, const uint8_t *em);

#endif /* ACCEL_MODEL_PK_RSA_PADDING_H */
