/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Unpredictable IVs for CBC ciphers (manual 8.6, IPS-14; 8.7, TLS-14). Each worker takes them from
 * a buffer of its own, because a call of the generator takes longer than a short packet. Nobody
 * else may know an IV before it is in a packet, so an IV is wiped from the buffer when it is taken.
 * In a packet it is no secret.
 */
#ifndef ACCEL_MODEL_IV_RANDOM_H
#define ACCEL_MODEL_IV_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#define IV_RANDOM_BYTES 4096u /* a call of the generator takes as long as hundreds of IVs */

struct iv_random {
	uint8_t bytes[IV_RANDOM_BYTES];
	uint32_t left;
};

/** Take bytes, at most 16. false: the generator failed. */
bool iv_random_take(struct iv_random *random, uint8_t *to, uint32_t len);
void iv_random_wipe(struct iv_random *random);

#endif /* ACCEL_MODEL_IV_RANDOM_H */
