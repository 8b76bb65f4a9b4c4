/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Operations of a load over the raw data path of rte_cryptodev, on queue pair 0. They are those of
 * conf.plain: one segment, in place.
 */
#ifndef TOOL_RAW_H
#define TOOL_RAW_H

#include "load_state.h"

/**
 * Attach a session to the raw data path.
 *
 * @param raw
 *   What an earlier call has set, or NULL. The caller frees it.
 * @return
 *   False if the device has no raw data path, or there is no memory.
 */
bool raw_start(struct load *l, const struct load_session *s, struct rte_crypto_raw_dp_ctx **raw);

/** Write requests for so many items of lane 0, without a doorbell. Returns how many. */
unsigned int raw_prepare(struct rte_crypto_raw_dp_ctx *raw, const struct load_item *items,
			 unsigned int n);

/**
 * Take results.
 *
 * @param n
 *   At most so many.
 * @param set
 *   Set the statuses of their operations, which this API does not touch.
 * @return
 *   How many.
 */
unsigned int raw_take(struct rte_crypto_raw_dp_ctx *raw, unsigned int n, bool set);

#endif /* TOOL_RAW_H */
