/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sends operations of a load over the raw data path of rte_cryptodev, on queue pair 0. The load
 * must have conf.plain, so that operations have one segment and are in place.
 */
#ifndef TOOL_RAW_H
#define TOOL_RAW_H

#include "load_state.h"

/**
 * Attach a session to the raw data path.
 *
 * @param raw
 *   Receives the context of the raw data path. Before the call it is what an earlier call has set,
 *   or NULL. The caller frees the context.
 * @return
 *   False if the device has no raw data path, or there is no memory.
 */
bool raw_start(struct load *l, const struct load_session *s, struct rte_crypto_raw_dp_ctx **raw);

/** Write requests for @p n items of lane 0, without a doorbell. Returns how many were written. */
unsigned int raw_prepare(struct rte_crypto_raw_dp_ctx *raw, const struct load_item *items,
			 unsigned int n);

/**
 * Take results.
 *
 * @param n
 *   Most results to take.
 * @param set
 *   True: set the statuses of the operations, which the raw data path does not touch.
 * @return
 *   How many results were taken.
 */
unsigned int raw_take(struct rte_crypto_raw_dp_ctx *raw, unsigned int n, bool set);

#endif /* TOOL_RAW_H */
