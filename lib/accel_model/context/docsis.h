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

/** Do what comes before the cipher, and set the cipher's IV. @return where the cipher's region
 * begins. */
uint8_t *docsis_begin(const struct protocol *p, const struct accel_hw_command *cmd,
		      uint8_t *source, uint8_t *iv);

/** Do what comes after a cipher that ended with @p status. @return the status of the operation. */
uint16_t docsis_end(const struct protocol *p, const struct accel_hw_command *cmd,
		    const uint8_t *source, uint16_t status);

#endif /* ACCEL_MODEL_DOCSIS_H */
