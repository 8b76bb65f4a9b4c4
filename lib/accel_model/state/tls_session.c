/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The crypto_accel authors
 *
 * A direction of a TLS connection: see tls_session.h.
 */
#include <stdlib.h>
#include <string.h>

#include "state/tls_session.h"

static uint64_t
limit(uint64_t value)
{
	return value != 0 ? value : UINT64_MAX;
}

struct tls_session *
tls_session_new(const struct tls_raw *raw)
{
	struct tls_session *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return NULL;
	tls_take(&raw->common, &raw->tls, &s->tls);
	s->rules = (struct state_rules){
		.number_max = tls_number_max(&s->tls) + 1, /* see tls_state.h */
		.window = raw->tls.replay_window,
		.window_words = accel_hw_ipsec_window_words(raw->tls.replay_window),
		.packets_soft = limit(raw->tls.records_soft),
		.packets_hard = limit(raw->tls.records_hard),
		.bytes_soft = UINT64_MAX,
		.bytes_hard = UINT64_MAX,
	};
	if (s->tls.encrypt || s->tls.block == 1)
		return s;
	s->mac = tls_mac_new(&raw->common);
	if (s->mac != NULL)
		return s;
	tls_session_free(s);
	return NULL;
}

void
tls_session_free(struct tls_session *session)
{
	if (session == NULL)
		return;
	tls_mac_free(session->mac);
	explicit_bzero(session, sizeof(*session));
	free(session);
}
