/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * RSA signatures for accel_notify.c: keys from files, a session for each, and operations that sign.
 */
#ifndef NOTIFY_RSA_H
#define NOTIFY_RSA_H

#include <rte_cryptodev.h>

#define NOTIFY_RSA_BYTES 1024u /* the longest modulus */
#define NOTIFY_RSA_OPS 128u

/**
 * Makes a session with the key in FOLDER/rsa-BITS.pem, and operations that sign with it.
 *
 * @param bytes of the modulus
 * @return 0 or -errno, after a message. notify_rsa_free() frees, also after an error.
 */
int notify_rsa_make(uint8_t dev_id, const char *folder, unsigned int bytes,
		    struct rte_crypto_op **ops, unsigned int nb);

/** Compares each signature with the library's. @return 0, or -EIO after a message. */
int notify_rsa_check(unsigned int nb);

void notify_rsa_free(uint8_t dev_id, struct rte_crypto_op **ops, unsigned int nb);

#endif /* NOTIFY_RSA_H */
