/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * PDCP (manual 8.5), called by protocol.c.
 */
#ifndef ACCEL_MODEL_PDCP_H
#define ACCEL_MODEL_PDCP_H

#include <stdbool.h>
#include <stdint.h>

#include "context/ctxcache.h"

#define PDCP_PREFIX 8u /* bytes before the PDU that EIA2 covers; the copy has room for them */

/** Return the bytes of a header whose sequence number has @p sn_len bits; -1 if there is no such
 * header. */
int pdcp_header(unsigned int sn_len);

/**
 * Check a command's fields and compute the lengths of source and destination in bytes.
 *
 * @return OK, BAD_COMMAND or BAD_LENGTH; the lengths are valid with BAD_LENGTH, too.
 */
enum accel_hw_status pdcp_lengths(const struct protocol *p, const struct alg_rules *rules,
				  const struct accel_hw_command *cmd, uint64_t *source,
				  uint64_t *out);

/** Fill in the engine's job for a PDU, which may be a copy. */
void pdcp_job(const struct protocol *p, const struct accel_hw_command *cmd, uint8_t *pdu,
	      struct engine_job *job);

/** True if the work touches no byte beside the frame. */
bool pdcp_in_place(const struct protocol *p);

#endif /* ACCEL_MODEL_PDCP_H */
