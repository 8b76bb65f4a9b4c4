/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Numbers of inbound packets: see ipsec_sa.h.
 */
#include "base/util.h"
#include "state/ipsec_sa.h"

bool
ipsec_infer(const struct ipsec_sa *sa, uint32_t low, uint64_t *number)
{
	const uint64_t highest = load64(&sa->state.at->sequence);
	const uint32_t window =
		sa->rules.window != 0 ? sa->rules.window : ACCEL_HW_IPSEC_WINDOW_WORD;
	const uint32_t top = (uint32_t)highest, bottom = top - window + 1;
	uint32_t high = (uint32_t)(highest >> 32);
	bool ok = true;

	if (top >= window - 1) {
		high += low < bottom;
	} else if (low >= bottom) {
		ok = high != 0;
		high--;
	}
	*number = (uint64_t)high << 32 | low;
	return ok;
}
