/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * POLYVAL (RFC 8452, section 3), the hash in GF(2^128) of 3GPP's 256-bit algorithms. No
 * instruction, branch or address depends on a key or on data.
 */
#ifndef ACCEL_MODEL_POLYVAL_H
#define ACCEL_MODEL_POLYVAL_H

#include <stddef.h>
#include <stdint.h>

#define POLYVAL_BLOCK 16u
#define POLYVAL_POWERS 4u

struct polyval {
	uint64_t power[POLYVAL_POWERS][2]; /* of the key, from the first power on */
	uint64_t sum[2];
	unsigned int powers; /* how many are computed */
};

/** Set the key of the next blocks. The sum stays; a new struct of zeros has none. */
void polyval_key(struct polyval *p, const uint8_t *key);

/** Add data. Zeros fill its last block. */
void polyval_add(struct polyval *p, const uint8_t *in, size_t len);

void polyval_sum(const struct polyval *p, uint8_t *sum);

#endif /* ACCEL_MODEL_POLYVAL_H */
