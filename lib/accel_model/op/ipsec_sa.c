/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Numbers of inbound packets: see ipsec_sa.h.
 */
#include "op/ipsec_sa.h"
#include "util.h"

/*
 * RFC 4303, A2.1: the upper half of a number from its lower half and the highest number received.
 * The number is below 0 if there was no earlier half: false.
 */
static bool
infer(const struct ipsec_sa *sa, uint64_t highest, uint32_t low, uint64_t *number)
{
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

enum accel_hw_status
ipsec_state_expect(const struct ipsec_sa *sa, struct state *state, enum accel_hw_status packet,
		   uint32_t low, uint64_t *number)
{
	bool follows = true;

	*number = low;
	if ((sa->options & ACCEL_HW_IPSEC_ESN) != 0)
		follows = infer(sa, load64(&state->at->sequence), low, number);
	if (unlikely(!follows && sa->rules.window != 0 && packet == ACCEL_HW_OK))
		packet = ACCEL_HW_REPLAY;
	return state_expect(&sa->rules, state, packet, *number);
}
