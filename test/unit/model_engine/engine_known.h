/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * For tests of crypto engines: carries out the known answers of engine_vectors.h.
 */
#ifndef UNIT_ENGINE_KNOWN_H
#define UNIT_ENGINE_KNOWN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "vectors/engine_vectors.h"

#define ANY_STATUS 0xffffu

struct engine_ctx *open_ctx(struct engine *engine, const struct engine_ops *ops,
			    const struct accel_hw_context *raw);

unsigned int from_hex(uint8_t *out, const char *text);

struct known {
	struct accel_hw_context raw;
	struct engine_job job;
	uint8_t in[512], out[512], aad[128], digest[ACCEL_HW_DIGEST_MAX];
	uint8_t buf[512], got[ACCEL_HW_DIGEST_MAX];
};

void read_vector(struct known *known, const struct vector *v);

unsigned int run_vectors(struct engine *engine, const struct engine_ops *ops,
			 const struct vector *v, size_t nb);

#endif /* UNIT_ENGINE_KNOWN_H */
