/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The key stream of SNOW 5G (TS 35.240). No instruction, branch or address depends on a key or on
 * data.
 */
#ifndef ACCEL_MODEL_SNOW5G_H
#define ACCEL_MODEL_SNOW5G_H

#include <stdint.h>

#define SNOW5G_KEY 32u
#define SNOW5G_IV 16u
#define SNOW5G_BLOCK 16u /* bytes of each step */

typedef uint16_t snow5g_words __attribute__((vector_size(16)));
typedef uint8_t snow5g_bytes __attribute__((vector_size(16)));

struct snow5g {
	/* Two LFSRs of 16 words each, the older half of the words first. */
	snow5g_words a[2];
	snow5g_words b[2];
	snow5g_bytes r[3]; /* R1, R2, R3 of the FSM */
};

void snow5g_start(struct snow5g *s, const uint8_t *key, const uint8_t *iv);

/** Add the next bytes of the key stream. @param out may be @p in. @param len a multiple of
 * SNOW5G_BLOCK, but for the last call. */
void snow5g_xor(struct snow5g *s, const uint8_t *in, uint8_t *out, uint32_t len);

#endif /* ACCEL_MODEL_SNOW5G_H */
