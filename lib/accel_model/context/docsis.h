/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * DOCSIS (manual 8.5), called by protocol.c.
 */
#ifndef ACCEL_MODEL_DOCSIS_H
#define ACCEL_MODEL_DOCSIS_H

#include <stdint.h>

#include "context/ctxcache.h"

/**
 * Check a command's fields and compute the lengths of source and destination in bytes.
 *
 * @return OK, BAD_COMMAND or BAD_LENGTH; the lengths are valid with BAD_LENGTH, too.
 */
enum accel_hw_status docsis_lengths(const struct alg_rules *rules,
				    const struct accel_hw_command *cmd, uint64_t *source,
				    uint64_t *out);

/** Make the CRC of a frame to send, and fill in the engine's job for a frame. @p ctx has an engine
 * that may compute CRCs. */
void docsis_job(const struct protocol *p, const struct engine_ctx *ctx,
		const struct accel_hw_command *cmd, uint8_t *source, struct engine_job *job);

/** Do what comes after a cipher that ended with @p status. @return the status of the operation. */
uint16_t docsis_end(const struct protocol *p, const struct engine_ctx *ctx,
		    const struct accel_hw_command *cmd, const uint8_t *source, uint16_t status);

#endif /* ACCEL_MODEL_DOCSIS_H */
