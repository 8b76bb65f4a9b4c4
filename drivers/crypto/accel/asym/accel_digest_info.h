/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Recognises digests that an application has put into a DigestInfo (RFC 8017, 9.2) by itself. The
 * card makes a DigestInfo when the command has a hash, so for these messages the command must have
 * none.
 */
#ifndef ACCEL_DIGEST_INFO_H
#define ACCEL_DIGEST_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * True if a message is the whole DigestInfo of a digest of this hash, in DER with parameters NULL.
 * A bare digest of the hash is shorter, so it cannot be mistaken for a DigestInfo.
 *
 * @param hash the number of manual 8.2.
 * @param message the message. It is not read if its length differs, so it may be NULL with length
 *   0.
 * @param length the bytes of the message.
 * @return false also for a hash that has no DigestInfo.
 */
bool accel_is_digest_info(unsigned int hash, const uint8_t *message, size_t length);

#endif /* ACCEL_DIGEST_INFO_H */
