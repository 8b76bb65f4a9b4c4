/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Digests that an application has put into a DigestInfo (RFC 8017, 9.2) by itself. The card does
 * that when it is told the hash, so such a message has to go to it without.
 */
#ifndef ACCEL_DIGEST_INFO_H
#define ACCEL_DIGEST_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Is a message the whole DigestInfo of a digest of this hash, in DER and with the parameters NULL?
 * No digest of the hash can be mistaken for one: it is shorter.
 *
 * @param hash the number of manual 8.2.
 * @param message the message; not read if its length differs, so it may be NULL with length 0.
 * @param length its bytes.
 * @return false also for a hash that has no DigestInfo.
 */
bool accel_is_digest_info(unsigned int hash, const uint8_t *message, size_t length);

#endif /* ACCEL_DIGEST_INFO_H */
