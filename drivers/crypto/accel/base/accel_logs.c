/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * The limit for log lines that operations or the device can cause: see accel_logs.h.
 */
#include <rte_cycles.h>

#include "accel_compat.h"
#include "accel_logs.h"

RTE_LOG_REGISTER_DEFAULT(accel_logtype, NOTICE);

bool
accel_log_pass(struct accel_log_limit *limit, uint32_t *left_out)
{
	const uint64_t since = accel_load_relaxed(&limit->since);
	const uint64_t now = rte_get_tsc_cycles();

	if (since == 0 || now - since >= ACCEL_LOG_LIMIT_S * rte_get_tsc_hz()) {
		accel_store_relaxed(&limit->since, now);
		accel_store_relaxed(&limit->lines, 0);
	}
	if (accel_load_relaxed(&limit->lines) >= ACCEL_LOG_LIMIT_LINES) {
		accel_fetch_add(&limit->left_out, 1);
		return false;
	}
	accel_fetch_add(&limit->lines, 1);
	*left_out = accel_exchange(&limit->left_out, 0);
	return true;
}
