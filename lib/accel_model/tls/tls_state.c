/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * Sequence numbers of TLS records: see tls_state.h.
 */
#include "tls/tls_state.h"

enum accel_hw_status
tls_state_send(const struct tls_session *s, struct state *state, enum accel_hw_status content,
	       uint32_t bytes, uint64_t *number, bool *soft)
{
	struct state_taken taken = { 0 };
	const enum accel_hw_status status = state_take(&s->rules, state, content, bytes, &taken);

	*number = taken.number - 1;
	*soft = taken.soft;
	return status;
}

static bool
is_dtls(const struct tls_session *s)
{
	return s->tls.kind == ACCEL_HW_KIND_DTLS12;
}

enum accel_hw_status
tls_state_receive(const struct tls_session *s, struct state *state, enum accel_hw_status record,
		  uint64_t *number)
{
	enum accel_hw_status status;

	if (is_dtls(s))
		return state_expect(&s->rules, state, record, *number + 1);
	status = state_claim(&s->rules, state, record, number);
	*number -= 1;
	return status;
}

enum accel_hw_status
tls_state_received(const struct tls_session *s, struct state *state, uint64_t number,
		   uint32_t bytes, bool written, bool *soft)
{
	/* A record of TLS took its number when it began. state_enter() enters nothing for number 0,
	 * which no packet has. */
	return state_enter(&s->rules, state, is_dtls(s) ? number + 1 : 0, bytes, written, soft);
}
