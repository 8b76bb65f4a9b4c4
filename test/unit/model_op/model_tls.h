/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * TLS records for tests of the model (manual 8.7): contexts of all suites with random keys, and one
 * operation with its response.
 */
#ifndef UNIT_MODEL_TLS_H
#define UNIT_MODEL_TLS_H

#include "model_base/model_card.h"

#define RECORD_MAX (ACCEL_HW_DTLS_HEADER + ACCEL_HW_TLS_FRAGMENT_MAX)

/* What a suite is for the card. */
struct tls_algs {
	uint8_t kind;
	uint16_t cipher;
	uint16_t auth; /* 0: AEAD */
	uint16_t key;
	uint16_t digest; /* also bytes of the MAC's key */
	uint8_t iv; /* explicit */
};

#define TLS_CBC 8u /* so many of them are CBC */
#define TLS_ALL 22u

extern const struct tls_algs tls_all[TLS_ALL];

extern uint32_t tls_generation;

/* Makes a context with random keys. DTLS has epoch 1. */
struct accel_hw_tls_context *tls_context(const struct tls_algs *a, bool write);

/* Makes the context of the other end of the same direction. */
struct accel_hw_tls_context *tls_other_end(const struct accel_hw_tls_context *write);

static inline uint32_t
tls_header(const struct accel_hw_tls_context *ctx)
{
	return ctx->common.kind == ACCEL_HW_KIND_DTLS12 ? 13 : 5;
}

struct accel_hw_command *tls_command(const struct accel_hw_tls_context *ctx, uint32_t len,
				     uint32_t skip);

/* Runs one operation. Its input and its room for output may be empty. */
struct accel_hw_response tls_run(const struct accel_hw_tls_context *ctx, uint32_t skip,
				 const void *in, uint32_t len, const void *out, uint32_t room);

/* Runs an operation that has to fail with this status. */
void tls_fails(const struct accel_hw_tls_context *ctx, uint32_t skip, const void *in, uint32_t len,
	       const void *out, uint32_t room, uint16_t status);

/* Writes a record. Returns its bytes. */
uint32_t tls_write(const struct accel_hw_tls_context *ctx, uint32_t skip, const void *in,
		   uint32_t len, void *record);

/* Reads a record that holds this. */
void tls_read(const struct accel_hw_tls_context *ctx, const void *record, uint32_t record_len,
	      uint8_t type, const void *data, uint32_t len);

#endif /* UNIT_MODEL_TLS_H */
