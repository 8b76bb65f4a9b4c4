/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * SHA-1 and SHA-2 of several messages side by side in vectors of AVX-512, of any length (FIPS
 * 180-4), and their HMAC (RFC 2104). IPsec-MB counts the bytes of a message in 16 bits and cannot
 * go on with a hash that it has begun, so this is for what is longer.
 */
#ifndef ACCEL_MODEL_HASH_LANES_H
#define ACCEL_MODEL_HASH_LANES_H

#include <stdbool.h>
#include <stdint.h>

#define HASH_LANES 16u /* the most that any hash has */
#define HASH_STATE_MAX 64u

enum hash_lanes_kind {
	HASH_LANES_SHA1,
	HASH_LANES_SHA224,
	HASH_LANES_SHA256,
	HASH_LANES_SHA384,
	HASH_LANES_SHA512,
	HASH_LANES_KINDS
};

struct hash_lane {
	const uint8_t *msg;
	uint64_t len; /* bytes */
	/* HMAC: states after the blocks of key xor pad, of words in the order of the CPU; else
	 * NULL */
	const uint8_t *ipad;
	const uint8_t *opad;
	uint8_t digest[HASH_STATE_MAX];
};

/** True if this CPU has the vectors. */
bool hash_lanes_available(void);

/** Return how many messages of a hash fit side by side. */
unsigned int hash_lanes_width(enum hash_lanes_kind kind);

/** Hash messages.
 * @param nb at most as many as fit */
void hash_lanes_run(enum hash_lanes_kind kind, struct hash_lane *lane, unsigned int nb);

#endif /* ACCEL_MODEL_HASH_LANES_H */
