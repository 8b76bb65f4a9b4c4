/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Encoded messages of RSA encryption for tests, as RFC 8017 writes them, right or with faults.
 */
#ifndef UNIT_PK_ENCODE_H
#define UNIT_PK_ENCODE_H

#include <string.h>

#include <openssl/evp.h>

#include "base/random.h"

#define ENCODE_MAX 1024u /* bytes of an encoded message */
#define ENCODE_HASH 32u /* OAEP: SHA-256 */

/* RFC 8017, 7.2.1: 00 02, bytes that are not 0, 00, message */
void encode_pkcs1(uint8_t *em, uint32_t em_len, const uint8_t *message, uint32_t len);

/* DB: hash of the empty label, zeros, 01, a message that is drawn */
void encode_oaep_db(uint8_t *db, uint32_t em_len, uint32_t message_len);

/* RFC 8017, 7.1.1, of a first byte and a DB */
void encode_oaep(uint8_t *em, uint32_t em_len, uint8_t first, const uint8_t *db);

#endif /* UNIT_PK_ENCODE_H */
