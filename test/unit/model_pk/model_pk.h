/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Requests for public-key queue pairs: contexts and commands of MODEXP, whose results are easy to
 * know, and of RANDOM. `pk` is the first public-key queue pair of the card.
 */
#ifndef UNIT_MODEL_PK_H
#define UNIT_MODEL_PK_H

#include "model_base/model_card.h"

extern struct hostq *pk;
extern uint32_t generation;

void pk_open(const struct accel_model_config *config);

/* base ^ 3 mod 1000003, numbers of 3 bytes. */
struct accel_hw_pk_context *small_modexp(void);

void put_24(uint8_t *to, uint32_t number);

static inline uint32_t
cube(uint32_t base)
{
	return (uint32_t)((uint64_t)base * base % 1000003 * base % 1000003);
}

struct accel_hw_pk_command *new_pk(const struct accel_hw_pk_context *ctx, uint32_t tag,
				       uint32_t operand);

static inline void
pk_post(struct hostq *to, const struct accel_hw_pk_command *cmd, const void *in, uint32_t in_len,
	const void *out, uint32_t out_len)
{
	q_post(to, (const void *)cmd, in, in_len, out, out_len);
}

void pk_expect(const struct accel_hw_pk_command *cmd, const void *in, uint32_t in_len,
	       const void *out, uint32_t out_len, uint16_t status, uint32_t produced);

/* A modular exponentiation that takes milliseconds: 8192 bits, an exponent of so many bytes. */
struct accel_hw_pk_context *long_modexp(uint16_t exponent_len);

struct accel_hw_command *random_command(uint32_t tag, uint32_t bytes);

#endif /* UNIT_MODEL_PK_H */
