/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Padding and MAC of received CBC records (manual 8.7, TLS-16). Both are checked without a branch
 * or an address that depends on the deciphered bytes, and as many blocks are hashed for every
 * padding, since a difference in time would decipher records (RFC 5246, 6.2.3.2; Lucky Thirteen).
 * OpenSSL's HMAC does the same for its own TLS.
 */
#ifndef ACCEL_MODEL_TLS_MAC_H
#define ACCEL_MODEL_TLS_MAC_H

#include <stdbool.h>
#include <stdint.h>

#include "accel_hw.h"
#include "state/tls_record.h"

struct tls_mac;

/** Make the key of a checked context ready. @return NULL if OpenSSL refuses or memory is short. */
struct tls_mac *tls_mac_new(const struct accel_hw_context *common);
/** Wipe and free. NULL is allowed. */
void tls_mac_free(struct tls_mac *mac);

/**
 * Check the padding, remove it, and check the MAC of a deciphered record.
 *
 * @param text deciphered bytes: content, MAC, padding.
 * @param len bytes, a multiple of the block, and at least MAC and one byte of padding.
 * @param content receives the bytes of the content. It has no meaning unless the status is OK.
 * @return OK, AUTH_FAILED for a wrong padding or MAC, or ENGINE_ERROR.
 */
uint16_t tls_mac_open(const struct tls_mac *mac, const struct tls *tls,
		      const struct tls_header *header, const uint8_t *text, uint32_t len,
		      uint32_t *content);

#endif /* ACCEL_MODEL_TLS_MAC_H */
